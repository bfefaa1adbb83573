import { contractOfList } from '../operation-kinds.ts';
import { parameterNames, reservedNames } from '../../contract/addressing.ts';
import type { ListName } from '../../contract/contract.ts';
import { listFields, listNames, recordKinds } from '../../contract/operation-rows.ts';
import { normalizeName, usualNames } from '../usual-names.ts';
import { recordsOfKind } from '../propose/field-rows.ts';
import { hasKey } from '../propose/find-place.ts';
import { isSuccess, type Sample } from '../sample.ts';
import type { Endpoint } from './endpoint.ts';
import { isCredential } from './address-rows.ts';
import type { FoundMatch } from './match.ts';
import type { Draft } from '../propose/draft.ts';
import { offer, toCamelCase } from './body-rows.ts';

const styles = ['page', 'offset', 'cursor'] as const;

/** Names that mean another thing at other services: `from` is a date, a position or an identifier. */
const ambiguous = /^(?:from|start|token|marker|next|count)$/;

function isNamed(
  row: 'lists.page' | 'lists.offset' | 'lists.cursor' | 'lists.perPage' | 'lists.limit',
  name: string,
): boolean {
  return !ambiguous.test(normalizeName(name)) && usualNames(row).includes(normalizeName(name));
}

/** Page style and parameters of each list. Rows of `lists.…` are those of the first list; another has rows where it differs. */
export function proposePages(matches: readonly FoundMatch[], draft: Draft<string>): void {
  const shared = new Map<string, unknown>();
  for (const list of listNames) {
    const endpoint = matches.find(({ operation }) => operation === list)?.endpoint;
    if (endpoint !== undefined) proposePage(list, endpoint, shared, draft);
  }
}

function proposePage(
  list: ListName,
  { query }: Endpoint,
  shared: Map<string, unknown>,
  { take, ask }: Draft<string>,
): void {
  const [style, ...others] = styles.filter((each) => query.some(({ name }) => isNamed(`lists.${each}`, name)));
  const sizeRow = style === 'page' ? 'perPage' : 'limit';
  const size = query.find(({ name }) => isNamed(`lists.${sizeRow}`, name));
  const what = size === undefined ? 'no parameter of pages' : `${size.name}, and none for the position`;
  if (style === undefined) return ask(`${list}.pageStyle`, `the file names ${what}`);
  const position = query.find(({ name }) => isNamed(`lists.${style}`, name));
  take(`${list}.pageStyle`, style);
  if (others.length > 0) ask(`${list}.pageStyle`, `or ${others.join(' or ')}: the file has parameters of each`);
  const values = {
    [style]: position?.name,
    [sizeRow]: size?.name,
    firstPage: style === 'page' && position?.isFromZero === true ? 0 : undefined,
    maxPageSize: size?.greatest,
  };
  for (const [property, value] of Object.entries(values)) {
    if (value === undefined || shared.get(property) === value) continue;
    take(`${shared.has(property) ? list : 'lists'}.${property}`, value);
    if (!shared.has(property)) shared.set(property, value);
  }
}

const lastRecordNames = /^(?:startingafter|afterid|lastid)$/;

/**
 * Rows of lists with cursors, by the answers that the file shows: without a sign of a next page the first one would be
 * read as the whole list.
 */
export function proposeCursors(samples: readonly Sample[], { contract, take, ask }: Draft<string>): void {
  for (const list of listNames.filter((each) => contract[`${each}.pageStyle`] === 'cursor')) {
    const ofList = contractOfList(contract, list);
    const bodies = samples.filter((sample) => sample.operation === list && isSuccess(sample)).map(({ body }) => body);
    const has = (sign: 'lists.nextCursor' | 'lists.nextLink' | 'lists.hasMore'): boolean =>
      bodies.some((body) => ofList[sign].some((pointer) => hasKey(body, pointer)));
    if (has('lists.nextCursor') || has('lists.nextLink')) continue;
    if (lastRecordNames.test(normalizeName(ofList['lists.cursor'])) && has('lists.hasMore')) {
      take('lists.cursorFrom', 'lastRecord');
      continue;
    }
    const rows = 'cursor, with the row nextCursor, nextLink or hasMore';
    take(`${list}.pageStyle`, 'undecided');
    ask(`${list}.pageStyle`, `${rows}: no answer of the file shows what a next page needs`);
  }
}

/** Fields of transactions that have a filter, whose parameter has the field's name. */
const carriedFields = ['type', 'status', 'reference'] as const;
const rangeRows = ['listCustomerTransactions.createdFrom', 'listCustomerTransactions.createdBefore'] as const;

/** The row of a parameter that is usually an end of a range. Its form is a person's to state. */
function rangeRow(list: ListName, name: string) {
  const isUsual = (row: (typeof rangeRows)[number]) => usualNames(row).includes(normalizeName(name));
  return list === 'listCustomerTransactions' ? rangeRows.find(isUsual) : undefined;
}

/** Rows of filters: those that the graph has, and as questions those that it lacks and that records carry as a field. */
export function proposeFilters(matches: readonly FoundMatch[], samples: readonly Sample[], draft: Draft<string>): void {
  const { contract, take, ask } = draft;
  for (const list of listNames) {
    const { endpoint, path = '' } = matches.find(({ operation }) => operation === list) ?? {};
    const taken = new Set([...parameterNames(contract, list), ...reservedNames(contract, list)]);
    const ofList = samples.filter(({ operation }) => operation === list);
    const records = recordsOfKind(recordKinds[list], ofList, contract);
    for (const { name, isRequired } of endpoint?.query ?? []) {
      if (taken.has(name) || path.endsWith(`?${name}={id}`)) continue;
      const isSearch = usualNames('listCustomers.search').includes(normalizeName(name));
      const range = rangeRow(list, name);
      const isCarried = records.some((record) => Object.hasOwn(record as object, name));
      const field = carriedFields.find((each) => contract[`transaction.${each}`].includes(`/${name}`));
      if (isSearch && (list === 'listCustomers' || list === 'listSettlementBanks')) take(`${list}.search`, name);
      else if (range !== undefined) ask(range, `${name}  # with rangeForm and rangeEnd`);
      else if (list === 'listCustomerTransactions' && field !== undefined && isCarried) take(`${list}.${field}`, name);
      else if (isCarried || (isRequired === true && !isCredential(name))) {
        const row = { wire: name, matches: isCarried ? `/${name}` : 'none' };
        const remark = isRequired === true ? '  # the file requires it' : '';
        offer(`extra.${listFields[list]}.${toCamelCase(name)}`, row, ask, remark);
      }
    }
  }
}
