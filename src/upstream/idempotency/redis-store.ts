import { randomUUID } from 'node:crypto';
import { plainCause } from '../../domain/errors.ts';
import { createRedisConnection, type RedisCommands } from './redis-connection.ts';
import { clockStepMs, continueClock, faultIn, lifetimeMs, type Entry, type IdempotencyStore } from './store.ts';

const keyPrefix = 'settlement-graph:create:';

/** Schema of an entry in Redis: JSON that another version of this program may have written. */
type Stored = Omit<Entry, 'sealed'> & { readonly sealed?: string };

/** Keys of Redis beside the entries: the store's own time in milliseconds, and when each entry expires by it. */
const clockKey = 'settlement-graph:clock';
/** A random text of the first process to use the store, by which others notice that Redis has lost all keys since. */
const epochKey = 'settlement-graph:epoch';
const expiriesKey = 'settlement-graph:expiries';
/** How many expired entries a claim deletes: more than the one that it adds. */
const maxDeleted = 10;

/**
 * The head of every script. KEYS: the entry, the clock, the expiries, the epoch; ARGV: the process's own moment, the
 * attempt, the epoch at its start (empty where a loss is accepted), the entry's new value and lifetime. Nothing expires by
 * the clock of Redis' host, which may jump, but by the store's own clock. Redis takes the first of several words as an
 * error's code.
 */
const head = `local entry, clock, expiries = KEYS[1], KEYS[2], KEYS[3]
local own, attempt, epoch, value, lifetime = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], ARGV[5]
if epoch ~= '' and redis.call('GET', KEYS[4]) ~= epoch then return redis.error_reply('EMPTY The keys are lost.') end
local stored = tonumber(redis.call('GET', clock) or 0)
if own - stored >= ${clockStepMs} then redis.call('SET', clock, ARGV[1]) end
local now = math.max(stored, own)
local function write()
  redis.call('ZADD', expiries, string.format('%d', now + lifetime), entry)
  redis.call('SET', entry, value)
end
local function delete(key)
  redis.call('DEL', key)
  redis.call('ZREM', expiries, key)
end
local function isOwn()
  local found = redis.call('GET', entry)
  return found and cjson.decode(found).attempt == attempt
end
`;
const claimScript = `${head}
local expired = redis.call('ZRANGEBYSCORE', expiries, '-inf', string.format('%d', now), 'LIMIT', 0, ${maxDeleted})
for _, key in ipairs(expired) do delete(key) end
if tonumber(redis.call('ZSCORE', expiries, entry) or now + 1) <= now then delete(entry) end
local found = redis.call('GET', entry)
if not found then write() end
return found`;
/** Replaces or deletes an entry only while it is the attempt's own. */
const settleScript = `${head}
if isOwn() then write() end
return false`;
const freeScript = `${head}
if isOwn() then delete(entry) end
return false`;

/** The settings under which Redis loses no key, with their values. */
const durable = { 'maxmemory-policy': 'noeviction', appendonly: 'yes', appendfsync: 'always' } as const;

interface RedisStoreOptions {
  /** `redis://` or `rediss://`, without our own parameters. */
  readonly url: string;
  /** Whether the deployer accepts that this Redis may lose keys. */
  readonly acceptsLoss: boolean;
  /** Called once when the connection is lost, and again only after it was restored. */
  readonly onLost: (error: unknown) => void;
}

/**
 * Keys in Redis or Valkey, shared by the processes of many machines. Rejects at once while there is no connection, so
 * that nothing is sent whose intent is not recorded. Throws at start where the server could not be reached, or may lose keys.
 */
