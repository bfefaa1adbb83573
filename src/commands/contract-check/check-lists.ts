import type { ListName, PageStyle, RowId } from '../../contract/contract.ts';
import { numberText, textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { isRecord, type PointerRow } from '../../upstream/decoding/field-decoders.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { toQuery } from '../../upstream/decoding/request-path.ts';
import { findRead, isInconclusive, isSuccess } from './check-paths.ts';
import { checkFields } from './check-fields.ts';
import type { CheckRun, ProbeAnswer } from './check-run.ts';
import { findNode, describeShape, walk } from './json-shape.ts';

/** Page sizes: of most probes, and of the one that looks for the service's maximum. */
const smallSize = 2;
const largeSize = 100;

/** Normalized names of the fields that describe a page. */
const reportNames = {
  'lists.total': ['total', 'totalcount', 'totalrecords', 'totalitems', 'totalresults'],
  'lists.currentPage': ['currentpage', 'page', 'pagenumber'],
  'lists.lastPage': ['lastpage', 'totalpages', 'pagecount', 'pages'],
  'lists.pageSize': ['perpage', 'pagesize', 'limit'],
  'lists.nextCursor': ['nextcursor', 'nexttoken', 'nextpagetoken', 'cursor'],
} as const satisfies Partial<Record<RowId, readonly string[]>>;

/** A text that no record contains: a list that is not empty was not filtered by it. */
const unmatchedText = 'settlement-graph-check-nothing';
const searchNames = ['search', 'q', 'query', 'keyword'];
const filterRows = {
  listCustomers: 'listCustomers.search',
  listSettlementBanks: 'listSettlementBanks.search',
  listCustomerTransactions: 'listCustomerTransactions.type',
  listCustomerVirtualAccounts: undefined,
} as const satisfies Readonly<Record<ListName, RowId | undefined>>;

const sizeNames = ['limit', 'per_page', 'page_size', 'size'];
const linkCursorNames = new Set([
  'cursor',
  'after',
  'page_token',
  'next_cursor',
  'starting_after',
  'page[after]',
  'page[cursor]',
]);
const cursorNames = ['cursor', 'after', 'page_token', 'next_cursor', 'starting_after'];

type Parameters = Readonly<Record<string, string>>;
type Records = readonly unknown[];

/** Reads pages of one list. */
interface ListReader {
  readonly name: ListName;
  readonly read: (parameters: Parameters) => Promise<Records | undefined>;
  readonly lastAnswer: () => ProbeAnswer;
  /** False once a page was not answered: what follows from its absence is then no evidence. */
  readonly isAnswered: () => boolean;
}

/** Checks a list, and with the customers' list the page style of the service. Returns the records of a first page. */
export async function checkList(run: CheckRun, name: ListName, id?: string): Promise<Records | undefined> {
  const first = await findRead(run, name, id, toQuery(createPageParameters(run, 'first')));
  const given = first && readRecords(run, first.body);
  if (first === undefined || given === undefined) return undefined;
  const list = createListReader(run, name, id, first);
  const records = name === 'listCustomers' ? await checkFirstPage(run, list, given) : given;
  // The id of a last record is a cursor, so it must be known before the pages are.
  if (name === 'listCustomers') await checkStyle(run, list, records);
  else await confirmStyle(run, list, first, records);
  if (records.length > 0) await checkFilter(run, list);
  return records;
}

function createListReader(
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
    answer = await run.probe({ method: 'GET', path, identifier, query: toQuery(parameters), credentials });
    isAnswered &&= !isInconclusive(run, answer);
    return isSuccess(run, answer) ? readRecords(run, answer.body) : undefined;
  };
  return { name, read, lastAnswer: () => answer, isAnswered: () => isAnswered };
}

