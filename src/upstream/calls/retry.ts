import type { Answer, Failure } from '../wire/http-client.ts';
import type { Lifetime } from '../../runtime/request-lifetime.ts';
import { createRecent } from '../../runtime/sliding-window.ts';

const maxTries = 3;
const firstWaitMs = 50;
/** Asked to wait longer than this, a caller is better told so than kept. */
const longestWaitMs = 2_000;
/** Retries of the last ten seconds, as a part of its calls; the first few are free, or a lone call had none. */
const budgetPart = 0.2;
const freeRetries = 10;

/** Answers that another try may not get: they speak of the moment, not of the question. */
const passing: ReadonlySet<number> = new Set([408, 502, 503, 504]);

export interface Retries {
  /** A first try that has ended at this moment of `performance.now()`, which adds to the budget. */
  readonly count: (now: number) => void;
  /** How long to wait before the next try, which is thereby taken from the budget; undefined where none is allowed. */
  readonly nextInMs: (result: Answer | Failure, tries: number, lifetime: Lifetime) => number | undefined;
}

/** When a read may be tried again: twice at most, after a random wait, inside its deadline and a budget of all calls. */
export function createRetries(): Retries {
  const recent = createRecent(() => ({ calls: 0, retries: 0 }));

  const hasBudget = (): boolean => {
    const all = recent.all();
    const calls = all.reduce((sum, counts) => sum + counts.calls, 0);
    const retries = all.reduce((sum, counts) => sum + counts.retries, 0);
    return retries < Math.max(freeRetries, Math.floor(budgetPart * calls));
  };

  return {
    count: (now) => {
      recent.at(now).calls += 1;
    },
    nextInMs: (result, tries, { deadline }) => {
      if (tries >= maxTries) return undefined;
      const askedMs = waitAskedForMs(result);
      if (askedMs === undefined || askedMs > longestWaitMs) return undefined;
      const waitMs = Math.max(askedMs, Math.random() * firstWaitMs * 2 ** (tries - 1));
      const now = performance.now();
      if (now + waitMs >= deadline || !hasBudget()) return undefined;
      recent.at(now).retries += 1;
      return waitMs;
    },
  };
}

/** The wait that the service asked for, 0 where it named none; undefined for a result that another try cannot better. */
function waitAskedForMs(result: Answer | Failure): number | undefined {
  if (result.kind === 'failure') return result.reason === 'connection' || result.reason === 'timeout' ? 0 : undefined;
  const { status, retryAfterSeconds } = result;
  if (status === 429) return retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000;
  return passing.has(status) ? (retryAfterSeconds ?? 0) * 1000 : undefined;
}
