import { createBreaker } from './breaker.ts';
import type { Contract } from './contract.ts';
import { passFor, requireCredentials, type CredentialHeaders, type Pass, type Wallet } from './credentials.ts';
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

type OnEnd = (result: Answer | Failure) => void;
/** A place to call from, or why there is none. */
type Turn = 'admitted' | Failure['reason'];

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

  /** Takes a place, or says why there is none. Timers may fire a fraction of a millisecond early. */
  const enter = (operation: Operation, { lifetime }: Scope, caller: string, now: number): Turn | Promise<Turn> => {
    if (lifetime.isOver() || now >= lifetime.deadline - 1) return 'over';
    if (breaker.refuses()) return 'down';
    return queues[operation.kind].enter(caller, lifetime);
  };

  /** With its place taken: the breaker's leave and the wire. */
  const send = (operation: Operation, request: UpstreamRequest, scope: Scope, pass: Pass, onEnd: OnEnd): void => {
    const { lifetime } = scope;
    const startedAt = performance.now();
    const end: OnEnd = (result) => {
      queues[operation.kind].leave(pass.caller, performance.now() - startedAt);
      onEnd(result);
    };
    // What waits is admitted by the end of another call, which may be that of their common request.
    if (lifetime.isOver()) return end(notSent('over'));
    if (isWithdrawn(operation, scope)) return end(notSent('withdrawn'));
    const leave = breaker.admit();
    if (leave === undefined) return end(notSent('down'));
    scope.tally.calls += 1;
    const trace = scope.trace.startCall(operation.name);
    const { method, path, body } = request;
    const isWrite = operation.kind === 'write';
    const mayLeave = (): boolean => !isWithdrawn(operation, scope);
    const call = {
      method,
      path,
      headers: headersOf(request, pass, trace),
      body,
      isWrite,
      timeoutMs,
      lifetime,
      mayLeave,
    };
    dispatcher.send(call, (result) => {
      trace.end(result);
      const failed = speaksOfService(result, lifetime, performance.now() - startedAt >= patienceMs);
      if (failed !== undefined) breaker.record(pass.caller, leave, failed);
      end(result);
    });
  };

  const attempt: Attempt = (operation, request, scope) =>
    new Promise((resolve) => {
      requireCredentials(scope.wallet, operation.credentials, operation.name);
      const pass = passFor(scope.wallet, operation.credentials, headers);
      const startedAt = performance.now();
      const end: OnEnd = (result) => {
        observer.onCall({ operation: operation.name, scope, result, durationMs: performance.now() - startedAt });
        resolve(result);
      };
      const takeTurn = (turn: Turn): void =>
        turn === 'admitted' ? send(operation, request, scope, pass, end) : end(notSent(turn));
      const entered = enter(operation, scope, pass.caller, startedAt);
      if (typeof entered === 'string') takeTurn(entered);
      else void entered.then(takeTurn);
    });
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
