import type { Connection, ValueOrError } from '../../domain/records.ts';
import { GatewayError } from '../../domain/errors.ts';
import type { Contract, ListName, PageStyle } from '../../contract/contract.ts';
import { listSettings } from '../../contract/list-rows.ts';
import { bindCursor, readCursor, writeCursor, type Place } from './cursor.ts';
import type { Decoder } from '../decoding/field-decoders.ts';
import { createMismatchCheck, noMismatch } from '../decoding/identification.ts';
import { activateFilters, createFilters, judgeRecords, type Filter } from './filter.ts';
import { noCall, oneCall, type Read, type Slice, type UpstreamRequest } from '../operation.ts';
import { createPageDecoder, type Page } from './page.ts';
import { contradictionIn } from './page-signs.ts';
import { compileIdentifiers, operationBasics, type Parameters, type PathSource } from '../decoding/request-path.ts';
import { createStyle } from './styles.ts';
import { cutWindow, readWindow, type PagedList, type Window } from './window.ts';

export const maxFirst = 100;
export const defaultFirst = 20;

/** The parent record of a list, where it has one, and the parameters of one page. */
interface ListInput {
  readonly parent: PathSource | undefined;
  readonly parameters: Parameters;
}

/** A list of the service: how one page is read, and how its page style makes windows of pages. */
export interface List<Value> extends PagedList {
  readonly pageStyle: PageStyle;
  readonly filters: readonly Filter[];
  readonly readPage: Read<ListInput, Page<Value>>;
  /** Where a window begins, `binding` being that of its cursor; undefined for a text that is no cursor of the list. */
  readonly placeOf: (slice: Slice, binding?: string) => Place | undefined;
  /** Calls and records at most, where the service gives pages as asked. Invalid arguments cost 0: they make no call. */
  readonly worstCase: Read<unknown, unknown>['worstCase'];
}

export interface ListArguments<Value> extends Slice {
  /** The record that the list is below. */
  readonly parent?: PathSource;
  /** The field's arguments, of which the filters take theirs. */
  readonly filters?: Readonly<Record<string, unknown>>;
  /** The whole list, where the parent record already carries it. */
  readonly embedded?: readonly ValueOrError<Value>[] | null;
}

/** The list operation of that name as the contract describes it. */
export function createList<Value>(contract: Contract, name: ListName, decodeRecord: Decoder<Value>): List<Value> {
  const { credentials, readRequest } = operationBasics(contract, name);
  const identifiers = compileIdentifiers(contract, name);
  const findMismatch = createMismatchCheck(contract, name);
  const request = ({ parent, parameters }: ListInput): UpstreamRequest => {
    const page = readRequest(parent === undefined ? {} : identifiers(parent), parameters);
    return findMismatch === noMismatch ? page : { ...page, identifier: parent?.id ?? '' };
  };
  const filters = createFilters(contract, name);
  const keepsSources = filters.some(({ parameter }) => parameter !== null);
  const pages = createPageDecoder(contract, name, decodeRecord, findMismatch, keepsSources);
  const contradiction = contradictionIn(contract, name);
  const pageStyle = contract[`${name}.pageStyle`];
  const style = createStyle(contract, name, contradiction);
  const placeOf: List<Value>['placeOf'] = ({ first, after }, binding) => {
    if (after === undefined || after === null) return style.first(first ?? defaultFirst);
    const place = readCursor(after, binding);
    return place !== undefined && place.asked <= style.first(maxFirst).asked && style.isKey(place.key)
      ? place
      : undefined;
  };
  // Where only an empty page shows the end, a window that its list does not fill costs a further call.
  const further = pageStyle === 'cursor' && listSettings(contract, name).cursorFrom === 'lastRecord' ? 1 : 0;
  const worstCase: List<Value>['worstCase'] = (slice) => {
    const records = slice.first ?? defaultFirst;
    const place = isAllowedFirst(records) ? placeOf(slice) : undefined;
    if (place === undefined) return noCall;
    const pages = Math.ceil((Math.min(place.skip, place.asked) + records - further) / place.asked);
    return { calls: pages + further, records };
  };
  const readPage = { kind: 'read', name, credentials, worstCase: () => oneCall, request, ...pages } as const;
  const order = name === 'listCustomerTransactions' ? contract[`${name}.order`] : 'unknown';
  return { name, pageStyle, style, contradiction, order, filters, readPage, placeOf, worstCase };
}

/** Whether the list is served: not while its page style is undecided. */
export function isServed(contract: Contract, name: ListName): boolean {
  return contract[`${name}.pageStyle`] !== 'undecided';
}

/** Reads a window of a list as a connection. */
export type ReadList = ReturnType<typeof createListReader>;

/**
 * Creates the reader of windows: `first` records behind a cursor, as a connection. Records that others insert or remove
 * meanwhile may be repeated or skipped where the service pages by number or offset. Throws BAD_USER_INPUT and
 * INVALID_CURSOR before any call. `load` reads a page; equal pages of one GraphQL request are one call.
 */
export function createListReader(
  load: <Value>(read: List<Value>['readPage'], input: ListInput) => Promise<Page<Value>>,
) {
  return <Value>(list: List<Value>, args: ListArguments<Value>): Connection<Value> | Promise<Connection<Value>> => {
    const { parent, after } = args;
    const first = args.first ?? defaultFirst;
    if (!isAllowedFirst(first)) {
      throw new GatewayError('BAD_USER_INPUT', {}, { message: `\`first\` must be from 1 to ${maxFirst}.` });
    }
    const filters = activateFilters(list.name, list.filters, args.filters ?? {});
    // The records that a parent carries are not filtered.
    const embedded = filters.length === 0 ? (args.embedded ?? null) : null;
    const values = filters.map(({ argument, value }) => [argument, value]);
    // Computed when a cursor is read or asked for: a hash costs as much as a small call.
    let binding: string | undefined;
    const bind = () => (binding ??= bindCursor(list.name, embedded === null && list.pageStyle, parent?.id, values));
    const isFirst = after === undefined || after === null;
    const from = list.placeOf({ first, after }, isFirst ? undefined : bind());
    if (from === undefined) throw new GatewayError('INVALID_CURSOR');
    // The service counts records that the gateway leaves out.
    const isCounted = !filters.some(({ isWider }) => isWider);
    const connect = ({ nodes, places, hasNextPage, totalCount }: Window<Value>): Connection<Value> => {
      const total = isCounted ? totalCount : null;
      const cursorAt = (index: number): string => writeCursor(bind(), places[index] ?? from);
      const endCursor = () => (nodes.length === 0 ? null : cursorAt(nodes.length - 1));
      // GraphQL's Int has 32 bits.
      const count = total === null || total < 2 ** 31 ? total : list.contradiction('lists.total');
      return { nodes, hasNextPage, hasPreviousPage: !isFirst, totalCount: count, cursorAt, endCursor };
    };
    if (embedded !== null) return connect(cutWindow(embedded, from, first));
    const asked = Object.fromEntries(filters.map(({ parameter, sent }) => [parameter, sent]));
    const readPage = (parameters: Parameters) =>
      load(list.readPage, { parent, parameters: { ...parameters, ...asked } });
    const judge =
      filters.length === 0 ? undefined : (page: Page<Value>) => judgeRecords(page, filters, list.contradiction);
    return readWindow(list, from, first, readPage, judge).then(connect);
  };
}

function isAllowedFirst(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= maxFirst;
}
