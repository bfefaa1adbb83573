import type { Dispatcher as Undici } from 'undici';
import { plainCause } from '../../domain/errors.ts';
import type { Method } from '../../contract/contract.ts';
import type { Lifetime, Watcher } from '../../runtime/request-lifetime.ts';
import { createLines, type Handler, type Lines } from './connection-pools.ts';
import { createTimeLimit, type Limited, type TimeLimit } from '../../runtime/shared-timer.ts';

const maxResponseBytes = 4 * 1024 * 1024;
const maxRetryAfterSeconds = 86_400;

interface Dispatch {
  readonly method: Method | 'OPTIONS';
  /** The raw target below the base URL's own path. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string | undefined;
  readonly timeoutMs: number;
  /** A write: once its first byte may have left, the end of its request does not cut it short. */
  readonly isWrite: boolean;
  /** Undefined where somebody always waits for the answer. */
  readonly lifetime: Lifetime | undefined;
  /** Asked when a socket is there: false takes it back before a byte has left. */
  readonly mayLeave?: () => boolean;
}

/** A call that is told of its result, once. */
export interface Sent extends Dispatch {
  readonly onResult: (result: Answer | Failure) => void;
}

/** An answer that arrived whole. */
export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  /** The methods that an answer to OPTIONS allows. */
  readonly allow: string | undefined;
  readonly body: Buffer;
}

/**
 * A call without a whole, readable answer. `sent` is false only where not a byte left for the service: then nothing
 * can have happened there.
 */
export interface Failure {
  readonly kind: 'failure';
  /**
   * `over`: nobody waits for it any more. `withdrawn`: its credential was turned away meanwhile. `down`: the breaker is
   * open. `full`: there was no room to wait for its turn.
   */
  readonly reason: 'timeout' | 'over' | 'withdrawn' | 'down' | 'full' | 'connection' | 'malformed';
  readonly sent: boolean;
  readonly status: number | undefined;
  readonly cause: unknown;
}

export interface Dispatcher {
  /** Sends a call now, a moment of `performance.now()`. */
  readonly send: (call: Sent, now: number) => void;
  readonly dispatch: (call: Dispatch) => Promise<Answer | Failure>;
  readonly close: () => Promise<void>;
}

export interface DispatcherOptions {
  /** The service's base URL; a path in it stands before every operation's own. */
  readonly baseUrl: URL;
  readonly connections: number;
}

/**
 * The only way to the wire. Redirects are not followed, compression is not asked for and refused when it comes anyway,
 * bodies are bounded, and one time limit bounds a call from first to last byte, whatever trickles in meanwhile.
 */
export function createDispatcher({ baseUrl, connections }: DispatcherOptions): Dispatcher {
  const lines = createLines(baseUrl.origin, connections);
  const prefix = baseUrl.pathname.replace(/\/+$/, '');
  const limitOf = createLimits();
  const send: Dispatcher['send'] = (call, now) =>
    sendCall(lines, limitOf(call.timeoutMs), prefix + call.path, call, now);
  return {
    send,
    dispatch: (call) => new Promise((onResult) => send({ ...call, onResult }, performance.now())),
    close: lines.close,
  };
}

/** One limit for all calls that may take so long. */
function createLimits(): (timeoutMs: number) => TimeLimit {
  const limits = new Map<number, TimeLimit>();
  return (timeoutMs) => {
    const known = limits.get(timeoutMs);
    if (known !== undefined) return known;
    const limit = createTimeLimit(timeoutMs);
    limits.set(timeoutMs, limit);
    return limit;
  };
}

/**
 * A call on its way. It is itself what undici and its lifetime tell of it: with a closure for each thing that they may
 * tell it would be five times as large, and most of what waits for the collector would be calls.
 */
interface Exchange extends Handler, Watcher, Limited {
  readonly lines: Lines;
  readonly limit: TimeLimit;
  readonly call: Sent;
  controller: Undici.DispatchController | undefined;
  isSettled: boolean;
  status: number | undefined;
  retryAfterSeconds: number | undefined;
  allow: string | undefined;
  bytes: number;
  /** Nearly always it comes in one piece. */
  first: Buffer | undefined;
  others: Buffer[] | undefined;
}

