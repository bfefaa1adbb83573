import { hash } from 'node:crypto';
import { GatewayError } from '../../domain/errors.ts';

const version = '1';
const maxPosition = 1_000_000_000;
const maxCursorLength = 2_000;
const bindingLength = 10;
const markLength = 6;
/** Mark in the cursor of a record without a readable id. */
const noMark = '-'.repeat(markLength);

/** Where a list continues: at a position counted from 0, or at an index of the page that a token of the service names. */
export type Resume = PositionResume | TokenResume;

interface PositionResume {
  readonly kind: 'position';
  readonly position: number;
}

export interface TokenResume {
  readonly kind: 'token';
  /** Null for the first page. */
  readonly token: string | null;
  /** How many records the page was asked to have; 0 where it has not been asked for yet. */
  readonly size: number;
  readonly index: number;
}

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

function encode(head: string, resume: Resume): string {
  const place =
    resume.kind === 'position'
      ? [resume.position]
      : [resume.size, resume.index, resume.token === null ? '' : `=${resume.token}`];
  return Buffer.from([version, head, ...place].join(':')).toString('base64url');
}

/** Reads a cursor back. Throws INVALID_CURSOR for any that this list did not give out. */
export function readCursor(
  cursor: string,
  binding: string,
  kind: Resume['kind'],
): { readonly resume: Resume; readonly mark: string | undefined; readonly firstMark: string | undefined } {
  const parts = peekParts(cursor, kind);
  // Base64 has many spellings of one text: only our own, with this list's binding, is accepted.
  const isOurs = parts?.head.startsWith(binding) === true && encode(parts.head, parts.resume) === cursor;
  if (parts === undefined || !isOurs) throw new GatewayError('INVALID_CURSOR');
  const [mark = noMark, firstMark] = parts.head.slice(bindingLength).match(/.{6}/g) ?? [];
  return { resume: parts.resume, mark: mark === noMark ? undefined : mark, firstMark };
}

/** The position in a cursor of any list; undefined for a text that is no cursor. */
export function peekCursor(cursor: string, kind: Resume['kind']): Resume | undefined {
  return peekParts(cursor, kind)?.resume;
}

function peekParts(cursor: string, kind: Resume['kind']) {
  if (cursor.length > maxCursorLength) return undefined;
  const [cursorVersion, head = '', ...place] = Buffer.from(cursor, 'base64url').toString('utf8').split(':');
  const resume = cursorVersion === version ? toResume(place, kind) : undefined;
  return resume === undefined || !/^[\w-]{16}(?:[\w-]{6})?$/.test(head) ? undefined : { head, resume };
}

function toResume(place: readonly string[], kind: Resume['kind']): Resume | undefined {
  const [first, second, ...rest] = place;
  if (kind === 'position') {
    const position = toCount(first);
    return position === undefined || place.length !== 1 ? undefined : { kind, position };
  }
  const size = toCount(first);
  const index = toCount(second);
  const token = rest.join(':');
  if (size === undefined || index === undefined || !/^(?:|=.+)$/s.test(token)) return undefined;
  return { kind, token: token === '' ? null : token.slice(1), size, index };
}

function toCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/.test(text) && Number(text) < maxPosition ? Number(text) : undefined;
}
