import { contractOfList, type ListName, type PageStyle } from '../../contract/contract.ts';
import { checkMore, checkReport, findCursorLink, findMoreFlag, linkedFirst, linkedNames } from './check-page-report.ts';
import type { CheckRun } from './check-run.ts';
import {
  compareIn,
  createPageParameters,
  cursorNames,
  hasMoreThan,
  isOtherPage,
  lastId,
  ownRow,
  readToken,
  rowInForce,
  sizeNames,
  smallSize,
  styleOf,
  type ListReader,
  type Records,
} from './list-reader.ts';

/** The sizes of pages that look for the service's maximum: the next one where one is refused. */
const largeSizes = [100, 50, 20] as const;

/**
 * Finds out whether pages are counted from 0: page 0 then has other records than page 1. A service that ignores a page
 * of 0, or refuses it, counts from 1. Returns the records of the first page.
 */
export async function checkFirstPage(run: CheckRun, list: ListReader, records: Records): Promise<Records> {
  const contract = contractOfList(run.contract(), list.name);
  if (contract['listCustomers.pageStyle'] !== 'page') return records;
  const other = contract['lists.firstPage'] === 1 ? 0 : 1;
  const zero = await list.read({
    [contract['lists.page']]: String(other),
    [contract['lists.perPage']]: String(smallSize),
  });
  const [before, after] = other === 0 ? [zero, records] : [records, zero];
  // A service that ignores page 0 answers page 1 for it: that contradicts nothing.
  if (before === undefined || after === undefined || !isOtherPage(after, before, Infinity)) return records;
  compareIn(run, list.name, 'firstPage', 0, 'page 0 has other records than page 1');
  return before;
}

/** Finds the page style by the customers' list, which has the most records; the service's other lists share it. */
export async function checkStyle(run: CheckRun, list: ListReader, first: Records): Promise<void> {
  const row = 'listCustomers.pageStyle';
  const { body } = list.lastAnswer();
  for (const report of ['lists.total', 'lists.nextCursor'] as const) checkReport(run, list.name, report, body);
  checkMore(run, body, first);
  // A list that is read whole loses nothing; pages would, if its parameters were guessed wrongly.
  if (run.contract()[row] === 'none' && !hasMoreThan(run, list.name, body, first.length)) {
    run.proposals.set('lists.total', 'pointers, if an answer tells how many records there are: no total was seen');
    return run.skip(row, 'the list was answered whole, as far as its answer says');
  }
  const style =
    (await tryContract(run, list, first)) ??
    (await tryCursor(run, list)) ??
    (await tryLink(run, list)) ??
    (await tryLastRecord(run, list)) ??
    (await tryCounted(run, list));
  if (style === undefined) {
    const hasMore = hasMoreThan(run, list.name, body, first.length);
    if (!list.isAnswered()) run.skip(row, 'no answer');
    else if (first.length > smallSize || hasMore) leaveStyle(run, row, hasMore);
    else run.skip(row, 'too few records to tell');
    return;
  }
  run.compare(row, style, `pages are read by ${style}`);
  for (const report of ['lists.currentPage', 'lists.lastPage', 'lists.pageSize'] as const)
    checkReport(run, list.name, report, list.lastAnswer().body);
  await checkMaxPageSize(run, list);
}

/**
 * No second page was found. Where nothing says that more follows, this is the whole list, or the first page of a list
 * whose paging parameters are unknown. The deployer must decide: `none` would hide the other pages of the latter, and a
 * style that the service does not have would repeat the first one for ever.
 */
export function leaveStyle(run: CheckRun, row: `${ListName}.pageStyle`, hasMore: boolean): void {
  if (hasMore) {
    run.contradict(row, 'more follows, and no parameter was found that asks for it', 'undecided');
    run.proposals.set(row, 'page, offset or cursor, with the rows of its parameters: more follows than one page');
  } else {
    run.contradict(row, 'every page is the same, and nothing says that more follows', 'undecided');
    run.proposals.set(row, 'none, if one answer is the whole list, however long it is');
  }
}

