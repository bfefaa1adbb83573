import { countingParameters } from '../../../contract/addressing.ts';
import { contractOfList, rowOfList, type ListName, type PageStyle } from '../../../contract/contract.ts';
import { compilePointers } from '../../../upstream/decoding/json-pointer.ts';
import {
  checkReport,
  compareSigns,
  findCursorLink,
  hasSignOfMore,
  linkedNames,
  tokenNames,
} from './check-page-report.ts';
import { checkMaxPageSize, findSize, type SizedPage } from './check-page-size.ts';
import type { CheckRun } from '../check-run.ts';
import {
  compareIn,
  createPageParameters,
  cursorNames,
  findMoreFlag,
  hasMoreThan,
  idOf,
  isOtherPage,
  readToken,
  readTotal,
  recordsAt,
  rowOfSign,
  smallSize,
  styleOf,
  type ListReader,
  type Records,
} from '../list-reader.ts';

const tooFew = 'too few records to tell';

/**
 * Finds out whether pages are counted from 0: page 0 then has other records than page 1. A service that ignores a page
 * of 0, or refuses it, counts from 1. Returns the records of the first page.
 */
export async function checkFirstPage(run: CheckRun, list: ListReader, records: Records): Promise<Records> {
  const contract = contractOfList(run.contract(), list.name);
  if (contract['listCustomers.pageStyle'] !== 'page') return records;
  const isFromOne = contract['lists.firstPage'] === 1;
  const other = await list.read(createPageParameters(run, list.name, { page: isFromOne ? -1 : 1 }));
  const [before, after] = isFromOne ? [other, records] : [records, other];
  // A service that ignores page 0 answers page 1 for it: that contradicts nothing.
  if (before === undefined || after === undefined || !isOtherPage(after, before, Infinity)) return records;
  compareIn(run, list.name, 'lists.firstPage', 0, 'page 0 has other records than page 1');
  return before;
}

/**
 * Finds the page style of a list. The customers' list, which has the most records, is searched for one even where it shows
 * no more than a small page: the other lists are read in its style first.
 */
export async function checkStyle(run: CheckRun, list: ListReader, first: Records): Promise<void> {
  const { name } = list;
  const row = `${name}.pageStyle` as const;
  const answer = list.lastAnswer();
  const { body } = answer;
  const isOfCustomers = name === 'listCustomers';
  compareSigns(run, name, body, first);
  const style = styleOf(run, name);
  const hasMore = hasMoreThan(run, name, answer, first.length);
  // A list that is read whole loses nothing; pages would, if its parameters were guessed wrongly.
  if (run.contract()[row] === 'none' && !hasMore) {
    if (isOfCustomers)
      run.proposals.set('lists.total', 'pointers, if an answer tells how many records there are: no total was seen');
    return run.skip(row, 'the list was answered whole, as far as its answer says');
  }
  if (style === 'none' && !hasMore) return run.compare(row, style, 'the list is answered whole');
  // Nothing says whether more follow: a list read by cursors would end here.
  const isSilent =
    style === 'cursor' &&
    first.length === smallSize &&
    !hasSignOfMore(run, name, body) &&
    readTotal(run, name, body) === undefined;
  const isOpen = hasMore || first.length > smallSize || (isSilent && !isOfCustomers);
  if (!isOpen && !isOfCustomers) {
    if (first.length === smallSize) await checkMaxPageSize(run, list);
    return run.skip(row, tooFew);
  }
  const second = await readSecond(run, list, first, hasMore);
  const isEnd = !isOfCustomers && hasMore && second?.length === 0;
  const isNext = isOtherPage(first, second, Math.max(first.length, smallSize));
  const isPaged = style !== 'none' && style !== 'undecided' && (isNext || isEnd);
  if (isPaged) await confirmParameters(run, list, style, first.length);
  const observedStyle = isPaged ? style : await findOwnStyle(run, list);
  if (observedStyle !== undefined) {
    run.compare(row, observedStyle, `pages are read by ${observedStyle}`);
    return checkMaxPageSize(run, list);
  }
  if (!list.isAnswered()) run.skip(row, 'no answer');
  else if (!isOpen || (!hasMore && run.isOverridden(row) && style !== 'undecided')) run.skip(row, tooFew);
  else if (hasMore || second?.length !== 0) leaveStyle(run, row, hasMore);
  else run.skip(row, 'the size asked for is not kept, and one page is all');
}

