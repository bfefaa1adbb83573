import { Worker } from 'node:worker_threads';
import { openEntries, type SqliteEntries } from './sqlite-entries.ts';
import { claimTimeoutMs, faultOf, storeError, type IdempotencyStore } from './store.ts';

export interface SqliteCommand {
  readonly name: keyof SqliteEntries;
  readonly args: readonly unknown[];
}

export type SqliteReply = { readonly value: unknown } | { readonly fault: string };

interface Job extends SqliteCommand {
  readonly queuedAt: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export interface SqliteStore extends IdempotencyStore {
  /** A secret kept in the file, for development without FINGERPRINT_SECRET. */
  readonly ownSecret: Uint8Array;
}

/**
 * Keys in a SQLite file, shared by the processes of one machine. It lives in a thread of its own: SQLite waits for locks
 * and for the disk, and the event loop must not. `:memory:` waits for nothing and lives in this thread.
 */
export async function openSqliteStore(path: string): Promise<SqliteStore> {
  try {
    return path === ':memory:' ? openInMemory() : await openInThread(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new Error(`IDEMPOTENCY_STORE: ${path} could not be opened (${reason}).`, { cause: error });
  }
}

function openInMemory(): SqliteStore {
  const entries = openEntries(':memory:');
  return {
    claim: async (id, intent) => entries.claim(id, intent),
    settle: async (id, entry) => entries.settle(id, entry),
    free: async (id, attempt) => entries.free(id, attempt),
    close: async () => entries.close(),
    ownSecret: entries.ownSecret(),
  };
}

async function openInThread(path: string): Promise<SqliteStore> {
  // Beside this file, and with its ending: TypeScript here, JavaScript in the package.
  const worker = new Worker(new URL(import.meta.url.replace('sqlite-store', 'sqlite-worker')), { workerData: path });
  const waiting: Job[] = [];
  let current: Job | undefined;
  let gone: Error | undefined;

  const next = (): void => {
    current = waiting.shift();
    // The client already got the error that nothing was sent: the key must not be recorded now.
    while (current?.name === 'claim' && performance.now() - current.queuedAt > claimTimeoutMs) {
      current.reject(storeError('slow'));
      current = waiting.shift();
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    if (current !== undefined) worker.postMessage({ name: current.name, args: current.args });
  };
  const run = (name: SqliteCommand['name'], args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (gone !== undefined) return reject(gone);
      const job: Job = { name, args, resolve, reject, queuedAt: performance.now() };
      if (name === 'settle') waiting.unshift(job);
      else waiting.push(job);
      if (current === undefined) next();
    });
  const onGone = (): void => {
    gone = storeError('away');
    for (const job of [...(current === undefined ? [] : [current]), ...waiting.splice(0)]) job.reject(gone);
    current = undefined;
  };
  worker.on('error', onGone).on('exit', onGone);
  worker.on('message', (reply: SqliteReply) => {
    const job = current;
    if ('fault' in reply) job?.reject(job.queuedAt === 0 ? new Error(reply.fault) : storeError(faultOf(reply.fault)));
    else job?.resolve(reply.value);
    next();
  });
  const opened = new Promise<unknown>((resolve, reject) => {
    current = { name: 'ownSecret', args: [], queuedAt: 0, resolve, reject };
  });
  const ownSecret = (await opened) as Uint8Array; // as the thread sends it once it has opened the file
  return {
    claim: (id, intent) => run('claim', [id, intent]) as ReturnType<IdempotencyStore['claim']>, // what it returns there
    settle: async (id, entry) => void (await run('settle', [id, entry])),
    free: async (id, attempt) => void (await run('free', [id, attempt])),
    close: async () => {
      await run('close', []);
      await worker.terminate();
    },
    ownSecret,
  };
}
