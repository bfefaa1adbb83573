import type { ValueOrError } from '../../domain/records.ts';
import type { Contract } from '../../contract/contract.ts';
import { createExpiringValue } from '../../runtime/expiring-value.ts';
import { contradictsEnd, saysMore, windowAt, type Page, type Pages, type Window, type WindowRequest } from './page.ts';
import { firstPosition } from './cursor.ts';
import { toQuery } from '../decoding/request-path.ts';

/** A piece of a list. */
interface Range {
  readonly offset: number;
  readonly limit: number;
}

/** How the service has been seen to treat limits; kept for all requests. */
interface Limits {
  /** The longest page that it gives. */
  cap: number;
  /** Whether its answers report a total. */
  isTotalReported: boolean;
}

/**
 * Page style `offset`: a window costs one call, or ceil(first / cap) where the service caps the limit. A page that is
 * shorter than its limit although more follow shows a cap; it is kept for later windows once more records did follow.
 */
export function createOffsetPages<Value>(contract: Contract): Pages<Value> {
  const limits = createExpiringValue<Limits>(() => ({ cap: contract['lists.maxPageSize'], isTotalReported: false }));
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
  const nodes: ValueOrError<Value>[] = [];
  const pageStarts: ValueOrError<Value>[] = [];
  let { cap } = limits;
  let totalCount: number | null = null;
  let isEnd = false;
  /** How many records there were at the end of the first short page. */
  let cutAt: number | undefined;
  const readRange = async (range: Range) => {
    const offset = { [contract['lists.offset']]: String(range.offset) };
    return { range, page: await readPage(toQuery({ ...offset, [contract['lists.limit']]: String(range.limit) })) };
  };
  while (nodes.length < first && !isEnd) {
    const ranges = toRanges(start + nodes.length, start + first, cap);
    // Without a total only a short page shows the end, and behind it nothing is asked for.
    const pages = await Promise.all((limits.isTotalReported ? ranges : ranges.slice(0, 1)).map(readRange));
    for (const { range, page } of pages) checkRange(page, range);
    for (const { range, page } of pages) {
      const count = page.records.length;
      nodes.push(...page.records);
      if (range.offset > 0) pageStarts.push(...page.records.slice(0, 1));
      totalCount ??= page.total;
      if (count === range.limit) continue;
      // A short page shows the service's cap where more follow, else the end of the list.
      isEnd = count === 0 || !mayContinue(page, range);
      if (isEnd) break;
      cap = Math.min(cap, count);
      cutAt ??= nodes.length;
      break;
    }
    limits.isTotalReported ||= totalCount !== null;
  }
  if (cutAt !== undefined && nodes.length > cutAt) limits.cap = Math.min(limits.cap, cap);
  const hasNextPage =
    totalCount === null ? nodes.length === first : nodes.length > 0 && totalCount > start + nodes.length;
  return windowAt(start, { nodes, behind: [], pageStarts, hasNextPage, totalCount });
}

function toRanges(from: number, end: number, cap: number): readonly Range[] {
  const ranges: Range[] = [];
  for (let offset = from; offset < end; offset += cap) ranges.push({ offset, limit: Math.min(cap, end - offset) });
  return ranges;
}

function mayContinue<Value>(page: Page<Value>, range: Range): boolean {
  return (page.total === null && page.size === page.records.length) || saysMoreBehind(page, range);
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
