import type { Connection, ValueOrError } from '../../domain/records.ts';
import { GatewayError } from '../../domain/errors.ts';
import {
  contractOfList,
  undecidedError,
  type Contract,
  type ListName,
  type PageStyle,
} from '../../contract/contract.ts';
import { bindCursor, firstPosition, markRecord, peekCursor, readCursor, writeCursor, type Resume } from './cursor.ts';
import type { Decoder } from '../decoding/field-decoders.ts';
import { noMismatch, type FindMismatch } from '../decoding/identification.ts';
import { activateFilters, extraFiltersOf, filterKey, type Filter } from './filter.ts';
import { createNumberedPages } from './numbered-pages.ts';
import { createOffsetPages } from './offset-pages.ts';
import { noCall, oneCall, type Read, type Slice, type UpstreamRequest, type WorstCase } from '../operation.ts';
import { createPageDecoder, listSurprise, type Page, type Pages, type Window, type WindowRequest } from './page.ts';
import { compileIdentifiers, operationBasics, withParameter, type PathSource } from '../decoding/request-path.ts';
import { idOf, readWithoutRepeats } from './repeats.ts';
import { createTokenPages } from './token-pages.ts';
import { createWholeList, cutRecords } from './whole-list.ts';

export const maxFirst = 100;
export const defaultFirst = 20;

/** The parent record of a list, where it has one, and the query of one page. */
interface ListInput {
  readonly parent: PathSource | undefined;
  readonly query: string;
  /** Whether the page is read once more. */
  readonly isAgain: boolean;
}

/** A list of the service: how one page is read, and how its page style makes windows of pages. */
export interface List<Value> extends Pages<Value> {
  readonly name: ListName;
  readonly readPage: Read<ListInput, Page<Value>>;
  readonly filters: readonly Filter[];
  readonly surprise: Page<Value>['surprise'];
  /**
   * Upper bound of calls and records for `first` and `after`, assuming the page size of the contract or the last observed
   * one. A request that meets a smaller page size, which one short page does not show for good, or that reads a window
   * once more, can exceed it. Invalid arguments cost 0: they are refused before any call.
   */
  readonly worstCase: (slice: Slice) => WorstCase;
}

export interface ListArguments<Value> extends Slice {
  /** The record that the list is below. */
  readonly parent?: PathSource;
  /** The field's arguments, of which the filters take theirs. */
  readonly filters?: Readonly<Record<string, unknown>>;
  /** The whole list, where the parent record already carries it. */
  readonly embedded?: readonly ValueOrError<Value>[] | null;
}

/** The list operation of that name as the contract describes it. `findMismatch`: whether a record is the parent's. */
export function createList<Value>(
  whole: Contract,
  name: ListName,
  decodeRecord: Decoder<Value>,
  filter: Filter | null = null,
  findMismatch: FindMismatch = noMismatch,
): List<Value> {
  const contract = contractOfList(whole, name);
  const { credentials, readRequest } = operationBasics(contract, name);
  const identifiers = compileIdentifiers(contract, name);
  const request = ({ parent, query, isAgain }: ListInput): UpstreamRequest => {
    const page = readRequest(parent === undefined ? {} : identifiers(parent), query);
    if (!isAgain && findMismatch === noMismatch) return page;
    return { ...page, isAgain, identifier: parent?.id ?? '' };
  };
  const filters = [...(filter === null ? [] : [filter]), ...extraFiltersOf(contract, name)];
  const keepsSources = filters.some(({ parameter }) => parameter !== null);
  const decode = createPageDecoder(contract, name, decodeRecord, findMismatch, keepsSources);
  const paging = createPaging<Value>(contract, name);
  return {
    ...paging,
    name,
    readPage: { kind: 'read', name, credentials, worstCase: () => oneCall, request, decode },
    filters,
    surprise: listSurprise(contract, name),
    worstCase: ({ first, after }) => {
      const records = first ?? defaultFirst;
      const from = peekCursor(after, paging.start);
      return isAllowedFirst(records) && from !== undefined
        ? { calls: paging.countCalls(from, records), records }
        : noCall;
    },
  };
}

/** Whether the list is served: not while its page style is undecided. */
export function isServed(contract: Contract, name: ListName): boolean {
  return contract[`${name}.pageStyle`] !== 'undecided';
}

