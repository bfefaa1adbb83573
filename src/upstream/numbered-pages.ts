import type { Slot } from '../domain.ts';
import type { GatewayError } from '../errors.ts';
import type { Contract, ListName } from './contract.ts';
import type { Resume } from './cursor.ts';
import { contractSurprise } from './decode.ts';
import { createMemory } from './memory.ts';
import type { Page, Pages, Window } from './page.ts';

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

/** Pages of one size, by their numbers from 1. */
interface NumberedPages<Value> {
  readonly size: number;
  readonly byNumber: ReadonlyMap<number, Page<Value>>;
}

type ReadNumber<Value> = (page: number, perPage: number) => Promise<Page<Value>>;

/**
 * Windows over numbered pages. A page holds as many records as a window asks for, so an aligned window costs one call
 * and any other two; where the service insists on another size, the window is cut again at that size, with at most
 * ceil(first / size) + 1 further calls. Positions are absolute, so every record comes once whatever `first` is at each
 * step.
 */
export function createNumberedPages<Value>(contract: Contract, operation: ListName): Pages<number, Value> {
  const most = contract['lists.maxPageSize'];
  const sizes = createMemory<Sizes>(() => ({ least: 1, most, kept: 0, isReported: false }));
  return {
    readWindow: async (readPage, start, first) => {
      const read: ReadNumber<Value> = (page, perPage) =>
        readPage({ [contract['lists.page']]: String(page), [contract['lists.perPage']]: String(perPage) });
      const pages = await readPages(operation, sizes(), read, start, first);
      checkTotal(operation, pages);
      return toWindow(pages, start, first);
    },
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

async function readPages<Value>(
  operation: ListName,
  sizes: Sizes,
  read: ReadNumber<Value>,
  start: number,
  first: number,
): Promise<NumberedPages<Value>> {
  const asked = sizeToAsk(sizes, first);
  let tried = await readNumbers(pageNumbers(start, first, asked), asked, read);
  if (isSizeOpen(sizes, tried, asked)) tried = new Map([...tried, ...(await readNumbers([1], asked, read))]);
  const size = sizeInForce(operation, tried, asked);
  if ([...tried.values()].some((page) => page.size !== null)) sizes.isReported = true;
  if (size === asked) {
    rememberKept(sizes, tried, asked);
    return { size, byNumber: tried };
  }
  const missing = pageNumbers(start, first, size).filter((number) => !tried.has(number));
  const further = await readNumbers(missing, size, read);
  if (sizeInForce(operation, further, size) !== size) throw sizeSurprise(operation);
  rememberOther(sizes, asked, size);
  return { size, byNumber: new Map([...tried, ...further]) };
}

function pageNumbers(start: number, first: number, size: number): readonly number[] {
  const from = Math.floor(start / size);
  const to = Math.floor((start + first - 1) / size);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index + 1);
}

async function readNumbers<Value>(
  numbers: readonly number[],
  perPage: number,
  read: ReadNumber<Value>,
): Promise<ReadonlyMap<number, Page<Value>>> {
  const [number = 1] = numbers;
  if (numbers.length === 1) return new Map([[number, settleNumber(number, await read(number, perPage))]]);
  const pages = await Promise.all(
    numbers.map(async (number) => [number, settleNumber(number, await read(number, perPage))] as const),
  );
  return new Map(pages);
}

/** Asked for a page behind the last one, some services answer the last one again: that page is empty. */
function settleNumber<Value>(number: number, page: Page<Value>): Page<Value> {
  if (page.number === null || page.number === number) return page;
  if (page.lastPage !== null && number > page.lastPage) return { ...page, records: [] };
  throw contractSurprise(page.place, 'lists.currentPage');
}

/**
 * Whether only page 1 can tell the size: nothing reports it, it was never seen to be kept, and what these later pages
 * hold would fit the end of a list at more than one size.
 */
function isSizeOpen<Value>({ kept }: Sizes, pages: ReadonlyMap<number, Page<Value>>, asked: number): boolean {
  if (asked <= kept || pages.has(1)) return false;
  return [...pages.values()].every((page) => page.size === null && page.records.length !== asked);
}

/** The one page size that all these answers show; no page may hold more. */
function sizeInForce<Value>(operation: ListName, pages: ReadonlyMap<number, Page<Value>>, asked: number): number {
  const shown = [...pages].flatMap(([number, page]) => shownSize(number, page, asked) ?? []);
  const [size = asked] = shown;
  const isOne = shown.every((other) => other === size);
  const isKept = [...pages.values()].every((page) => page.records.length <= size);
  if (!isOne || !isKept || size > maxSize) throw sizeSurprise(operation);
  return size;
}

/**
 * The size that a page shows: the reported one; else a full page shows the size asked for, and a first page with fewer
 * or more records than its total promises shows theirs. Other pages, and a first page that is the whole list, fit more
 * than one size.
 */
function shownSize<Value>(number: number, page: Page<Value>, asked: number): number | undefined {
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

function rememberKept<Value>(sizes: Sizes, pages: ReadonlyMap<number, Page<Value>>, asked: number): void {
  const isKept = [...pages.values()].some((page) => page.size === asked || page.records.length === asked);
  if (isKept) sizes.kept = Math.max(sizes.kept, asked);
}

function rememberOther(sizes: Sizes, asked: number, size: number): void {
  if (size < asked) sizes.most = size;
  else sizes.least = size;
  sizes.least = Math.min(sizes.least, size);
  sizes.most = Math.max(sizes.most, size);
}

/** Records behind the end that the total names would be lost without a word. */
function checkTotal<Value>(operation: ListName, { size, byNumber }: NumberedPages<Value>): void {
  for (const [number, { total, records }] of byNumber) {
    const before = (number - 1) * size;
    const isInside = total !== null && (number === 1 || before < total);
    if (isInside && before + records.length > total) throw contractSurprise({ operation, path: '' }, 'lists.total');
  }
}

function toWindow<Value>(pages: NumberedPages<Value>, start: number, first: number): Window<Value> {
  const { size, byNumber } = pages;
  const nodes: Slot<Value>[] = [];
  const positions: number[] = [];
  const totalCount = [...byNumber.values()].find((page) => page.total !== null)?.total ?? null;
  const end = Math.min(start + first, totalCount ?? Infinity);
  for (const number of pageNumbers(start, end - start, size)) {
    const before = (number - 1) * size;
    const taken = byNumber.get(number)?.records.slice(Math.max(start - before, 0), end - before) ?? [];
    taken.forEach((node, index) => {
      nodes.push(node);
      positions.push(Math.max(start, before) + index);
    });
  }
  const hasNextPage = continuesBehind(pages, start + first);
  const resumeAt = (position: number): Resume => ({ kind: 'position', position });
  const last = positions.at(-1);
  return {
    nodes,
    resumeAfter: (index) => resumeAt((positions[index] ?? start) + 1),
    end: hasNextPage ? resumeAt(start + first) : last === undefined ? null : resumeAt(last + 1),
    hasNextPage,
    totalCount,
  };
}

/** By the total, else by the number of the last page, else a full page is taken to have a next one. */
function continuesBehind<Value>({ size, byNumber }: NumberedPages<Value>, end: number): boolean {
  const number = Math.floor((end - 1) / size) + 1;
  const last = byNumber.get(number);
  if (last === undefined) return false;
  if (last.total !== null) return last.total > end;
  const indexBehind = end - (number - 1) * size;
  if (last.records.length > indexBehind) return true;
  return last.lastPage === null ? last.records.length === size : last.lastPage > number;
}
