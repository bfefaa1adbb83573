import type { IncomingMessage } from 'node:http';
import { Server } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * How long a process that shares its port keeps connections alive before it stops listening: its clients have then no
 * reason to open new ones, which would be reset if they still waited to be accepted.
 */
const quietMs = 250;
/** How long connections that are kept alive may still bring a request, which is answered, after nobody can connect. */
const lingerMs = 1_000;
/** How long those that wait to be accepted are let in at the most, if ever more of them come. */
const acceptingMs = 1_000;
/** Beyond its own deadline no request is worth waiting for. */
const slackMs = 2_000;

export interface DrainOptions {
  readonly sharesPort: boolean;
  readonly requestTimeoutMs: number;
}

export interface Drain {
  /**
   * Announces on every answer that its connection ends, goes on accepting for the delay, then stops listening and waits
   * for what is in flight: as long as a request may take, plus two seconds, at the most. Without a delay, idle
   * connections are cut at once.
   */
  readonly end: (delayMs: number) => Promise<void>;
}

/**
 * Closing a connection on which a body still arrives would reset it, and the answer with it. What has no body counts as
 * read even while its head is being parsed.
 */
const isRead = ({ complete, headers }: IncomingMessage): boolean =>
  complete || (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0');

/** Lets an HTTP server end without losing a request. */
export function mountDrain(app: FastifyInstance, { sharesPort, requestTimeoutMs }: DrainOptions): Drain {
  const { server } = app;
  let isAnnounced = false;
  let accepted = 0;
  let connections = 0;
  let requests = 0;
  let onLess = (): void => {};

  const onEnd = (): void => {
    requests -= 1;
    onLess();
  };
  server.on('connection', (socket) => {
    accepted += 1;
    connections += 1;
    socket.once('close', () => {
      connections -= 1;
      onLess();
    });
  });
  server.on('request', (_, response) => {
    requests += 1;
    response.on('close', onEnd);
  });
  app.addHook('onSend', (request, reply, payload, next) => {
    if (isAnnounced && isRead(request.raw)) reply.header('connection', 'close');
    next(null, payload);
  });

  const noneLeft = (count: () => number, withinMs: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      onLess = () => {
        if (count() > 0) return;
        clearTimeout(timer);
        resolve();
      };
      onLess();
    });

  const stopListening = (): void => {
    // The listening socket alone: the HTTP server's own close would cut connections that are about to be used.
    Server.prototype.close.call(server);
  };

  /** What still waits to be accepted when a listening socket is closed is reset, though another process shares its port. */
  const acceptAllThatWait = async (): Promise<void> => {
    const end = performance.now() + acceptingMs;
    let before: number;
    do {
      before = accepted;
      await nextTurn(); // of the event loop
    } while (accepted > before && performance.now() < end);
  };

  /** Lets connections come and go, until those that are left are hardly used. */
  const moveConnections = async (delayMs: number): Promise<void> => {
    await delay(delayMs);
    if (sharesPort) {
      isAnnounced = false;
      await delay(quietMs);
      await acceptAllThatWait();
    }
    stopListening();
    isAnnounced = true;
    await noneLeft(() => connections, lingerMs);
  };

  return {
    end: async (delayMs) => {
      isAnnounced = true;
      await (delayMs > 0 ? moveConnections(delayMs) : stopListening());
      const closed = app.close();
      await noneLeft(() => requests, requestTimeoutMs + slackMs);
      // What is left has brought no request, or one whose time is over.
      server.closeAllConnections();
      await closed;
    },
  };
}
