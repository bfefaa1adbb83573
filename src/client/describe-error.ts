import { errorEntries, gatewayErrors, isObject } from './errors.ts';
import { errorSentences, otherSentences, type ErrorCode, type Sentences } from './sentences.ts';

/** Codes of reads that may succeed when they are repeated, a list from its start. */
const passingCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'INVALID_CURSOR',
  'OVERLOADED',
  'RATE_LIMITED',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
]);

/** An error as a page shows it. */
export interface ErrorDescription {
  readonly sentence: string;
  readonly code: ErrorCode | undefined;
  /** Finds the cause in the gateway's log; shown for people to quote. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Whether a read may succeed when it is repeated; with INVALID_CURSOR, the list from its start. */
  readonly canRetry: boolean;
}

/**
 * Describes an error of a GraphQL client for people: by its first code of the gateway, else by the HTTP status of a proxy,
 * else, where it has errors of a router or of another subgraph, as INTERNAL_SERVER_ERROR, else as an interrupted
 * connection. No error (a cache has null where a field failed before) is something that was not loaded. Other
 * `sentences` translate it.
 */
export function describeError(error: unknown, sentences: Sentences = errorSentences): ErrorDescription {
  const all = { ...otherSentences, ...sentences };
  const [first] = gatewayErrors(error);
  if (first !== undefined) {
    const { code, requestId, retryAfterSeconds, retryable, lookup } = first.extensions;
    const canRetry = passingCodes.has(code) && retryable !== false;
    const sentence = all[code === 'OUTCOME_UNKNOWN' && lookup === undefined ? 'noLookup' : code];
    return { sentence, code, requestId, retryAfterSeconds, canRetry };
  }
  const response = responseIn(error);
  const status = isObject(response) && typeof response['status'] === 'number' ? response['status'] : 0;
  const code = codeOf(status) ?? (errorEntries(error).some(isAnswered) ? 'INTERNAL_SERVER_ERROR' : undefined);
  const sentence = all[code ?? (error == null ? 'notLoaded' : 'interrupted')];
  const canRetry = code === undefined || passingCodes.has(code);
  const requestId = headerIn(response, 'x-request-id');
  return { sentence, code: undefined, requestId, retryAfterSeconds: secondsIn(response), canRetry };
}

/** The code whose sentence fits an HTTP status of a proxy between the gateway and the page. */
function codeOf(status: number): ErrorCode | undefined {
  if (status === 401 || status === 403) return 'FORBIDDEN';
  if (status === 408 || status === 504) return 'UPSTREAM_TIMEOUT';
  if (status === 413) return 'LIMIT_EXCEEDED';
  if (status === 429) return 'RATE_LIMITED';
  if (status === 503) return 'OVERLOADED';
  if (status >= 500) return 'UPSTREAM_UNAVAILABLE';
  return status >= 400 ? 'BAD_REQUEST' : undefined;
}

/**
 * Whether this is an entry of an answer's errors, as JSON or as a GraphQLError, and no error of a client or of fetch. Such an
 * error has a name, also one of another realm or one that was serialized.
 */
function isAnswered(entry: unknown): boolean {
  if (!isObject(entry) || typeof entry['message'] !== 'string') return false;
  return !('name' in entry) || isObject(entry['extensions']);
}

/** The answer that an error carries: itself, or inside Apollo Client 3's `networkError`. */
function responseIn(error: unknown): unknown {
  if (!isObject(error)) return undefined;
  const { response, networkError } = error;
  if (isObject(response)) return response;
  return isObject(networkError) && isObject(networkError['response']) ? networkError['response'] : error;
}

/** `Retry-After` where it is a number and not a date. */
function secondsIn(response: unknown): number | undefined {
  const text = headerIn(response, 'retry-after') ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

function headerIn(response: unknown, name: string): string | undefined {
  const headers = isObject(response) ? (response['headers'] as Partial<Headers> | undefined) : undefined; // fetch's
  return headers?.get?.(name) ?? undefined;
}

interface Headers {
  get(name: string): string | null;
}
