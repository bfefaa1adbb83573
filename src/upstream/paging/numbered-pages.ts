import type { GatewayError } from '../../domain/errors.ts';
import type { Contract, ListName } from '../../contract/contract.ts';
import type { Resume } from './cursor.ts';
import { contractSurprise } from '../decoding/field-decoders.ts';
import { createExpiringValue } from '../../runtime/expiring-value.ts';
import type { AskedWindow, Page, Pages, Window } from './page.ts';
import { toQuery } from '../decoding/request-path.ts';

const maxSize = 1_000;

/** What a service has been seen to make of page sizes. Of the service, not of any caller, so kept for all. */
interface Sizes {
  /** It makes pages no smaller and no larger than these. */
  least: number;
  most: number;
  /** The largest size that it was asked for and kept. */
  kept: number;
  /** Its answers tell their size. */
  isReported: boolean;
}

/** A page under its number, from 1. */
interface Numbered<Value> {
  readonly number: number;
  readonly page: Page<Value>;
}

/** Pages of one size. */
interface NumberedPages<Value> {
  readonly size: number;
  readonly pages: readonly Numbered<Value>[];
}

/**
 * Windows over numbered pages. A page holds as many records as a window asks for, so an aligned window costs one call
 * and any other two; where the service insists on another size, the window is cut again at that size, with at most
 * ceil(first / size) + 1 further calls. Positions are absolute, so every record comes once whatever `first` is at each
 * step.
 */
export function createNumberedPages<Value>(contract: Contract, operation: ListName): Pages<number, Value> {
  const most = contract['lists.maxPageSize'];
  const sizes = createExpiringValue<Sizes>(() => ({ least: 1, most, kept: 0, isReported: false }));
  const queryOf = createQueries(contract);
  return {
    readWindow: (start, asked) => readWindow({ operation, sizes: sizes(), queryOf, start, asked }),
    countCalls: (start, first) => {
      const known = sizes();
      const asked = sizeToAsk(known, first);
      const mayNeedFirstPage = start >= asked && asked > known.kept && !known.isReported;
      return pageNumbers(start, first, asked).length + (mayNeedFirstPage ? 1 : 0);
    },
  };
}

function sizeToAsk({ least, most }: Sizes, first: number): number {
  return Math.min(Math.max(first, least), most);
}

/** Queries for pages. The last one is remembered: one GraphQL request asks a hundred lists for the same page. */
function createQueries(contract: Contract): (page: number, perPage: number) => string {
  let last = { page: 0, perPage: 0, query: '' };
  return (page, perPage) => {
    if (page !== last.page || perPage !== last.perPage) {
      const parameters = { [contract['lists.page']]: String(page), [contract['lists.perPage']]: String(perPage) };
      last = { page, perPage, query: toQuery(parameters) };
    }
    return last.query;
  };
}

/** A window on its way. */
interface Opening<Value, Result> {
  readonly operation: ListName;
  readonly sizes: Sizes;
  readonly queryOf: (page: number, perPage: number) => string;
  readonly start: number;
  readonly asked: AskedWindow<Value, Result>;
}

function readWindow<Value, Result>(opening: Opening<Value, Result>): Promise<Result> {
  const { sizes, start, asked } = opening;
  const size = sizeToAsk(sizes, asked.first);
  return readNumbers(opening, pageNumbers(start, asked.first, size), size, conclude);
}

