import type { ValueOrError } from '../../domain/records.ts';
import type { Contract } from '../../contract/contract.ts';
import { createExpiringValue } from '../../runtime/expiring-value.ts';
import {
  contradictsEnd,
  mayBeCut,
  saysMore,
  windowAt,
  type Page,
  type Pages,
  type Window,
  type WindowRequest,
} from './page.ts';
import { firstPosition } from './cursor.ts';
import { hasRepeatedId } from './repeats.ts';
import { toQuery } from '../decoding/request-path.ts';

/** The records of a list that one call requests. */
interface Range {
  readonly offset: number;
  readonly limit: number;
}

/** How the service has been seen to treat limits; kept for all requests. */
interface Limits {
  /** The longest page that it gives. */
  cap: number;
  /** The number of records of the longest page seen: the cap is no smaller. */
  longest: number;
}

/** A window while it is read. */
interface Reading<Value> {
  readonly byPosition: Map<number, ValueOrError<Value>>;
  readonly pageStarts: ValueOrError<Value>[];
  /** The position behind the last record that this window can have. */
  end: number;
  total: number | null;
  /** The longest page that the service gives, as far as this window has shown. */
  cap: number;
  /** The first page that was shorter than its limit although more follow. */
  short: { readonly end: number; readonly count: number } | null;
}

/**
 * Page style `offset`: a window costs one call, or ceil(first / cap) where the service caps the limit. Two pages that are
 * shorter than their limits although more follow show a cap, and one does if other records follow it.
 */
export function createOffsetPages<Value>(contract: Contract): Pages<Value> {
  const limits = createExpiringValue<Limits>(() => ({ cap: contract['lists.maxPageSize'], longest: 0 }));
  return {
    start: firstPosition,
    readWindow: ({ index }, request) => readWindow(contract, limits(), index, request),
    countCalls: (_, first) => Math.ceil(first / limits().cap),
  };
}

async function readWindow<Value>(
  contract: Contract,
  limits: Limits,
  start: number,
  { first, readPage }: WindowRequest<Value>,
): Promise<Window<Value>> {
  const byPosition = new Map<number, ValueOrError<Value>>();
  const reading: Reading<Value> = {
    byPosition,
    pageStarts: [],
    end: start + first,
    total: null,
    cap: limits.cap,
    short: null,
  };
  const readRange = async (range: Range) => {
    const offset = { [contract['lists.offset']]: String(range.offset) };
    return { range, page: await readPage(toQuery({ ...offset, [contract['lists.limit']]: String(range.limit) })) };
  };
  for (;;) {
    const ranges = missingRanges(reading, start);
    if (ranges.length === 0) break;
    // The total of the first page shows which of the others exist. Without one only a short page shows the end.
    const next = reading.total === null ? ranges.slice(0, 1) : ranges;
    const pages = await Promise.all(next.map(readRange));
    for (const { page, range } of pages) {
      addPage(reading, page, range);
      limits.longest = Math.max(limits.longest, page.records.length);
    }
  }
  const window = toWindow(reading, start, first);
  rememberCap(limits, reading, window);
  return window;
}

/**
 * Keeps a short page's length as the cap if a further page is cut to the same length, or if other records follow it, and
 * more behind the window. Alone it is no evidence: its total may count a record that was booked meanwhile, or that is hidden.
 */
function rememberCap<Value>(
  limits: Limits,
  { short, cap, byPosition }: Reading<Value>,
  { nodes, hasNextPage }: Window<Value>,
): void {
  if (short === null || short.count < limits.longest || hasRepeatedId(nodes)) return;
  const isConfirmed = cap === short.count || (hasNextPage && byPosition.has(short.end));
  if (isConfirmed) limits.cap = Math.min(limits.cap, short.count);
}

function missingRanges<Value>({ byPosition, end, cap }: Reading<Value>, start: number): readonly Range[] {
  const ranges: Range[] = [];
  for (let position = start; position < end; position += 1) {
    if (byPosition.has(position)) continue;
    const last = ranges.at(-1);
    if (last !== undefined && last.offset + last.limit === position && last.limit < cap) {
      ranges[ranges.length - 1] = { ...last, limit: last.limit + 1 };
    } else ranges.push({ offset: position, limit: 1 });
  }
  return ranges;
}

/** Keeps a page's records; a short page behind which nothing follows shows the end of the list. */
function addPage<Value>(reading: Reading<Value>, page: Page<Value>, range: Range): void {
  const count = page.records.length;
  const behind = range.offset + count;
  checkRange(page, range);
  page.records.forEach((record, index) => reading.byPosition.set(range.offset + index, record));
  if (range.offset > 0) reading.pageStarts.push(...page.records.slice(0, 1));
  reading.total ??= page.total;
  reading.end = Math.min(reading.end, reading.total ?? Infinity);
  if (count === range.limit) return;
  const mayContinue = (page.total === null && page.size === count) || mayBeCut(page) || saysMoreBehind(page, range);
  if (!mayContinue || count === 0) reading.end = Math.min(reading.end, behind);
  else if (reading.short === null) reading.short = { end: behind, count };
  else reading.cap = Math.min(reading.cap, count);
}

/**
 * Compares a page with what its answer says of the list: no more records than asked for or than the total, no records
 * before the first, no empty page although more follow, no end although more is said.
 */
function checkRange<Value>(page: Page<Value>, { offset, limit }: Range): void {
  const { records, total, signs, surprise } = page;
  const behind = offset + records.length;
  if (records.length > limit) throw surprise('lists.limit');
  if (offset === 0 && signs.hasPrevious) throw surprise('lists.offset');
  if (records.length === 0 && saysMoreBehind(page, { offset, limit })) throw surprise('lists.offset');
  const hasMore = records.length === limit ? contradictsEnd(page, behind, offset === 0 ? 1 : null) : signs.hasNext;
  const isTotalWrong = total !== null && (behind > total || (behind === total && hasMore));
  if (records.length > 0 && isTotalWrong) throw surprise('lists.total');
}

function saysMoreBehind<Value>(page: Page<Value>, { offset }: Range): boolean {
  return saysMore(page, offset + page.records.length, offset === 0 ? 1 : null);
}

function toWindow<Value>(reading: Reading<Value>, start: number, first: number): Window<Value> {
  const { byPosition, pageStarts, end, total } = reading;
  const nodes: ValueOrError<Value>[] = [];
  for (let position = start; position < end; position += 1) {
    const node = byPosition.get(position);
    if (node !== undefined) nodes.push(node);
  }
  const hasNextPage = total === null ? nodes.length === first : total > start + nodes.length;
  return windowAt(start, { nodes, behind: [], pageStarts, hasNextPage, totalCount: total });
}
