import { LRUCache } from 'lru-cache';
import { createLinkedList, type Linked, type LinkedList } from '../../runtime/linked-list.ts';
import type { LifetimeListener, RequestLifetime } from '../../runtime/request-lifetime.ts';

/** Greatest number of a caller's waiting calls for each call that it may have in flight. */
const waitingPerCallInFlight = 64;
/** Lower bound of a caller's limit of waiting calls: one large operation makes as many, reads ahead included. */
const minWaiting = 640;
/** One slot in sixteen is out of reach of a single caller, so that another caller always finds one soon. */
const reservedShare = 16;
/** Callers whose average duration is remembered. */
const maxCallers = 1_000;
/** Weight of one call in the moving average of call durations. */
const averageWeight = 0.1;

export interface QueueOptions {
  /** Calls in flight of all callers. */
  readonly maxInFlight: number;
  readonly maxInFlightPerCaller: number;
}

/**
 * `admitted`: the call may go, and must `leave` afterwards. `full`: too many calls wait, or waiting would take longer
 * than the request has. `over`: the request has ended.
 */
export type Admission = 'admitted' | 'full' | 'over';

/** A call in the queue. It is its own list item and lifetime listener. */
export interface QueueEntry extends Linked<QueueEntry>, LifetimeListener {
  readonly caller: string;
  readonly lifetime: RequestLifetime;
  /** Milliseconds of `performance.now()`, as all times here. */
  readonly startedAt: number;
  admittedAt: number;
  /** Set by the queue while the call waits and while it is in flight. */
  callerState: CallerState | undefined;
  /** Called once, synchronously where the call need not wait. */
  readonly onAdmission: (admission: Admission) => void;
}

/** Concurrency limit with round-robin between callers, however many calls each of them has waiting. */
export interface Queue {
  /** A waiting call must `giveUp` when its lifetime ends. */
  readonly enter: (entry: QueueEntry) => void;
  readonly giveUp: (entry: QueueEntry) => void;
  /** `isSent`: whether the call was sent. Its duration counts only then. */
  readonly leave: (entry: QueueEntry, isSent: boolean) => void;
  readonly state: () => QueueState;
}

export interface QueueState {
  readonly inFlight: number;
  readonly waiting: number;
}

/** A caller with calls in flight or waiting; an item of the round-robin list only while some wait. */
interface CallerState extends Linked<CallerState> {
  readonly name: string;
  readonly waiting: LinkedList<QueueEntry>;
  inFlight: number;
}

export function createQueue(options: QueueOptions): Queue {
  const { maxInFlight, maxPerCaller, maxWaitingPerCaller, maxWaiting } = toLimits(options);
  const callers = createCallers(maxPerCaller);
  let free = maxInFlight;
  const durations = createDurations();
  let isAdmitting = false;

  const admit = (caller: CallerState, entry: QueueEntry, now: number): void => {
    free -= 1;
    callers.begin(caller);
    entry.admittedAt = now;
    entry.onAdmission('admitted');
  };
  const admitNext = (now: number): boolean => {
    const caller = free > 0 ? callers.next() : undefined;
    const entry = caller?.waiting.first();
    if (caller === undefined || entry === undefined) return false;
    callers.removeWaiting(caller, entry);
    callers.moveToEnd(caller);
    entry.lifetime.unlisten(entry);
    admit(caller, entry, now);
    return true;
  };

  /** A call that fails synchronously leaves during its admission: the running loop, no nested one, admits the next. */
  const admitAll = (now: number): void => {
    if (isAdmitting) return;
    isAdmitting = true;
    try {
      while (admitNext(now));
    } finally {
      isAdmitting = false;
    }
  };

  const hasRoom = (caller: CallerState, { lifetime, startedAt }: QueueEntry): boolean => {
    const waitingCount = caller.waiting.length();
    if (callers.waiting() >= maxWaiting || waitingCount >= maxWaitingPerCaller) return false;
    const ownMs = waitingCount * durations.averageOf(caller.name);
    const aheadMs = callers.countAhead(caller) * durations.average();
    return startedAt + Math.max(ownMs / maxPerCaller, (aheadMs + ownMs) / maxInFlight) < lifetime.deadline;
  };

  return {
    enter: (entry) => {
      const caller = callers.named(entry.caller);
      entry.callerState = caller;
      // A slot may be free while calls wait: their caller has all that it may have in flight.
      if (free > 0 && caller.inFlight < maxPerCaller) admit(caller, entry, entry.startedAt);
      else if (hasRoom(caller, entry)) {
        callers.addWaiting(caller, entry);
        entry.lifetime.listen(entry);
      } else {
        callers.dropIfIdle(caller);
        entry.onAdmission('full');
      }
    },
    giveUp: (entry) => {
      const caller = entry.callerState;
      if (caller === undefined) return;
      callers.removeWaiting(caller, entry);
      callers.dropIfIdle(caller);
      entry.onAdmission('over');
    },
    state: () => ({ inFlight: maxInFlight - free, waiting: callers.waiting() }),
    leave: ({ callerState: caller, admittedAt }, isSent) => {
      if (caller === undefined) return;
      const now = performance.now();
      if (isSent) durations.add(caller.name, now - admittedAt);
      free += 1;
      callers.end(caller);
      callers.dropIfIdle(caller);
      admitAll(now);
    },
  };
}

