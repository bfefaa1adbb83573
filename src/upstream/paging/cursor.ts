import { hash } from 'node:crypto';
import { GatewayError } from '../../domain/errors.ts';
import type { Slice } from '../operation.ts';

const version = '1';
const maxPosition = 1_000_000_000;
const maxCursorLength = 2_000;
const bindingLength = 10;
const markLength = 6;
/** Mark in the cursor of a record without a readable id; no id has it. */
const noMark = '-'.repeat(markLength);

/** Where a list continues. */
export interface Resume {
  /** The position, from 0, of the next record: in the list or, where tokens of the service name its pages, in the page. */
  readonly index: number;
  /** Null for the first page; undefined where pages have no tokens. */
  readonly token?: string | null;
  /** How many records the page with this token was asked to have; 0 where it has not been asked for yet. */
  readonly size?: number;
}

/** The content of a cursor: where to go on, and marks of the record that it stands behind and of its list's first one. */
export interface CursorContent {
  readonly resume: Resume;
  readonly mark?: string | undefined;
  readonly firstMark?: string | undefined;
}

/** The start of a list whose records have positions. */
export const firstPosition: Resume = { index: 0 };

/** A hash of the list that a cursor belongs to: its operation, its parent record and its filter. */
export function bindCursor(name: string, id: string | undefined, filter: unknown): string {
  return hash('sha256', JSON.stringify([name, id, filter]), 'base64url').slice(0, bindingLength);
}

/**
 * A short hash (FNV-1a, 32 bits) of the id of the record that a cursor stands behind, to notice when that record comes
 * again. An accidental match only costs a second read.
 */
export function markRecord(id: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1) value = Math.imul(value ^ id.charCodeAt(index), 0x01000193);
  return Buffer.from([value >>> 24, value >>> 16, value >>> 8, value]).toString('base64url');
}

/**
 * A cursor holds a version, the binding, the marks of the record that it stands behind and of the list's first record, if
 * that was seen, and where to go on; never a URL, a search text or a credential.
 */
export function writeCursor(binding: string, id: string | undefined, resume: Resume, firstMark = ''): string {
  return encode(binding + (id === undefined ? noMark : markRecord(id)) + firstMark, resume);
}

function encode(head: string, { index, token, size }: Resume): string {
  const place = token === undefined ? [index] : [size, index, token === null ? '' : `=${token}`];
  return Buffer.from([version, head, ...place].join(':')).toString('base64url');
}

/** Reads a cursor back; without one the list begins at `start`. Throws INVALID_CURSOR for any that it did not give out. */
export function readCursor(cursor: Slice['after'], bind: () => string, start: Resume): CursorContent {
  if (cursor === undefined || cursor === null) return { resume: start };
  const parts = peekParts(cursor, start);
  // Base64 has many spellings of one text: only our own, with this list's binding, is accepted.
  const isOurs = parts?.head.startsWith(bind()) === true && encode(parts.head, parts.resume) === cursor;
  if (parts === undefined || !isOurs) throw new GatewayError('INVALID_CURSOR');
  const [mark, firstMark] = parts.head.slice(bindingLength).match(/.{6}/g) ?? [];
  return { resume: parts.resume, mark, firstMark };
}

/** The position in a cursor of any list, `start` without one; undefined for a text that is no cursor. */
export function peekCursor(cursor: Slice['after'], start: Resume): Resume | undefined {
  return cursor === undefined || cursor === null ? start : peekParts(cursor, start)?.resume;
}

function peekParts(cursor: string, start: Resume) {
  if (cursor.length > maxCursorLength) return undefined;
  const [cursorVersion, head = '', ...place] = Buffer.from(cursor, 'base64url').toString('utf8').split(':');
  const resume = cursorVersion === version ? toResume(place, start) : undefined;
  return resume === undefined || !/^[\w-]{16}(?:[\w-]{6})?$/.test(head) ? undefined : { head, resume };
}

function toResume(place: readonly string[], start: Resume): Resume | undefined {
  const hasToken = start.token !== undefined;
  const [first, second, ...rest] = place;
  const index = toCount(hasToken ? second : first);
  if (index === undefined) return undefined;
  if (!hasToken) return place.length === 1 ? { index } : undefined;
  const size = toCount(first);
  const token = rest.join(':');
  if (size === undefined || !/^(?:|=.+)$/s.test(token)) return undefined;
  return { index, token: token === '' ? null : token.slice(1), size };
}

function toCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/.test(text) && Number(text) < maxPosition ? Number(text) : undefined;
}
