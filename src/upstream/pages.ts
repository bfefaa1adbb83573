import { hash } from 'node:crypto';
import type { Connection, Slot } from '../domain.ts';
import { GatewayError } from '../errors.ts';
import type { Contract, OperationName } from './contract.ts';
import { contractSurprise, type Decoder, type Place } from './decode.ts';
import { numberText } from './json.ts';
import { operationBasics, type Read } from './operation.ts';
import { compilePointers } from './pointer.ts';

const maxFirst = 100;
const defaultFirst = 20;
const maxFilterBytes = 255;
const maxPosition = 1_000_000_000;

/** One page as the service numbers them, from 1. */
export interface PageInput {
  readonly id?: string;
  readonly filter?: string;
  readonly page: number;
  readonly perPage: number;
}

/** A page as the service answered it; null for what it did not report. */
export interface Page<Value> {
  readonly place: Place;
  readonly records: readonly Slot<Value>[];
  readonly number: number | null;
  readonly size: number | null;
  readonly total: number | null;
  readonly lastPage: number | null;
}

/** A list of the service: how to read one page of it, and what is known of its page sizes. */
export interface List<Value> {
  readonly name: OperationName;
  readonly readPage: Read<PageInput, Page<Value>>;
  /** The contract row of its filter and the parameter that this switches on; null for a list without one. */
  readonly filter: { readonly row: string; readonly parameter: string | null; readonly argument: string } | null;
  /** Page sizes that the service has been seen to insist on. Of the service, not of any caller, so kept for all. */
  readonly sizes: { least: number; most: number };
}

export interface ListArguments {
  readonly id?: string;
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly filter?: string | null | undefined;
}

export type ReadPage<Value> = (input: PageInput) => Promise<Page<Value>>;

/** The list operations of the service that the contract describes. */
export function createList<Value>(
  contract: Contract,
  name: 'listSettlementBanks' | 'listCustomers' | 'listCustomerTransactions' | 'listCustomerVirtualAccounts',
  decodeRecord: Decoder<Value>,
  filter: List<Value>['filter'] = null,
): List<Value> {
  const basics = operationBasics(contract, name);
  const decode = pageDecoder(contract, name, decodeRecord);
  const request = ({ id, filter: text, page, perPage }: PageInput) => {
    const path = id === undefined ? basics.collectionPath : basics.path(id);
    const parameters = [
      [contract['lists.page'], String(page)],
      [contract['lists.perPage'], String(perPage)],
    ];
    if (text !== undefined && filter?.parameter) parameters.push([filter.parameter, text]);
    const query = parameters.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
    return { method: basics.method, path: `${path}?${query}` };
  };
  return {
    name,
    readPage: { kind: 'read', name, credentials: basics.credentials, request, decode },
    filter,
    sizes: { least: 1, most: contract['lists.maxPageSize'] },
  };
}

function pageDecoder<Value>(contract: Contract, operation: OperationName, decodeRecord: Decoder<Value>) {
  const lists = contract['lists.records'].map((pointer) => ({ pointer, reader: compilePointers([pointer]) }));
  const place: Place = { operation, path: '' };
  const count = (row: 'lists.currentPage' | 'lists.pageSize' | 'lists.total' | 'lists.lastPage') => {
    const reader = compilePointers(contract[row]);
    return (body: unknown): number | null => {
      const value = reader.read(body);
      if (value === undefined) return null;
      const text = typeof value === 'string' ? value : numberText(value);
      if (text === undefined || !/^\d{1,12}$/.test(text)) throw contractSurprise(place, row, reader.locate(body));
      return Number(text);
    };
  };
  const number = count('lists.currentPage');
  const size = count('lists.pageSize');
  const total = count('lists.total');
  const lastPage = count('lists.lastPage');
  return (body: unknown): Page<Value> => {
    for (const { pointer, reader } of lists) {
      const found = reader.read(body);
      if (!Array.isArray(found)) continue;
      const records = found.map((record: unknown, index) =>
        decodeRecord(record, { operation, path: `${pointer}/${index}` }),
      );
      return {
        place,
        records,
        number: number(body),
        size: size(body) || null,
        total: total(body),
        lastPage: lastPage(body),
      };
    }
    throw contractSurprise(place, 'lists.records');
  };
}