function toLimits({ maxInFlight, maxInFlightPerCaller }: QueueOptions) {
  const maxPerCaller = Math.min(
    maxInFlightPerCaller,
    Math.max(1, maxInFlight - Math.ceil(maxInFlight / reservedShare)),
  );
  const maxWaitingPerCaller = Math.max(
    minWaiting,
    waitingPerCallInFlight * Math.min(maxInFlightPerCaller, maxInFlight),
  );
  const maxWaiting = 2 * Math.max(maxWaitingPerCaller, waitingPerCallInFlight * maxInFlight);
  return { maxInFlight, maxPerCaller, maxWaitingPerCaller, maxWaiting };
}

/**
 * Moving averages of call durations in milliseconds: of all calls, and of each caller's, since one whose calls are slow
 * says nothing about another's.
 */
function createDurations() {
  const byCaller = new LRUCache<string, number>({ max: maxCallers });
  let ofAll = 0;
  const moved = (average: number, durationMs: number): number => average + averageWeight * (durationMs - average);
  return {
    add: (caller: string, durationMs: number): void => {
      ofAll = moved(ofAll, durationMs);
      // The first call of a caller counts at most as the average of all: one slow call, perhaps a timeout, proves little.
      byCaller.set(caller, moved(byCaller.get(caller) ?? Math.min(durationMs, ofAll), durationMs));
    },
    average: (): number => ofAll,
    /** For a caller without an earlier call it is the average of all calls. */
    averageOf: (caller: string): number => byCaller.get(caller) ?? ofAll,
  };
}

/** Callers by name as long as they have calls, and those with waiting calls in the order of their turns. */
function createCallers(maxPerCaller: number) {
  const byName = new Map<string, CallerState>();
  /** Callers that may have no more calls in flight: a slot that becomes free passes them by. */
  const atMaximum = new Set<CallerState>();
  const turns = createLinkedList<CallerState>();
  let waiting = 0;
  return {
    waiting: (): number => waiting,
    named: (name: string): CallerState => {
      const existingCaller = byName.get(name);
      if (existingCaller !== undefined) return existingCaller;
      const links = { previous: undefined, next: undefined };
      const caller: CallerState = { name, waiting: createLinkedList<QueueEntry>(), inFlight: 0, ...links };
      byName.set(name, caller);
      return caller;
    },
    dropIfIdle: (caller: CallerState): void => {
      if (caller.inFlight === 0 && caller.waiting.length() === 0) byName.delete(caller.name);
    },
    addWaiting: (caller: CallerState, entry: QueueEntry): void => {
      if (caller.waiting.length() === 0) turns.append(caller);
      caller.waiting.append(entry);
      waiting += 1;
    },
    removeWaiting: (caller: CallerState, entry: QueueEntry): void => {
      caller.waiting.remove(entry);
      waiting -= 1;
      if (caller.waiting.length() === 0) turns.remove(caller);
    },
    moveToEnd: (caller: CallerState): void => {
      if (caller.waiting.length() === 0) return;
      turns.remove(caller);
      turns.append(caller);
    },
    begin: (caller: CallerState): void => {
      caller.inFlight += 1;
      if (caller.inFlight >= maxPerCaller) atMaximum.add(caller);
    },
    end: (caller: CallerState): void => {
      caller.inFlight -= 1;
      atMaximum.delete(caller);
    },
    /** Waiting calls of others that are admitted before this caller's last one: at most one of each in turn. */
    countAhead: (caller: CallerState): number => {
      const waitingCount = caller.waiting.length();
      let others = turns.length() - Math.sign(waitingCount);
      let theirs = waiting - waitingCount;
      for (const other of atMaximum) {
        if (other === caller || other.waiting.length() === 0) continue;
        others -= 1;
        theirs -= other.waiting.length();
      }
      return Math.min(theirs, (waitingCount + 1) * others);
    },
    /** The caller whose turn it is, among those with fewer than `maxPerCaller` calls in flight. */
    next: (): CallerState | undefined => {
      let caller = turns.first();
      while (caller !== undefined && caller.inFlight >= maxPerCaller) caller = caller.next;
      return caller;
    },
  };
}
