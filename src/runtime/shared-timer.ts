import { createLinkedList, type Linked } from './linked-list.ts';

/** Something with a time limit. */
export interface Timed extends Linked<Timed> {
  /** Milliseconds of `performance.now()`; 0 while no limit is set. */
  dueAt: number;
  /** Called once, after the limit was removed. */
  readonly onTimeout: () => void;
}

export type SharedTimer = ReturnType<typeof createSharedTimer>;

/** One Node timer for all items with the same limit: they are due in the order in which they started. */
export function createSharedTimer(durationMs: number) {
  const started = createLinkedList<Timed>();
  let timer: NodeJS.Timeout | undefined;

  const clear = (item: Timed): void => {
    if (item.dueAt === 0) return;
    item.dueAt = 0;
    started.remove(item);
  };
  const nextDue = (): Timed | undefined => {
    const first = started.first();
    // Timers may fire a fraction of a millisecond early.
    return first === undefined || first.dueAt > performance.now() + 1 ? undefined : first;
  };
  /** `timer` stays set while callbacks run, so that an item that starts meanwhile, which is due last, sets no second one. */
  const fire = (): void => {
    try {
      for (let due = nextDue(); due !== undefined; due = nextDue()) {
        clear(due);
        due.onTimeout();
      }
    } finally {
      const first = started.first();
      timer = first === undefined ? undefined : schedule(first.dueAt - performance.now());
    }
  };
  // Sockets of the timed calls keep the process alive; the timer alone must not.
  const schedule = (delayMs: number): NodeJS.Timeout => setTimeout(fire, Math.max(delayMs, 1)).unref();

  return {
    /** Sets the limit of an item that begins at `now`, in milliseconds of `performance.now()`. */
    start: (item: Timed, now: number): void => {
      item.dueAt = now + durationMs;
      started.append(item);
      timer ??= schedule(durationMs);
    },
    clear,
  };
}