/** The parameters of a small page, in the style of the contract. */
function createPageParameters(run: CheckRun, page: 'first' | 'second', token = '', offset = smallSize): Parameters {
  const contract = run.contract();
  const isFirst = page === 'first';
  const size = String(smallSize);
  const limit = { [contract['lists.limit']]: size };
  switch (contract['listCustomers.pageStyle']) {
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

/** The records of an answer: at the contract's pointers, else the nearest array of objects. */
function readRecords(run: CheckRun, body: unknown): Records | undefined {
  for (const pointer of run.contract()['lists.records']) {
    const value = compilePointers([pointer]).read(body);
    if (!Array.isArray(value)) continue;
    run.confirm('lists.records');
    return value;
  }
  for (const { pointer, value } of walk(body)) {
    if (!Array.isArray(value) || (value.length > 0 && !isRecord(value[0]))) continue;
    run.contradict('lists.records', `they stand at ${pointer || 'the top'}`, [pointer]);
    return value;
  }
  run.contradict('lists.records', `no array of records in ${describeShape(body)}`);
  return undefined;
}

/**
 * Finds out whether pages are counted from 0: page 0 then has other records than page 1. A service that ignores a page
 * of 0, or refuses it, counts from 1. Returns the records of the first page.
 */
async function checkFirstPage(run: CheckRun, list: ListReader, records: Records): Promise<Records> {
  const contract = run.contract();
  if (contract['listCustomers.pageStyle'] !== 'page') return records;
  const other = contract['lists.firstPage'] === 1 ? 0 : 1;
  const zero = await list.read({
    [contract['lists.page']]: String(other),
    [contract['lists.perPage']]: String(smallSize),
  });
  const [before, after] = other === 0 ? [zero, records] : [records, zero];
  if (before === undefined || before.length === 0 || after === undefined) return records;
  const keys = new Set(after.map(toKey));
  if (before.some((record) => keys.has(toKey(record)))) return records; // page 0 is ignored, so nothing is told
  run.compare('lists.firstPage', 0, 'page 0 has other records than page 1');
  return before;
}

/** Finds the page style by the customers' list, which has the most records; the service's other lists share it. */
async function checkStyle(run: CheckRun, list: ListReader, first: Records): Promise<void> {
  const row = 'listCustomers.pageStyle';
  const { body } = list.lastAnswer();
  for (const report of ['lists.total', 'lists.nextCursor'] as const) checkReport(run, report, body);
  checkMore(run, body, first);
  // A list that is read whole loses nothing; pages would, if its parameters were guessed wrongly.
  if (run.contract()[row] === 'none' && !hasMoreThan(run, body, first.length)) {
    run.proposals.set('lists.total', 'pointers, if an answer tells how many records there are: no total was seen');
    return run.skip(row, 'the list was answered whole, as far as its answer says');
  }
  const style = (await tryContract(run, list, first)) ?? (await tryCursor(run, list)) ?? (await tryCounted(run, list));
  if (style === undefined) {
    if (!list.isAnswered()) run.skip(row, 'no answer');
    else if (first.length > smallSize && !hasMoreThan(run, body, first.length))
      run.contradict(row, 'neither size nor page is kept and nothing says that more follows', 'none');
    else if (first.length > smallSize)
      run.contradict(row, 'the page size asked for is not kept, and no other style was found');
    else run.skip(row, 'too few records to tell');
    return;
  }
  run.compare(row, style, `pages are read by ${style}`);
  for (const report of ['lists.currentPage', 'lists.lastPage', 'lists.pageSize'] as const)
    checkReport(run, report, list.lastAnswer().body);
  await checkMaxPageSize(run, list);
}

/** The contract is right where the second page differs from the first and both have the requested size. */
async function tryContract(run: CheckRun, list: ListReader, first: Records): Promise<PageStyle | undefined> {
  const style = run.contract()['listCustomers.pageStyle'];
  if (first.length === 0 || style === 'none') return undefined;
  const second = await list.read(
    createPageParameters(run, 'second', readToken(run, list.lastAnswer().body), first.length),
  );
  const isFixedSize = first.length > smallSize;
  if (!isOtherPage(first, second, Math.max(first.length, smallSize))) return undefined;
  // More records than asked for, page after page: the service has a size of its own, unless the size has another name.
  if (isFixedSize && (await tryCounted(run, list, [style])) !== undefined) return style;
  run.confirm(`lists.${style}`);
  const sizeRow = style === 'page' ? 'lists.perPage' : 'lists.limit';
  if (isFixedSize) run.skip(sizeRow, 'the service keeps a page size of its own');
  else if (first.length === smallSize) run.confirm(sizeRow);
  return style;
}

async function tryCursor(run: CheckRun, list: ListReader): Promise<PageStyle | undefined> {
  const hasToken = readToken(run, list.lastAnswer().body) !== undefined;
  if (!hasToken && run.findings.get('lists.nextCursor')?.state === 'not observable') return undefined;
  for (const size of sizeNames) {
    const first = await list.read({ [size]: String(smallSize) });
    const token = readToken(run, list.lastAnswer().body);
    if (first?.length !== smallSize || token === undefined) continue;
    for (const name of cursorNames) {
      if (!isOtherPage(first, await list.read({ [name]: token, [size]: String(smallSize) }))) continue;
      compareParameter(run, 'lists.limit', size);
      compareParameter(run, 'lists.cursor', name);
      return 'cursor';
    }
  }
  return undefined;
}

/** The styles that count records or pages, with the usual parameter and its values for the first two pages. */
const countedStyles = [
  { style: 'offset', sizeRow: 'lists.limit', first: '0', second: String(smallSize) },
  { style: 'page', sizeRow: 'lists.perPage', first: '1', second: '2' },
] as const;

async function tryCounted(
  run: CheckRun,
  list: ListReader,
  styles: readonly PageStyle[] = ['offset', 'page'],
): Promise<PageStyle | undefined> {
  for (const { style, sizeRow, first, second } of countedStyles.filter((each) => styles.includes(each.style))) {
    for (const size of sizeNames) {
      const records = await list.read({ [size]: String(smallSize), [style]: first });
      if (records?.length !== smallSize) continue;
      if (!isOtherPage(records, await list.read({ [size]: String(smallSize), [style]: second }))) continue;
      compareParameter(run, sizeRow, size);
      compareParameter(run, `lists.${style}`, style);
      if (style === 'page') await checkCountFromZero(run, list, size, records);
      return style;
    }
  }
  return undefined;
}

async function checkCountFromZero(run: CheckRun, list: ListReader, size: string, first: Records): Promise<void> {
  const zero = await list.read({ [size]: String(smallSize), page: '0' });
  if (isOtherPage(first, zero)) run.compare('lists.firstPage', 0, 'page 0 has other records than page 1');
}

function compareParameter(run: CheckRun, row: RowId, name: string): void {
  run.compare(row, name, `the parameter is ${name}`);
}

function isOtherPage(first: Records, second: Records | undefined, maxSize = smallSize): boolean {
  if (second === undefined || second.length === 0 || second.length > maxSize) return false;
  const firstKeys = new Set(first.map(toKey));
  return second.every((record) => !firstKeys.has(toKey(record)));
}

/** Identifies a record. JSON.stringify throws on one that is nested too deeply; such records count as equal. */
function toKey(record: unknown): string {
  try {
    return JSON.stringify(record);
  } catch {
    return '';
  }
}

/** A page with fewer records than requested, although more follow, shows the service's maximum. */
async function checkMaxPageSize(run: CheckRun, list: ListReader): Promise<void> {
  const contract = run.contract();
  const isByPage = contract['listCustomers.pageStyle'] === 'page';
  const size = isByPage ? contract['lists.perPage'] : contract['lists.limit'];
  const count = (await list.read({ [size]: String(largeSize) }))?.length ?? 0;
  const row = 'lists.maxPageSize';
  if (count === 0) return run.skip(row, 'a page of a hundred was not answered');
  if (count === largeSize) return run.confirm(row);
  if (hasMoreThan(run, list.lastAnswer().body, count)) run.compare(row, count, `a page holds at most ${count}`);
  else run.skip(row, 'the list is shorter than a page');
}

/** Every other list was read in the style of the customers' list: its first pages show whether it has that style. */
async function confirmStyle(run: CheckRun, list: ListReader, { body }: ProbeAnswer, records: Records): Promise<void> {
  const row = `${list.name}.pageStyle` as const;
  const style = run.contract()['listCustomers.pageStyle'];
  const contracted = run.contract()[row];
  const hasMore = hasMoreThan(run, body, records.length);
  if (contracted === 'none' && !hasMore) return run.skip(row, 'the list was answered whole, as far as its answer says');
  if (records.length > smallSize && style !== 'none') {
    const second = await list.read(createPageParameters(run, 'second', readToken(run, body), records.length));
    if (!list.isAnswered()) return run.skip(row, 'no answer');
    const isPaged = isOtherPage(records, second, records.length) || (hasMore && second?.length === 0);
    if (!isPaged && !hasMore) {
      const isSame = second?.length === records.length;
      if (isSame)
        return run.contradict(row, 'every page is the whole list, and nothing says that more follows', 'none');
      return run.skip(row, 'the size asked for is not kept, and one page is all');
    }
    if (!isPaged) return run.contradict(row, 'neither the size nor the page asked for is kept');
  }
  if (style !== contracted) run.contradict(row, `pages are read by ${style}`, style);
  else if (hasMore) run.confirm(row);
  else run.skip(row, 'too few records to tell');
}

/** Finds the parameter that filters a list, by a text that matches nothing: the page is then empty. */
async function checkFilter(run: CheckRun, list: ListReader): Promise<void> {
  const row = filterRows[list.name];
  if (row === undefined) return;
  const contracted = run.contract()[row];
  const ofCustomers = run.contract()['listCustomers.search'];
  const usualNames = ofCustomers === null ? searchNames : [ofCustomers];
  const names = row === 'listCustomerTransactions.type' ? ['type'] : usualNames;
  for (const name of contracted === null ? names : [contracted]) {
    const records = await list.read({ ...createPageParameters(run, 'first'), [name]: unmatchedText });
    if (records?.length === 0) return run.compare(row, name, `the parameter ${name} filters`);
  }
  if (contracted === null) run.skip(row, 'no parameter was found that filters');
  else if (!list.isAnswered()) run.skip(row, 'no answer');
  else run.contradict(row, `the parameter ${contracted} does not filter`, null);
}

function hasMoreThan(run: CheckRun, body: unknown, count: number): boolean {
  const total = Number(numberText(run.read('lists.total', body)) ?? 0);
  return total > count || run.read('lists.hasMore', body) === true || readToken(run, body) !== undefined;
}

/** The cursor of the next page, as the gateway reads it: the last record's id, a token, or a parameter of a next link. */
function readToken(run: CheckRun, body: unknown): string | undefined {
  const contract = run.contract();
  if (contract['lists.hasMore'].length > 0) {
    const records = run.read('lists.records', body);
    const last: unknown = Array.isArray(records) ? records.at(-1) : undefined;
    return run.read('lists.hasMore', body) === true ? textOrNumber(run.read('customer.id', last)) : undefined;
  }
  const token = textOrNumber(run.read('lists.nextCursor', body));
  const link = run.read('lists.nextLink', body);
  if (token || typeof link !== 'string') return token || undefined;
  return URL.parse(link, 'http://service')?.searchParams.get(contract['lists.cursor']) ?? undefined;
}

/** Finds a flag that more follows, and a next link, where the pages are not numbered by a total. */
function checkMore(run: CheckRun, body: unknown, records: Records): void {
  const flag = findNode(body, ['hasmore', 'hasnext', 'hasnextpage'], (value) => typeof value === 'boolean');
  const isFlag = typeof run.read('lists.hasMore', body) === 'boolean';
  const hasOtherSign = ['lists.total', 'lists.nextCursor'].some(
    (row) => run.read(row as PointerRow, body) !== undefined,
  );
  checkFields(run, 'customer', records);
  if (isFlag) run.confirm('lists.hasMore');
  else if (flag !== undefined && !hasOtherSign)
    run.contradict('lists.hasMore', `a flag stands at ${flag.pointer}`, [flag.pointer]);
  const link = findNode(body, ['next', 'nextlink', 'nexturl', 'nextpageurl'], isLink);
  const parameters =
    link === undefined ? [] : [...(URL.parse(String(link.value), 'http://service')?.searchParams.keys() ?? [])];
  const cursor = parameters.find((name) => linkCursorNames.has(name));
  if (isLink(run.read('lists.nextLink', body))) run.confirm('lists.nextLink');
  else if (link !== undefined && cursor !== undefined) {
    run.contradict('lists.nextLink', `a next link stands at ${link.pointer}`, [link.pointer]);
    run.compare('lists.cursor', cursor, `the next link carries ${cursor}`);
  }
}

function isLink(value: unknown): boolean {
  return typeof value === 'string' && /^(?:https?:\/\/|\/|\?)/.test(value) && URL.canParse(value, 'http://service');
}

/** Checks where an answer describes its page. */
export function checkReport(run: CheckRun, row: keyof typeof reportNames & PointerRow, body: unknown): void {
  const accepts = (value: unknown): boolean =>
    row === 'lists.nextCursor' ? (textOrNumber(value) ?? '') !== '' : numberText(value) !== undefined;
  if (accepts(run.read(row, body))) return run.confirm(row);
  const node = findNode(body, reportNames[row], accepts);
  if (node === undefined) run.skip(row, 'no answer carried it');
  else run.contradict(row, `it stands at ${node.pointer}`, [node.pointer]);
}
