import type { Contract, CredentialName } from '../../contract/contract.ts';
import type { RequestLifetime } from '../../runtime/request-lifetime.ts';
import {
  callerOf,
  isRejected,
  requireCredentials,
  type CredentialHeaders,
  type RequestCredentials,
} from '../credentials/credentials.ts';
import { createCommonHeaders } from '../credentials/request-headers.ts';
import type { Operation, UpstreamRequest } from '../operation.ts';
import { isConnectionFault } from '../wire/connection-faults.ts';
import type { Answer, Failure, HttpCall, HttpClient } from '../wire/http-client.ts';
import type { CallTrace } from '../wire/trace-context.ts';
import type { CallObserver } from './call-observer.ts';
import { createQueue, type Admission, type Queue, type QueueEntry, type QueueState } from './fair-queue.ts';
import type { AttemptCallback, Scope } from './scope.ts';
import { createThrottle, type Throttle } from './throttle.ts';

interface AttemptOptions {
  readonly contract: Contract;
  readonly client: HttpClient;
  readonly headers: CredentialHeaders;
  readonly observer: CallObserver;
  /** Time limit of one attempt. */
  readonly timeoutMs: number;
  readonly requestTimeoutMs: number;
  /** Maximum concurrent calls, total and per caller, counted separately for reads and writes. */
  readonly connections: number;
  readonly callsPerCaller: number;
}

/** Starts one attempt of one call. Throws UNAUTHENTICATED, with nothing sent, where a credential it needs is missing. */
export type StartAttempt = (
  operation: Operation,
  request: UpstreamRequest,
  scope: Scope,
  callback: AttemptCallback,
) => void;

/** Statuses with which a service, or the proxy in front of it, reports that it is down. */
const downStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** Calls in flight and waiting at this moment. */
export interface UpstreamState {
  /** Whether all recent calls failed: the callers concerned send only probes. */
  readonly isBreakerOpen: boolean;
  readonly read: QueueState;
  readonly write: QueueState;
}

/** Shared by all attempts of one kind, reads or writes. */
interface Lane extends Pick<AttemptOptions, 'client' | 'observer'> {
  readonly queue: Queue;
  readonly throttle: Throttle;
  readonly toHeaders: ToHeaders;
  /**
   * Minimum time in ms that an attempt must have waited before its timeout counts as a failure of the service: half of
   * the smaller of the call timeout and the request timeout.
   */
  readonly minWaitMs: number;
}

/**
 * One attempt: queue, throttle, HTTP call. It is also the entry in the queue and the call given to the HTTP client, which
 * avoids an object and several closures for every waiting call.
 */
interface Attempt extends QueueEntry, HttpCall {
  readonly lane: Lane;
  readonly operation: Operation;
  readonly request: UpstreamRequest;
  readonly scope: Scope;
  readonly callback: AttemptCallback;
  readonly lifetime: RequestLifetime;
  readonly caller: string;
  trace: CallTrace | undefined;
  headers: readonly string[];
}

/** Creates the function that starts attempts, with the queues and the throttle that they share. */
export function createAttempts(options: AttemptOptions): {
  readonly attempt: StartAttempt;
  readonly state: () => UpstreamState;
} {
  const { contract, client, headers, observer, timeoutMs, requestTimeoutMs, connections, callsPerCaller } = options;
  const size = { maxInFlight: connections, maxInFlightPerCaller: callsPerCaller };
  const throttle = createThrottle();
  const toHeaders = createHeaders(contract, headers);
  const minWaitMs = Math.min(timeoutMs, requestTimeoutMs) / 2;
  const createLane = (): Lane => ({ client, observer, queue: createQueue(size), throttle, toHeaders, minWaitMs });
  const lanes = { read: createLane(), write: createLane() };

  const attempt: StartAttempt = (operation, request, scope, callback) => {
    const { lifetime, credentials } = scope;
    requireCredentials(credentials, operation);
    const attempted: Attempt = {
      onAdmission,
      onLifetimeEnd,
      onResult,
      maySend,
      lane: lanes[operation.kind],
      operation,
      request,
      scope,
      callback,
      lifetime,
      caller: callerOf(credentials, operation.credentials),
      method: request.method,
      path: request.path,
      body: request.body,
      isWrite: operation.kind === 'write',
      isAhead: request.isAhead === true,
      freshConnection: request.freshConnection === true,
      timeoutMs,
      startedAt: performance.now(),
      admittedAt: 0,
      callerState: undefined,
      trace: undefined,
      headers: noHeaders,
      listenerIndex: 0,
      previous: undefined,
      next: undefined,
    };
    // Timers may fire a fraction of a millisecond early.
    const { startedAt } = attempted;
    if (lifetime.isOver() || startedAt >= lifetime.deadline - 1) end(attempted, notSent('over'), startedAt);
    else if (throttle.refuses(attempted.caller, startedAt)) end(attempted, notSent('down'), startedAt);
    else attempted.lane.queue.enter(attempted);
  };
  const state = (): UpstreamState => ({
    isBreakerOpen: throttle.isOpen(),
    read: lanes.read.queue.state(),
    write: lanes.write.queue.state(),
  });
  return { attempt, state };
}

