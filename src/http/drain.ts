import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';

const slackMs = 2_000;

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
  let requests = 0;
  let onNone = (): void => {};
  app.server.on('request', (_, response) => {
    requests += 1;
    response.on('close', () => {
      requests -= 1;
      if (requests === 0) onNone();
    });
  });
  app.addHook('onSend', (_, reply, payload, next) => {
    if (isStopping) reply.header('connection', 'close');
    next(null, payload);
  });
  return async (delayMs) => {
    isStopping = true;
    await delay(delayMs);
    const closed = app.close();
    const none = new Promise<void>((resolve) => (onNone = resolve));
    if (requests > 0) await Promise.race([none, delay(requestTimeoutMs + slackMs, undefined, { ref: false })]);
    // A connection that has sent nothing yet, such as a browser's, is not idle to Node.
    app.server.closeAllConnections();
    await closed;
  };
}
