import type { Socket } from 'node:net';
import { buildConnector, Client, Pool, type Dispatcher } from 'undici';

const connectTimeoutMs = 5_000;
/** Shorter than any server keeps an idle socket: a write must not meet one that is being closed. */
const writeIdleMs = 900;

const clientOptions = {
  pipelining: 1,
  allowH2: false,
  headersTimeout: 0,
  bodyTimeout: 0,
  maxHeaderSize: 16_384,
} satisfies Client.Options;

type Request = Dispatcher.DispatchOptions;

/** One connection of a pool. */
export interface Connection {
  readonly client: Client;
  /** Closes the socket, with all that may still arrive on it. The next request opens a new one. */
  readonly close: () => void;
}

/** undici's handler of one request, with the connection that carries it. */
export interface Handler extends Dispatcher.DispatchHandler {
  connection: Connection | undefined;
}

/** Two pools of connections to the service, one for reads and one for writes, each of at most `connections` sockets. */
export interface ConnectionPools {
  readonly send: (request: Request, handler: Handler, isWrite: boolean) => void;
  /** Sends over a connection of its own, which closes after the response. */
  readonly sendFresh: (request: Request, handler: Handler) => void;
  /**
   * Marks the connection that has just delivered a response as preferred: the next read that is sent synchronously from
   * its completion callback reuses it and bypasses the pool's search. `clearPreference` ends that.
   */
  readonly preferConnection: (connection: Connection | undefined) => void;
  readonly clearPreference: () => void;
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
 * flight cannot be noticed by a pool: undici matches it to that request. So whoever interprets an answer checks whether it
 * fits the question, and closes the connection where it does not.
 */
export function createConnectionPools(origin: string, connections: number): ConnectionPools {
  const connect = buildConnector({ timeout: connectTimeoutMs, allowH2: false });
  const options = { ...clientOptions, connect, connections };
  const reads = new Pool(origin, {
    ...options,
    factory: (address, poolOptions) => {
      const onAssigned = (): void => {
        waitingInPool -= 1;
      };
      return createConnection(address, { ...poolOptions, connect }, onAssigned).client;
    },
  });
  const writes = new Pool(origin, {
    ...options,
    keepAliveTimeout: writeIdleMs,
    keepAliveMaxTimeout: writeIdleMs,
    factory: (address, poolOptions) => createConnection(address, { ...poolOptions, connect }).client,
  });
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
      if (waitingInPool > 0 || client.closed || client.destroyed) sendByPool(request, handler);
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
      const client = new Client(origin, { ...clientOptions, connect });
      client.dispatch(request, handler);
      void client.close();
    },
    preferConnection: (connection) => {
      preferred = connection;
    },
    clearPreference: () => {
      preferred = undefined;
    },
    close: async () => {
      // Writes in flight run to their own end, which their time limits bound.
      await Promise.all([reads.destroy(), writes.close()]);
    },
  };
}

/** Creates a connection. `onAssigned` is called when its pool, and no preference, has chosen it for a request. */
function createConnection(
  address: URL,
  options: Client.Options & { readonly connect: buildConnector.connector },
  onAssigned?: () => void,
): Connection {
  let socket: Socket | null = null;
  const connect: buildConnector.connector = (target, onConnect) =>
    options.connect(target, (...result) => {
      socket = result[1];
      onConnect(...result);
    });
  const client = new Client(address, { ...options, connect });
  const connection: Connection = { client, close: () => socket?.destroy() };
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (request: Request, handler: Handler) => {
    if (handler.connection === undefined) onAssigned?.();
    handler.connection = connection;
    return dispatch(request, handler);
  };
  return connection;
}
