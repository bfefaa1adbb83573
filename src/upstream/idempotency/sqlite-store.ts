import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { storeError, type Entry, type IdempotencyStore, type StoreFault } from './store.ts';

/** Maximum number of commands that wait, where the disk does not answer. */
const maxCommands = 10_000;

type CommandName = Exclude<keyof IdempotencyStore, 'close'>;
type Command = {
  readonly [Name in CommandName]: { readonly name: Name; readonly args: Parameters<IdempotencyStore[Name]> };
}[CommandName];

/** A command as it is sent to the thread, and the reply to it. */
export type SqliteCommand = Command & { readonly id: number };
export interface SqliteReply {
  readonly id: number;
  readonly value?: Entry | undefined;
  readonly fault?: StoreFault;
  /** SQLite's extended result code (`SQLITE_778`), or the code of another error. */
  readonly cause?: string;
}

interface SqliteStore extends IdempotencyStore {
  /** A secret kept in the file, for development without FINGERPRINT_SECRET. */
  readonly ownSecret: Uint8Array;
}

/**
 * Keys in a SQLite file, shared by the processes of one machine. A thread of its own opens it: SQLite waits for locks and
 * for the disk, and the event loop must not. Where the thread has ended, every command fails.
 */
export async function openSqliteStore(path: string): Promise<SqliteStore> {
  try {
    if (path !== ':memory:') createFile(path);
    // Beside this file, and with its ending: TypeScript here, JavaScript in the package.
    const worker = new Worker(new URL(import.meta.url.replace('sqlite-store', 'sqlite-worker')), { workerData: path });
    const [ownSecret] = (await once(worker, 'message')) as [Uint8Array]; // the worker's first message; rejects with its error
    return { ...createCommands(worker), ownSecret };
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new Error(
      `IDEMPOTENCY_STORE: ${path} could not be opened (${reason}); allowed: a file that this process may write, in a folder that it may write.`,
      { cause: error },
    );
  }
}

function createCommands(worker: Worker): IdempotencyStore {
  const waiting = new Map<number, (reply: SqliteReply) => void>();
  let sent = 0;
  let hasEnded = false;
  worker.on('message', (replies: readonly SqliteReply[]) => {
    for (const reply of replies) waiting.get(reply.id)?.(reply);
  });
  worker.on('error', () => {}); // 'exit' follows
  worker.on('exit', () => {
    hasEnded = true;
    for (const [id, answer] of waiting) answer({ id, fault: 'away', cause: 'THREAD_ENDED' });
  });
  const run = async (command: Command): Promise<Entry | undefined> => {
    if (hasEnded) throw storeError('away', 'THREAD_ENDED');
    if (waiting.size >= maxCommands) throw storeError('slow');
    const id = (sent += 1);
    const { value, fault, cause } = await new Promise<SqliteReply>((resolve) => {
      waiting.set(id, resolve);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage({ ...command, id });
    }).finally(() => waiting.delete(id));
    if (fault !== undefined) throw storeError(fault, cause);
    return value;
  };
  return {
    claim: (...args) => run({ name: 'claim', args }),
    settle: async (...args) => void (await run({ name: 'settle', args })),
    free: async (...args) => void (await run({ name: 'free', args })),
    /** Ends the thread when it has answered all commands. */
    close: async () => {
      if (hasEnded) return;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage('close');
      await once(worker, 'exit');
    },
  };
}

/** Creates the file for the process's user alone; SQLite gives its log the same mode. */
function createFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}
