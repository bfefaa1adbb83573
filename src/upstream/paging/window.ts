import type { Contract, ListName } from '../../contract/contract.ts';
import type { ValueOrError } from '../../domain/records.ts';
import type { Parameters } from '../decoding/request-path.ts';
import type { Place } from './cursor.ts';
import { idOf, type Page } from './page.ts';
import type { Contradiction } from './page-signs.ts';
import type { Style } from './styles.ts';

/** The records asked for, put together from pages, and where the list continues behind each of them. */
export interface Window<Value> {
  readonly nodes: readonly ValueOrError<Value>[];
  readonly places: readonly Place[];
  readonly hasNextPage: boolean;
  readonly totalCount: number | null;
}

/** What a window needs of its list. */
export interface PagedList {
  readonly name: ListName;
  readonly style: Style;
  readonly contradiction: Contradiction;
  readonly order: Contract['listCustomerTransactions.order'];
}

/**
 * Reads `first` records from a place on, page by page, and takes what comes. A window as long as pages are asked to be
 * costs one call where the service gives them so; other pages cost further calls, and no record, and so do records that
 * `judge` leaves out by null.
 */
export async function readWindow<Value>(
  { name, style, contradiction, order }: PagedList,
  from: Place,
  first: number,
  readPage: (parameters: Parameters) => Promise<Page<Value>>,
  judge: (page: Page<Value>) => readonly (ValueOrError<Value> | null)[] = ({ records }) => records,
): Promise<Window<Value>> {
  const nodes: ValueOrError<Value>[] = [];
  const places: Place[] = [];
  const ids = new Set<string>();
  const read: unknown[] = [];
  let totalCount: number | null = null;
  let place: Place | null = from;
  while (place !== null && nodes.length < first) {
    const { key, skip, asked }: Place = place;
    const page: Page<Value> = await readPage(style.parameters(key, asked));
    const { records, signs } = page;
    // Where the records before the page are not counted, those of this window are the least that the list has.
    const end = (key.before ?? nodes.length) + records.length;
    if (signs.total !== null && signs.total < end && records.length > 0) throw contradiction('lists.total');
    const nextKey = style.next(key, page, asked);
    const next: Place | null = nextKey === null ? null : { key: nextKey, skip: 0, asked };
    const found = records.flatMap((record) => idOf(record) ?? []);
    const count = ids.size + found.length;
    for (const id of found) ids.add(id);
    const isRepeated = ids.size < count;
    // The page had more records when it was read before: which of those behind it were taken is not known.
    const isShorter = skip > records.length && next !== null;
    if (isShorter || isRepeated) throw contradiction(`${name}.pageStyle`);
    if (order !== 'unknown') read.push(...records);
    if (!isOrdered(read, order)) throw contradiction('listCustomerTransactions.order');
    const judged = judge(page);
    const countBefore = nodes.length;
    let index: number = skip;
    for (; index < records.length && (nodes.length < first || judged[index] === null); index += 1) {
      const record = judged[index] ?? null;
      if (record === null) continue;
      nodes.push(record);
      places.push({ key, skip: index + 1, asked });
    }
    const isDone: boolean = index >= records.length;
    // Behind a whole page the next one is cheaper: it spares reading this page again.
    if (isDone && next !== null && nodes.length > countBefore) places[places.length - 1] = next;
    totalCount ??= page.totalCount;
    place = isDone ? next : (places.at(-1) ?? null);
  }
  return { nodes, places, hasNextPage: place !== null, totalCount };
}

/** Whether records follow each other as the contract says, by those times that can be read. */
function isOrdered(records: readonly unknown[], order: PagedList['order']): boolean {
  if (order === 'unknown') return true;
  const times = records.flatMap((record) => {
    const { createdAt } = (record ?? {}) as { readonly createdAt?: unknown }; // any value has this property, perhaps undefined
    return typeof createdAt === 'string' ? [createdAt] : [];
  });
  return times.every((time, index) => {
    const previous = times[index - 1] ?? time;
    return order === 'newestFirst' ? time <= previous : time >= previous;
  });
}

/** A window of a list whose records are all loaded. */
export function cutWindow<Value>(records: readonly ValueOrError<Value>[], place: Place, first: number): Window<Value> {
  const end = place.skip + first;
  const nodes = records.slice(place.skip, end);
  const places = nodes.map((_, index) => ({ ...place, skip: place.skip + index + 1 }));
  return { nodes, places, hasNextPage: end < records.length, totalCount: records.length };
}
