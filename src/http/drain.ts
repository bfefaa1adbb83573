import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';

const slackMs = 2_000;
const pollMs = 10;

/**
 * Returns the function that stops the server: from then on `connection: close` goes with every answer. After the delay, in
 * which a balancer sees that the process is not ready and sends nothing more, Fastify stops listening. The requests in
 * flight are finished, at most for the request timeout plus two seconds, and then every connection is closed.
 */
export function mountDrain(
  app: FastifyInstance,
  { requestTimeoutMs }: Pick<Config, 'requestTimeoutMs'>,
): (delayMs: number) => Promise<void> {
  let isStopping = false;
  const inFlight = { requests: 0 };
  app.server.on('request', (_, response) => {
    inFlight.requests += 1;
    response.on('close', () => (inFlight.requests -= 1));
  });
  app.addHook('onSend', (_, reply, payload, next) => {
    if (isStopping) reply.header('connection', 'close');
    next(null, payload);
  });
  return async (delayMs) => {
    isStopping = true;
    await delay(delayMs);
    const closed = app.close();
    const endsAt = performance.now() + requestTimeoutMs + slackMs;
    while (inFlight.requests > 0 && performance.now() < endsAt) await delay(pollMs);
    // A connection that has sent nothing yet, such as a browser's, is not idle to Node.
    app.server.closeAllConnections();
    await closed;
  };
}
