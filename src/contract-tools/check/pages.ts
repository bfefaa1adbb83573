import { contractOfList } from '../operation-kinds.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Contract, ListName, PageStyle, RowId } from '../../contract/contract.ts';
import { rowOfList } from '../../contract/list-rows.ts';
import { listNames } from '../../contract/operation-rows.ts';
import { normalizeName, usualSpellings } from '../usual-names.ts';
import { compilePointers, type Walk } from '../../upstream/index.ts';
import type { CheckRun } from './check-run.ts';
import type { PathSource, Service } from './from-service.ts';
import { walkFirst } from '../propose/json-nodes.ts';

/** Records that each page of a trial is asked to have. */
const trialSize = 2;
const maxTrials = { first: 10, further: 5 };

type Rows = Readonly<Record<string, unknown>>;
type Parameter = 'page' | 'perPage' | 'offset' | 'limit' | 'cursor';

/** Whether two pages of the size asked for came, with records that differ. */
const isPaged = ({ pages, error }: Walk): boolean =>
  error === undefined && pages.length > 1 && pages[0] === trialSize && pages[1] !== 0;
/** The same of pages with a size of their own. */
const isFixed = ({ pages, error }: Walk): boolean =>
  error === undefined && pages.length > 1 && (pages[0] ?? 0) > trialSize && pages[1] !== 0;
/** The same, whatever the size of the pages. */
const isLong = (walk: Walk): boolean => isPaged(walk) || isFixed(walk);
const isShort = ({ pages: [first = 0, second = 0], error, isWhole }: Walk): boolean =>
  error === undefined && isWhole && first <= trialSize && second === 0;

/** The page style that the customers' list has shown, for a list of which nothing else is known. */
export function likelyStyle(run: CheckRun, list: ListName): Rows {
  const row = `${list}.pageStyle` as const;
  const style = run.corrections.get('listCustomers.pageStyle');
  return style === undefined || run.isStated(row) || run.corrections.has(row) ? {} : { [row]: style };
}

/** Finds out how a list is paged, by walking its first pages as the gateway would. `body`: the answer to its first read. */
export async function checkPages(
  run: CheckRun,
  service: Service,
  list: ListName,
  body: unknown,
  parent?: PathSource,
): Promise<void> {
  const style = `${list}.pageStyle` as const;
  const walk = (rows: Rows, maxPages = 2): Promise<Walk> =>
    service.walk({ ...run.contract(), ...rows }, { operation: list, id: parent?.id }, trialSize, maxPages, parent);
  /** Finds the name of the page size for pages that are found: one page of its size is enough. */
  const findSize = async (rows: Rows): Promise<Rows | undefined> => {
    for (const size of sizesOf(run, list, body)) {
      const { pages, error } = await walk({ ...rows, ...size }, 1);
      if (error === undefined && pages[0] === trialSize) return { ...rows, ...size };
    }
    return undefined;
  };
  const take = async (rows: Rows): Promise<void> => {
    confirmPages(run, list, rows);
    if (await isFromZero(run, walk, list)) run.correct('lists.firstPage', 0, 'page 0 has records that page 1 has not');
  };
  const likely = likelyStyle(run, list);
  const first = await walk(likely);
  if (isPaged(first)) return take(likely);
  if (isShort(first)) return run.skip(style, short);
  if (first.pages.length === 0 && first.error === undefined) return run.skip(style, 'no answer');
  if (run.contract()[style] === 'none' && first.error === undefined) return run.confirm(style);
  const limit = list === 'listCustomers' ? maxTrials.first : maxTrials.further;
  let fixed = isFixed(first) ? likely : undefined;
  for (const rows of fixed === undefined ? candidates(run, list, body).slice(0, limit) : []) {
    if (service.callsLeft() === 0) return run.skip(style, 'the calls were used up');
    const found = await walk(rows);
    if (isPaged(found)) return take(rows);
    if (isShort(found)) return run.skip(style, short);
    if (isFixed(found)) fixed = rows;
    if (fixed !== undefined) break;
  }
  const [count = 0] = first.pages;
  if (fixed !== undefined) {
    const { 'lists.perPage': sizeName, 'lists.maxPageSize': largest } = contractOfList(run.contract(), list);
    const isKnown = sizeName === null && largest === count;
    const sized = isKnown ? undefined : await findSize(fixed);
    await take(sized ?? fixed);
    return sized === undefined ? fixSize(run, list, count) : undefined;
  }
  if (first.isWhole && saysWhole(run.contract(), list, body, count)) return run.confirm(style);
  const question = 'none, if one answer is the whole list; else see lists.page, lists.offset and lists.cursor';
  run.leave(style, question, 'no second page was found under a usual name');
}

