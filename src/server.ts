import type { AddressInfo } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from './config/config.ts';
import type { Contract } from './contract/contract.ts';
import { createApollo } from './graphql/apollo-server.ts';
import { createContextFactory, createSenderReader, type RequestInfo, type Sender } from './graphql/context.ts';
import { recordingObserver } from './graphql/explain/call-recorder.ts';
import { sandboxPlugin, type SandboxStart } from './graphql/sandbox.ts';
import { listRootFields } from './graphql/schema.ts';
import { mountHealth, startAdmin, type AdminOptions } from './http/admin-server.ts';
import { createApp, mountOtherMethods } from './http/app.ts';
import { mountCors } from './http/cors.ts';
import { mountExplorer } from './http/explorer/explorer.ts';
import { headerLines } from './http/header-lines.ts';
import { mountDrain } from './http/shutdown/graceful-shutdown.ts';
import { graphqlHandler } from './http/graphql-handler.ts';
import { mountOverloadProtection } from './http/overload-protection.ts';
import { createDocumentSource } from './http/persisted-queries.ts';
import { watchReadiness } from './http/readiness.ts';
import { trackRequests } from './http/request-lifecycle.ts';
import { createRouterCheck, mountRouterAnswers, type IsRouter } from './http/router-secret.ts';
import { readTrustedDocuments } from './http/trusted-documents-file.ts';
import { limitUnreadBodies } from './http/bodies/unread-bodies.ts';
import { limitUnsentAnswers } from './http/bodies/unsent-answers.ts';
import type { Logger } from './runtime/log.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { startTracing, traceObserver } from './telemetry/opentelemetry.ts';
import { createRequestLog } from './telemetry/request-log.ts';
import { withBudget } from './upstream/calls/call-budget.ts';
import { combineObservers, type CallObserver } from './upstream/calls/call-observer.ts';
import { connectUpstream, type Connected } from './upstream/connect.ts';
import { admittedCaller } from './upstream/credentials/credentials.ts';
import { createOperations } from './upstream/operations.ts';
import { passTraceOn } from './upstream/wire/trace-context.ts';

const graphqlPath = '/graphql';

interface ServerOptions {
  readonly config: Config;
  readonly contract: Contract;
  /** The service's base URL: `config.upstream`, or that of the embedded bank. */
  readonly upstream: URL;
  readonly log: Logger;
  readonly sandboxStart?: SandboxStart;
  /** The address of the embedded bank's page. */
  readonly bankUrl?: string;
}

export interface GatewayServer {
  /** Without a path: `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Undefined without an admin server. */
  readonly adminPort: number | undefined;
  /**
   * Ends readiness at once and accepts connections for the delay; without a delay it closes idle connections instead. Then
   * finishes the requests in flight (within the request timeout plus two seconds) and the writes whose clients have left,
   * and closes every socket.
   */
  readonly close: (delayMs?: number) => Promise<void>;
}

