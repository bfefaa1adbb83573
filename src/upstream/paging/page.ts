import type { ValueOrError } from '../../domain/records.ts';
import { rowOfList, type Contract, type ListName, type RowId } from '../../contract/contract.ts';
import type { ExtraId } from '../../contract/extra-rows.ts';
import type { GatewayError } from '../../domain/errors.ts';
import { booleans } from '../decoding/extra-fields.ts';
import { contractSurprise, isRecord, type Decoder, type JsonLocation } from '../decoding/field-decoders.ts';
import { textOrNumber } from '../decoding/exact-json.ts';
import type { FindMismatch } from '../decoding/identification.ts';
import type { Read } from '../operation.ts';
import type { Resume } from './cursor.ts';
import { compilePointers } from '../decoding/json-pointer.ts';
import { isHolder, noSigns, readPageSigns, type PageSigns } from './page-signs.ts';

const maxTokenBytes = 1_000;
/** Records of one answer. A body of 4 MiB has room for a million empty ones, whose errors take seconds to make. */
const maxRecords = 50_000;
const maxCount = 1e12;

type Surprise = (row: RowId | ExtraId, pointer?: string) => GatewayError;

/** Makes the errors of a list, which name its own row where it is set. */
export function listSurprise(contract: Contract, operation: ListName): Surprise {
  const location: JsonLocation = { operation, path: '' };
  return (row, pointer) => contractSurprise(location, rowOfList(contract, operation, row), pointer);
}

/** A page as the service answered it; a property is null where its row finds no value. */
export interface Page<Value> {
  /** The error of an answer that contradicts a row of lists, or the list's own. */
  readonly surprise: Surprise;
  readonly records: readonly ValueOrError<Value>[];
  /** The records as parsed JSON, kept only where a filter has to look at them. */
  readonly sources: readonly unknown[];
  readonly number: number | null;
  readonly size: number | null;
  readonly total: number | null;
  readonly lastPage: number | null;
  readonly nextToken: string | null;
  readonly signs: PageSigns;
}

/** The records of an answer, their JSON pointer, and the error of an answer that contradicts a row. */
interface FoundRecords extends Pick<Page<unknown>, 'sources' | 'surprise'> {
  readonly pointer: string;
}

/** The records asked for, put together from pages, and where the list continues behind each of them. */
export interface Window<Value> {
  readonly nodes: readonly ValueOrError<Value>[];
  /** The records behind those asked for, on the pages that were read. */
  readonly behind: readonly ValueOrError<Value>[];
  /** The first record of each page that was read, but for the list's first page. */
  readonly pageStarts: readonly ValueOrError<Value>[];
  readonly resumeAfter: (index: number) => Resume;
  /** Where the next window begins; null where this one is empty and nothing follows. */
  readonly end: Resume | null;
  readonly hasNextPage: boolean;
  readonly totalCount: number | null;
}

/** A window of a list whose records have positions, from `start` on. */
export function windowAt<Value>(
  start: number,
  window: Pick<Window<Value>, 'nodes' | 'behind' | 'pageStarts' | 'hasNextPage' | 'totalCount'>,
): Window<Value> {
  const { length } = window.nodes;
  return {
    ...window,
    resumeAfter: (index) => ({ index: start + index + 1 }),
    end: length === 0 && !window.hasNextPage ? null : { index: start + length },
  };
}

export interface WindowRequest<Value> {
  /** The number of records requested. */
  readonly first: number;
  /** Reads one page by the query that a page style makes; `isAgain`: once more. */
  readonly readPage: (query: string, isAgain?: boolean) => Promise<Page<Value>>;
}

/** A page style: how a window is read as pages, and the estimated maximum number of pages for it. */
export interface Pages<Value> {
  readonly start: Resume;
  readonly readWindow: (from: Resume, request: WindowRequest<Value>) => Promise<Window<Value>>;
  readonly countCalls: (from: Resume, first: number) => number;
}

/**
 * Whether an answer says that records follow behind position `end` of its list, by its rows or by the usual names.
 * `number` is that of its page, where pages have one.
 */
export function saysMore<Value>({ total, lastPage, signs }: Page<Value>, end: number, number: number | null): boolean {
  if ((total ?? signs.total ?? 0) > end || signs.hasNext) return true;
  if (number !== null && (lastPage ?? signs.lastPage ?? 0) > number) return true;
  return signs.hasNextToken && total === null && lastPage === null;
}

