import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** Shorter than any server, or any device between, keeps a connection that has carried nothing. */
const maxIdleMs = 30_000;
const retryMs = 5_000;

export interface WarmConnections {
  /** Hands out a connection that is already open, else makes one. */
  readonly connect: buildConnector.connector;
  /** Resolves when the first connections are open, or could not be opened. */
  readonly opened: Promise<void>;
  readonly close: () => void;
}

/** Keeps a number of connections open and unused, so that a call does not wait for a handshake. */
export function createWarmConnections(
  connect: buildConnector.connector,
  { protocol, hostname, host, port }: URL,
  count: number,
  onError: (error: Error) => void,
): WarmConnections {
  /** Each with what takes its listeners and its timer off. */
  const idle = new Map<Socket, () => void>();
  const target: buildConnector.Options = { protocol, hostname, host, port };
  let isClosed = false;

  const openLater = (): void => {
    if (!isClosed) setTimeout(() => void open(), retryMs).unref();
  };

  const keep = (socket: Socket): void => {
    const drop = (): void => {
      release();
      socket.destroy();
      openLater();
    };
    const renewal = setTimeout(drop, maxIdleMs).unref();
    const release = (): void => {
      clearTimeout(renewal);
      idle.delete(socket);
      socket.removeListener('readable', drop).removeListener('close', drop);
    };
    // Whatever arrives before a request was sent, the end included, makes the connection useless.
    socket.once('readable', drop).once('close', drop);
    idle.set(socket, release);
  };

  const open = (): Promise<void> =>
    new Promise((resolve) => {
      if (isClosed) return resolve();
      connect(target, (error, socket) => {
        if (error !== null) {
          onError(error);
          openLater();
        } else if (isClosed) socket.destroy();
        else keep(socket.on('error', ignore));
        resolve();
      });
    });

  return {
    connect: (options, onConnect) => {
      // A turn of the event loop, so that an end which has already arrived is seen.
      setImmediate(() => {
        const [entry] = idle;
        if (entry === undefined) return connect(options, onConnect);
        const [socket, release] = entry;
        release();
        void open();
        onConnect(null, socket);
      });
    },
    opened: Promise.all(Array.from({ length: count }, open)).then(ignore),
    close: () => {
      isClosed = true;
      for (const [socket, release] of idle) {
        release();
        socket.destroy();
      }
    },
  };
}

function ignore(): void {}
