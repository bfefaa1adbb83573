import { METHODS } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { GatewayError } from '../domain/errors.ts';
import { parseJsonBodies } from './bodies/json-body.ts';
import { describeError, type Logger } from '../runtime/log.ts';
import { toResponseHeaders } from './response-headers.ts';
import { checkHostAndExpect, createClientErrorHandler, trackOpenAnswers } from './malformed-requests.ts';
import { addRequestId } from '../graphql/error-log.ts';
import { requestIdOf } from './request-id.ts';
import {
  maxBodyBytes,
  maxHeaderBytes,
  maxHeaders,
  receiveTimeoutMs,
  toGatewayErrorBody,
  toHttpErrorBody,
} from './error-body.ts';

const maxConnections = 10_000;
/** Longer than load balancers keep an idle connection (mostly 60 s): else they would send a request over a closing one. */
const keepAliveTimeoutMs = 72_000;

/** Creates the Fastify app: request ids, response headers, limits, error bodies. */
export function createApp(config: Config, log: Logger): FastifyInstance {
  const credentialHeaders = `${config.bearerHeaderIn}, ${config.privateKeyHeaderIn}`;
  const app = Fastify({
    logger: false,
    bodyLimit: maxBodyBytes,
    requestTimeout: receiveTimeoutMs,
    // Otherwise a client that does not read its answer would hold memory, and count as a request in flight, for ever.
    connectionTimeout: config.requestTimeoutMs + receiveTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    http: {
      headersTimeout: receiveTimeoutMs,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: maxHeaderBytes,
      requireHostHeader: false,
    },
    clientErrorHandler: createClientErrorHandler(credentialHeaders),
    return503OnClosing: false,
    frameworkErrors: (_, request, reply) => {
      const headers = toResponseHeaders({ requestId: request.id, vary: credentialHeaders });
      // The type of this reply has no route generics.
      void (reply as FastifyReply).headers(headers).code(400).send(toHttpErrorBody(400, request.id));
    },
    genReqId: requestIdOf,
  });
  trackOpenAnswers(app.server);
  checkHostAndExpect(app);
  app.removeContentTypeParser('text/plain');
  parseJsonBodies(app);
  app.server.maxHeadersCount = maxHeaders;
  app.server.maxConnections = maxConnections;
  app.addHook('onSend', (request, reply, payload, next) => {
    const vary = reply.getHeader('vary');
    const allVary = vary === undefined ? credentialHeaders : `${String(vary)}, ${credentialHeaders}`;
    const contentType = reply.getHeader('content-type');
    const policy = reply.getHeader('content-security-policy');
    reply.headers(toResponseHeaders({ requestId: request.id, vary: allVary, contentType, policy }));
    const isClientFault = reply.statusCode >= 400 && reply.statusCode < 500;
    const isRefusal = isClientFault && typeof payload === 'string' && payload.startsWith('{"errors"');
    next(null, isRefusal ? addRequestId(payload, request.id) : payload);
  });
  app.setErrorHandler<{ readonly statusCode?: number }>(async (error, request, reply) => {
    if (error instanceof GatewayError) return reply.code(400).send(toGatewayErrorBody(error, request.id));
    const status = error.statusCode ?? 500;
    if (status >= 500) log.error({ requestId: request.id, ...describeError(error) }, 'internal error');
    return reply.code(status).send(toHttpErrorBody(status, request.id));
  });
  app.setNotFoundHandler(async (request, reply) => reply.code(404).send(toHttpErrorBody(404, request.id)));
  return app;
}

/** Answers OPTIONS with the allowed methods, and every other method with 405. CORS preflights are answered before. */
export function mountOtherMethods(app: FastifyInstance, path: string, methods: readonly string[]): void {
  const allow = [...methods, 'OPTIONS'].join(', ');
  app.options(path, async (_, reply) => reply.code(204).header('allow', allow).send());
  const others = METHODS.filter((method) => method !== 'OPTIONS' && !methods.includes(method));
  for (const method of others) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  const refuse = async (request: FastifyRequest, reply: FastifyReply) =>
    reply.code(405).header('allow', allow).send(toHttpErrorBody(405, request.id));
  // As a hook, it refuses before a body is read.
  app.route({ method: others, url: path, onRequest: refuse, handler: refuse });
}
