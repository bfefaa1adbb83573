import { isDeepStrictEqual } from 'node:util';
import {
  contractOfList,
  rowOfList,
  type Contract,
  type ListName,
  type PageStyle,
  type RowId,
} from '../../contract/contract.ts';
import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { toQuery } from '../../upstream/decoding/request-path.ts';
import { noSigns, readPageSigns, type PageSigns } from '../../upstream/paging/page-signs.ts';
import { isList, kindsOf } from '../contract-cases/operation-kinds.ts';
import { isInconclusive, isSuccess } from './check-paths.ts';
import type { CheckRun } from './check-run.ts';
import type { ProbeAnswer } from './prober.ts';
import { describeShape, findNode, type JsonNode } from './json-shape.ts';
import { findRecordArrays, holdsFaults, holdsRecords, isOfFailure } from './record-arrays.ts';

/** The page size of most probes. */
export const smallSize = 2;

/** Usual names of the parameter that carries the size of a page. */
// prettier-ignore
export const sizeNames = [
  'limit', 'per_page', 'perPage', 'page_size', 'pageSize', 'size', 'count', 'take', 'page[size]', 'page[limit]',
];

/** Usual names of the parameter that carries a cursor. */
export const cursorNames = [
  'cursor',
  'after',
  'page_token',
  'next_cursor',
  'starting_after',
  'page[after]',
  'page[cursor]',
];

type ListRow = Extract<RowId, `lists.${string}`>;
type Parameters = Readonly<Record<string, string>>;
export type Records = readonly unknown[];

/** Reads pages of one list. */
export interface ListReader {
  readonly name: ListName;
  readonly read: (parameters: Parameters) => Promise<Records | undefined>;
  /** The last page that was not refused. */
  readonly lastAnswer: () => ProbeAnswer;
  /** False once a page was not answered: what follows from its absence is then no evidence. */
  readonly isAnswered: () => boolean;
}

export function createListReader(
  run: CheckRun,
  name: ListName,
  identifier: string | undefined,
  first: ProbeAnswer,
): ListReader {
  let answer = first;
  let isAnswered = true;
  const read = async (parameters: Parameters): Promise<Records | undefined> => {
    const path = run.contract()[`${name}.path`];
    const credentials = run.contract()[`${name}.credentials`];
    const page = await run.probe({ operation: name, path, identifier, query: toQuery(parameters), credentials });
    isAnswered &&= !isInconclusive(run, page);
    if (!isSuccess(run, page)) return undefined;
    const records = readRecords(run, name, page.body);
    if (records !== undefined) answer = page;
    return records;
  };
  return { name, read, lastAnswer: () => answer, isAnswered: () => isAnswered };
}

/** The page style of a list: its own where that is stated or was found, else that of the customers' list. */
export function styleOf(run: CheckRun, name: ListName): PageStyle {
  const row = `${name}.pageStyle` as const;
  const ofCustomers = run.contract()['listCustomers.pageStyle'];
  const isKnown = run.isOverridden(row) || run.corrections.has(row) || ofCustomers === 'undecided';
  return isKnown ? run.contract()[row] : ofCustomers;
}

/** The parameters of a small page of a list, by the contract. */
export function createPageParameters(
  run: CheckRun,
  name: ListName,
  page: 'first' | 'second',
  token = '',
  offset = smallSize,
): Parameters {
  const contract = contractOfList(run.contract(), name);
  const isFirst = page === 'first';
  const size = String(smallSize);
  const limit = { [contract['lists.limit']]: size };
  switch (styleOf(run, name)) {
    case 'page':
      return {
        [contract['lists.page']]: String(contract['lists.firstPage'] + (isFirst ? 0 : 1)),
        [contract['lists.perPage']]: size,
      };
    case 'offset':
      return { [contract['lists.offset']]: isFirst ? '0' : String(offset), ...limit };
    case 'cursor':
      return isFirst ? limit : { [contract['lists.cursor']]: token, ...limit };
    default:
      return {};
  }
}

