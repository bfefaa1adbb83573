import type { ErrorDetails, GatewayErrorCode } from '../domain/errors.ts';

/** Codes of requests that are refused before any field is resolved. */
type DocumentErrorCode =
  | 'BAD_REQUEST'
  | 'COST_ESTIMATED_TOO_EXPENSIVE'
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'INTERNAL_SERVER_ERROR'
  | 'LIMIT_EXCEEDED'
  | 'OPERATION_RESOLUTION_FAILURE'
  | 'PERSISTED_QUERY_NOT_FOUND'
  | 'PERSISTED_QUERY_NOT_SUPPORTED';

/** Every `extensions.code` of the gateway. */
export type ErrorCode = GatewayErrorCode | DocumentErrorCode;

/** A record, so that the compiler reports a missing code. */
const errorCodes: Readonly<Record<ErrorCode, true>> = {
  BAD_REQUEST: true,
  BAD_USER_INPUT: true,
  CONTRACT_UNDECIDED: true,
  COST_ESTIMATED_TOO_EXPENSIVE: true,
  FORBIDDEN: true,
  GRAPHQL_PARSE_FAILED: true,
  GRAPHQL_VALIDATION_FAILED: true,
  IDEMPOTENCY_KEY_REUSED: true,
  IDEMPOTENCY_STORE_UNAVAILABLE: true,
  INTERNAL_SERVER_ERROR: true,
  INVALID_CURSOR: true,
  LIMIT_EXCEEDED: true,
  NOT_FOUND: true,
  OPERATION_RESOLUTION_FAILURE: true,
  OUTCOME_UNKNOWN: true,
  OVERLOADED: true,
  PERSISTED_QUERY_NOT_FOUND: true,
  PERSISTED_QUERY_NOT_SUPPORTED: true,
  RATE_LIMITED: true,
  UNAUTHENTICATED: true,
  UPSTREAM_INVALID_RESPONSE: true,
  UPSTREAM_TIMEOUT: true,
  UPSTREAM_UNAVAILABLE: true,
};

/** One entry of an answer's `errors`. */
export interface GatewayError<Code extends ErrorCode = ErrorCode> {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: ErrorDetails & {
    readonly code: Code;
    /** Identifies the request in the gateway's log. */
    readonly requestId?: string;
  };
}

/** An error of a GraphQL client: one entry, or an object with all entries of an answer. */
export type GatewayErrorCarrier<Code extends ErrorCode = ErrorCode> =
  | GatewayError<Code>
  | { readonly errors: readonly unknown[] }
  | { readonly graphQLErrors: readonly unknown[] };

/**
 * Returns the gateway's errors in an error of a GraphQL client: Apollo Client 4's `CombinedGraphQLErrors`, `graphQLErrors`
 * of Apollo Client 3 and urql, the body of an answer, or one entry of it. Empty for others, such as network errors.
 */
export function gatewayErrors(error: unknown): readonly GatewayError[] {
  if (!isObject(error)) return [];
  const { errors, graphQLErrors } = error;
  const entries = Array.isArray(errors) ? errors : graphQLErrors;
  return (Array.isArray(entries) ? entries : [error]).filter(isEntry);
}

/** Returns the gateway's first error with this code. */
export function findGatewayError<Code extends ErrorCode>(error: unknown, code: Code): GatewayError<Code> | undefined {
  return gatewayErrors(error).find((entry): entry is GatewayError<Code> => entry.extensions.code === code);
}

/** Whether an error is or contains one of the gateway's, with this code or, without `code`, any. */
export function isGatewayError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: Code,
): error is GatewayErrorCarrier<Code> {
  return code === undefined ? gatewayErrors(error).length > 0 : findGatewayError(error, code) !== undefined;
}

function isEntry(value: unknown): value is GatewayError {
  if (!isObject(value) || !isObject(value['extensions'])) return false;
  const { code } = value['extensions'];
  return typeof code === 'string' && Object.hasOwn(errorCodes, code);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
