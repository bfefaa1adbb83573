import { LRUCache } from 'lru-cache';

/** Calls allowed for each one that succeeded: with 3, none is refused while at least a third of them succeed. */
const leniency = 3;
/** A caller is judged by its last results; fewer than `minResults`, or older than `forgetMs`, prove nothing. */
const maxResults = 50;
const minResults = 20;
const forgetMs = 10_000;
/** Time between two probes: less than a second, so that a service that has recovered is called again within one. */
const probeIntervalMs = 250;
/** How many callers must fail, and for how long none may succeed, before all callers are refused. */
const failingCallersForAll = 5;
const failingMsForAll = 1_000;
/** Maximum number of callers with results; the least recently active one is dropped. */
const maxCallers = 2_000;

/**
 * Client-side throttling of calls to a service that fails, as in the chapter on overload of the SRE book: a caller may send
 * three times as many calls as succeed, and where none succeeds one probe every 250 ms. The evidence is each caller's own,
 * so the failures of one refuse no call of another, with one exception, for a service that fails everybody: while five
 * callers fail and nobody has succeeded for a second, all together may send one probe every 250 ms.
 */
export interface Throttle {
  /** Whether the call may be sent now; true also grants a probe. */
  readonly admits: (caller: string, now: number) => boolean;
  /** Whether the call would certainly be refused, so that it need not wait in the queue. */
  readonly refuses: (caller: string, now: number) => boolean;
  /** Records a result: whether it failed in a way that shows the service down. Times are those of `performance.now()`. */
  readonly record: (caller: string, sentAt: number, failed: boolean, now: number) => void;
  /** Whether calls fail, and no caller is well. */
  readonly isOpen: () => boolean;
}

const never = Number.NEGATIVE_INFINITY;
/** `credit`: shares of calls, added up until they make one. Failures of calls sent before `recoveredAt` are ignored. */
const createEvidence = () => ({ succeeded: 0, resultAt: never, probedAt: never, recoveredAt: never, credit: 0 });
type Evidence = ReturnType<typeof createEvidence> & { readonly results: boolean[] };

export function createThrottle(): Throttle {
  const callers = new LRUCache<string, Evidence>({ max: maxCallers });
  /** Failures since the last success of any caller, and the callers that failed. */
  const outage = { failures: 0, callers: new Set<string>(), succeededAt: never, probedAt: never };

  const evidenceOf = (caller: string): Evidence => {
    const known = callers.get(caller);
    if (known !== undefined) return known;
    const evidence: Evidence = { ...createEvidence(), results: [] };
    callers.set(caller, evidence);
    return evidence;
  };
  const failsAll = (now: number): boolean =>
    outage.callers.size >= failingCallersForAll &&
    outage.failures >= minResults &&
    now - outage.succeededAt > failingMsForAll;
  const shareOf = (evidence: Evidence, now: number): number => (failsAll(now) ? 0 : ownShare(evidence, now));
  const isProbeDue = (evidence: Evidence, now: number): boolean =>
    now - (failsAll(now) ? outage : evidence).probedAt >= probeIntervalMs;

  return {
    admits: (caller, now) => {
      const evidence = evidenceOf(caller);
      evidence.credit += shareOf(evidence, now);
      if (evidence.credit >= 1) evidence.credit -= 1;
      else if (isProbeDue(evidence, now)) evidence.probedAt = outage.probedAt = now;
      else return false;
      return true;
    },
    refuses: (caller, now) => {
      const evidence = evidenceOf(caller);
      return shareOf(evidence, now) === 0 && !isProbeDue(evidence, now);
    },
    record: (caller, sentAt, failed, now) => {
      const evidence = evidenceOf(caller);
      if (failed && sentAt < evidence.recoveredAt) return;
      const hasRecovered = !failed && ownShare(evidence, now) === 0;
      if (hasRecovered) evidence.recoveredAt = now;
      if (hasRecovered || now - evidence.resultAt > forgetMs) [evidence.results.length, evidence.succeeded] = [0, 0];
      evidence.resultAt = now;
      if (!failed) evidence.succeeded += 1;
      if (evidence.results.push(!failed) > maxResults && evidence.results.shift() === true) evidence.succeeded -= 1;
      if (failed) {
        outage.failures += 1;
        if (outage.callers.size < failingCallersForAll) outage.callers.add(caller);
      } else {
        [outage.failures, outage.succeededAt] = [0, now];
        outage.callers.clear();
      }
    },
    isOpen: () => {
      const now = performance.now();
      const isWell = (evidence: Evidence): boolean =>
        evidence.succeeded > 0 && now - evidence.resultAt <= forgetMs && ownShare(evidence, now) > 0;
      return outage.failures >= minResults && (failsAll(now) || ![...callers.values()].some(isWell));
    },
  };
}

/** The share of a caller's calls that may be sent by its own results, from 0 to 1. */
function ownShare({ results, succeeded, resultAt }: Evidence, now: number): number {
  if (results.length < minResults || now - resultAt > forgetMs) return 1;
  return Math.min(1, (leniency * succeeded) / results.length);
}
