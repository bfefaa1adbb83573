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
import { booleans } from '../../upstream/decoding/field-decoders.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { toQuery } from '../../upstream/decoding/request-path.ts';
import {
  createSignReader,
  createTokenReader,
  listSurprise,
  saysMore,
  toCount,
  type PageSigns,
} from '../../upstream/paging/page-signs.ts';
import { isList, kindsOf } from '../operation-kinds.ts';
import { isInconclusive, isSuccess } from './check-paths.ts';
import type { CheckRun } from './check-run.ts';
import type { ProbeAnswer } from './prober.ts';
import {
  describeShape,
  findNode,
  findRecordArrays,
  holdsFaults,
  holdsRecords,
  isOfFailure,
  type JsonNode,
} from './json-shape.ts';

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

export type ListRow = Extract<RowId, `lists.${string}`>;
type Parameters = Readonly<Record<string, string>>;
export type Records = readonly unknown[];
export type ListReader = ReturnType<typeof createListReader>;

/** Reads pages of one list. `first` is the answer with its first page. */
export function createListReader(run: CheckRun, name: ListName, identifier: string | undefined, first: ProbeAnswer) {
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
  return {
    name,
    read,
    /** The last page that was not refused. */
    lastAnswer: () => answer,
    /** False once a page was not answered: what follows from its absence is then no evidence. */
    isAnswered: () => isAnswered,
  };
}

/** The page style of a list: its own where that is stated or was found, else that of the customers' list. */
export function styleOf(run: CheckRun, name: ListName): PageStyle {
  const row = `${name}.pageStyle` as const;
  const ofCustomers = run.contract()['listCustomers.pageStyle'];
  const isStated = run.isOverridden(row) && run.contract()[row] !== 'undecided';
  const isKnown = isStated || run.corrections.has(row) || ofCustomers === 'undecided';
  return isKnown ? run.contract()[row] : ofCustomers;
}

/** A page in each style: by its number behind the first page, by the records before it, or by its token. */
interface PageAsked {
  readonly page?: number;
  readonly offset?: number;
  readonly token?: string;
  readonly size?: number;
}

