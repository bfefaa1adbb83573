import type { ValueOrError } from '../../domain/records.ts';
import type { Contract } from '../../contract/contract.ts';
import { contractSurprise } from '../decoding/field-decoders.ts';
import { createExpiringValue } from '../../runtime/expiring-value.ts';
import type { Page, Pages, ReadWindow, Window } from './page.ts';
import { toQuery } from '../decoding/request-path.ts';

/** A piece of a list. */
interface Range {
  readonly offset: number;
  readonly limit: number;
}

/** What is known of a window while it is read. */
interface Reading<Value> {
  readonly byPosition: Map<number, ValueOrError<Value>>;
  /** Behind the last position that can hold a record of this window. */
  end: number;
  total: number | null;
  /** The longest page that the service seems to give. */
  cap: number;
  /** The position behind the first short page. */
  gap: number | null;
}

/**
 * Windows over a list that is read by offset and limit: one call each, or ceil(first / cap) where the service caps the
 * limit. A cap shows by a page that is shorter than its limit though more follow; once more did follow
 * it is believed, and kept for later windows.
 */
export function createOffsetPages<Value>(contract: Contract): Pages<number, Value> {
  const memory = createExpiringValue(() => ({ cap: contract['lists.maxPageSize'] }));
  const readWindow: ReadWindow<number, Value> = async (start, asked) => {
    const { first } = asked;
    const learnt = memory();
    const reading: Reading<Value> = {
      byPosition: new Map(),
      end: start + first,
      total: null,
      cap: learnt.cap,
      gap: null,
    };
    for (;;) {
      const ranges = missingRanges(reading, start);
      if (ranges.length === 0) break;
      const pages = await Promise.all(
        ranges.map(async (range) => ({
          range,
          page: await asked.readPage(
            toQuery({
              [contract['lists.offset']]: String(range.offset),
              [contract['lists.limit']]: String(range.limit),
            }),
          ),
        })),
      );
      for (const { page, range } of pages) takeIn(reading, page, range);
    }
    if (reading.gap !== null && reading.byPosition.has(reading.gap)) learnt.cap = Math.min(learnt.cap, reading.cap);
    return asked.finish(toWindow(reading, start, first));
  };
  return { readWindow, countCalls: (_, first) => Math.ceil(first / memory().cap) };
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

/** Keeps a page's records, and finds the service's cap or the list's end where the page is short. */
function takeIn<Value>(reading: Reading<Value>, page: Page<Value>, { offset, limit }: Range): void {
  const count = page.records.length;
  if (count > limit) throw contractSurprise(page.location, 'lists.limit');
  page.records.forEach((record, index) => reading.byPosition.set(offset + index, record));
  reading.total ??= page.total;
  if (count === limit) return;
  const behind = offset + count;
  const mayContinue = page.total === null ? page.size === count : page.total > behind;
  if (mayContinue && count > 0) {
    reading.cap = Math.min(reading.cap, count);
    reading.gap ??= behind;
  } else reading.end = Math.min(reading.end, behind);
}

function toWindow<Value>({ byPosition, end, total }: Reading<Value>, start: number, first: number): Window<Value> {
  const nodes: ValueOrError<Value>[] = [];
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