/** The contract is right where the second page differs from the first and both have the requested size. */
async function tryContract(run: CheckRun, list: ListReader, first: Records): Promise<PageStyle | undefined> {
  const style = run.contract()['listCustomers.pageStyle'];
  if (first.length === 0 || style === 'none' || style === 'undecided') return undefined;
  const second = await list.read(
    createPageParameters(run, list.name, 'second', readToken(run, list.name, list.lastAnswer().body), first.length),
  );
  const isFixedSize = first.length > smallSize;
  if (!isOtherPage(first, second, Math.max(first.length, smallSize))) return undefined;
  // More records than asked for, page after page: the service has a size of its own, unless the size has another name.
  if (isFixedSize && (await tryCounted(run, list, [style])) !== undefined) return style;
  run.confirm(rowInForce(run, list.name, `lists.${style}`));
  const sizeRow = rowInForce(run, list.name, style === 'page' ? 'lists.perPage' : 'lists.limit');
  if (isFixedSize) run.skip(sizeRow, 'the service keeps a page size of its own');
  else if (first.length === smallSize) run.confirm(sizeRow);
  return style;
}

async function tryCursor(
  run: CheckRun,
  list: ListReader,
  tokenOf = (body: unknown): string | undefined => readToken(run, list.name, body),
  usualNames: readonly string[] = cursorNames,
): Promise<PageStyle | undefined> {
  const hasToken = tokenOf(list.lastAnswer().body) !== undefined;
  if (!hasToken && run.findings.get(rowInForce(run, list.name, 'lists.nextCursor'))?.state === 'not observable')
    return undefined;
  for await (const size of possibleSizes(run, list)) {
    const first = await list.read({ [size]: String(smallSize) });
    const token = tokenOf(list.lastAnswer().body);
    if (first?.length !== smallSize || token === undefined) continue;
    const names = new Set([contractOfList(run.contract(), list.name)['lists.cursor'], ...usualNames]);
    for (const name of linkedNames(list.lastAnswer().body, [...names])) {
      if (!isAlike(name, size) || !isOtherPage(first, await list.read({ [name]: token, [size]: String(smallSize) })))
        continue;
      compareParameter(run, list, 'limit', size);
      compareParameter(run, list, 'cursor', name);
      return 'cursor';
    }
  }
  return undefined;
}

/** The possible names of the page size. Once the likeliest has failed, one call with all the others may rule them out. */
async function* possibleSizes(run: CheckRun, list: ListReader): AsyncGenerator<string> {
  const { 'lists.limit': limit, 'lists.perPage': perPage } = contractOfList(run.contract(), list.name);
  const names = [...new Set([limit, perPage, ...sizeNames])];
  const [likeliest = '', ...others] = linkedNames(list.lastAnswer().body, names);
  yield likeliest;
  const page = await list.read(Object.fromEntries(others.map((name) => [name, String(smallSize)])));
  // A service that refuses names it does not know must be asked one by one.
  if (page === undefined || page.length === smallSize) yield* others;
}

/** Whether two parameters are both spelt with brackets, or both without. */
function isAlike(one: string, other: string): boolean {
  return one.includes('[') === other.includes('[');
}

/** A flag that more follows: the last record's id may be the cursor. */
async function tryLastRecord(run: CheckRun, list: ListReader): Promise<PageStyle | undefined> {
  const shared = rowInForce(run, list.name, 'lists.hasMore');
  const row = list.name === 'listCustomers' ? shared : ownRow(list.name, 'lists.hasMore');
  const flag = findMoreFlag(list.lastAnswer().body);
  if (flag === undefined || contractOfList(run.contract(), list.name)['lists.hasMore'].length > 0) return undefined;
  const style = await tryCursor(run, list, (body) => lastId(run, list.name, body, [flag]), [
    'starting_after',
    'after',
    'cursor',
  ]);
  if (style !== undefined) run.contradict(row, `a flag stands at ${flag}`, [flag]);
  return style;
}

/** The styles that count records or pages, with usual parameters and their values for the first two pages. */
const countedStyles = [
  {
    style: 'offset',
    sizeRow: 'limit',
    names: ['offset', 'skip', 'start', 'page[offset]'],
    first: '0',
    second: String(smallSize),
  },
  {
    style: 'page',
    sizeRow: 'perPage',
    names: ['page', 'page_number', 'pageNumber', 'pageNo', 'p', 'page[number]'],
    first: '1',
    second: '2',
  },
] as const;

