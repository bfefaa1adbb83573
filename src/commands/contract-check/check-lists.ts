import { contractOfList, type ListName, type RowId } from '../../contract/contract.ts';
import { toQuery } from '../../upstream/decoding/request-path.ts';
import { checkFirstPage, checkStyle, confirmParameters, findOwnStyle, leaveStyle } from './pages/check-page-style.ts';
import { checkMaxPageSize } from './pages/check-page-size.ts';
import { checkTotal, compareSigns, hasBrackets, hasSignOfMore, linkedNames } from './pages/check-page-report.ts';
import { findRead } from './check-paths.ts';
import { kindsOf } from '../contract-cases/operation-kinds.ts';
import { checkFields, findUnused } from './check-fields.ts';
import type { CheckRun } from './check-run.ts';
import type { ProbeAnswer } from './prober.ts';
import {
  createListReader,
  createPageParameters,
  hasMoreThan,
  isOtherPage,
  readRecords,
  readToken,
  readTotal,
  smallSize,
  styleOf,
  type ListReader,
  type Records,
} from './list-reader.ts';

/** A search text that no record contains: if the list is not empty, the service did not filter. */
const unmatchedText = 'settlement-graph-check-nothing';
export const tooFew = 'too few records to tell';
/** Usual names of the parameter that searches a list. */
export const searchNames = ['search', 'q', 'query', 'keyword', 'filter[search]', 'filter[q]', 'filter[query]'];
const filterRows = {
  listCustomers: 'listCustomers.search',
  listSettlementBanks: 'listSettlementBanks.search',
  listCustomerTransactions: 'listCustomerTransactions.type',
  listCustomerVirtualAccounts: undefined,
} as const satisfies Readonly<Record<ListName, RowId | undefined>>;

/** Checks a list, and with the customers' list the page style of the service. Returns the records of a first page. */
export async function checkList(run: CheckRun, name: ListName, id?: string): Promise<Records | undefined> {
  const first = await findRead(run, name, id, toQuery(createPageParameters(run, name, 'first')));
  const given = first && readRecords(run, name, first.body);
  if (first === undefined || given === undefined) return undefined;
  const list = createListReader(run, name, id, first);
  const records = name === 'listCustomers' ? await checkFirstPage(run, list, given) : given;
  // The id of a last record is a cursor, so it must be known before the pages are.
  if (name === 'listCustomers') await checkStyle(run, list, records);
  else await confirmStyle(run, list, first, records);
  checkTotal(run, name, id);
  if (records.length > 0) {
    checkFields(run, kindsOf[name], records);
    await checkFilter(run, list, first.body, records);
  }
  return records;
}

/** Every other list was read in the style of the customers' list: its first pages show whether it has that style. */
async function confirmStyle(run: CheckRun, list: ListReader, { body }: ProbeAnswer, records: Records): Promise<void> {
  const row = `${list.name}.pageStyle` as const;
  const style = styleOf(run, list.name);
  compareSigns(run, list.name, body, records);
  const contracted = run.contract()[row];
  const hasMore = hasMoreThan(run, list.name, body, records.length);
  if (contracted === 'none' && !hasMore) return run.skip(row, 'the list was answered whole, as far as its answer says');
  // Nothing says whether more follow: a list read by cursors would end here.
  const isSilent =
    style === 'cursor' &&
    records.length === smallSize &&
    !hasSignOfMore(run, list.name, body) &&
    readTotal(run, list.name, body) === undefined;
  if (style !== 'none' && (hasMore || isSilent || records.length > smallSize)) {
    const token = readToken(run, list.name, body);
    // Without a token, which an answer in this style has where more follows, another style is looked for.
    const hasNoToken = style === 'cursor' && hasMore && token === undefined;
    const parameters = createPageParameters(run, list.name, 'second', token, records.length);
    const second = hasNoToken ? undefined : await list.read(parameters);
    if (!list.isAnswered()) return run.skip(row, 'no answer');
    const isPaged = isOtherPage(records, second, records.length) || (hasMore && second?.length === 0);
    if (!isPaged) return contradictStyle(run, list, hasMore, second?.length === records.length);
    if (style !== 'undecided') confirmParameters(run, list, style, records.length);
    await checkMaxPageSize(run, list);
    return run.compare(row, style, `pages are read by ${style}`);
  }
  if (style === 'none') return run.compare(row, style, 'the list is answered whole');
  if (records.length >= smallSize) await checkMaxPageSize(run, list);
  run.skip(row, tooFew);
}