const noHeaders: readonly string[] = [];

function onAdmission(this: Attempt, admission: Admission): void {
  const { lane, operation, request, scope, lifetime, admittedAt } = this;
  if (admission !== 'admitted') return end(this, notSent(admission), performance.now());
  // A call is admitted when another one ends, which may have ended the GraphQL request of both.
  if (lifetime.isOver()) return endAdmitted(this, notSent('over'), admittedAt);
  if (isRejected(scope.credentials, operation)) return endAdmitted(this, notSent('withdrawn'), admittedAt);
  if (!lane.throttle.admits(this.caller, admittedAt)) return endAdmitted(this, notSent('down'), admittedAt);
  scope.tally.calls += 1;
  if (scope.callRecord !== undefined) {
    scope.callRecord.tries += 1;
    scope.callRecord.sentAt = admittedAt;
  }
  this.trace = scope.trace.startCall(operation.name);
  this.headers = lane.toHeaders(request, scope.credentials, operation.credentials, this.trace);
  lane.client.send(this, admittedAt);
}

function onLifetimeEnd(this: Attempt): void {
  this.lane.queue.giveUp(this);
}

function maySend(this: Attempt): boolean {
  return !isRejected(this.scope.credentials, this.operation);
}

function onResult(this: Attempt, result: Answer | Failure): void {
  const { lane, caller, admittedAt } = this;
  const now = performance.now();
  const failed = isServiceFailure(this, result, now);
  if (failed !== undefined) lane.throttle.record(caller, admittedAt, failed, now);
  endAdmitted(this, result, now);
}

/** Reports the result before the queue admits the next call: a 401 must stop calls with the same credential. */
function endAdmitted(attempt: Attempt, result: Answer | Failure, now: number): void {
  try {
    end(attempt, result, now);
  } finally {
    attempt.lane.queue.leave(attempt, attempt.trace !== undefined);
  }
}

function end(attempt: Attempt, result: Answer | Failure, now: number): void {
  const { lane, operation, scope, startedAt, admittedAt, trace, callback } = attempt;
  const wireMs = trace === undefined ? 0 : now - admittedAt;
  lane.observer.onCall({ operation: operation.name, scope, result, durationMs: now - startedAt, wireMs, trace });
  callback.onEnd(result, now);
}

type ToHeaders = ReturnType<typeof createHeaders>;

/** Names and values, alternating, of all headers of a call: of credentials exactly those of its operation. */
function createHeaders(contract: Contract, headerNames: CredentialHeaders) {
  const commonHeaders = createCommonHeaders(contract, Object.values(headerNames));
  const create = ({ values }: RequestCredentials, names: readonly CredentialName[], hasBody: boolean) => [
    ...commonHeaders(hasBody),
    ...names.flatMap((name) => [headerNames[name], values[name].value ?? '']),
  ];
  return (
    { body, headers = noHeaders }: UpstreamRequest,
    credentials: RequestCredentials,
    names: readonly CredentialName[],
    trace: CallTrace,
  ): readonly string[] => {
    if (body !== undefined) return [...create(credentials, names, true), ...headers, ...trace.headers];
    const common = credentials.headers.get(names) ?? create(credentials, names, false);
    credentials.headers.set(names, common);
    return headers.length === 0 && trace.headers.length === 0 ? common : [...common, ...headers, ...trace.headers];
  };
}

/** Whether a result shows the service down; undefined for a result that is no evidence. */
function isServiceFailure(
  { lifetime, admittedAt, lane }: Attempt,
  result: Answer | Failure,
  now: number,
): boolean | undefined {
  if (result.kind === 'answer') return downStatuses.has(result.status);
  if (result.reason === 'malformed') return false;
  if (result.reason === 'connection' || isConnectionFault(result.reason)) return true;
  const isLate = result.reason === 'timeout' || (result.reason === 'over' && now >= lifetime.deadline - 1);
  return isLate && now - admittedAt >= lane.minWaitMs ? true : undefined;
}

function notSent(reason: Failure['reason']): Failure {
  return { kind: 'failure', reason, sent: false };
}
