import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Config } from '../config/config.ts';
import { GatewayError } from '../domain/errors.ts';
import { maxHeaderLines } from './raw-headers.ts';
import { answerHeaders } from './response-headers.ts';
import { createClientErrorHandler } from './malformed-requests.ts';
import { addRequestId } from '../graphql/error-log.ts';
import { gatewayErrorBody, httpError, maxBodyBytes } from './error-body.ts';

const receiveTimeoutMs = 10_000;
const maxHeaderBytes = 16 * 1024;
const maxConnections = 10_000;

/** The HTTP side: request ids, what caches may do (nothing), limits. */
export function createApp(config: Config): FastifyInstance {
  const credentialHeaders = `${config.bearerHeaderIn}, ${config.privateKeyHeaderIn}`;
  const app = Fastify({
    logger: false,
    bodyLimit: maxBodyBytes,
    requestTimeout: receiveTimeoutMs,
    http: {
      headersTimeout: receiveTimeoutMs,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: maxHeaderBytes,
    },
    clientErrorHandler: createClientErrorHandler(credentialHeaders),
    return503OnClosing: false,
    frameworkErrors: (_, request, reply) => {
      const headers = answerHeaders({ requestId: request.id, vary: credentialHeaders, contentType: undefined });
      void (reply as FastifyReply).headers(headers).code(400).send(httpError(400, request.id)); // its generics know no route here
    },
    genReqId: (request) => acceptedRequestId(request.headers['x-request-id']) ?? randomUUID(),
  });
  app.removeContentTypeParser('text/plain');
  app.server.maxHeadersCount = maxHeaderLines;
  app.server.maxConnections = maxConnections;
  app.addHook('onSend', (request, reply, payload, next) => {
    const vary = reply.getHeader('vary');
    const varies = vary === undefined ? credentialHeaders : `${String(vary)}, ${credentialHeaders}`;
    const contentType = reply.getHeader('content-type');
    reply.headers(answerHeaders({ requestId: request.id, vary: varies, contentType }));
    const isEarlyFault = reply.statusCode === 400 && typeof payload === 'string' && payload.startsWith('{"errors"');
    next(null, isEarlyFault ? addRequestId(payload, request.id) : payload);
  });
  app.setErrorHandler<{ readonly statusCode?: number }>(async (error, request, reply) => {
    if (error instanceof GatewayError) return reply.code(400).send(gatewayErrorBody(error, request.id));
    const status = error.statusCode ?? 500;
    return reply.code(status).send(httpError(status, request.id));
  });
  app.setNotFoundHandler(async (request, reply) => reply.code(404).send(httpError(404, request.id)));
  return app;
}

/** Several lines of it are joined by a comma, and so none is accepted. */
function acceptedRequestId(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(value) ? value : undefined;
}

/** Says which methods there are: to OPTIONS that is no page's preflight, and to every method that is not one of them. */
export function refuseOtherMethods(app: FastifyInstance, path: string, methods: readonly string[]): void {
  const allow = [...methods, 'OPTIONS'].join(', ');
  app.options(path, async (_, reply) => reply.code(204).header('allow', allow).send());
  app.route({
    method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'].filter((method) => !methods.includes(method)),
    url: path,
    handler: async (request, reply) => reply.code(405).header('allow', allow).send(httpError(405, request.id)),
  });
}
