import type { Dispatcher as Undici } from 'undici';
import { codedError, plainCause } from '../../domain/errors.ts';
import type { Method } from '../../contract/contract.ts';
import type { LifetimeListener, RequestLifetime } from '../../runtime/request-lifetime.ts';
import { connectionFaultOf, isConnectionFault, type ConnectionFault } from './connection-faults.ts';
import { createConnectionPools, type ConnectionPools, type PoolOptions } from './connection-pools.ts';
import { asText, readHeaders, type Headers } from './answer-headers.ts';
import { createAnswerTurns, type TakeTurn } from './answer-turns.ts';
import type { Connection, Handler } from './pool.ts';
import { createSharedTimer, type SharedTimer, type Timed } from '../../runtime/shared-timer.ts';

export const maxResponseBytes = 4 * 1024 * 1024;

/** One HTTP request to the service. */
interface HttpRequest {
  readonly method: Method | 'OPTIONS';
  /** The raw target below the base URL's own path. */
  readonly path: string;
  /** Names and values, alternating. */
  readonly headers: readonly string[];
  readonly body: string | undefined;
  readonly timeoutMs: number;
  /**
   * Set for writes. Once bytes may have been sent, the end of the GraphQL request (timeout, client gone) no longer aborts
   * the HTTP call; only `timeoutMs` does.
   */
  readonly isWrite: boolean;
  /**
   * Set for reads ahead, which run to their end likewise once the client was answered: otherwise each query for an unknown
   * record would close the connections of the reads below it.
   */
  readonly isAhead?: boolean;
  /** Set to send a read over a connection that no other call has used or will use. */
  readonly freshConnection?: boolean;
  /** Undefined for calls outside a GraphQL request. */
  readonly lifetime: RequestLifetime | undefined;
  /** The caller. Answers of several callers are read by turns. Undefined for calls outside a GraphQL request. */
  readonly caller?: string;
  /** Called when a socket is free: false cancels the call before a byte was sent. */
  readonly maySend?: () => boolean;
}

/** An HTTP request with its callback, which is called once. */
export interface HttpCall extends HttpRequest {
  readonly onResult: (result: Answer | Failure) => void;
}

/** A response that arrived completely. */
export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly retryAfterSeconds?: number | undefined;
  /** The Allow header, of responses to OPTIONS. */
  readonly allow?: string | undefined;
  /** The Content-Type header. */
  readonly contentType?: string | undefined;
  /** The Link (RFC 8288) and X-Total-Count headers, which only the check of a service looks at. */
  readonly link?: string | undefined;
  readonly totalCount?: string | undefined;
  readonly body: Buffer;
  /** Whether only the end of the connection ended the body, so that it may have been cut. */
  readonly mayBeCut?: boolean | undefined;
  /**
   * The connection that delivered it; undefined for an answer that the idempotency store replays. If the answer belongs to
   * another request, close the connection at once: its next answers would belong to other requests, too.
   */
  readonly connection?: Pick<Connection, 'close' | 'requests'> | undefined;
}

/**
 * A call without a complete, readable response. `sent` is false only where not a byte was sent: then nothing can have
 * happened at the service.
 */
export interface Failure {
  readonly kind: 'failure';
  /**
   * `over`: the GraphQL request has ended. `withdrawn`: the service rejected its credential meanwhile. `down`: throttled.
   * `full`: too many calls wait, or for too long. A fault of the connection is one that a repetition cannot mend.
   */
  readonly reason: 'timeout' | 'over' | 'withdrawn' | 'down' | 'full' | 'connection' | 'malformed' | ConnectionFault;
  readonly sent: boolean;
  readonly status?: number | undefined;
  readonly cause?: unknown;
}

export interface HttpClient {
  /** `now`: milliseconds of `performance.now()`. */
  readonly send: (call: HttpCall, now: number) => void;
  readonly request: (request: HttpRequest) => Promise<Answer | Failure>;
  /** Resolves when the warm connections are open, or could not be opened. */
  readonly opened: Promise<unknown>;
  readonly close: () => Promise<void>;
}

