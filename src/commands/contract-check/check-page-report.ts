import type { RowId } from '../../contract/contract.ts';
import { numberText, textOrNumber } from '../../upstream/decoding/exact-json.ts';
import type { PointerRow } from '../../upstream/decoding/field-decoders.ts';
import { checkFields } from './check-fields.ts';
import type { CheckRun } from './check-run.ts';
import { findNode } from './json-shape.ts';
import { cursorNames, type Records } from './list-reader.ts';

/** Normalized names of the fields that describe a page. */
const reportNames = {
  'lists.total': ['total', 'totalcount', 'totalrecords', 'totalitems', 'totalresults'],
  'lists.currentPage': ['currentpage', 'page', 'pagenumber'],
  'lists.lastPage': ['lastpage', 'totalpages', 'pagecount', 'pages'],
  'lists.pageSize': ['perpage', 'pagesize', 'limit'],
  'lists.nextCursor': ['nextcursor', 'nexttoken', 'nextpagetoken', 'cursor'],
} as const satisfies Partial<Record<RowId, readonly string[]>>;

const linkCursorNames = new Set([...cursorNames, 'page[after]', 'page[cursor]']);

/** Finds a flag that more follows, and a next link, where the pages are not numbered by a total. */
export function checkMore(run: CheckRun, body: unknown, records: Records): void {
  const flag = findNode(body, ['hasmore', 'hasnext', 'hasnextpage'], (value) => typeof value === 'boolean');
  const isFlag = typeof run.read('lists.hasMore', body) === 'boolean';
  const hasOtherSign = ['lists.total', 'lists.nextCursor'].some(
    (row) => run.read(row as PointerRow, body) !== undefined,
  );
  checkFields(run, 'customer', records);
  if (isFlag) run.confirm('lists.hasMore');
  else if (flag !== undefined && !hasOtherSign)
    run.contradict('lists.hasMore', `a flag stands at ${flag.pointer}`, [flag.pointer]);
  const link = findNode(body, ['next', 'nextlink', 'nexturl', 'nextpageurl'], isLink);
  const parameters =
    link === undefined ? [] : [...(URL.parse(String(link.value), 'http://service')?.searchParams.keys() ?? [])];
  const cursor = parameters.find((name) => linkCursorNames.has(name));
  if (isLink(run.read('lists.nextLink', body))) run.confirm('lists.nextLink');
  else if (link !== undefined && cursor !== undefined) {
    run.contradict('lists.nextLink', `a next link stands at ${link.pointer}`, [link.pointer]);
    run.compare('lists.cursor', cursor, `the next link carries ${cursor}`);
  }
}

function isLink(value: unknown): boolean {
  return typeof value === 'string' && /^(?:https?:\/\/|\/|\?)/.test(value) && URL.canParse(value, 'http://service');
}

/** Checks where an answer describes its page. */
export function checkReport(run: CheckRun, row: keyof typeof reportNames & PointerRow, body: unknown): void {
  const accepts = (value: unknown): boolean =>
    row === 'lists.nextCursor' ? (textOrNumber(value) ?? '') !== '' : numberText(value) !== undefined;
  if (accepts(run.read(row, body))) return run.confirm(row);
  const node = findNode(body, reportNames[row], accepts);
  if (node === undefined) run.skip(row, 'no answer carried it');
  else run.contradict(row, `it stands at ${node.pointer}`, [node.pointer]);
}
