/** Loaded before a program (`node --import`): sends itself a SIGTERM while it loads its commands. */
import { registerHooks } from 'node:module';

registerHooks({
  load: (url, context, next) => {
    if (url.endsWith('/commands/main.ts')) process.kill(process.pid, 'SIGTERM');
    return next(url, context);
  },
});
