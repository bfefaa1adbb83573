import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Job, JobReply } from './command-groups.ts';
import { openEntries, type SqliteCommand, type SqliteReply } from './sqlite-entries.ts';
import { storeError, type Entry, type IdempotencyStore } from './store.ts';

/** Maximum number of commands that wait, where the disk does not answer. */
const maxCommands = 10_000;

const threadEnded = { fault: 'away', cause: 'THREAD_ENDED' } as const;

interface SqliteStore extends IdempotencyStore {
  /** A secret kept in the file, for development without FINGERPRINT_SECRET. */
  readonly ownSecret: Uint8Array;
}

interface Connection {
  readonly run: (command: SqliteCommand) => Promise<SqliteReply>;
  readonly close: () => Promise<void>;
  readonly ownSecret: Uint8Array;
}

/** The thread's message once it has opened the file, which `file` identifies. */
interface Opened {
  readonly ownSecret: Uint8Array;
  readonly file: string;
}

/**
 * Keys in a SQLite file, shared by the processes of one machine. A thread of its own opens it: SQLite waits for locks and
 * for the disk, and the event loop must not. `:memory:` waits for nothing and is opened in this thread.
 */
export async function openSqliteStore(path: string): Promise<SqliteStore> {
  try {
    const { run, close, ownSecret } = path === ':memory:' ? connectInMemory() : await connectThread(path);
    const valueOf = async (command: SqliteCommand): Promise<Entry | undefined> => {
      const reply = await run(command);
      if ('fault' in reply) throw storeError(reply.fault, reply.cause);
      return reply.value;
    };
    return {
      claim: (...args) => valueOf({ name: 'claim', args }),
      settle: async (...args) => void (await valueOf({ name: 'settle', args })),
      free: async (...args) => void (await valueOf({ name: 'free', args })),
      withdraw: async (...args) => void (await valueOf({ name: 'withdraw', args })),
      close,
      ownSecret,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new Error(
      `IDEMPOTENCY_STORE: ${path} could not be opened (${reason}); allowed: a file that this process may write, in a folder that it may write.`,
      { cause: error },
    );
  }
}

function connectInMemory(): Connection {
  const { run, close, ownSecret } = openEntries(':memory:');
  return { run: async (command) => run([command])[0] ?? { fault: 'away' }, close: async () => close(), ownSecret };
}

/** A thread that has died is replaced at the next command, but only if the file is still the one that it had opened. */
async function connectThread(path: string): Promise<Connection> {
  let thread = startThread(path);
  const { ownSecret, file } = await thread.opened;
  let isClosed = false;
  return {
    run: (command) => {
      if (thread.hasEnded() && !isClosed) thread = startThread(path, file);
      return thread.run(command);
    },
    close: () => {
      isClosed = true;
      return thread.close();
    },
    ownSecret,
  };
}

function startThread(path: string, file?: string) {
  // Beside this file, and with its ending: TypeScript here, JavaScript in the package.
  const url = new URL(import.meta.url.replace('sqlite-store', 'sqlite-worker'));
  const worker = new Worker(url, { workerData: { path, file } });
  const opened = Promise.withResolvers<Opened>();
  opened.promise.catch(() => {}); // later than at the start, the commands get the error
  const waiting = new Map<number, (reply: SqliteReply) => void>();
  let sent = 0;
  let hasEnded = false;
  worker.on('message', (message: Opened | readonly JobReply[]) => {
    if ('ownSecret' in message) return opened.resolve(message);
    for (const [id, reply] of message) {
      waiting.get(id)?.(reply);
      waiting.delete(id);
    }
  });
  worker.on('error', opened.reject).on('exit', () => {
    hasEnded = true;
    opened.reject(storeError('away', threadEnded.cause));
    for (const answer of waiting.values()) answer(threadEnded);
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const send = (message: Job | 'close'): void => worker.postMessage(message);
  return {
    opened: opened.promise,
    run: (command: SqliteCommand) =>
      new Promise<SqliteReply>((resolve) => {
        if (hasEnded) return resolve(threadEnded);
        if (waiting.size >= maxCommands) return resolve({ fault: 'slow' });
        sent += 1;
        waiting.set(sent, resolve);
        send({ id: sent, command, sentAt: process.hrtime.bigint() });
      }),
    /** Ends the thread when it has answered all commands. */
    close: async (): Promise<void> => {
      if (hasEnded) return;
      send('close');
      await once(worker, 'exit');
    },
    hasEnded: () => hasEnded,
  };
}
