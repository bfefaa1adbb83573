import { createSlidingWindow } from '../../runtime/sliding-window.ts';

const minCalls = 20;
const failureShare = 0.5;
/** Shorter than a second, so that a service that has recovered is called again within one. */
const probeIntervalMs = 500;

/**
 * Permission to make one call: the breaker's generation, which is how many times it has opened. A result that carries an
 * older generation is ignored. A permit granted while the breaker is open is a half-open probe.
 */
export type Permit = number;

/**
 * One circuit breaker for the service. It opens when at least half of at least 20 calls in ten seconds failed, and calls
 * of at least two callers among them, so that one caller alone cannot close the way for others; unless there is only one.
 */
export interface Breaker {
  /** Undefined where no call may be made; a probe is granted once in an interval. */
  readonly admit: () => Permit | undefined;
  readonly isOpen: () => boolean;
  /** Whether a call would be refused at this moment. */
  readonly refuses: () => boolean;
  /** Records the result of a permitted call: whether it failed in a way that shows the whole service down. */
  readonly record: (caller: string, permit: Permit, failed: boolean, now: number) => void;
}

interface Counts {
  calls: number;
  failures: number;
  /** At most two of each, since all that is asked is whether there is more than one. */
  readonly callers: Set<string>;
  readonly failing: Set<string>;
}

export function createBreaker(): Breaker {
  const window = createSlidingWindow<Counts>(() => ({ calls: 0, failures: 0, callers: new Set(), failing: new Set() }));
  let open = false;
  let generation = 0;
  let lastProbeAt = 0;

  const shouldOpen = (): boolean => {
    const all = window.all();
    const calls = all.reduce((sum, counts) => sum + counts.calls, 0);
    const failures = all.reduce((sum, counts) => sum + counts.failures, 0);
    if (calls < minCalls || failures < failureShare * calls) return false;
    const countOf = (name: 'callers' | 'failing'): number => new Set(all.flatMap((counts) => [...counts[name]])).size;
    return countOf('failing') > 1 || countOf('callers') === 1;
  };

  return {
    admit: () => {
      if (!open) return generation;
      if (performance.now() - lastProbeAt < probeIntervalMs) return undefined;
      lastProbeAt = performance.now();
      return generation;
    },
    isOpen: () => open,
    refuses: () => open && performance.now() - lastProbeAt < probeIntervalMs,
    record: (caller, permit, failed, now) => {
      if (permit !== generation) return;
      if (open) {
        if (failed) return;
        open = false;
        window.clear();
        return;
      }
      const counts = window.at(now);
      counts.calls += 1;
      if (counts.callers.size < 2) counts.callers.add(caller);
      if (!failed) return;
      counts.failures += 1;
      if (counts.failing.size < 2) counts.failing.add(caller);
      if (!shouldOpen()) return;
      open = true;
      generation += 1;
      lastProbeAt = now;
    },
  };
}
