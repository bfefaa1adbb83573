import { randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { plainCause } from '../domain/errors.ts';
import { describeError, type Logger } from '../runtime/log.ts';
import { createAnswerReader } from './decoding/interpret-answer.ts';
import { createAttempts, type UpstreamState } from './calls/attempt.ts';
import type { Caller } from './calls/caller.ts';
import { createRead } from './calls/read.ts';
import type { Contract } from '../contract/contract.ts';
import { createIdentify, type Credentials, type Identity } from './credentials/credentials.ts';
import { createHttpClient } from './wire/http-client.ts';
import { createIdempotency } from './idempotency/idempotency.ts';
import type { CallObserver } from './calls/call-observer.ts';
import { openSqliteStore } from './idempotency/sqlite-store.ts';
import { createWrites } from './calls/write.ts';

export interface ConnectOptions {
  readonly config: Config;
  readonly contract: Contract;
  readonly upstream: URL;
  readonly log: Logger;
  readonly observer: CallObserver;
}

export interface Connected {
  readonly caller: Caller;
  /** Whose credentials they are. */
  readonly identify: (credentials: Credentials) => Identity;
  readonly state: () => UpstreamState;
  /** Waits for writes in flight and for their outcomes to be recorded, then lets go of every socket. */
  readonly close: () => Promise<void>;
}

/** The way to the service, and to the store that remembers what was sent there. Throws where that cannot be opened. */
export async function connectUpstream({
  config,
  contract,
  upstream,
  log,
  observer,
}: ConnectOptions): Promise<Connected> {
  const { upstreamTimeoutMs: timeoutMs, upstreamConnections: connections, requestTimeoutMs, callsPerCaller } = config;
  const { idempotency, fingerprintSecret } = await openIdempotency(config, log);
  const client = createHttpClient({ baseUrl: upstream, connections });
  const headers = { bearer: 'authorization', privateKey: config.privateKeyHeader };
  const limits = { timeoutMs, requestTimeoutMs, connections, callsPerCaller };
  const { attempt, state } = createAttempts({ contract, client, headers, observer, ...limits });
  const answers = createAnswerReader(contract);
  const writes = createWrites({ attempt, answers, observer, timeoutMs, idempotency, fingerprintSecret });
  const close = async (): Promise<void> => {
    // First the writes that nobody waits for any more, then what is remembered of them.
    await writes.close();
    await idempotency?.close();
    await client.close();
  };
  return {
    caller: { read: createRead(attempt, answers, observer), write: writes.write },
    state,
    identify: createIdentify(fingerprintSecret),
    close,
  };
}

/** The store of idempotency keys; where there is none, fingerprints are this process's own. */
async function openIdempotency({ idempotencyStore, fingerprintSecret }: Config, log: Logger) {
  const given = fingerprintSecret === undefined ? undefined : Buffer.from(fingerprintSecret);
  const onLost = (error: unknown): void => log.error(describeError(plainCause(error)), 'the idempotency store fails');
  if (idempotencyStore === undefined) return { idempotency: undefined, fingerprintSecret: given ?? randomBytes(32) };
  if (idempotencyStore.kind === 'sqlite') {
    const store = openSqliteStore(idempotencyStore.path);
    return { idempotency: createIdempotency({ store, onLost }), fingerprintSecret: given ?? store.ownSecret() };
  }
  // Much code, of use to nobody who has no Redis.
  const { openRedisStore } = await import('./idempotency/redis-store.ts');
  const store = await openRedisStore({ ...idempotencyStore, onLost });
  return { idempotency: createIdempotency({ store, onLost }), fingerprintSecret: given ?? randomBytes(32) };
}