/** Lists that have shown too few records are taken to be paged as the customers' list is, once all have been read. */
export function shareStyle(run: CheckRun): void {
  for (const name of ['listSettlementBanks', 'listCustomerTransactions', 'listCustomerVirtualAccounts'] as const) {
    const row = `${name}.pageStyle` as const;
    const style = styleOf(run, name);
    if (isTooShort(run, name) && style !== run.contract()[row])
      run.contradict(row, `the customers' list is read by ${style}, and this one has shown too few records`, style);
  }
}

/** Whether a list has shown too few records to tell how it is paged. */
export function isTooShort(run: CheckRun, name: ListName): boolean {
  return run.findings.get(`${name}.pageStyle`)?.why === tooFew;
}

/**
 * No second page was found. Where nothing says that more follows, this is the whole list, or the first page of a list
 * whose paging parameters are unknown. The deployer must decide: `none` would hide the other pages of the latter, and a
 * style that the service does not have would repeat the first one for ever.
 */
function leaveStyle(run: CheckRun, row: `${ListName}.pageStyle`, hasMore: boolean): void {
  const [seen, choice] = hasMore
    ? [
        'more follows, and no parameter was found that asks for it',
        'page, offset or cursor, with the rows of its parameters: more follows than one page',
      ]
    : [
        'every page is the same, and nothing says that more follows',
        'none, if one answer is the whole list, however long it is',
      ];
  run.leave(row, seen, choice, 'undecided');
}

/** The second page by the contract; undefined in the style `cursor` where more follow and the answer has no token. */
async function readSecond(
  run: CheckRun,
  list: ListReader,
  first: Records,
  hasMore: boolean,
): Promise<Records | undefined> {
  const token = readToken(run, list.name, list.lastAnswer().body);
  if (first.length === 0 || (styleOf(run, list.name) === 'cursor' && hasMore && token === undefined)) return undefined;
  return list.read(createPageParameters(run, list.name, { page: 1, offset: first.length, token: token ?? '' }));
}

/** Confirms the parameters by which two pages were read, the first one with `count` records. */
async function confirmParameters(
  run: CheckRun,
  list: ListReader,
  style: 'page' | 'offset' | 'cursor',
  count: number,
): Promise<void> {
  const { name } = list;
  // More records than asked for, page after page: the service has a size of its own, unless the size has another name.
  if (name === 'listCustomers' && count > smallSize) {
    const sized = await findSize(run, list);
    if (sized !== undefined && (await tryCounted(run, list, sized, [style])) !== undefined) return;
  }
  run.confirm(rowOfList(run.contract(), name, `lists.${style}`));
  const sizeRow = rowOfList(run.contract(), name, style === 'page' ? 'lists.perPage' : 'lists.limit');
  if (count > smallSize) run.skip(sizeRow, 'the service keeps a page size of its own');
  else if (count === smallSize) run.confirm(sizeRow);
}

/** The style of a list that is not paged as the contract says, or not as the customers' list is. */
async function findOwnStyle(run: CheckRun, list: ListReader): Promise<PageStyle | undefined> {
  const sized = list.isAnswered() ? await findSize(run, list) : undefined;
  // A small page may have a token where the first answer was the whole list.
  if (sized !== undefined) checkReport(run, list.name, 'lists.nextCursor', sized.body, tokenNames);
  return sized && ((await tryCursors(run, list, sized)) ?? (await tryCounted(run, list, sized, ['offset', 'page'])));
}

/**
 * The cursors that an answer may have, with the parameters that may carry each: by the contract's rows, in a next link that
 * no row reads, and the last record's id beside a flag that more follows. `row` is the row that lacks `value`.
 */
