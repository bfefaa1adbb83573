import type { IncomingMessage } from 'node:http';
import { Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { openAnswers } from '../malformed-requests.ts';
import type { Config } from '../../config/config.ts';
import { whenNoneWaits } from './listen-queue.ts';

/**
 * How long a process that shares its port keeps connections alive before it stops listening: its clients then open no
 * new ones, which would be reset if they were not accepted yet.
 */
const quietMs = 250;
/** How long open connections may still send requests after the process stopped listening. */
const lingerMs = 1_000;
/** Added to the request timeout, after which no request is waited for. */
const slackMs = 2_000;

/**
 * Stops an HTTP server without losing a request. It sends `connection: close` with every answer, accepts connections for
 * the delay, then stops listening and waits for the requests in flight, at most for the request timeout plus two
 * seconds. Without a delay (`undefined`, not 0), it stops listening and cuts idle connections at once.
 */
type Drain = (delayMs: number | undefined) => Promise<void>;

/**
 * Whether the body has arrived: closing the connection before would reset it and lose the answer. A request without a
 * body is complete even while its head is being parsed.
 */
const hasArrived = ({ complete, headers }: IncomingMessage): boolean =>
  complete || (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0');

export function mountDrain(
  app: FastifyInstance,
  { reusePort, requestTimeoutMs }: Pick<Config, 'reusePort' | 'requestTimeoutMs'>,
): Drain {
  const { server } = app;
  let isClosing = false;
  let connections = 0;
  let requests = 0;
  let onDecrease = (): void => {};

  const onEnd = (): void => {
    requests -= 1;
    onDecrease();
  };
  server.on('connection', (socket) => {
    connections += 1;
    socket.once('close', () => {
      connections -= 1;
      onDecrease();
    });
  });
  server.on('request', (_, response) => {
    requests += 1;
    response.on('close', onEnd);
  });
  app.addHook('onSend', (request, reply, payload, next) => {
    // A client may send several requests before the first is answered: the connection ends with the last answer.
    if (isClosing && hasArrived(request.raw) && openAnswers(request.raw.socket).at(-1) === reply.raw)
      reply.header('connection', 'close');
    next(null, payload);
  });

  const waitForNone = (count: () => number, withinMs: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      onDecrease = () => {
        if (count() > 0) return;
        clearTimeout(timer);
        resolve();
      };
      onDecrease();
    });

  const stopListening = (): void => {
    // `close` of the HTTP server would also cut idle connections, on which requests may be under way.
    Server.prototype.close.call(server);
  };

  /** Lets clients move to other processes, until few connections are left. */
  const drainConnections = async (delayMs: number): Promise<void> => {
    await delay(delayMs);
    if (reusePort) {
      isClosing = false;
      await delay(quietMs);
    }
    await whenNoneWaits(server, stopListening);
    isClosing = true;
    await waitForNone(() => connections, lingerMs);
  };

  return async (delayMs) => {
    isClosing = true;
    await (delayMs === undefined ? stopListening() : drainConnections(delayMs));
    const closed = app.close();
    await waitForNone(() => requests, requestTimeoutMs + slackMs);
    // The remaining connections have no request, or one after its deadline.
    server.closeAllConnections();
    await closed;
  };
}
