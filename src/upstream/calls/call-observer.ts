import type { Scope, WriteOutcome } from './scope.ts';
import type { OperationName } from '../../contract/contract.ts';
import type { RecordEvidence } from '../operation.ts';
import type { StoreEvent } from '../idempotency/store.ts';
import type { Answer, Failure } from '../wire/http-client.ts';
import type { CallTrace } from '../wire/trace-context.ts';

/** One attempt of a call, or its refusal before anything was sent. */
export interface CallEvent {
  readonly operation: OperationName;
  readonly scope: Scope;
  readonly result: Answer | Failure;
  readonly durationMs: number;
  /** The part of it on the wire; 0 where nothing was sent. */
  readonly wireMs: number;
  /** Undefined where nothing was sent. */
  readonly trace: CallTrace | undefined;
}

/** The outcome of a write, which is recorded even after its request has ended. */
export interface WriteEvent {
  readonly operation: OperationName;
  readonly scope: Scope;
  readonly outcome: WriteOutcome;
  /** The error code, where the outcome is an error. */
  readonly code: string | undefined;
  readonly upstreamStatus: number | undefined;
  readonly recordId: string | undefined;
  /** A fingerprint of the idempotency key. */
  readonly key: string | undefined;
  /** Whether the outcome is replayed from the idempotency store: nothing was sent this time. */
  readonly isRepeated: boolean;
  /** Whether another request with the same key was under way, whose outcome this one has waited for. */
  readonly hasWaited: boolean;
  /** Reads what the record in a successful answer proves; computed at each call. */
  readonly evidence: () => RecordEvidence | undefined;
}

/** Listener for calls to the service: log, metrics, traces and `extensions.calls`. */
export interface CallObserver {
  readonly onCall: (event: CallEvent) => void;
  /** Called before each retry of a read. */
  readonly onRetry: (operation: OperationName) => void;
  readonly onWrite: (event: WriteEvent) => void;
  /** Called after each command of the idempotency store. */
  readonly onStore: (event: StoreEvent) => void;
}

/** Combines observers, each of some of the events; they are called in their order. */
export function combineObservers(observers: readonly Partial<CallObserver>[]): CallObserver {
  return {
    onCall: (event) => observers.forEach(({ onCall }) => onCall?.(event)),
    onRetry: (operation) => observers.forEach(({ onRetry }) => onRetry?.(operation)),
    onWrite: (event) => observers.forEach(({ onWrite }) => onWrite?.(event)),
    onStore: (event) => observers.forEach(({ onStore }) => onStore?.(event)),
  };
}
