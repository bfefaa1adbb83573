import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { answerHeaders } from './response-headers.ts';

const statuses: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

const messages: Readonly<Record<number, string>> = {
  408: 'The request did not arrive in time.',
  431: 'The request headers are too large.',
};

/**
 * Answers what Node could not make a request of, as every other refusal is answered, and lets go of the connection:
 * nothing that follows on it could be told from what went before.
 */
export function createClientErrorHandler(vary: string): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const status = statuses[error.code ?? ''] ?? 400;
    socket.end(toAnswer(status, vary), () => socket.destroy());
  };
}

function toAnswer(status: number, vary: string): string {
  const requestId = randomUUID();
  const message = messages[status] ?? 'The request is not valid HTTP.';
  const body = JSON.stringify({ errors: [{ message, extensions: { code: 'BAD_REQUEST', requestId } }] });
  const contentType = 'application/json; charset=utf-8';
  const headers = Object.entries({
    ...answerHeaders({ requestId, vary, contentType }),
    'content-type': contentType,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('')}\r\n${body}`;
}
