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
}

/** A lifetime as its owner sees it. */
export interface OwnedLifetime extends RequestLifetime {
  readonly end: (hasClientLeft?: boolean) => void;
}

/** Creates lifetimes of equal length. All calls of a request share its list of listeners: an AbortSignal costs more. */
export function createLifetimes(durationMs: number): () => OwnedLifetime {
  return () => {
    const deadline = performance.now() + durationMs;
    const listeners = new Set<LifetimeListener>();
    let isOver = false;
    let hasClientLeft = false;
    const end = (hasLeft = false): void => {
      if (isOver) return;
      isOver = true;
      hasClientLeft = hasLeft;
      clearTimeout(timer);
      for (const listener of listeners) listener.onLifetimeEnd();
      listeners.clear();
    };
    const timer = setTimeout(end, durationMs).unref();
    return {
      deadline,
      isOver: () => isOver,
      hasClientLeft: () => hasClientLeft,
      listen: (listener) => void listeners.add(listener),
      unlisten: (listener) => void listeners.delete(listener),
      end,
    };
  };
}

/** Resolves with the promise's value, or with undefined once the lifetime has ended; the promise itself goes on. */
export async function withinLifetime<Value>(
  promise: Promise<Value>,
  lifetime: RequestLifetime,
): Promise<Value | undefined> {
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  // One turn later, so that a result caused by the end itself, such as a write cancelled before it was sent, wins the race.
  const listener = { onLifetimeEnd: (): void => void setImmediate(() => resolve(undefined)) };
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
  const listener = { onLifetimeEnd: resolve };
  lifetime.listen(listener);
  await Promise.race([work, over]);
  lifetime.unlisten(listener);
}

/** Resolves after `durationMs`, or as soon as the lifetime ends. */
export function pause(durationMs: number, lifetime: RequestLifetime): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      lifetime.unlisten(listener);
      resolve();
    };
    const listener = { onLifetimeEnd: done };
    const timer = setTimeout(done, durationMs);
    if (lifetime.isOver()) done();
    else lifetime.listen(listener);
  });
}
