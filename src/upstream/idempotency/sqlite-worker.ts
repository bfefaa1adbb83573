/** The thread of a SQLite store: opens the file, then runs one command at a time and answers it. */
import { parentPort, workerData } from 'node:worker_threads';
import { plainCause } from '../../domain/errors.ts';
import { openEntries } from './sqlite-entries.ts';
import type { SqliteCommand, SqliteReply } from './sqlite-store.ts';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const reply = (message: SqliteReply): void => parentPort?.postMessage(message);

try {
  const entries = openEntries(String(workerData));
  parentPort?.on('message', ({ name, args }: SqliteCommand) => {
    try {
      const command = entries[name] as (...args: readonly unknown[]) => unknown; // its own arguments, as they were sent
      reply({ value: command(...args) });
    } catch (error) {
      reply({ fault: plainCause(error).message });
    }
    if (name === 'close') parentPort?.close();
  });
  reply({ value: entries.ownSecret() });
} catch (error) {
  reply({ fault: plainCause(error).message });
  parentPort?.close();
}
