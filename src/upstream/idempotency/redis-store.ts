import { randomUUID } from 'node:crypto';
import { ClientOfflineError, createClient, ErrorReply } from '@redis/client';
import { plainCause } from '../../domain/errors.ts';
import { faultIn, lifetimeMs, storeError, type Entry, type IdempotencyStore } from './store.ts';

const keyPrefix = 'settlement-graph:create:';
/** A random text of the first process to use the store, by which others notice that Redis has lost all keys since. */
const epochKey = 'settlement-graph:epoch';

const connectTimeoutMs = 5_000;
const firstReconnectMs = 50;
const longestReconnectMs = 1_000;
const maxCommands = 10_000;
/** Replies of a server that takes no writes: without memory, or while it cannot write to its disk. */
const fullReplies: ReadonlySet<string> = new Set(['OOM', 'MISCONF']);
/** Replies of a server that is not the primary any more: after a failover its address leads to another one. */
const replicaReplies: ReadonlySet<string> = new Set(['READONLY', 'MASTERDOWN', 'NOREPLICAS']);

/** Schema of an entry in Redis: JSON that another version of this program may have written. */
type Stored = Omit<Entry, 'sealed'> & { readonly sealed?: string };

/**
 * The head of every script. KEYS: the entry, the epoch; ARGV: the attempt, the epoch at the process's start (empty where a
 * loss is accepted), the entry's new value and lifetime. Redis takes the first of several words as an error's code.
 */
const head = `local entry, attempt, epoch, value, lifetime = KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4]
if epoch ~= '' and redis.call('GET', KEYS[2]) ~= epoch then return redis.error_reply('EMPTY The keys are lost.') end
local found = redis.call('GET', entry)
local isOwn = found and cjson.decode(found).attempt == attempt`;
const claimScript = `${head}
if not found then redis.call('SET', entry, value, 'PX', lifetime) end
return found`;
const settleScript = `${head}
if isOwn then redis.call('SET', entry, value, 'PX', lifetime) end
return false`;
const freeScript = `${head}
if isOwn then redis.call('DEL', entry) end
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
  const connection = createConnection(url, onLost);
  const { client, run } = connection;
  const connecting = Promise.race([client.connect(), noAnswer(connectTimeoutMs)]);
  await connecting.catch((error: unknown) => {
    client.destroy();
    throw new Error(
      `IDEMPOTENCY_STORE: Redis could not be reached (${plainCause(withCode(error)).message}). Check that it runs, and the host, port and credentials in the URL.`,
      { cause: error },
    );
  });
  let epoch = acceptsLoss ? '' : undefined;
  const startEpoch = async (): Promise<string> => {
    await run(() => client.set(epochKey, randomUUID(), { condition: 'NX' }));
    return String(await run(() => client.get(epochKey)));
  };
  const evaluate = async (script: string, id: string, attempt: string, stored?: Stored): Promise<string | null> => {
    const known = (epoch ??= await startEpoch());
    const entry = stored === undefined ? [] : [JSON.stringify(stored), String(lifetimeMs(stored.state))];
    const asked = { keys: [keyPrefix + id, epochKey], arguments: [attempt, known, ...entry] };
    return (await run(() => client.eval(script, asked))) as string | null; // what the scripts return
  };
  const free = async (id: string, attempt: string): Promise<void> => void (await evaluate(freeScript, id, attempt));
  /** Runs each command of the scripts once, on an entry of its own. */
  const probe = async (): Promise<void> => {
    const id = `start ${randomUUID()}`;
    await evaluate(claimScript, id, id, { input: '', deadline: 0, attempt: id, state: 'pending' });
    await free(id, id);
  };
  try {
    refuseCluster(await run(() => client.info('cluster')).catch(() => ''));
    if (!acceptsLoss) await requireDurability((name) => run(() => client.configGet(name)));
    await probe().catch(refuseWithoutWrites);
  } catch (error) {
    client.destroy();
    throw error;
  }
  connection.keepUp();
  return {
    claim: async (id, intent) => {
      const found = await evaluate(claimScript, id, intent.attempt, { ...intent, state: 'pending' });
      return found === null ? undefined : fromStored(JSON.parse(found) as Stored); // written by this program
    },
    settle: async (id, { sealed, ...entry }) => {
      const text = sealed === undefined ? {} : { sealed: Buffer.from(sealed).toString('base64') };
      await evaluate(settleScript, id, entry.attempt, { ...entry, ...text });
    },
    free,
    close: async () => {
      await Promise.race([client.close(), noAnswer(connectTimeoutMs)]).catch(() => client.destroy());
    },
  };
}

/** The client, which opens its connection again when that is lost, and the function that runs its commands. */
function createConnection(url: string, onLost: (error: unknown) => void) {
  /** False during the start, which ends where the connection is lost. */
  let isStarted = false;
  let isUp = false;
  /** Why the connection was lost, or could not be opened again: a command without one fails for this reason. */
  let lastFailure: unknown;
  const reconnectStrategy = (tries: number) => isStarted && Math.min(firstReconnectMs * 2 ** tries, longestReconnectMs);
  const socket = { connectTimeout: connectTimeoutMs, reconnectStrategy };
  const client = createClient({ url, disableOfflineQueue: true, commandsQueueMaxLength: maxCommands, socket });
  const lose = (error: unknown): void => {
    if (isUp && isStarted) onLost(error);
    [isUp, lastFailure] = [false, error];
  };
  client.on('ready', () => (isUp = true));
  client.on('error', (error: unknown) => lose(withCode(error)));
  return {
    client,
    /** Ends the start: from now on a lost connection is opened again. */
    keepUp: (): void => void (isStarted = true),
    run: async <Value>(command: () => Promise<Value>): Promise<Value> => {
      try {
        return await command();
      } catch (error) {
        const code = codeOf(error);
        if (isStarted && isUp && replicaReplies.has(code)) {
          lose(withCode(error));
          client.destroy();
          client.connect().catch(() => {}); // its errors are events
        }
        if (error instanceof ClientOfflineError && lastFailure !== undefined) throw lastFailure;
        throw fullReplies.has(code) ? storeError('full') : withCode(error);
      }
    },
  };
}

/** The code that Redis begins an error with, such as `NOAUTH`: the rest may have values in it. */
function codeOf(error: unknown): string {
  const [code = ''] = error instanceof ErrorReply ? (/^[A-Z]{2,20}(?= )/.exec(error.message) ?? []) : [];
  return code;
}

function withCode(error: unknown): unknown {
  const code = codeOf(error);
  return code === '' || !(error instanceof Error) ? error : Object.assign(error, { code });
}

/** Rejects after that time: the client has no limit on a command that was sent. */
function noAnswer(limitMs: number): Promise<never> {
  const failure = Object.assign(new Error('Redis did not answer in time.'), { code: 'NO_ANSWER' });
  return new Promise((_, reject) => void setTimeout(reject, limitMs, failure).unref());
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
      : 'Name a primary, and a user with the keys settlement-graph:* and the commands GET, SET, DEL and EVAL';
  throw new Error(`IDEMPOTENCY_STORE: Redis refuses to write (${reason}). ${advice}.`, { cause: error });
}

/** The scripts use two keys at once, which a cluster does not allow, even on one node. */
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
