import { hash } from 'node:crypto';
import { GatewayError } from '../../domain/errors.ts';

const version = '1';
const maxPosition = 1_000_000_000;
const maxCursorLength = 2_000;

/** Where a list goes on: at a position counted from 0, or at an index of the page that a token of the service names. */
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

/** Ties cursors to the list they came from: its operation, its parent record and its filter, as a hash. */
export function bindCursor(name: string, id: string | undefined, filter: string | undefined): string {
  return hash('sha256', JSON.stringify([name, id, filter]), 'base64url').slice(0, 16);
}

/** A cursor holds a version, the binding, and where to go on; never a URL, a search text or a credential. */
export function writeCursor(binding: string, resume: Resume): string {
  const place =
    resume.kind === 'position'
      ? [resume.position]
      : [resume.size, resume.index, resume.token === null ? '' : `=${resume.token}`];
  return Buffer.from([version, binding, ...place].join(':')).toString('base64url');
}

/** Reads a cursor back. Throws INVALID_CURSOR for any that this list did not give out. */
export function readCursor(cursor: string, binding: string, kind: Resume['kind']): Resume {
  const resume = peekCursor(cursor, kind);
  // Base64 has many spellings of one text: only our own, with this list's binding, is accepted.
  if (resume === undefined || writeCursor(binding, resume) !== cursor) throw new GatewayError('INVALID_CURSOR');
  return resume;
}

/** Where a cursor goes on, whatever list it belongs to; undefined for a text that no list gave out. */
export function peekCursor(cursor: string, kind: Resume['kind']): Resume | undefined {
  if (cursor.length > maxCursorLength) return undefined;
  const [given, , ...place] = Buffer.from(cursor, 'base64url').toString('utf8').split(':');
  return given === version ? toResume(place, kind) : undefined;
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