const short = 'the list is shorter than a page';

/** Whether an answer says itself that it is the whole list. */
function saysWhole(contract: Contract, list: ListName, body: unknown, count: number): boolean {
  const totals = contractOfList(contract, list)['lists.total'];
  return walkFirst(body).some(({ pointer, value }) => totals.includes(pointer) && Number(value) === count);
}

function rowsOfStyle(style: PageStyle): readonly Parameter[] {
  if (style === 'page') return ['page', 'perPage'];
  if (style === 'offset') return ['offset', 'limit'];
  return style === 'cursor' ? ['cursor', 'limit'] : [];
}

/** Whether pages are counted from 0: asked so, the first two pages differ. Only the list of customers is asked. */
async function isFromZero(run: CheckRun, walk: (rows: Rows) => Promise<Walk>, list: ListName): Promise<boolean> {
  const contract = run.contract();
  const isAsked = list === 'listCustomers' && contract['listCustomers.pageStyle'] === 'page';
  return isAsked && contract['lists.firstPage'] === 1 && isLong(await walk({ 'lists.firstPage': 0 }));
}

/** Confirms the rows of pages that were found, and corrects those that differ. */
function confirmPages(run: CheckRun, list: ListName, rows: Rows): void {
  const style = (rows[`${list}.pageStyle`] ?? run.contract()[`${list}.pageStyle`]) as PageStyle;
  for (const [row, value] of Object.entries(rows)) correctPage(run, list, row as RowId, value);
  run.confirm(`${list}.pageStyle`);
  for (const name of rowsOfStyle(style)) run.confirm(rowOfList(run.contract(), list, `lists.${name}`));
  if (style === 'page' && list === 'listCustomers') run.confirm('lists.firstPage');
}

/** Corrects a list's row, or the one of all lists where none has shown that it is right. */
function correctPage(run: CheckRun, list: ListName, own: RowId, value: unknown): void {
  const shared = own.replace(list, 'lists') as RowId;
  const isStyle = own.endsWith('.pageStyle');
  const inForce = isStyle ? run.contract()[own] : contractOfList(run.contract(), list)[shared as 'lists.page'];
  if (isDeepStrictEqual(inForce, value)) return;
  const isShown = run.findings.get(shared)?.state === 'confirmed' || run.corrections.has(shared);
  const isOwn = isStyle || (value !== null && isShown);
  run.correct(
    isOwn ? own : shared,
    value,
    isStyle ? `pages are found by ${String(value)}` : `a second page is found by ${String(value)}`,
  );
}

/** Pages of a size that no parameter changes. */
function fixSize(run: CheckRun, list: ListName, size: number): void {
  if (run.contract()[`${list}.pageStyle`] === 'page') correctPage(run, list, `${list}.perPage`, null);
  correctPage(run, list, `${list}.maxPageSize`, size);
}

/** The names of the page size, where pages are found but have another size than asked for. */
function sizesOf(run: CheckRun, list: ListName, body: unknown): readonly Rows[] {
  const row = run.contract()[`${list}.pageStyle`] === 'page' ? 'perPage' : 'limit';
  const names = rank(body, usualSpellings(`lists.${row}`));
  return names.slice(0, 6).map((name) => ({ [`${list}.${row}`]: name }));
}