/**
 * A window of `first` records behind a cursor. A page of the service holds as many as were asked for, so an aligned
 * window costs one call and any other two; where the service insists on another size, the window is cut again at that
 * size, with at most ceil(first / size) + 1 further calls. Positions are absolute, so every record comes once whatever
 * `first` is at each step; records that others insert or remove meanwhile may be repeated or skipped.
 */
export async function readConnection<Value>(
  list: List<Value>,
  readPage: ReadPage<Value>,
  args: ListArguments,
): Promise<Connection<Value>> {
  const first = checkFirst(args.first);
  const filter = checkFilter(list, args.filter);
  const binding = hash('sha256', JSON.stringify([list.name, args.id, filter]), 'base64url').slice(0, 16);
  const start = args.after === undefined || args.after === null ? 0 : readCursor(args.after, binding) + 1;
  const scope = {
    ...(args.id === undefined ? {} : { id: args.id }),
    ...(filter === undefined ? {} : { filter }),
  };
  const read = (page: number, perPage: number) => readPage({ ...scope, page, perPage });
  const pages = await readWindow(list, read, start, first);
  return toConnection(pages, start, first, binding);
}

interface Pages<Value> {
  readonly size: number;
  readonly byNumber: ReadonlyMap<number, Page<Value>>;
}

async function readWindow<Value>(
  list: List<Value>,
  read: (page: number, perPage: number) => Promise<Page<Value>>,
  start: number,
  first: number,
): Promise<Pages<Value>> {
  const asked = Math.min(Math.max(first, list.sizes.least), list.sizes.most);
  const tried = await readPages(pageNumbers(start, first, asked), asked, read);
  const size = sizeInForce(list, tried, asked);
  if (size === asked) return { size, byNumber: tried };
  learnSize(list, asked, size);
  const needed = pageNumbers(start, first, size);
  const missing = needed.filter((number) => !tried.has(number));
  const further = await readPages(missing, size, read);
  if (further.size > 0 && sizeInForce(list, further, size) !== size) throw sizeSurprise(list);
  return { size, byNumber: new Map([...tried, ...further]) };
}

function pageNumbers(start: number, first: number, size: number): readonly number[] {
  const from = Math.floor(start / size);
  const to = Math.floor((start + first - 1) / size);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index + 1);
}

async function readPages<Value>(
  numbers: readonly number[],
  perPage: number,
  read: (page: number, perPage: number) => Promise<Page<Value>>,
): Promise<Map<number, Page<Value>>> {
  const pages = await Promise.all(
    numbers.map(async (number) => [number, settlePageNumber(number, await read(number, perPage))] as const),
  );
  return new Map(pages);
}

/** Asked for a page behind the last one, some services answer the last one again: that page is empty. */
function settlePageNumber<Value>(number: number, page: Page<Value>): Page<Value> {
  if (page.number === null || page.number === number) return page;
  if (page.lastPage !== null && number > page.lastPage) return { ...page, records: [] };
  throw contractSurprise(page.place, 'lists.currentPage');
}

/** The one page size that all these answers show. */
function sizeInForce<Value>(list: List<Value>, pages: ReadonlyMap<number, Page<Value>>, asked: number): number {
  const sizes = [...pages].map(([number, page]) => {
    const size = shownSize(number, page, asked);
    if (page.records.length > size) throw sizeSurprise(list);
    return size;
  });
  const size = sizes[0] ?? asked;
  if (sizes.some((other) => other !== size)) throw sizeSurprise(list);
  return size;
}

