/** Loaded before a program (`node --import`): says which modules of OpenTelemetry it loads, by import or require. */
import { registerHooks } from 'node:module';

registerHooks({
  load: (url, context, next) => {
    if (url.includes('@opentelemetry')) process.stderr.write(`loaded ${url}\n`);
    return next(url, context);
  },
});