async function tryCounted(
  run: CheckRun,
  list: ListReader,
  styles: readonly PageStyle[] = ['offset', 'page'],
): Promise<PageStyle | undefined> {
  const { body } = list.lastAnswer();
  const contract = contractOfList(run.contract(), list.name);
  const candidates = countedStyles
    .filter((each) => styles.includes(each.style))
    .flatMap(({ names, ...rest }) =>
      [...new Set([contract[`lists.${rest.style}`], ...names])].map((name) => ({ ...rest, name })),
    );
  for await (const size of possibleSizes(run, list)) {
    const limit = { [size]: String(smallSize) };
    if ((await list.read(limit))?.length !== smallSize) continue;
    for (const { style, sizeRow, name, first, second } of linkedFirst(body, candidates)) {
      if (!isAlike(name, size)) continue;
      const records = await list.read({ ...limit, [name]: first });
      if (records?.length !== smallSize) continue;
      if (!isOtherPage(records, await list.read({ ...limit, [name]: second }))) continue;
      compareParameter(run, list, sizeRow, size);
      compareParameter(run, list, style, name);
      if (style === 'page') await checkCountFromZero(run, list, size, name, records);
      return style;
    }
  }
  return undefined;
}

async function checkCountFromZero(
  run: CheckRun,
  list: ListReader,
  size: string,
  page: string,
  first: Records,
): Promise<void> {
  const zero = await list.read({ [size]: String(smallSize), [page]: '0' });
  if (isOtherPage(first, zero)) compareIn(run, list.name, 'firstPage', 0, 'page 0 has other records than page 1');
}

function compareParameter(
  run: CheckRun,
  { name: list }: ListReader,
  property: 'page' | 'perPage' | 'offset' | 'limit' | 'cursor',
  name: string,
): void {
  compareIn(run, list, property, name, `the parameter is ${name}`);
}

/** The style of a list that is not paged as the customers' list is. */
export async function findOwnStyle(run: CheckRun, list: ListReader): Promise<PageStyle | undefined> {
  if (findCursorLink(list.lastAnswer().body) !== undefined)
    return (await tryLink(run, list)) ?? (await tryCounted(run, list));
  return (await tryLastRecord(run, list)) ?? (await tryCursor(run, list)) ?? (await tryCounted(run, list));
}

/** A next link that carries a cursor no row reads. */
async function tryLink(run: CheckRun, list: ListReader): Promise<PageStyle | undefined> {
  const link = findCursorLink(list.lastAnswer().body);
  const row = list.name === 'listCustomers' ? 'lists.nextLink' : ownRow(list.name, 'lists.nextLink');
  if (link === undefined || (list.name === 'listCustomers' && run.corrections.has(row))) return undefined;
  const style = await tryCursor(run, list, (body) => findCursorLink(body)?.token, [link.parameter, ...cursorNames]);
  if (style !== undefined) run.contradict(row, `a next link stands at ${link.pointer}`, [link.pointer]);
  return style;
}

/** A page with fewer records than requested, although more follow, shows the service's maximum, or a size it refuses. */
async function checkMaxPageSize(run: CheckRun, list: ListReader): Promise<void> {
  const row = rowInForce(run, list.name, 'lists.maxPageSize');
  const contracted = contractOfList(run.contract(), list.name)['lists.maxPageSize'];
  for (const [index, size] of largeSizes.entries()) {
    const count = await readLargePage(run, list, size);
    if (!list.isAnswered()) return run.skip(row, 'no answer');
    if (count === 0) continue;
    const refused = largeSizes[index - 1] ?? Infinity;
    const hasMore = count < size && hasMoreThan(run, list.name, list.lastAnswer().body, count);
    if (contracted <= count) run.confirm(row);
    else if (hasMore) run.contradict(row, `a page holds at most ${count}`, count);
    else if (contracted >= refused) run.contradict(row, `a page of ${refused} is refused, one of ${size} is not`, size);
    else run.skip(row, 'the list is shorter than a page');
    return;
  }
  run.skip(row, 'no large page was answered');
}

/** A maximum that the customers' list has shown is that of all lists unless another one has larger pages. */
export async function checkLargestPage(run: CheckRun, list: ListReader): Promise<void> {
  const row = 'lists.maxPageSize';
  if (!run.corrections.has(row) || rowInForce(run, list.name, row) !== row) return;
  if ((await readLargePage(run, list, largeSizes[0])) > run.contract()[row])
    run.narrow(row, 'listCustomers.maxPageSize');
}

async function readLargePage(run: CheckRun, list: ListReader, count: number): Promise<number> {
  const contract = contractOfList(run.contract(), list.name);
  const size = contract[styleOf(run, list.name) === 'page' ? 'lists.perPage' : 'lists.limit'];
  return (await list.read({ [size]: String(count) }))?.length ?? 0;
}
