import { buildConnector } from 'undici';
import {
  connectTimeoutMs,
  createPoolFactory,
  type Connection,
  type EgressProxy,
  type Handler,
  type Request,
} from './pool.ts';
import { createWarmConnections } from './warm-connections.ts';

/** Maximum idle time of sockets for writes, shorter than any server's: a write must not meet one that is being closed. */
const writeIdleMs = 900;

export interface PoolOptions {
  /** Greatest number of sockets of each pool. */
  readonly connections: number;
  /** Connections that are opened at start and kept ready for reads. */
  readonly warmConnections: number;
  readonly maxAgeMs: number;
  readonly proxy: EgressProxy | undefined;
  readonly onConnectError: (error: Error) => void;
}

/** Two pools of connections to the service, one for reads and one for writes, each of at most `connections` sockets. */
export interface ConnectionPools extends Pick<PoolOptions, 'onConnectError'> {
  readonly origin: string;
  readonly send: (request: Request, handler: Handler, isWrite: boolean) => void;
  /** Sends over a connection of its own, which closes after the response. */
  readonly sendFresh: (request: Request, handler: Handler) => void;
  /**
   * Marks the connection that has just delivered a response as preferred: the next read that is sent synchronously from
   * its completion callback reuses it and bypasses the pool's search. Undefined ends that.
   */
  readonly preferConnection: (connection: Connection | undefined) => void;
  /** Resolves when the warm connections are open, or could not be opened. */
  readonly opened: Promise<unknown>;
  /** Ends all calls: those that must not be cut have ended before. */
  readonly close: () => Promise<void>;
}

/** A read that reuses the preferred connection. */
interface DirectRead {
  readonly connection: Connection;
  readonly request: Request;
  readonly handler: Handler;
}

/**
 * Creates the pools. Reuse of the connection that has just answered saves 13 % of the CPU at 51 calls and 7 % at 151
 * (docs/performance.md). As undici's own pool does, it waits one turn of the event loop before the next request, so that
 * a FIN or an unsolicited response that has already arrived is processed first. One that arrives while a request is in
 * flight is matched to that request by undici. The code that interprets an answer therefore checks that it fits the
 * request, and closes the connection if it does not.
 */
export function createConnectionPools(
  url: URL,
  { connections, warmConnections, maxAgeMs, proxy, onConnectError }: PoolOptions,
): ConnectionPools {
  const { origin } = url;
  const connectDirectly = keepSession(buildConnector({ timeout: connectTimeoutMs, allowH2: false }));
  const warm = createWarmConnections(connectDirectly, url, proxy === undefined ? warmConnections : 0, onConnectError);

  const createPool = createPoolFactory(origin, maxAgeMs, proxy);

  const onReadAssigned = (): void => {
    waitingInPool -= 1;
  };
  const reads = createPool(warm.connect, { connections }, onReadAssigned);
  const idleTimes = { keepAliveTimeout: writeIdleMs, keepAliveMaxTimeout: writeIdleMs };
  const writes = createPool(connectDirectly, { connections, ...idleTimes });
  const directReads: DirectRead[] = [];
  /** Reads that the pool has not assigned to a connection yet. */
  let waitingInPool = 0;
  let preferred: Connection | undefined;

  const sendByPool = (request: Request, handler: Handler): void => {
    waitingInPool += 1;
    reads.dispatch(request, handler);
  };
  /** Runs in the check phase (setImmediate), so that the poll phase of the next turn precedes the write. */
  const sendDirectReads = (): void => {
    for (const { connection, request, handler } of directReads.splice(0)) {
      // Reads that wait in the pool go first.
      const { client } = connection;
      if (waitingInPool > 0 || client.closed) sendByPool(request, handler);
      else {
        handler.connection = connection;
        client.dispatch(request, handler);
      }
    }
  };

  return {
    send: (request, handler, isWrite) => {
      if (isWrite) writes.dispatch(request, handler);
      else if (preferred === undefined) sendByPool(request, handler);
      else {
        if (directReads.push({ connection: preferred, request, handler }) === 1) setImmediate(sendDirectReads);
        preferred = undefined;
      }
    },
    sendFresh: (request, handler) => {
      const fresh = createPool(connectDirectly, { connections: 1 });
      fresh.dispatch(request, handler);
      void fresh.close();
    },
    preferConnection: (connection) => {
      preferred = connection;
    },
    origin,
    onConnectError,
    opened: warm.opened,
    close: async () => {
      warm.close();
      await Promise.all([reads.destroy(), writes.destroy()]);
    },
  };
}

/** Keeps the latest TLS session referenced: undici's connector holds it weakly, and a garbage collection would remove it. */
function keepSession(connect: buildConnector.connector): buildConnector.connector {
  const latest: { session?: Buffer } = {};
  return (target, onConnect) =>
    connect(target, (...result) => {
      result[1]?.on('session', (session: Buffer) => {
        latest.session = session;
      });
      onConnect(...result);
    });
}