/** What the pages that were read at a size come to; further ones are read where they do not show all of the window. */
function conclude<Value, Result>(
  opening: Opening<Value, Result>,
  { size: tried, pages }: NumberedPages<Value>,
): Result | Promise<Result> {
  const { operation, sizes, start, asked } = opening;
  if (isSizeOpen(sizes, pages, tried)) {
    return readNumbers(opening, [1], tried, (_, pageOne) =>
      conclude(opening, { size: tried, pages: [...pages, ...pageOne.pages] }),
    );
  }
  const size = sizeInForce(operation, pages, tried);
  rememberReported(sizes, pages);
  if (size === tried) {
    rememberKept(sizes, pages, tried);
    return asked.finish(toWindow(operation, { size, pages }, start, asked.first));
  }
  const missing = pageNumbers(start, asked.first, size).filter(
    (number) => !pages.some((page) => page.number === number),
  );
  return readNumbers(opening, missing, size, (_, further) => {
    if (sizeInForce(operation, further.pages, size) !== size) throw sizeSurprise(operation);
    rememberOther(sizes, tried, size);
    return asked.finish(toWindow(operation, { size, pages: [...pages, ...further.pages] }, start, asked.first));
  });
}

function rememberReported<Value>(sizes: Sizes, pages: readonly Numbered<Value>[]): void {
  if (pages.some(({ page }) => page.size !== null)) sizes.isReported = true;
}

function pageNumbers(start: number, first: number, size: number): readonly number[] {
  const from = Math.floor(start / size);
  const to = Math.floor((start + first - 1) / size);
  return from === to ? [from + 1] : Array.from({ length: to - from + 1 }, (_, index) => from + index + 1);
}

/** Reads the pages and goes on with them. Nearly always it is one page, which needs no gathering. */
function readNumbers<Value, Result>(
  opening: Opening<Value, Result>,
  numbers: readonly number[],
  size: number,
  goOn: (opening: Opening<Value, Result>, pages: NumberedPages<Value>) => Result | Promise<Result>,
): Promise<Result> {
  const { asked, queryOf } = opening;
  const [only] = numbers;
  if (only !== undefined && numbers.length === 1) {
    return asked
      .readPage(queryOf(only, size))
      .then((page) => goOn(opening, { size, pages: [settleNumber(only, page)] }));
  }
  const reading = numbers.map((number) =>
    asked.readPage(queryOf(number, size)).then((page) => settleNumber(number, page)),
  );
  return Promise.all(reading).then((pages) => goOn(opening, { size, pages }));
}

/** Asked for a page behind the last one, some services answer the last one again: that page is empty. */
function settleNumber<Value>(number: number, page: Page<Value>): Numbered<Value> {
  if (page.number === null || page.number === number) return { number, page };
  if (page.lastPage !== null && number > page.lastPage) return { number, page: { ...page, records: [] } };
  throw contractSurprise(page.location, 'lists.currentPage');
}

/**
 * Whether only page 1 can tell the size: nothing reports it, it was never seen to be kept, and what these later pages
 * hold would fit the end of a list at more than one size.
 */
function isSizeOpen<Value>({ kept }: Sizes, pages: readonly Numbered<Value>[], asked: number): boolean {
  if (asked <= kept || pages.some(({ number }) => number === 1)) return false;
  return pages.every(({ page }) => page.size === null && page.records.length !== asked);
}

/** The one page size that all these answers show; no page may hold more. */
function sizeInForce<Value>(operation: ListName, pages: readonly Numbered<Value>[], asked: number): number {
  let size: number | undefined;
  for (const page of pages) {
    const shown = shownSize(page, asked);
    if (shown !== undefined && shown !== (size ??= shown)) throw sizeSurprise(operation);
  }
  const inForce = size ?? asked;
  const isKept = pages.every(({ page }) => page.records.length <= inForce);
  if (!isKept || inForce > maxSize) throw sizeSurprise(operation);
  return inForce;
}

/**
 * The size that a page shows: the reported one; else a full page shows the size asked for, and a first page with fewer
 * or more records than its total promises shows theirs. Other pages, and a first page that is the whole list, fit more
 * than one size.
 */