/** Lists that have shown too few records are taken to be paged as the customers' list is, once all have been read. */
export function shareStyle(run: CheckRun): void {
  for (const name of Object.keys(filterRows) as readonly ListName[]) {
    const row = `${name}.pageStyle` as const;
    const style = styleOf(run, name);
    if (run.findings.get(row)?.why === tooFew && style !== run.contract()[row])
      run.contradict(row, `the customers' list is read by ${style}, and this one has shown too few records`, style);
  }
}

async function contradictStyle(run: CheckRun, list: ListReader, hasMore: boolean, isSamePage: boolean): Promise<void> {
  const row = `${list.name}.pageStyle` as const;
  const own = await findOwnStyle(run, list);
  if (own !== undefined) {
    run.compare(row, own, `pages are read by ${own}`);
    return checkMaxPageSize(run, list);
  }
  if (!list.isAnswered()) return run.skip(row, 'no answer');
  if (hasMore || isSamePage) leaveStyle(run, row, hasMore);
  else run.skip(row, 'the size asked for is not kept, and one page is all');
}

/**
 * Finds the parameter that filters a list, by a text that matches nothing: the page is then empty. The links of a first
 * page show whether names have brackets.
 */
async function checkFilter(run: CheckRun, list: ListReader, firstPage: unknown, records: Records): Promise<void> {
  const row = filterRows[list.name];
  if (row === undefined || run.findings.has(row)) return;
  const contracted = run.contract()[row];
  const ofCustomers = run.contract()['listCustomers.search'];
  // Where the customers' list has no search, other lists seldom have one.
  const wasSought = run.findings.get('listCustomers.search')?.state === 'not observable';
  const usualNames = ofCustomers === null ? searchNames.slice(0, wasSought ? 2 : undefined) : [ofCustomers];
  const ownName = run.contract()['transaction.type'][0]?.split('/').at(-1) ?? 'type';
  const names =
    row === 'listCustomerTransactions.type' ? [...new Set([ownName, 'type', `filter[${ownName}]`])] : usualNames;
  const { 'lists.limit': limit, 'lists.perPage': perPage } = contractOfList(run.contract(), list.name);
  const isBracketed = hasBrackets(firstPage) || [limit, perPage].some((size) => size.includes('['));
  const spelt = linkedNames(firstPage, names).filter((name) => isBracketed || !name.includes('['));
  const wanted = contracted === null ? spelt : [contracted];
  for (const name of wanted) {
    const records = await list.read({ ...createPageParameters(run, list.name, 'first'), [name]: unmatchedText });
    if (records?.length === 0) return run.compare(row, name, `the parameter ${name} filters`);
  }
  const isUnread = records.every((record) => run.read('transaction.type', record) === undefined);
  const places =
    contracted === null && row === 'listCustomerTransactions.type' && isUnread
      ? findUnused(run, 'transaction.type', records)
      : [];
  for (const name of places.slice(0, 3).map((place) => place.split('/').at(-1) ?? '')) {
    const page = await list.read({ ...createPageParameters(run, list.name, 'first'), [name]: unmatchedText });
    if (page?.length === 0)
      run.proposals.set(row, `${name}, if it is the type of a transaction: this parameter filters`);
  }
  if (contracted === null) run.skip(row, 'no parameter was found that filters');
  else if (!list.isAnswered()) run.skip(row, 'no answer');
  else run.contradict(row, `the parameter ${contracted} does not filter`, null);
}
