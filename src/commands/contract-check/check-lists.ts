import type { ListName, RowId } from '../../contract/contract.ts';
import { isRecord, type PointerRow } from '../../upstream/decoding/field-decoders.ts';
import { numberText, textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { toQuery } from '../../upstream/decoding/request-path.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { findRead, isSuccess } from './check-paths.ts';
import type { Seen, Session } from './check-session.ts';
import { bare, shapeOf, walk } from './json-shape.ts';

const few = 2;
const many = 100;

/** Names of what a list says of itself, without case, hyphens and underscores. */
const reportNames = {
  'lists.total': ['total', 'totalcount', 'totalrecords', 'totalitems', 'totalresults'],
  'lists.currentPage': ['currentpage', 'page', 'pagenumber'],
  'lists.lastPage': ['lastpage', 'totalpages', 'pagecount', 'pages'],
  'lists.pageSize': ['perpage', 'pagesize', 'limit'],
  'lists.nextCursor': ['nextcursor', 'nexttoken', 'nextpagetoken', 'cursor'],
} as const satisfies Partial<Record<RowId, readonly string[]>>;

/** A text that no record has: what still comes back was not filtered. */
const nonsense = 'settlement-graph-check-nothing';
const filterNames = {
  'listCustomers.search': ['search', 'q', 'query', 'keyword'],
  'listSettlementBanks.search': ['search', 'q', 'query', 'keyword'],
  'listCustomerTransactions.type': ['type'],
} as const;

const filterRows: Readonly<Partial<Record<ListName, keyof typeof filterNames>>> = {
  listCustomers: 'listCustomers.search',
  listSettlementBanks: 'listSettlementBanks.search',
  listCustomerTransactions: 'listCustomerTransactions.type',
};

const sizeNames = ['limit', 'per_page', 'page_size', 'size'];
const cursorNames = ['cursor', 'after', 'page_token', 'next_cursor'];

type Parameters = Readonly<Record<string, string>>;

/** How pages of one list are asked for during a check. */
interface AttemptCallback {
  readonly name: ListName;
  readonly ask: (parameters: Parameters) => Promise<readonly unknown[] | undefined>;
  /** The last answer that `ask` got. */
  readonly seen: () => Seen;
}

/** Finds a list, its records and, once, the style of the service's pages. Returns the records of a first page. */
export async function checkList(
  session: Session,
  name: ListName,
  id?: string,
): Promise<readonly unknown[] | undefined> {
  const first = await findRead(session, name, id, toQuery(firstPage(session)));
  if (first === undefined) return undefined;
  const records = recordsIn(session, first.body);
  if (records === undefined) return undefined;
  const asker = createAsker(session, name, id, first);
  if (name === 'listCustomers') await learnStyle(session, asker, records);
  else confirmStyle(session, name, first, records);
  if (records.length > 0) await checkFilter(session, asker);
  return records;
}

function createAsker(session: Session, name: ListName, id: string | undefined, first: Seen): AttemptCallback {
  let seen = first;
  const ask = async (parameters: Parameters): Promise<readonly unknown[] | undefined> => {
    const path = session.contract()[`${name}.path`];
    const as = session.contract()[`${name}.credentials`];
    seen = await session.probe({ method: 'GET', path, identifier: id, query: toQuery(parameters), as });
    return isSuccess(session, seen) ? recordsIn(session, seen.body) : undefined;
  };
  return { name, ask, seen: () => seen };
}

/** A first page of two records in the style that the contract has so far. */
function firstPage(session: Session): Parameters {
  const contract = session.contract();
  const style = contract['listCustomers.pageStyle'];
  if (style === 'none') return {};
  if (style === 'page') return { [contract['lists.page']]: '1', [contract['lists.perPage']]: String(few) };
  const offset = style === 'offset' ? { [contract['lists.offset']]: '0' } : {};
  return { ...offset, [contract['lists.limit']]: String(few) };
}

/** The array of records in an answer: where the contract looks, else the nearest array of objects. */
function recordsIn(session: Session, body: unknown): readonly unknown[] | undefined {
  for (const pointer of session.contract()['lists.records']) {
    const found = compilePointers([pointer]).read(body);
    if (!Array.isArray(found)) continue;
    session.confirm('lists.records');
    return found;
  }
  const hit = walk(body).find(({ value }) => Array.isArray(value) && (value.length === 0 || isRecord(value[0])));
  if (hit === undefined) {
    session.contradict('lists.records', `no array of records in ${shapeOf(body)}`);
    return undefined;
  }
  session.contradict('lists.records', `they stand at ${hit.pointer || 'the top'}`, [hit.pointer]);
  return Array.isArray(hit.value) ? hit.value : undefined;
}

/** The list that has the most records tells the style; it is the service's, so every other list is corrected with it. */
async function learnStyle(session: Session, asker: AttemptCallback, first: readonly unknown[]): Promise<void> {
  for (const row of ['lists.total', 'lists.nextCursor'] as const) checkReport(session, row, asker.seen().body);
  const style =
    (await tryAsContracted(session, asker, first)) ??
    (await tryCursor(session, asker)) ??
    (await tryCounted(session, asker));
  const row = `${asker.name}.pageStyle` as const;
  if (style === undefined) {
    if (first.length > few)
      session.contradict(row, 'the page size asked for is not kept, and no other style was found');
    else session.leave(row, 'too few records to tell');
    return;
  }
  if (style === session.contract()[row]) session.confirm(row);
  else session.contradict(row, `pages are read by ${style}`, style);
  for (const report of ['lists.currentPage', 'lists.lastPage', 'lists.pageSize'] as const) {
    checkReport(session, report, asker.seen().body);
  }
  await learnCap(session, asker);
}

/** The second page differs from the first and both keep to the size asked for: the contract is right. */
async function tryAsContracted(
  session: Session,
  asker: AttemptCallback,
  first: readonly unknown[],
): Promise<string | undefined> {
  if (first.length !== few) return undefined;
  const contract = session.contract();
  const style = contract[`${asker.name}.pageStyle`];
  const token = tokenIn(session, asker.seen().body);
  const seconds: Readonly<Record<string, Parameters>> = {
    page: { [contract['lists.page']]: '2', [contract['lists.perPage']]: String(few) },
    offset: { [contract['lists.offset']]: String(few), [contract['lists.limit']]: String(few) },
    cursor: { [contract['lists.cursor']]: token ?? '', [contract['lists.limit']]: String(few) },
  };
  const second = seconds[style] === undefined ? undefined : await asker.ask(seconds[style]);
  if (!isOtherPage(first, second)) return undefined;
  confirmParameters(session, style);
  return style;
}

function confirmParameters(session: Session, style: string): void {
  const rows: readonly RowId[] =
    style === 'page'
      ? ['lists.page', 'lists.perPage']
      : [style === 'offset' ? 'lists.offset' : 'lists.cursor', 'lists.limit'];
  for (const row of rows) session.confirm(row);
}

async function tryCursor(session: Session, asker: AttemptCallback): Promise<string | undefined> {
  if (tokenIn(session, asker.seen().body) === undefined && session.findings.get('lists.nextCursor') === undefined) {
    return undefined;
  }
  for (const size of sizeNames) {
    const first = await asker.ask({ [size]: String(few) });
    const token = tokenIn(session, asker.seen().body);
    if (first?.length !== few || token === undefined) continue;
    for (const name of cursorNames) {
      if (!isOtherPage(first, await asker.ask({ [name]: token, [size]: String(few) }))) continue;
      correct(session, 'lists.limit', size);
      correct(session, 'lists.cursor', name);
      return 'cursor';
    }
  }
  return undefined;
}

/** The styles that count records or pages, with the names they usually go by, and how to ask for the first two pages. */
const countedStyles = [
  { style: 'offset', row: 'lists.offset', sizeRow: 'lists.limit', name: 'offset', first: '0', second: String(few) },
  { style: 'page', row: 'lists.page', sizeRow: 'lists.perPage', name: 'page', first: '1', second: '2' },
] as const;

async function tryCounted(session: Session, asker: AttemptCallback): Promise<string | undefined> {
  for (const { style, row, sizeRow, name, first, second } of countedStyles) {
    for (const size of sizeNames) {
      const records = await asker.ask({ [size]: String(few), [name]: first });
      if (records?.length !== few) continue;
      if (!isOtherPage(records, await asker.ask({ [size]: String(few), [name]: second }))) continue;
      correct(session, sizeRow, size);
      correct(session, row, name);
      return style;
    }
  }
  return undefined;
}

function correct(
  session: Session,
  row: 'lists.limit' | 'lists.cursor' | 'lists.offset' | 'lists.perPage' | 'lists.page',
  name: string,
): void {
  if (session.contract()[row] === name) session.confirm(row);
  else session.contradict(row, `the parameter is ${name}`, name);
}

function isOtherPage(first: readonly unknown[], second: readonly unknown[] | undefined): boolean {
  if (second === undefined || second.length === 0 || second.length > few) return false;
  const known = new Set(first.map(keyOf));
  return second.every((record) => !known.has(keyOf(record)));
}

/** Tells records apart. A hostile one may be too deep to write down; such ones count as the same. */
function keyOf(record: unknown): string {
  try {
    return JSON.stringify(record);
  } catch {
    return '';
  }
}

/** Asks for a hundred: fewer, though more follow, is the service's cap. */
async function learnCap(session: Session, asker: AttemptCallback): Promise<void> {
  const contract = session.contract();
  const style = contract[`${asker.name}.pageStyle`];
  const size = style === 'page' ? contract['lists.perPage'] : contract['lists.limit'];
  const records = await asker.ask({ [size]: String(many) });
  const { body } = asker.seen();
  const row = 'lists.maxPageSize';
  if (records === undefined || records.length === 0) return session.leave(row, 'a page of a hundred was not answered');
  const hasMore = hasMoreThan(session, body, records.length);
  if (records.length === many || (hasMore && records.length === contract[row])) session.confirm(row);
  else if (hasMore) session.contradict(row, `a page holds at most ${records.length}`, records.length);
  else session.leave(row, 'the list is shorter than a page');
}

/**
 * Every other list is taken to be paged as the customers' list is, and was asked so: its first page shows whether it
 * keeps the size.
 */
function confirmStyle(session: Session, name: ListName, { body }: Seen, records: readonly unknown[]): void {
  const hasMore = hasMoreThan(session, body, few);
  const row = `${name}.pageStyle` as const;
  const style = session.contract()['listCustomers.pageStyle'];
  if (records.length > few) session.contradict(row, 'the page size asked for is not kept');
  else if (style !== session.contract()[row]) session.contradict(row, `pages are read by ${style}`, style);
  else if (records.length === few && hasMore) session.confirm(row);
  else session.leave(row, 'too few records to tell');
}

/** Tries the parameters that may filter a list with a text that nothing matches: an empty page shows the one that does. */
async function checkFilter(session: Session, asker: AttemptCallback): Promise<void> {
  const row = filterRows[asker.name];
  if (row === undefined) return;
  const contracted = session.contract()[row];
  const learnt = session.contract()['listCustomers.search'];
  const isSearch = row !== 'listCustomerTransactions.type';
  const usual: readonly string[] =
    contracted !== null ? [contracted] : isSearch && learnt !== null ? [learnt] : filterNames[row];
  for (const name of usual) {
    const left = await asker.ask({ ...firstPage(session), [name]: nonsense });
    if (left?.length !== 0) continue;
    if (name === contracted) session.confirm(row);
    else session.contradict(row, `the parameter ${name} filters`, name);
    return;
  }
  if (contracted === null) session.leave(row, 'no parameter was found that filters');
  else session.contradict(row, `the parameter ${contracted} does not filter`, null);
}

/** Whether an answer says that its list goes on behind so many records. */
function hasMoreThan(session: Session, body: unknown, count: number): boolean {
  const total = Number(numberText(compilePointers(session.contract()['lists.total']).read(body)) ?? 0);
  return total > count || tokenIn(session, body) !== undefined;
}

function tokenIn(session: Session, body: unknown): string | undefined {
  const value = compilePointers(session.contract()['lists.nextCursor']).read(body);
  return textOrNumber(value) || undefined;
}

/** Whether a list reports something where the contract looks, or elsewhere. */
function checkReport(session: Session, row: keyof typeof reportNames & PointerRow, body: unknown): void {
  const isToken = row === 'lists.nextCursor';
  const accepts = (value: unknown): boolean =>
    isToken ? (textOrNumber(value) ?? '') !== '' : numberText(value) !== undefined;
  if (accepts(compilePointers(session.contract()[row]).read(body))) return session.confirm(row);
  const names: readonly string[] = reportNames[row];
  const hit = walk(body).find(({ name, value }) => names.includes(bare(name)) && accepts(value));
  if (hit === undefined) session.leave(row, 'no answer carried it');
  else session.contradict(row, `it stands at ${hit.pointer}`, [hit.pointer]);
}
