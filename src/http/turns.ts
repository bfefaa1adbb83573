import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../domain/errors.ts';
import { createRoundRobin } from '../runtime/round-robin.ts';

/** Requests of one caller that may wait for their turn. */
const maxWaitingPerCaller = 1_000;
/** Requests of all proven callers that may wait, and as many of all others. */
const maxWaiting = 2_000;
const retryAfterSeconds = 1;
/** How long a caller is proven after the service has answered one of its calls with success. */
const provenMs = 10 * 60_000;
const maxProven = 10_000;

/** Called once: in the request's turn, or at once with OVERLOADED where too many wait. */
type OnTurn = (refusal?: GatewayError) => void;

interface Waiting {
  readonly request: FastifyRequest;
  readonly onTurn: OnTurn;
}

export type Turns = ReturnType<typeof createTurns>;

/**
 * Lets one request in at each turn of the event loop, one caller after the other, so that a caller's requests wait for each
 * other and not for those of another. All callers that are not proven together get one turn in each round of the proven
 * ones: whoever makes up keys delays nobody by more, however many. A caller has as many requests in progress as it may have
 * calls in flight: more could only wait inside, where they take memory. A request whose client has left does not enter.
 */
export function createTurns(callerOf: (request: FastifyRequest) => string, maxInProgress: number) {
  const provenCallers = new LRUCache<string, true>({ max: maxProven, ttl: provenMs });
  const proven = createRoundRobin<Waiting>();
  const others = createRoundRobin<Waiting>();
  const entered = new WeakSet<FastifyRequest>();
  const inProgress = new Map<string, number>();
  let leftInRound = 0;
  let isScheduled = false;

  const schedule = (): void => {
    if (!isScheduled) setImmediate(enterNext);
    isScheduled = true;
  };
  const mayEnter = (caller: string): boolean => (inProgress.get(caller) ?? 0) < maxInProgress;
  const next = (): Waiting | undefined => {
    if (leftInRound > 0) {
      leftInRound -= 1;
      return proven.next(mayEnter) ?? others.next(mayEnter);
    }
    leftInRound = proven.keys();
    return others.next(mayEnter) ?? proven.next(mayEnter);
  };
  const enterNext = (): void => {
    isScheduled = false;
    let waiting = next();
    while (waiting?.request.raw.socket.destroyed) waiting = next();
    if (waiting === undefined) return;
    const { request, onTurn } = waiting;
    const caller = callerOf(request);
    inProgress.set(caller, (inProgress.get(caller) ?? 0) + 1);
    entered.add(request);
    schedule();
    onTurn();
  };

  return {
    wait: (request: FastifyRequest, onTurn: OnTurn): void => {
      const caller = callerOf(request);
      const queues = provenCallers.has(caller) ? proven : others;
      const isFull = queues.lengthOf(caller) >= maxWaitingPerCaller || queues.length() >= maxWaiting;
      if (isFull) return onTurn(overloaded());
      queues.add(caller, { request, onTurn });
      schedule();
    },
    /** Called when a request is over, whether or not it has had its turn. */
    leave: (request: FastifyRequest): void => {
      if (!entered.delete(request)) return;
      const caller = callerOf(request);
      const count = inProgress.get(caller) ?? 1;
      if (count === 1) inProgress.delete(caller);
      else inProgress.set(caller, count - 1);
      schedule();
    },
    isProven: (request: FastifyRequest): boolean => provenCallers.has(callerOf(request)),
    /** Notes that the service has answered a call of this request with success. */
    prove: (request: FastifyRequest): void => {
      const caller = callerOf(request);
      provenCallers.set(caller, true);
      for (const waiting of others.remove(caller)) proven.add(caller, waiting);
    },
  };
}

/** Requests without a body wait here; those with one once it has arrived (`parseJsonBodies`). */
export function mountTurns(routes: FastifyInstance, { wait }: Turns): void {
  routes.addHook('preValidation', (request, _, next) => {
    if (request.method === 'GET') wait(request, next);
    else next();
  });
}

/** The refusal of a whole request that would hold too much memory while it waits. */
export function overloaded(): GatewayError {
  return new GatewayError('OVERLOADED', { retryable: true, retryAfterSeconds });
}
