import type { RequestLifetime } from '../../runtime/request-lifetime.ts';
import { createRoundRobin } from '../../runtime/round-robin.ts';

/** Greatest number of a caller's waiting calls for each call that it may have in flight. */
const waitingPerCallInFlight = 64;
/** Lower bound of a caller's limit of waiting calls: one large operation makes as many, prefetches included. */
const minWaiting = 640;
/** One place in sixteen is out of reach of a single caller, so that another caller always finds one soon. */
const reservedShare = 16;

export interface QueueOptions {
  /** Calls in flight of all callers. */
  readonly maxInFlight: number;
  readonly maxInFlightPerCaller: number;
}

/** Gives a place back. Called once. */
export type Leave = () => void;

/** `full`: too many calls wait. `over`: the request has ended. */
type Refusal = 'full' | 'over';

/** Concurrency limit with round-robin between callers, however many calls each of them has waiting. */
export interface Queue {
  /** Waits for a place, at most as long as the request lasts. */
  readonly enter: (caller: string, lifetime: RequestLifetime) => Leave | Refusal | Promise<Leave | Refusal>;
  readonly state: () => QueueState;
}

export interface QueueState {
  readonly inFlight: number;
  readonly waiting: number;
}

interface Waiting {
  readonly caller: string;
  readonly admit: (leave: Leave) => void;
}

export function createQueue(options: QueueOptions): Queue {
  const { maxInFlight, maxPerCaller, maxWaitingPerCaller, maxWaiting } = toLimits(options);
  const waiting = createRoundRobin<Waiting>();
  const inFlight = new Map<string, number>();
  let total = 0;

  const countOf = (caller: string): number => inFlight.get(caller) ?? 0;
  const mayGo = (caller: string): boolean => countOf(caller) < maxPerCaller;
  const takePlace = (caller: string): Leave => {
    total += 1;
    inFlight.set(caller, countOf(caller) + 1);
    return () => {
      total -= 1;
      if (countOf(caller) === 1) inFlight.delete(caller);
      else inFlight.set(caller, countOf(caller) - 1);
      admitNext();
    };
  };
  const admitNext = (): void => {
    const next = total < maxInFlight ? waiting.next(mayGo) : undefined;
    next?.admit(takePlace(next.caller));
  };

  return {
    enter: (caller, { onEnd }) => {
      // A place may be free while calls wait: their caller has all that it may have in flight.
      if (total < maxInFlight && mayGo(caller)) return takePlace(caller);
      if (waiting.length() >= maxWaiting || waiting.lengthOf(caller) >= maxWaitingPerCaller) return 'full';
      const { promise, resolve } = Promise.withResolvers<Leave | Refusal>();
      const giveUp = (): void => {
        waiting.take(caller, entry);
        resolve('over');
      };
      const entry: Waiting = {
        caller,
        admit: (leave) => {
          onEnd.delete(giveUp);
          resolve(leave);
        },
      };
      onEnd.add(giveUp);
      waiting.add(caller, entry);
      return promise;
    },
    state: () => ({ inFlight: total, waiting: waiting.length() }),
  };
}

function toLimits({ maxInFlight, maxInFlightPerCaller }: QueueOptions) {
  const reserved = Math.ceil(maxInFlight / reservedShare);
  const maxPerCaller = Math.min(maxInFlightPerCaller, Math.max(1, maxInFlight - reserved));
  const perCaller = waitingPerCallInFlight * Math.min(maxInFlightPerCaller, maxInFlight);
  const maxWaitingPerCaller = Math.max(minWaiting, perCaller);
  const maxWaiting = 2 * Math.max(maxWaitingPerCaller, waitingPerCallInFlight * maxInFlight);
  return { maxInFlight, maxPerCaller, maxWaitingPerCaller, maxWaiting };
}
