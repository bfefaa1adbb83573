import { LRUCache } from 'lru-cache';
import { createSlidingWindow, type SlidingWindow } from '../../runtime/sliding-window.ts';

/** Calls allowed for each one that succeeded: with 3, none is refused while at least a third of them succeed. */
const leniency = 3;
/** Fewer calls in the window prove nothing. */
const minCalls = 20;
const windowSeconds = 10;
/** While these seconds have at least `minCalls`, only they count, so that the start and the end of an outage show soon. */
const recentSeconds = 2;
/** Time between two probes: less than a second, so that a service that has recovered is called again within one. */
const probeIntervalMs = 250;
/** Failing callers needed to refuse a caller that has had no success lately. */
const minFailingCallers = 3;
/** The same for a caller with a recent success. More than four: a merchant that changes both credentials counts as four. */
const minFailingCallersForAll = 5;
/** Maximum number of callers with results; the least recently active one is dropped. */
const maxCallers = 2_000;

/**
 * Client-side throttling of calls to a service that fails, as in the chapter on overload of the SRE book: the share of a
 * caller's calls that are sent is three times the share that succeeds. The evidence is each caller's own, so the failures
 * of one caller refuse no call of another. Only while no caller succeeds do failures count for others: those of three
 * callers for callers without a success of their own, those of five for all. A caller whose calls are all refused may send
 * one probe every 250 ms, and its evidence is reset once one succeeds; while no caller succeeds, all together may send one.
 */
export interface Throttle {
  /** Whether the call may be sent now; true also grants a probe. */
  readonly admits: (caller: string, now: number) => boolean;
  /** Whether the call would certainly be refused, so that it need not wait in the queue. */
  readonly refuses: (caller: string, now: number) => boolean;
  /** Records a result: whether it failed in a way that shows the service down. Times are those of `performance.now()`. */
  readonly record: (caller: string, sentAt: number, failed: boolean, now: number) => void;
  /** Whether all recent calls failed, those of all callers. */
  readonly isOpen: () => boolean;
}

interface Counts {
  succeeded: number;
  failed: number;
  refused: number;
  /** The callers that failed, at most `minFailingCallersForAll`; empty in the evidence of one caller. */
  readonly failing: Set<string>;
}

/** Results and refusals of one caller, or of all. */
interface Evidence {
  readonly window: SlidingWindow<Counts>;
  succeededAt: number;
  failedAt: number;
  probedAt: number;
  /** When a probe succeeded. Failures of calls that were sent before it are ignored. */
  recoveredAt: number;
  /** Fractions of calls that may be sent, added up until they make one: exact shares without chance. */
  credit: number;
}