/** Starts the gateway and resolves once it listens. */
export async function startServer(options: ServerOptions): Promise<GatewayServer> {
  const { config, contract, log, sandboxStart } = options;
  const isRouter = createRouterCheck(config.routerSecret);
  const { preHandler, isTrusted } = readDocuments(config, isRouter);
  const requestLog = createRequestLog(log, isTrusted);
  const metrics = createMetrics(isTrusted, listRootFields(config.typePrefix), log);
  const backend = await connectBackend(options, [requestLog.observer, metrics.observer]);
  const { operations, contextFor, senderOf, state } = backend;
  const readiness = watchReadiness(backend.isReachable);
  const app = createApp(config, log);
  limitUnreadBodies(app, config.maxUnreadBytes);
  // CORS comes before all refusals, so that a page can read them.
  await mountCors(app, config);
  const drain = mountDrain(app, config);
  const apollo = createApollo({
    config,
    contract,
    operations,
    log,
    listeners: [requestLog.listener, metrics.listener],
    onFallback: metrics.onFallback,
    sandbox: sandboxPlugin(!config.isProduction, sandboxStart),
  });
  await apollo.start();
  await app.register(async (routes) => {
    const createContext = (request: FastifyRequest) =>
      contextFor(toRequestInfo(request, senderOf(request), isRouter(request), config.isProduction));
    mountRouterAnswers(routes, isRouter);
    const contextOf = trackRequests(routes, {
      createContext,
      callerOf: (request) => senderOf(request).identity.fingerprint,
      onRefusal: metrics.onRefusal,
      listeners: [requestLog.onClosed, metrics.onClosed],
    });
    limitUnsentAnswers(routes);
    const requestsInFlight = mountOverloadProtection(routes, (request) => admittedCaller(senderOf(request)));
    metrics.measure({ operations: Object.values(operations), state, requestsInFlight });
    const method = config.isProduction ? ['POST'] : ['GET', 'POST'];
    const handler = graphqlHandler(apollo, contextOf);
    routes.route({ method, url: graphqlPath, exposeHeadRoute: false, preHandler, handler });
    mountOtherMethods(routes, graphqlPath, method);
  });
  mountHealth(app, readiness);
  if (!config.isProduction) {
    app.get('/', async (_, reply) => reply.redirect(graphqlPath));
    mountExplorer(app, { ...options, operations });
  }
  const stop = async (delayMs?: number): Promise<void> => {
    readiness.stop();
    await drain(delayMs);
    await apollo.stop();
    await backend.close();
  };
  const listen = async () => {
    // Fastify passes its options on to Node, but its types lack `reusePort`.
    const address = { host: config.host, port: config.port, reusePort: config.reusePort };
    await app.listen(address);
    return startAdminIfFree({ config, metrics, readiness, log });
  };
  const admin = await listen().catch(async (error: unknown) => {
    // An open store would keep the process alive.
    await stop();
    throw error;
  });
  let closing: Promise<void> | undefined;
  return {
    url: toUrl(app.server.address() as AddressInfo), // a TCP server's address is one
    adminPort: admin?.port,
    close: (delayMs) => (closing ??= stop(delayMs).then(() => admin?.close())),
  };
}

/** Creates everything behind GraphQL: the operations, the connection to the service, tracing. */
async function connectBackend(
  { config, contract, upstream, log }: ServerOptions,
  observers: readonly Partial<CallObserver>[],
) {
  const observer = combineObservers([...observers, traceObserver, recordingObserver]);
  const connected = await connectUpstream({ config, contract, upstream, log, observer });
  const tracing =
    config.tracing === undefined ? undefined : await startTracing(config.tracing, { upstream, contract, log });
  const operations = createOperations(contract);
  const contextFor = createContextFactory({
    operations,
    serviceCalls: withBudget(connected.serviceCalls, config.maxUpstreamCalls),
    startTrace: tracing?.start ?? passTraceOn,
    requestTimeoutMs: config.requestTimeoutMs,
  });
  const close = async (): Promise<void> => {
    await connected.close();
    await tracing?.close();
  };
  return { ...connected, operations, contextFor, senderOf: createSenderOf(config, connected.identify), close };
}

/** Where ADMIN_PORT is not set, a port in use, most likely by another gateway process, only costs the metrics. */
async function startAdminIfFree(options: AdminOptions & { readonly config: Config; readonly log: Logger }) {
  const { config, log } = options;
  if (config.adminPort === 0) return undefined;
  try {
    return await startAdmin(options);
  } catch (error) {
    if (config.isAdminPortGiven) throw error;
    log.warn({ port: config.adminPort }, 'no metrics: the default ADMIN_PORT is taken');
    return undefined;
  }
}

/** The hooks that resolve trusted documents by their hash, and the test for their texts. */
function readDocuments({ trustedDocumentsFile, trustedDocumentsOnly }: Config, isRouter: IsRouter) {
  if (trustedDocumentsFile === undefined) return { preHandler: [], isTrusted: () => false };
  const documents = readTrustedDocuments(trustedDocumentsFile);
  const preHandler = [createDocumentSource({ documents, isExclusive: trustedDocumentsOnly, isRouter })];
  return { preHandler, isTrusted: (text: string) => documents.texts.has(text) };
}

/** Creates the function that reads a request's sender, once for overload protection and for its calls. */
function createSenderOf(config: Config, identify: Connected['identify']) {
  const readSender = createSenderReader(config, identify);
  const senders = new WeakMap<FastifyRequest, Sender>();
  return (request: FastifyRequest): Sender => {
    const sender = senders.get(request) ?? readSender(headerLines(request));
    senders.set(request, sender);
    return sender;
  };
}

function toRequestInfo(request: FastifyRequest, sender: Sender, isRouter: boolean, isProduction: boolean): RequestInfo {
  const showsCalls = request.headers['x-explain'] === 'calls' && (isRouter || !isProduction);
  return { requestId: request.id, method: request.method, isRouter, showsCalls, sender, headers: headerLines(request) };
}

function toUrl({ address, port, family }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
