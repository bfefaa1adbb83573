import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** Maximum idle time: shorter than any server, or any device between, keeps a connection that has carried nothing. */
const maxIdleMs = 30_000;
/** After a failed attempt, and between the openings of a connection that the service closes. */
const retryMs = 5_000;
/** Delay before a taken connection is replaced: calls sent together open theirs first. */
const replaceMs = 100;

interface WarmConnections {
  /** Hands out a connection that is already open, else makes one. */
  readonly connect: buildConnector.connector;
  /** Resolves when the first connections are open, or could not be opened. */
  readonly opened: Promise<unknown>;
  readonly close: () => void;
}

const openedAt = new WeakMap<Socket, number>();

/** When a connection that was kept open was opened, in ms of `performance.now()`. */
export const openedAtOf = (socket: Socket): number | undefined => openedAt.get(socket);

/** Keeps a number of connections open and unused, so that a call does not wait for a handshake. */
export function createWarmConnections(
  connect: buildConnector.connector,
  { protocol, hostname, host, port }: URL,
  count: number,
  onError: (error: Error) => void,
): WarmConnections {
  /** From the oldest to the newest, each with the function that removes its listeners and its timer. */
  const idle = new Map<Socket, () => void>();
  // An IPv6 address stands in brackets in a URL only.
  const target: buildConnector.Options = { protocol, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), host, port };
  let isClosed = false;

  const openIn = (waitMs: number, replaced?: Socket): NodeJS.Timeout =>
    setTimeout(() => void open(replaced), waitMs).unref();

  const takeOldest = (): Socket | undefined => {
    const [[socket, release] = []] = idle;
    release?.();
    return socket;
  };

  const keep = (socket: Socket): void => {
    const keptAt = performance.now();
    const drop = (): void => {
      release();
      socket.destroy();
      openIn(Math.max(0, keptAt + retryMs - performance.now()));
    };
    // Replaced by a new connection, after a random time, so that not all are renewed at once.
    const renewal = openIn(maxIdleMs * (1 - Math.random() / 4), socket);
    const release = (): void => {
      clearTimeout(renewal);
      idle.delete(socket);
      socket.removeListener('readable', drop).removeListener('close', drop).removeListener('error', onError);
    };
    // Data or an end that arrives before a request was sent makes the connection unusable.
    socket.once('readable', drop).once('close', drop).on('error', onError);
    openedAt.set(socket, keptAt);
    idle.set(socket, release);
    if (idle.size > count) takeOldest()?.destroy();
  };

  /** Opens a connection. `replaced`, an old one, is closed then if no call has taken it. */
  const open = (replaced?: Socket): Promise<void> =>
    new Promise((resolve) => {
      if (isClosed) return resolve();
      connect(target, (error, socket) => {
        if (error !== null) {
          onError(error);
          openIn(retryMs, replaced);
        } else if (isClosed) socket.destroy();
        else {
          if (replaced !== undefined && idle.has(replaced)) {
            idle.get(replaced)?.();
            replaced.destroy();
          }
          keep(socket);
        }
        resolve();
      });
    });

  return {
    connect: (options, onConnect) => {
      // A turn of the event loop, so that an end which has already arrived is seen.
      setImmediate(() => {
        const socket = takeOldest();
        if (socket === undefined) return connect(options, onConnect);
        openIn(replaceMs);
        onConnect(null, socket);
      });
    },
    opened: Promise.all(Array.from({ length: count }, () => open())),
    close: () => {
      isClosed = true;
      while (idle.size > 0) takeOldest()?.destroy();
    },
  };
}
