import { internalErrorMessage } from '../domain/errors.ts';

export const maxBodyBytes = 128 * 1024;
export const maxHeaderBytes = 16 * 1024;
/** More headers are answered 431. */
export const maxHeaders = 100;
export const receiveTimeoutMs = 10_000;

const httpMessages: Readonly<Record<number, string>> = {
  400: 'The JSON body of the request is missing or not valid. Correct it.',
  404: 'There is nothing at this address. GraphQL is at /graphql.',
  405: 'This address does not accept this HTTP method. The Allow header lists those that it accepts.',
  406: 'The Accept header must allow application/json or application/graphql-response+json.',
  413: `The request body is larger than ${maxBodyBytes} bytes. Make it smaller.`,
  415: 'The request body must be application/json in UTF-8, and not compressed.',
};

/** The body of an HTTP error outside of GraphQL, in the form of a GraphQL error. */
export function toHttpErrorBody(status: number, requestId: string) {
  const isClientFault = status >= 400 && status < 500;
  const code = isClientFault ? 'BAD_REQUEST' : 'INTERNAL_SERVER_ERROR';
  const fallback = isClientFault ? 'The request is not valid.' : internalErrorMessage;
  return { errors: [{ message: httpMessages[status] ?? fallback, extensions: { code, requestId } }] };
}
