#!/usr/bin/env node
import './runtime/parent-process.ts';

/** Entry point of `settlement-graph`. Until the version check this file must stay readable for old versions of Node. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`settlement-graph needs Node 22.19 or newer; this is ${process.versions.node}.`);
  process.exitCode = 1;
} else {
  // A reader that closes standard output early, such as `head`, does not end a command that has more to do.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    console.error(`Standard output cannot be written (${error.code}).`);
    process.exit(1);
  });
  // A server that still loads has nothing to finish. Without a listener process 1 of a container would ignore a signal.
  if (/^(?:serve|bank)$/.test(process.argv[2] ?? 'serve')) {
    const endUnlessServing = (signal: string) => process.listenerCount(signal) > 1 || process.exit(0);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, endUnlessServing);
  }
  const { main } = await import('./commands/main.ts');
  await main(process.argv.slice(2));
}
