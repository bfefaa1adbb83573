import { ClientOfflineError, createClient, ErrorReply, type RedisClientType } from '@redis/client';
import { storeError } from './store.ts';

const commandTimeoutMs = 2_000;
const connectTimeoutMs = 5_000;
/** How long a server may be silent while commands fail. */
const silenceMs = 5_000;
const firstReconnectMs = 50;
const longestReconnectMs = 1_000;
const maxCommands = 10_000;
/** Replies of a server that takes no writes: without memory, or while it cannot write to its disk. */
const fullReplies: ReadonlySet<string> = new Set(['OOM', 'MISCONF']);
/** Replies of a server that is not the primary any more: after a failover its address leads to another one. */
const replicaReplies: ReadonlySet<string> = new Set(['READONLY', 'MASTERDOWN', 'NOREPLICAS']);

export type RedisCommands = Pick<RedisClientType, 'get' | 'set' | 'eval' | 'info' | 'configGet'>;

/**
 * A connection to Redis. The client library reopens it when it is lost. Two others are replaced here: one on which the
 * server is silent (where a firewall has dropped the connection, the library would wait for the system's timeout, many
 * minutes), and one to a server that has become a replica. `onLost` is called once when the connection is lost, and again
 * only after it was restored.
 */
export function createRedisConnection(url: string, onLost: (error: unknown) => void) {
  let isUp = false;
  /** False during the start, which ends where the connection is lost: it is neither reopened nor replaced. */
  let isStarted = false;
  let isClosed = false;
  /** When the first command was sent since the server, or the system, last said anything. */
  let unansweredSince: number | undefined;
  /** Why the connection was lost, or could not be opened again: a command without one fails for this reason. */
  let lastFailure: unknown;
  const reconnectStrategy = (tries: number) => isStarted && Math.min(firstReconnectMs * 2 ** tries, longestReconnectMs);
  const socket = { connectTimeout: connectTimeoutMs, reconnectStrategy };
  const create = () => {
    const newClient = createClient({ url, disableOfflineQueue: true, commandsQueueMaxLength: maxCommands, socket });
    newClient.on('ready', () => {
      if (newClient !== client) return newClient.destroy();
      unansweredSince = undefined;
      lastFailure = undefined;
      isUp = true;
    });
    newClient.on('error', (error: unknown) => {
      if (newClient !== client) return;
      unansweredSince = undefined;
      lastFailure = withReason(error);
      if (isUp && isStarted) onLost(lastFailure);
      isUp = false;
    });
    return newClient;
  };
  let client = create();

  let replacedAt = -Infinity;
  const replace = (failure: unknown): void => {
    const now = performance.now();
    if (!isStarted || isClosed || now - replacedAt < longestReconnectMs) return;
    replacedAt = now;
    unansweredSince = undefined;
    if (isUp) onLost(failure);
    isUp = false;
    lastFailure = failure;
    client.destroy();
    client = create();
    client.connect().catch(() => {});
  };
  return {
    open: async (): Promise<void> => {
      await inTime(client.connect(), connectTimeoutMs).catch((error: unknown) => {
        client.destroy();
        throw withReason(error);
      });
    },
    /** Ends the start: from now on a lost connection is reopened or replaced. */
    keepUp: (): void => void (isStarted = true),
    /** Runs a command, within two seconds. */
    run: async <Value>(command: (client: RedisCommands) => Promise<Value>): Promise<Value> => {
      unansweredSince ??= performance.now();
      try {
        const value = await inTime(command(client));
        unansweredSince = undefined;
        return value;
      } catch (error) {
        const isSilent = unansweredSince !== undefined && performance.now() - unansweredSince >= silenceMs;
        const reason = reasonOf(error);
        if (error instanceof ErrorReply) unansweredSince = undefined;
        if (error instanceof ErrorReply ? replicaReplies.has(reason) : isSilent) replace(withReason(error));
        if (error instanceof ClientOfflineError && lastFailure !== undefined) throw lastFailure;
        throw fullReplies.has(reason) ? storeError('full') : withReason(error);
      }
    },
    destroy: (): void => client.destroy(),
    close: async (): Promise<void> => {
      isClosed = true;
      await inTime(client.close()).catch(() => client.destroy());
    },
  };
}

/** The code that Redis begins an error with, such as `NOAUTH`: the rest may have values in it. */
function reasonOf(error: unknown): string {
  const [code = ''] = error instanceof ErrorReply ? (/^[A-Z]{2,20}(?= )/.exec(error.message) ?? []) : [];
  return code;
}

function withReason(error: unknown): unknown {
  const code = reasonOf(error);
  return code === '' || !(error instanceof Error) ? error : Object.assign(error, { code });
}

/** The client has no limit on a command that was sent; what waits longer counts as lost. */
async function inTime<Value>(promise: Promise<Value>, limitMs = commandTimeoutMs): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const failure = Object.assign(new Error('Redis did not answer in time.'), { code: 'NO_ANSWER' });
  const timer = setTimeout(() => reject(failure), limitMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
