import { performance } from 'node:perf_hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError } from '../domain/errors.ts';
import { gatewayErrorBody } from './error-body.ts';
import { isAt } from './route-match.ts';

/** However idle the process: so many requests wait for the service, and each holds memory. */
const maxRequestsInFlight = 1_000;
/**
 * A busy process takes as many as it finished in so long: whoever it takes is answered in about that time, whatever its
 * requests cost, and few at a time are finished faster than many.
 */
const turnMs = 250;
/** A page that asks many things at once must not find a process that has just started unable to take them. */
const fewestInFlightWhenBusy = 32;
/**
 * Sample by sample: a process that was busy for one sample among many is not overloaded, nor is an overloaded one free
 * because it rested for one.
 */
const narrowing = 0.5;
const widening = 1.25;
/** The part of the time in which the event loop has no rest. */
const busyUtilization = 0.95;
/** A process that is given too little of a processor is late without being busy by its own account. */
const busyLatenessMs = 250;
const sampleIntervalMs = 100;
const retryAfterSeconds = 1;

/** What a refused request reads, made once: what stands before its id, which needs no escaping, and after it. */
const [beforeId = '', afterId = ''] = JSON.stringify(
  gatewayErrorBody(new GatewayError('OVERLOADED', { retryable: true, retryAfterSeconds }), '{id}'),
).split('{id}');

export interface Admission {
  readonly inFlight: () => number;
}

/**
 * Refuses requests at the path, at once and unread, while the process has more to do than it can finish: 503 OVERLOADED
 * with Retry-After.
 */
export function mountAdmission(app: FastifyInstance, path: string, onRejection: () => void): Admission {
  let inFlight = 0;
  const pace = createPace();
  const isBusy = createPressure();
  let limit = maxRequestsInFlight;
  const adapt = (): void => {
    const next = isBusy() ? Math.max(limit * narrowing, pace.inTurn(), fewestInFlightWhenBusy) : limit * widening;
    limit = Math.min(next, maxRequestsInFlight);
  };
  const adapting = setInterval(adapt, sampleIntervalMs).unref();
  app.addHook('onClose', () => clearInterval(adapting));
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

  app.addHook('onRequest', (request, reply, next) => {
    if (!isAt(request, path)) next();
    else if (inFlight >= limit) refuse(request, reply);
    else next();
  });
  // Counted once it has arrived: else clients that send slowly would take the places of those that do not.
  app.addHook('preValidation', (request, reply, next) => {
    if (isAt(request, path)) {
      inFlight += 1;
      reply.raw.on('close', onEnd);
    }
    next();
  });
  return { inFlight: () => inFlight };
}

/** Says of the time since it was asked last, a sample's interval ago, whether the process had more to do than it can. */
function createPressure(): () => boolean {
  let before = performance.eventLoopUtilization();
  let askedAt = performance.now();
  return () => {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, before);
    const now = performance.now();
    const lateMs = now - askedAt - sampleIntervalMs;
    before = current;
    askedAt = now;
    return utilization > busyUtilization || lateMs > busyLatenessMs;
  };
}

/** Counts what is finished, turn by turn. */
function createPace() {
  let turn = 0;
  let finished = 0;
  let before = 0;
  const roll = (): void => {
    const now = Math.floor(performance.now() / turnMs);
    if (now === turn) return;
    before = now === turn + 1 ? finished : 0;
    finished = 0;
    turn = now;
  };
  return {
    finish: (): void => {
      roll();
      finished += 1;
    },
    /** In the last whole turn, or in this one, if that is more already. */
    inTurn: (): number => {
      roll();
      return Math.max(before, finished);
    },
  };
}
