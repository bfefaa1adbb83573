import { performance } from 'node:perf_hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError } from '../domain/errors.ts';
import { toGatewayErrorBody } from './error-body.ts';

/** Hard cap of concurrent requests: each one that waits for the service holds memory. */
const maxRequestsInFlight = 1_000;
/**
 * While overloaded, the limit is the number of requests completed in the last 250 ms, so that by Little's law latency
 * stays near 250 ms, whatever each request costs.
 */
const paceMs = 250;
/** A page with many queries must not be refused by a process that has just started. */
const minInFlight = 32;
/** Factors by which the limit moves at each sample, so that one busy or idle sample alone changes little. */
const decrease = 0.5;
const increase = 1.25;
/** Share of the time in which the event loop is busy. */
const busyUtilization = 0.95;
/** A process that gets too little CPU time runs late although its event loop is not busy. */
const busyLatenessMs = 250;
const sampleIntervalMs = 100;
const retryAfterSeconds = 1;

/** The refusal's body, serialized once: the text before and after the request id, which needs no escaping. */
const [beforeId = '', afterId = ''] = JSON.stringify(
  toGatewayErrorBody(new GatewayError('OVERLOADED', { retryable: true, retryAfterSeconds }), '{id}'),
).split('{id}');

export interface OverloadProtection {
  readonly inFlight: () => number;
}

/** Refuses requests to these routes while the process is overloaded: 503 OVERLOADED with Retry-After, body unread. */
export function mountOverloadProtection(routes: FastifyInstance, onRejection: () => void): OverloadProtection {
  let inFlight = 0;
  const pace = createPace();
  const isBusy = createBusySampler();
  let limit = maxRequestsInFlight;
  const adapt = (): void => {
    const next = isBusy() ? Math.max(limit * decrease, pace.completed(), minInFlight) : limit * increase;
    limit = Math.min(next, maxRequestsInFlight);
  };
  const adapting = setInterval(adapt, sampleIntervalMs).unref();
  routes.addHook('onClose', () => clearInterval(adapting));
  const refuse = ({ id: requestId }: FastifyRequest, reply: FastifyReply): void => {
    onRejection();
    void reply
      .code(503)
      .header('retry-after', retryAfterSeconds)
      .type('application/json; charset=utf-8')
      .send(`${beforeId}${requestId}${afterId}`);
  };

  const onEnd = (): void => {
    inFlight -= 1;
    pace.finish();
  };

  routes.addHook('onRequest', (request, reply, next) => {
    if (inFlight >= limit) refuse(request, reply);
    else next();
  });
  // Counted once the body has arrived: slow clients must not use up the limit.
  routes.addHook('preValidation', (_, reply, next) => {
    inFlight += 1;
    reply.raw.on('close', onEnd);
    next();
  });
  return { inFlight: () => inFlight };
}

/** Returns whether the process was overloaded since the previous call, one sample interval ago. */
function createBusySampler(): () => boolean {
  let before = performance.eventLoopUtilization();
  let sampledAt = performance.now();
  return () => {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, before);
    const now = performance.now();
    const lateMs = now - sampledAt - sampleIntervalMs;
    before = current;
    sampledAt = now;
    return utilization > busyUtilization || lateMs > busyLatenessMs;
  };
}

/** Counts completed requests in intervals of `paceMs`. */
function createPace() {
  let interval = 0;
  let completed = 0;
  let previous = 0;
  const roll = (): void => {
    const now = Math.floor(performance.now() / paceMs);
    if (now === interval) return;
    previous = now === interval + 1 ? completed : 0;
    completed = 0;
    interval = now;
  };
  return {
    finish: (): void => {
      roll();
      completed += 1;
    },
    /** Requests completed in the last whole interval, or in the current one if that is already more. */
    completed: (): number => {
      roll();
      return Math.max(previous, completed);
    },
  };
}
