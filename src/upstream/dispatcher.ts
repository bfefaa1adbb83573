import type { Dispatcher as Undici } from 'undici';
import { plainCause } from '../errors.ts';
import type { Method } from './contract.ts';
import type { Lifetime, Watcher } from './lifetime.ts';
import { createLines, type Handler, type Lines } from './lines.ts';

const maxResponseBytes = 4 * 1024 * 1024;
const maxRetryAfterSeconds = 86_400;

interface Dispatch {
  /** On whose behalf: a name for its credentials. */
  readonly caller: string | undefined;
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
  /** Calls back once. */
  readonly send: (call: Dispatch, onResult: (result: Answer | Failure) => void) => void;
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
 * bodies are bounded, and one timer bounds a call from first to last byte, whatever trickles in meanwhile.
 */
export function createDispatcher({ baseUrl, connections }: DispatcherOptions): Dispatcher {
  const lines = createLines(baseUrl.origin, connections);
  const prefix = baseUrl.pathname.replace(/\/+$/, '');
  const send: Dispatcher['send'] = (call, onResult) => sendCall(lines, prefix + call.path, call, onResult);
  return { send, dispatch: (call) => new Promise((resolve) => send(call, resolve)), close: lines.close };
}

function sendCall(lines: Lines, path: string, call: Dispatch, onResult: (result: Answer | Failure) => void): void {
  let controller: Undici.DispatchController | undefined;
  let settled = false;
  let status: number | undefined;
  let retryAfterSeconds: number | undefined;
  let allow: string | undefined;
  let bytes = 0;
  const chunks: Buffer[] = [];

  const settle = (result: Answer | Failure): void => {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    call.lifetime?.forget(watcher);
    onResult(result);
  };
  const fail = (reason: Failure['reason'], cause?: unknown): void => {
    settle({ kind: 'failure', reason, sent: controller !== undefined, status, cause });
    controller?.abort(new Error(reason));
  };
  const watcher: Watcher = {
    onOver: () => {
      const isUnderWay = call.isWrite && controller !== undefined;
      if (!isUnderWay) fail('over');
    },
    place: 0,
  };
  const timer = setTimeout(() => fail('timeout'), call.timeoutMs);
  call.lifetime?.watch(watcher);

  const handler: Handler = {
    line: undefined,
    onRequestStart: (started) => {
      // Given up while it waited for a socket: it must not leave any more.
      if (!settled && call.mayLeave?.() === false) fail('withdrawn');
      if (settled) started.abort(new Error('given up'));
      else controller = started;
    },
    onResponseStart: (_, code, headers) => {
      if (code < 200) return;
      status = code;
      retryAfterSeconds = toSeconds(asText(headers['retry-after']));
      allow = asText(headers['allow']);
      const encoding = asText(headers['content-encoding']) ?? 'identity';
      if (encoding.toLowerCase() !== 'identity') fail('malformed', codedError('RESPONSE_COMPRESSED'));
    },
    onResponseData: (_, chunk) => {
      bytes += chunk.length;
      if (bytes > maxResponseBytes) fail('malformed', codedError('RESPONSE_TOO_LARGE'));
      else chunks.push(chunk);
    },
    onResponseEnd: () => {
      const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
      lines.whileFree(handler.line, call, () =>
        settle({ kind: 'answer', status: status ?? 0, retryAfterSeconds, allow, body }),
      );
    },
    onResponseError: (_, error) => fail(reasonOf(error), plainCause(error)),
  };
  // undici only reads the headers
  lines
    .wayFor(call)
    .dispatch({ method: call.method, path, headers: call.headers as string[], body: call.body ?? null }, handler);
}

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
