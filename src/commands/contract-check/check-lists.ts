import { contractOfList, type ListName, type RowId } from '../../contract/contract.ts';
import { toQuery } from '../../upstream/decoding/request-path.ts';
import { checkFirstPage, checkStyle } from './pages/check-page-style.ts';
import { checkTotal, hasBrackets, linkedNames } from './pages/check-page-report.ts';
import { findRead } from './check-paths.ts';
import { kindsOf } from '../operation-kinds.ts';
import { checkFields } from './check-fields.ts';
import type { CheckRun } from './check-run.ts';
import { createListReader, createPageParameters, readRecords, type ListReader, type Records } from './list-reader.ts';

/** A search text that no record contains: if the list is not empty, the service did not filter. */
const unmatchedText = 'settlement-graph-check-nothing';
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
  const first = await findRead(run, name, id, toQuery(createPageParameters(run, name)));
  const firstRecords = first && readRecords(run, name, first.body);
  if (first === undefined || firstRecords === undefined) return undefined;
  const list = createListReader(run, name, id, first);
  const records = name === 'listCustomers' ? await checkFirstPage(run, list, firstRecords) : firstRecords;
  // The id of a last record is a cursor, so it must be known before the pages are.
  if (records.length > 0) checkFields(run, kindsOf[name], records);
  await checkStyle(run, list, records);
  checkTotal(run, name, id);
  if (records.length > 0) await checkFilter(run, list, first.body);
  return records;
}

/**
 * Finds the parameter that filters a list, by a text that matches nothing: the page is then empty. The links of a first
 * page show whether names have brackets.
 */
async function checkFilter(run: CheckRun, list: ListReader, firstPage: unknown): Promise<void> {
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
  const isBracketed = hasBrackets(firstPage) || [limit, perPage].some((size) => size?.includes('['));
  const likelyNames = linkedNames(firstPage, names).filter((name) => isBracketed || !name.includes('['));
  const wanted = contracted === null ? likelyNames : [contracted];
  const filters = async (name: string): Promise<boolean> =>
    (await list.read({ ...createPageParameters(run, list.name), [name]: unmatchedText }))?.length === 0;
  for (const name of wanted) {
    if (await filters(name)) return run.compare(row, name, `the parameter ${name} filters`);
  }
  if (contracted === null) run.skip(row, 'no parameter was found that filters');
  else if (!list.isAnswered()) run.skip(row, 'no answer');
  else run.contradict(row, `the parameter ${contracted} does not filter`, null);
}
