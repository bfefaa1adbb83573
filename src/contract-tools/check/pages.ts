import { isDeepStrictEqual } from 'node:util';
import type { ListName, RowId } from '../../contract/contract.ts';
import { rowOfList } from '../../contract/list-rows.ts';
import { compilePointers, isRecord, recordsOf, type Walk } from '../../upstream/index.ts';
import { judge } from '../judge.ts';
import { contractOfList } from '../operation-kinds.ts';
import { isSuccess } from '../sample.ts';
import type { CheckRun } from './check-run.ts';
import type { PathSource, Question } from './from-service.ts';
import { isPagedStyle, pageTrials, sizeProperty, sizeTrials, type Rows } from './page-trials.ts';

/** Records that each page of a trial is asked to have. */
const trialSize = 2;
const short = 'the list is shorter than a page';

type Walker = (rows: Rows, maxPages?: number) => Promise<Walk>;

/** Whether two pages with different records came. */
const isLong = ({ pages: [count = 0, second = 0], error }: Walk): boolean =>
  error === undefined && count >= trialSize && second !== 0;
const isShort = ({ pages: [count = 0, second = 0], error, isWhole }: Walk): boolean =>
  error === undefined && isWhole && count <= trialSize && second === 0;

/** The page style that the customers' list has shown, for a list of which nothing else is known. */
export function likelyStyle(run: CheckRun, list: ListName): Rows {
  const row = `${list}.pageStyle` as const;
  const style = run.corrections.get('listCustomers.pageStyle');
  return style === undefined || run.isStated(row) || run.corrections.has(row) ? {} : { [row]: style };
}

/** Finds out how a list is paged, by walking its first pages as the gateway would. `body`: the answer to its first read. */
export async function checkPages(run: CheckRun, list: ListName, body: unknown, parent?: PathSource): Promise<void> {
  const style = `${list}.pageStyle` as const;
  const use = { operation: list, id: parent?.id };
  const walk: Walker = (rows, maxPages = 2) =>
    run.walk({ ...run.contract(), ...rows }, use, trialSize, maxPages, parent);
  const likely = likelyStyle(run, list);
  const first = await walk(likely);
  if (first.pages.length === 0 && first.error === undefined) return run.skip(style, 'no answer');
  const trials = pageTrials(run, list, body).slice(0, list === 'listCustomers' ? 10 : 5);
  let isSized = false;
  for (const rows of [likely, ...trials]) {
    // What was asked before is not sent again.
    const pages = await walk(rows);
    if (isShort(pages)) return run.skip(style, short);
    if (isLong(pages))
      return takePages(run, list, { ...rows, ...(await findSize(run, list, body, rows, pages, walk)) }, walk);
    isSized ||= pages.pages[0] === trialSize;
    if (run.callsLeft() === 0) return run.skip(style, 'the calls were used up');
  }
  const total = Number(compilePointers(contractOfList(run.contract(), list)['lists.total']).read(body));
  const isWhole = run.contract()[style] === 'none' || (first.isWhole && total === first.pages[0]);
  if (isWhole && first.error === undefined) return run.confirm(style);
  // A list that gave as few records as asked for is no whole answer.
  const none =
    isSized && recordsOf(run.contract(), list, body).length > trialSize
      ? ''
      : 'none, if one answer is the whole list; else ';
  const question = `${none}see lists.page, lists.offset and lists.cursor`;
  run.leave(style, question, 'no second page was found under a usual name');
}

/** Rows of the page size, for pages of another one than asked for: one page of its size is enough. */
async function findSize(
  run: CheckRun,
  list: ListName,
  body: unknown,
  rows: Rows,
  { pages: [count] }: Walk,
  walk: Walker,
): Promise<Rows> {
  const contract = contractOfList(run.contract(), list);
  if (count === trialSize || (contract['lists.perPage'] === null && contract['lists.maxPageSize'] === count)) return {};
  const style = rows[`${list}.pageStyle`] ?? contract[`${list}.pageStyle`];
  for (const size of sizeTrials(list, style, body)) {
    const { pages, error } = await walk({ ...rows, ...size }, 1);
    if (error === undefined && pages[0] === trialSize) return size;
  }
  // No parameter changes it.
  return { ...(style === 'page' && { [`${list}.perPage`]: null }), [`${list}.maxPageSize`]: count };
}

/** Corrects the rows of pages that differ from those that were found, and confirms the others. */
async function takePages(run: CheckRun, list: ListName, rows: Rows, walk: Walker): Promise<void> {
  for (const [row, value] of Object.entries(rows)) {
    const property = row.slice(list.length + 1) as Property; // the form of these rows
    const seen = `pages are found by ${String(value)}`;
    correctOf(run, list, property, value, property === 'maxPageSize' ? `a page holds ${String(value)}` : seen);
  }
  const style = run.contract()[`${list}.pageStyle`];
  run.confirm(`${list}.pageStyle`);
  for (const property of isPagedStyle(style) ? [style, sizeProperty(style)] : [])
    run.confirm(rowOfList(run.contract(), list, `lists.${property}`));
  if (style !== 'page' || list !== 'listCustomers') return;
  run.confirm('lists.firstPage');
  if (run.contract()['lists.firstPage'] === 1 && isLong(await walk({ 'lists.firstPage': 0 })))
    run.correct('lists.firstPage', 0, 'page 0 has records that page 1 has not');
}

type Property = 'pageStyle' | 'page' | 'perPage' | 'offset' | 'limit' | 'cursor' | 'cursorFrom' | 'maxPageSize';

/** Corrects a list's row, or the one of all lists where none has shown that it is right. */
function correctOf(run: CheckRun, list: ListName, property: Property, value: unknown, seen: string): void {
  const own: RowId = `${list}.${property}`;
  const shared = property === 'pageStyle' ? own : (`lists.${property}` as const);
  const inForce: unknown = contractOfList(run.contract(), list)[shared];
  if (isDeepStrictEqual(inForce, value)) return;
  const isShown = run.findings.get(shared)?.state === 'confirmed' || run.corrections.has(shared);
  // An own row that is null means that of all lists.
  run.correct(isShown && value !== null ? own : shared, value, seen);
}

/** Finds the largest page of a list: one with fewer records than asked for although more follow, or one not refused. */
export async function checkSize(run: CheckRun, list: ListName, question: Question): Promise<readonly unknown[]> {
  const row = rowOfList(run.contract(), list, 'lists.maxPageSize');
  const { 'lists.maxPageSize': largest, [`${list}.pageStyle` as const]: style } = contractOfList(run.contract(), list);
  if (!isPagedStyle(style)) return [];
  for (const size of [largest, 50, 20].filter((each) => each <= largest)) {
    const sample = await run.read({ ...question, first: size });
    if (sample === undefined || !isSuccess(sample)) continue;
    const { value } = (await judge(sample, run.contract(), size)).reading;
    const records = recordsOf(run.contract(), list, sample.body);
    const { length } = records;
    const hasNext = isRecord(value) && value['hasNextPage'] === true;
    const isFound = run.findings.get(`${list}.pageStyle`)?.state !== 'not observable';
    if (size < largest) correctOf(run, list, 'maxPageSize', size, `a page of more than ${size} is refused`);
    else if (length >= largest) run.confirm(row);
    else if (hasNext && isFound) correctOf(run, list, 'maxPageSize', length, `a page holds at most ${length}`);
    else run.skip(row, short);
    return records;
  }
  return [];
}
