import type { Contract, ListName, RowId } from '../../contract/contract.ts';
import type { ExtraId } from '../../contract/extra-rows.ts';
import { listSettings, rowOfList, type ListSettings } from '../../contract/list-rows.ts';
import { recordKinds } from '../../contract/operation-rows.ts';
import type { GatewayError } from '../../domain/errors.ts';
import { textOrNumber } from '../decoding/exact-json.ts';
import { booleans, contradiction, type JsonLocation } from '../decoding/field-decoders.ts';
import { compilePointers, compileSlots } from '../decoding/json-pointer.ts';
import type { HeaderReader } from '../operation.ts';

const maxCount = 1e12;
const maxTokenBytes = 1_000;

/** Makes the error of an answer that contradicts a row of lists. */
export type Contradiction = (row: RowId | ExtraId, pointer?: string) => GatewayError;

/** Makes the errors of a list, which name its own row where it is set. */
export function contradictionIn(contract: Contract, operation: ListName): Contradiction {
  const location: JsonLocation = { operation, path: '' };
  return (row, pointer) => contradiction(location, rowOfList(contract, operation, row), pointer);
}

/** What an answer says of its page by the rows of lists; null where it says nothing. */
export interface PageSigns {
  readonly number: number | null;
  readonly size: number | null;
  readonly total: number | null;
  /** Whether the total may be of fewer records than the pages have, since some are marked as deleted. */
  readonly mayOmit: boolean;
  readonly lastPage: number | null;
  readonly hasMore: boolean | null;
  /** False where null stands in place of a link. */
  readonly hasLink: boolean | null;
  /** Whether a value stands at `lists.nextCursor`. Some services also send one with their last page. */
  readonly hasToken: boolean;
}

/** The token of the next page, and the row that it comes from. */
export interface Token {
  readonly text: string;
  readonly row: RowId;
}

type SignName = 'currentPage' | 'pageSize' | 'total' | 'lastPage' | 'hasMore';

/** The rows of places that may be headers. */
const placed = ['currentPage', 'pageSize', 'total', 'lastPage', 'hasMore', 'nextCursor', 'nextLink'] as const;

/** Compiles where a page is described: in its body, beside whose members stand the headers that rows name. */
function createDescription(lists: ListSettings): (body: unknown, header?: HeaderReader) => unknown {
  const found = placed.flatMap((row) => lists[row].filter((place) => place.startsWith('header:')));
  if (found.length === 0) return (body) => body;
  return (body, header = () => undefined) => {
    const values = found.map((place) => [place, valueOf(place, header(place.slice('header:'.length)))]);
    // The entries of a list are members by their index.
    return { ...(typeof body === 'object' ? body : {}), ...(Object.fromEntries(values) as object) };
  };
}

/** The value of a header: of `link` the address of the next page, null where it has others only. */
function valueOf(place: string, text: string | undefined): string | null | undefined {
  if (place !== 'header:link' || !text) return text;
  return /<([^<>]*)>[^<>]*;\s*rel\s*=\s*(?:next\b(?!-)|["'](?:[^"']* )?next[ "'])/i.exec(text)?.[1] ?? null;
}

/** Compiles the reader of a page's signs. A value of another type than its row's is a contradiction. */
export function createSignReader(
  lists: ListSettings,
  contradiction: Contradiction,
  mayOmit = false,
): (body: unknown, header?: HeaderReader) => PageSigns {
  const describe = createDescription(lists);
  const reader = <Sign>(name: SignName, parse: (value: unknown) => Sign | undefined) => {
    const { read, locate } = compilePointers(lists[name]);
    return (body: unknown): Sign | null => {
      const value = read(body);
      const sign = value === undefined ? null : parse(value);
      if (sign === undefined) throw contradiction(`lists.${name}`, locate(body));
      return sign;
    };
  };
  const number = reader('currentPage', toCount);
  const size = reader('pageSize', toCount);
  const total = reader('total', toCount);
  const lastPage = reader('lastPage', toCount);
  const hasMore = reader('hasMore', (value) => booleans.get(value));
  const readLinks = compileSlots(lists.nextLink);
  const token = compilePointers(lists.nextCursor);
  return (body, header) => {
    const page = describe(body, header);
    return {
      number: number(page),
      size: size(page) || null,
      total: total(page),
      mayOmit,
      lastPage: lastPage(page),
      hasMore: hasMore(page),
      hasLink: saysLink(readLinks(page)),
      hasToken: Boolean(token.read(page)),
    };
  };
}

