import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const requestIdKey = Symbol('request id');

interface IdentifiedRequest extends IncomingMessage {
  [requestIdKey]?: string;
}

/** The id of a request: the client's if it is valid, else a new one, which stays the same. */
export function requestIdOf(request: IdentifiedRequest): string {
  return (request[requestIdKey] ??= readRequestId(request.headers['x-request-id']) ?? randomUUID());
}

/** Node joins repeated headers by a comma, so they are not valid either. */
function readRequestId(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(value) ? value : undefined;
}