/** The parameters of a page of a list by the contract; by default those of a small first page. */
export function createPageParameters(
  run: CheckRun,
  name: ListName,
  { page = 0, offset = 0, token, size = smallSize }: PageAsked = {},
): Parameters {
  const contract = contractOfList(run.contract(), name);
  const limit = { [contract['lists.limit']]: String(size) };
  switch (styleOf(run, name)) {
    case 'page':
      return {
        [contract['lists.page']]: String(contract['lists.firstPage'] + page),
        ...(contract['lists.perPage'] !== null && { [contract['lists.perPage']]: String(size) }),
      };
    case 'offset':
      return { [contract['lists.offset']]: String(offset), ...limit };
    case 'cursor':
      return token === undefined ? limit : { [contract['lists.cursor']]: token, ...limit };
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
  const row = rowOfList(run.contract(), name, 'lists.records');
  const pointer = contract['lists.records'].find((each) => Array.isArray(compilePointers([each]).read(body)));
  const contracted = pointer === undefined || isOfFailure(contract, pointer) ? undefined : recordsAt(contract, body);
  if (contracted !== undefined && holdsRecords(contracted)) {
    run.confirm(row);
    return contracted;
  }
  const arrays = findRecordArrays(contract, body);
  const elsewhere = arrays.find(({ records }) => holdsRecords(records));
  // Once records were read at the row's pointers, an empty array there is an empty page.
  if (elsewhere !== undefined && !(contracted !== undefined && run.isProven(row))) {
    const seen = `they stand at ${elsewhere.pointer || 'the top'}`;
    run.contradict(rowOfRecords(run, name, elsewhere.pointer), seen, [elsewhere.pointer]);
    return elsewhere.records;
  }
  const hasFaults = holdsFaults(contract, body);
  // An empty list may have no array at all, as in HAL, or null in its place, as a nil slice of Go.
  const isEmpty =
    readTotal(run, name, body) === 0 || booleans.get(compilePointers(contract['lists.hasMore']).read(body)) === false;
  const empty = hasFaults ? undefined : (contracted ?? arrays[0]?.records ?? (isEmpty ? [] : undefined));
  if (hasFaults) run.skip(row, 'faults stood in place of records');
  else if (empty !== undefined) run.skip(row, 'no record there');
  else run.contradict(rowToCorrect(run, name, 'lists.records'), `no array of records in ${describeShape(body)}`);
  return empty;
}

/** The records of a list in all its answers so far, of one customer or of all, each once and `first` in front. */
export function recordsSeen(run: CheckRun, name: ListName, first: Records): Records {
  const contract = contractOfList(run.contract(), name);
  const answers = run.samples().filter((sample) => sample.operation === name && isSuccess(run, sample));
  const records = [...first, ...answers.flatMap(({ body }) => recordsAt(contract, body) ?? [])];
  return [...new Map(records.map((record) => [toKey(record), record])).values()];
}

/** The row to correct for records elsewhere: the shared one, unless another list has no array there or is read by it. */
function rowOfRecords(run: CheckRun, name: ListName, pointer: string): RowId {
  const ownRowId = `${name}.records` as const;
  if (rowOfList(run.contract(), name, 'lists.records') === ownRowId) return ownRowId;
  const others = run
    .samples()
    .filter((sample) => isList(sample.operation) && sample.operation !== name && isSuccess(run, sample));
  const isShared = others.every(({ body }) => Array.isArray(compilePointers([pointer]).read(body)));
  return isShared && (name === 'listCustomers' || !run.isProven('lists.records')) ? 'lists.records' : ownRowId;
}

/** A list's own row in place of the one that all lists have in common, as `contractOfList` reads it. */
export function ownRow(name: ListName, shared: ListRow): RowId {
  return shared.replace('lists', name) as RowId; // each has its own
}

/** The row to correct by the signs of one list's pages: by the customers' list that of all, by another list its own. */
export function rowOfSign(run: CheckRun, name: ListName, shared: ListRow): RowId {
  return name === 'listCustomers' ? rowOfList(run.contract(), name, shared) : ownRow(name, shared);
}

/** The row to correct by what all lists have in common: that of all lists until one of them has shown it. */
function rowToCorrect(run: CheckRun, name: ListName, shared: ListRow): RowId {
  const inForce = rowOfList(run.contract(), name, shared);
  return inForce === shared && run.findings.has(shared) ? rowOfSign(run, name, shared) : inForce;
}

/** Compares a parameter of a list with what it does. */
export function compareIn(run: CheckRun, name: ListName, shared: ListRow, value: unknown, seen: string): void {
  const row = rowToCorrect(run, name, shared);
  if (row === rowOfList(run.contract(), name, shared)) return run.compare(row, value, seen);
  if (!isDeepStrictEqual(contractOfList(run.contract(), name)[shared], value)) run.contradict(row, seen, value);
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

/**
 * Whether an answer says, by its rows or in a header that no row can name, that more follows behind its first `count`
 * records.
 */
export function hasMoreThan(run: CheckRun, name: ListName, answer: ProbeAnswer, count: number): boolean {
  const { body, link = '', totalCount } = answer;
  const contract = contractOfList(run.contract(), name);
  const signs = readSigns(run, name, body);
  if (/;\s*rel\s*=\s*"?(?:[^"<]*\s)?next\b/i.test(link) || (toCount(totalCount) ?? 0) > count) return true;
  // Some services send a token with the last page, too, and each record has an id.
  const hasToken =
    contract['lists.cursorFrom'] === 'answer' &&
    readToken(run, name, body) !== undefined &&
    findMoreFlag(body)?.value !== false;
  return hasToken || (signs !== undefined && saysMore({ ...signs, hasToken: false }, count, null) === true);
}

/** A flag, under a usual name, that more follows. */
export function findMoreFlag(body: unknown): JsonNode | undefined {
  return findNode(body, ['hasmore', 'hasnext', 'hasnextpage'], (value) => typeof value === 'boolean');
}

/** How many records a list has, as its answer says by its row. */
export function readTotal(run: CheckRun, name: ListName, body: unknown): number | undefined {
  return readSigns(run, name, body)?.total ?? undefined;
}

/** What an answer says of its page; undefined where it contradicts a row. */
function readSigns(run: CheckRun, name: ListName, body: unknown): PageSigns | undefined {
  const contract = contractOfList(run.contract(), name);
  try {
    return createSignReader(contract.lists[name], listSurprise(contract, name))(body);
  } catch {
    return undefined;
  }
}

/** The cursor of the next page as the gateway reads it; undefined where there is none, or one that it refuses. */
export function readToken(run: CheckRun, name: ListName, body: unknown): string | undefined {
  const contract = contractOfList(run.contract(), name);
  try {
    const read = createTokenReader(contract, name, listSurprise(contract, name));
    return read(body, recordsAt(contract, body) ?? [], '')?.text;
  } catch {
    return undefined;
  }
}

export function idOf(run: CheckRun, name: ListName, record: unknown): string | undefined {
  return textOrNumber(run.read(`${kindsOf[name] as 'customer'}.id`, record)); // every record has one
}
