import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../domain/errors.ts';
import { createRoundRobin } from '../runtime/round-robin.ts';

/** Requests that may wait: of one caller, of all proven callers, and as many of all others. */
const maxWaitingPerCaller = 1_000;
const maxWaiting = 2_000;
/** How long a caller is proven after the service has answered one of its calls with success. */
const provenMs = 10 * 60_000;
const maxProven = 10_000;

/** Called once: in the request's turn, or at once with OVERLOADED where too many wait. */
type OnTurn = (refusal?: GatewayError) => void;

/** On a request in progress: the name under which it is counted. As with the context, no Set or WeakMap may hold it. */
const enteredKey = Symbol('entered');
type QueuedRequest = FastifyRequest & { [enteredKey]?: string };
type Waiting = readonly [request: QueuedRequest, onTurn: OnTurn];

export type Turns = ReturnType<typeof createTurns>;

/**
 * Lets one request in at each turn of the event loop, one caller after the other, so that a caller's requests wait for each
 * other and not for those of another. All callers that are not proven together get one turn in each round of the proven
 * ones: whoever makes up keys delays nobody by more, however many. A caller has as many requests in progress as it may have
 * calls in flight, all that are not proven half as many: more could only wait inside, where they take memory. A request
 * whose client has left does not enter.
 */
export function createTurns(callerOf: (request: FastifyRequest) => string, maxInProgress: number) {
  const provenCallers = new LRUCache<string, true>({ max: maxProven, ttl: provenMs });
  const proven = createRoundRobin<Waiting>();
  const others = createRoundRobin<Waiting>();
  /** By caller; those of callers that were not proven when they entered by an empty name. */
  const inProgress = new Map<string, number>();
  let leftInRound = 0;
  let isScheduled = false;

  const schedule = (): void => {
    if (!isScheduled) setImmediate(enterNext);
    isScheduled = true;
  };
  const countOf = (name: string): number => inProgress.get(name) ?? 0;
  const mayEnter = (caller: string): boolean => countOf(caller) < maxInProgress;
  const mayOtherEnter = (): boolean => countOf('') < Math.ceil(maxInProgress / 2);
  const next = (): Waiting | undefined => {
    if (leftInRound > 0) {
      leftInRound -= 1;
      return proven.next(mayEnter) ?? others.next(mayOtherEnter);
    }
    leftInRound = proven.keys();
    return others.next(mayOtherEnter) ?? proven.next(mayEnter);
  };
  const enterNext = (): void => {
    isScheduled = false;
    let waiting = next();
    while (waiting?.[0].raw.socket.destroyed) waiting = next();
    if (waiting === undefined) return;
    const [request, onTurn] = waiting;
    const name = provenCallers.has(callerOf(request)) ? callerOf(request) : '';
    request[enteredKey] = name;
    inProgress.set(name, countOf(name) + 1);
    schedule();
    onTurn();
  };

  return {
    wait: (request: FastifyRequest, onTurn: OnTurn): void => {
      const caller = callerOf(request);
      const queues = provenCallers.has(caller) ? proven : others;
      const isFull = queues.lengthOf(caller) >= maxWaitingPerCaller || queues.length() >= maxWaiting;
      if (isFull) return onTurn(overloaded());
      queues.add(caller, [request, onTurn]);
      schedule();
    },
    /** Called when a request is over, whether or not it has had its turn. */
    leave: (request: QueuedRequest): void => {
      const { [enteredKey]: name } = request;
      if (name === undefined) return;
      if (countOf(name) === 1) inProgress.delete(name);
      else inProgress.set(name, countOf(name) - 1);
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

/** The refusal of a whole request that would hold too much memory while it waits. */
export function overloaded(): GatewayError {
  return new GatewayError('OVERLOADED', { retryable: true, retryAfterSeconds: 1 });
}
