import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { GatewayError, plainCause } from '../../domain/errors.ts';
import {
  isOver,
  pause,
  untilLifetimeEnd,
  withinLifetime,
  type RequestLifetime,
} from '../../runtime/request-lifetime.ts';
import { sealAnswer, sealUnknown, unseal, type Recorded, type Seal } from './sealed-entry.ts';
import { faultIn, storeError, type Entry, type IdempotencyStore, type Intent, type StoreFault } from './store.ts';

const firstPollMs = 20;
const longestPollMs = 250;
/** How long a command that failed is tried again in the background, and how often. */
const defaultRecordMs = 15_000;
const recordAgainMs = 500;
/** Faults after which it is certain that a claim was not recorded. */
const unrecordedFaults: ReadonlySet<StoreFault> = new Set(['locked', 'full']);

/** What an attempt means for its key. `nothing` was sent or done: the key is free again. */
export type KeyOutcome = { readonly as: 'nothing' } | Recorded;

interface Claim {
  readonly operation: string;
  /** The entry's id, an HMAC of the key. */
  readonly id: string;
  readonly input: object;
  readonly seal: Seal;
  /** The longest that the attempt may take, in milliseconds. */
  readonly withinMs: number;
  readonly lifetime: RequestLifetime;
  /** Called before each wait for another attempt under the same key. */
  readonly onWait?: () => void;
}

export interface Idempotency {
  /**
   * Makes the attempt, unless there was one under the same key: then returns the result of that one. Throws
   * IDEMPOTENCY_KEY_REUSED for another input, and IDEMPOTENCY_STORE_UNAVAILABLE, with nothing sent, where the key could
   * not be claimed. `attempt` never throws.
   */
  readonly once: <Ended extends { readonly keyOutcome: KeyOutcome }>(
    claim: Claim,
    attempt: () => Promise<Ended>,
    recorded: (keyOutcome: Recorded) => Ended,
  ) => Promise<Ended>;
  /** Waits for outcomes that are still being recorded. */
  readonly close: () => Promise<void>;
}

interface IdempotencyOptions {
  readonly store: IdempotencyStore;
  /** Called when an outcome could not be recorded: its key stays unknown. */
  readonly onLost: (error: unknown, id: string) => void;
  /** How long recording an outcome is tried. */
  readonly recordMs?: number;
}

export function createIdempotency({ store, onLost, recordMs = defaultRecordMs }: IdempotencyOptions): Idempotency {
  const { record, whenAllEnded } = createRecorder(recordMs);
  /** `lifetime`: given until another attempt is known; its end during a claim counts as an unavailable store. */
  const claimOnce = async (id: string, intent: Intent, lifetime?: RequestLifetime): Promise<Entry | undefined> => {
    const claiming = store.claim(id, intent).then((entry) => ({ entry }));
    try {
      const claimed = lifetime === undefined ? await claiming : await withinLifetime(claiming, lifetime);
      if (claimed === undefined) throw storeError('slow');
      return claimed.entry;
    } catch (error) {
      // The claim may be recorded, or may be later. Nothing was sent under it, so it must not block the key.
      // Freeing it is best effort and not logged: the client gets its error, and the store reports its own failures.
      if (!unrecordedFaults.has(faultIn(error))) {
        void record(
          () => store.free(id, intent.attempt),
          () => {},
        );
      }
      throw error;
    }
  };

  /** The entry of an earlier attempt; undefined when the intent is recorded. Waits for an attempt that is in progress. */
  const claimOrWait = async (
    id: string,
    first: Intent,
    { operation, lifetime, onWait }: Claim,
  ): Promise<{ readonly intent: Intent; readonly entry: Entry | undefined }> => {
    let intent = first;
    let latest: Entry | undefined;
    for (let waitMs = firstPollMs; ; waitMs = Math.min(waitMs * 2, longestPollMs)) {
      try {
        const entry = await claimOnce(id, intent, latest === undefined ? lifetime : undefined);
        if (entry === undefined) return { intent, entry };
        latest = entry;
      } catch (error) {
        const details = { operation, retryable: true };
        if (latest === undefined)
          throw new GatewayError('IDEMPOTENCY_STORE_UNAVAILABLE', details, { cause: plainCause(error) });
        // The other attempt may have been sent, so this must not end as unsent. The failed claim is being freed, perhaps
        // late: the next one needs a name of its own.
        intent = { ...first, attempt: randomUUID() };
      }
      if (latest.input !== intent.input) {
        throw new GatewayError('IDEMPOTENCY_KEY_REUSED', { operation, retryable: false });
      }
      const isInProgress = latest.state === 'pending' && Date.now() < latest.deadline;
      if (!isInProgress || isOver(lifetime)) return { intent, entry: latest };
      onWait?.();
      await pause(waitMs, lifetime);
    }
  };

  return {
    once: async (claim, attempt, recorded) => {
      const { id, seal, operation, lifetime } = claim;
      if (isOver(lifetime)) throw new GatewayError('UPSTREAM_TIMEOUT', { operation, retryable: true });
      const first = { input: seal.inputOf(claim.input), deadline: Date.now() + claim.withinMs, attempt: randomUUID() };
      const { intent, entry } = await claimOrWait(id, first, claim);
      if (entry !== undefined) return recorded(unseal(entry, id, seal));
      const ended = await attempt();
      const { keyOutcome } = ended;
      const lose = (error: unknown): void => onLost(error, id);
      // A refusal need not wait for its key to be freed: it is the answer also where the request's time ends before.
      if (keyOutcome.as === 'nothing') {
        await untilLifetimeEnd(
          record(() => store.free(id, intent.attempt), lose),
          lifetime,
        );
      } else await record(() => store.settle(id, toEntry(intent, keyOutcome, id, seal)), lose);
      return ended;
    },
    close: async () => {
      await whenAllEnded();
      await store.close();
    },
  };
}

/** Carries out commands of the store, again in the background where they fail. */
function createRecorder(recordMs: number) {
  const running = new Set<Promise<void>>();
  const retry = async (work: () => Promise<void>): Promise<void> => {
    for (let waitedMs = recordAgainMs; ; waitedMs += recordAgainMs) {
      await delay(recordAgainMs);
      try {
        return await work();
      } catch (error) {
        if (waitedMs >= recordMs) throw error;
      }
    }
  };
  return {
    /** Resolves after the first time. */
    record: async (work: () => Promise<void>, onFailure: (error: unknown) => void): Promise<void> => {
      const first = work();
      const tracked = first
        .catch(() => retry(work))
        .catch(onFailure)
        .finally(() => running.delete(tracked));
      running.add(tracked);
      await first.catch(() => {});
    },
    whenAllEnded: () => Promise.all(running),
  };
}

function toEntry(intent: Intent, keyOutcome: Recorded, id: string, seal: Seal): Entry {
  if (keyOutcome.as === 'answer')
    return { ...intent, state: 'answered', sealed: sealAnswer(keyOutcome.answer, id, seal) };
  const { status } = keyOutcome;
  return { ...intent, state: 'unknown', ...(status === undefined ? {} : { sealed: sealUnknown(status, id, seal) }) };
}
