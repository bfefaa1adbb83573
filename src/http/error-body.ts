import { internalErrorMessage, type GatewayError } from '../domain/errors.ts';

export const maxBodyBytes = 256 * 1024;

const httpMessages: Readonly<Record<number, string>> = {
  400: 'The request is not valid HTTP or JSON.',
  404: 'There is nothing at this address.',
  405: 'This address does not answer this method.',
  406: 'The Accept header must allow application/json or application/graphql-response+json.',
  413: `The request body is larger than ${maxBodyBytes} bytes.`,
  415: 'The request body must be application/json.',
};

/** The response body of an HTTP error before GraphQL began, in the form of a GraphQL error. */
export function httpError(status: number, requestId: string) {
  const isClientFault = status >= 400 && status < 500;
  const message = httpMessages[status] ?? (isClientFault ? 'The request is not valid.' : internalErrorMessage);
  const code = isClientFault ? 'BAD_REQUEST' : 'INTERNAL_SERVER_ERROR';
  return { errors: [{ message, extensions: { code, requestId } }] };
}

/** The same for a GatewayError. */
export function gatewayErrorBody({ message, code, details }: GatewayError, requestId: string) {
  return { errors: [{ message, extensions: { code, ...details, requestId } }] };
}
