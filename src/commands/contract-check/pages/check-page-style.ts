import { contractOfList, type ListName, type PageStyle } from '../../../contract/contract.ts';
import { compilePointers } from '../../../upstream/decoding/json-pointer.ts';
import { checkMore, checkReport, findCursorLink, linkedFirst, linkedNames, tokenNames } from './check-page-report.ts';
import { checkMaxPageSize, findSize } from './check-page-size.ts';
import type { CheckRun } from '../check-run.ts';
import {
  compareIn,
  createPageParameters,
  cursorNames,
  findMoreFlag,
  hasMoreThan,
  isOtherPage,
  lastId,
  ownRow,
  readToken,
  rowInForce,
  smallSize,
  type ListReader,
  type Records,
} from '../list-reader.ts';

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
  for (const report of ['lists.total', 'lists.nextCursor'] as const)
    checkReport(run, list.name, report, body, tokenNames);
  checkMore(run, body, first);
  // A list that is read whole loses nothing; pages would, if its parameters were guessed wrongly.
  if (run.contract()[row] === 'none' && !hasMoreThan(run, list.name, body, first.length)) {
    run.proposals.set('lists.total', 'pointers, if an answer tells how many records there are: no total was seen');
    return run.skip(row, 'the list was answered whole, as far as its answer says');
  }
  const style = (await tryContract(run, list, first)) ?? (await findOwnStyle(run, list));
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
  confirmParameters(run, list, style, first.length);
  return style;
}

/** Confirms the parameters by which two pages were read, the first one with `count` records. */
export function confirmParameters(
  run: CheckRun,
  { name }: ListReader,
  style: 'page' | 'offset' | 'cursor',
  count: number,
): void {
  run.confirm(rowInForce(run, name, `lists.${style}`));
  const sizeRow = rowInForce(run, name, style === 'page' ? 'lists.perPage' : 'lists.limit');
  if (count > smallSize) run.skip(sizeRow, 'the service keeps a page size of its own');
  else if (count === smallSize) run.confirm(sizeRow);
}

async function tryCursor(
  run: CheckRun,
  list: ListReader,
  tokenOf = (body: unknown): string | undefined => readToken(run, list.name, body),
  usualNames: readonly string[] = [...namesLikeToken(run, list), ...cursorNames],
): Promise<PageStyle | undefined> {
  const sized = await findSize(run, list);
  const token = sized && tokenOf(sized.body);
  if (sized === undefined || token === undefined) return undefined;
  const { size, records, body } = sized;
  const names = new Set([contractOfList(run.contract(), list.name)['lists.cursor'], ...usualNames]);
  for (const name of linkedNames(body, [...names])) {
    if (!isAlike(name, size) || !isOtherPage(records, await list.read({ [name]: token, [size]: String(smallSize) })))
      continue;
    compareIn(run, list.name, 'limit', size, `the parameter is ${size}`);
    compareIn(run, list.name, 'cursor', name, `the parameter is ${name}`);
    return 'cursor';
  }
  return undefined;
}

/** A token's parameter may have its name, with or without `next`: `nextPageToken` is sent as `pageToken`. */
function namesLikeToken(run: CheckRun, list: ListReader): readonly string[] {
  const pointers = contractOfList(run.contract(), list.name)['lists.nextCursor'];
  const name = compilePointers(pointers).locate(list.lastAnswer().body).split('/').at(-1) ?? '';
  const rest = name.replace(/^next_?/i, '').replace(/^[A-Z]/, (letter) => letter.toLowerCase());
  return [rest, name].filter((each) => each !== '');
}

/** Whether two parameters are both spelt with brackets, or both without. */
function isAlike(one: string, other: string): boolean {
  return one.includes('[') === other.includes('[');
}

/** A flag that more follows: the last record's id may be the cursor. */
async function tryLastRecord(run: CheckRun, list: ListReader): Promise<PageStyle | undefined> {
  const shared = rowInForce(run, list.name, 'lists.hasMore');
  const row = list.name === 'listCustomers' ? shared : ownRow(list.name, 'lists.hasMore');
  const flag = findMoreFlag(list.lastAnswer().body)?.pointer;
  if (flag === undefined || contractOfList(run.contract(), list.name)['lists.hasMore'].length > 0) return undefined;
  const style = await tryCursor(run, list, (body) => lastId(run, list.name, body, [flag]), [
    'starting_after',
    'after',
    'cursor',
  ]);
  if (style !== undefined) run.contradict(row, `a flag stands at ${flag}`, [flag]);
  return style;
}

/** The styles that count records or pages, with usual parameters and their value for the second page. */
const countedStyles = [
  {
    style: 'offset',
    sizeRow: 'limit',
    names: ['offset', 'skip', 'start', 'page[offset]'],
    second: String(smallSize),
  },
  {
    style: 'page',
    sizeRow: 'perPage',
    names: ['page', 'page_number', 'pageNumber', 'pageNo', 'p', 'page[number]'],
    second: '2',
  },
] as const;

async function tryCounted(
  run: CheckRun,
  list: ListReader,
  styles: readonly PageStyle[] = ['offset', 'page'],
): Promise<PageStyle | undefined> {
  const contract = contractOfList(run.contract(), list.name);
  const candidates = countedStyles
    .filter((each) => styles.includes(each.style))
    .flatMap(({ names, ...rest }) =>
      [...new Set([contract[`lists.${rest.style}`], ...names])].map((name) => ({ ...rest, name })),
    );
  const sized = await findSize(run, list);
  if (sized === undefined) return undefined;
  const { size, records, body } = sized;
  const limit = { [size]: String(smallSize) };
  for (const { style, sizeRow, name, second } of linkedFirst(body, candidates)) {
    if (!isAlike(name, size) || !isOtherPage(records, await list.read({ ...limit, [name]: second }))) continue;
    compareIn(run, list.name, sizeRow, size, `the parameter is ${size}`);
    compareIn(run, list.name, style, name, `the parameter is ${name}`);
    // Where page 1 is not the first one, pages are counted from 0.
    if (style === 'page' && isOtherPage(records, await list.read({ ...limit, [name]: '1' })))
      compareIn(run, list.name, 'firstPage', 0, 'page 0 has other records than page 1');
    return style;
  }
  return undefined;
}

/** The style of a list that is not paged as the contract says, or not as the customers' list is. */
export async function findOwnStyle(run: CheckRun, list: ListReader): Promise<PageStyle | undefined> {
  return (
    (await tryCursor(run, list)) ??
    (await tryLink(run, list)) ??
    (await tryLastRecord(run, list)) ??
    (await tryCounted(run, list))
  );
}

/** A next link that carries a cursor no row reads. */
async function tryLink(run: CheckRun, list: ListReader): Promise<PageStyle | undefined> {
  const link = findCursorLink(list.lastAnswer().body);
  const row = list.name === 'listCustomers' ? 'lists.nextLink' : ownRow(list.name, 'lists.nextLink');
  if (link === undefined) return undefined;
  const style = await tryCursor(run, list, (body) => findCursorLink(body)?.token, [link.parameter, ...cursorNames]);
  if (style !== undefined) run.contradict(row, `a next link stands at ${link.pointer}`, [link.pointer]);
  return style;
}
