import { createLinkedList, type Linked, type LinkedList } from '../../runtime/linked-list.ts';
import type { LifetimeListener, RequestLifetime } from '../../runtime/request-lifetime.ts';

/** Waiting calls of one caller for each one it may have in flight; never fewer than one large operation makes, reads ahead included. */
const waitingPerCallInFlight = 64;
const minWaiting = 640;
/** One slot in sixteen is out of reach of a single caller, so that another caller always finds one soon. */
const reservedShare = 16;
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
  readonly leave: (entry: QueueEntry) => void;
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
  const { maxInFlight, reach, maxWaitingPerCaller, maxWaiting } = toLimits(options);
  const callers = createCallers();
  let free = maxInFlight;
  let averageMs = 0;
  let isAdmitting = false;

  const admit = (caller: CallerState, entry: QueueEntry, now: number): void => {
    free -= 1;
    caller.inFlight += 1;
    entry.admittedAt = now;
    entry.onAdmission('admitted');
  };
  const admitNext = (now: number): boolean => {
    const caller = free > 0 ? callers.next(reach) : undefined;
    const entry = caller?.waiting.first();
    if (caller === undefined || entry === undefined) return false;
    callers.removeWaiting(caller, entry);
    callers.moveToEnd(caller);
    entry.lifetime.unlisten(entry);
    admit(caller, entry, now);
    return true;
  };

  /** A call that fails at once leaves during its admission: the running loop then goes on, and no nested one starts. */
  const admitAll = (now: number): void => {
    if (isAdmitting) return;
    isAdmitting = true;
    try {
      while (admitNext(now));
    } finally {
      isAdmitting = false;
    }
  };

  const hasRoom = (waitingOfCaller: number, { lifetime, startedAt }: QueueEntry): boolean => {
    const waiting = callers.waiting();
    if (waiting >= maxWaiting || waitingOfCaller >= maxWaitingPerCaller) return false;
    // Rounds ahead: calls of all callers in turn, or the caller's own, at most `reach` of them at a time.
    const byTurns = Math.min(waiting, (waitingOfCaller + 1) * callers.count()) / maxInFlight;
    const rounds = Math.max(byTurns, waitingOfCaller / reach);
    return startedAt + rounds * averageMs < lifetime.deadline;
  };

  return {
    enter: (entry) => {
      const caller = callers.named(entry.caller);
      entry.callerState = caller;
      // Calls may wait while a slot is free: it is out of reach of their caller.
      if (free > 0 && caller.inFlight < reach) admit(caller, entry, entry.startedAt);
      else if (hasRoom(caller.waiting.length(), entry)) {
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
    leave: ({ callerState: caller, admittedAt }) => {
      if (caller === undefined) return;
      const now = performance.now();
      averageMs += averageWeight * (now - admittedAt - averageMs);
      free += 1;
      caller.inFlight -= 1;
      callers.dropIfIdle(caller);
      admitAll(now);
    },
  };
}

function toLimits({ maxInFlight, maxInFlightPerCaller }: QueueOptions) {
  const reach = Math.min(maxInFlightPerCaller, Math.max(1, maxInFlight - Math.ceil(maxInFlight / reservedShare)));
  const maxWaitingPerCaller = Math.max(
    minWaiting,
    waitingPerCallInFlight * Math.min(maxInFlightPerCaller, maxInFlight),
  );
  const maxWaiting = 2 * Math.max(maxWaitingPerCaller, waitingPerCallInFlight * maxInFlight);
  return { maxInFlight, reach, maxWaitingPerCaller, maxWaiting };
}

/** Callers by name as long as they have calls, and those with waiting calls in the order of their turns. */
function createCallers() {
  const byName = new Map<string, CallerState>();
  const turns = createLinkedList<CallerState>();
  let waiting = 0;
  return {
    waiting: (): number => waiting,
    /** Callers with waiting calls. */
    count: turns.length,
    named: (name: string): CallerState => {
      const known = byName.get(name);
      if (known !== undefined) return known;
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
    /** The caller whose turn it is, among those with fewer than `reach` calls in flight. */
    next: (reach: number): CallerState | undefined => {
      let caller = turns.first();
      while (caller !== undefined && caller.inFlight >= reach) caller = caller.next;
      return caller;
    },
  };
}
