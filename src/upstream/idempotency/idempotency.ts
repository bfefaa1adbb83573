import { randomUUID } from 'node:crypto';
import { GatewayError, plainCause } from '../../domain/errors.ts';
import type { Answer } from '../wire/http-client.ts';
import { faultIn, storeError, type Entry, type IdempotencyStore, type Intent, type StoreFault } from './store.ts';
import { pause, untilLifetimeEnd, withinLifetime, type RequestLifetime } from '../../runtime/request-lifetime.ts';
import type { Seal } from './sealed-entry.ts';

const firstPollMs = 20;
const longestPollMs = 250;
const settleAttempts = 3;
/** Faults after which it is certain that a claim was not recorded. */
const unrecordedFaults: ReadonlySet<StoreFault> = new Set(['locked', 'full']);
const settleWaitMs = 200;

/** The result of an attempt, as far as its key keeps it. */
export type Kept =
  /** Nothing was sent or done: the key is free again. */
  | { readonly as: 'nothing' }
  /** Sent, with an unclear answer: the key blocks any further attempt. `status`: the answer's, if there was one. */
  | { readonly as: 'unknown'; readonly status?: number | undefined }
  /** The answer is replayed from now on. */
  | { readonly as: 'answer'; readonly answer: StoredAnswer };

/** The result that a key keeps after its use. */
export type Recorded = Exclude<Kept, { readonly as: 'nothing' }>;

type StoredAnswer = Pick<Answer, 'status' | 'body'>;

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
  readonly once: <Ended extends { readonly kept: Kept }>(
    claim: Claim,
    attempt: () => Promise<Ended>,
    recorded: (kept: Recorded) => Ended,
  ) => Promise<Ended>;
  /** Waits for outcomes that are still being recorded. */
  readonly close: () => Promise<void>;
}

interface IdempotencyOptions {
  readonly store: IdempotencyStore;
  /** Called when an outcome could not be recorded: its key stays unknown. */
  readonly onLost: (error: unknown, id: string) => void;
}

export function createIdempotency({ store, onLost }: IdempotencyOptions): Idempotency {
  const { settle, free, withdraw, whenAllEnded } = createRecording(store, onLost);

  /** `lifetime`: given until another attempt is known; its end during a claim counts as an unavailable store. */
  const claimFrom = async (
    id: string,
    intent: Intent,
    operation: string,
    lifetime: RequestLifetime | undefined,
  ): Promise<Entry | undefined> => {
    if (lifetime?.isOver() === true) throw new GatewayError('UPSTREAM_TIMEOUT', { operation, retryable: true });
    const claiming = store.claim(id, intent);
    try {
      if (lifetime === undefined) return await claiming;
      const claimed = await withinLifetime(
        claiming.then((entry) => ({ entry })),
        lifetime,
      );
      if (claimed === undefined) throw storeError('slow');
      return claimed.entry;
    } catch (error) {
      // The claim may be recorded, or may be later. Nothing was sent under it, so it must not block the key.
      // Freeing is best effort and not logged: the client gets its error, and the store logs its own failures.
      const mayBeRecorded = claiming.then(
        (entry) => entry === undefined,
        (reason: unknown) => !unrecordedFaults.has(faultIn(reason)),
      );
      withdraw(id, intent, mayBeRecorded);
      const details = { operation, retryable: true };
      throw new GatewayError('IDEMPOTENCY_STORE_UNAVAILABLE', details, { cause: plainCause(error) });
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
      const claiming = claimFrom(id, intent, operation, latest === undefined ? lifetime : undefined);
      const entry: Entry | undefined = await claiming.catch((error: unknown) => {
        if (latest === undefined) throw error;
        // The other attempt may have been sent, so this must not end as unsent. The failed claim is being freed, perhaps
        // late: the next one needs a name of its own.
        intent = { ...first, attempt: randomUUID() };
        return latest;
      });
      if (entry === undefined) return { intent, entry };
      if (entry.input !== intent.input) {
        throw new GatewayError('IDEMPOTENCY_KEY_REUSED', { operation, retryable: false });
      }
      const isInProgress = entry.state === 'pending' && Date.now() < entry.deadline;
      if (!isInProgress || lifetime.isOver()) return { intent, entry };
      latest = entry;
      onWait?.();
      await pause(waitMs, lifetime);
    }
  };

  return {
    once: async (claim, attempt, recorded) => {
      const { id, seal } = claim;
      const first = { input: seal.inputOf(claim.input), deadline: Date.now() + claim.withinMs, attempt: randomUUID() };
      const { intent, entry } = await claimOrWait(id, first, claim);
      if (entry !== undefined) return recorded(keptIn(entry, id, seal));
      const ended = await attempt();
      // A refusal need not wait for its key to be freed: it is the answer also where the request's time ends before.
      if (ended.kept.as === 'nothing') await untilLifetimeEnd(free(id, intent), claim.lifetime);
      else await settle(id, toEntry(intent, ended.kept, id, seal));
      return ended;
    },
    close: async () => {
      await whenAllEnded();
      await store.close();
    },
  };
}

