import { hash } from 'node:crypto';

/** Cursors of version 1, up to 0.2.0, held positions that depended on page sizes learned. */
const version = '2';
const maxCursorLength = 2_000;
const bindingLength = 10;

/** A page of the service. */
export interface Key {
  /** The number or offset of the page, or the token that the service gave for it; empty for the first page of tokens. */
  readonly at: string;
  /** How many records of the list come before it; null where that is not known, as behind a token. */
  readonly before: number | null;
}

/** Where a list continues: behind `skip` records of a page. */
export interface Place {
  readonly key: Key;
  readonly skip: number;
  /** How many records each page is asked to have, from the start of the walk to its end. */
  readonly asked: number;
}

/** A hash of what a cursor belongs to: the list's operation, its page style, its parent record and its filters. */
export function bindCursor(...parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, bindingLength);
}

/** A cursor holds a version, the binding and a place; never a URL, a search text or a credential. */
export function writeCursor(binding: string, { key, skip, asked }: Place): string {
  const parts = [version, binding, asked, skip, key.before ?? '', key.at];
  return Buffer.from(parts.join(':')).toString('base64url');
}

/** The place in a cursor, of any list unless a binding is given; undefined for a text that is no such cursor. */
export function readCursor(cursor: string, binding?: string): Place | undefined {
  if (cursor.length > maxCursorLength) return undefined;
  const [, bound = '', ...rest] = Buffer.from(cursor, 'base64url').toString('utf8').split(':');
  const [asked, skip, before] = rest.slice(0, 3).map((text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined));
  if (!asked || skip === undefined || !/^[\w-]{10}$/.test(bound)) return undefined;
  const place: Place = { key: { at: rest.slice(3).join(':'), before: before ?? null }, skip, asked };
  // Base64 has many spellings of one text: only our own is accepted.
  return (binding ?? bound) === bound && writeCursor(bound, place) === cursor ? place : undefined;
}
