import { contractOfList } from '../operation-kinds.ts';
import { parameterNames, reservedNames } from '../../contract/addressing.ts';
import { type Contract, type ListName } from '../../contract/contract.ts';
import { listFields, listNames, recordKinds } from '../../contract/operation-rows.ts';
import { normalizeName, usualNames } from '../usual-names.ts';
import { recordsOfKind } from '../propose/field-rows.ts';
import { hasKey } from '../propose/find-place.ts';
import { isSuccess, type Sample } from '../sample.ts';
import type { Endpoint } from './endpoint.ts';
import type { FoundMatch } from './match.ts';
import { offer, toCamelCase, type Proposal } from '../propose/proposal.ts';

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
export function proposePages(matches: readonly FoundMatch[]): readonly Proposal<string>[] {
  const shared = new Map<string, unknown>();
  return listNames.flatMap((list): readonly Proposal<string>[] => {
    const endpoint = matches.find(({ operation }) => operation === list)?.endpoint;
    return endpoint === undefined ? [] : proposePage(list, endpoint, shared);
  });
}

function proposePage(list: ListName, { query }: Endpoint, shared: Map<string, unknown>): readonly Proposal<string>[] {
  const row = `${list}.pageStyle`;
  const [style, ...others] = styles.filter((each) => query.some(({ name }) => isNamed(`lists.${each}`, name)));
  const sizeRow = style === 'page' ? 'perPage' : 'limit';
  const size = query.find(({ name }) => isNamed(`lists.${sizeRow}`, name));
  const what = size === undefined ? 'no parameter of pages' : `${size.name}, and none for the position`;
  if (style === undefined) return [{ row, question: `the file names ${what}` }];
  const position = query.find(({ name }) => isNamed(`lists.${style}`, name));
  const values = {
    [style]: position?.name,
    [sizeRow]: size?.name,
    firstPage: style === 'page' && position?.isFromZero === true ? 0 : undefined,
    maxPageSize: size?.greatest,
  };
  const rows = Object.entries(values).flatMap(([property, value]) => {
    const isOwn = shared.has(property);
    if (value === undefined || shared.get(property) === value) return [];
    if (!isOwn) shared.set(property, value);
    return [{ row: `${isOwn ? list : 'lists'}.${property}`, value }];
  });
  const question = `or ${others.join(' or ')}: the file has parameters of each`;
  return [{ row, value: style }, ...(others.length === 0 ? [] : [{ row, question }]), ...rows];
}

const lastRecordNames = /^(?:startingafter|afterid|lastid)$/;

/**
 * Rows of lists with cursors, by the answers that the file shows: without a sign of a next page the first one would be
 * read as the whole list.
 */
export function proposeCursors(samples: readonly Sample[], contract: Contract): readonly Proposal<string>[] {
  const lists = listNames.filter((list) => contract[`${list}.pageStyle`] === 'cursor');
  return lists.flatMap((list): readonly Proposal<string>[] => {
    const ofList = contractOfList(contract, list);
    const bodies = samples.filter((sample) => sample.operation === list && isSuccess(sample)).map(({ body }) => body);
    const has = (sign: 'lists.nextCursor' | 'lists.nextLink' | 'lists.hasMore'): boolean =>
      bodies.some((body) => ofList[sign].some((pointer) => hasKey(body, pointer)));
    if (has('lists.nextCursor') || has('lists.nextLink')) return [];
    if (lastRecordNames.test(normalizeName(ofList['lists.cursor'])) && has('lists.hasMore'))
      return [{ row: 'lists.cursorFrom', value: 'lastRecord' }];
    const row = `${list}.pageStyle`;
    const rows = 'cursor, with the row nextCursor, nextLink or hasMore';
    const question = `${rows}: no answer of the file shows what a next page needs`;
    return [
      { row, value: 'undecided' },
      { row, question },
    ];
  });
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
export function proposeFilters(
  matches: readonly FoundMatch[],
  samples: readonly Sample[],
  contract: Contract,
): readonly Proposal<string>[] {
  return listNames.flatMap((list): readonly Proposal<string>[] => {
    const match = matches.find(({ operation }) => operation === list);
    if (match === undefined) return [];
    const taken = new Set([...parameterNames(contract, list), ...reservedNames(contract, list)]);
    const filters = match.endpoint.query.filter(
      ({ name }) => !taken.has(name) && !match.path.endsWith(`?${name}={id}`),
    );
    const ofList = samples.filter(({ operation }) => operation === list);
    const records = recordsOfKind(recordKinds[list], ofList, contract);
    return filters.flatMap(({ name, isRequired }): readonly Proposal<string>[] => {
      const isSearch = usualNames('listCustomers.search').includes(normalizeName(name));
      if (isSearch && (list === 'listCustomers' || list === 'listSettlementBanks'))
        return [{ row: `${list}.search`, value: name }];
      const range = rangeRow(list, name);
      if (range !== undefined) return [{ row: range, question: `${name}  # with rangeForm and rangeEnd` }];
      const isCarried = records.some((record) => Object.hasOwn(record as object, name));
      const field = carriedFields.find((each) => contract[`transaction.${each}`].includes(`/${name}`));
      if (list === 'listCustomerTransactions' && field !== undefined && isCarried)
        return [{ row: `${list}.${field}`, value: name }];
      if (!isCarried && isRequired !== true) return [];
      const row = { wire: name, matches: isCarried ? `/${name}` : 'none' };
      const remark = isRequired === true ? '  # the file requires it' : '';
      return offer(`extra.${listFields[list]}.${toCamelCase(name)}`, row, remark);
    });
  });
}
