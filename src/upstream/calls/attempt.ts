import { createBreaker, type Breaker, type Leave } from './circuit-breaker.ts';
import type { Contract } from '../../contract/contract.ts';
import {
  passFor,
  requireCredentials,
  type CredentialHeaders,
  type Pass,
  type Wallet,
} from '../credentials/credentials.ts';
import type { Answer, Dispatcher, Failure, Sent } from '../wire/http-client.ts';
import type { Lifetime } from '../../runtime/request-lifetime.ts';
import type { Observer } from './call-observer.ts';
import type { Operation, UpstreamRequest } from '../operation.ts';
import type { CallTrace, RequestTrace } from '../wire/trace-context.ts';
import { createQueue, type Entrant, type Queue, type QueueState, type Turn } from './fair-queue.ts';

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

/** Whoever asks for a try: told of its end once, and perhaps at once. */
export interface Asker {
  /** `now` is a moment of `performance.now()`. */
  readonly onEnd: (result: Answer | Failure, now: number) => void;
}

/** One try of a call. Throws UNAUTHENTICATED, with nothing sent, where a credential it needs is not there. */
export type Attempt = (operation: Operation, request: UpstreamRequest, scope: Scope, asker: Asker) => void;

/** Statuses by which a service, or what stands before it, says that it is down. */
const downStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** How the way to the service is at this moment. */
export interface UpstreamState {
  readonly isBreakerOpen: boolean;
  readonly read: QueueState;
  readonly write: QueueState;
}

/** What tries of one kind, reads or writes, have in common. */
interface Way extends Pick<AttemptOptions, 'dispatcher' | 'observer'> {
  readonly queue: Queue;
  readonly breaker: Breaker;
  readonly headersOf: HeadersOf;
  /** A try that ended no sooner than this without an answer says something of the service. */
  readonly patienceMs: number;
}

/** One try. It is itself what stands in the queue and what the dispatcher sends: closures for each would cost more. */
interface Try extends Entrant, Sent {
  readonly way: Way;
  readonly operation: Operation;
  readonly request: UpstreamRequest;
  readonly scope: Scope;
  readonly pass: Pass;
  readonly asker: Asker;
  readonly lifetime: Lifetime;
  leave: Leave | undefined;
  trace: CallTrace | undefined;
  headers: readonly string[];
}

/** Compiles a try: its turn in the queue, the breaker's leave, the wire. */
export function createAttempt(options: AttemptOptions): {
  readonly attempt: Attempt;
  readonly state: () => UpstreamState;
} {
  const { contract, dispatcher, headers, observer, timeoutMs, requestTimeoutMs, connections, callsPerCaller } = options;
  const size = { places: connections, perCaller: callsPerCaller };
  const breaker = createBreaker();
  const headersOf = createHeaders(contract['service.contentType']);
  const patienceMs = Math.min(timeoutMs, requestTimeoutMs) / 2;
  const wayOf = (): Way => ({ dispatcher, observer, queue: createQueue(size), breaker, headersOf, patienceMs });
  const ways = { read: wayOf(), write: wayOf() };

  const attempt: Attempt = (operation, request, scope, asker) => {
    const { lifetime } = scope;
    requireCredentials(scope.wallet, operation.credentials, operation.name);
    const pass = passFor(scope.wallet, operation.credentials, headers);
    const own: Try = {
      onTurn,
      onOver,
      onResult,
      mayLeave,
      way: ways[operation.kind],
      operation,
      request,
      scope,
      pass,
      asker,
      lifetime,
      caller: pass.caller,
      method: request.method,
      path: request.path,
      body: request.body,
      isWrite: operation.kind === 'write',
      timeoutMs,
      startedAt: performance.now(),
      admittedAt: 0,
      standing: undefined,
      leave: undefined,
      trace: undefined,
      headers: noHeaders,
      place: 0,
      previous: undefined,
      next: undefined,
    };
    // Timers may fire a fraction of a millisecond early.
    const { startedAt } = own;
    if (lifetime.isOver() || startedAt >= lifetime.deadline - 1) end(own, notSent('over'), startedAt);
    else if (breaker.refuses()) end(own, notSent('down'), startedAt);
    else own.way.queue.enter(own);
  };
  const state = (): UpstreamState => ({
    isBreakerOpen: breaker.isOpen(),
    read: ways.read.queue.state(),
    write: ways.write.queue.state(),
  });
  return { attempt, state };
}

const noHeaders: readonly string[] = [];

function onTurn(this: Try, turn: Turn): void {
  const { way, operation, request, scope, pass, lifetime, admittedAt } = this;
  if (turn !== 'admitted') return end(this, notSent(turn), performance.now());
  // What waits is admitted by the end of another call, which may be that of their common request.
  if (lifetime.isOver()) return endInPlace(this, notSent('over'), admittedAt);
  if (isWithdrawn(operation, scope)) return endInPlace(this, notSent('withdrawn'), admittedAt);
  this.leave = way.breaker.admit();
  if (this.leave === undefined) return endInPlace(this, notSent('down'), admittedAt);
  scope.tally.calls += 1;
  this.trace = scope.trace.startCall(operation.name);
  this.headers = way.headersOf(request, pass, this.trace);
  way.dispatcher.send(this, admittedAt);
}

function onOver(this: Try): void {
  this.way.queue.giveUp(this);
}

function mayLeave(this: Try): boolean {
  return !isWithdrawn(this.operation, this.scope);
}

function onResult(this: Try, result: Answer | Failure): void {
  const { way, trace, leave, caller } = this;
  const now = performance.now();
  trace?.end(result);
  const failed = speaksOfService(this, result, now);
  if (failed !== undefined && leave !== undefined) way.breaker.record(caller, leave, failed, now);
  endInPlace(this, result, now);
}

/** Gives the place back once the result is known: what a 401 takes back must not leave in its turn. */
function endInPlace(own: Try, result: Answer | Failure, now: number): void {
  try {
    end(own, result, now);
  } finally {
    own.way.queue.leave(own);
  }
}

function end({ way, operation, scope, startedAt, asker }: Try, result: Answer | Failure, now: number): void {
  way.observer.onCall({ operation: operation.name, scope, result, durationMs: now - startedAt });
  asker.onEnd(result, now);
}

type HeadersOf = ReturnType<typeof createHeaders>;

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
  return wallet.rejected.length > 0 && credentials.some((name) => wallet.rejected.includes(name));
}

/** Whether a result shows the service down; undefined where it says nothing of the service. */
function speaksOfService(
  { lifetime, admittedAt, way }: Try,
  result: Answer | Failure,
  now: number,
): boolean | undefined {
  if (result.kind === 'answer') return downStatuses.has(result.status);
  if (result.reason === 'malformed') return false;
  if (result.reason === 'connection') return true;
  const isLate = result.reason === 'timeout' || (result.reason === 'over' && now >= lifetime.deadline - 1);
  // A call that was given little time says more of us than of the service.
  return isLate && now - admittedAt >= way.patienceMs ? true : undefined;
}

function notSent(reason: Failure['reason']): Failure {
  return { kind: 'failure', reason, sent: false, status: undefined, cause: undefined };
}
