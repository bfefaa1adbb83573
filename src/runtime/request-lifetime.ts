import { createSharedTimer, type SharedTimer, type Timed } from './shared-timer.ts';

/** A request's deadline and cancellation. It ends at the deadline, or earlier when the client was answered or has left. */
export interface RequestLifetime {
  /** Milliseconds of `performance.now()`. */
  readonly deadline: number;
  readonly isOver: () => boolean;
  /** Whether it ended because the client left before the answer. */
  readonly hasClientLeft: () => boolean;
  /** Calls the listener once when the lifetime ends; `unlisten` takes that back. */
  readonly listen: (listener: LifetimeListener) => void;
  readonly unlisten: (listener: LifetimeListener) => void;
}

export interface LifetimeListener {
  readonly onLifetimeEnd: () => void;
  /** Index in the lifetime's list of listeners; kept by the lifetime. */
  listenerIndex: number;
}

/** A lifetime as its owner sees it. */
export interface OwnedLifetime extends RequestLifetime {
  readonly end: (hasClientLeft?: boolean) => void;
}

/** The lifetime is its own timer item and has methods instead of closures: one object a request. */
interface TimedLifetime extends OwnedLifetime, Timed {
  readonly timer: SharedTimer;
  readonly listeners: LifetimeListener[];
  over: boolean;
  left: boolean;
}

/**
 * Creates lifetimes of equal length. They share one timer, and all calls of a request share its list of listeners: an
 * AbortSignal costs a timer and a listener object for each call.
 */
export function createLifetimes(durationMs: number): () => OwnedLifetime {
  const timer = createSharedTimer(durationMs);
  return () => {
    const now = performance.now();
    const lifetime: TimedLifetime = {
      deadline: now + durationMs,
      isOver,
      hasClientLeft,
      listen,
      unlisten,
      end,
      onTimeout: end,
      timer,
      listeners: [],
      over: false,
      left: false,
      dueAt: 0,
      previous: undefined,
      next: undefined,
    };
    timer.start(lifetime, now);
    return lifetime;
  };
}

function isOver(this: TimedLifetime): boolean {
  return this.over;
}

function hasClientLeft(this: TimedLifetime): boolean {
  return this.left;
}

function listen(this: TimedLifetime, listener: LifetimeListener): void {
  listener.listenerIndex = this.listeners.push(listener) - 1;
}

function unlisten(this: TimedLifetime, listener: LifetimeListener): void {
  const { listeners } = this;
  if (listeners[listener.listenerIndex] !== listener) return;
  const last = listeners.pop() ?? listener;
  if (last === listener) return;
  listeners[listener.listenerIndex] = last;
  last.listenerIndex = listener.listenerIndex;
}

function end(this: TimedLifetime, left = false): void {
  if (this.over) return;
  this.over = true;
  this.left = left;
  this.timer.clear(this);
  const { listeners } = this;
  for (let listener = listeners.pop(); listener !== undefined; listener = listeners.pop()) listener.onLifetimeEnd();
}

/** Resolves with the promise's value, or with undefined once the lifetime has ended; the promise itself goes on. */
export async function withinLifetime<Value>(
  promise: Promise<Value>,
  lifetime: RequestLifetime,
): Promise<Value | undefined> {
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  // One turn later, so that a result caused by the end itself, such as a write cancelled before it was sent, wins the race.
  const listener = { onLifetimeEnd: (): void => void setImmediate(() => resolve(undefined)), listenerIndex: 0 };
  if (lifetime.isOver()) listener.onLifetimeEnd();
  else lifetime.listen(listener);
  try {
    return await Promise.race([promise, over]);
  } finally {
    lifetime.unlisten(listener);
  }
}

/**
 * Resolves once the work has ended, or in the same turn in which the lifetime ends, so that a result that waits for this
 * still wins the race in `withinLifetime`.
 */
export async function untilLifetimeEnd(work: Promise<void>, lifetime: RequestLifetime): Promise<void> {
  if (lifetime.isOver()) return;
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const listener = { onLifetimeEnd: resolve, listenerIndex: 0 };
  lifetime.listen(listener);
  await Promise.race([work, over]);
  lifetime.unlisten(listener);
}

/** Resolves after `durationMs`, or as soon as the lifetime ends. */
export async function pause(durationMs: number, lifetime: RequestLifetime): Promise<void> {
  const { promise: elapsed, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, durationMs);
  await untilLifetimeEnd(elapsed, lifetime);
  clearTimeout(timer);
}
