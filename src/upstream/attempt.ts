import { createBreaker } from './breaker.ts';
import type { Contract } from './contract.ts';
import { callerOf, credentialHeaders, requireCredentials, type CredentialHeaders, type Wallet } from './credentials.ts';
import type { Answer, Dispatcher, Failure } from './dispatcher.ts';
import type { Lifetime } from './lifetime.ts';
import type { Observer } from './observer.ts';
import type { Operation, UpstreamRequest } from './operation.ts';
import type { RequestTrace } from './trace.ts';
import { createQueue, type QueueState } from './queue.ts';

/** What all calls of one GraphQL request share. */
export interface Scope {
  readonly requestId: string;
  /** A short fingerprint of the caller, for the log. */
  readonly caller: string;
  readonly wallet: Wallet;
  readonly lifetime: Lifetime;
  /** Counts what is sent. */
  readonly tally: { calls: number };
  readonly trace: RequestTrace;
}

export interface AttemptOptions {
  readonly contract: Contract;
  readonly dispatcher: Dispatcher;
  readonly headers: CredentialHeaders;
  readonly observer: Observer;
  /** One try of one call. */
  readonly timeoutMs: number;
  readonly requestTimeoutMs: number;
  /** Calls in flight, of reads and of writes each: of all callers, and of one. */
  readonly connections: number;
  readonly callsPerCaller: number;
}

/** One try of a call. Throws UNAUTHENTICATED, with nothing sent, where a credential it needs is not there. */
export type Attempt = (operation: Operation, request: UpstreamRequest, scope: Scope) => Promise<Answer | Failure>;

/** Statuses by which a service, or what stands before it, says that it is down. */
const downStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** How the way to the service is at this moment. */
export interface UpstreamState {
  readonly isBreakerOpen: boolean;
  readonly read: QueueState;
  readonly write: QueueState;
}

/** Compiles a try: its turn in the queue, the breaker's leave, the wire. */
export function createAttempt(options: AttemptOptions): {
  readonly attempt: Attempt;
  readonly state: () => UpstreamState;
} {
  const { contract, dispatcher, headers, observer, timeoutMs, requestTimeoutMs, connections, callsPerCaller } = options;
  const size = { places: connections, perCaller: callsPerCaller };
  const queues = { read: createQueue(size), write: createQueue(size) };
  const breaker = createBreaker();
  const mediaType = contract['service.contentType'];
  const patienceMs = Math.min(timeoutMs, requestTimeoutMs) / 2;

  const dispatch: Attempt = async (operation, { method, path, body }, scope) => {
    const credentials = credentialHeaders(scope.wallet, operation.credentials, headers);
    const content = body === undefined ? [] : ['content-type', mediaType];
    const trace = scope.trace.startCall(operation.name);
    const result = await dispatcher.dispatch({
      method,
      path,
      headers: ['accept', mediaType, 'user-agent', 'settlement-graph', ...content, ...trace.headers, ...credentials],
      body,
      isWrite: operation.kind === 'write',
      timeoutMs,
      lifetime: scope.lifetime,
      mayLeave: () => operation.credentials.every((name) => !scope.wallet.rejected.has(name)),
    });
    trace.end(result);
    return result;
  };

  const inTurn: Attempt = async (operation, request, scope) => {
    const { lifetime, wallet } = scope;
    // Timers may fire a fraction of a millisecond early.
    if (lifetime.isOver() || performance.now() >= lifetime.deadline - 1) return notSent('over');
    if (breaker.refuses()) return notSent('down');
    const caller = callerOf(wallet, operation.credentials);
    const queue = queues[operation.kind];
    const entered = queue.enter(caller, lifetime);
    const turn = typeof entered === 'string' ? entered : await entered;
    if (turn !== 'admitted') return notSent(turn);
    const startedAt = performance.now();
    try {
      if (operation.credentials.some((name) => wallet.rejected.has(name))) return notSent('withdrawn');
      const leave = breaker.admit();
      if (leave === undefined) return notSent('down');
      scope.tally.calls += 1;
      const result = await dispatch(operation, request, scope);
      const failed = speaksOfService(result, lifetime, performance.now() - startedAt >= patienceMs);
      if (failed !== undefined) breaker.record(caller, leave, failed);
      return result;
    } finally {
      queue.leave(caller, performance.now() - startedAt);
    }
  };

  const attempt: Attempt = async (operation, request, scope) => {
    requireCredentials(scope.wallet, operation.credentials, operation.name);
    const startedAt = performance.now();
    const result = await inTurn(operation, request, scope);
    observer.onCall({ operation: operation.name, scope, result, durationMs: performance.now() - startedAt });
    return result;
  };
  const state = (): UpstreamState => ({
    isBreakerOpen: breaker.isOpen(),
    read: queues.read.state(),
    write: queues.write.state(),
  });
  return { attempt, state };
}

/** Whether a result shows the service down; undefined where it says nothing of the service. */
function speaksOfService(result: Answer | Failure, lifetime: Lifetime, wasPatient: boolean): boolean | undefined {
  if (result.kind === 'answer') return downStatuses.has(result.status);
  if (result.reason === 'malformed') return false;
  if (result.reason === 'connection') return true;
  const isLate =
    result.reason === 'timeout' || (result.reason === 'over' && performance.now() >= lifetime.deadline - 1);
  // A call that was given little time says more of us than of the service.
  return isLate && wasPatient ? true : undefined;
}

function notSent(reason: Failure['reason']): Failure {
  return { kind: 'failure', reason, sent: false, status: undefined, cause: undefined };
}
