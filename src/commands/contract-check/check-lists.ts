import type { ListName, PageStyle, RowId } from '../../contract/contract.ts';
import { numberText, textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { isRecord, type PointerRow } from '../../upstream/decoding/field-decoders.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { toQuery } from '../../upstream/decoding/request-path.ts';
import { findRead, isSuccess } from './check-paths.ts';
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
const cursorNames = ['cursor', 'after', 'page_token', 'next_cursor'];

type Parameters = Readonly<Record<string, string>>;
type Records = readonly unknown[];

/** Reads pages of one list. */
interface ListReader {
  readonly name: ListName;
  readonly read: (parameters: Parameters) => Promise<Records | undefined>;
  readonly lastAnswer: () => ProbeAnswer;
}

/** Checks a list, and with the customers' list the page style of the service. Returns the records of a first page. */
export async function checkList(run: CheckRun, name: ListName, id?: string): Promise<Records | undefined> {
  const first = await findRead(run, name, id, toQuery(createPageParameters(run, 'first')));
  const records = first && readRecords(run, first.body);
  if (first === undefined || records === undefined) return undefined;
  const list = createListReader(run, name, id, first);
  if (name === 'listCustomers') await checkStyle(run, list, records);
  else confirmStyle(run, name, first, records);
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
  const read = async (parameters: Parameters): Promise<Records | undefined> => {
    const path = run.contract()[`${name}.path`];
    const credentials = run.contract()[`${name}.credentials`];
    answer = await run.probe({ method: 'GET', path, identifier, query: toQuery(parameters), credentials });
    return isSuccess(run, answer) ? readRecords(run, answer.body) : undefined;
  };
  return { name, read, lastAnswer: () => answer };
}

/** The parameters of a small page, in the style of the contract. */
function createPageParameters(run: CheckRun, page: 'first' | 'second', token = ''): Parameters {
  const contract = run.contract();
  const isFirst = page === 'first';
  const size = String(smallSize);
  const limit = { [contract['lists.limit']]: size };
  switch (contract['listCustomers.pageStyle']) {
    case 'page':
      return { [contract['lists.page']]: isFirst ? '1' : '2', [contract['lists.perPage']]: size };
    case 'offset':
      return { [contract['lists.offset']]: isFirst ? '0' : size, ...limit };
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

/** Finds the page style by the customers' list, which has the most records; the service's other lists share it. */
async function checkStyle(run: CheckRun, list: ListReader, first: Records): Promise<void> {
  for (const row of ['lists.total', 'lists.nextCursor'] as const) checkReport(run, row, list.lastAnswer().body);
  const style = (await tryContract(run, list, first)) ?? (await tryCursor(run, list)) ?? (await tryCounted(run, list));
  const row = 'listCustomers.pageStyle';
  if (style === undefined) {
    if (first.length > smallSize)
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
  if (first.length !== smallSize || style === 'none') return undefined;
  const second = await list.read(createPageParameters(run, 'second', readToken(run, list.lastAnswer().body)));
  if (!isOtherPage(first, second)) return undefined;
  run.confirm(`lists.${style}`);
  run.confirm(style === 'page' ? 'lists.perPage' : 'lists.limit');
  return style;
}

async function tryCursor(run: CheckRun, list: ListReader): Promise<PageStyle | undefined> {
  const hasToken = readToken(run, list.lastAnswer().body) !== undefined;
  if (!hasToken && run.findings.get('lists.nextCursor') === undefined) return undefined;
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

async function tryCounted(run: CheckRun, list: ListReader): Promise<PageStyle | undefined> {
  for (const { style, sizeRow, first, second } of countedStyles) {
    for (const size of sizeNames) {
      const records = await list.read({ [size]: String(smallSize), [style]: first });
      if (records?.length !== smallSize) continue;
      if (!isOtherPage(records, await list.read({ [size]: String(smallSize), [style]: second }))) continue;
      compareParameter(run, sizeRow, size);
      compareParameter(run, `lists.${style}`, style);
      return style;
    }
  }
  return undefined;
}

function compareParameter(run: CheckRun, row: RowId, name: string): void {
  run.compare(row, name, `the parameter is ${name}`);
}

function isOtherPage(first: Records, second: Records | undefined): boolean {
  if (second === undefined || second.length === 0 || second.length > smallSize) return false;
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

/** Every other list was read in the style of the customers' list: its first page shows whether it has that style. */
function confirmStyle(run: CheckRun, name: ListName, { body }: ProbeAnswer, records: Records): void {
  const row = `${name}.pageStyle` as const;
  const style = run.contract()['listCustomers.pageStyle'];
  if (records.length > smallSize) run.contradict(row, 'the page size asked for is not kept');
  else if (style !== run.contract()[row]) run.contradict(row, `pages are read by ${style}`, style);
  else if (records.length === smallSize && hasMoreThan(run, body, smallSize)) run.confirm(row);
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
  else run.contradict(row, `the parameter ${contracted} does not filter`, null);
}

function hasMoreThan(run: CheckRun, body: unknown, count: number): boolean {
  const total = Number(numberText(run.read('lists.total', body)) ?? 0);
  return total > count || readToken(run, body) !== undefined;
}

function readToken(run: CheckRun, body: unknown): string | undefined {
  return textOrNumber(run.read('lists.nextCursor', body)) || undefined;
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
