import type { RequestLifetime } from '../../runtime/request-lifetime.ts';
import type { RequestCredentials } from '../credentials/credentials.ts';
import type { Answer, Failure } from '../wire/http-client.ts';
import type { Budget } from '../operation.ts';
import type { RequestTrace } from '../wire/trace-context.ts';

/** What all calls of one GraphQL request share. */
export interface Scope {
  readonly requestId: string;
  readonly credentials: RequestCredentials;
  readonly lifetime: RequestLifetime;
  /** `calls`: HTTP calls sent to the service, each retry counted. */
  readonly tally: { calls: number };
  /** Calls charged to each of the request's budgets, sent or not; retries are not counted again. */
  readonly spent: Record<Budget, number>;
  readonly trace: RequestTrace;
}

/**
 * Callback for one HTTP attempt. `onEnd` is called exactly once, possibly synchronously, before `attempt()` returns;
 * `now` is the time of `performance.now()` in milliseconds.
 */
export interface AttemptCallback {
  readonly onEnd: (result: Answer | Failure, now: number) => void;
}
