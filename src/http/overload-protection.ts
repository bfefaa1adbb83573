import { performance } from 'node:perf_hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError } from '../domain/errors.ts';
import { toGatewayErrorBody } from './error-body.ts';

/** Upper bound of the limit below; twice as many is the hard cap, since each request that waits holds memory. */
const maxRequestsInFlight = 1_000;
/**
 * While overloaded, the limit falls, at most by half a sample, to the number of requests completed in 250 ms: by Little's
 * law latency then stays near 250 ms, whatever each request costs.
 */
const paceMs = 250;
/** Lower bound of the limit, so that a process that has just started does not refuse a page with many queries. */
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
/** Concurrent requests of one caller, however idle the process is: about four times its calls in flight by default. */
const maxPerCaller = 250;
/** Share of the limit that one caller may hold beside others. */
const callerShare = 0.75;
/** Lower bound of `perCaller` for a caller without delayed refusals, however busy the process is. */
const minPerCaller = 16;
/** How long the limits of several callers apply after a request of another caller than the one before it. */
const presenceMs = 1_000;
/**
 * Delay of a refusal to a caller that holds its share already: a client that repeats at once would keep the process busy
 * with refusals. At most `maxDelayed` refusals wait.
 */
const refusalDelayMs = 500;
/** The delay once `perCaller` is below `minPerCaller`: the process is still overloaded, so the refusals are the load. */
const longRefusalDelayMs = 2_000;
const maxDelayed = 1_000;

/** The refusal's body, serialized once: the text before and after the request id, which needs no escaping. */
const [beforeId = '', afterId = ''] = JSON.stringify(
  toGatewayErrorBody(new GatewayError('OVERLOADED', { retryable: true, retryAfterSeconds }), '{id}'),
).split('{id}');

interface Share {
  places: number;
  /** Refusals that wait for their delay to end. */
  delayed: number;
}

/**
 * Refuses requests to these routes while the process is overloaded: 503 OVERLOADED with Retry-After, body unread. The
 * callers that hold most places are refused first: one with less than its equal part of the limit is let in above it.
 * Returns the function that counts the requests in flight.
 */
export function mountOverloadProtection(
  routes: FastifyInstance,
  callerOf: (request: FastifyRequest) => string,
): () => number {
  const places = createPlaces(routes);
  const refuse = ({ id: requestId }: FastifyRequest, reply: FastifyReply): void => {
    void reply
      .code(503)
      .header('retry-after', retryAfterSeconds)
      .type('application/json; charset=utf-8')
      .send(`${beforeId}${requestId}${afterId}`);
  };
  const refuseLate = (caller: string, request: FastifyRequest, reply: FastifyReply): void => {
    places.delay(caller, 1);
    // Spread out: refusals that are sent together are repeated together.
    const delayMs = places.refusalDelayMs() * (1 + Math.random());
    setTimeout(() => {
      places.delay(caller, -1);
      refuse(request, reply);
    }, delayMs);
  };
  const admit = (caller: string, request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    if (places.areFree(caller)) next();
    else if (places.mayDelay(caller)) refuseLate(caller, request, reply);
    else refuse(request, reply);
  };

  routes.addHook('onRequest', (request, reply, next) => {
    const caller = callerOf(request);
    places.see(caller);
    admit(caller, request, reply, next);
  });
  // Checked again and counted once the body has arrived: neither slow clients nor a burst of requests may use up the
  // limit.
  routes.addHook('preValidation', (request, reply, next) => {
    const caller = callerOf(request);
    admit(caller, request, reply, () => {
      places.take(caller);
      // Kept to the end of this turn of the event loop: otherwise requests answered within it would never add up,
      // however many of one caller come before those of another.
      reply.raw.on('close', () => setImmediate(places.leave, caller));
      next();
    });
  });
  return places.inFlight;
}

/** Counts the requests in flight of each caller, a place each, and adapts the limits to the load. */
function createPlaces(routes: FastifyInstance) {
  let inFlight = 0;
  let delayed = 0;
  const shares = new Map<string, Share>();
  const presence = createPresence();
  const pace = createPace();
  const isBusy = createBusySampler();
  let limit = maxRequestsInFlight;
  /** Limit of one caller: halved at each overloaded sample while several callers are present, else raised again. */
  let perCaller = maxPerCaller;
  const adapt = (): void => {
    const busy = isBusy();
    const next = busy ? Math.max(limit * decrease, pace.completed(), minInFlight) : limit * increase;
    limit = Math.min(next, maxRequestsInFlight);
    const isCrowd = busy && presence.isShared();
    perCaller = isCrowd ? Math.max(perCaller * decrease, 1) : Math.min(perCaller * increase, maxPerCaller);
  };
  const adapting = setInterval(adapt, sampleIntervalMs).unref();
  routes.addHook('onClose', () => clearInterval(adapting));

  const shareOf = (caller: string): Share => shares.get(caller) ?? { places: 0, delayed: 0 };
  const change = (caller: string, name: keyof Share, by: 1 | -1): void => {
    const share = shareOf(caller);
    share[name] += by;
    if (share.places + share.delayed === 0) shares.delete(caller);
    else shares.set(caller, share);
  };
  const isOverShare = (share: Share): boolean => {
    const crowded = share.delayed > 0 ? perCaller : Math.max(perCaller, minPerCaller);
    return share.places >= Math.floor(Math.min(crowded, presence.isShared() ? limit * callerShare : limit));
  };
  return {
    inFlight: () => inFlight,
    see: presence.see,
    /** Whether the caller may have one more: below the limit, or above it with less than its equal part. */
    areFree: (caller: string): boolean => {
      const share = shareOf(caller);
      if (isOverShare(share) || inFlight >= 2 * maxRequestsInFlight) return false;
      return inFlight < limit || share.places < Math.floor(limit / Math.max(shares.size, 1));
    },
    refusalDelayMs: () => (perCaller < minPerCaller ? longRefusalDelayMs : refusalDelayMs),
    mayDelay: (caller: string): boolean => isOverShare(shareOf(caller)) && delayed < maxDelayed,
    delay: (caller: string, by: 1 | -1): void => {
      delayed += by;
      change(caller, 'delayed', by);
    },
    take: (caller: string): void => {
      inFlight += 1;
      change(caller, 'places', 1);
    },
    leave: (caller: string): void => {
      inFlight -= 1;
      pace.finish();
      change(caller, 'places', -1);
    },
  };
}

/** Whether in the last `presenceMs` a request came from another caller than the one before it. */
function createPresence() {
  let last: string | undefined;
  let lastOtherAt = Number.NEGATIVE_INFINITY;
  return {
    see: (caller: string): void => {
      if (last !== undefined && caller !== last) lastOtherAt = performance.now();
      last = caller;
    },
    isShared: (): boolean => performance.now() - lastOtherAt < presenceMs,
  };
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