/** Records how attempts ended. A command that the store fails is retried in the background. */
function createRecording(store: IdempotencyStore, onLost: IdempotencyOptions['onLost']) {
  const unsettled = new Set<Promise<void>>();
  const inBackground = (work: Promise<void>, onFailure: (error: unknown) => void): void => {
    const tracked = work.catch(onFailure).finally(() => unsettled.delete(tracked));
    unsettled.add(tracked);
  };
  /**
   * Waits for the first attempt, so that no client gets an outcome that is lost with the process, or a refusal whose key
   * another process still finds claimed.
   */
  const record = async (id: string, work: () => Promise<void>): Promise<void> => {
    const first = work();
    inBackground(
      first.catch(() => retry(work)),
      (error) => onLost(error, id),
    );
    await first.catch(() => {});
  };
  return {
    settle: (id: string, entry: Entry): Promise<void> => record(id, () => store.settle(id, entry)),
    free: (id: string, { attempt }: Intent): Promise<void> => record(id, () => store.free(id, attempt)),
    /** Frees the key of a failed claim in the background, and reports no failure. */
    withdraw: (id: string, { attempt }: Intent, isNeeded: Promise<boolean>): void => {
      const work = (): Promise<void> => store.withdraw(id, attempt);
      inBackground(
        isNeeded.then((needed) => (needed ? work().catch(() => retry(work)) : undefined)),
        () => {},
      );
    },
    whenAllEnded: async (): Promise<void> => {
      await Promise.all(unsettled);
    },
  };
}

/** Retries work that has failed once, at most twice. */
async function retry(work: () => Promise<void>): Promise<void> {
  for (let attempts = 2; ; attempts += 1) {
    await new Promise((resolve) => setTimeout(resolve, settleWaitMs * attempts));
    try {
      await work();
      return;
    } catch (error) {
      if (attempts === settleAttempts) throw error;
    }
  }
}

/** The status of an unknown outcome is sealed under an id of its own, so that it cannot be passed off as an answer. */
function unknownId(id: string): string {
  return `${id} unknown`;
}

function toEntry(intent: Intent, kept: Recorded, id: string, seal: Seal): Entry {
  if (kept.as === 'answer') return { ...intent, state: 'answered', sealed: seal.close(id, pack(kept.answer)) };
  const { status } = kept;
  if (status === undefined) return { ...intent, state: 'unknown' };
  return { ...intent, state: 'unknown', sealed: seal.close(unknownId(id), pack({ status, body: Buffer.alloc(0) })) };
}

/** An earlier version of this program may have recorded an unknown outcome without its status. */
function keptIn({ state, sealed }: Entry, id: string, seal: Seal): Recorded {
  if (sealed === undefined) return { as: 'unknown' };
  try {
    if (state === 'answered') return { as: 'answer', answer: unpack(seal.open(id, sealed)) };
    return { as: 'unknown', status: unpack(seal.open(unknownId(id), sealed)).status };
  } catch {
    // The entry was changed from outside: all that is certain is that something was sent.
    return { as: 'unknown' };
  }
}

/** The status in two bytes, then the body as it came. */
function pack({ status, body }: StoredAnswer): Uint8Array {
  const packed = Buffer.alloc(2 + body.length);
  packed.writeUInt16BE(status);
  body.copy(packed, 2);
  return packed;
}

function unpack(content: Uint8Array): StoredAnswer {
  const packed = Buffer.from(content);
  return { status: packed.readUInt16BE(), body: packed.subarray(2) };
}
