import type { Connection, ValueOrError } from '../../domain/records.ts';
import { GatewayError } from '../../domain/errors.ts';
import type { Contract, ListName, PageStyle, RowId } from '../../contract/contract.ts';
import { bindCursor, peekCursor, readCursor, writeCursor, type Resume } from './cursor.ts';
import { contractSurprise, type Decoder } from '../decoding/field-decoders.ts';
import { createNumberedPages } from './numbered-pages.ts';
import { createOffsetPages } from './offset-pages.ts';
import { noCall, oneCall, type Read, type Slice, type WorstCase } from '../operation.ts';
import { createPageDecoder, type AskedWindow, type Page, type Pages, type ReadWindow, type Window } from './page.ts';
import { isPlainText, maxTextBytes, operationBasics, withParameter } from '../decoding/request-path.ts';
import { createTokenPages } from './token-pages.ts';

const maxFirst = 100;
const defaultFirst = 20;
const firstPosition: Resume = { kind: 'position', position: 0 };

/** What a page is asked for by. */
interface ListInput {
  readonly id: string | undefined;
  readonly query: string;
}

/** A filter of a list, switched on where the contract names its parameter. */
export interface Filter {
  readonly row: RowId;
  /** The argument's name in the graph. */
  readonly argument: string;
  readonly parameter: string | null;
  /** Whether a record as it came can be meant by this text: a service that ignores a filter must not pass for one. */
  readonly matches: (source: unknown, text: string) => boolean;
}

/** A list of the service: how to read a page of it, and how its style of paging makes windows of pages. */
export interface List<Value> {
  readonly name: ListName;
  readonly readPage: Read<ListInput, Page<Value>>;
  readonly filter: Filter | null;
  readonly start: Resume;
  readonly readWindow: ReadWindow<Resume, Value>;
  /**
   * Of a slice, by the page size that the contract names or that the service was seen to keep to; the one window that
   * finds out about another size can cost more. A slice that is refused costs nothing.
   */
  readonly worstCase: (slice: Slice) => WorstCase;
}

export interface ListArguments<Value> extends Slice {
  readonly id?: string;
  readonly filter?: string | null | undefined;
  /** The whole list, where the parent record already carries it. */
  readonly embedded?: readonly ValueOrError<Value>[] | null;
}

/** The list operation of that name as the contract describes it. */
export function createList<Value>(
  contract: Contract,
  name: ListName,
  decodeRecord: Decoder<Value>,
  filter: Filter | null = null,
): List<Value> {
  const { method, credentials, path, collectionPath } = operationBasics(contract, name);
  const request = ({ id, query }: ListInput) => {
    const target = id === undefined ? collectionPath : path(id);
    return { method, path: target + query };
  };
  const decode = createPageDecoder(contract, name, decodeRecord, (filter?.parameter ?? null) !== null);
  const { start, readWindow, countCalls } = createPaging<Value>(contract, name);
  return {
    name,
    readPage: { kind: 'read', name, credentials, worstCase: () => oneCall, request, decode },
    filter,
    start,
    readWindow,
    worstCase: ({ first, after }) => {
      const records = first ?? defaultFirst;
      const from = after === undefined || after === null ? start : peekCursor(after, start.kind);
      return isFirst(records) && from !== undefined ? { calls: countCalls(from, records), records } : noCall;
    },
  };
}

interface Paging<Value> extends Pick<List<Value>, 'start' | 'readWindow'> {
  readonly countCalls: (from: Resume, first: number) => number;
}

function createPaging<Value>(contract: Contract, name: ListName): Paging<Value> {
  const byPosition = ({ readWindow, countCalls }: Pages<number, Value>): Paging<Value> => ({
    start: firstPosition,
    readWindow: (from, asked) => readWindow(positionOf(from), asked),
    countCalls: (from, first) => countCalls(positionOf(from), first),
  });
  const byToken = (): Paging<Value> => {
    const { readWindow, countCalls } = createTokenPages<Value>(contract);
    const start = { kind: 'token', token: null, size: 0, index: 0 } as const;
    const tokenOf = (from: Resume) => (from.kind === 'token' ? from : start);
    return {
      start,
      readWindow: (from, asked) => readWindow(tokenOf(from), asked),
      countCalls: (from, first) => countCalls(tokenOf(from), first),
    };
  };
  const styles: Readonly<Record<PageStyle, () => Paging<Value>>> = {
    page: () => byPosition(createNumberedPages<Value>(contract, name)),
    offset: () => byPosition(createOffsetPages<Value>(contract)),
    cursor: byToken,
    none: () =>
      byPosition({
        readWindow: async (start, asked) => asked.finish(cutWhole(name, await asked.readPage(''), start, asked.first)),
        countCalls: () => 1,
      }),
  };
  return styles[contract[`${name}.pageStyle`]]();
}

function positionOf(from: Resume): number {
  return from.kind === 'position' ? from.position : 0;
}

/** A window of a list that comes whole in one answer. A total that says otherwise contradicts the page style. */
function cutWhole<Value>(name: ListName, page: Page<Value>, start: number, first: number): Window<Value> {
  if (page.total !== null && page.total !== page.records.length) {
    throw contractSurprise(page.location, `${name}.pageStyle`);
  }
  return cutRecords(page.records, start, first);
}

