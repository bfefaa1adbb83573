import { createClient } from '@redis/client';
import { plainCause } from '../../domain/errors.ts';
import { lifetimeMs, storeError, type Entry, type IdempotencyStore } from './store.ts';

const commandTimeoutMs = 2_000;
const connectTimeoutMs = 5_000;
const firstReconnectMs = 50;
const longestReconnectMs = 1_000;
const maxCommands = 10_000;
const keyPrefix = 'settlement-graph:create:';

/** Schema of an entry in Redis: JSON that another version of this program may have written. */
type Stored = Omit<Entry, 'sealed'> & { readonly sealed?: string };

/** Replaces or deletes an entry only while it is the attempt's own. */
const settleScript = `local found = redis.call('GET', KEYS[1])
if found and cjson.decode(found).attempt == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return 1`;
const freeScript = `local found = redis.call('GET', KEYS[1])
if found and cjson.decode(found).attempt == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1`;

/** The settings under which Redis loses no key, with their values. */
const durable = { 'maxmemory-policy': 'noeviction', appendonly: 'yes', appendfsync: 'always' } as const;

export interface RedisStoreOptions {
  /** `redis://` or `rediss://`, without our own parameters. */
  readonly url: string;
  /** Whether the deployer accepts that this Redis may forget. */
  readonly acceptsLoss: boolean;
  /** Called once when the connection is lost, and again only after it was restored. */
  readonly onLost: (error: unknown) => void;
}

/**
 * Keys in Redis or Valkey, shared by the processes of many machines. Rejects at once while there is no connection, so
 * that nothing is sent whose intent is not recorded. Throws at start where the server could not be reached, or forgets.
 */
export async function openRedisStore({ url, acceptsLoss, onLost }: RedisStoreOptions): Promise<IdempotencyStore> {
  let isUp = false;
  let wasUp = false;
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: maxCommands,
    socket: {
      connectTimeout: connectTimeoutMs,
      reconnectStrategy: (tries) => wasUp && Math.min(firstReconnectMs * 2 ** tries, longestReconnectMs),
    },
  });
  client.on('ready', () => {
    isUp = true;
  });
  client.on('error', (error: unknown) => {
    if (isUp && wasUp) onLost(error);
    isUp = false;
  });
  await client.connect().catch((error: unknown) => {
    throw new Error(`IDEMPOTENCY_STORE: Redis could not be reached (${plainCause(error).message}).`, { cause: error });
  });
  wasUp = true;
  if (!acceptsLoss) {
    await requireDurability((name) => inTime(client.configGet(name))).catch((error: unknown) => {
      client.destroy();
      throw error;
    });
  }
  const change = async (script: string, id: string, args: readonly string[]): Promise<void> => {
    await inTime(client.eval(script, { keys: [keyPrefix + id], arguments: [...args] }));
  };
  return {
    claim: async (id, intent) => {
      const key = keyPrefix + id;
      const stored: Stored = { ...intent, state: 'pending' };
      const value = JSON.stringify(stored);
      const expiration = { type: 'PX', value: lifetimeMs('pending') } as const;
      for (;;) {
        if ((await inTime(client.set(key, value, { condition: 'NX', expiration }))) !== null) return undefined;
        const found = await inTime(client.get(key));
        // Freed between the two: then it is there to be claimed.
        if (found !== null) return fromStored(JSON.parse(found) as Stored); // written by this program
      }
    },
    settle: (id, { sealed, ...entry }) => {
      const stored: Stored =
        sealed === undefined ? entry : { ...entry, sealed: Buffer.from(sealed).toString('base64') };
      return change(settleScript, id, [entry.attempt, JSON.stringify(stored), String(lifetimeMs(entry.state))]);
    },
    free: (id, attempt) => change(freeScript, id, [attempt]),
    close: () => inTime(client.close()).catch(() => client.destroy()),
  };
}

function fromStored({ sealed, ...entry }: Stored): Entry {
  return sealed === undefined ? entry : { ...entry, sealed: Buffer.from(sealed, 'base64') };
}

/** A server that does not tell its settings (a managed one, often) counts as one that may forget. */
async function requireDurability(read: (name: string) => Promise<Readonly<Record<string, string>>>): Promise<void> {
  for (const [name, needed] of Object.entries(durable)) {
    const settings = await read(name).catch(() => undefined);
    const found = settings?.[name];
    if (found !== needed) {
      throw new Error(
        `IDEMPOTENCY_STORE: this Redis may forget keys: ${name} is ${found ?? 'not readable'}, needed: ${needed}. ` +
          'Set it so, or accept the loss by ?durability=accept at the end of the URL.',
      );
    }
  }
}

/** The client has no limit on a command that was sent; what waits longer counts as lost. */
async function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('Redis did not answer in time.')), commandTimeoutMs);
  try {
    return await Promise.race([promise, late]);
  } catch (error) {
    // Redis takes no writes without memory (OOM), or while it cannot write to its disk (MISCONF).
    throw error instanceof Error && /^(?:OOM|MISCONF) /.test(error.message) ? storeError('full') : error;
  } finally {
    clearTimeout(timer);
  }
}