export async function openRedisStore({ url, acceptsLoss, onLost }: RedisStoreOptions): Promise<IdempotencyStore> {
  const connection = createRedisConnection(url, onLost);
  await connection.open().catch((error: unknown) => {
    throw new Error(
      `IDEMPOTENCY_STORE: Redis could not be reached (${plainCause(error).message}). Check that it runs, and the host, port and credentials in the URL.`,
      { cause: error },
    );
  });
  let epoch: string | undefined;
  let clock: (() => number) | undefined;
  const run = async (script: string, id: string, attempt: string, stored?: Stored): Promise<string | null> => {
    const currentEpoch = (epoch ??= acceptsLoss ? '' : await connection.run(startEpoch));
    clock ??= continueClock(await connection.run(startClock));
    const moment = String(clock());
    const entryArguments = stored === undefined ? [] : [JSON.stringify(stored), String(lifetimeMs(stored.state))];
    const keys = [keyPrefix + id, clockKey, expiriesKey, epochKey];
    const found = await connection.run((client) =>
      client.eval(script, { keys, arguments: [moment, attempt, currentEpoch, ...entryArguments] }),
    );
    return found as string | null; // what the scripts return
  };
  const free = async (id: string, attempt: string): Promise<void> => void (await run(freeScript, id, attempt));
  /** Runs each command of the scripts once, on an entry of its own. */
  const probe = async (): Promise<void> => {
    const id = `start ${randomUUID()}`;
    await run(claimScript, id, id, { input: '', deadline: 0, attempt: id, state: 'pending' });
    await free(id, id);
  };
  try {
    refuseCluster(await connection.run((client) => client.info('cluster')).catch(() => ''));
    if (!acceptsLoss) await requireDurability((name) => connection.run((client) => client.configGet(name)));
    await probe().catch(refuseWithoutWrites);
    connection.keepUp();
  } catch (error) {
    connection.destroy();
    throw error;
  }
  return {
    claim: async (id, intent) => {
      const found = await run(claimScript, id, intent.attempt, { ...intent, state: 'pending' });
      return found === null ? undefined : fromStored(JSON.parse(found) as Stored); // written by this program
    },
    settle: async (id, { sealed, ...entry }) => {
      const stored: Stored =
        sealed === undefined ? entry : { ...entry, sealed: Buffer.from(sealed).toString('base64') };
      await run(settleScript, id, entry.attempt, stored);
    },
    free,
    withdraw: free,
    close: connection.close,
  };
}

/** The stored time, which begins as the clock of the first process to use the store. */
async function startClock(client: RedisCommands): Promise<number> {
  await client.set(clockKey, String(Date.now()), { condition: 'NX' });
  return Number(await client.get(clockKey));
}

async function startEpoch(client: RedisCommands): Promise<string> {
  await client.set(epochKey, randomUUID(), { condition: 'NX' });
  return String(await client.get(epochKey));
}

function fromStored({ sealed, ...entry }: Stored): Entry {
  return sealed === undefined ? entry : { ...entry, sealed: Buffer.from(sealed, 'base64') };
}

/** A replica refuses every write, and so does Redis to a user without the rights. A full server may have room later. */
function refuseWithoutWrites(error: unknown): void {
  if (faultIn(error) === 'full') return;
  const reason = plainCause(error).message;
  const advice =
    reason === 'LOADING'
      ? 'Start again once it has read its data'
      : 'Name a primary, and a user with the keys settlement-graph:* and the commands GET, SET, DEL, EVAL, ZADD, ZREM, ZSCORE and ZRANGEBYSCORE';
  throw new Error(`IDEMPOTENCY_STORE: Redis refuses to write (${reason}). ${advice}.`, { cause: error });
}

/** The scripts change keys of several slots at once, which a cluster does not allow, even on one node. */
function refuseCluster(info: string): void {
  if (!info.includes('cluster_enabled:1')) return;
  throw new Error('IDEMPOTENCY_STORE: this Redis runs in cluster mode. Use one without it, with replicas if you like.');
}

/** A server whose settings cannot be read (often a managed one) counts as one that may lose keys. */
async function requireDurability(read: (name: string) => Promise<Readonly<Record<string, string>>>): Promise<void> {
  for (const [name, needed] of Object.entries(durable)) {
    const settings = await read(name).catch(() => undefined);
    const value = settings?.[name];
    if (value !== needed) {
      throw new Error(
        `IDEMPOTENCY_STORE: this Redis may forget keys: ${name} is ${value ?? 'not readable'}, needed: ${needed}. ` +
          'Change it, or accept the loss: end the URL in ?durability=accept.',
      );
    }
  }
}
