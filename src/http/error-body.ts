import { internalErrorMessage, type GatewayError } from '../domain/errors.ts';

export const maxBodyBytes = 256 * 1024;

const httpMessages: Readonly<Record<number, string>> = {
  400: 'The request is not valid HTTP or JSON.',
  404: 'There is nothing at this address.',
  405: 'This address does not answer this method.',
  413: `The request body is larger than ${maxBodyBytes} bytes.`,
  415: 'The request body must be application/json.',
};

/** A fault that Fastify found before GraphQL began, in GraphQL's form. */
export function httpError(status: number, requestId: string) {
  const isClientFault = status >= 400 && status < 500;
  const message = httpMessages[status] ?? (isClientFault ? 'The request is not valid.' : internalErrorMessage);
  const code = isClientFault ? 'BAD_REQUEST' : 'INTERNAL_SERVER_ERROR';
  return { errors: [{ message, extensions: { code, requestId } }] };
}

/** A fault of ours that is found before GraphQL begins, in the same form. */
export function gatewayErrorBody({ message, code, details }: GatewayError, requestId: string) {
  return { errors: [{ message, extensions: { code, ...details, requestId } }] };
}
