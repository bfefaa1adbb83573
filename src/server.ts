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
import { answerHeaders } from './edge/answer-headers.ts';
import { corsOptions } from './edge/browser.ts';
import { createClientErrorHandler } from './edge/client-errors.ts';
import { createDocumentSource } from './edge/document-source.ts';
import { gatePlugin } from './edge/gate.ts';
import { noServiceSdl } from './edge/introspection.ts';
import { documentLimits, limits, tokenLimitError } from './edge/limits.ts';
import { watchReadiness } from './edge/readiness.ts';
import { addRequestId, errorPlugin } from './edge/errors.ts';
import { createRequestLog } from './edge/request-log.ts';
import { createSecretCheck } from './edge/router-secret.ts';
import { sandboxPlugin, type SandboxStart } from './edge/sandbox.ts';
import { readTrustedDocuments } from './edge/trusted-documents.ts';
import { GatewayError, internalErrorMessage } from './errors.ts';
import type { Logger } from './log.ts';
import { resolveEntitiesApart } from './resolvers/entities.ts';
import { createFieldCosts } from './resolvers/costs.ts';
import { resolvers } from './resolvers/resolvers.ts';
import { formatError } from './format-error.ts';
import { withBudget } from './upstream/budget.ts';
import { connectUpstream } from './upstream/connect.ts';
import type { Contract } from './upstream/contract.ts';
import { createOperations, type Operations } from './upstream/operations.ts';

const maxBodyBytes = 256 * 1024;
const receiveTimeoutMs = 10_000;
const maxHeaderBytes = 16 * 1024;
const maxHeaderLines = 100;
const maxConnections = 10_000;

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
  /** Finishes what is in flight and lets go of every socket. */
  readonly close: () => Promise<void>;
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
  const isRouter = config.routerSecret === undefined ? undefined : createSecretCheck(config.routerSecret);
  const preHandler = createPreHandler(config, isRouter);
  const requestLog = createRequestLog(log);
  const { observer } = requestLog;
  const { close: closeUpstream, ...connected } = await connectUpstream({ config, contract, upstream, log, observer });
  const operations = createOperations(contract);
  const contextFor = createContextFactory({
    operations,
    ...connected,
    caller: withBudget(connected.caller, config.maxUpstreamCalls),
    bearerHeader: config.bearerHeaderIn,
    privateKeyHeader: config.privateKeyHeaderIn,
    requestTimeoutMs: config.requestTimeoutMs,
  });
  const plugins = [requestLog.plugin, sandboxPlugin(!config.isProduction, sandboxStart)];
  const apollo = createApollo({ config, operations, log, plugins, isRouter });
  await apollo.start();
  const readiness = watchReadiness(upstream);
  let isClosing = false;
  const app = createApp(config, () => isClosing);
  app.get('/health/live', async () => ({ status: 'ok' }));
  app.get('/health/ready', async (_, reply) => {
    if (readiness.isReady()) return { status: 'ok' };
    return reply.code(503).send({ status: 'unavailable' });
  });
  const methods = config.isProduction ? ['POST'] : ['GET', 'POST'];
  refuseOtherMethods(app, methods);
  app.route({
    method: methods,
    url: '/graphql',
    onRequest: async (request, reply) => requestLog.onRequest(request, reply),
    exposeHeadRoute: false,
    preHandler,
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
  await app.listen({ host: config.host, port: config.port });
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    isClosing = true;
    readiness.stop();
    await app.close();
    await apollo.stop();
    await closeUpstream();
  };
  return {
    url: toUrl(app.server.address() as AddressInfo), // a TCP server's address is one
    close: () => (closed ??= close()),
  };
}

type IsRouter = (secret: string | undefined) => boolean;

interface ApolloOptions extends Pick<ServerOptions, 'config' | 'log'> {
  readonly operations: Operations;
  readonly plugins: readonly ApolloServerPlugin<Context>[];
  /** Undefined where the router has no secret to show. */
  readonly isRouter: IsRouter | undefined;
}

function createApollo({ config, operations, log, plugins, isRouter }: ApolloOptions): ApolloServer<Context> {
  const schema = createSchema();
  return new ApolloServer<Context>({
    schema,
    nodeEnv: config.isProduction ? 'production' : 'development',
    introspection: config.introspection,
    parseOptions: { maxTokens: limits.tokens },
    validationRules: config.introspection ? [documentLimits] : [documentLimits, noServiceSdl],
    hideSchemaDetailsFromClientErrors: config.isProduction,
    includeStacktraceInErrorResponses: false,
    formatError: (formatted, error) => formatError(formatted, tokenLimitError(error) ?? error),
    persistedQueries: false,
    allowBatchedHttpRequests: false,
    csrfPrevention: true,
    stopOnTerminationSignals: false,
    logger: log,
    plugins: [
      errorPlugin(log),
      gatePlugin({
        schema,
        costs: createFieldCosts(operations),
        maxUpstreamCalls: config.maxUpstreamCalls,
        mayReadEntities: isRouter ?? (() => true),
      }),
      ...plugins,
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
  });
}

/** Resolves documents by the manifest; nothing where there is none. */
function createPreHandler(config: Config, isRouter: IsRouter = () => false) {
  if (config.trustedDocumentsFile === undefined) return [];
  const documents = readTrustedDocuments(config.trustedDocumentsFile);
  return [createDocumentSource({ documents, isExclusive: config.trustedDocumentsOnly, isRouter })];
}

/** Says which methods there are: to OPTIONS that is no page's preflight, and to every method that is not one of them. */
function refuseOtherMethods(app: FastifyInstance, methods: readonly string[]): void {
  const allow = [...methods, 'OPTIONS'].join(', ');
  app.options('/graphql', async (_, reply) => reply.code(204).header('allow', allow).send());
  app.route({
    method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'].filter((method) => !methods.includes(method)),
    url: '/graphql',
    handler: async (request, reply) => reply.code(405).header('allow', allow).send(httpError(405, request.id)),
  });
}

/** The HTTP side: request ids, what caches may do (nothing), cross-origin rules, limits. */
function createApp(config: Config, isClosing: () => boolean): FastifyInstance {
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
    genReqId: ({ headersDistinct }) => acceptedRequestId(headersDistinct['x-request-id']) ?? randomUUID(),
  });
  app.removeContentTypeParser('text/plain');
  app.server.maxHeadersCount = maxHeaderLines;
  app.server.maxConnections = maxConnections;
  app.addHook('onSend', async (request, reply, payload) => {
    // A kept-alive connection would hold up the stop for as long as its client likes.
    if (isClosing()) reply.header('connection', 'close');
    const vary = reply.getHeader('vary');
    const varies = vary === undefined ? credentialHeaders : `${String(vary)}, ${credentialHeaders}`;
    const contentType = reply.getHeader('content-type');
    reply.headers(answerHeaders({ requestId: request.id, vary: varies, contentType }));
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
    if (error instanceof GatewayError) {
      const { message, code, details } = error;
      return reply.code(400).send({ errors: [{ message, extensions: { code, ...details, requestId: request.id } }] });
    }
    const status = error.statusCode ?? 500;
    return reply.code(status).send(httpError(status, request.id));
  });
  app.setNotFoundHandler(async (request, reply) => reply.code(404).send(httpError(404, request.id)));
  return app;
}

const httpMessages: Readonly<Record<number, string>> = {
  400: 'The request is not valid HTTP or JSON.',
  404: 'There is nothing at this address.',
  405: 'This address does not answer this method.',
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