export interface HttpClientOptions extends Partial<PoolOptions> {
  readonly connections: number;
  /** The service's base URL; its path is put before every operation's path. */
  readonly baseUrl: URL;
}

const defaults = { warmConnections: 0, maxAgeMs: Infinity, proxy: undefined, onConnectError: () => {} };

/**
 * Creates the HTTP client for the service. Redirects are not followed, compressed responses are neither requested nor
 * accepted, bodies are limited to 4 MiB, and one timer limits a call from its start to the last byte.
 */
export function createHttpClient({ baseUrl, ...given }: HttpClientOptions): HttpClient {
  const pools = createConnectionPools(baseUrl, { ...defaults, ...given });
  // oxlint-disable-next-line regexp/no-super-linear-move -- the operator's own address
  const prefix = baseUrl.pathname.replace(/\/+$/, '');
  const timerFor = createTimers();
  const takeTurn = createAnswerTurns();
  const send: HttpClient['send'] = (call, now) =>
    sendCall({ pools, takeTurn, timer: timerFor(call.timeoutMs) }, prefix + call.path, call, now);
  return {
    send,
    request: (request) => new Promise((onResult) => send({ ...request, onResult }, performance.now())),
    opened: pools.opened,
    close: pools.close,
  };
}

/** One shared timer for each time limit in use. */
function createTimers(): (timeoutMs: number) => SharedTimer {
  const timers = new Map<number, SharedTimer>();
  return (timeoutMs) => {
    const timer = timers.get(timeoutMs) ?? createSharedTimer(timeoutMs);
    timers.set(timeoutMs, timer);
    return timer;
  };
}

interface Shared {
  readonly pools: ConnectionPools;
  readonly takeTurn: TakeTurn;
  readonly timer: SharedTimer;
}

/**
 * A call in flight: undici's handler, lifetime listener and timer item in one object. Closures for each callback would
 * make it five times as large.
 */
interface Exchange extends Handler, LifetimeListener, Timed, Shared {
  readonly call: HttpCall;
  controller: Undici.DispatchController | undefined;
  isSettled: boolean;
  status: number | undefined;
  headers: Headers;
  mayBeCut: boolean;
  bytes: number;
  /** The body's chunks; nearly always there is only one. */
  firstChunk: Buffer | undefined;
  otherChunks: Buffer[] | undefined;
}

function sendCall({ pools, takeTurn, timer }: Shared, path: string, call: HttpCall, now: number): void {
  const { method, headers, body = null, isWrite, freshConnection = false, lifetime } = call;
  const exchange: Exchange = {
    onRequestStart,
    onResponseStart,
    onResponseData,
    onResponseEnd,
    onResponseError,
    onLifetimeEnd,
    onTimeout,
    connection: undefined,
    listenerIndex: 0,
    dueAt: 0,
    previous: undefined,
    next: undefined,
    pools,
    takeTurn,
    timer,
    call,
    controller: undefined,
    isSettled: false,
    status: undefined,
    headers: {},
    mayBeCut: false,
    bytes: 0,
    firstChunk: undefined,
    otherChunks: undefined,
  };
  timer.start(exchange, now);
  lifetime?.listen(exchange);
  const request = { origin: pools.origin, method, path, headers: headers as string[], body }; // undici only reads them
  if (freshConnection) pools.sendFresh(request, exchange);
  else pools.send(request, exchange, isWrite);
}

function onRequestStart(this: Exchange, controller: Undici.DispatchController): void {
  // A call that was given up while it waited for a socket must not be sent.
  if (!this.isSettled && this.call.maySend?.() === false) fail(this, 'withdrawn');
  if (this.isSettled) controller.abort(new Error('given up'));
  else this.controller = controller;
}

