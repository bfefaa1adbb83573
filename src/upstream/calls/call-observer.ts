import type { Scope } from './attempt.ts';
import type { OperationName } from '../../contract/contract.ts';
import type { Answer, Failure } from '../wire/http-client.ts';

/** One try of a call, or its refusal before anything was sent. */
interface CallEvent {
  readonly operation: OperationName;
  readonly scope: Scope;
  readonly result: Answer | Failure;
  readonly durationMs: number;
}

/** What came of a write, whoever still waited for it. */
export interface WriteEvent {
  readonly operation: OperationName;
  readonly scope: Scope;
  readonly outcome: 'done' | 'refused' | 'unknown' | 'not sent';
  /** The error code, where the outcome is one. */
  readonly code: string | undefined;
  readonly upstreamStatus: number | undefined;
  readonly recordId: string | undefined;
  /** A fingerprint of the idempotency key. */
  readonly key: string | undefined;
  /** Recorded before: nothing was sent for it this time. */
  readonly isRepeated: boolean;
}

/** Who hears of what goes to the service: the log, and whatever measures. */
export interface Observer {
  readonly onCall: (event: CallEvent) => void;
  /** Before a read is tried again. */
  readonly onRetry: (operation: OperationName) => void;
  readonly onWrite: (event: WriteEvent) => void;
}

/** Tells all of them, in their order. */
export function observeAll(observers: readonly Observer[]): Observer {
  return {
    onCall: (event) => {
      for (const { onCall } of observers) onCall(event);
    },
    onRetry: (operation) => observers.forEach(({ onRetry }) => onRetry(operation)),
    onWrite: (event) => observers.forEach(({ onWrite }) => onWrite(event)),
  };
}
