import { noSigns } from './page-signs.ts';
import { contradictsEnd, mayBeCut, saysMore, type Page } from './page.ts';

const maxSize = 1_000;

/** A page under its number, from 1. */
export interface NumberedPage<Value> {
  readonly number: number;
  readonly page: Page<Value>;
}

/**
 * Compares a page's number with the one asked for. Asked for a page behind the last one, some services answer the last
 * one again, or the first: that page counts as empty if it has another number, or if it has no number and the row of the
 * last page shows the end. An unmapped number may be one less, counted from 0; an empty list may have page 0.
 */
export function settleNumber<Value>(number: number, page: Page<Value>): NumberedPage<Value> {
  const { signs, surprise } = page;
  const shown = page.number ?? signs.number;
  const isEmptyList = page.number === 0 && (page.lastPage ?? page.total) === 0 && page.records.length === 0;
  const isExpected =
    isEmptyList || shown === null || shown === number || (page.number === null && shown === number - 1);
  // Signs alone are no proof that an answer without a number is none of the page asked for.
  const lastPage = page.lastPage ?? (shown === null ? null : signs.lastPage);
  if (lastPage !== null && number > Math.max(lastPage, 1) && (shown === null || !isExpected)) {
    return { number, page: { ...page, records: [], signs: noSigns } };
  }
  if (isExpected) return { number, page };
  throw surprise(page.number === null ? 'lists.page' : 'lists.currentPage');
}

/** The one page size that all these answers show; no page may hold more. */
export function sizeInForce<Value>(pages: readonly NumberedPage<Value>[], askedSize: number): number {
  let size: number | undefined;
  for (const numbered of pages) {
    const shown = shownSize(numbered, askedSize);
    if (shown !== undefined && shown !== (size ??= shown)) throw numbered.page.surprise('lists.pageSize');
  }
  const inForce = size ?? askedSize;
  const longer = pages.find(({ page }) => page.records.length > inForce || inForce > maxSize);
  if (longer !== undefined) throw longer.page.surprise('lists.pageSize');
  return inForce;
}

/**
 * The page size that one answer shows: its own number of records on a first page that is short although more follow;
 * else the reported size; else its own length where that is a size reported under a usual name, or the whole list. Other
 * pages, and a whole list shorter than the size asked for, fit more than one size.
 */
function shownSize<Value>({ number, page }: NumberedPage<Value>, askedSize: number): number | undefined {
  const count = page.records.length;
  const isWhole = number === 1 && (count === page.total || page.lastPage === 1);
  if (isWhole && count <= askedSize && count <= (page.size ?? askedSize)) return undefined;
  const isCut = number === 1 && count > 0 && saysMore(page, count, 1);
  if (page.size !== null) return isCut && count < page.size ? count : page.size;
  return isCut || mayBeCut(page) || (number === 1 && count === page.total) ? count : undefined;
}

/** Checks the pages of one window, each by `checkPage`; none but the last with records may be short. */
export function checkPages<Value>(pages: readonly NumberedPage<Value>[], size: number): void {
  for (const page of pages) checkPage(page, size);
  if (pages.length === 1) return;
  const filled = pages.filter(({ number, page }) => page.records.length > 0 && !isBehindEnd(page, (number - 1) * size));
  const last = Math.max(...filled.map(({ number }) => number));
  const short = filled.find(({ number, page }) => number < last && page.records.length < size);
  if (short !== undefined) throw short.page.surprise('lists.pageSize');
}

/** Whether a page lies behind the end of its list. Some services answer the last page again there. */
function isBehindEnd<Value>({ total }: Page<Value>, before: number): boolean {
  return before > 0 && total !== null && before >= total;
}

/**
 * Compares a page with what its answer says of the list: no page before the first one, no more records than the total, no
 * short page although more follow, no end although more is said. Otherwise records would be lost without an error.
 */
function checkPage<Value>({ number, page }: NumberedPage<Value>, size: number): void {
  const { total, lastPage, records, signs, surprise } = page;
  const before = (number - 1) * size;
  const end = before + records.length;
  if (number === 1 && signs.hasPrevious) throw surprise('lists.page');
  if (isBehindEnd(page, before)) return;
  if (total !== null && end > total) throw surprise('lists.total');
  if (records.length < size && saysMore(page, end, number)) {
    throw surprise(records.length === 0 ? 'lists.page' : 'lists.pageSize');
  }
  if (records.length < size) return;
  // A full page behind the last one: more may follow, and the list would end here without an error.
  if (total === null && lastPage !== null && lastPage < number) throw surprise('lists.lastPage');
  if (!contradictsEnd(page, end, number)) return;
  if (total === end) throw surprise('lists.total');
  if (total === null && lastPage !== null && lastPage <= number) throw surprise('lists.lastPage');
}