function onResponseStart(this: Exchange, _: unknown, code: number, headers: Headers): void {
  if (code < 200) return;
  this.status = code;
  this.headers = headers;
  const hasEnd =
    headers['content-length'] !== undefined || /\bchunked$/i.test(asText(headers['transfer-encoding']) ?? '');
  this.mayBeCut = code !== 204 && !hasEnd;
  const encoding = asText(headers['content-encoding']) ?? 'identity';
  // No range was requested, so a partial response is malformed.
  if (code === 206) fail(this, 'malformed', codedError('RESPONSE_PARTIAL'));
  else if (encoding.toLowerCase() !== 'identity') fail(this, 'malformed', codedError('RESPONSE_COMPRESSED'));
}

function onResponseData(this: Exchange, controller: Undici.DispatchController, chunk: Buffer): void {
  this.bytes += chunk.length;
  if (this.bytes > maxResponseBytes) fail(this, 'malformed', codedError('RESPONSE_TOO_LARGE'));
  else if (this.firstChunk === undefined) this.firstChunk = chunk;
  else (this.otherChunks ??= []).push(chunk);
  // The answer is decoded at its end, which comes when this chunk has had its turn.
  if (this.takeTurn(this.call.caller ?? '', () => controller.resume()) === 'now') return;
  controller.pause();
  if (this.connection !== undefined) this.connection.paused = controller;
}

function onResponseEnd(this: Exchange): void {
  const { pools, call, connection, status = 0, headers, mayBeCut } = this;
  const { firstChunk = Buffer.alloc(0), otherChunks } = this;
  const body = otherChunks === undefined ? firstChunk : Buffer.concat([firstChunk, ...otherChunks]);
  if (connection !== undefined) connection.paused = undefined;
  if (connection?.isOld() === true) connection.close();
  else if (!call.isWrite) pools.preferConnection(connection);
  try {
    settle(this, { kind: 'answer', status, ...readHeaders(headers), body, mayBeCut, connection });
  } finally {
    pools.preferConnection(undefined);
  }
}

function onResponseError(this: Exchange, _: unknown, lastError: Error): void {
  const error = this.connection?.error ?? lastError;
  const reason = reasonOf(error, this.controller !== undefined);
  const isUnconnected = !this.isSettled && this.controller === undefined;
  if (isConnectionFault(reason) || isUnconnected) this.pools.onConnectError(error);
  fail(this, reason, plainCause(error));
}

function onLifetimeEnd(this: Exchange): void {
  const { isWrite, isAhead = false, lifetime } = this.call;
  const runsOn = isWrite || (isAhead && lifetime?.hasClientLeft() !== true);
  if (!runsOn || this.controller === undefined) fail(this, 'over');
}

function onTimeout(this: Exchange): void {
  fail(this, 'timeout');
}

function settle(exchange: Exchange, result: Answer | Failure): void {
  if (exchange.isSettled) return;
  exchange.isSettled = true;
  exchange.timer.clear(exchange);
  exchange.call.lifetime?.unlisten(exchange);
  exchange.call.onResult(result);
}

function fail(exchange: Exchange, reason: Failure['reason'], cause?: unknown): void {
  const { controller, status } = exchange;
  settle(exchange, { kind: 'failure', reason, sent: controller !== undefined, status, cause });
  controller?.abort(new Error(reason));
}

/**
 * An answer that breaks HTTP's own rules is malformed; everything else is the connection's failure or fault, as is the
 * answer of a proxy that was asked for a tunnel, before the request was sent.
 */
function reasonOf(error: Error, isSent: boolean): Failure['reason'] {
  const fault = connectionFaultOf(error);
  if (fault !== undefined) return fault;
  const code = 'code' in error ? String(error.code) : '';
  // The parser's errors have a code of their own that is often missing.
  const isMalformed =
    error.name === 'HTTPParserError' ||
    code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' ||
    code === 'UND_ERR_HEADERS_OVERFLOW';
  return isMalformed && isSent ? 'malformed' : 'connection';
}
