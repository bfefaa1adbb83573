import type { AddressInfo } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from './config/config.ts';
import { createContextFactory } from './graphql/context.ts';
import { mountHealth, startAdmin, type AdminOptions, type AdminServer } from './http/admin-server.ts';
import { mountOverloadProtection } from './http/overload-protection.ts';
import { createApp, refuseOtherMethods } from './http/app.ts';
import { mountCors } from './http/cors.ts';
import { graphqlHandler } from './http/graphql-handler.ts';
import { createDocumentSource } from './http/persisted-queries.ts';
import { mountDrain } from './http/graceful-shutdown.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { watchReadiness } from './http/readiness.ts';
import { createRequestLog } from './telemetry/request-log.ts';
import { createRouterCheck } from './http/router-secret.ts';
import { sandboxPlugin, type SandboxStart } from './graphql/sandbox.ts';
import { startTracing } from './telemetry/opentelemetry.ts';
import { readTrustedDocuments } from './http/trusted-documents-file.ts';
import { trackRequests } from './http/request-lifecycle.ts';
import { GatewayError } from './domain/errors.ts';
import { createApollo } from './graphql/apollo-server.ts';
import { headerLines } from './http/raw-headers.ts';
import type { Logger } from './runtime/log.ts';
import { withBudget } from './upstream/calls/call-budget.ts';
import { connectUpstream } from './upstream/connect.ts';
import type { Contract } from './contract/contract.ts';
import { combineObservers, type CallObserver } from './upstream/calls/call-observer.ts';
import { createOperations } from './upstream/operations.ts';
import { passTraceOn } from './upstream/wire/trace-context.ts';

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

/** Starts the gateway and resolves once it listens. */
export async function startServer(options: ServerOptions): Promise<GatewayServer> {
  const { config, upstream, log, sandboxStart } = options;
  const hasRouterSecret = createRouterCheck(config.routerSecret);
  const isRouter = ({ raw }: FastifyRequest): boolean => hasRouterSecret(headerLines(raw));
  const { preHandler, isTrusted } = readDocuments(config, isRouter);
  const requestLog = createRequestLog(log);
  const metrics = createMetrics(isTrusted);
  const behind = await connectBehind(options, [requestLog.observer, metrics.observer]);
  const { operations, contextFor } = behind;
  const readiness = watchReadiness(upstream);
  const app = createApp(config);
  // Before any request is refused: a page must be able to read why.
  await mountCors(app, config);
  const drain = mountDrain(app, { sharesPort: config.reusePort, requestTimeoutMs: config.requestTimeoutMs });
  const apollo = createApollo({
    config,
    operations,
    log,
    listeners: [requestLog.listener, metrics.listener],
    onFallback: metrics.onFallback,
    sandbox: sandboxPlugin(!config.isProduction, sandboxStart),
  });
  await apollo.start();
  await app.register(async (routes) => {
    const createContext = (request: FastifyRequest) =>
      contextFor({ requestId: request.id, isRouter: isRouter(request), headers: headerLines(request.raw) });
    const contextOf = trackRequests(routes, createContext, [requestLog.onClosed, metrics.onClosed]);
    routes.addHook('onError', async (_, _reply, error) => {
      if (error instanceof GatewayError) metrics.onRejection(error.code);
    });
    const overload = mountOverloadProtection(routes, () => metrics.onRejection('OVERLOADED'));
    const measured = Object.values(operations).filter((value) => 'name' in value);
    metrics.measure({ operations: measured, state: behind.state, requestsInFlight: overload.inFlight });
    const method = config.isProduction ? ['POST'] : ['GET', 'POST'];
    const handler = graphqlHandler(apollo, contextOf);
    routes.route({ method, url: graphqlPath, exposeHeadRoute: false, preHandler, handler });
    refuseOtherMethods(routes, graphqlPath, method);
  });
  mountHealth(app, readiness);
  if (!config.isProduction) app.get('/', async (_, reply) => reply.redirect(graphqlPath));
  // Fastify hands its options to Node as they are, but its types do not know this one.
  const address = { host: config.host, port: config.port, reusePort: config.reusePort };
  const stop = async (delayMs = 0): Promise<void> => {
    readiness.stop();
    await drain.end(delayMs);
    await apollo.stop();
    await behind.close();
  };
  const listen = async (): Promise<AdminServer | undefined> => {
    await app.listen(address);
    return startAdminIfFree({ config, metrics, readiness, log });
  };
  const admin = await listen().catch(async (error: unknown) => {
    // Else an open store would keep alive a process that serves nothing.
    await stop();
    throw error;
  });
  const close = async (delayMs = 0): Promise<void> => {
    await stop(delayMs);
    await admin?.close();
  };
  let closed: Promise<void> | undefined;
  return {
    url: toUrl(app.server.address() as AddressInfo), // a TCP server's address is one
    adminPort: admin?.port,
    close: (delayMs) => (closed ??= close(delayMs)),
  };
}

/** What stands behind GraphQL: the operations, the way to the service, and who hears of what goes there. */
async function connectBehind({ config, contract, upstream, log }: ServerOptions, observers: readonly CallObserver[]) {
  const connected = await connectUpstream({ config, contract, upstream, log, observer: combineObservers(observers) });
  const tracing = config.tracing === undefined ? undefined : await startTracing(config.tracing);
  const operations = createOperations(contract);
  const contextFor = createContextFactory({
    operations,
    caller: withBudget(connected.caller, config.maxUpstreamCalls),
    identify: connected.identify,
    startTrace: tracing?.start ?? passTraceOn,
    bearerHeader: config.bearerHeaderIn,
    privateKeyHeader: config.privateKeyHeaderIn,
    requestTimeoutMs: config.requestTimeoutMs,
  });
  const close = async (): Promise<void> => {
    await connected.close();
    await tracing?.close();
  };
  return { operations, contextFor, state: connected.state, close };
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

/** The hook that resolves trusted documents by their hash, and the test for their texts; nothing without a manifest. */
function readDocuments(
  { trustedDocumentsFile, trustedDocumentsOnly }: Config,
  isRouter: (request: FastifyRequest) => boolean,
) {
  if (trustedDocumentsFile === undefined) return { preHandler: [], isTrusted: () => false };
  const documents = readTrustedDocuments(trustedDocumentsFile);
  const preHandler = [createDocumentSource({ documents, isExclusive: trustedDocumentsOnly, isRouter })];
  return { preHandler, isTrusted: (text: string) => documents.texts.has(text) };
}

function toUrl({ address, port, family }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
