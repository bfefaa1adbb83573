import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

/** A request's deadline and cancellation. */
export interface RequestLifetime {
  /** Milliseconds of `performance.now()`. */
  readonly deadline: number;
  /** Aborted at the deadline, or earlier when the client was answered or has left. */
  readonly signal: AbortSignal;
}

/** A lifetime as its owner sees it. */
export interface OwnedLifetime extends RequestLifetime {
  readonly end: (hasClientLeft?: boolean) => void;
}

const clientLeft = 'client left';

export function createLifetime(durationMs: number): OwnedLifetime {
  const controller = new AbortController();
  const { signal } = controller;
  setMaxListeners(0, signal); // one for each call
  const end = (hasLeft = false): void => {
    clearTimeout(timer);
    controller.abort(hasLeft ? clientLeft : 'over');
  };
  // The sockets of a request keep the process alive; its timer must not.
  const timer = setTimeout(end, durationMs).unref();
  return { deadline: performance.now() + durationMs, signal, end };
}

/** Whether a lifetime ended because the client left before the answer. */
export function hasClientLeft({ signal }: RequestLifetime): boolean {
  return signal.reason === clientLeft;
}

/** Whether a lifetime has ended, or is about to: timers may fire a fraction of a millisecond early. */
export function isOver({ signal, deadline }: RequestLifetime): boolean {
  return signal.aborted || performance.now() >= deadline - 1;
}

/**
 * Resolves once the work has ended, or in the same turn in which the lifetime ends, so that a result that waits for this
 * still wins the race in `withinLifetime`.
 */
export async function untilLifetimeEnd(work: Promise<unknown>, { signal }: RequestLifetime): Promise<void> {
  if (signal.aborted) return;
  const over = Promise.withResolvers<unknown>();
  signal.addEventListener('abort', over.resolve);
  await Promise.race([work, over.promise]).finally(() => signal.removeEventListener('abort', over.resolve));
}

/**
 * Resolves with the promise's value, or with undefined once the lifetime has ended; the promise itself goes on. A result
 * that comes in the turn of the end, such as that of a write which it cancelled before it was sent, is still in time.
 */
export async function withinLifetime<Value>(
  promise: Promise<Value>,
  lifetime: RequestLifetime,
): Promise<Value | undefined> {
  await untilLifetimeEnd(promise, lifetime);
  return Promise.race([promise, nextTurn(undefined)]);
}

/** Resolves after `durationMs`, or as soon as the lifetime ends. */
export async function pause(durationMs: number, { signal }: RequestLifetime): Promise<void> {
  await delay(durationMs, undefined, { signal }).catch(() => {});
}