function listCursorSources(run: CheckRun, name: ListName, body: unknown) {
  const contract = contractOfList(run.contract(), name);
  const link = findCursorLink(body);
  const flag = contract['lists.cursorFrom'] === 'answer' ? findMoreFlag(body) : undefined;
  return [
    {
      token: readToken(run, name, body),
      names: [...namesLikeToken(contract['lists.nextCursor'], body), ...cursorNames],
    },
    {
      token: link?.token,
      names: [link?.parameter ?? '', ...cursorNames],
      row: 'lists.nextLink' as const,
      value: [link?.pointer],
    },
    {
      token: flag?.value === true ? idOf(run, name, recordsAt(contract, body)?.at(-1)) : undefined,
      names: ['starting_after', 'after', 'cursor'],
      row: 'lists.cursorFrom' as const,
      value: 'lastRecord',
    },
  ];
}

/** A token's parameter may have its name, with or without `next`: `nextPageToken` is sent as `pageToken`. */
function namesLikeToken(pointers: readonly string[], body: unknown): readonly string[] {
  const name = compilePointers(pointers).locate(body).split('/').at(-1) ?? '';
  const rest = name.replace(/^next_?/i, '').replace(/^[A-Z]/, (letter) => letter.toLowerCase());
  return [rest, name].filter((each) => each !== '');
}

async function tryCursors(
  run: CheckRun,
  list: ListReader,
  { size, records, body }: SizedPage,
): Promise<PageStyle | undefined> {
  for (const { token, names, row, value } of listCursorSources(run, list.name, body)) {
    if (token === undefined) continue;
    const all = new Set([contractOfList(run.contract(), list.name)['lists.cursor'], ...names]);
    // What counts pages or records is no cursor: the contract refuses it.
    for (const name of linkedNames(
      body,
      [...all].filter((each) => !countingParameters.includes(each)),
    )) {
      const isNext =
        isAlike(name, size) && isOtherPage(records, await list.read({ [name]: token, [size]: String(smallSize) }));
      if (!isNext) continue;
      compareIn(run, list.name, 'lists.limit', size, `the parameter is ${size}`);
      compareIn(run, list.name, 'lists.cursor', name, `the parameter is ${name}`);
      const seen = row === 'lists.nextLink' ? `a next link stands at ${value?.[0]}` : 'a flag says that more follow';
      if (row !== undefined) run.contradict(rowOfSign(run, list.name, row), seen, value);
      return 'cursor';
    }
  }
  return undefined;
}

/** Whether two parameters are both spelt with brackets, or both without. */
function isAlike(one: string, other: string): boolean {
  return one.includes('[') === other.includes('[');
}

/** Usual names of the parameters of the styles that count records or pages. */
const countingNames = {
  offset: ['offset', 'skip', 'start', 'page[offset]'],
  page: ['page', 'page_number', 'pageNumber', 'pageNo', 'pageIndex', 'p', 'page[number]'],
} as const;

async function tryCounted(
  run: CheckRun,
  list: ListReader,
  { size, records, body }: SizedPage,
  styles: readonly PageStyle[],
): Promise<PageStyle | undefined> {
  const contract = contractOfList(run.contract(), list.name);
  const tried = (['offset', 'page'] as const).filter((style) => styles.includes(style));
  // One name may be usual for pages, and the contract's for offsets.
  const candidates = tried.flatMap((style) =>
    [...new Set([contract[`lists.${style}`], ...countingNames[style]])].map((name) => ({ name, style })),
  );
  const limit = { [size]: String(smallSize) };
  const names = linkedNames(body, [...new Set(candidates.map(({ name }) => name))]);
  for (const { name, style } of names.flatMap((each) => candidates.filter((candidate) => candidate.name === each))) {
    const second = style === 'page' ? '2' : String(smallSize);
    if (!isAlike(name, size) || !isOtherPage(records, await list.read({ ...limit, [name]: second }))) continue;
    compareIn(run, list.name, style === 'page' ? 'lists.perPage' : 'lists.limit', size, `the parameter is ${size}`);
    compareIn(run, list.name, `lists.${style}`, name, `the parameter is ${name}`);
    // Where page 1 is not the first one, pages are counted from 0.
    if (style === 'page' && isOtherPage(records, await list.read({ ...limit, [name]: '1' })))
      compareIn(run, list.name, 'lists.firstPage', 0, 'page 0 has other records than page 1');
    return style;
  }
  return undefined;
}
