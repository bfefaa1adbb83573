import type { Answer, Failure } from '../wire/http-client.ts';
import type { RequestLifetime } from '../../runtime/request-lifetime.ts';
import { createSlidingWindow } from '../../runtime/sliding-window.ts';

export const maxAttempts = 3;
const firstWaitMs = 50;
/** A longer Retry-After is passed on to the client instead of being waited for. */
const longestWaitMs = 2_000;
/** Retries per call within ten seconds; the first few are free, so that a single call may be retried too. */
const budgetPart = 0.2;
const freeRetries = 10;

const temporaryStatuses: ReadonlySet<number> = new Set([408, 502, 503, 504]);

export interface Retries {
  /** Adds a call, whose first attempt has ended, to the budget. */
  readonly count: () => void;
  /** Wait before the next attempt, which is taken from the budget; undefined where no retry is allowed. */
  readonly nextInMs: (result: Answer | Failure, attempts: number, lifetime: RequestLifetime) => number | undefined;
}

/** Retry policy of reads: at most two retries, with jitter, within the deadline and a budget shared by all calls. */
export function createRetries(): Retries {
  const recent = createSlidingWindow(() => ({ calls: 0, retries: 0 }));

  const hasBudget = (): boolean => {
    const all = recent.all();
    const calls = all.reduce((sum, counts) => sum + counts.calls, 0);
    const retries = all.reduce((sum, counts) => sum + counts.retries, 0);
    return retries < Math.max(freeRetries, Math.floor(budgetPart * calls));
  };

  return {
    count: () => {
      recent.at(performance.now()).calls += 1;
    },
    nextInMs: (result, attempts, { deadline }) => {
      if (attempts >= maxAttempts) return undefined;
      const minWaitMs = retryAfterMs(result);
      if (minWaitMs === undefined || minWaitMs > longestWaitMs) return undefined;
      const waitMs = Math.max(minWaitMs, Math.random() * firstWaitMs * 2 ** (attempts - 1));
      const now = performance.now();
      if (now + waitMs >= deadline || !hasBudget()) return undefined;
      recent.at(now).retries += 1;
      return waitMs;
    },
  };
}

/** The Retry-After in milliseconds, 0 where there is none; undefined for a result that a retry cannot improve. */
function retryAfterMs(result: Answer | Failure): number | undefined {
  if (result.kind === 'failure') return result.reason === 'connection' || result.reason === 'timeout' ? 0 : undefined;
  const { status, retryAfterSeconds } = result;
  if (status === 429) return retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000;
  return temporaryStatuses.has(status) ? (retryAfterSeconds ?? 0) * 1000 : undefined;
}
