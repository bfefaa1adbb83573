import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const maxRequestsInFlight = 1_000;
/** A process whose event loop lags this much answers everybody late: better some at once than all late. */
const maxEventLoopDelayMs = 500;
const sampleIntervalMs = 200;
const retryAfterSeconds = 1;

const message = 'The gateway has more to do than it can finish in time. Nothing was sent.';

export interface Admission {
  readonly inFlight: () => number;
}

/**
 * Refuses requests at the path, at once and unread, while the process has more to do than it can finish: 503 OVERLOADED
 * with Retry-After.
 */
export async function mountAdmission(app: FastifyInstance, path: string, onRejection: () => void): Promise<Admission> {
  let inFlight = 0;
  const refuse = (request: FastifyRequest, reply: FastifyReply): void => {
    onRejection();
    const extensions = { code: 'OVERLOADED', retryable: true, retryAfterSeconds, requestId: request.id };
    void reply
      .code(503)
      .header('retry-after', retryAfterSeconds)
      .send({ errors: [{ message, extensions }] });
  };
  const isAtPath = (request: FastifyRequest): boolean => request.routeOptions.url === path;

  await app.register(underPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    sampleInterval: sampleIntervalMs,
    pressureHandler: (request, reply) => {
      if (isAtPath(request)) refuse(request, reply);
    },
  });
  app.addHook('onRequest', (request, reply, next) => {
    if (!isAtPath(request)) next();
    else if (inFlight >= maxRequestsInFlight) refuse(request, reply);
    else {
      inFlight += 1;
      reply.raw.once('close', () => (inFlight -= 1));
      next();
    }
  });
  return { inFlight: () => inFlight };
}
