import type { Lifetime } from './lifetime.ts';

/** Waiting calls of one caller for each that it may have in flight; never fewer than one large operation makes. */
const waitingPerPlace = 64;
const fewestWaiting = 256;
/** One place in sixteen stays out of a single caller's reach, so that another one always finds one soon. */
const sharedPart = 16;
/** How much one call moves the average time that a call keeps its place. */
const weight = 0.1;

export interface QueueOptions {
  /** Calls in flight of all callers. */
  readonly places: number;
  /** Calls in flight of one caller. */
  readonly perCaller: number;
}

/** Calls that wait for their turn: one caller after the other, whoever came with how many. */
export interface Queue {
  /**
   * `admitted`: the call may go, and must `leave` afterwards. `full`: there is no room to wait in, or waiting would
   * take longer than the request has. `over`: nobody waits for it any more.
   */
  readonly enter: (caller: string, lifetime: Lifetime) => 'admitted' | 'full' | Promise<'admitted' | 'over'>;
  readonly leave: (caller: string, durationMs: number) => void;
  readonly state: () => QueueState;
}

export interface QueueState {
  readonly inFlight: number;
  readonly waiting: number;
}

type Admit = () => void;

export function createQueue({ places, perCaller }: QueueOptions): Queue {
  const reach = Math.min(perCaller, Math.max(1, places - Math.ceil(places / sharedPart)));
  const maxWaitingPerCaller = Math.max(fewestWaiting, waitingPerPlace * Math.min(perCaller, places));
  const maxWaiting = 2 * Math.max(maxWaitingPerCaller, waitingPerPlace * places);
  const inFlight = new Map<string, number>();
  /** In the order of their turns; each caller's own calls in the order they came. */
  const waiting = new Map<string, Set<Admit>>();
  let free = places;
  let waitingCount = 0;
  let averageMs = 0;

  const isWithinReach = (caller: string): boolean => (inFlight.get(caller) ?? 0) < reach;

  const take = (caller: string): void => {
    free -= 1;
    inFlight.set(caller, (inFlight.get(caller) ?? 0) + 1);
  };

  const forget = (caller: string, own: Set<Admit>, admit: Admit): void => {
    own.delete(admit);
    waitingCount -= 1;
    if (own.size === 0) waiting.delete(caller);
  };

  const admitNext = (): void => {
    for (const [caller, own] of waiting) {
      if (free === 0) return;
      const [admit] = own;
      if (admit === undefined || !isWithinReach(caller)) continue;
      forget(caller, own, admit);
      take(caller);
      // Behind all others: a map is walked on to what is added meanwhile.
      if (waiting.delete(caller)) waiting.set(caller, own);
      admit();
    }
  };

  const hasRoom = (own: number, { deadline }: Lifetime): boolean => {
    if (waitingCount >= maxWaiting || own >= maxWaitingPerCaller) return false;
    // Among others' calls, or behind the caller's own, of which only so many go at once.
    const rounds = Math.max(Math.min(waitingCount, (own + 1) * waiting.size) / places, own / reach);
    return performance.now() + rounds * averageMs < deadline;
  };

  const wait = (caller: string, lifetime: Lifetime): Promise<'admitted' | 'over'> =>
    new Promise((resolve) => {
      const own = waiting.get(caller) ?? new Set<Admit>();
      const admit: Admit = () => {
        lifetime.forget(giveUp);
        resolve('admitted');
      };
      const giveUp = (): void => {
        forget(caller, own, admit);
        resolve('over');
      };
      own.add(admit);
      waiting.set(caller, own);
      waitingCount += 1;
      lifetime.onOver(giveUp);
    });

  return {
    enter: (caller, lifetime) => {
      // Whoever waits while a place is free is out of reach of it.
      if (free > 0 && isWithinReach(caller)) {
        take(caller);
        return 'admitted';
      }
      return hasRoom(waiting.get(caller)?.size ?? 0, lifetime) ? wait(caller, lifetime) : 'full';
    },
    state: () => ({ inFlight: places - free, waiting: waitingCount }),
    leave: (caller, durationMs) => {
      averageMs += weight * (durationMs - averageMs);
      free += 1;
      const left = (inFlight.get(caller) ?? 1) - 1;
      if (left === 0) inFlight.delete(caller);
      else inFlight.set(caller, left);
      admitNext();
    },
  };
}