/** The records of a list's body, at the contract's pointers. */
export function recordsAt(contract: Contract, body: unknown): Records | undefined {
  return contract['lists.records'].map((pointer) => compilePointers([pointer]).read(body)).find(Array.isArray);
}

/**
 * The records of a list's answer: at the contract's pointers, else in the nearest array of objects. An empty array proves
 * nothing: neither is the row confirmed by it, nor is its pointer written.
 */
export function readRecords(run: CheckRun, name: ListName, body: unknown): Records | undefined {
  const contract = contractOfList(run.contract(), name);
  const row = rowInForce(run, name, 'lists.records');
  const pointer = contract['lists.records'].find((each) => Array.isArray(compilePointers([each]).read(body)));
  const contracted = pointer === undefined || isOfFailure(contract, pointer) ? undefined : recordsAt(contract, body);
  if (contracted !== undefined && holdsRecords(contracted)) {
    run.confirm(row);
    return contracted;
  }
  const arrays = findRecordArrays(contract, body);
  const elsewhere = arrays.find(({ records }) => holdsRecords(records));
  // Once records were read at the row's pointers, an empty array there is an empty page.
  if (elsewhere !== undefined && !(contracted !== undefined && isProven(run, row))) {
    const seen = `they stand at ${elsewhere.pointer || 'the top'}`;
    run.contradict(rowOfRecords(run, name, elsewhere.pointer), seen, [elsewhere.pointer]);
    return elsewhere.records;
  }
  const hasFaults = holdsFaults(contract, body);
  // An empty list may have no array at all, as in HAL.
  const isEmpty = readTotal(run, name, body) === 0;
  const empty = hasFaults ? undefined : (contracted ?? arrays[0]?.records ?? (isEmpty ? [] : undefined));
  if (hasFaults) run.skip(row, 'faults stood in place of records');
  else if (empty !== undefined) run.skip(row, 'no record there');
  else run.contradict(rowToCorrect(run, name, 'records'), `no array of records in ${describeShape(body)}`);
  return empty;
}

/** The records that a list's answers have shown so far, of one customer or of all, each once: `first` before the others. */
export function recordsSeen(run: CheckRun, name: ListName, first: Records): Records {
  const contract = contractOfList(run.contract(), name);
  const answers = run.samples().filter(({ operation, status, body }) => {
    return operation === name && isSuccess(run, { status, body, allow: [] });
  });
  const records = [...first, ...answers.flatMap(({ body }) => recordsAt(contract, body) ?? [])];
  return [...new Map(records.map((record) => [toKey(record), record])).values()];
}

/** Whether at least one record was read at a row's pointers, as given or as corrected. */
function isProven(run: CheckRun, row: RowId): boolean {
  return run.findings.get(row)?.state === 'confirmed' || run.corrections.has(row);
}

/** The row to correct for records elsewhere: the shared one, unless another list has no array there or is read by it. */
function rowOfRecords(run: CheckRun, name: ListName, pointer: string): RowId {
  const own = `${name}.records` as const;
  if (rowInForce(run, name, 'lists.records') === own) return own;
  const others = run.samples().filter(({ operation, status, body }) => {
    return isList(operation) && operation !== name && isSuccess(run, { status, body, allow: [] });
  });
  const isShared = others.every(({ body }) => Array.isArray(compilePointers([pointer]).read(body)));
  return isShared && (name === 'listCustomers' || !isProven(run, 'lists.records')) ? 'lists.records' : own;
}

/** The row that a list is read by: its own where that has a value, else the one that all lists have in common. */
export function rowInForce(run: CheckRun, name: ListName, shared: ListRow): RowId {
  return rowOfList(run.contract(), name, shared);
}

/** A list's own row in place of the one that all lists have in common, as `contractOfList` reads it. */
export function ownRow(name: ListName, shared: ListRow): RowId {
  return shared.replace('lists', name) as RowId; // all but lists.signs, which is read of no list alone
}

type ListProperty = 'records' | 'page' | 'perPage' | 'offset' | 'limit' | 'cursor' | 'firstPage';

