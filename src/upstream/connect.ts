import { randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { plainCause } from '../domain/errors.ts';
import { describeError, type Logger } from '../runtime/log.ts';
import { createAnswerReader } from './decoding/interpret-answer.ts';
import { createAttempts, type UpstreamState } from './calls/attempt.ts';
import type { ServiceCalls } from './calls/service-calls.ts';
import { createRead } from './calls/read.ts';
import type { Contract } from '../contract/contract.ts';
import { createIdentify, type Credentials, type Identity } from './credentials/credentials.ts';
import { connectionFaultOf, connectionFaults, proxyPartIn } from './wire/connection-faults.ts';
import { createHttpClient, type HttpClient } from './wire/http-client.ts';
import { createIdempotency } from './idempotency/idempotency.ts';
import type { CallObserver } from './calls/call-observer.ts';
import { openSqliteStore } from './idempotency/sqlite-store.ts';
import type { IdempotencyStore } from './idempotency/store.ts';
import { watchStore } from './idempotency/watched-store.ts';
import { createWrites } from './calls/write.ts';

/** Time limit of the attempt to connect by which readiness is determined. */
const maxReachingMs = 2_000;
const faultLogMs = 60_000;

interface ConnectOptions {
  readonly config: Config;
  readonly contract: Contract;
  readonly upstream: URL;
  readonly log: Logger;
  readonly observer: CallObserver;
}

export interface Connected {
  readonly serviceCalls: ServiceCalls;
  /** Identifies the caller of a request. */
  readonly identify: (credentials: Credentials) => Identity;
  readonly state: () => UpstreamState;
  /** Whether a connection can be opened, through the proxy and with TLS as for a call. Nothing is sent over it. */
  readonly isReachable: () => Promise<boolean>;
  /** Waits for writes in flight and for their outcomes to be recorded, then closes every socket. */
  readonly close: () => Promise<void>;
}

/** Connects to the service and opens the idempotency store. Throws where the store cannot be opened. */
export async function connectUpstream({
  config,
  contract,
  upstream,
  log,
  observer,
}: ConnectOptions): Promise<Connected> {
  const { upstreamTimeoutMs: timeoutMs, upstreamConnections: connections, requestTimeoutMs, callsPerCaller } = config;
  const { idempotency, fingerprintSecret } = await openIdempotency(config, log, observer);
  const logFault = createFaultLog(log);
  let isClosing = false;
  const client = createHttpClient({
    baseUrl: upstream,
    connections,
    maxAgeMs: config.connectionMaxAgeMs,
    proxy: config.proxy,
    // A connection that ends because this process stops is no fault of the service.
    onConnectError: (error) => {
      if (!isClosing) logFault(error);
    },
  });
  const headers = { bearer: 'authorization', privateKey: config.privateKeyHeader };
  const limits = { timeoutMs, requestTimeoutMs, connections, callsPerCaller };
  const { attempt, state } = createAttempts({ contract, client, headers, observer, ...limits });
  const answers = createAnswerReader(contract);
  const writes = createWrites({ contract, attempt, answers, observer, timeoutMs, idempotency, fingerprintSecret });
  const close = async (): Promise<void> => {
    // First the writes in flight, then the store that records them.
    await writes.close();
    await idempotency?.close();
    isClosing = true;
    await client.close();
  };
  return {
    serviceCalls: { read: createRead(attempt, answers, observer), write: writes.write },
    state,
    isReachable: () => canConnect(client),
    identify: createIdentify(fingerprintSecret),
    close,
  };
}

/** Whether a connection opens: makes a call that is cancelled as soon as it has one. */
async function canConnect(client: HttpClient): Promise<boolean> {
  const result = await client.request({
    method: 'GET',
    path: '/',
    headers: [],
    body: undefined,
    timeoutMs: maxReachingMs,
    isWrite: false,
    freshConnection: true,
    lifetime: undefined,
    maySend: () => false,
  });
  return result.kind === 'failure' && result.reason === 'withdrawn';
}

/** Logs each reason at most once a minute. A fault lasts until a person corrects it; another reason may pass by itself. */
function createFaultLog(log: Logger): (error: Error) => void {
  const loggedAt = new Map<string, number>();
  return (error) => {
    const fault = connectionFaultOf(error);
    const cause = plainCause(error).message;
    const proxy = proxyPartIn(error);
    const reason = `${fault ?? cause} ${proxy}`;
    const now = performance.now();
    if (now - (loggedAt.get(reason) ?? -Infinity) < faultLogMs) return;
    loggedAt.set(reason, now);
    if (fault === undefined) log.warn({ cause, proxy }, 'no connection to the payments service');
    else log.error({ fault, proxy }, `no connection to the payments service: ${connectionFaults[fault]}`);
  };
}

/** Opens the idempotency store. Without one, a random fingerprint secret of the process is enough. */
async function openIdempotency(
  { idempotencyStore, fingerprintSecret }: Config,
  log: Logger,
  { onStore }: CallObserver,
) {
  const secret = fingerprintSecret === undefined ? undefined : Buffer.from(fingerprintSecret);
  if (idempotencyStore === undefined) return { idempotency: undefined, fingerprintSecret: secret ?? randomBytes(32) };
  const onLost = (error: unknown, id: string): void =>
    log.error({ key: id.slice(0, 12), ...describeError(plainCause(error)) }, 'an outcome was not recorded');
  const create = (store: IdempotencyStore, ownSecret: Uint8Array) => {
    const idempotency = createIdempotency({ store: watchStore(store, onStore), onLost });
    return { idempotency, fingerprintSecret: secret ?? ownSecret };
  };
  if (idempotencyStore.kind === 'sqlite') {
    const store = await openSqliteStore(idempotencyStore.path);
    return create(store, store.ownSecret);
  }
  // Loaded on demand: the Redis client is large.
  const { openRedisStore } = await import('./idempotency/redis-store.ts');
  const onGone = (error: unknown): void =>
    log.error(describeError(plainCause(error)), 'the connection to the idempotency store is lost');
  return create(await openRedisStore({ ...idempotencyStore, onLost: onGone }), randomBytes(32));
}
