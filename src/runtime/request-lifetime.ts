import { createTimeLimit, type Limited, type TimeLimit } from './shared-timer.ts';

/** How long somebody waits for a request: until its deadline, or until its client leaves. */
export interface Lifetime {
  /** When the request must be answered, in milliseconds of `performance.now()`. */
  readonly deadline: number;
  readonly isOver: () => boolean;
  /** Tells the watcher once when it is over; `forget` takes that back. */
  readonly watch: (watcher: Watcher) => void;
  readonly forget: (watcher: Watcher) => void;
}

/** Somebody to be told of the end of a lifetime. */
export interface Watcher {
  readonly onOver: () => void;
  /** Where it stands among the others: theirs to know who keep it. */
  place: number;
}

/** A lifetime as whoever began it has it. */
export interface OwnLifetime extends Lifetime {
  readonly end: () => void;
}

/** It is itself what is limited in time and what its watchers turn to: a closure for each would cost more. */
interface Timed extends OwnLifetime, Limited {
  readonly limit: TimeLimit;
  readonly watchers: Watcher[];
  over: boolean;
}

/**
 * Begins lifetimes of equal length, by one timer for all of them; and by one list for all calls of a request: cheaper by
 * far than a timer and an AbortSignal's listener each.
 */
export function createLifetimes(durationMs: number): () => OwnLifetime {
  const limit = createTimeLimit(durationMs);
  return () => {
    const now = performance.now();
    const lifetime: Timed = {
      deadline: now + durationMs,
      isOver,
      watch,
      forget,
      end,
      onLate: end,
      limit,
      watchers: [],
      over: false,
      dueAt: 0,
      previous: undefined,
      next: undefined,
    };
    limit.begin(lifetime, now);
    return lifetime;
  };
}

function isOver(this: Timed): boolean {
  return this.over;
}

function watch(this: Timed, watcher: Watcher): void {
  watcher.place = this.watchers.push(watcher) - 1;
}

function forget(this: Timed, watcher: Watcher): void {
  const { watchers } = this;
  if (watchers[watcher.place] !== watcher) return;
  const last = watchers.pop() ?? watcher;
  if (last === watcher) return;
  watchers[watcher.place] = last;
  last.place = watcher.place;
}

function end(this: Timed): void {
  if (this.over) return;
  this.over = true;
  this.limit.end(this);
  const { watchers } = this;
  for (let watcher = watchers.pop(); watcher !== undefined; watcher = watchers.pop()) watcher.onOver();
}

/** Resolves with the promise's value, or with undefined once nobody waits any more; what was started goes on. */
export async function whileWanted<Value>(promise: Promise<Value>, lifetime: Lifetime): Promise<Value | undefined> {
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  // What the end itself settles (a write taken back before it was sent) comes first.
  const watcher = { onOver: (): void => void setImmediate(() => resolve(undefined)), place: 0 };
  if (lifetime.isOver()) watcher.onOver();
  else lifetime.watch(watcher);
  try {
    return await Promise.race([promise, over]);
  } finally {
    lifetime.forget(watcher);
  }
}

/** Resolves after that time, or at once when nobody waits any more. */
export function pause(durationMs: number, lifetime: Lifetime): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      lifetime.forget(watcher);
      resolve();
    };
    const watcher = { onOver: done, place: 0 };
    const timer = setTimeout(done, durationMs);
    if (lifetime.isOver()) done();
    else lifetime.watch(watcher);
  });
}
