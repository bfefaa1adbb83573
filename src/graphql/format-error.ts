import type { GraphQLFormattedError } from 'graphql';
import { gatewayErrorIn, internalErrorMessage } from '../domain/errors.ts';

const maxMessageLength = 300;

/** Apollo's own codes, whose messages speak of the client's document alone. */
const documentCodes: ReadonlySet<unknown> = new Set([
  'BAD_REQUEST',
  'BAD_USER_INPUT',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

/** What a client may see of an error: an allow-list. Whatever is not known here becomes one fixed sentence. */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const { locations, path } = formatted;
  const place = { ...(locations === undefined ? {} : { locations }), ...(path === undefined ? {} : { path }) };
  const own = gatewayErrorIn(error);
  if (own !== undefined) {
    const { message, code, details } = own;
    return { message, ...place, extensions: { code, ...details } };
  }
  const code = inputFault(error) ?? formatted.extensions?.['code'];
  if (documentCodes.has(code)) {
    return { message: withoutValues(formatted.message), ...place, extensions: { code } };
  }
  return { message: internalErrorMessage, ...place, extensions: { code: 'INTERNAL_SERVER_ERROR' } };
}

/** A literal that a scalar refused is the input's fault; validation, where it was found, has its own code for it. */
function inputFault(error: unknown): unknown {
  const { originalError } = error as { readonly originalError?: { readonly extensions?: { readonly code?: unknown } } }; // by shape, since a foreign class may be there twice
  return originalError?.extensions?.code === 'BAD_USER_INPUT' ? 'BAD_USER_INPUT' : undefined;
}

/** graphql-js quotes the client's values, which may be identity numbers: the message keeps names and places only. */
function withoutValues(whole: string): string {
  const message = whole.slice(0, maxMessageLength);
  if (message.startsWith('GraphQL introspection is not allowed')) return 'Introspection is switched off.';
  const [, variable] = /^Variable "(\$\w+)" got invalid value/.exec(message) ?? [];
  if (variable !== undefined) {
    const place = / at "([A-Za-z_][\w.[\]]*)"; /.exec(message)?.[1];
    return `Variable "${variable}" has an invalid value${place === undefined ? '' : ` at "${place}"`}.`;
  }
  return message
    .replaceAll(/,? (?:but )?found .*$/gsu, '.')
    .replaceAll(/^(Syntax Error: Unexpected \w+) .*$/gsu, '$1.')
    .replaceAll(/(cannot represent [^:]*): .*$/gsu, '$1.')
    .replaceAll(/[^\s@"]{1,64}@[^\s@"]{1,255}/gu, '…')
    .replaceAll(/\+?\d{6,}/gu, '…');
}
