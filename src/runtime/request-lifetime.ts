import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

/** A request's deadline and cancellation. Listeners of an AbortSignal would cost 3 % of a query with 51 calls. */
export interface RequestLifetime {
  /** Milliseconds of `performance.now()`. */
  readonly deadline: number;
  /** Set at the deadline, or earlier when the client was answered or has left. */
  readonly ended: 'over' | 'client left' | undefined;
  /** Called once each, when the lifetime ends. */
  readonly onEnd: Set<() => void>;
}

/** A lifetime as its owner sees it. */
export interface OwnedLifetime extends RequestLifetime {
  readonly end: (hasClientLeft?: boolean) => void;
}

export function createLifetime(durationMs: number): OwnedLifetime {
  let ended: RequestLifetime['ended'];
  const onEnd = new Set<() => void>();
  const end = (hasLeft = false): void => {
    if (ended !== undefined) return;
    clearTimeout(timer);
    ended = hasLeft ? 'client left' : 'over';
    for (const callback of onEnd) callback();
  };
  // The sockets of a request keep the process alive; its timer must not.
  const timer = setTimeout(end, durationMs).unref();
  return {
    deadline: performance.now() + durationMs,
    get ended() {
      return ended;
    },
    onEnd,
    end,
  };
}

/** Whether a lifetime has ended, or is about to: timers may fire a fraction of a millisecond early. */
export function isOver({ ended, deadline }: RequestLifetime): boolean {
  return ended !== undefined || performance.now() >= deadline - 1;
}

/**
 * Resolves once the work has ended, or in the same turn in which the lifetime ends, so that a result that waits for this
 * still wins the race in `withinLifetime`.
 */
export async function untilLifetimeEnd(work: Promise<unknown>, { ended, onEnd }: RequestLifetime): Promise<void> {
  if (ended !== undefined) return;
  const over = Promise.withResolvers<void>();
  onEnd.add(over.resolve);
  await Promise.race([work, over.promise]).finally(() => onEnd.delete(over.resolve));
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
export async function pause(durationMs: number, lifetime: RequestLifetime): Promise<void> {
  await untilLifetimeEnd(delay(durationMs, undefined, { ref: false }), lifetime);
}
