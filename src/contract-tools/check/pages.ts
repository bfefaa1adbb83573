import { isDeepStrictEqual } from 'node:util';
import type { ListName, PageStyle, RowId } from '../../contract/contract.ts';
import { rowOfList } from '../../contract/list-rows.ts';
import { listNames } from '../../contract/operation-rows.ts';
import { compilePointers, isRecord, recordsOf, type Walk } from '../../upstream/index.ts';
import { judge } from '../judge.ts';
import { contractOfList } from '../operation-kinds.ts';
import { walkFirst } from '../propose/json-nodes.ts';
import { isSuccess } from '../sample.ts';
import { normalizeName, usualSpellings } from '../usual-names.ts';
import type { CheckRun } from './check-run.ts';
import type { PathSource, Question } from './from-service.ts';

/** Records that each page of a trial is asked to have. */
const trialSize = 2;
const short = 'the list is shorter than a page';

/** The styles that have parameters: each is named as its parameter of the position is. */
type PagedStyle = Exclude<PageStyle, 'none' | 'undecided'>;
type Property = PagedStyle | 'pageStyle' | 'perPage' | 'limit' | 'cursorFrom' | 'maxPageSize' | 'firstPage';
/** Rows under which a list may be paged, by their names behind that of the list. */
type Trial = Readonly<Partial<Record<Property, unknown>>>;

const isPaged = (style: PageStyle): style is PagedStyle => style !== 'none' && style !== 'undecided';
const sizeProperty = (style: PageStyle) => (style === 'page' ? 'perPage' : 'limit');

/** Whether two pages with different records came. */
const isLong = ({ pages: [count = 0, second = 0], error }: Walk): boolean =>
  error === undefined && count >= trialSize && second !== 0;
const isShort = ({ pages: [count = 0, second = 0], error, isWhole }: Walk): boolean =>
  error === undefined && isWhole && count <= trialSize && second === 0;

/** The page style that the customers' list has shown, for a list of which nothing else is known. */
function likelyStyle(run: CheckRun, list: ListName): PageStyle {
  const row = `${list}.pageStyle` as const;
  const isKnown = run.isStated(row) || run.corrections.has(row);
  return run.contract()[isKnown || !run.corrections.has('listCustomers.pageStyle') ? row : 'listCustomers.pageStyle'];
}

/** The records of a list. A list that is undecided is read without its pages. */
export async function readList(run: CheckRun, list: ListName, parent?: PathSource): Promise<readonly unknown[]> {
  const style = `${list}.pageStyle` as const;
  const isUndecided = run.contract()[style] === 'undecided';
  const question = { operation: list, id: parent?.id, parent, first: 100 };
  const read = async (rows: object) => {
    const sample = await run.read(question, { ...run.contract(), ...rows });
    const records = sample === undefined || !isSuccess(sample) ? [] : recordsOf(run.contract(), list, sample.body);
    return { sample, records };
  };
  let answer = await read({ [style]: isUndecided ? 'none' : likelyStyle(run, list) });
  if (answer.sample === undefined) run.skip(`${list}.path`, 'no answer');
  // A service that refuses a size, or parameters that it does not know, is read without any first.
  if (answer.sample?.status === 400 || answer.sample?.status === 422) answer = await read({ [style]: 'none' });
  const isEmpty = answer.sample !== undefined && isSuccess(answer.sample) && answer.records.length === 0;
  if (isEmpty && run.contract()[style] === 'page' && list === 'listCustomers') {
    answer = await read({ 'lists.firstPage': 0 });
    if (answer.records.length > 0) run.correct('lists.firstPage', 0, 'page 1 is empty, page 0 is not');
  }
  if (answer.records.length === 0 || isUndecided) return answer.records;
  await checkPages(run, list, answer.sample?.body, parent);
  return [...(await checkSize(run, list, question)), ...answer.records];
}

