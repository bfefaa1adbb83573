import type { Socket } from 'node:net';
import { type buildConnector, Client, EnvHttpProxyAgent, Pool, type Dispatcher } from 'undici';
import { markProxyError } from './connection-faults.ts';
import { openedAtOf } from './warm-connections.ts';

export const connectTimeoutMs = 5_000;
const clientOptions = {
  pipelining: 1,
  allowH2: false,
  headersTimeout: 0,
  bodyTimeout: 0,
  maxHeaderSize: 16_384,
} satisfies Client.Options;

export type Request = Dispatcher.DispatchOptions & { readonly origin: string };

/** One connection of a pool. */
export interface Connection {
  readonly client: Client;
  /** Requests since its socket was opened, that for which it was opened included. */
  requests: number;
  /** The first error of its socket, such as a TLS alert. undici reports only that of a later write, or of the end. */
  error: Error | undefined;
  /**
   * The controller of its response while that is paused. A service that closes the connection ends the pause: undici would
   * discard the response, even where it has arrived completely.
   */
  paused: Dispatcher.DispatchController | undefined;
  /** Closes the socket, with all that may still arrive on it. The next request opens a new one. */
  readonly close: () => void;
  /** Whether it has reached its greatest age, so that it must not carry another request. */
  readonly isOld: () => boolean;
}

/** undici's handler of one request, with the connection that carries it. */
export interface Handler extends Dispatcher.DispatchHandler {
  connection: Connection | undefined;
}

/** The proxy for the service, and the hosts that are reached without it, as in HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
export interface EgressProxy {
  readonly url: string;
  readonly except: string;
}

/** Creates pools of connections to one origin, or agents that lead to one through the proxy. */
export function createPoolFactory(origin: string, maxAgeMs: number, proxy: EgressProxy | undefined) {
  return (
    connect: buildConnector.connector,
    options: Pool.Options,
    onAssigned?: () => void,
  ): Pool | EnvHttpProxyAgent => {
    const poolBy = (connector: buildConnector.connector): Pool =>
      new Pool(origin, {
        ...clientOptions,
        ...options,
        connect: connector,
        factory: (address, poolOptions) =>
          createConnection(address, { ...poolOptions, connect: connector }, maxAgeMs, onAssigned).client,
      });
    if (proxy === undefined) return poolBy(connect);
    const { url: uri, except: noProxy } = proxy;
    // A tunnel for http too, since a request may be sent over a connection without the agent, which would rewrite it.
    // The agent's options carry the connector that opens a tunnel, or none for a host without the proxy.
    const factory = (_: URL | string, { connect: tunnel }: { readonly connect?: buildConnector.connector }): Pool =>
      poolBy(tunnel ?? connect);
    const proxies = { httpProxy: uri, httpsProxy: uri, noProxy };
    return new EnvHttpProxyAgent({ ...proxies, proxyTunnel: true, factory, clientFactory: createProxyClient });
  };
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

/** Creates a connection. `onAssigned` is called when its pool, and no preference, has chosen it for a request. */
function createConnection(
  address: URL,
  options: Client.Options & { readonly connect: buildConnector.connector },
  maxAgeMs: number,
  onAssigned?: () => void,
): Connection {
  let socket: Socket | null = null;
  let openedAt = 0;
  const connect: buildConnector.connector = (target, onConnect) => {
    connection.error = undefined;
    options.connect(target, (...result) => {
      socket = result[1];
      socket?.once('error', (error) => {
        connection.error = error;
      });
      // Before undici's own listener, which is added when the connection is handed over.
      socket?.once('end', () => connection.paused?.resume());
      socket?.once('close', () => {
        connection.paused = undefined;
      });
      openedAt = (socket && openedAtOf(socket)) ?? performance.now();
      connection.requests = 1;
      onConnect(...result);
    });
  };
  const client = new Client(address, { ...options, connect });
  const connection: Connection = {
    client,
    requests: 0,
    error: undefined,
    paused: undefined,
    close: () => socket?.destroy(),
    isOld: () => performance.now() - openedAt > maxAgeMs,
  };
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (request: Request, handler: Handler) => {
    if (handler.connection === undefined) onAssigned?.();
    handler.connection = connection;
    connection.requests += 1;
    return dispatch(request, handler);
  };
  return connection;
}
