/** The record of a create under a key. Without the caller's credential nothing in it is readable. */
export interface Entry {
  /** HMAC of the input, under the caller's own key. */
  readonly input: string;
  /** When the attempt has surely ended, in milliseconds since 1970. */
  readonly deadline: number;
  /** Identifies the attempt, so that none settles another one's entry. */
  readonly attempt: string;
  /** `pending`: in progress, or ended with its process. `unknown`: sent, and no answer proves or refuses it. */
  readonly state: 'pending' | 'unknown' | 'answered';
  /** The service's answer, sealed; of an unknown outcome its status at most. */
  readonly sealed?: Uint8Array;
}

export type Intent = Pick<Entry, 'input' | 'deadline' | 'attempt'>;

/**
 * The store of idempotency keys. Promises reject if it cannot be reached; what a resolved one has written is durable.
 * Commands are carried out in the order in which they are given.
 */
export interface IdempotencyStore {
  /** Records the intent under the id, unless there is an entry: then returns that. */
  readonly claim: (id: string, intent: Intent) => Promise<Entry | undefined>;
  /** Replaces the attempt's own entry, or does nothing where it is not that any more. */
  readonly settle: (id: string, entry: Entry) => Promise<void>;
  /** Deletes the attempt's own entry, or does nothing where it is not that any more. */
  readonly free: (id: string, attempt: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

const hourMs = 3_600_000;

/** Answered entries live for 72 hours, all others for 30 days. */
export function lifetimeMs(state: Entry['state']): number {
  return state === 'answered' ? 72 * hourMs : 30 * 24 * hourMs;
}

/** Why a command failed. `slow`: it took too long, or too many commands wait; `away`: any other reason. */
export const storeFaults = ['locked', 'full', 'corrupt', 'slow', 'away'] as const;
export type StoreFault = (typeof storeFaults)[number];

/** One command of a store: how long it took, and why it failed where it did; of `away` also the error's code. */
export interface StoreEvent {
  readonly command: 'claim' | 'settle' | 'free';
  readonly durationMs: number;
  readonly fault: StoreFault | undefined;
  readonly cause: string | undefined;
}

/** An error whose message names the fault alone, so that it may be logged. `cause`: of `away`, what has happened. */
export function storeError(fault: StoreFault, cause = `STORE_${fault.toUpperCase()}`): Error {
  return Object.assign(new Error(`The idempotency store failed: ${fault}.`), { code: cause });
}

export function faultIn(error: unknown): StoreFault {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return storeFaults.find((fault) => `STORE_${fault.toUpperCase()}` === code) ?? 'away';
}