/** Whether a link follows, by the first value that is not null; null where nothing stands in place of one. */
function saysLink(links: readonly unknown[]): boolean | null {
  if (links.find((link) => link !== null)) return true;
  return links.includes(null) ? false : null;
}

/**
 * Whether records follow a page by its signs; null where none speaks. `end` is the number of records up to the end of the
 * page, `number` that of the page, from 1; each is null where it is not known. One sign of more outweighs the others: a
 * page too many costs a call, one too few loses records. A token speaks where nothing else does.
 */
export function saysMore(signs: PageSigns, end: number | null, number: number | null): boolean | null {
  const { total, mayOmit, lastPage, hasMore, hasLink, hasToken } = signs;
  const spoken = [
    total === null || end === null || (mayOmit && total === end) ? null : total > end,
    lastPage === null || number === null ? null : lastPage > number,
    hasMore,
    hasLink,
  ].filter((sign) => sign !== null);
  return spoken.length > 0 ? spoken.includes(true) : hasToken || null;
}

/** A count: a number, or its digits. */
function toCount(value: unknown): number | undefined {
  const text = textOrNumber(value) ?? '';
  return /^\d{1,13}$/.test(text) && Number(text) < maxCount ? Number(text) : undefined;
}

/** Value of a missing token. It is no text, so that reading it is an `UPSTREAM_INVALID_RESPONSE`. */
const noToken = {};

/**
 * Compiles the reader of the next page's token: the last record's id under `cursorFrom: lastRecord`; else the value at
 * `nextCursor`, or the cursor parameter of a next link, whose rest is unused. Null where there is none.
 */
export function createTokenReader(contract: Contract, operation: ListName, contradiction: Contradiction) {
  const lists = listSettings(contract, operation);
  const describe = createDescription(lists);
  const cursor = compilePointers(lists.nextCursor);
  const link = compilePointers(lists.nextLink);
  const rowOfId = `${recordKinds[operation]}.id` as const;
  const id = compilePointers(contract[rowOfId]);
  const [path = ''] = contract[`${operation}.path`].split(/[{?]/);
  // As part of a cursor an address would show clients where the service is. Base64 may begin with a slash, too.
  const isAddress = (text: string): boolean =>
    /^[a-z][a-z0-9+.-]*:\/\/|^\/.*[^\w+/=-]/is.test(text) ||
    [path, contract['service.prefix'] + path].some((start) => text.startsWith(start));
  const toToken = (value: unknown, row: RowId, at: string): Token | null => {
    if (value === undefined || value === '' || value === false) return null;
    const text = textOrNumber(value);
    const isToken = text !== undefined && Buffer.byteLength(text) <= maxTokenBytes && !isAddress(text);
    if (!isToken) throw contradiction(row, at);
    return { text, row };
  };
  return (body: unknown, sources: readonly unknown[], pointer: string, header?: HeaderReader): Token | null => {
    if (lists.cursorFrom === 'lastRecord') {
      const last = sources.at(-1);
      const at = `${pointer}/${sources.length - 1}${id.locate(last)}`;
      return toToken(id.read(last) ?? noToken, rowOfId, at);
    }
    const page = describe(body, header);
    const value = cursor.read(page);
    if (value !== undefined) return toToken(value, 'lists.nextCursor', cursor.locate(page));
    const address = link.read(page);
    const url = typeof address === 'string' ? URL.parse(address, 'http://service') : null;
    const token = address ? (url?.searchParams.get(lists.cursor) ?? noToken) : undefined;
    return toToken(token, 'lists.nextLink', link.locate(page));
  };
}