export function createThrottle(): Throttle {
  const allCallers = createEvidence();
  const callers = new LRUCache<string, Evidence>({ max: maxCallers });
  const probes = createProbes(allCallers);

  const evidenceOf = (caller: string): Evidence => {
    const existingEvidence = callers.get(caller);
    if (existingEvidence !== undefined) return existingEvidence;
    const evidence = createEvidence();
    callers.set(caller, evidence);
    return evidence;
  };
  /** The share of a caller's calls that may be sent, from 0 to 1. */
  const shareOf = (evidence: Evidence, now: number): number => {
    const enough = hasRecentSuccess(evidence, now) ? minFailingCallersForAll : minFailingCallers;
    // The cheaper check first: while the service is well, the failing callers need not be counted.
    const allFail = passShare(allCallers, now) === 0 && failingCallers(allCallers) >= enough;
    return allFail ? 0 : passShare(evidence, now);
  };
  const refuse = (evidence: Evidence, now: number): false => {
    evidence.window.at(now).refused += 1;
    allCallers.window.at(now).refused += 1;
    probes.addRefused(evidence);
    return false;
  };

  return {
    admits: (caller, now) => {
      const evidence = evidenceOf(caller);
      evidence.credit += shareOf(evidence, now);
      if (evidence.credit < 1) return probes.take(evidence, now) || refuse(evidence, now);
      evidence.credit -= 1;
      return true;
    },
    refuses: (caller, now) => {
      const evidence = evidenceOf(caller);
      return shareOf(evidence, now) === 0 && !probes.areDue(evidence, now) && !refuse(evidence, now);
    },
    record: (caller, sentAt, failed, now) => {
      const evidence = evidenceOf(caller);
      if (failed && sentAt < evidence.recoveredAt) return;
      if (!failed && passShare(evidence, now) === 0) {
        evidence.recoveredAt = now;
        evidence.window.clear();
      }
      for (const each of [evidence, allCallers]) {
        const counts = each.window.at(now);
        counts[failed ? 'failed' : 'succeeded'] += 1;
        if (failed) each.failedAt = now;
        else each.succeededAt = now;
        if (failed && each === allCallers && counts.failing.size < minFailingCallersForAll) counts.failing.add(caller);
      }
    },
    isOpen: () => {
      const now = performance.now();
      if (passShare(allCallers, now) > 0) return false;
      const isWell = (evidence: Evidence): boolean => hasRecentSuccess(evidence, now) && passShare(evidence, now) > 0;
      return failingCallers(allCallers) >= minFailingCallers || ![...callers.values()].some(isWell);
    },
  };
}

/** Grants probes: to each caller its own, or, while no call succeeds, to the refused caller that has waited for longest. */
function createProbes(allCallers: Evidence) {
  let nextProber: Evidence | undefined;
  const areDue = (evidence: Evidence, now: number): boolean => {
    if (passShare(allCallers, now) > 0) return now - evidence.probedAt >= probeIntervalMs;
    const dueMs = now - allCallers.probedAt - probeIntervalMs;
    // The next prober may send no more calls: after a further interval any caller may take the probe.
    const isTurn = nextProber === undefined || evidence.probedAt <= nextProber.probedAt || dueMs >= probeIntervalMs;
    return dueMs >= 0 && isTurn;
  };
  return {
    areDue,
    addRefused: (evidence: Evidence): void => {
      if (nextProber === undefined || evidence.probedAt < nextProber.probedAt) nextProber = evidence;
    },
    take: (evidence: Evidence, now: number): boolean => {
      if (!areDue(evidence, now)) return false;
      evidence.probedAt = now;
      allCallers.probedAt = now;
      nextProber = undefined;
      return true;
    },
  };
}

function createEvidence(): Evidence {
  const never = Number.NEGATIVE_INFINITY;
  const times = { succeededAt: never, failedAt: never, probedAt: never, recoveredAt: never };
  const window = createSlidingWindow<Counts>(() => ({ succeeded: 0, failed: 0, refused: 0, failing: new Set() }));
  return { window, ...times, credit: 0 };
}

function hasRecentSuccess({ succeededAt }: Evidence, now: number): boolean {
  return now - succeededAt < windowSeconds * 1000;
}

function passShare({ window, failedAt }: Evidence, now: number): number {
  if (now - failedAt > windowSeconds * 1000) return 1;
  const recent = sumOf(window.all(recentSeconds));
  const { succeeded, failed, calls } = recent.calls >= minCalls ? recent : sumOf(window.all());
  const results = succeeded + failed;
  if (calls < minCalls) return 1;
  return results === 0 ? 0 : Math.min(1, (leniency * succeeded) / results);
}

function sumOf(all: readonly Counts[]) {
  const sum = { succeeded: 0, failed: 0, calls: 0 };
  for (const { succeeded, failed, refused } of all) {
    sum.succeeded += succeeded;
    sum.failed += failed;
    sum.calls += succeeded + failed + refused;
  }
  return sum;
}

function failingCallers({ window }: Evidence): number {
  return new Set(window.all().flatMap(({ failing }) => [...failing])).size;
}