/** Rows under which the list may be paged, the likeliest first: as other lists are, then by the names in its answer. */
function candidates(run: CheckRun, list: ListName, body: unknown): readonly Rows[] {
  const contract = contractOfList(run.contract(), list);
  const names = (parameter: Parameter): readonly string[] =>
    rank(
      body,
      [contract[`lists.${parameter}`] ?? '', ...usualSpellings(`lists.${parameter}`)].filter((name) => name !== ''),
    );
  const proven = listNames
    .map((other) => run.contract()[`${other}.pageStyle`])
    .find((style) => style !== 'page' && style !== 'undecided');
  const [size = 'limit', second = 'limit', third = 'limit'] = names('limit');
  const inForce = run.contract()[`${list}.pageStyle`];
  // A style that the file states is a person's: only its parameters are looked for.
  const styles = run.isStated(`${list}.pageStyle`)
    ? [inForce]
    : [...new Set([...(proven === undefined ? [] : [proven]), ...stylesIn(body, contract)])];
  const own = (rows: Rows): Rows =>
    Object.fromEntries(Object.entries(rows).map(([name, value]) => [`${list}.${name}`, value]));
  const from = hasToken(body, contract) ? 'answer' : 'lastRecord';
  const of = (style: PageStyle, sized: string): readonly Rows[] => {
    const rowsWith = (parameter: Parameter, count: number, rows: Rows): readonly Rows[] =>
      names(parameter)
        .slice(0, count)
        .map((name) => own({ pageStyle: style, [parameter]: name, ...rows }));
    if (style === 'page') return rowsWith('page', 3, { perPage: sized });
    if (style === 'offset') return rowsWith('offset', 2, { limit: sized });
    return rowsWith('cursor', from === 'answer' ? 5 : 3, { limit: sized, cursorFrom: from });
  };
  const [likely = 'page', ...others] = styles;
  return [
    ...of(likely, size),
    ...of(likely, second).slice(0, 1),
    ...others.flatMap((style) => of(style, size)),
    ...of(likely, third).slice(0, 1),
  ];
}

function hasToken(body: unknown, contract: Contract): boolean {
  const pointers = [...contract['lists.nextCursor'], ...contract['lists.nextLink']];
  return pointers.some((pointer) => compilePointers([pointer]).read(body) !== undefined);
}

/** The styles that an answer may have, the likeliest first. */
function stylesIn(body: unknown, contract: Contract): readonly PageStyle[] {
  const names = walkFirst(body).map(({ name }) => name.toLowerCase());
  const links = parametersIn(body);
  const isCursor =
    hasToken(body, contract) &&
    !links.some((name) => /page(?!.*(?:after|cursor|token|size|limit))|offset|skip/i.test(name));
  const hasMore = walkFirst(body).some(({ pointer }) => contract['lists.hasMore'].includes(pointer));
  const isOffset = [...names, ...links].some((name) => /offset|skip/i.test(name));
  const isPage = names.some((name) => /page/.test(name));
  const first: PageStyle = isOffset ? 'offset' : isCursor || (hasMore && !isPage) ? 'cursor' : 'page';
  return [...new Set<PageStyle>([first, 'page', 'offset', 'cursor'])];
}

/** The names of the parameters in an answer's links. */
function parametersIn(body: unknown): readonly string[] {
  const links = walkFirst(body).filter(
    ({ value }) => typeof value === 'string' && /^(?:https?:\/\/|\/|\?).*\?/.test(value),
  );
  return links.flatMap(({ value }) => [...(URL.parse(String(value), 'http://service')?.searchParams.keys() ?? [])]);
}

/** Names in a link of the answer come first, then those that are a key of it, such as `perPage`. */
function rank(body: unknown, names: readonly string[]): readonly string[] {
  const links = new Set(parametersIn(body));
  const keys = new Set(walkFirst(body).map(({ name }) => normalizeName(name)));
  // Resources of JSON:API come with parameters in brackets.
  const isBracketed = keys.has('attributes') || [...links].some((name) => name.includes('['));
  const score = (name: string): number =>
    Number(links.has(name)) * 4 +
    Number(name.includes('[') === isBracketed) * 2 +
    Number(keys.has(normalizeName(name)));
  return [...new Set(names)].toSorted((one, other) => score(other) - score(one));
}
