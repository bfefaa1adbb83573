import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import cors from '@fastify/cors';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { parse, type GraphQLSchema } from 'graphql';
import type { Config } from './config.ts';
import { createContextFactory, type Context } from './context.ts';
import { mountHealth, startAdmin, type AdminOptions } from './edge/admin.ts';
import { mountAdmission } from './edge/admission.ts';
import { corsOptions } from './edge/browser.ts';
import { noServiceSdl } from './edge/introspection.ts';
import { watchReadiness } from './edge/readiness.ts';
import { addRequestId, errorPlugin } from './edge/errors.ts';
import { createMetrics } from './edge/metrics.ts';
import { createRequestLog } from './edge/request-log.ts';
import { startTracing } from './edge/tracing.ts';
import { sandboxPlugin, type SandboxStart } from './edge/sandbox.ts';
import { internalErrorMessage } from './errors.ts';
import type { Logger } from './log.ts';
import { resolveEntitiesApart } from './resolvers/entities.ts';
import { resolvers } from './resolvers/resolvers.ts';
import { formatError } from './format-error.ts';
import { connectUpstream } from './upstream/connect.ts';
import type { Contract } from './upstream/contract.ts';
import { passTraceOn } from './upstream/trace.ts';
import { observeAll } from './upstream/observer.ts';
import { createOperations } from './upstream/operations.ts';

const maxBodyBytes = 256 * 1024;
const receiveTimeoutMs = 10_000;
const closeSlackMs = 2_000;
const graphqlPath = '/graphql';

export interface ServerOptions {
  readonly config: Config;
  readonly contract: Contract;
  /** Where the service is: `config.upstream`, or the embedded bank's address. */
  readonly upstream: URL;
  readonly log: Logger;
  readonly sandboxStart?: SandboxStart;
}

export interface GatewayServer {
  /** Where it listens: `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Where metrics are; undefined where they are switched off. */
  readonly adminPort: number | undefined;
  /**
   * Says at once that it is not ready and that connections end, goes on accepting for the delay, then finishes what is
   * in flight and lets go of every socket. Resolves after the longest a request may take, plus two seconds, at the latest.
   */
  readonly close: (delayMs?: number) => Promise<void>;
}

/** The schema as a federation subgraph, with its resolvers. */
export function createSchema(): GraphQLSchema {
  return resolveEntitiesApart(buildSubgraphSchema([{ typeDefs: parse(readSchemaFile()), resolvers }]));
}

/** The text of schema.graphql, which stands beside src and beside the compiled dist alike. */
function readSchemaFile(): string {
  return readFileSync(new URL('../schema.graphql', import.meta.url), 'utf8');
}

/** Starts the gateway and resolves once it listens. */
export async function startServer({
  config,
  contract,
  upstream,
  log,
  sandboxStart,
}: ServerOptions): Promise<GatewayServer> {
  const requestLog = createRequestLog(log);
  const metrics = createMetrics();
  const observer = observeAll([requestLog.observer, metrics.observer]);
  const { close: closeUpstream, ...connected } = await connectUpstream({ config, contract, upstream, log, observer });
  const tracing = config.tracing === undefined ? undefined : await startTracing(config.tracing);
  const contextFor = createContextFactory({
    operations: createOperations(contract),
    ...connected,
    startTrace: tracing?.start ?? passTraceOn,
    bearerHeader: config.bearerHeaderIn,
    privateKeyHeader: config.privateKeyHeaderIn,
    requestTimeoutMs: config.requestTimeoutMs,
  });
  const sandbox = sandboxPlugin(!config.isProduction, sandboxStart);
  const apollo = createApollo(config, log, [requestLog.plugin, metrics.plugin, sandbox]);
  await apollo.start();
  const readiness = watchReadiness(upstream);
  let isClosing = false;
  const app = createApp(config, () => isClosing);
  app.addHook('onRequest', async (request, reply) => requestLog.onRequest(request, reply));
  const admission = await mountAdmission(app, graphqlPath, () => metrics.onRejection('overloaded'));
  metrics.watch(connected.state, admission.inFlight);
  mountHealth(app, readiness);
  app.route({
    method: config.isProduction ? ['POST'] : ['GET', 'POST'],
    url: graphqlPath,
    handler: fastifyApolloHandler(apollo, {
      context: async (request: FastifyRequest, reply: FastifyReply) => {
        const context = contextFor({
          requestId: request.id,
          headers: request.raw.headersDistinct,
          onClose: (callback) => reply.raw.once('close', callback),
        });
        requestLog.attach(request, context);
        return context;
      },
    }),
  });
  if (!config.isProduction) app.get('/', async (_, reply) => reply.redirect('/graphql'));
  // Fastify hands its options to Node as they are, but its types do not know this one.
  const address = { host: config.host, port: config.port, reusePort: config.reusePort };
  await app.listen(address);
  const admin = await startAdminIfFree({ config, metrics, readiness, log }).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  let closed: Promise<void> | undefined;
  const close = async (delayMs = 0): Promise<void> => {
    isClosing = true;
    readiness.stop();
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    // Beyond its own deadline no request is worth waiting for.
    const timer = setTimeout(() => app.server.closeAllConnections(), config.requestTimeoutMs + closeSlackMs);
    await app.close();
    clearTimeout(timer);
    await apollo.stop();
    await closeUpstream();
    await tracing?.close();
    await admin?.close();
  };
  return {
    url: toUrl(app.server.address() as AddressInfo), // a TCP server's address is one
    adminPort: admin?.port,
    close: (delayMs) => (closed ??= close(delayMs)),
  };
}