function createPaging<Value>(contract: Contract, name: ListName): Pages<Value> {
  const styles: Readonly<Record<PageStyle, () => Pages<Value>>> = {
    page: () => createNumberedPages(contract),
    offset: () => createOffsetPages(contract),
    cursor: () => createTokenPages(contract),
    none: () => createWholeList(name),
    undecided: () => refusePages(name),
  };
  return styles[contract[`${name}.pageStyle`]]();
}

/** Pages of a list whose page style is undecided: `CONTRACT_UNDECIDED`, without a call. */
function refusePages<Value>(name: ListName): Pages<Value> {
  return {
    start: firstPosition,
    readWindow: () => Promise.reject(undecidedError(name, `${name}.pageStyle`)),
    countCalls: () => 0,
  };
}

/** Reads a page of a list; equal pages of one GraphQL request are one call. */
export type LoadPage = <Value>(read: Read<ListInput, Page<Value>>, input: ListInput) => Promise<Page<Value>>;

/**
 * A window of `first` records behind a cursor, as a connection. Records that others insert or remove meanwhile may be
 * repeated or skipped where the service pages by number or offset. Throws BAD_USER_INPUT and INVALID_CURSOR before any
 * call.
 */
export function readConnection<Value>(
  list: List<Value>,
  load: LoadPage,
  { parent, first: requestedFirst, after, filters: args = {}, embedded: carried }: ListArguments<Value>,
): Connection<Value> | Promise<Connection<Value>> {
  const first = checkFirst(requestedFirst);
  const filters = activateFilters(list.name, list.filters, args);
  // The records that a parent carries are not filtered.
  const embedded = filters.length === 0 ? carried : null;
  const isEmbedded = embedded !== undefined && embedded !== null;
  const start = isEmbedded ? firstPosition : list.start;
  const bind = (): string => bindCursor(list.name, parent?.id, filterKey(filters));
  const from = readCursor(after, bind, start);
  const connect = (window: Window<Value>): Connection<Value> =>
    toConnection(list, window, bind, from.resume !== start, from.firstMark);
  if (isEmbedded) return connect(cutRecords(embedded, from.resume.index, first));
  const readPage: WindowRequest<Value>['readPage'] = (query, isAgain = false) =>
    readPageOf(list, load, { parent, query, isAgain }, filters);
  return readWithoutRepeats(list, from, { first, readPage }).then(connect);
}

function readPageOf<Value>(
  { readPage }: List<Value>,
  load: LoadPage,
  input: ListInput,
  filters: ReturnType<typeof activateFilters>,
): Promise<Page<Value>> {
  if (filters.length === 0) return load(readPage, input);
  const query = filters.reduce((all, { parameter, text }) => withParameter(all, parameter, text), input.query);
  return load(readPage, { ...input, query }).then((page) => filters.reduce((all, { check }) => check(all), page));
}

function toConnection<Value>(
  { surprise }: List<Value>,
  window: Window<Value>,
  bind: () => string,
  hasPreviousPage: boolean,
  firstMark: string | undefined,
): Connection<Value> {
  const { nodes, hasNextPage, totalCount: total, resumeAfter, end } = window;
  // Computed when a cursor is asked for: a hash costs as much as a small call.
  let binding: string | undefined;
  const firstId = hasPreviousPage ? undefined : idOf(nodes[0]);
  let mark = firstMark;
  const cursorTo = (resume: Resume, record: unknown): string => {
    if (firstId !== undefined) mark ??= markRecord(firstId);
    return writeCursor((binding ??= bind()), idOf(record), resume, mark);
  };
  return {
    nodes,
    hasNextPage,
    hasPreviousPage,
    totalCount: isInt(total) ? total : surprise('lists.total'),
    cursorAt: (index) => cursorTo(resumeAfter(index), nodes[index]),
    endCursor: () => (end === null ? null : cursorTo(end, nodes.at(-1))),
  };
}

/** Whether GraphQL's Int, of 32 bits, can carry a count. */
function isInt(count: number | null): boolean {
  return count === null || count < 2 ** 31;
}

function isAllowedFirst(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= maxFirst;
}

function checkFirst(first: number | null | undefined): number {
  const value = first ?? defaultFirst;
  if (isAllowedFirst(value)) return value;
  throw new GatewayError('BAD_USER_INPUT', {}, { message: `\`first\` must be from 1 to ${maxFirst}.` });
}
