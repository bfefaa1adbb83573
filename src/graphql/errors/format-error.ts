import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import { gatewayErrorIn, internalErrorMessage } from '../../domain/errors.ts';
import { prefixedField } from '../type-prefix.ts';
import { placesOf } from './error-places.ts';

const maxMessageLength = 300;

/** Codes of Apollo's errors whose messages are about the client's request only. */
const documentCodes: ReadonlySet<unknown> = new Set([
  'BAD_REQUEST',
  'BAD_USER_INPUT',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

/** Our sentences for messages of Apollo, by their start. */
const ownSentences = [
  ['GraphQL introspection is not allowed', 'Introspection is switched off.'],
  [
    'This operation has been blocked as a potential Cross-Site Request Forgery',
    'Send content-type: application/json, or an apollo-require-preflight header that is not empty.',
  ],
  // graphql-js compares the fields of one name pair by pair, and gives up with a message that says neither why nor what to do.
  [
    'Validation aborted.',
    'The document selects fields of one name too often to compare them. Select each field once in a selection.',
  ],
] as const;

/**
 * Formats an error for the client by an allow-list. An error that is not on it becomes one fixed sentence. `typePrefix` is
 * that of the field in its `lookup`.
 */
export function formatError(
  formatted: GraphQLFormattedError,
  error: unknown,
  typePrefix: string,
): GraphQLFormattedError {
  const { path } = formatted;
  const locations = formatted.locations ?? placesOf((error as Partial<GraphQLError>).nodes); // by shape, since graphql may be installed twice
  const position = { ...(locations === undefined ? {} : { locations }), ...(path === undefined ? {} : { path }) };
  const gatewayError = gatewayErrorIn(error);
  if (gatewayError !== undefined) {
    const { message, code, details } = gatewayError;
    const lookup = details.lookup && { ...details.lookup, field: prefixedField(details.lookup.field, typePrefix) };
    return { message, ...position, extensions: { code, ...details, ...(lookup && { lookup }) } };
  }
  const code = isArgumentFault(formatted) ? 'BAD_USER_INPUT' : (inputFault(error) ?? formatted.extensions?.['code']);
  if (documentCodes.has(code)) {
    return { message: withoutValues(formatted.message), ...position, extensions: { code } };
  }
  return { message: internalErrorMessage, ...position, extensions: { code: 'INTERNAL_SERVER_ERROR' } };
}

/**
 * Whether graphql-js refused an argument while it executed, which it reports without a code: a variable that may be null
 * has a default, so that validation allows it where null is not allowed, and was sent as null.
 */
export function isArgumentFault({ message }: { readonly message: string }): boolean {
  return /^Argument "\w+" (?:of non-null type|has invalid value)\b/.test(message);
}

/** BAD_USER_INPUT where a scalar refused a literal: validation, which finds it, reports it under another code. */
function inputFault(error: unknown): unknown {
  return originalErrorIn(error)?.extensions?.code === 'BAD_USER_INPUT' ? 'BAD_USER_INPUT' : undefined;
}

interface OriginalError {
  readonly extensions?: { readonly code?: unknown };
}

function originalErrorIn(error: unknown): OriginalError | undefined {
  return (error as { readonly originalError?: OriginalError }).originalError; // by shape, since graphql may be installed twice
}

/** Removes values that graphql-js quotes, which may be identity numbers; names and positions stay. */
function withoutValues(whole: string): string {
  const message = whole.slice(0, maxMessageLength);
  const [, ownSentence] = ownSentences.find(([start]) => message.startsWith(start)) ?? [];
  if (ownSentence !== undefined) return ownSentence;
  return message
    .replaceAll(/,? (?:but )?found (?!<EOF>).*$/gsu, '.')
    .replaceAll(/^(Syntax Error: Unexpected \w+) .*$/gsu, '$1.')
    .replaceAll(/^(Argument "\w+" has invalid value) .*$/gsu, '$1.')
    .replaceAll(/(cannot represent [^:]*): .*$/gsu, '$1.')
    .replaceAll(/[^\s@"]{1,64}@[^\s@"]{1,255}/gu, '…')
    .replaceAll(/\+?\d{6,}/gu, '…');
}
