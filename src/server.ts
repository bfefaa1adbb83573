import type { AddressInfo } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from './config/config.ts';
import type { Contract } from './contract/contract.ts';
import { createApollo } from './graphql/apollo-server.ts';
import { createContextFactory, createSenderReader, type RequestInfo } from './graphql/context.ts';
import { recordingObserver } from './graphql/explain/call-recorder.ts';
import { sandboxPlugin } from './graphql/sandbox.ts';
import { createClientSchema, listRootFields } from './graphql/schema.ts';
import { mountHealth, startAdmin, watchReadiness } from './http/admin-server.ts';
import { createApp } from './http/app.ts';
import { mountCors } from './http/cors.ts';
import { mountDrain } from './http/drain.ts';
import { mountExplorer, type Demo } from './http/explorer/explorer.ts';
import { mountGraphql } from './http/graphql-route.ts';
import { parseJsonBodies } from './http/json-bodies.ts';
import { trackRequests } from './http/request-lifecycle.ts';
import { createRouterCheck, headerLines, mountRouterAnswers } from './http/router-secret.ts';
import { createTrustedDocuments } from './http/trusted-documents.ts';
import { createTurns } from './http/turns.ts';
import type { Logger } from './runtime/log.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { startTracing, traceObserver } from './telemetry/opentelemetry.ts';
import { createRequestLog } from './telemetry/request-log.ts';
import { withBudget } from './upstream/calls/call-budget.ts';
import { combineObservers, type CallObserver } from './upstream/calls/call-observer.ts';
import { connectUpstream, type Connected } from './upstream/connect.ts';
import { waitingCaller, type Sender } from './upstream/credentials/credentials.ts';
import { createOperations } from './upstream/operations.ts';
import { passTraceOn } from './upstream/wire/trace-context.ts';

interface ServerOptions {
  readonly config: Config;
  readonly contract: Contract;
  /** The service's base URL: `config.upstream`, or that of the embedded bank. */
  readonly upstream: URL;
  readonly log: Logger;
  /** What Sandbox and explorer begin with before the embedded bank. */
  readonly demo?: Demo | undefined;
}

export interface GatewayServer {
  /** Without a path: `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Undefined without an admin server. */
  readonly adminPort: number | undefined;
  /**
   * Ends readiness at once, goes on accepting for the delay, finishes the requests in flight (within the request timeout
   * plus two seconds) and the writes whose clients have left, and closes every socket.
   */
  readonly close: (delayMs?: number) => Promise<void>;
}

/** Starts the gateway and resolves once it listens. */
export async function startServer(options: ServerOptions): Promise<GatewayServer> {
  const { config, log } = options;
  const isRouter = createRouterCheck(config.routerSecret);
  const documents = createTrustedDocuments(config, isRouter);
  const mcp = config.mcp ? await loadMcp(options, documents.texts) : undefined;
  const requestLog = createRequestLog(log, documents.isTrusted);
  const metrics = createMetrics(documents.isTrusted, listRootFields(config.typePrefix), log);
  const backend = await connectBackend(options, [requestLog.observer, metrics.observer]);
  const { operations, senderOf } = backend;
  const readiness = watchReadiness(backend.isReachable);
  const app = createApp(config, log);
  // CORS comes before all refusals, so that a page can read them.
  await mountCors(app, config);
  const drain = mountDrain(app, config);
  const turns = createTurns((request) => waitingCaller(senderOf(request)), config.callsPerCaller);
  parseJsonBodies(app, config.maxUnreadBytes, turns);
  const apollo = createApollo({
    ...options,
    operations,
    listeners: [requestLog.listener, metrics.listener],
    onFallback: metrics.onFallback,
    sandbox: sandboxPlugin(!config.isProduction, options.demo),
  });
  await apollo.start();
  await app.register(async (routes) => {
    mountRouterAnswers(routes, isRouter);
    const { contextOf, requestsInFlight } = trackRequests(routes, {
      createContext: (request) =>
        backend.contextFor(toRequestInfo(request, senderOf(request), isRouter(request), config.isProduction)),
      onRefusal: metrics.onRefusal,
      onClosed: (closed) => {
        requestLog.onClosed(closed, senderOf(closed.request).identity.fingerprint);
        metrics.onClosed(closed);
        if (closed.context?.isCallerProven()) turns.prove(closed.request);
      },
    });
    metrics.measure({ operations: Object.values(operations), state: backend.state, requestsInFlight });
    mountGraphql(routes, config.isProduction, { apollo, contextOf, documents });
    mcp?.mount(routes, { apollo, contextOf });
  });
  mountHealth(app, readiness);
  if (!config.isProduction) mountExplorer(app, { ...options, operations });
  const stop = async (delayMs: number): Promise<void> => {
    readiness.stop();
    await drain(delayMs);
    await apollo.stop();
    await backend.close();
  };
  const listen = async () => {
    // Fastify passes its options on to Node, but its types lack `reusePort`.
    const address = { host: config.host, port: config.port, reusePort: config.reusePort };
    await app.listen(address);
    return startAdmin({ config, metrics, readiness, log });
  };
  const admin = await listen().catch(async (error: unknown) => {
    // An open store would keep the process alive.
    await stop(0);
    throw error;
  });
  let closing: Promise<void> | undefined;
  return {
    url: toUrl(app.server.address() as AddressInfo), // a TCP server's address is one
    adminPort: admin?.port,
    close: (delayMs = 0) => (closing ??= stop(delayMs).then(() => admin?.close())),
  };
}

/** Reads the tools for agents; its library is not loaded without them. */
async function loadMcp({ config, contract, log }: ServerOptions, texts: ReadonlySet<string>) {
  const { createMcp } = await import('./mcp/mcp.ts');
  const mcp = createMcp(texts, createClientSchema(config.typePrefix, contract));
  log.info({ tools: mcp.toolNames }, 'trusted queries are tools at /mcp');
  return mcp;
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

const senderKey = Symbol('sender');
type SentRequest = FastifyRequest & { [senderKey]?: Sender };

/** Creates the function that reads a request's sender, once for its turn and for its calls. */
function createSenderOf(config: Config, identify: Connected['identify']) {
  const readSender = createSenderReader(config, identify);
  return (request: SentRequest): Sender => (request[senderKey] ??= readSender(headerLines(request)));
}

function toRequestInfo(request: FastifyRequest, sender: Sender, isRouter: boolean, isProduction: boolean): RequestInfo {
  const explain = request.headers['x-explain'];
  const showsRequests = explain === 'requests' && !isProduction;
  const showsCalls = showsRequests || (explain === 'calls' && (isRouter || !isProduction));
  const shows = { isRouter, showsCalls, showsRequests };
  return { requestId: request.id, method: request.method, ...shows, sender, headers: headerLines(request) };
}

function toUrl({ address, port, family }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
