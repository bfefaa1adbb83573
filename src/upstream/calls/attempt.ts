import type { Contract } from '../../contract/contract.ts';
import { isOver } from '../../runtime/request-lifetime.ts';
import { callerOf, isRejected, requireCredentials, type CredentialHeaders } from '../credentials/credentials.ts';
import { createCommonHeaders, createCredentialWriter } from '../credentials/request-headers.ts';
import type { Operation, UpstreamRequest } from '../operation.ts';
import { isConnectionFault } from '../wire/connection-faults.ts';
import type { Answer, Failure, HttpClient } from '../wire/http-client.ts';
import type { CallTrace } from '../wire/trace-context.ts';
import { createAnswerTurns } from './answer-turns.ts';
import type { CallObserver } from './call-observer.ts';
import { createQueue, type QueueState } from './fair-queue.ts';
import type { Scope } from './scope.ts';
import { createThrottle } from './throttle.ts';

interface AttemptOptions {
  readonly contract: Contract;
  readonly client: Pick<HttpClient, 'request'>;
  readonly headers: CredentialHeaders;
  readonly observer: Pick<CallObserver, 'onCall'>;
  /** Time limit of one attempt. */
  readonly timeoutMs: number;
  readonly requestTimeoutMs: number;
  /** Maximum concurrent calls, total and per caller, counted separately for reads and writes. */
  readonly connections: number;
  readonly callsPerCaller: number;
}

/** Makes one attempt of one call. Rejects with UNAUTHENTICATED, with nothing sent, where a credential it needs is missing. */
export type Attempt = (operation: Operation, request: UpstreamRequest, scope: Scope) => Promise<Answer | Failure>;

/** Calls in flight and waiting at this moment. */
export interface UpstreamState {
  /** Whether all recent calls failed: the callers concerned send only probes. */
  readonly isBreakerOpen: boolean;
  readonly read: QueueState;
  readonly write: QueueState;
}

/** Statuses with which a service, or the proxy in front of it, reports that it is down. */
const downStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** Creates the function that makes attempts, with the queues and the throttle that they share. */
export function createAttempts(options: AttemptOptions): {
  readonly attempt: Attempt;
  readonly state: () => UpstreamState;
} {
  const { contract, client, headers, observer, timeoutMs, requestTimeoutMs, connections, callsPerCaller } = options;
  const size = { maxInFlight: connections, maxInFlightPerCaller: callsPerCaller };
  const queues = { read: createQueue(size), write: createQueue(size) };
  const throttle = createThrottle();
  const answerTurn = createAnswerTurns();
  const toHeaders = createHeaders(contract, headers);
  /** A time-out is no evidence against the service unless it had half of the time that a call may have. */
  const minWaitMs = Math.min(timeoutMs, requestTimeoutMs) / 2;

  const attempt: Attempt = async (operation, request, scope) => {
    const { lifetime, credentials, callRecord } = scope;
    requireCredentials(credentials, operation);
    const startedAt = performance.now();
    const report = (result: Answer | Failure, sentAt?: number, trace?: CallTrace): Answer | Failure => {
      const now = performance.now();
      const [durationMs, wireMs] = [now - startedAt, sentAt === undefined ? 0 : now - sentAt];
      observer.onCall({ operation: operation.name, scope, result, durationMs, wireMs, trace });
      return result;
    };
    const caller = callerOf(credentials, operation.credentials);
    if (isOver(lifetime)) return report(notSent('over'));
    if (throttle.refuses(caller, startedAt)) return report(notSent('down'));
    const leave = await queues[operation.kind].enter(caller, lifetime);
    if (typeof leave === 'string') return report(notSent(leave));
    try {
      const sentAt = performance.now();
      if (isOver(lifetime)) return report(notSent('over'));
      if (isRejected(credentials, operation)) return report(notSent('withdrawn'));
      if (!throttle.admits(caller, sentAt)) return report(notSent('down'));
      scope.tally.calls += 1;
      if (callRecord !== undefined) {
        callRecord.request = request;
        callRecord.tries += 1;
        callRecord.sentAt = sentAt;
      }
      const trace = scope.trace.startCall(operation.name);
      const result = await client.request({
        method: request.method,
        path: request.path,
        body: request.body,
        headers: toHeaders(request, scope, operation, trace),
        isWrite: operation.kind === 'write',
        isPrefetch: request.isPrefetch === true,
        freshConnection: request.freshConnection === true,
        lifetime,
        maySend: () => !isRejected(credentials, operation),
        timeoutMs,
      });
      const now = performance.now();
      const failed = isServiceFailure(result, scope, now - sentAt >= minWaitMs);
      if (failed !== undefined) throttle.record(caller, sentAt, failed, now);
      report(result, sentAt, trace);
      if (result.kind === 'answer') await answerTurn(caller, result.body.length);
      return result;
    } finally {
      // A turn later the result has been read: a 401 stops the calls that wait. And undici has its connection free again.
      setImmediate(leave);
    }
  };
  const state = (): UpstreamState => ({
    isBreakerOpen: throttle.isOpen(),
    read: queues.read.state(),
    write: queues.write.state(),
  });
  return { attempt, state };
}

/** Names and values, alternating, of all headers of a call: of credentials exactly those of its operation. */
function createHeaders(contract: Contract, headerNames: CredentialHeaders) {
  const commonHeaders = createCommonHeaders(contract, Object.values(headerNames));
  const write = createCredentialWriter(contract);
  return (
    { body, headers: ownHeaders = [] }: UpstreamRequest,
    { credentials: { values } }: Scope,
    { credentials }: Operation,
    trace: CallTrace,
  ): readonly string[] => {
    const headers = [...commonHeaders(body !== undefined)];
    for (const name of credentials) headers.push(headerNames[name], write(name, values[name].value ?? ''));
    headers.push(...ownHeaders, ...trace.headers);
    return headers;
  };
}

/** Whether a result shows the service down; undefined for a result that is no evidence. */
function isServiceFailure(result: Answer | Failure, { lifetime }: Scope, hadTime: boolean): boolean | undefined {
  if (result.kind === 'answer') return downStatuses.has(result.status);
  if (result.reason === 'malformed') return false;
  if (result.reason === 'connection' || isConnectionFault(result.reason)) return true;
  const isLate =
    result.reason === 'timeout' || (result.reason === 'over' && performance.now() >= lifetime.deadline - 1);
  return isLate && hadTime ? true : undefined;
}

function notSent(reason: Failure['reason']): Failure {
  return { kind: 'failure', reason, sent: false };
}