/** Finds out how a list is paged, by walking its first pages as the gateway would. `body`: the answer to its first read. */
async function checkPages(run: CheckRun, list: ListName, body: unknown, parent?: PathSource): Promise<void> {
  const style = `${list}.pageStyle` as const;
  const walk = (trial: Trial): Promise<Walk> => {
    const rows = Object.fromEntries(Object.entries(trial).map(([property, value]) => [`${list}.${property}`, value]));
    return run.walk({ ...run.contract(), ...rows }, { operation: list, id: parent?.id }, trialSize, 2, parent);
  };
  const inForce = likelyStyle(run, list);
  const first = await walk({ pageStyle: inForce });
  if (first.pages.length === 0 && first.error === undefined) return run.skip(style, 'no answer');
  if (isShort(first)) return run.skip(style, short);
  const total = Number(compilePointers(contractOfList(run.contract(), list)['lists.total']).read(body));
  const isWhole = inForce === 'none' || (first.isWhole && total === first.pages[0]);
  if (isWhole && first.error === undefined) return run.confirm(style);
  const most = list === 'listCustomers' ? 10 : 5;
  const contract = contractOfList(run.contract(), list);
  const tried = contract[`lists.${sizeProperty(inForce)}`] ?? undefined;
  const isOwnSize = first.pages[0] === contract['lists.maxPageSize'];
  const names = isOwnSize ? [] : namesOf(run, list, 'limit', body).filter((name) => name !== tried);
  const question = { operation: list, id: parent?.id, parent };
  const size = first.pages[0] === trialSize ? tried : await findSize(run, question, names.slice(0, 5));
  const trials = pageTrials(run, list, body).slice(0, most);
  for (const trial of [{ pageStyle: inForce }, ...trials]) {
    const sized = { ...trial, ...(size !== undefined && { [sizeProperty(trial.pageStyle)]: size }) };
    // What was asked before is not sent again.
    const pages = await walk(sized);
    if (isShort(pages)) return run.skip(style, short);
    if (isLong(pages)) return takePages(run, list, { ...sized, ...ownSize(trial.pageStyle, pages) }, walk);
    if (run.callsLeft() === 0) return run.skip(style, 'the calls were used up');
  }
  // A list that gave as few records as asked for is no whole answer.
  const none = size === undefined ? 'none, if one answer is the whole list; else ' : '';
  const choice = `${none}see lists.page, lists.offset and lists.cursor`;
  run.leave(style, choice, 'no second page was found under a usual name');
}

/** The name of the page size: alone, as in the first page of a list with cursors, it gives as many records as asked for. */
async function findSize(
  run: CheckRun,
  question: Question & { readonly operation: ListName },
  names: readonly string[],
) {
  const { operation: list } = question;
  for (const name of names) {
    const rows = { [`${list}.pageStyle`]: 'cursor', [`${list}.limit`]: name };
    const sample = await run.probe({ ...question, first: trialSize }, { ...run.contract(), ...rows });
    if (recordsOf(run.contract(), list, sample?.body).length === trialSize) return name;
  }
  return undefined;
}

/** Rows of pages that have another size than asked for, which no parameter changes. */
function ownSize(style: PageStyle, { pages: [count] }: Walk): Trial {
  return count === trialSize ? {} : { ...(style === 'page' && { perPage: null }), maxPageSize: count };
}

/** Rows under which a list may be paged, the likeliest first: as other lists are, then by the names in its answer. */
function pageTrials(run: CheckRun, list: ListName, body: unknown) {
  const contract = contractOfList(run.contract(), list);
  const has = (...pointers: readonly string[]): boolean => compilePointers(pointers).read(body) !== undefined;
  const hasToken = has(...contract['lists.nextCursor'], ...contract['lists.nextLink']);
  const names = [...parametersIn(body), ...walkFirst(body).map(({ name }) => name)];
  const isNamed = (words: RegExp): boolean => names.some((name) => words.test(name));
  const isCursor = hasToken || (has(...contract['lists.hasMore']) && !isNamed(/page/i));
  const proven = listNames.map((other) => contract[`${other}.pageStyle`]).filter((style) => style !== 'page');
  const guess = isNamed(/offset|skip/i) ? 'offset' : isCursor ? 'cursor' : 'page';
  // A style that the file states is a person's: only its parameters are looked for.
  const styles: readonly PageStyle[] = run.isStated(`${list}.pageStyle`)
    ? [contract[`${list}.pageStyle`]]
    : [...proven, guess, 'page', 'offset', 'cursor'];
  const counts = { page: 3, offset: 2, cursor: hasToken ? 5 : 3 };
  const cursorFrom = hasToken ? 'answer' : 'lastRecord';
  return [...new Set(styles.filter(isPaged))].flatMap((pageStyle) =>
    namesOf(run, list, pageStyle, body)
      .slice(0, counts[pageStyle])
      .map((name) => ({ pageStyle, [pageStyle]: name, ...(pageStyle === 'cursor' && { cursorFrom }) })),
  );
}