/** A default port that is taken (by another process of ours, most likely) costs the metrics, not the start. */
async function startAdminIfFree(options: Omit<AdminOptions, 'host' | 'port'> & { config: Config; log: Logger }) {
  const { config, log } = options;
  if (config.adminPort === 0) return undefined;
  try {
    return await startAdmin({ ...options, host: config.host, port: config.adminPort });
  } catch (error) {
    if (config.isAdminPortGiven) throw error;
    log.warn({ port: config.adminPort }, 'no metrics: the default ADMIN_PORT is taken');
    return undefined;
  }
}

function createApollo(
  config: Config,
  log: Logger,
  plugins: readonly ApolloServerPlugin<Context>[],
): ApolloServer<Context> {
  return new ApolloServer<Context>({
    schema: createSchema(),
    nodeEnv: config.isProduction ? 'production' : 'development',
    introspection: config.introspection,
    validationRules: config.introspection ? [] : [noServiceSdl],
    hideSchemaDetailsFromClientErrors: config.isProduction,
    includeStacktraceInErrorResponses: false,
    formatError,
    persistedQueries: false,
    allowBatchedHttpRequests: false,
    csrfPrevention: true,
    stopOnTerminationSignals: false,
    logger: log,
    plugins: [
      errorPlugin(log),
      ...plugins,
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
  });
}

/** The HTTP side: request ids, what caches may do (nothing), cross-origin rules, limits. */
function createApp(config: Config, isClosing: () => boolean): FastifyInstance {
  const credentialHeaders = `${config.bearerHeaderIn}, ${config.privateKeyHeaderIn}`;
  const app = Fastify({
    logger: false,
    bodyLimit: maxBodyBytes,
    requestTimeout: receiveTimeoutMs,
    http: { headersTimeout: receiveTimeoutMs, connectionsCheckingInterval: 1_000 },
    return503OnClosing: false,
    frameworkErrors: (_, request, reply) => {
      const headers = privateHeaders(request.id, credentialHeaders);
      void (reply as FastifyReply).headers(headers).code(400).send(httpError(400, request.id)); // its generics know no route here
    },
    genReqId: ({ headersDistinct }) => acceptedRequestId(headersDistinct['x-request-id']) ?? randomUUID(),
  });
  app.addHook('onSend', async (request, reply, payload) => {
    // A kept-alive connection would hold up the stop for as long as its client likes.
    if (isClosing()) reply.header('connection', 'close');
    const vary = reply.getHeader('vary');
    const varies = vary === undefined ? credentialHeaders : `${String(vary)}, ${credentialHeaders}`;
    reply.headers(privateHeaders(request.id, varies));
    const isEarlyFault = reply.statusCode === 400 && typeof payload === 'string' && payload.startsWith('{"errors"');
    return isEarlyFault ? addRequestId(payload, request.id) : payload;
  });
  app.register(
    cors,
    corsOptions({
      isProduction: config.isProduction,
      allowedOrigins: config.allowedOrigins,
      bearerHeader: config.bearerHeaderIn,
      privateKeyHeader: config.privateKeyHeaderIn,
    }),
  );
  app.setErrorHandler<{ readonly statusCode?: number }>(async (error, request, reply) => {
    const status = error.statusCode ?? 500;
    return reply.code(status).send(httpError(status, request.id));
  });
  app.setNotFoundHandler(async (request, reply) => reply.code(404).send(httpError(404, request.id)));
  return app;
}

/** On every answer: where to find it in the log, and that no cache may keep it for anybody else. */
function privateHeaders(requestId: string, vary: string) {
  return { 'x-request-id': requestId, 'cache-control': 'private, no-store', vary };
}

const httpMessages: Readonly<Record<number, string>> = {
  400: 'The request is not valid HTTP or JSON.',
  404: 'There is nothing at this address.',
  413: `The request body is larger than ${maxBodyBytes} bytes.`,
  415: 'The request body must be application/json.',
};

/** A fault that Fastify found before GraphQL began, in GraphQL's form. */
function httpError(status: number, requestId: string) {
  const isClientFault = status >= 400 && status < 500;
  const message = httpMessages[status] ?? (isClientFault ? 'The request is not valid.' : internalErrorMessage);
  const code = isClientFault ? 'BAD_REQUEST' : 'INTERNAL_SERVER_ERROR';
  return { errors: [{ message, extensions: { code, requestId } }] };
}

function acceptedRequestId(values: readonly string[] | undefined): string | undefined {
  const value = values?.length === 1 ? values[0] : undefined;
  return value !== undefined && /^[A-Za-z0-9._-]{1,128}$/.test(value) ? value : undefined;
}

function toUrl({ address, port, family }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
