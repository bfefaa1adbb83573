import { createBreaker } from './breaker.ts';
import type { Contract } from './contract.ts';
import { callerOf, credentialHeaders, requireCredentials, type CredentialHeaders, type Wallet } from './credentials.ts';
import type { Answer, Dispatcher, Failure } from './dispatcher.ts';
import type { Lifetime } from './lifetime.ts';
import type { Observer } from './observer.ts';
import type { Operation, UpstreamRequest } from './operation.ts';
import type { CallTrace, RequestTrace } from './trace.ts';
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
  /** What of its budget is spent: calls asked for, sent or not, however often each is tried. */
  readonly spent: { calls: number };
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
  const fixedHeaders = ['accept', mediaType, 'user-agent', 'settlement-graph'];
  const patienceMs = Math.min(timeoutMs, requestTimeoutMs) / 2;

  /** Takes a place, or says why there is none. Timers may fire a fraction of a millisecond early. */
  const enter = (operation: Operation, { lifetime }: Scope, caller: string, now: number) => {
    if (lifetime.isOver() || now >= lifetime.deadline - 1) return 'over';
    if (breaker.refuses()) return 'down';
    return queues[operation.kind].enter(caller, lifetime);
  };

  const toCall = (operation: Operation, { method, path, body }: UpstreamRequest, scope: Scope, trace: CallTrace) => ({
    method,
    path,
    headers: [
      ...fixedHeaders,
      ...(body === undefined ? [] : ['content-type', mediaType]),
      ...trace.headers,
      ...credentialHeaders(scope.wallet, operation.credentials, headers),
    ],
    body,
    isWrite: operation.kind === 'write',
    timeoutMs,
    lifetime: scope.lifetime,
    mayLeave: () => !isWithdrawn(operation, scope),
  });

  /** With its place taken: the breaker's leave and the wire. */
  const send = async (operation: Operation, request: UpstreamRequest, scope: Scope, caller: string) => {
    const startedAt = performance.now();
    try {
      if (isWithdrawn(operation, scope)) return notSent('withdrawn');
      const leave = breaker.admit();
      if (leave === undefined) return notSent('down');
      scope.tally.calls += 1;
      const trace = scope.trace.startCall(operation.name);
      const result = await dispatcher.dispatch(toCall(operation, request, scope, trace));
      trace.end(result);
      const failed = speaksOfService(result, scope.lifetime, performance.now() - startedAt >= patienceMs);
      if (failed !== undefined) breaker.record(caller, leave, failed);
      return result;
    } finally {
      queues[operation.kind].leave(caller, performance.now() - startedAt);
    }
  };

  const attempt: Attempt = async (operation, request, scope) => {
    requireCredentials(scope.wallet, operation.credentials, operation.name);
    const startedAt = performance.now();
    const caller = callerOf(scope.wallet, operation.credentials);
    const entered = enter(operation, scope, caller, startedAt);
    const turn = typeof entered === 'string' ? entered : await entered;
    const result = turn === 'admitted' ? await send(operation, request, scope, caller) : notSent(turn);
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

/** Whether a credential of the operation was turned away since it asked for its turn. */
function isWithdrawn({ credentials }: Operation, { wallet }: Scope): boolean {
  return wallet.rejected.size > 0 && credentials.some((name) => wallet.rejected.has(name));
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