/** The row of a list's property: that of all lists until one of them has shown it. */
function rowToCorrect(run: CheckRun, name: ListName, property: ListProperty): RowId {
  const shared = `lists.${property}` as const;
  if (rowInForce(run, name, `lists.${property}`) !== shared) return `${name}.${property}`;
  return name === 'listCustomers' || !run.findings.has(shared) ? shared : `${name}.${property}`;
}

/** Compares a property of a list with what it does: what all lists have in common is found by the first one. */
export function compareIn(run: CheckRun, name: ListName, property: ListProperty, value: unknown, seen: string): void {
  const row = rowToCorrect(run, name, property);
  if (row === rowInForce(run, name, `lists.${property}`)) return run.compare(row, value, seen);
  const inForce = contractOfList(run.contract(), name)[`lists.${property}`];
  if (!isDeepStrictEqual(inForce, value)) run.contradict(row, seen, value);
}

export function isOtherPage(first: Records, second: Records | undefined, maxSize = smallSize): boolean {
  if (second === undefined || second.length === 0 || second.length > maxSize) return false;
  const firstKeys = new Set(first.map(toKey));
  return second.every((record) => !firstKeys.has(toKey(record)));
}

/** Identifies a record. JSON.stringify throws on one that is nested too deeply; such records count as equal. */
export function toKey(record: unknown): string {
  try {
    return JSON.stringify(record);
  } catch {
    return '';
  }
}

/** Whether an answer says by its rows, or by the usual names, that more follows behind its first `count` records. */
export function hasMoreThan(run: CheckRun, name: ListName, body: unknown, count: number): boolean {
  const contract = contractOfList(run.contract(), name);
  const isFlagged = compilePointers(contract['lists.hasMore']).read(body) === true || readSigns(contract, body).hasNext;
  // Some services send a token with the last page, too.
  const hasToken = readToken(run, name, body) !== undefined && findMoreFlag(body)?.value !== false;
  return (readTotal(run, name, body) ?? 0) > count || isFlagged || hasToken;
}

/** A flag, under a usual name, that more follows. */
export function findMoreFlag(body: unknown): JsonNode | undefined {
  return findNode(body, ['hasmore', 'hasnext', 'hasnextpage'], (value) => typeof value === 'boolean');
}

/** How many records a list has, as its answer says by its row or by the usual names. */
export function readTotal(run: CheckRun, name: ListName, body: unknown): number | undefined {
  const contract = contractOfList(run.contract(), name);
  return toCount(compilePointers(contract['lists.total']).read(body)) ?? readSigns(contract, body).total ?? undefined;
}

function readSigns(contract: Contract, body: unknown): PageSigns {
  return contract['lists.signs'] === 'checked' ? readPageSigns(body) : noSigns;
}

/** A count as the gateway reads it: a number, or its digits. */
export function toCount(value: unknown): number | undefined {
  const text = textOrNumber(value) ?? '';
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

/** The cursor of the next page, as the gateway reads it: the last record's id, a token, or a parameter of a next link. */
export function readToken(run: CheckRun, name: ListName, body: unknown): string | undefined {
  const contract = contractOfList(run.contract(), name);
  if (contract['lists.hasMore'].length > 0) return lastId(run, name, body, contract['lists.hasMore']);
  const token = textOrNumber(compilePointers(contract['lists.nextCursor']).read(body));
  const link = compilePointers(contract['lists.nextLink']).read(body);
  if (token || typeof link !== 'string') return token || undefined;
  return URL.parse(link, 'http://service')?.searchParams.get(contract['lists.cursor']) ?? undefined;
}

/** The id of the last record of a list whose flag says that more follow. */
export function lastId(run: CheckRun, name: ListName, body: unknown, flag: readonly string[]): string | undefined {
  const records = recordsAt(contractOfList(run.contract(), name), body);
  return compilePointers(flag).read(body) === true ? idOf(run, name, records?.at(-1)) : undefined;
}

export function idOf(run: CheckRun, name: ListName, record: unknown): string | undefined {
  return textOrNumber(run.read(`${kindsOf[name] as 'customer'}.id`, record)); // every record has one
}
