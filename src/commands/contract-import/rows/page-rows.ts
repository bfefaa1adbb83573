import { isDeepStrictEqual } from 'node:util';
import { contractOfList, type ListName, type RowId } from '../../../contract/contract.ts';
import { textOrNumber } from '../../../upstream/decoding/exact-json.ts';
import { hasKey } from '../../contract-check/check-fields.ts';
import {
  checkReport,
  findCursorLink,
  hasSignOfMore,
  isToken,
  reportRows,
  tokenNames,
} from '../../contract-check/pages/check-page-report.ts';
import { findNode, walk } from '../../contract-check/json-shape.ts';
import { findMoreFlag, ownRow, readRecords, type ListRow } from '../../contract-check/list-reader.ts';
import type { Collector } from '../collector.ts';

/** How many records of one answer are read: further ones show nothing new. */
const maxRecords = 200;
/** Names of a token for the next page, also of one that each page has. */
const allTokenNames = [...tokenNames, 'endcursor'];
/** Names that a person decides about. */
const oddName = /^(?!prev).*(?:next|after|cursor|token|bookmark|continu|scroll|marker)/i;

/** Collects the rows of one list of the file by its answers of success. */
interface ListCollector extends Collector {
  readonly list: ListName;
  /** The first list of the file: what it shows stands for all, and a list that differs gets rows of its own. */
  readonly isFirst: boolean;
  readonly bodies: readonly unknown[];
  readonly place: string;
}

/** Rows of where the answers of a list have their records and describe their page. Returns the records. */
export function collectPageRows(collector: ListCollector): readonly unknown[] {
  const { run, list, isFirst, bodies } = collector;
  const records = bodies.map((body) => {
    const read = readRecords(run, list, body);
    if (read === undefined) collector.note(collector.place, 'no list of records in its answer');
    return read ?? [];
  });
  for (const [index, body] of bodies.entries()) {
    for (const row of reportRows) checkReport(run, isFirst ? 'listCustomers' : list, row, body);
    // Where a page has the number 0, pages are counted from it.
    if (textOrNumber(run.read('lists.currentPage', body)) === '0') collector.set('lists.firstPage', 0);
    findTotal(collector, body, records[index]?.length ?? 0);
  }
  const hasSign = (body: unknown): boolean => findSignOfMore(collector, body);
  // Without a sign of a next page the first one would be read as the whole list.
  if (run.contract()[`${list}.pageStyle`] === 'cursor' && !bodies.map(hasSign).includes(true)) {
    collector.comment(`${list}.pageStyle: # to decide: cursor, with the row nextCursor, nextLink or hasMore`);
    collector.set(`${list}.pageStyle`, 'undecided');
  }
  return records.flatMap((each) => each.slice(0, maxRecords));
}

/** The row of all lists for what the first one shows, else the list's own. */
function rowOf({ list, isFirst }: ListCollector, row: ListRow): RowId {
  return isFirst ? row : ownRow(list, row);
}

/** Corrects the row of the list, unless it is read so already. */
function correctList(collector: ListCollector, row: ListRow, value: unknown): void {
  const { run, list, set } = collector;
  const inForce = contractOfList(run.contract(), list)[row];
  const isRead = Array.isArray(value) && Array.isArray(inForce) && value.every((pointer) => inForce.includes(pointer));
  if (!isRead && !isDeepStrictEqual(inForce, value)) set(rowOf(collector, row), value);
}

/** A `count` is the total where it is greater than the page; else it may count the page's records. */
function findTotal(collector: ListCollector, body: unknown, length: number): void {
  const { run, list, comment } = collector;
  const total = findNode(body, ['count'], (value) => /^\d+$/.test(textOrNumber(value) ?? ''));
  const hasTotal = contractOfList(run.contract(), list)['lists.total'].some((at) => hasKey(body, at));
  if (total === undefined || hasTotal) return;
  if (Number(textOrNumber(total.value)) > length) correctList(collector, 'lists.total', [total.pointer]);
  else
    comment(`${rowOf(collector, 'lists.total')}: # unsure: ${total.pointer}, unless it counts the records of the page`);
}

/** Finds the sign by which a list with cursors shows that more follows: a token, a next link or a flag. */
function findSignOfMore(collector: ListCollector, body: unknown): boolean {
  const { comment, note, run, list, place } = collector;
  const flag = findMoreFlag(body)?.pointer;
  const cursor = contractOfList(run.contract(), list)['lists.cursor'];
  if (flag !== undefined && /^(?:starting_?after|after_?id|last_?id)$/i.test(cursor)) {
    correctList(collector, 'lists.hasMore', [flag]);
    correctList(collector, 'lists.cursorFrom', 'lastRecord');
    return true;
  }
  const link = findCursorLink(body);
  const token = findNode(body, allTokenNames, isToken);
  if (hasSignOfMore(run, list, body) || token !== undefined) {
    if (flag !== undefined) note(place, `the flag at ${flag} is not used: a token tells whether more follows`);
    if (!hasSignOfMore(run, list, body)) correctList(collector, 'lists.nextCursor', [token?.pointer]);
  } else if (link !== undefined) {
    correctList(collector, 'lists.nextLink', [link.pointer]);
    correctList(collector, 'lists.cursor', link.parameter);
  } else {
    const oddNode = walk(body).find(({ name, value }) => oddName.test(name) && (value === null || isToken(value)));
    const ofFlag =
      flag && `a flag stands at ${flag}, for lists.cursorFrom: lastRecord, if the cursor is the id of the last record`;
    const perhaps = oddNode && `${oddNode.pointer}, perhaps, as a token, or for lists.nextLink as a link`;
    const why = perhaps ?? ofFlag ?? 'no answer shows by what a next page is told';
    comment(`${rowOf(collector, 'lists.nextCursor')}: # unsure: ${why}`);
    return false;
  }
  return true;
}
