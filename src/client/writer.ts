import { errorEntries, gatewayErrors, type GatewayError } from './errors.ts';
import { createPendingEntry, type Entry, type PendingWrite, type Storage } from './pending-entry.ts';
import type { ErrorCode } from './sentences.ts';

/** The outcome of a write. */
export type WriteResult<Payload, UserError = unknown> =
  /** The write was done. `error` has the fields of the answer that failed. */
  | { readonly is: 'done'; readonly payload: Payload; readonly error: unknown }
  /** It was refused: nothing happened, and the input can be corrected. */
  | { readonly is: 'refused'; readonly userErrors: readonly UserError[] }
  /** Nothing was written. `error` says why. */
  | { readonly is: 'notSent'; readonly error: unknown }
  | UnknownResult;

/** It may have happened: look it up before it is sent under another key. */
export interface UnknownResult extends PendingWrite {
  readonly is: 'unknown';
  /** Undefined where this attempt was not sent: an earlier one is open, with other remembered values or for too long. */
  readonly error: unknown;
  /** Whether `write` may be called again: no answer came, and under the same key it is carried out at most once. */
  readonly canRepeat: boolean;
}

export interface WriterOptions<Input, Payload> {
  /** Sends the write once, under this idempotency key; gives the payload of its field and the error of the client. */
  readonly send: (
    input: Input,
    idempotencyKey: string,
  ) => Promise<{ readonly payload?: Payload | null | undefined; readonly error?: unknown }>;
  /** Keeps the key over reloads, such as `sessionStorage`. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** The entry's name in the storage: one for each kind of write and each person or merchant. */
  readonly name: string;
  /** Inputs that a lookup needs, kept with the key. Never name an identity number here. */
  readonly remember: readonly (keyof Input & string)[];
  /** Whether an error without a code of the gateway's proves that nothing was sent, such as an ended session. */
  readonly isNotSent?: (error: unknown) => boolean;
}

export interface Writer<Input, Payload, UserError> {
  readonly write: (input: Input) => Promise<WriteResult<Payload, UserError>>;
  /** The write of an earlier page load of which the outcome is open. */
  readonly pending: () => PendingWrite | undefined;
  /** Ends the pending write once its outcome is known: the next one has a key of its own. */
  readonly settle: () => void;
}

/** How long a key is sent again. The gateway remembers an answered one for 72 hours, by its own clock. */
const maxKeyAgeMs = 48 * 3_600_000;

/** Codes after which a write may have happened, unless `retryable` says otherwise. After all others it did not. */
const openCodes: ReadonlySet<ErrorCode> = new Set([
  'IDEMPOTENCY_KEY_REUSED',
  'INTERNAL_SERVER_ERROR',
  'OUTCOME_UNKNOWN',
  'UPSTREAM_INVALID_RESPONSE',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
]);

/**
 * Creates a writer, which sends one kind of create safely. A key is made for the first attempt and stays until the outcome
 * is known, over retries and reloads, so that all attempts together are carried out at most once. While an outcome is
 * open, an attempt with other remembered values, or later than 48 hours after the first, is not sent: it is `unknown`, with
 * the values of the first. If another input was changed, the gateway answers IDEMPOTENCY_KEY_REUSED: `unknown`, too.
 */
export function createWriter<Input extends object, Payload extends { readonly userErrors: readonly unknown[] }>(
  options: WriterOptions<Input, Payload>,
): Writer<Input, Payload, Payload['userErrors'][number]> {
  const { send, storage, name, remember, isNotSent = () => false } = options;
  const stored = createPendingEntry(storage, name);

  async function write(input: Input): Promise<WriteResult<Payload, Payload['userErrors'][number]>> {
    const values = toValues(input, remember);
    let entry: Entry;
    try {
      const earlier = stored.read();
      // A lookup has the values of one attempt only, and the gateway forgets old keys.
      const fits = earlier === undefined || remember.every((name) => earlier.values[name] === values[name]);
      if (earlier !== undefined && !(fits && isRecent(earlier)))
        return { is: 'unknown', lookup: earlier.lookup, values: earlier.values, error: undefined, canRepeat: false };
      entry = stored.begin(earlier, values);
    } catch (error) {
      return { is: 'notSent', error }; // without its key it could not be repeated safely
    }
    const { payload, error } = await sendOnce(input, entry.key);
    return payload == null ? concludeFailed(entry, error) : concludeAnswered(entry, payload, error);
  }

  function concludeAnswered({ key }: Entry, payload: Payload, error: unknown): WriteResult<Payload> {
    if (payload.userErrors.length === 0) {
      stored.change(key, (entry) => ({ ...entry, open: 0 }));
      return { is: 'done', payload, error };
    }
    stored.change(key, withoutOne);
    return { is: 'refused', userErrors: payload.userErrors };
  }

  function concludeFailed({ key, lookup: earlierLookup, values }: Entry, error: unknown): WriteResult<Payload> {
    const errors = gatewayErrors(error);
    const isForeign = errors.length < errorEntries(error).length;
    const wroteNothing = errors.length === 0 ? isNotSent(error) : !isForeign && !errors.some(mayHaveHappened);
    if (wroteNothing && stored.change(key, withoutOne)?.open === 0) return { is: 'notSent', error };
    const lookup = errors.find(({ extensions }) => extensions.lookup)?.extensions.lookup ?? earlierLookup;
    const entry = stored.change(key, (last) => ({ ...last, lookup: lookup ?? last.lookup }));
    const isEnded = errors.some(
      ({ extensions: { code } }) => code === 'OUTCOME_UNKNOWN' || code === 'IDEMPOTENCY_KEY_REUSED',
    );
    return { is: 'unknown', lookup, values, error, canRepeat: entry !== undefined && !isEnded };
  }

  async function sendOnce(input: Input, key: string): ReturnType<typeof send> {
    try {
      return await send(input, key);
    } catch (error) {
      return { payload: null, error };
    }
  }
  const pending = (): PendingWrite | undefined => {
    try {
      const entry = stored.read();
      return entry && { lookup: entry.lookup, values: entry.values };
    } catch {
      return undefined; // `write` says why nothing can be sent
    }
  };
  return { write, pending, settle: stored.settle };
}

/** An entry without a time, or from the future, counts as old. */
function isRecent({ startedAt }: Entry): boolean {
  const ageMs = Date.now() - startedAt;
  return ageMs >= 0 && ageMs < maxKeyAgeMs;
}

/** The entry after an attempt that wrote nothing. Other attempts under its key, perhaps with another input, stay open. */
function withoutOne(entry: Entry): Entry {
  return { ...entry, open: entry.open - 1 };
}

/** An error below the mutation's own field is that of a read after the write. */
function mayHaveHappened({ path, extensions: { code, retryable } }: GatewayError): boolean {
  return (path?.length ?? 0) > 1 || (openCodes.has(code) && retryable !== true);
}

/** The values of these inputs as text; those that are absent have none. */
export function toValues<Input>(
  input: Input,
  names: readonly (keyof Input & string)[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(names.flatMap((name) => (input[name] == null ? [] : [[name, String(input[name])]])));
}
