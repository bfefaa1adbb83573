import { createBreaker, type Leave } from './breaker.ts';
import type { Contract } from './contract.ts';
import { passFor, requireCredentials, type CredentialHeaders, type Pass, type Wallet } from './credentials.ts';
import type { Answer, Dispatcher, Failure } from './dispatcher.ts';
import type { Lifetime } from './lifetime.ts';
import type { Observer } from './observer.ts';
import type { Operation, UpstreamRequest } from './operation.ts';
import type { CallTrace, RequestTrace } from './trace.ts';
import { createQueue, type QueueState, type Turn } from './queue.ts';

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

/**
 * One try of a call, whose end is told once, and perhaps at once. Throws UNAUTHENTICATED, with nothing sent, where a
 * credential it needs is not there.
 */
export type Attempt = (operation: Operation, request: UpstreamRequest, scope: Scope, onEnd: OnEnd) => void;

type OnEnd = (result: Answer | Failure) => void;

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
  const headersOf = createHeaders(contract['service.contentType']);
  const patienceMs = Math.min(timeoutMs, requestTimeoutMs) / 2;

  const attempt: Attempt = (operation, request, scope, onEnd) => {
    const { lifetime } = scope;
    requireCredentials(scope.wallet, operation.credentials, operation.name);
    const pass = passFor(scope.wallet, operation.credentials, headers);
    const queue = queues[operation.kind];
    const startedAt = performance.now();
    let sentAt = 0;
    let leave: Leave | undefined;
    let trace: CallTrace | undefined;

    const end = (result: Answer | Failure): void => {
      observer.onCall({ operation: operation.name, scope, result, durationMs: performance.now() - startedAt });
      onEnd(result);
    };
    /** Gives the place back once the result is known: what a 401 takes back must not leave in its turn. */
    const endInPlace = (result: Answer | Failure): void => {
      try {
        end(result);
      } finally {
        queue.leave(pass.caller, performance.now() - sentAt);
      }
    };
    const onResult = (result: Answer | Failure): void => {
      trace?.end(result);
      const failed = speaksOfService(result, lifetime, performance.now() - sentAt >= patienceMs);
      if (failed !== undefined && leave !== undefined) breaker.record(pass.caller, leave, failed);
      endInPlace(result);
    };
    const mayLeave = (): boolean => !isWithdrawn(operation, scope);
    const onTurn = (turn: Turn): void => {
      if (turn !== 'admitted') return end(notSent(turn));
      sentAt = performance.now();
      // What waits is admitted by the end of another call, which may be that of their common request.
      if (lifetime.isOver()) return endInPlace(notSent('over'));
      if (isWithdrawn(operation, scope)) return endInPlace(notSent('withdrawn'));
      leave = breaker.admit();
      if (leave === undefined) return endInPlace(notSent('down'));
      scope.tally.calls += 1;
      trace = scope.trace.startCall(operation.name);
      const { method, path, body } = request;
      const isWrite = operation.kind === 'write';
      const sent = headersOf(request, pass, trace);
      const { caller } = pass;
      dispatcher.send({ caller, method, path, headers: sent, body, isWrite, timeoutMs, lifetime, mayLeave }, onResult);
    };

    // Timers may fire a fraction of a millisecond early.
    if (lifetime.isOver() || startedAt >= lifetime.deadline - 1) end(notSent('over'));
    else if (breaker.refuses()) end(notSent('down'));
    else queue.enter(pass.caller, lifetime, onTurn);
  };
  const state = (): UpstreamState => ({
    isBreakerOpen: breaker.isOpen(),
    read: queues.read.state(),
    write: queues.write.state(),
  });
  return { attempt, state };
}

/** Names and values in turn of all that a call sends. */
function createHeaders(mediaType: string) {
  const fixed = ['accept', mediaType, 'user-agent', 'settlement-graph'];
  const ofContent = ['content-type', mediaType];
  return ({ body }: UpstreamRequest, pass: Pass, trace: CallTrace): readonly string[] => {
    // Most calls of a request send the same.
    if (body === undefined && trace.headers.length === 0) return (pass.readHeaders ??= [...fixed, ...pass.headers]);
    return [...fixed, ...(body === undefined ? [] : ofContent), ...trace.headers, ...pass.headers];
  };
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
