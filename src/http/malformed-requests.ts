import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { toHttpErrorBody } from './error-body.ts';
import { headerLines } from './header-lines.ts';
import { requestIdOf } from './request-id.ts';
import { toResponseHeaders } from './response-headers.ts';

const refusedStatusKey = Symbol('refused status');

interface RefusedResponse extends ServerResponse {
  [refusedStatusKey]?: number;
}

const answersBySocket = new WeakMap<Socket, Set<ServerResponse>>();

/** Follows the requests of a server. It must see them before Fastify, which may answer at once. */
export function trackOpenAnswers(server: Server): void {
  server.prependListener('request', ({ socket }, response) => {
    const answers = answersBySocket.get(socket) ?? new Set();
    answersBySocket.set(socket, answers.add(response));
    response.on('close', () => answers.delete(response));
  });
}

/** The answers of a connection that are not finished, in the order of their requests. */
export function openAnswers(socket: Socket): readonly ServerResponse[] {
  return [...(answersBySocket.get(socket) ?? [])];
}

/** Statuses by the code of Node's error; 400 for all others. */
const statuses: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };
const syntaxMessage = 'The request is not valid HTTP. Correct its syntax.';
/** Node's code where a client closes its connection within a request. */
const endedByClient = 'HPE_INVALID_EOF_STATE';

/**
 * Answers requests that Node could not parse, in the form of every other refusal, and closes the connection: the start
 * of the next request on it is unknown. Where an earlier request still waits for its answer, a client would take this one
 * for it: the connection then ends after that answer, without this one.
 */
export function createClientErrorHandler(vary: string) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const pendingAnswer = openAnswers(socket).findLast(({ req }) => req.complete);
    if (pendingAnswer !== undefined) {
      socket.pause();
      pendingAnswer.once('finish', () => socket.destroySoon());
      return;
    }
    const status = statuses[error.code ?? ''] ?? 400;
    const refused: RefusedResponse | undefined = openAnswers(socket).at(-1);
    if (refused !== undefined && error.code !== endedByClient) refused[refusedStatusKey] = status;
    const requestId = refused === undefined ? randomUUID() : requestIdOf(refused.req);
    socket.end(toResponse(status, requestId, vary), () => socket.destroy());
  };
}

/** The status with which a request was refused while its body arrived, outside of its own answer. */
export function refusedStatusOf(response: RefusedResponse): number | undefined {
  return response[refusedStatusKey];
}

/**
 * Refuses a request without a Host header, which the server is set to accept, or with two, and another expectation than
 * 100-continue. Node would refuse only some of these, with neither the gateway's headers nor an error body.
 */
export function checkHostAndExpect(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', (request, reply, next) => {
    const { id, raw } = request;
    const { length: hosts } = headerLines(request)('host') ?? [];
    const expectations = raw.headers.expect?.split(',') ?? [];
    const isUnexpected = expectations.some((expectation) => expectation.trim().toLowerCase() !== '100-continue');
    if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1'))
      void reply
        .code(400)
        .send(toHttpErrorBody(400, id, 'The Host header is missing, or there are several. Send one.'));
    else if (isUnexpected) void reply.code(417).send(toHttpErrorBody(417, id));
    else next();
  });
}

function toResponse(status: number, requestId: string, vary: string): string {
  const body = JSON.stringify(toHttpErrorBody(status, requestId, status === 400 ? syntaxMessage : undefined));
  const contentType = 'application/json; charset=utf-8';
  const headers = Object.entries({
    ...toResponseHeaders({ requestId, vary, contentType }),
    'content-type': contentType,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('')}\r\n${body}`;
}