/** The names of the parameters in an answer's links. */
function parametersIn(body: unknown): readonly string[] {
  const links = walkFirst(body).filter(
    ({ value }) => typeof value === 'string' && /^(?:https?:\/\/|\/|\?).*\?/.test(value),
  );
  return links.flatMap(({ value }) => [...(URL.parse(String(value), 'http://service')?.searchParams.keys() ?? [])]);
}

/** The names that a parameter may have: those in links of the answer first, then keys of it, such as `perPage`. */
function namesOf(run: CheckRun, list: ListName, property: PagedStyle | 'limit', body: unknown): readonly string[] {
  const links = new Set(parametersIn(body));
  const keys = new Set(walkFirst(body).map(({ name }) => normalizeName(name)));
  // Resources of JSON:API come with parameters in brackets.
  const isBracketed = keys.has('attributes') || [...links].some((name) => name.includes('['));
  const score = (name: string): number =>
    Number(links.has(name)) * 4 +
    Number(name.includes('[') === isBracketed) * 2 +
    Number(keys.has(normalizeName(name)));
  const names = [contractOfList(run.contract(), list)[`lists.${property}`], ...usualSpellings(`lists.${property}`)];
  return [...new Set(names)].toSorted((one, other) => score(other) - score(one));
}

/** Corrects the rows of pages that differ from those that were found, and confirms the others. */
async function takePages(
  run: CheckRun,
  list: ListName,
  trial: Trial,
  walk: (trial: Trial) => Promise<Walk>,
): Promise<void> {
  for (const [property, value] of Object.entries(trial))
    correctOf(run, list, property as Property, value, `pages are found by ${String(value)}`); // a trial's keys
  const style = run.contract()[`${list}.pageStyle`];
  run.confirm(`${list}.pageStyle`);
  for (const property of isPaged(style) ? ([style, sizeProperty(style)] as const) : [])
    run.confirm(rowOfList(run.contract(), list, `lists.${property}`));
  if (style !== 'page' || list !== 'listCustomers') return;
  run.confirm('lists.firstPage');
  const isFromZero = run.contract()['lists.firstPage'] === 1 && isLong(await walk({ firstPage: 0 }));
  if (isFromZero) run.correct('lists.firstPage', 0, 'page 0 has records that page 1 has not');
}

/** Corrects a list's row, or the one of all lists where none has shown that it is right. */
function correctOf(run: CheckRun, list: ListName, property: Property, value: unknown, seen: string): void {
  const own: RowId = `${list}.${property}`;
  const shared = property === 'pageStyle' ? own : (`lists.${property}` as const);
  const inForce: unknown = contractOfList(run.contract(), list)[shared];
  if (isDeepStrictEqual(inForce, value)) return;
  const isShown = run.findings.get(shared)?.state === 'confirmed' || run.corrections.has(shared);
  // An own row that is null means that of all lists.
  run.correct(isShown && value !== null ? own : shared, value, seen);
}

/** Finds the largest page of a list: one with fewer records than asked for although more follow, or one not refused. */
async function checkSize(run: CheckRun, list: ListName, question: Question): Promise<readonly unknown[]> {
  const row = rowOfList(run.contract(), list, 'lists.maxPageSize');
  const { 'lists.maxPageSize': largest, [`${list}.pageStyle` as const]: style } = contractOfList(run.contract(), list);
  for (const size of isPaged(style) ? [largest, 50, 20].filter((each) => each <= largest) : []) {
    const sample = await run.read({ ...question, first: size });
    if (sample === undefined || !isSuccess(sample)) continue;
    const { value } = (await judge(sample, run.contract(), size)).reading;
    const records = recordsOf(run.contract(), list, sample.body);
    const { length } = records;
    const hasNext = isRecord(value) && value['hasNextPage'] === true;
    const isFound = run.findings.get(`${list}.pageStyle`)?.state !== 'not observable';
    if (size < largest) correctOf(run, list, 'maxPageSize', size, `a page of more than ${size} is refused`);
    else if (length >= largest) run.confirm(row);
    else if (hasNext && isFound) correctOf(run, list, 'maxPageSize', length, `a page holds at most ${length}`);
    else run.skip(row, short);
    return records;
  }
  return [];
}
