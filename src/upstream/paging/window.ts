import type { ListName } from '../../contract/contract.ts';
import type { ValueOrError } from '../../domain/records.ts';
import type { Parameters } from '../decoding/request-path.ts';
import type { Place } from './cursor.ts';
import { idOf, type Page } from './page.ts';
import type { Surprise } from './page-signs.ts';
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
  readonly surprise: Surprise;
}

/**
 * Reads `first` records from a place on, page by page, and takes what comes. A window as long as pages are asked to be
 * costs one call where the service gives them so; other pages cost further calls, and no record.
 */
export async function readWindow<Value>(
  { name, style, surprise }: PagedList,
  from: Place,
  first: number,
  readPage: (parameters: Parameters) => Promise<Page<Value>>,
): Promise<Window<Value>> {
  const nodes: ValueOrError<Value>[] = [];
  const places: Place[] = [];
  const ids = new Set<string>();
  let totalCount: number | null = null;
  let place: Place | null = from;
  while (place !== null && nodes.length < first) {
    const { key, skip, asked }: Place = place;
    const page: Page<Value> = await readPage(style.parameters(key, asked));
    const { records, signs } = page;
    // Where the records before the page are not counted, those of this window are the least that the list has.
    const end = (key.before ?? nodes.length) + records.length;
    if (signs.total !== null && signs.total < end && records.length > 0) throw surprise('lists.total');
    const nextKey = style.next(key, page, asked);
    const next: Place | null = nextKey === null ? null : { key: nextKey, skip: 0, asked };
    const isRepeated = addIds(ids, records);
    // The page had more records when it was read before: which of those behind it were taken is not known.
    const isShorter = skip > records.length && next !== null;
    if (isShorter || isRepeated) throw surprise(`${name}.pageStyle`);
    const taken: Window<Value>['nodes'] = records.slice(skip, skip + first - nodes.length);
    const isDone: boolean = skip + taken.length >= records.length;
    nodes.push(...taken);
    places.push(...taken.map((_, index) => ({ key, skip: skip + index + 1, asked })));
    // Behind a whole page the next one is cheaper: it spares reading this page again.
    if (isDone && next !== null && taken.length > 0) places[places.length - 1] = next;
    totalCount ??= page.totalCount;
    place = isDone ? next : (places.at(-1) ?? null);
  }
  return { nodes, places, hasNextPage: place !== null, totalCount };
}

/** Adds the records' ids; whether one of them was there already. */
function addIds(ids: Set<string>, records: readonly unknown[]): boolean {
  let isRepeated = false;
  for (const record of records) {
    const id = idOf(record);
    if (id === undefined) continue;
    if (ids.has(id)) isRepeated = true;
    ids.add(id);
  }
  return isRepeated;
}

/** A window of a list whose records are all loaded. */
export function cutWindow<Value>(records: readonly ValueOrError<Value>[], place: Place, first: number): Window<Value> {
  const end = place.skip + first;
  const nodes = records.slice(place.skip, end);
  const places = nodes.map((_, index) => ({ ...place, skip: place.skip + index + 1 }));
  return { nodes, places, hasNextPage: end < records.length, totalCount: records.length };
}
