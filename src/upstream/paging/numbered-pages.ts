import type { Contract } from '../../contract/contract.ts';
import { createExpiringValue } from '../../runtime/expiring-value.ts';
import { firstPosition } from './cursor.ts';
import { toQuery } from '../decoding/request-path.ts';
import { checkPages, settleNumber, sizeInForce, type NumberedPage } from './check-numbered-page.ts';
import { createPageSizes, pageNumbers, rememberOtherSize, sizeToAsk, type PageSizes } from './page-sizes.ts';
import { hasRepeatedId, idOf } from './repeats.ts';
import { saysMore, windowAt, type Page, type Pages, type Window, type WindowRequest } from './page.ts';

/**
 * Page style `page`. A page is asked to hold as many records as the window, so an aligned window costs one call and any
 * other two. If the service answers with another page size, the window is cut again at that size, with at most
 * ceil(first / size) + 1 further calls. Positions are absolute, so every record comes once whatever `first` is at each
 * step.
 */
export function createNumberedPages<Value>(contract: Contract): Pages<Value> {
  const largest = contract['lists.maxPageSize'];
  const sizes = createExpiringValue(() => createPageSizes(largest));
  const queryOf = createQueries(contract);
  return {
    start: firstPosition,
    readWindow: ({ index }, request) => readWindow({ sizes: sizes(), queryOf, request }, index),
    countCalls: ({ index: start }, first) => {
      const current = sizes();
      const askedSize = sizeToAsk(current, first);
      const mayNeedFirstPage = start >= askedSize && !current.honoured.has(askedSize) && !current.isReported;
      return pageNumbers(start, first, askedSize).length + (mayNeedFirstPage ? 1 : 0);
    },
  };
}

/** The query of a page, counted from 1. */
function createQueries(contract: Contract) {
  return (page: number, perPage: number): string =>
    toQuery({
      [contract['lists.page']]: String(page - 1 + contract['lists.firstPage']),
      [contract['lists.perPage']]: String(perPage),
    });
}

interface Reading<Value> {
  readonly sizes: PageSizes;
  readonly queryOf: (page: number, perPage: number) => string;
  readonly request: WindowRequest<Value>;
}

function readWindow<Value>(reading: Reading<Value>, start: number): Promise<Window<Value>> {
  const { sizes, request } = reading;
  const askedSize = sizeToAsk(sizes, request.first);
  const numbers = pageNumbers(start, request.first, askedSize);
  return readNumbers(reading, numbers, askedSize, (pages) => {
    if (!needsFirstPage(sizes, pages, askedSize)) return cutPages(reading, start, pages, askedSize);
    return readNumbers(reading, [1], askedSize, (first) => cutPages(reading, start, [...pages, ...first], askedSize));
  });
}

/** The window out of its pages. Where they show another page size than asked for, it is cut again at that size. */
function cutPages<Value>(
  reading: Reading<Value>,
  start: number,
  pages: readonly NumberedPage<Value>[],
  askedSize: number,
): Window<Value> | Promise<Window<Value>> {
  const { sizes, request } = reading;
  const size = sizeInForce(pages, askedSize);
  const finish = (all: readonly NumberedPage<Value>[]): Window<Value> => {
    checkPages(all, size);
    remember(sizes, pages, all, askedSize, size);
    return toWindow(all, size, start, request.first);
  };
  if (size === askedSize) return finish(pages);
  const end = lastExisting(pages, size) ?? Infinity;
  const missing = pageNumbers(start, request.first, size).filter(
    (number) => number <= end && pageAt(pages, number) === undefined,
  );
  return readNumbers(reading, missing, size, (further) => {
    const [changed] = further;
    if (changed !== undefined && sizeInForce(further, size) !== size) throw changed.page.surprise('lists.pageSize');
    return finish([...pages, ...further]);
  });
}

/**
 * Reads pages. Nearly every window is one page, and each promise between its call and `use` would hold memory while the
 * call waits.
 */
function readNumbers<Value>(
  { queryOf, request }: Reading<Value>,
  numbers: readonly number[],
  size: number,
  use: (pages: readonly NumberedPage<Value>[]) => Window<Value> | Promise<Window<Value>>,
): Promise<Window<Value>> {
  const read = (number: number): Promise<Page<Value>> => request.readPage(queryOf(number, size));
  const [only] = numbers;
  if (only !== undefined && numbers.length === 1) return read(only).then((page) => use([settleNumber(only, page)]));
  const readNumber = (number: number) => read(number).then((page) => settleNumber(number, page));
  return readExisting(numbers, size, readNumber).then(use);
}

/**
 * Reads the first of these pages, then those that exist by its total or its last page, all together: behind the end some
 * services answer 404. If no page shows the end, pages are read one by one, up to the first that is short.
 */
async function readExisting<Value>(
  numbers: readonly number[],
  size: number,
  read: (number: number) => Promise<NumberedPage<Value>>,
): Promise<readonly NumberedPage<Value>[]> {
  const pages: NumberedPage<Value>[] = [];
  for (const number of numbers) {
    const last = pages.at(-1);
    const end = lastExisting(pages, size);
    if (end !== null) {
      const further = numbers.slice(pages.length).filter((each) => each <= end);
      return [...pages, ...(await Promise.all(further.map(read)))];
    }
    if (last !== undefined && last.page.records.length < size) return pages;
    pages.push(await read(number));
  }
  return pages;
}

