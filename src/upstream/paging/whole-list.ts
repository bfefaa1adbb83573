import type { ValueOrError } from '../../domain/records.ts';
import type { ListName } from '../../contract/contract.ts';
import { firstPosition } from './cursor.ts';
import { saysMore, windowAt, type Pages, type Window } from './page.ts';

/** Page style `none`: every answer is the whole list. An answer whose total or signs show more records is refused. */
export function createWholeList<Value>(operation: ListName): Pages<Value> {
  return {
    start: firstPosition,
    readWindow: async ({ index }, { first, readPage }) => {
      const page = await readPage('');
      const { records, total, signs, surprise } = page;
      const count = records.length;
      const isPart = (total !== null && total !== count) || saysMore(page, count, 1) || signs.hasPrevious;
      if (isPart || signs.hasNextToken) throw surprise(`${operation}.pageStyle`);
      return cutRecords(records, index, first);
    },
    countCalls: () => 1,
  };
}

/** A window of a list whose records are all loaded. */
export function cutRecords<Value>(
  records: readonly ValueOrError<Value>[],
  start: number,
  first: number,
): Window<Value> {
  return windowAt(start, {
    nodes: records.slice(start, start + first),
    behind: [],
    pageStarts: [],
    hasNextPage: start + first < records.length,
    totalCount: records.length,
  });
}