/**
 * Whether a page is as long as the page size that its answer reports under a usual name, and nothing says whether more
 * follow: the service may not give longer pages. For rows that map no page size.
 */
export function mayBeCut<Value>({ records, size, total, lastPage, signs }: Page<Value>): boolean {
  const isEndTold = (total ?? signs.total ?? lastPage ?? signs.lastPage) !== null || signs.deniesNext;
  return !isEndTold && size === null && records.length > 0 && records.length === signs.size;
}

/**
 * Whether the answer of a full page, which ends the list at `end` by its rows, also says that more follow. A token does
 * not: some services send one with the last page. For full pages only: on a short one two totals may differ, since one of
 * them may count without the filter.
 */
export function contradictsEnd(
  { lastPage, signs }: Pick<Page<unknown>, 'lastPage' | 'signs'>,
  end: number,
  number: number | null,
): boolean {
  if (signs.hasNext || signs.largestTotal > end) return true;
  return number !== null && Math.max(lastPage ?? 0, signs.lastPage ?? 0) > number;
}

/** Compiles how a list's answer becomes a page. */
export function createPageDecoder<Value>(
  contract: Contract,
  operation: ListName,
  decodeRecord: Decoder<Value>,
  findMismatch: FindMismatch,
  keepsSources: boolean,
): Read<unknown, Page<Value>>['decode'] {
  const surprise = listSurprise(contract, operation);
  const lists = contract['lists.records'].map((pointer) => ({ pointer, reader: compilePointers([pointer]) }));
  const number = countReader(contract, 'lists.currentPage', surprise);
  const size = countReader(contract, 'lists.pageSize', surprise);
  const total = countReader(contract, 'lists.total', surprise);
  const lastPage = countReader(contract, 'lists.lastPage', surprise);
  const nextToken = tokenReader(contract, operation);
  const more = compilePointers(contract['lists.hasMore']);
  const toOneBased = (count: number | null) => (count === null ? null : count + 1 - contract['lists.firstPage']);
  const readSigns = contract['lists.signs'] === 'checked' ? readPageSigns : () => noSigns;
  const findRecords = (body: unknown): FoundRecords => {
    for (const { pointer, reader } of lists) {
      const sources = reader.read(body);
      if (!Array.isArray(sources)) continue;
      if (sources.length > maxRecords) throw surprise('lists.records', pointer);
      return { pointer, sources, surprise };
    }
    // A page without records may have no array at all, as in HAL. Where it should have records, the array is missing.
    const isEndTold = (total(body) ?? readSigns(body).total) !== null || booleans.get(more.read(body)) === false;
    if (isEndTold && !holdsOtherList(body))
      return { pointer: '', sources: [], surprise: () => surprise('lists.records') };
    throw surprise('lists.records');
  };
  return (body, identifier, headers) => {
    const { pointer, sources, surprise: surpriseOfPage } = findRecords(body);
    // One location for all records: a decoder reads it at once, to name a surprise, and does not keep it.
    const recordLocation = { operation, path: pointer, index: 0 };
    const page = {
      surprise: surpriseOfPage,
      records: sources.map((source: unknown, index) => {
        recordLocation.index = index;
        return decodeRecord(source, recordLocation);
      }),
      sources: keepsSources ? sources : [],
      number: toOneBased(number(body)),
      size: size(body) || null,
      total: total(body),
      lastPage: lastPage(body),
      nextToken: nextToken(body, sources, pointer),
      signs: readSigns(body, headers),
    };
    if (identifier === undefined) return page;
    for (const [index, source] of sources.entries()) {
      const mismatch = findMismatch(source, [identifier], { operation, path: pointer, index });
      if (mismatch !== undefined) throw mismatch;
    }
    return page;
  };
}

/**
 * Whether the body, or its `data`, is or holds a list with entries: records that no row finds. Links are none. PHP makes
 * an object with numbers as names out of a list with gaps.
 */
function holdsOtherList(body: unknown): boolean {
  const outer = [body, isRecord(body) ? body['data'] : undefined];
  const isList = (value: unknown): boolean =>
    (Array.isArray(value) && value.some(isRecord)) ||
    (isRecord(value) && Object.keys(value).some((name) => /^\d+$/.test(name) && isRecord(value[name])));
  return outer.some(
    (value) =>
      isList(value) || (isRecord(value) && Object.keys(value).some((name) => !isHolder(name) && isList(value[name]))),
  );
}

