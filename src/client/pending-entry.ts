import type { Lookup } from '../domain/errors.ts';
import { isObject } from './errors.ts';

// The parts of the DOM's types that are used here: these files compile without that library.
declare const crypto: { readonly getRandomValues: (bytes: Uint8Array) => Uint8Array };
export interface Storage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

/** A write of which the outcome is open. */
export interface PendingWrite {
  /** The field to query and by which inputs, as the gateway names them; undefined until it does. */
  readonly lookup: Lookup | undefined;
  /** The values of the remembered inputs. */
  readonly values: Readonly<Record<string, string>>;
}

export interface Entry extends PendingWrite {
  readonly key: string;
  /** Attempts under this key that may have happened or still may: in flight, without an answer, or of unknown outcome. */
  readonly open: number;
  /** When the first attempt began, in milliseconds since 1970. */
  readonly startedAt: number;
}

/** Keeps the entry of the write that is pending, with its key, in a storage. */
export function createPendingEntry(storage: Storage, name: string) {
  const read = (): Entry | undefined => {
    const text = storage.getItem(name);
    const entry: unknown = text === null ? undefined : JSON.parse(text);
    if (entry === undefined) return undefined;
    if (isEntry(entry)) return { open: 1, ...entry }; // earlier versions did not count
    throw new Error(
      `The storage holds under ${name} a value that no writer has put there. Remove it, or use another name.`,
    );
  };
  const keep = (entry: Entry): void => storage.setItem(name, JSON.stringify(entry));
  const settle = (): void => storage.removeItem(name);
  /** Counts one more attempt, under the key of the open ones or, for the first, a new key. */
  const begin = (earlier: Entry | undefined, values: PendingWrite['values']): Entry => {
    const first = { key: createKey(), lookup: undefined, values, startedAt: Date.now(), open: 1 };
    const entry = earlier === undefined ? first : { ...earlier, open: earlier.open + 1 };
    keep(entry);
    return entry;
  };
  /**
   * Changes the entry of a key after an attempt under it, and removes it where no attempt is open any more. Returns
   * undefined where it is not stored any more, since another attempt or the application has settled it. Where the storage
   * fails, the attempt counts as open, and the next write has the same key, which is safe.
   */
  const change = (key: string, toNext: (entry: Entry) => Entry): Entry | undefined => {
    let entry: Entry | undefined;
    try {
      entry = read();
      if (entry?.key !== key) return undefined;
      const next = toNext(entry);
      if (next.open > 0) keep(next);
      else settle();
      return next;
    } catch {
      return entry;
    }
  };
  return { read, begin, change, settle };
}

/** 128 random bits in hex. `crypto.randomUUID` is missing on pages of plain http, but for those of the same machine. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function isEntry(value: unknown): value is Omit<Entry, 'open'> {
  return isObject(value) && typeof value['key'] === 'string' && isObject(value['values']);
}
