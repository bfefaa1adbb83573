import type { Slot } from '../domain.ts';
import type { GatewayError } from '../errors.ts';
import type { Contract, ListName } from './contract.ts';
import type { Resume } from './cursor.ts';
import { contractSurprise } from './decode.ts';
import type { Page, ReadPage, Window } from './page.ts';

/** Page sizes that a service has been seen to insist on. Of the service, not of any caller, so kept for all. */
interface Sizes {
  least: number;
  most: number;
}

/** Pages of one size, by their numbers from 1. */
interface Pages<Value> {
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
export function createNumberedPages<Value>(contract: Contract, operation: ListName) {
  const sizes: Sizes = { least: 1, most: contract['lists.maxPageSize'] };
  return async (readPage: ReadPage<Value>, start: number, first: number): Promise<Window<Value>> => {
    const read: ReadNumber<Value> = (page, perPage) =>
      readPage({ [contract['lists.page']]: String(page), [contract['lists.perPage']]: String(perPage) });
    return toWindow(await readPages(operation, sizes, read, start, first), start, first);
  };
}

async function readPages<Value>(
  operation: ListName,
  sizes: Sizes,
  read: ReadNumber<Value>,
  start: number,
  first: number,
): Promise<Pages<Value>> {
  const asked = Math.min(Math.max(first, sizes.least), sizes.most);
  const tried = await readNumbers(pageNumbers(start, first, asked), asked, read);
  const size = sizeInForce(operation, tried, asked);
  if (size === asked) return { size, byNumber: tried };
  learnSize(sizes, asked, size);
  const missing = pageNumbers(start, first, size).filter((number) => !tried.has(number));
  const further = await readNumbers(missing, size, read);
  if (sizeInForce(operation, further, size) !== size) throw sizeSurprise(operation);
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

/** The one page size that all these answers show. */
function sizeInForce<Value>(operation: ListName, pages: ReadonlyMap<number, Page<Value>>, asked: number): number {
  const sizes = new Set<number>();
  for (const [number, page] of pages) {
    const size = shownSize(number, page, asked);
    if (page.records.length > size) throw sizeSurprise(operation);
    sizes.add(size);
  }
  if (sizes.size > 1) throw sizeSurprise(operation);
  const [size = asked] = sizes;
  return size;
}

/** The reported page size; else, where a page has not as many records as its total promises, as many as it has. */
function shownSize<Value>(number: number, page: Page<Value>, asked: number): number {
  if (page.size !== null) return page.size;
  const count = page.records.length;
  const isLast = page.lastPage === null || page.lastPage <= number;
  const rest = page.total === null ? (isLast ? count : asked) : page.total - (number - 1) * asked;
  const expected = Math.min(Math.max(rest, 0), asked);
  return count === 0 || count === expected ? asked : count;
}

function sizeSurprise(operation: ListName): GatewayError {
  return contractSurprise({ operation, path: '' }, 'lists.pageSize');
}

function learnSize(sizes: Sizes, asked: number, size: number): void {
  if (size < asked) sizes.most = size;
  else sizes.least = size;
  sizes.least = Math.min(sizes.least, size);
  sizes.most = Math.max(sizes.most, size);
}

function toWindow<Value>(pages: Pages<Value>, start: number, first: number): Window<Value> {
  const { size, byNumber } = pages;
  const nodes: Slot<Value>[] = [];
  const positions: number[] = [];
  for (let position = start; position < start + first; position += 1) {
    const node = byNumber.get(Math.floor(position / size) + 1)?.records[position % size];
    if (node === undefined) continue;
    nodes.push(node);
    positions.push(position);
  }
  const hasNextPage = continuesBehind(pages, start + first);
  const resumeAt = (position: number): Resume => ({ kind: 'position', position });
  const last = positions.at(-1);
  return {
    nodes,
    resumeAfter: (index) => resumeAt((positions[index] ?? start) + 1),
    end: hasNextPage ? resumeAt(start + first) : last === undefined ? null : resumeAt(last + 1),
    hasNextPage,
    totalCount: [...byNumber.values()].find((page) => page.total !== null)?.total ?? null,
  };
}

/** By the total, else by the number of the last page, else a full page is taken to have a next one. */
function continuesBehind<Value>({ size, byNumber }: Pages<Value>, end: number): boolean {
  const number = Math.floor((end - 1) / size) + 1;
  const last = byNumber.get(number);
  if (last === undefined) return false;
  if (last.total !== null) return last.total > end;
  const indexBehind = end - (number - 1) * size;
  if (last.records.length > indexBehind) return true;
  return last.lastPage === null ? last.records.length === size : last.lastPage > number;
}
