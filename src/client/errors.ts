import type { ErrorDetails } from '../domain/errors.ts';
import { errorSentences, type ErrorCode } from './sentences.ts';

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
 * Returns the gateway's errors in an error of a GraphQL client: Apollo Client 4's `CombinedGraphQLErrors`, and its
 * `ServerError` with the body of a refused request, `graphQLErrors` of Apollo Client 3 and urql, its `networkError`
 * likewise, the `response` of graphql-request, the body of an answer, or one entry of it. Empty for others, such as
 * network errors.
 */
export function gatewayErrors(error: unknown): readonly GatewayError[] {
  return errorEntries(error).filter(isEntry);
}

/** All entries in the errors of an answer or of a GraphQL client, those of proxies and routers included. */
export function errorEntries(error: unknown): readonly unknown[] {
  if (!isObject(error)) return [];
  const { errors, graphQLErrors, networkError, result, bodyText, response } = error;
  const entries = Array.isArray(errors) ? errors : graphQLErrors;
  if (Array.isArray(entries) && entries.length > 0) return entries;
  if (typeof bodyText === 'string') return errorEntries(toJson(bodyText));
  const answer = networkError ?? result ?? response;
  return answer == null ? [error] : errorEntries(answer);
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
  return typeof code === 'string' && Object.hasOwn(errorSentences, code);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