function cutRecords<Value>(records: readonly ValueOrError<Value>[], start: number, first: number): Window<Value> {
  const nodes = records.slice(start, start + first);
  const resumeAt = (position: number): Resume => ({ kind: 'position', position });
  return {
    nodes,
    resumeAfter: (index) => resumeAt(start + index + 1),
    end: nodes.length === 0 ? null : resumeAt(start + nodes.length),
    hasNextPage: start + first < records.length,
    totalCount: records.length,
  };
}

/** Makes a call of a list, or takes its answer from memory. */
export type LoadPage = <Value>(read: Read<ListInput, Page<Value>>, input: ListInput) => Promise<Page<Value>>;

/** A window of a list that is to be a connection. */
interface Asked<Value> extends AskedWindow<Value, Connection<Value>> {
  readonly list: List<Value>;
  readonly load: LoadPage;
  readonly id: string | undefined;
  readonly filter: Wanted<Value> | undefined;
  readonly hasPreviousPage: boolean;
  /** What its cursors are bound to: made when one is asked for, since a hash costs as much as a call. */
  binding: string | undefined;
}

/**
 * A window of `first` records behind a cursor, as a connection. Records that others insert or remove meanwhile may be
 * repeated or skipped where the service pages by number or offset. Throws BAD_USER_INPUT and INVALID_CURSOR before any
 * call.
 */
export function readConnection<Value>(
  list: List<Value>,
  load: LoadPage,
  { id, first: given, after, filter: wanted, embedded }: ListArguments<Value>,
): Connection<Value> | Promise<Connection<Value>> {
  const first = checkFirst(given);
  const filter = checkFilter(list, wanted);
  const isEmbedded = embedded !== undefined && embedded !== null;
  const start: Resume = isEmbedded ? firstPosition : list.start;
  const isFromStart = after === undefined || after === null;
  const binding = isFromStart ? undefined : bindCursor(list.name, id, filter?.text);
  const from = isFromStart || binding === undefined ? start : readCursor(after, binding, start.kind);
  const hasPreviousPage = from !== start;
  const asked: Asked<Value> = { readPage, finish, list, load, id, first, filter, hasPreviousPage, binding };
  if (isEmbedded) return asked.finish(cutRecords(embedded, positionOf(from), first));
  return list.readWindow(from, asked);
}

function readPage<Value>(this: Asked<Value>, query: string): Promise<Page<Value>> {
  const { list, load, id, filter } = this;
  return filter === undefined ? load(list.readPage, { id, query }) : readFiltered(this, filter, query);
}

/** A page of what a filter lets through, each record of which is checked against it. */
async function readFiltered<Value>(
  { list, load, id }: Asked<Value>,
  { text, parameter, check }: Wanted<Value>,
  query: string,
): Promise<Page<Value>> {
  const page = await load(list.readPage, { id, query: withParameter(query, parameter, text) });
  return { ...page, records: page.records.map((record, index) => check(record, page, index)) };
}

interface OpenedConnection<Value> extends Connection<Value> {
  readonly asked: Asked<Value>;
  readonly window: Window<Value>;
}

function finish<Value>(this: Asked<Value>, window: Window<Value>): OpenedConnection<Value> {
  const { list, hasPreviousPage } = this;
  const { nodes, hasNextPage, totalCount: total } = window;
  const totalCount = isInt(total) ? total : contractSurprise({ operation: list.name, path: '' }, 'lists.total');
  return { nodes, hasNextPage, hasPreviousPage, totalCount, cursorAt, endCursor, asked: this, window };
}

function cursorAt<Value>(this: OpenedConnection<Value>, index: number): string {
  return writeCursor(bindingOf(this.asked), this.window.resumeAfter(index));
}

function endCursor<Value>(this: OpenedConnection<Value>): string | null {
  const { end } = this.window;
  return end === null ? null : writeCursor(bindingOf(this.asked), end);
}

function bindingOf<Value>(asked: Asked<Value>): string {
  return (asked.binding ??= bindCursor(asked.list.name, asked.id, asked.filter?.text));
}

/** Whether GraphQL's Int, of 32 bits, can carry a count. */
function isInt(count: number | null): boolean {
  return count === null || count < 2 ** 31;
}

function isFirst(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= maxFirst;
}

function checkFirst(first: number | null | undefined): number {
  const value = first ?? defaultFirst;
  if (isFirst(value)) return value;
  throw new GatewayError('BAD_USER_INPUT', {}, { message: `\`first\` must be from 1 to ${maxFirst}.` });
}

/** A filter that is asked for. */
interface Wanted<Value> {
  readonly text: string;
  readonly parameter: string;
  readonly check: (record: ValueOrError<Value>, page: Page<Value>, index: number) => ValueOrError<Value>;
}

function checkFilter<Value>(list: List<Value>, text: string | null | undefined): Wanted<Value> | undefined {
  if (text === undefined || text === null || list.filter === null) return undefined;
  const { row, parameter, argument, matches } = list.filter;
  if (parameter === null) {
    const message = `\`${argument}\` is not supported: the contract does not name a parameter for it (row ${row}).`;
    throw new GatewayError('BAD_USER_INPUT', { operation: list.name, row }, { message });
  }
  if (!isPlainText(text)) {
    const message = `\`${argument}\` must be at most ${maxTextBytes} bytes of text without control characters.`;
    throw new GatewayError('BAD_USER_INPUT', { operation: list.name, row }, { message });
  }
  const check: Wanted<Value>['check'] = (record, { location, sources }, index) =>
    matches(sources[index], text) ? record : contractSurprise(location, row);
  return { text, parameter, check };
}
