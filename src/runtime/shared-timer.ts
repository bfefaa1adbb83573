import { createChain, type Linked } from './linked-list.ts';

/** Something that may take only so long. */
export interface Limited extends Linked<Limited> {
  /** By when, in milliseconds of `performance.now()`; 0 while it is not limited. */
  dueAt: number;
  /** Told once, and then it is not limited any more. */
  readonly onLate: () => void;
}

export interface TimeLimit {
  /** Limits what begins now, a moment of `performance.now()`. */
  readonly begin: (limited: Limited, now: number) => void;
  readonly end: (limited: Limited) => void;
}

/** One timer for all that may take equally long, since they are due in the order they began: a timer each costs more. */
export function createTimeLimit(durationMs: number): TimeLimit {
  const begun = createChain<Limited>();
  let timer: NodeJS.Timeout | undefined;

  const end = (limited: Limited): void => {
    if (limited.dueAt === 0) return;
    limited.dueAt = 0;
    begun.remove(limited);
  };
  const nextLate = (): Limited | undefined => {
    const first = begun.first();
    // Timers may fire a fraction of a millisecond early.
    return first === undefined || first.dueAt > performance.now() + 1 ? undefined : first;
  };
  /** As long as it tells somebody the timer counts as set: what begins meanwhile is due last. */
  const tellLate = (): void => {
    try {
      for (let late = nextLate(); late !== undefined; late = nextLate()) {
        end(late);
        late.onLate();
      }
    } finally {
      const first = begun.first();
      timer = first === undefined ? undefined : wake(first.dueAt - performance.now());
    }
  };
  // What is limited has a socket, which keeps the process alive; this alone must not.
  const wake = (delayMs: number): NodeJS.Timeout => setTimeout(tellLate, Math.max(delayMs, 1)).unref();

  return {
    begin: (limited, now) => {
      limited.dueAt = now + durationMs;
      begun.append(limited);
      timer ??= wake(durationMs);
    },
    end,
  };
}
