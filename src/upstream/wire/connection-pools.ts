import type { Socket } from 'node:net';
import { buildConnector, Client, EnvHttpProxyAgent, Pool, type Dispatcher } from 'undici';
import { markProxyError } from './connection-faults.ts';

const connectTimeoutMs = 5_000;
/** Maximum idle time of sockets for writes, shorter than any server's: a write must not meet one that is being closed. */
const writeIdleMs = 900;
const clientOptions = {
  pipelining: 1,
  allowH2: false,
  headersTimeout: 0, // http-client.ts limits the whole call
  bodyTimeout: 0,
  maxHeaderSize: 16_384,
} satisfies Client.Options;

/** The proxy for the service, and the hosts that are reached without it, as in HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
interface EgressProxy {
  readonly url: string;
  readonly except: string;
}

export interface PoolOptions {
  /** Greatest number of sockets of each pool. */
  readonly connections: number;
  /** Age in milliseconds from which a connection is replaced. */
  readonly maxAgeMs?: number;
  readonly proxy?: EgressProxy | undefined;
}

/** One connection of a pool. */
export interface Connection {
  /** Requests since its socket was opened. */
  requests: number;
  /** The first error of its socket, such as a TLS alert. undici reports only that of a later write, or of the end. */
  error: Error | undefined;
  /** Closes the socket, with all that may still arrive on it. The next request opens a new one. */
  readonly close: () => void;
  /** Whether it has reached its greatest age, so that it must not carry another request. */
  readonly isOld: () => boolean;
}

/** undici's handler of one request, which is given the connection that carries it. */
export interface Handler extends Dispatcher.DispatchHandler {
  connection: Connection | undefined;
}

/** undici's pools: one for reads, one for writes, each of at most `connections` sockets. */
export interface ConnectionPools {
  readonly reads: Dispatcher;
  readonly writes: Dispatcher;
  /** Sends over a connection of its own, which closes after the response. */
  readonly sendFresh: (request: Dispatcher.DispatchOptions, handler: Handler) => void;
  /** Ends all calls: those that must not be cut have ended before. */
  readonly close: () => Promise<void>;
}

export function createConnectionPools(origin: string, options: PoolOptions): ConnectionPools {
  const { connections, maxAgeMs = Infinity, proxy } = options;
  // One for both pools, which then resume each other's TLS sessions.
  const connectDirectly = buildConnector({ timeout: connectTimeoutMs, allowH2: false });
  const createPool = (poolOptions: Pool.Options): Pool | EnvHttpProxyAgent => {
    const poolBy = (connect: buildConnector.connector): Pool =>
      new Pool(origin, {
        ...clientOptions,
        ...poolOptions,
        connect,
        // As the pool's own clientTtl, which looks at the clock for each of its connections at each call.
        factory: (address, clientSettings) => createConnection(address, clientSettings, maxAgeMs),
      });
    if (proxy === undefined) return poolBy(connectDirectly);
    return new EnvHttpProxyAgent({
      httpProxy: proxy.url,
      httpsProxy: proxy.url,
      noProxy: proxy.except,
      // A tunnel for http too: undici would rewrite a request that the proxy itself is asked for.
      proxyTunnel: true,
      // The agent's connector opens a tunnel; there is none for a host without the proxy.
      factory: (_: URL | string, { connect }: { readonly connect?: buildConnector.connector }) =>
        poolBy(connect ?? connectDirectly),
      clientFactory: createProxyClient,
    });
  };
  const reads = createPool({ connections });
  const writes = createPool({ connections, keepAliveTimeout: writeIdleMs, keepAliveMaxTimeout: writeIdleMs });
  return {
    reads,
    writes,
    sendFresh: (request, handler) => {
      const fresh = createPool({ connections: 1 });
      fresh.dispatch(request, handler);
      void fresh.close();
    },
    close: async () => {
      await Promise.all([reads.destroy(), writes.destroy()]);
    },
  };
}

/** A client of a pool, which is one connection: its handlers learn which one carries their request. */
function createConnection(origin: URL, options: object, maxAgeMs: number): Client {
  const { connect, ...others } = options as { readonly connect: buildConnector.connector }; // as the pool passes it
  let socket: Socket | null = null;
  let openedAt = 0;
  const connection: Connection = {
    requests: 0,
    error: undefined,
    close: () => socket?.destroy(),
    isOld: () => performance.now() - openedAt > maxAgeMs,
  };
  const client = new Client(origin, {
    ...others,
    connect: (target: buildConnector.Options, onConnect: buildConnector.Callback) =>
      connect(target, (...result) => {
        [, socket] = result;
        openedAt = performance.now();
        connection.requests = 1; // that for which it is opened
        connection.error = undefined;
        socket?.once('error', (error) => (connection.error = error));
        onConnect(...result);
      }),
  });
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (request: Dispatcher.DispatchOptions, handler: Handler) => {
    handler.connection = connection;
    connection.requests += 1;
    return dispatch(request, handler);
  };
  return client;
}

/** The connections to the proxy itself, whose errors are marked, as are those of its answers. */
function createProxyClient(address: URL, options: object): Pool {
  const { connect } = options as { readonly connect: buildConnector.connector }; // undici's own, as ProxyAgent passes it
  const pool = new Pool(address, {
    // Time limit of CONNECT: without it a connection that waits for a silent proxy would block every later call.
    headersTimeout: connectTimeoutMs,
    connect: (target, onConnect) =>
      connect(target, (...result) => {
        if (result[0] !== null) markProxyError(result[0]);
        onConnect(...result);
      }),
  });
  return pool.on('disconnect', (_, __, error) => markProxyError(error));
}