function shownSize<Value>({ number, page }: Numbered<Value>, asked: number): number | undefined {
  const count = page.records.length;
  const isWhole = number === 1 && (count === page.total || page.lastPage === 1);
  if (isWhole && count <= asked && count <= (page.size ?? asked)) return undefined;
  if (page.size !== null) return page.size;
  if (count === asked) return asked;
  if (number > 1 || count === 0) return undefined;
  const hasMore = page.total === null ? page.lastPage !== null && page.lastPage > 1 : page.total > count;
  return hasMore || count === page.total ? count : undefined;
}

function sizeSurprise(operation: ListName): GatewayError {
  return contractSurprise({ operation, path: '' }, 'lists.pageSize');
}

function rememberKept<Value>(sizes: Sizes, pages: readonly Numbered<Value>[], asked: number): void {
  const isKept = pages.some(({ page }) => page.size === asked || page.records.length === asked);
  if (isKept) sizes.kept = Math.max(sizes.kept, asked);
}

function rememberOther(sizes: Sizes, asked: number, size: number): void {
  if (size < asked) sizes.most = size;
  else sizes.least = size;
  sizes.least = Math.min(sizes.least, size);
  sizes.most = Math.max(sizes.most, size);
}

/** Records behind the end that the total names would be lost without a word. */
function checkTotal<Value>(operation: ListName, { size, pages }: NumberedPages<Value>): void {
  for (const { number, page } of pages) {
    const { total, records } = page;
    const before = (number - 1) * size;
    const isInside = total !== null && (number === 1 || before < total);
    if (isInside && before + records.length > total) throw contractSurprise({ operation, path: '' }, 'lists.total');
  }
}

function toWindow<Value>(
  operation: ListName,
  given: NumberedPages<Value>,
  start: number,
  first: number,
): Window<Value> {
  checkTotal(operation, given);
  const totalCount = given.pages.find(({ page }) => page.total !== null)?.page.total ?? null;
  const end = Math.min(start + first, totalCount ?? Infinity);
  const { size } = given;
  const cuts = pageNumbers(start, end - start, size).map((number) => {
    const before = (number - 1) * size;
    const from = Math.max(start, before);
    return { from, records: cutPage(pageOf(given, number)?.records ?? [], from - before, end - before) };
  });
  const hasNextPage = continuesBehind(given, start + first);
  const [only] = cuts;
  const last = cuts.findLast(({ records }) => records.length > 0);
  return {
    nodes: only !== undefined && cuts.length === 1 ? only.records : cuts.flatMap(({ records }) => records),
    resumeAfter: (index) => resumeAt((positionIn(cuts, index) ?? start) + 1),
    end: hasNextPage ? resumeAt(start + first) : last === undefined ? null : resumeAt(last.from + last.records.length),
    hasNextPage,
    totalCount,
  };
}

/** Mostly it is the whole page. */
function cutPage<Value>(records: readonly Value[], from: number, to: number): readonly Value[] {
  return from === 0 && to >= records.length ? records : records.slice(from, to);
}

function resumeAt(position: number): Resume {
  return { kind: 'position', position };
}

/** The position of a record in the list, by its index among those that were cut out of pages. */
function positionIn(cuts: readonly { readonly from: number; readonly records: readonly unknown[] }[], index: number) {
  let before = 0;
  for (const { from, records } of cuts) {
    if (index < before + records.length) return from + index - before;
    before += records.length;
  }
  return undefined;
}

function pageOf<Value>({ pages }: NumberedPages<Value>, wanted: number): Page<Value> | undefined {
  return pages.find(({ number }) => number === wanted)?.page;
}

/** By the total, else by the number of the last page, else a full page is taken to have a next one. */
function continuesBehind<Value>(given: NumberedPages<Value>, end: number): boolean {
  const { size } = given;
  const number = Math.floor((end - 1) / size) + 1;
  const last = pageOf(given, number);
  if (last === undefined) return false;
  if (last.total !== null) return last.total > end;
  const indexBehind = end - (number - 1) * size;
  if (last.records.length > indexBehind) return true;
  return last.lastPage === null ? last.records.length === size : last.lastPage > number;
}