/** The number of the list's last page, by the total or the last page of these answers; null where they have neither. */
function lastExisting<Value>(pages: readonly NumberedPage<Value>[], size: number): number | null {
  for (const { page } of pages) {
    const { total, lastPage, records } = page;
    if (total !== null) return Math.ceil(total / Math.max(size, records.length));
    if (lastPage !== null) return lastPage;
  }
  return null;
}

/**
 * Whether only page 1 can show the page size: the service has not honoured it before, and no answer with records reports
 * it. Later pages show none, even full ones: the last page of a list may hold just as many records as were asked for. A
 * size beside no record may be an echo of the one asked for.
 */
function needsFirstPage<Value>(sizes: PageSizes, pages: readonly NumberedPage<Value>[], askedSize: number): boolean {
  if (sizes.honoured.has(askedSize)) return false;
  return pages.every(({ number, page }) => number > 1 && (page.size === null || page.records.length === 0));
}

/**
 * Remembers what the pages of a window show of the service. A short first page alone is no evidence of a smaller page
 * size: its total may count a record that was booked meanwhile, or that is hidden.
 */
function remember<Value>(
  sizes: PageSizes,
  asked: readonly NumberedPage<Value>[],
  pages: readonly NumberedPage<Value>[],
  askedSize: number,
  size: number,
): void {
  if (pages.some(({ page }) => page.size !== null)) sizes.isReported = true;
  sizes.longest = Math.max(sizes.longest, ...pages.map(({ page }) => page.records.length));
  if (size < askedSize && (size < sizes.longest || !isShown(asked, pages, size))) return;
  if (size !== askedSize) rememberOtherSize(sizes, askedSize, size);
  if (isProven(pages, size)) sizes.honoured.add(size);
}

/**
 * Whether more than a short first page shows this size: a report of it beside pages that were asked for another one, since
 * else it may be an echo; or a further full page, of other records, that is not the last.
 */
function isShown<Value>(
  asked: readonly NumberedPage<Value>[],
  pages: readonly NumberedPage<Value>[],
  size: number,
): boolean {
  if (asked.some(({ page }) => page.size === size)) return true;
  const isFurther = ({ number, page }: NumberedPage<Value>): boolean =>
    number > 1 && page.records.length === size && saysMore(page, number * size, number);
  return pages.some(isFurther) && !hasRepeatedId(pages.flatMap(({ page }) => page.records));
}

/**
 * Whether these pages prove their size: page 1 is full and records follow. Without more behind it, page 1 may be a whole
 * list of just as many records, at any page size.
 */
function isProven<Value>(pages: readonly NumberedPage<Value>[], size: number): boolean {
  const first = pageAt(pages, 1);
  if (first?.records.length !== size) return false;
  const id = idOf(first.records[0]);
  const isOther = ({ records: [record] }: Page<Value>): boolean => record !== undefined && idOf(record) !== id;
  return saysMore(first, size, 1) || pages.some(({ page }) => isOther(page));
}

/** The records from `start` on. Pages follow each other without a gap, since only the last of them may be short. */
function toWindow<Value>(
  pages: readonly NumberedPage<Value>[],
  size: number,
  start: number,
  first: number,
): Window<Value> {
  const totalCount = pages.find(({ page }) => page.total !== null)?.page.total ?? null;
  const last = totalCount ?? Infinity;
  const end = Math.min(start + first, last);
  const between = (from: number, to: number, number: number): Window<Value>['nodes'] => {
    const before = (number - 1) * size;
    const records = pageAt(pages, number)?.records ?? [];
    return records.slice(Math.max(from - before, 0), Math.max(to - before, 0));
  };
  const nodes = pageNumbers(start, first, size).flatMap((number) => between(start, end, number));
  const behind = pages.flatMap(({ number }) => between(end, last, number));
  const pageStarts = pages.flatMap(({ number, page }) => (number > 1 ? page.records.slice(0, 1) : []));
  const hasNextPage = continuesBehind(pages, size, start + first);
  return windowAt(start, { nodes, behind, pageStarts, hasNextPage, totalCount });
}

function pageAt<Value>(pages: readonly NumberedPage<Value>[], wanted: number): Page<Value> | undefined {
  return pages.find(({ number }) => number === wanted)?.page;
}

/** Whether records follow: by the total, else by the number of the last page or a sign of more, else by a full page. */
function continuesBehind<Value>(pages: readonly NumberedPage<Value>[], size: number, end: number): boolean {
  const number = Math.floor((end - 1) / size) + 1;
  const last = pageAt(pages, number);
  if (last === undefined) return false;
  if (last.total !== null) return last.total > end;
  const indexBehind = end - (number - 1) * size;
  if (last.records.length > indexBehind) return true;
  if (last.lastPage !== null) return last.lastPage > number;
  return last.records.length === size || saysMore(last, end, number);
}
