import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Config } from '../config/config.ts';
import { GatewayError } from '../domain/errors.ts';
import { describeError, type Logger } from '../runtime/log.ts';
import { maxBodyBytes, maxHeaderBytes, maxHeaders, receiveTimeoutMs, toHttpErrorBody } from './error-body.ts';

const maxConnections = 10_000;
/** Longer than load balancers keep an idle connection (mostly 60 s): else they would send a request over a closing one. */
const keepAliveTimeoutMs = 72_000;

/** Headers of every answer: no shared caching, and nothing of it for a page. TLS and its header are left to the proxy in front. */
const commonHeaders = {
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Creates the Fastify app: request ids, response headers, limits, error bodies. Node and Fastify answer malformed HTTP. */
export function createApp(config: Config, log: Logger): FastifyInstance {
  const vary = `${config.bearerHeaderIn}, ${config.privateKeyHeaderIn}`;
  const app = Fastify({
    logger: false,
    bodyLimit: maxBodyBytes,
    requestTimeout: receiveTimeoutMs,
    // Otherwise a client that does not read its answer would hold memory, and count as a request in flight, for ever.
    connectionTimeout: config.requestTimeoutMs + receiveTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    http: { headersTimeout: receiveTimeoutMs, connectionsCheckingInterval: 1_000, maxHeaderSize: maxHeaderBytes },
    return503OnClosing: false,
    genReqId: ({ headers }) => readRequestId(headers['x-request-id']) ?? randomUUID(),
  });
  app.server.maxHeadersCount = maxHeaders;
  app.server.maxConnections = maxConnections;
  app.addHook('onRequest', (request, reply, next) => {
    reply.headers({ ...commonHeaders, vary, 'x-request-id': request.id });
    next();
  });
  app.setErrorHandler<{ readonly statusCode?: number }>(async (error, request, reply) => {
    if (error instanceof GatewayError) return sendRefusal(error, request.id, reply);
    const status = error.statusCode ?? 500;
    if (status >= 500) log.error({ requestId: request.id, ...describeError(error) }, 'internal error');
    return reply.code(status).send(toHttpErrorBody(status, request.id));
  });
  app.setNotFoundHandler(async (request, reply) => reply.code(404).send(toHttpErrorBody(404, request.id)));
  return app;
}

function sendRefusal({ message, code, details }: GatewayError, requestId: string, reply: FastifyReply): FastifyReply {
  if (details.retryAfterSeconds !== undefined) void reply.header('retry-after', details.retryAfterSeconds);
  const status = code === 'OVERLOADED' ? 503 : 400;
  return reply.code(status).send({ errors: [{ message, extensions: { code, ...details, requestId } }] });
}

/** The client's request id if it is valid. Node joins repeated headers by a comma, so they are not valid either. */
function readRequestId(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(value) ? value : undefined;
}
