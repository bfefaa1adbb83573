import { createChain, type Chain, type Linked } from '../../runtime/linked-list.ts';
import type { Lifetime, Watcher } from '../../runtime/request-lifetime.ts';

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

/**
 * `admitted`: the call may go, and must `leave` afterwards. `full`: there is no room to wait in, or waiting would take
 * longer than the request has. `over`: nobody waits for it any more.
 */
export type Turn = 'admitted' | 'full' | 'over';

/** A call that asks for its turn. It is itself what stands in the line and what hears of the end of its lifetime. */
export interface Entrant extends Linked<Entrant>, Watcher {
  readonly caller: string;
  readonly lifetime: Lifetime;
  /** In milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** When its turn came. */
  admittedAt: number;
  /** Its caller's among all, while it waits and while it is in flight. */
  standing: Standing | undefined;
  /** Called once: at once where nothing has to be waited for. */
  readonly onTurn: (turn: Turn) => void;
}

/** Calls that wait for their turn: one caller after the other, whoever came with how many. */
export interface Queue {
  /** Whoever waits has to `giveUp` when its lifetime is over. */
  readonly enter: (entrant: Entrant) => void;
  readonly giveUp: (entrant: Entrant) => void;
  readonly leave: (entrant: Entrant) => void;
  readonly state: () => QueueState;
}

export interface QueueState {
  readonly inFlight: number;
  readonly waiting: number;
}

/** Somebody with calls in flight or waiting; among the others' only while some wait. */
interface Standing extends Linked<Standing> {
  readonly name: string;
  readonly waiting: Chain<Entrant>;
  inFlight: number;
}

export function createQueue({ places, perCaller }: QueueOptions): Queue {
  const reach = Math.min(perCaller, Math.max(1, places - Math.ceil(places / sharedPart)));
  const maxWaitingPerCaller = Math.max(fewestWaiting, waitingPerPlace * Math.min(perCaller, places));
  const maxWaiting = 2 * Math.max(maxWaitingPerCaller, waitingPerPlace * places);
  const line = createLine();
  let free = places;
  let averageMs = 0;
  let isAdmitting = false;

  const admit = (caller: Standing, entrant: Entrant, now: number): void => {
    free -= 1;
    caller.inFlight += 1;
    entrant.admittedAt = now;
    entrant.onTurn('admitted');
  };

  const admitNext = (now: number): boolean => {
    const caller = free > 0 ? line.next(reach) : undefined;
    const call = caller?.waiting.first();
    if (caller === undefined || call === undefined) return false;
    line.remove(caller, call);
    line.moveBack(caller);
    call.lifetime.forget(call);
    admit(caller, call, now);
    return true;
  };

  const hasRoom = (own: number, { lifetime, startedAt }: Entrant): boolean => {
    const waiting = line.length();
    if (waiting >= maxWaiting || own >= maxWaitingPerCaller) return false;
    // Among others' calls, or behind the caller's own, of which only so many go at once.
    const rounds = Math.max(Math.min(waiting, (own + 1) * line.callers()) / places, own / reach);
    return startedAt + rounds * averageMs < lifetime.deadline;
  };

  return {
    enter: (entrant) => {
      const caller = line.callerNamed(entrant.caller);
      entrant.standing = caller;
      // Whoever waits while a place is free is out of reach of it.
      if (free > 0 && caller.inFlight < reach) admit(caller, entrant, entrant.startedAt);
      else if (hasRoom(caller.waiting.length(), entrant)) {
        line.add(caller, entrant);
        entrant.lifetime.watch(entrant);
      } else {
        line.forgetIfIdle(caller);
        entrant.onTurn('full');
      }
    },
    giveUp: (entrant) => {
      const { standing: caller } = entrant;
      if (caller === undefined) return;
      line.remove(caller, entrant);
      line.forgetIfIdle(caller);
      entrant.onTurn('over');
    },
    state: () => ({ inFlight: places - free, waiting: line.length() }),
    leave: ({ standing: caller, admittedAt }) => {
      if (caller === undefined) return;
      const now = performance.now();
      averageMs += weight * (now - admittedAt - averageMs);
      free += 1;
      caller.inFlight -= 1;
      line.forgetIfIdle(caller);
      // A call that fails at once leaves while it is being admitted: the next one is admitted here, not in there.
      if (isAdmitting) return;
      isAdmitting = true;
      try {
        while (admitNext(now));
      } finally {
        isAdmitting = false;
      }
    },
  };
}

/** Callers by their names for as long as they have calls, and those of them that wait in the order of their turns. */
function createLine() {
  const known = new Map<string, Standing>();
  const turns = createChain<Standing>();
  let length = 0;
  return {
    length: (): number => length,
    callers: turns.length,
    callerNamed: (name: string): Standing => {
      const found = known.get(name);
      if (found !== undefined) return found;
      const none = { previous: undefined, next: undefined };
      const caller: Standing = { name, waiting: createChain<Entrant>(), inFlight: 0, ...none };
      known.set(name, caller);
      return caller;
    },
    forgetIfIdle: ({ name, inFlight, waiting }: Standing): void => {
      if (inFlight === 0 && waiting.length() === 0) known.delete(name);
    },
    add: (caller: Standing, call: Entrant): void => {
      if (caller.waiting.length() === 0) turns.append(caller);
      caller.waiting.append(call);
      length += 1;
    },
    remove: (caller: Standing, call: Entrant): void => {
      caller.waiting.remove(call);
      length -= 1;
      if (caller.waiting.length() === 0) turns.remove(caller);
    },
    /** Behind all others that wait. */
    moveBack: (caller: Standing): void => {
      if (caller.waiting.length() === 0) return;
      turns.remove(caller);
      turns.append(caller);
    },
    /** Whose turn it is, of those that have fewer calls in flight than that. */
    next: (reach: number): Standing | undefined => {
      let caller = turns.first();
      while (caller !== undefined && caller.inFlight >= reach) caller = caller.next;
      return caller;
    },
  };
}
