import { createClient, ErrorReply, type RedisClientType } from '@redis/client';
import { storeError } from './store.ts';

const commandTimeoutMs = 2_000;
const connectTimeoutMs = 5_000;
/** How long a server may be silent while commands fail. */
const silenceMs = 5_000;
const firstReconnectMs = 50;
const longestReconnectMs = 1_000;
const maxCommands = 10_000;

export type RedisCommands = Pick<RedisClientType, 'get' | 'set' | 'eval' | 'info' | 'configGet'>;

/**
 * A connection that the client library opens again when it is lost. One that is silent is replaced here: a firewall that
 * has forgotten a connection tells neither end, and the library would wait for the system's own limit, many minutes.
 * `onLost` is called once when the connection is lost, and again only after it was restored.
 */
export function createRedisConnection(url: string, onLost: (error: unknown) => void) {
  let isUp = false;
  let wasUp = false;
  let isClosed = false;
  /** When the first command was sent since the server, or the system, last said anything. */
  let unansweredSince: number | undefined;
  const create = () => {
    const created = createClient({
      url,
      disableOfflineQueue: true,
      commandsQueueMaxLength: maxCommands,
      socket: {
        connectTimeout: connectTimeoutMs,
        reconnectStrategy: (tries) => wasUp && Math.min(firstReconnectMs * 2 ** tries, longestReconnectMs),
      },
    });
    created.on('ready', () => {
      if (created !== client) return created.destroy();
      unansweredSince = undefined;
      isUp = true;
    });
    created.on('error', (error: unknown) => {
      if (created !== client) return;
      unansweredSince = undefined;
      if (isUp && wasUp) onLost(error);
      isUp = false;
    });
    return created;
  };
  let client = create();

  const replaceIfSilent = (failure: unknown): void => {
    if (isClosed || unansweredSince === undefined || performance.now() - unansweredSince < silenceMs) return;
    unansweredSince = undefined;
    if (isUp) onLost(failure);
    isUp = false;
    client.destroy();
    client = create();
    client.connect().catch(() => {});
  };
  return {
    open: async (): Promise<void> => {
      await client.connect();
      wasUp = true;
    },
    /** Runs a command, within two seconds. */
    run: async <Value>(command: (client: RedisCommands) => Promise<Value>): Promise<Value> => {
      unansweredSince ??= performance.now();
      try {
        const value = await inTime(command(client));
        unansweredSince = undefined;
        return value;
      } catch (error) {
        if (error instanceof ErrorReply) unansweredSince = undefined;
        else replaceIfSilent(error);
        // Redis takes no writes without memory (OOM), or while it cannot write to its disk (MISCONF).
        throw error instanceof ErrorReply && /^(?:OOM|MISCONF) /.test(error.message) ? storeError('full') : error;
      }
    },
    destroy: (): void => client.destroy(),
    close: async (): Promise<void> => {
      isClosed = true;
      await inTime(client.close()).catch(() => client.destroy());
    },
  };
}

/** The client has no limit on a command that was sent; what waits longer counts as lost. */
async function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('Redis did not answer in time.')), commandTimeoutMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
