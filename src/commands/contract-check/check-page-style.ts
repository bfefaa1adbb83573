import type { ListName, PageStyle, RowId } from '../../contract/contract.ts';
import { checkMore, checkReport } from './check-page-report.ts';
import type { CheckRun } from './check-run.ts';
import {
  createPageParameters,
  cursorNames,
  hasMoreThan,
  isOtherPage,
  readToken,
  smallSize,
  type ListReader,
  type Records,
} from './list-reader.ts';

/** The size of the page that looks for the service's maximum. */
const largeSize = 100;

const sizeNames = ['limit', 'per_page', 'page_size', 'size'];

/**
 * Finds out whether pages are counted from 0: page 0 then has other records than page 1. A service that ignores a page
 * of 0, or refuses it, counts from 1. Returns the records of the first page.
 */
export async function checkFirstPage(run: CheckRun, list: ListReader, records: Records): Promise<Records> {
  const contract = run.contract();
  if (contract['listCustomers.pageStyle'] !== 'page') return records;
  const other = contract['lists.firstPage'] === 1 ? 0 : 1;
  const zero = await list.read({
    [contract['lists.page']]: String(other),
    [contract['lists.perPage']]: String(smallSize),
  });
  const [before, after] = other === 0 ? [zero, records] : [records, zero];
  // A service that ignores page 0 answers page 1 for it: that contradicts nothing.
  if (before === undefined || after === undefined || !isOtherPage(after, before, Infinity)) return records;
  run.compare('lists.firstPage', 0, 'page 0 has other records than page 1');
  return before;
}

/** Finds the page style by the customers' list, which has the most records; the service's other lists share it. */
export async function checkStyle(run: CheckRun, list: ListReader, first: Records): Promise<void> {
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
    else if (first.length > smallSize && !hasMoreThan(run, body, first.length)) leaveWholeList(run, row);
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

/**
 * Every page is the same, and nothing says that more follows: the whole list, or the head of one whose pages nobody has
 * found. Only a person can tell, since `none` would hide the rest of the second.
 */
export function leaveWholeList(run: CheckRun, row: `${ListName}.pageStyle`): void {
  run.contradict(row, 'every page is the same, and nothing says that more follows');
  run.proposals.set(row, 'none, if one answer is the whole list, however long it is');
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
