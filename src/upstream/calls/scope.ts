import type { RequestLifetime } from '../../runtime/request-lifetime.ts';
import type { RequestCredentials } from '../credentials/credentials.ts';
import type { Failure } from '../wire/http-client.ts';
import type { Budget, RecordEvidence, UpstreamRequest } from '../operation.ts';
import type { RequestTrace } from '../wire/trace-context.ts';

/** Shared by all calls of one GraphQL request. */
export interface Scope {
  readonly requestId: string;
  readonly credentials: RequestCredentials;
  readonly lifetime: RequestLifetime;
  /** `calls`: HTTP calls sent to the service, each retry counted. */
  readonly tally: { calls: number };
  /** Calls charged to each of the request's budgets, sent or not; retries are not counted again. */
  readonly spent: Record<Budget, number>;
  readonly trace: RequestTrace;
  /** The record of this scope's one call for `x-explain`; undefined without that header. */
  readonly callRecord?: CallRecord;
}

/** The course of one call, collected while it runs. Times are milliseconds of `performance.now()`. */
export interface CallRecord {
  readonly startedAt: number;
  /** The request of the last attempt. */
  request: UpstreamRequest | undefined;
  /** Attempts that were sent. */
  tries: number;
  /** When the last attempt was sent. */
  sentAt: number | undefined;
  /** Time on the wire, of all attempts that have ended. */
  wireMs: number;
  /** When the last attempt ended, and with what. */
  arrivedAt: number | undefined;
  result: CallResult | undefined;
  /** When the value, or the error, was known. */
  endedAt: number | undefined;
  /** The outcome of a write. */
  write: WriteRecord | undefined;
}

interface CallResult {
  /** An HTTP status, or why there is none. */
  readonly status: number | Failure['reason'];
  readonly bytes: number;
  /** Whether the connection was open before the call. */
  readonly reused: boolean;
}

export type WriteOutcome = 'done' | 'refused' | 'unknown' | 'not sent';

interface WriteRecord {
  readonly outcome: WriteOutcome;
  readonly evidence: RecordEvidence | undefined;
  /** State of its idempotency key in the store; undefined without a key, and where the outcome is `not sent`. */
  readonly key: 'new' | 'replayed' | 'in flight' | undefined;
}
