import { randomUUID } from 'node:crypto';
import { GatewayError, plainCause } from '../../domain/errors.ts';
import type { Answer } from '../wire/http-client.ts';
import type { Entry, IdempotencyStore, Intent } from './store.ts';
import { pause, type RequestLifetime } from '../../runtime/request-lifetime.ts';
import type { Seal } from './sealed-entry.ts';

const firstPollMs = 20;
const longestPollMs = 250;
const settleTries = 3;
const settleWaitMs = 200;

/** What came of an attempt, and so what its key stands for from then on. */
export type Kept =
  /** Nothing happened, surely: the key is free again. */
  | { readonly as: 'nothing' }
  /** Sent, and nothing certain came back: never to be sent again under this key. */
  | { readonly as: 'unknown' }
  /** The same answer from now on. */
  | { readonly as: 'answer'; readonly answer: StoredAnswer };

/** What a key may stand for that was used before. */
export type Recorded = Exclude<Kept, { readonly as: 'nothing' }>;

type StoredAnswer = Pick<Answer, 'status' | 'body'>;

interface Claim {
  readonly operation: string;
  /** The seal's name for the key. */
  readonly id: string;
  readonly input: object;
  readonly seal: Seal;
  /** How long the attempt may last, in milliseconds. */
  readonly withinMs: number;
  readonly lifetime: RequestLifetime;
}

export interface Idempotency {
  /**
   * Makes the attempt, unless one under the same key has been made: then gives what came of that, `unknown` where
   * nobody can tell. Throws IDEMPOTENCY_KEY_REUSED for another input, and UPSTREAM_UNAVAILABLE, with nothing sent,
   * where the store cannot be reached. `attempt` never throws.
   */
  readonly once: <Ended extends { readonly kept: Kept }>(
    claim: Claim,
    attempt: () => Promise<Ended>,
    recorded: (kept: Recorded) => Ended,
  ) => Promise<Ended>;
  /** Waits for outcomes that are still being recorded. */
  readonly close: () => Promise<void>;
}

export interface IdempotencyOptions {
  readonly store: IdempotencyStore;
  /** Told of an outcome that could not be recorded: its key stays unknown. */
  readonly onLost: (error: unknown) => void;
}

export function createIdempotency({ store, onLost }: IdempotencyOptions): Idempotency {
  const unsettled = new Set<Promise<void>>();
  const inBackground = (work: Promise<void>, onFailure = onLost): void => {
    const tracked = work.catch(onFailure).finally(() => unsettled.delete(tracked));
    unsettled.add(tracked);
  };

  /** The first try is waited for, the others are made behind the answer. */
  const settle = async (id: string, entry: Entry): Promise<void> => {
    const work = (): Promise<void> => store.settle(id, entry);
    await work().catch(() => inBackground(tryAgain(work)));
  };
  const free = (id: string, attempt: string, onFailure = onLost): void => {
    const work = (): Promise<void> => store.free(id, attempt);
    inBackground(
      work().catch(() => tryAgain(work)),
      onFailure,
    );
  };

  const claimFrom = async (id: string, intent: Intent, operation: string): Promise<Entry | undefined> => {
    try {
      return await store.claim(id, intent);
    } catch (error) {
      // It may have been recorded after all: then nothing was sent under it, and it must not stand in the way. Whose
      // request this is hears that the store has gone; a line for each key that it took along would say no more.
      free(id, intent.attempt, () => {});
      const message = 'The store of idempotency keys could not be reached. Nothing was sent.';
      throw new GatewayError(
        'UPSTREAM_UNAVAILABLE',
        { operation, retryable: true },
        { message, cause: plainCause(error) },
      );
    }
  };

  /** The entry that stands in the way; undefined when the key is ours. Waits for an attempt that is on its way. */
  const claimOrWait = async (
    id: string,
    intent: Intent,
    { operation, lifetime }: Claim,
  ): Promise<Entry | undefined> => {
    for (let waitMs = firstPollMs; ; waitMs = Math.min(waitMs * 2, longestPollMs)) {
      const entry = await claimFrom(id, intent, operation);
      if (entry === undefined) return undefined;
      if (entry.input !== intent.input) {
        throw new GatewayError('IDEMPOTENCY_KEY_REUSED', { operation, retryable: false });
      }
      const isOnItsWay = entry.state === 'pending' && Date.now() < entry.deadline;
      if (!isOnItsWay || lifetime.isOver()) return entry;
      await pause(waitMs, lifetime);
    }
  };

  return {
    once: async (claim, attempt, recorded) => {
      const { id, seal } = claim;
      const intent = { input: seal.inputOf(claim.input), deadline: Date.now() + claim.withinMs, attempt: randomUUID() };
      const entry = await claimOrWait(id, intent, claim);
      if (entry !== undefined) return recorded(keptIn(entry, id, seal));
      const ended = await attempt();
      if (ended.kept.as === 'nothing') free(id, intent.attempt);
      else if (ended.kept.as === 'unknown') await settle(id, { ...intent, state: 'unknown' });
      else await settle(id, { ...intent, state: 'answered', sealed: seal.close(id, pack(ended.kept.answer)) });
      return ended;
    },
    close: async () => {
      await Promise.all(unsettled);
      await store.close();
    },
  };
}

/** What has failed once, until it succeeds or has failed too often. */
async function tryAgain(work: () => Promise<void>): Promise<void> {
  for (let tries = 2; ; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, settleWaitMs * tries));
    try {
      await work();
      return;
    } catch (error) {
      if (tries === settleTries) throw error;
    }
  }
}

function keptIn(entry: Entry, id: string, seal: Seal): Recorded {
  if (entry.state !== 'answered' || entry.sealed === undefined) return { as: 'unknown' };
  try {
    return { as: 'answer', answer: unpack(seal.open(id, entry.sealed)) };
  } catch {
    // Somebody has changed the entry: all it still tells is that something was sent.
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
