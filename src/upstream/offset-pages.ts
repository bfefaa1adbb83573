import type { Slot } from '../domain.ts';
import type { Contract } from './contract.ts';
import { contractSurprise } from './decode.ts';
import type { Page, ReadPage, Window } from './page.ts';

/** A piece of a list. */
interface Range {
  readonly offset: number;
  readonly limit: number;
}

/** What is known of a window while it is read. */
interface Reading<Value> {
  readonly byPosition: Map<number, Slot<Value>>;
  /** Behind the last position that can hold a record of this window. */
  end: number;
  total: number | null;
}

/**
 * Windows over a list that is read by offset and limit: one call each, or ceil(first / cap) where the service caps the
 * limit. A cap shows by the reported page size, or by a page shorter than its total promises; it is kept for later
 * windows.
 */
export function createOffsetPages<Value>(contract: Contract) {
  let cap = contract['lists.maxPageSize'];
  return async (readPage: ReadPage<Value>, start: number, first: number): Promise<Window<Value>> => {
    const reading: Reading<Value> = { byPosition: new Map(), end: start + first, total: null };
    for (;;) {
      const ranges = missingRanges(reading, start, cap);
      if (ranges.length === 0) return toWindow(reading, start, first);
      const pages = await Promise.all(
        ranges.map(({ offset, limit }) =>
          readPage({ [contract['lists.offset']]: String(offset), [contract['lists.limit']]: String(limit) }),
        ),
      );
      pages.forEach((page, index) => {
        const range = ranges[index];
        if (range !== undefined) cap = Math.min(cap, takeIn(reading, page, range) ?? cap);
      });
    }
  };
}

function missingRanges<Value>({ byPosition, end }: Reading<Value>, start: number, cap: number): readonly Range[] {
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

/** Keeps a page's records; returns the cap that it shows, if it shows one, and finds the list's end. */
function takeIn<Value>(reading: Reading<Value>, page: Page<Value>, { offset, limit }: Range): number | undefined {
  const count = page.records.length;
  if (count > limit) throw contractSurprise(page.place, 'lists.limit');
  page.records.forEach((record, index) => reading.byPosition.set(offset + index, record));
  reading.total ??= page.total;
  if (count === limit) return undefined;
  const behind = offset + count;
  if (page.size !== null && page.size < limit && count === page.size) return page.size;
  if (page.total !== null && page.total > behind && count > 0) return count;
  reading.end = Math.min(reading.end, behind);
  return undefined;
}

function toWindow<Value>({ byPosition, end, total }: Reading<Value>, start: number, first: number): Window<Value> {
  const nodes: Slot<Value>[] = [];
  for (let position = start; position < end; position += 1) {
    const node = byPosition.get(position);
    if (node !== undefined) nodes.push(node);
  }
  return {
    nodes,
    resumeAfter: (index) => ({ kind: 'position', position: start + index + 1 }),
    end: nodes.length === 0 ? null : { kind: 'position', position: start + nodes.length },
    hasNextPage: total === null ? nodes.length === first : nodes.length > 0 && total > start + nodes.length,
    totalCount: total,
  };
}
