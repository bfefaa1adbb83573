import type { Dispatcher } from 'undici';
import { codedError, plainCause } from '../../domain/errors.ts';
import type { Method } from '../../contract/contract.ts';
import type { RequestLifetime } from '../../runtime/request-lifetime.ts';
import { asText, isCompressed, retryAfterIn, type Headers } from './answer-headers.ts';
import { connectionFaultOf, isConnectionFault, type ConnectionFault } from './connection-faults.ts';
import { createConnectionPools, type Connection, type Handler, type PoolOptions } from './connection-pools.ts';

export const maxResponseBytes = 4 * 1024 * 1024;

/** One HTTP request to the service. */
export interface HttpRequest {
  readonly method: Method;
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
   * Set for prefetches, which run to their end likewise once the client was answered: otherwise each query for an unknown
   * record would close the connections of the reads below it.
   */
  readonly isPrefetch?: boolean;
  /** Set to send a read over a connection that no other call has used or will use. */
  readonly freshConnection?: boolean;
  /** Undefined for calls outside a GraphQL request. */
  readonly lifetime: RequestLifetime | undefined;
  /** Called when a socket is free: false cancels the call before a byte was sent. */
  readonly maySend?: () => boolean;
}

/** A response that arrived completely. */
export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly retryAfterSeconds?: number | undefined;
  /** Undefined for an answer that the idempotency store replays. */
  readonly headers?: Headers;
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
   * `full`: too many calls wait. A fault of the connection is one that a repetition cannot mend.
   */
  readonly reason: 'timeout' | 'over' | 'withdrawn' | 'down' | 'full' | 'connection' | 'malformed' | ConnectionFault;
  readonly sent: boolean;
  readonly status?: number | undefined;
  readonly cause?: unknown;
}

export interface HttpClient {
  readonly request: (request: HttpRequest) => Promise<Answer | Failure>;
  readonly close: () => Promise<void>;
}

interface HttpClientOptions extends PoolOptions {
  /** The service's base URL; its path is put before every operation's path. */
  readonly baseUrl: URL;
  /** Called when a connection cannot be opened, or has a fault. */
  readonly onConnectError?: (error: Error) => void;
}

/**
 * Creates the HTTP client for the service. Redirects are not followed, compressed responses are neither requested nor
 * accepted, bodies are limited to 4 MiB, and one timer limits a call from its start to the last byte.
 */
export function createHttpClient({ baseUrl, onConnectError = () => {}, ...options }: HttpClientOptions): HttpClient {
  const { origin } = baseUrl;
  const pools = createConnectionPools(origin, options);
  // oxlint-disable-next-line regexp/no-super-linear-move -- the operator's own address
  const prefix = baseUrl.pathname.replace(/\/+$/, '');
  return {
    request: (request) =>
      new Promise((resolve) => {
        const { method, path, headers, body = null, isWrite, freshConnection = false } = request;
        const handler = createHandler(request, resolve, onConnectError);
        const sent = { origin, method, path: prefix + path, headers: headers as string[], body }; // undici only reads them
        if (freshConnection) pools.sendFresh(sent, handler);
        else pools[isWrite ? 'writes' : 'reads'].dispatch(sent, handler);
      }),
    close: pools.close,
  };
}

/** undici's handler of one request. `onResult` is called once. */
function createHandler(
  { timeoutMs, isWrite, isPrefetch = false, lifetime, maySend = () => true }: HttpRequest,
  onResult: (result: Answer | Failure) => void,
  onConnectError: (error: Error) => void,
): Handler {
  let isSettled = false;
  /** Set once the request's first byte may have been sent. */
  let controller: Dispatcher.DispatchController | undefined;
  let status: number | undefined;
  let headers: Headers = {};
  const chunks: Buffer[] = [];
  let bytes = 0;

  const settle = (result: Answer | Failure): void => {
    if (isSettled) return;
    isSettled = true;
    clearTimeout(timer);
    lifetime?.onEnd.delete(onLifetimeEnd);
    onResult(result);
  };
  const fail = (reason: Failure['reason'], cause?: unknown): void => {
    settle({ kind: 'failure', reason, sent: controller !== undefined, status, cause });
    controller?.abort(new Error(reason));
  };
  const onLifetimeEnd = (): void => {
    const runsOn = isWrite || (isPrefetch && lifetime?.ended !== 'client left');
    if (!runsOn || controller === undefined) fail('over');
  };
  const timer = setTimeout(fail, timeoutMs, 'timeout').unref();
  lifetime?.onEnd.add(onLifetimeEnd);

  const handler: Handler = {
    connection: undefined,
    onRequestStart: (started) => {
      // A call that was given up while it waited for a socket must not be sent.
      if (!isSettled && !maySend()) fail('withdrawn');
      if (isSettled) started.abort(new Error('given up'));
      else controller = started;
    },
    onResponseStart: (_, code, responseHeaders) => {
      if (code < 200) return;
      [status, headers] = [code, responseHeaders];
      const fault = headerFault(code, headers);
      if (fault !== undefined) fail('malformed', codedError(fault));
    },
    onResponseData: (_, chunk) => {
      bytes += chunk.length;
      if (bytes > maxResponseBytes) fail('malformed', codedError('RESPONSE_TOO_LARGE'));
      else chunks.push(chunk);
    },
    onResponseEnd: () => {
      const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
      const mayBeCut = status !== 204 && !hasEnd(headers);
      const { connection } = handler;
      if (connection?.isOld() === true) connection.close();
      const answer = { kind: 'answer', status: status ?? 0, headers, body, mayBeCut, connection } as const;
      settle({ ...answer, retryAfterSeconds: retryAfterIn(headers) });
    },
    onResponseError: (_, lastError) => {
      const error = handler.connection?.error ?? lastError;
      const reason = reasonOf(error, controller !== undefined);
      if (isConnectionFault(reason) || (!isSettled && controller === undefined)) onConnectError(error);
      fail(reason, plainCause(error));
    },
  };
  return handler;
}

/** No range and no encoding was requested, so a partial or a compressed response is malformed. */
function headerFault(code: number, headers: Headers): string | undefined {
  if (code === 206) return 'RESPONSE_PARTIAL';
  return isCompressed(headers) ? 'RESPONSE_COMPRESSED' : undefined;
}

/** Whether the response itself says where its body ends. */
function hasEnd(headers: Headers): boolean {
  return headers['content-length'] !== undefined || /\bchunked$/i.test(asText(headers['transfer-encoding']) ?? '');
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
