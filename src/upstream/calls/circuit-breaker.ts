import { createRecent } from '../../runtime/sliding-window.ts';

const leastCalls = 20;
const failingPart = 0.5;
/** Shorter than a second, within which a service that has recovered is called again. */
const probeIntervalMs = 500;

/** Leave to make a call: how often the breaker had opened by then. While it is open, whoever has leave is a probe. */
export type Leave = number;

/**
 * One for the service. It opens when at least half of at least 20 calls in ten seconds failed, and those of at least
 * two callers, so that nobody's own bad luck closes the way for others; unless there is only one caller.
 */
export interface Breaker {
  /** Undefined where no call may be made; a probe is given out once in an interval. */
  readonly admit: () => Leave | undefined;
  readonly isOpen: () => boolean;
  /** Whether a call would be refused at this moment. */
  readonly refuses: () => boolean;
  /** Whether a call that had leave, and ended now, failed in a way that speaks of the whole service. */
  readonly record: (caller: string, leave: Leave, failed: boolean, now: number) => void;
}

interface Counts {
  calls: number;
  failures: number;
  /** At most two of each: all that is asked is whether there is more than one. */
  readonly callers: Set<string>;
  readonly failing: Set<string>;
}

export function createBreaker(): Breaker {
  const recent = createRecent<Counts>(() => ({ calls: 0, failures: 0, callers: new Set(), failing: new Set() }));
  let open = false;
  let openings = 0;
  let lastProbeAt = 0;

  const shouldOpen = (): boolean => {
    const all = recent.all();
    const calls = all.reduce((sum, counts) => sum + counts.calls, 0);
    const failures = all.reduce((sum, counts) => sum + counts.failures, 0);
    if (calls < leastCalls || failures < failingPart * calls) return false;
    const countOf = (name: 'callers' | 'failing'): number => new Set(all.flatMap((counts) => [...counts[name]])).size;
    return countOf('failing') > 1 || countOf('callers') === 1;
  };

  return {
    admit: () => {
      if (!open) return openings;
      if (performance.now() - lastProbeAt < probeIntervalMs) return undefined;
      lastProbeAt = performance.now();
      return openings;
    },
    isOpen: () => open,
    refuses: () => open && performance.now() - lastProbeAt < probeIntervalMs,
    record: (caller, leave, failed, now) => {
      // What had left before it opened says nothing new: not while it is open, and not of the service that came back.
      if (leave !== openings) return;
      if (open) {
        if (failed) return;
        open = false;
        recent.clear();
        return;
      }
      const counts = recent.at(now);
      counts.calls += 1;
      if (counts.callers.size < 2) counts.callers.add(caller);
      if (!failed) return;
      counts.failures += 1;
      if (counts.failing.size < 2) counts.failing.add(caller);
      if (!shouldOpen()) return;
      open = true;
      openings += 1;
      lastProbeAt = now;
    },
  };
}
