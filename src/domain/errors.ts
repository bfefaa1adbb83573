/** Codes and messages of the gateway's errors. A message never contains an upstream body, a host or a stack. */
const messages = {
  UNAUTHENTICATED:
    'The credential for this field is missing, malformed or not accepted. Send a valid one in the header that `header` names.',
  FORBIDDEN: 'The payments service refuses this to the credential that was sent. Send one that may do it.',
  NOT_FOUND:
    'The payments service has nothing at the address of this write. Check the identifier. If the write has none, the operator must check its path in the contract.',
  BAD_USER_INPUT: 'An argument has a value that is not allowed. The schema describes the allowed ones.',
  INVALID_CURSOR: 'The cursor does not belong to this list with this filter. Start the list again, without `after`.',
  RATE_LIMITED: 'The payments service limits the rate of calls. Wait, then repeat.',
  CONTRACT_UNDECIDED:
    'This field needs a decision about the payments service that nobody has made. The operator must set the contract row that `row` names.',
  UPSTREAM_TIMEOUT: 'The payments service did not answer in time. Repeat after a moment if `retryable` is true.',
  UPSTREAM_UNAVAILABLE:
    'The payments service could not be reached or failed to answer. Repeat after a moment if `retryable` is true.',
  UPSTREAM_INVALID_RESPONSE:
    'The answer of the payments service does not match the contract. The operator must compare it with the contract row that `row` names.',
  LIMIT_EXCEEDED: 'The request is larger than this gateway allows. Make it smaller.',
  COST_ESTIMATED_TOO_EXPENSIVE:
    'This operation could need more calls to the payments service than this gateway allows. Ask for smaller pages or fewer fields.',
  PERSISTED_QUERY_NOT_FOUND:
    'This document is not one of those that this gateway trusts. The operator must add it to the manifest.',
  OUTCOME_UNKNOWN:
    'The write was sent, but whether it took effect is unknown. Do not repeat it before looking up its outcome.',
  IDEMPOTENCY_KEY_REUSED: 'The idempotency key was used before with another input. Use a new key for a new input.',
  IDEMPOTENCY_STORE_UNAVAILABLE:
    'The idempotency key could not be recorded. Nothing was sent: repeat with the same key.',
  OVERLOADED: 'The gateway is overloaded. Nothing was sent: repeat after a moment.',
} as const;

/** Codes of faults of the service, the gateway or its deployment. With any other code the client must change its request. */
const faultCode = /^(?:UPSTREAM_|OUTCOME_|CONTRACT_|IDEMPOTENCY_STORE_|RATE_LIMITED$|OVERLOADED$|INTERNAL_)/;

export function isClientMistake(code: string): boolean {
  return !faultCode.test(code);
}

/** The message of every unexpected error. */
export const internalErrorMessage = 'An unexpected error happened inside the gateway. Report it with its `requestId`.';

export type GatewayErrorCode = keyof typeof messages;

/** The field to query, and by which values, to find out whether a write of unknown outcome took effect. */
export interface Lookup {
  readonly field: string;
  readonly by: readonly string[];
}

/** The extensions that a client may receive beside the code; others are removed from answers. */
export interface ErrorDetails {
  readonly operation?: string;
  readonly row?: string;
  readonly jsonPath?: string;
  readonly header?: string;
  readonly upstreamStatus?: number | undefined;
  readonly retryable?: boolean;
  readonly retryAfterSeconds?: number | undefined;
  readonly lookup?: Lookup | undefined;
  readonly limit?: LimitName;
  readonly estimated?: number;
  readonly maximum?: number;
}

export type LimitName =
  | 'length'
  | 'lines'
  | 'tokens'
  | 'depth'
  | 'aliases'
  | 'answerLength'
  | 'errors'
  | 'rootFields'
  | 'directives'
  | 'representations';

const v8Error: { stackTraceLimit?: number | undefined } & ErrorConstructor = Error; // the client's build has no types of V8

/** The one error class of the gateway. `cause` is for the log and is never sent to a client. */
export class GatewayError extends Error {
  readonly code: GatewayErrorCode;
  readonly details: ErrorDetails;

  /** `message` replaces the code's default message; it must not quote foreign text. */
  constructor(
    code: GatewayErrorCode,
    details: ErrorDetails = {},
    options: { readonly message?: string; readonly cause?: unknown } = {},
  ) {
    // An answer may hold thousands of errors. The log has no frames of them, which cost more time and memory than the rest.
    const { stackTraceLimit } = v8Error;
    v8Error.stackTraceLimit = 0;
    super(options.message ?? messages[code], 'cause' in options ? { cause: options.cause } : undefined);
    v8Error.stackTraceLimit = stackTraceLimit;
    this.name = 'GatewayError';
    this.code = code;
    this.details = details;
  }
}

/** What a function returns, or the GatewayError that it throws. */
export function valueOrError<Value>(read: () => Value): Value | GatewayError {
  try {
    return read();
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

/** Reduces a foreign error to its name and code: its message and fields may quote hosts, bodies or values. */
export function plainCause(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(typeof error);
  const name = error.name === 'Error' ? error.constructor.name : error.name;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : name;
  return Object.assign(new Error(code), { name, code });
}

/** An error described by its code alone, in the property that Node's errors have. */
export function codedError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Finds the GatewayError behind an error: GraphQL wraps it, once or twice, to add its path. */
export function gatewayErrorIn(error: unknown): GatewayError | undefined {
  if (error instanceof GatewayError) return error;
  if (!(error instanceof Error) || !('originalError' in error)) return undefined;
  return gatewayErrorIn(error.originalError);
}
