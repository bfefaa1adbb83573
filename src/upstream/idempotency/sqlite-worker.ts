/** The thread of a SQLite store: opens the file, then runs commands in groups and answers them. */
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { createGroups, type Job } from './command-groups.ts';
import { openEntries } from './sqlite-entries.ts';

const { path, file } = workerData as { readonly path: string; readonly file: string | undefined }; // of sqlite-store.ts
const port = parentPort as MessagePort; // a thread has one
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const reply = (message: unknown): void => port.postMessage(message);
const entries = openEntries(path, file);
const arrived: Job[] = [];
let isClosing = false;

const take = (message: Job | 'close'): void => {
  if (message === 'close') isClosing = true;
  else arrived.push(message);
};
const receive = (): Job | undefined => {
  const received = receiveMessageOnPort(port); // what sqlite-store.ts sends
  if (received !== undefined) take(received.message);
  return arrived.shift();
};
const runAll = createGroups(entries.run, receive, reply);

port.on('message', (message: Job | 'close') => {
  take(message);
  runAll();
  if (!isClosing) return;
  entries.close();
  port.close();
});
reply({ ownSecret: entries.ownSecret, file: entries.file });