function sendCall(lines: Lines, limit: TimeLimit, path: string, call: Sent, now: number): void {
  const { method, headers, body = null, isWrite, lifetime } = call;
  const exchange: Exchange = {
    onRequestStart,
    onResponseStart,
    onResponseData,
    onResponseEnd,
    onResponseError,
    onOver,
    onLate,
    line: undefined,
    place: 0,
    dueAt: 0,
    previous: undefined,
    next: undefined,
    lines,
    limit,
    call,
    controller: undefined,
    isSettled: false,
    status: undefined,
    retryAfterSeconds: undefined,
    allow: undefined,
    bytes: 0,
    first: undefined,
    others: undefined,
  };
  limit.begin(exchange, now);
  lifetime?.watch(exchange);
  const request = { method, path, headers: headers as string[], body }; // undici only reads them
  lines.send(request, exchange, isWrite);
}

function onRequestStart(this: Exchange, started: Undici.DispatchController): void {
  // Given up while it waited for a socket: it must not leave any more.
  if (!this.isSettled && this.call.mayLeave?.() === false) fail(this, 'withdrawn');
  if (this.isSettled) started.abort(new Error('given up'));
  else this.controller = started;
}

function onResponseStart(this: Exchange, _: unknown, code: number, headers: Headers): void {
  if (code < 200) return;
  this.status = code;
  this.retryAfterSeconds = toSeconds(asText(headers['retry-after']));
  this.allow = asText(headers['allow']);
  const encoding = asText(headers['content-encoding']) ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') fail(this, 'malformed', codedError('RESPONSE_COMPRESSED'));
}

function onResponseData(this: Exchange, _: unknown, chunk: Buffer): void {
  this.bytes += chunk.length;
  if (this.bytes > maxResponseBytes) fail(this, 'malformed', codedError('RESPONSE_TOO_LARGE'));
  else if (this.first === undefined) this.first = chunk;
  else (this.others ??= []).push(chunk);
}

function onResponseEnd(this: Exchange): void {
  const { lines, line, status = 0, retryAfterSeconds, allow, first = Buffer.alloc(0), others } = this;
  const body = others === undefined ? first : Buffer.concat([first, ...others]);
  lines.offer(line);
  try {
    settle(this, { kind: 'answer', status, retryAfterSeconds, allow, body });
  } finally {
    lines.withdraw();
  }
}

function onResponseError(this: Exchange, _: unknown, error: Error): void {
  fail(this, reasonOf(error), plainCause(error));
}

function onOver(this: Exchange): void {
  const isUnderWay = this.call.isWrite && this.controller !== undefined;
  if (!isUnderWay) fail(this, 'over');
}

function onLate(this: Exchange): void {
  fail(this, 'timeout');
}

function settle(exchange: Exchange, result: Answer | Failure): void {
  if (exchange.isSettled) return;
  exchange.isSettled = true;
  exchange.limit.end(exchange);
  exchange.call.lifetime?.forget(exchange);
  exchange.call.onResult(result);
}

function fail(exchange: Exchange, reason: Failure['reason'], cause?: unknown): void {
  const { controller, status } = exchange;
  settle(exchange, { kind: 'failure', reason, sent: controller !== undefined, status, cause });
  controller?.abort(new Error(reason));
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function codedError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** An answer that breaks HTTP's own rules is malformed; everything else is the connection's failure. */
function reasonOf(error: Error): Failure['reason'] {
  const code = 'code' in error ? String(error.code) : '';
  // The parser's errors have a code of their own that is often missing.
  return error.name === 'HTTPParserError' ||
    code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' ||
    code === 'UND_ERR_HEADERS_OVERFLOW'
    ? 'malformed'
    : 'connection';
}

function asText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

/** Retry-After as seconds from now, whether it is a number or a date; undefined where it is neither. */
function toSeconds(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Math.min(Number(retryAfter), maxRetryAfterSeconds);
  const moment = Date.parse(retryAfter);
  if (Number.isNaN(moment)) return undefined;
  return Math.min(Math.max(0, Math.ceil((moment - Date.now()) / 1000)), maxRetryAfterSeconds);
}
