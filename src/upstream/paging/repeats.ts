import type { ListName } from '../../contract/contract.ts';
import { markRecord, type CursorContent, type Resume } from './cursor.ts';
import type { Page, Pages, Window, WindowRequest } from './page.ts';

/** Reads windows of a list, to compare them. */
interface WindowReader<Value> extends Pick<Pages<Value>, 'start' | 'readWindow'> {
  readonly name: ListName;
  readonly surprise: Page<Value>['surprise'];
}

/**
 * Reads a window and looks for records that repeat, in it or behind it on its pages: an id that is there twice, or the
 * record that the cursor stands behind, or that a page begins as the list did. Others may have inserted records meanwhile,
 * so the window is read once more; if it still repeats, or shares records with the window before it or with the start of
 * the list, the service does not page as the contract says.
 */
export function readWithoutRepeats<Value>(
  list: WindowReader<Value>,
  { resume: from, mark, firstMark }: CursorContent,
  request: WindowRequest<Value>,
): Promise<Window<Value>> {
  return list.readWindow(from, request).then((window) => {
    const ids = idsOf(window);
    const isRepeating = hasRepeat(ids);
    const isBehind = mark !== undefined && ids.some((id) => markRecord(id) === mark);
    const startIds = firstMark === undefined ? [] : readableIds(window.pageStarts);
    const isStart = startIds.some((id) => markRecord(id) === firstMark);
    if (!isRepeating && !isBehind && !isStart) return window;
    const compared = isBehind || isStart ? windowBefore(list.start, from, request.first, isStart) : undefined;
    return readAgain(list, from, request, isRepeating ? undefined : window, compared);
  });
}

/**
 * The window before, or that at the list's start: its first `count` records are not in this window unless the service
 * repeats itself.
 */
function windowBefore(start: Resume, from: Resume, first: number, isStart: boolean) {
  // The token of the window before is not known. A service that ignores tokens answers the list's first record again.
  if (start.token !== undefined) return { start, count: 1 };
  const index = isStart ? 0 : Math.max(0, from.index - first);
  return { start: { index }, count: from.index - index };
}

/**
 * Reads a window once more. `window` is its first reading, undefined where an id was in it twice: else it may still be the
 * answer. Both readings are compared with the window at `compared`, where the first seemed to have records of it.
 */
async function readAgain<Value>(
  list: WindowReader<Value>,
  from: Resume,
  request: WindowRequest<Value>,
  window: Window<Value> | undefined,
  compared: ReturnType<typeof windowBefore> | undefined,
): Promise<Window<Value>> {
  const again: WindowRequest<Value> = { ...request, readPage: (query) => request.readPage(respell(query), true) };
  // Read after this window's own pages: an insertion in between only moves records out of the window before.
  const before = compared === undefined ? [] : (await list.readWindow(compared.start, again)).nodes;
  const idsBefore = new Set(readableIds(before.slice(0, compared?.count)));
  const isBefore = (id: string): boolean => idsBefore.has(id);
  if (window !== undefined && !idsOf(window).some(isBefore)) return window;
  const second = await list.readWindow(from, again);
  const secondIds = idsOf(second);
  if (!hasRepeat(secondIds) && !secondIds.some(isBefore)) return second;
  throw list.surprise(`${list.name}.pageStyle`);
}

/** The same query in another spelling, so that no cache gives the first answer again. Services ignore an empty parameter. */
function respell(query: string): string {
  return query === '' ? '?' : `${query}&`;
}

/** The ids of the records that could be read, in the window and behind it on its pages. */
function idsOf<Value>({ nodes, behind }: Window<Value>): readonly string[] {
  return readableIds(behind.length === 0 ? nodes : [...nodes, ...behind]);
}

function readableIds(records: readonly unknown[]): readonly string[] {
  return records.flatMap((record) => idOf(record) ?? []);
}

/** Whether two of these records have the same id. */
export function hasRepeatedId(records: readonly unknown[]): boolean {
  return hasRepeat(readableIds(records));
}

/** The id of a record; undefined where it could not be read. */
export function idOf(record: unknown): string | undefined {
  if (typeof record !== 'object' || record === null || !('id' in record)) return undefined;
  return typeof record.id === 'string' ? record.id : undefined;
}

function hasRepeat(ids: readonly string[]): boolean {
  return new Set(ids).size < ids.length;
}