/** The reported page size; else, where a page has not as many records as its total promises, as many as it has. */
function shownSize<Value>(number: number, page: Page<Value>, asked: number): number {
  if (page.size !== null) return page.size;
  const count = page.records.length;
  const isLast = page.lastPage === null || page.lastPage <= number;
  const rest = page.total === null ? (isLast ? count : asked) : page.total - (number - 1) * asked;
  const expected = Math.min(Math.max(rest, 0), asked);
  return count === 0 || count === expected ? asked : count;
}

function sizeSurprise<Value>(list: List<Value>): GatewayError {
  return contractSurprise({ operation: list.name, path: '' }, 'lists.pageSize');
}

function learnSize<Value>({ sizes }: List<Value>, asked: number, size: number): void {
  if (size < asked) sizes.most = size;
  else sizes.least = size;
  sizes.least = Math.min(sizes.least, size);
  sizes.most = Math.max(sizes.most, size);
}

function toConnection<Value>(pages: Pages<Value>, start: number, first: number, binding: string): Connection<Value> {
  const { size, byNumber } = pages;
  const nodes: Slot<Value>[] = [];
  const positions: number[] = [];
  for (let position = start; position < start + first; position += 1) {
    const records = byNumber.get(Math.floor(position / size) + 1)?.records ?? [];
    const index = position % size;
    if (index >= records.length) continue;
    nodes.push(records[index] as Slot<Value>); // the line above proves that it is there
    positions.push(position);
  }
  const hasNextPage = continuesBehind(pages, start + first);
  const endPosition = hasNextPage ? start + first - 1 : positions.at(-1);
  return {
    nodes,
    hasNextPage,
    hasPreviousPage: start > 0,
    totalCount: [...byNumber.values()].find((page) => page.total !== null)?.total ?? null,
    cursorAt: (index) => writeCursor(binding, positions[index] ?? start),
    endCursor: endPosition === undefined ? null : writeCursor(binding, endPosition),
  };
}

/** By the total, else by the number of the last page, else a full page is taken to have a next one. */
function continuesBehind<Value>({ size, byNumber }: Pages<Value>, end: number): boolean {
  const number = Math.floor((end - 1) / size) + 1;
  const last = byNumber.get(number);
  if (last === undefined) return false;
  if (last.total !== null) return last.total > end;
  const indexBehind = end - (number - 1) * size;
  if (last.records.length > indexBehind) return true;
  return last.lastPage === null ? last.records.length === size : last.lastPage > number;
}

function checkFirst(first: number | null | undefined): number {
  const value = first ?? defaultFirst;
  if (value >= 1 && value <= maxFirst) return value;
  throw new GatewayError('BAD_USER_INPUT', {}, { message: `\`first\` must be from 1 to ${maxFirst}.` });
}

function checkFilter<Value>(list: List<Value>, filter: string | null | undefined): string | undefined {
  if (filter === undefined || filter === null || list.filter === null) return undefined;
  const { row, parameter, argument } = list.filter;
  if (parameter === null) {
    const message = `\`${argument}\` is not supported: the contract does not name a parameter for it (row ${row}).`;
    throw new GatewayError('BAD_USER_INPUT', { operation: list.name, row }, { message });
  }
  if (Buffer.byteLength(filter) <= maxFilterBytes && !/\p{Cc}/u.test(filter) && filter.isWellFormed()) return filter;
  const message = `\`${argument}\` must be at most ${maxFilterBytes} bytes of text without control characters.`;
  throw new GatewayError('BAD_USER_INPUT', { operation: list.name, row }, { message });
}

/** A cursor names its version, the list with its filter (by hash), and a position; nothing else. */
function writeCursor(binding: string, position: number): string {
  return Buffer.from(`1:${binding}:${position}`).toString('base64url');
}

function readCursor(cursor: string, binding: string): number {
  const [version, bound, digits, ...rest] = Buffer.from(cursor.slice(0, 200), 'base64url')
    .toString('latin1')
    .split(':');
  const position = /^\d{1,10}$/.test(digits ?? '') ? Number(digits) : Number.NaN;
  if (version !== '1' || bound !== binding || rest.length > 0 || !(position < maxPosition)) {
    throw new GatewayError('INVALID_CURSOR');
  }
  return position;
}