type CountRow = 'lists.currentPage' | 'lists.pageSize' | 'lists.total' | 'lists.lastPage';

function countReader(contract: Contract, row: CountRow, surprise: Surprise): (body: unknown) => number | null {
  const reader = compilePointers(contract[row]);
  return (body) => {
    const value = reader.read(body);
    if (value === undefined) return null;
    const count = toCount(value);
    if (count === undefined) throw surprise(row, reader.locate(body));
    return count;
  };
}

/** A count: a number, or its digits. */
export function toCount(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < maxCount) return value;
  const text = textOrNumber(value) ?? '';
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

/** The row by which this contract finds the token of the next page. */
export function rowOfToken(contract: Contract): RowId {
  if (contract['lists.hasMore'].length > 0) return 'lists.hasMore';
  if (contract['lists.cursorFrom'] === 'lastRecord') return 'lists.cursorFrom';
  return contract['lists.nextLink'].length > 0 ? 'lists.nextLink' : 'lists.nextCursor';
}

/** A token as it was read, the row that it comes from, and its place. */
interface FoundToken {
  readonly value: unknown;
  readonly row: RowId;
  readonly at: string;
}

/**
 * The token of the next page: the last record's id under `cursorFrom: lastRecord` or `hasMore`; else the value at
 * `nextCursor`, or the cursor parameter of a next link, whose rest is unused.
 */
export function tokenReader(
  contract: Contract,
  operation: ListName,
): (body: unknown, sources: readonly unknown[], pointer: string) => string | null {
  const surprise = listSurprise(contract, operation);
  const reader = compilePointers(contract['lists.nextCursor']);
  const link = compilePointers(contract['lists.nextLink']);
  const more = compilePointers(contract['lists.hasMore']);
  const rowOfId = `${recordOf[operation]}.id` as const;
  const id = compilePointers(contract[rowOfId]);
  const isFlagged = contract['lists.hasMore'].length > 0;
  const row = rowOfToken(contract);
  const inAnswer = (body: unknown): FoundToken => {
    const value = reader.read(body);
    if (value !== undefined) return { value, row: 'lists.nextCursor', at: reader.locate(body) };
    return { value: tokenInLink(link.read(body), contract['lists.cursor']), row, at: link.locate(body) };
  };
  const byRecord = (body: unknown, sources: readonly unknown[], pointer: string): FoundToken => {
    const flag = isFlagged ? booleans.get(more.read(body)) : sources.length > 0;
    if (flag === false) return { value: undefined, row, at: '' };
    if (flag === undefined || sources.length === 0) return { value: noToken, row, at: more.locate(body) };
    const last = sources.at(-1);
    return { value: id.read(last) ?? noToken, row: rowOfId, at: `${pointer}/${sources.length - 1}${id.locate(last)}` };
  };
  const isLink = linkMatcher(contract, operation);
  const find = row === 'lists.hasMore' || row === 'lists.cursorFrom' ? byRecord : inAnswer;
  return (body, sources, pointer) => {
    const { value, row: rowInUse, at } = find(body, sources, pointer);
    if (value === undefined || value === '' || value === false) return null;
    const text = textOrNumber(value);
    if (text === undefined || isLink(text) || Buffer.byteLength(text) > maxTokenBytes) throw surprise(rowInUse, at);
    return text;
  };
}

/**
 * Recognises a link, which is no token: as part of a cursor it would show clients where the service is. Base64 may begin
 * with a slash, but not with the path of the operation.
 */
function linkMatcher(contract: Contract, operation: ListName): (text: string) => boolean {
  const [path = ''] = contract[`${operation}.path`].split(/[{?]/);
  const paths = [path, contract['service.prefix'] + path];
  return (text) =>
    /^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(text) ||
    (text.startsWith('/') && (/[^\w+/=-]/.test(text) || paths.some((start) => text.startsWith(start))));
}

/** Value of a missing token in a next link. It is no text, so that reading it is an `UPSTREAM_INVALID_RESPONSE`. */
const noToken = {};

function tokenInLink(link: unknown, parameter: string): unknown {
  if (typeof link !== 'string' || link === '') return undefined;
  return URL.parse(link, 'http://service')?.searchParams.get(parameter) ?? noToken;
}

const recordOf = {
  listSettlementBanks: 'settlementBank',
  listCustomers: 'customer',
  listCustomerTransactions: 'transaction',
  listCustomerVirtualAccounts: 'account',
} as const satisfies Readonly<Record<ListName, string>>;
