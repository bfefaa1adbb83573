import type { Contract, ListName, RowId } from '../../contract/contract.ts';
import { GatewayError } from '../../domain/errors.ts';
import type { ValueOrError } from '../../domain/records.ts';
import { contractSurprise } from '../decoding/field-decoders.ts';
import { compilePointers } from '../decoding/json-pointer.ts';
import { isPlainText, maxTextBytes } from '../decoding/request-path.ts';
import type { Page } from './page.ts';

const maxDepth = 5;

/** A filter of a list, supported where the contract names its parameter. */
export interface Filter {
  readonly row: RowId;
  /** The argument's name in the graph. */
  readonly argument: string;
  readonly parameter: string | null;
  /** Whether a record, as parsed JSON, can match the text: a service that ignores a filter answers unfiltered. */
  readonly matches: (source: unknown, text: string) => boolean;
}

/** A filter with the text of one request. */
export interface ActiveFilter {
  readonly text: string;
  readonly parameter: string;
  /** Replaces each record that cannot match by an error in its slot. */
  readonly check: <Value>(page: Page<Value>) => Page<Value>;
}

/** The filter of one request; undefined without a text. Throws BAD_USER_INPUT before any call. */
export function activateFilter(
  name: ListName,
  filter: Filter | null,
  text: string | null | undefined,
): ActiveFilter | undefined {
  if (text === undefined || text === null || filter === null) return undefined;
  const { row, parameter, argument, matches } = filter;
  if (parameter === null) {
    const message = `\`${argument}\` is not supported: the contract does not name a parameter for it (row ${row}).`;
    throw new GatewayError('BAD_USER_INPUT', { operation: name, row }, { message });
  }
  if (!isPlainText(text)) {
    const message = `\`${argument}\` must be at most ${maxTextBytes} bytes of text without control characters.`;
    throw new GatewayError('BAD_USER_INPUT', { operation: name, row }, { message });
  }
  const check = <Value>(page: Page<Value>): Page<Value> => ({
    ...page,
    records: page.records.map((record, index): ValueOrError<Value> =>
      matches(page.sources[index], text) ? record : contractSurprise(page.location, row),
    ),
  });
  return { text, parameter, check };
}

/** `search` of a collection: a record matches when each word searched for is part of some text in it. */
export function searchFilter(contract: Contract, list: 'listCustomers' | 'listSettlementBanks'): Filter {
  const isChecked = contract[`${list}.searchMatch`] === 'contains';
  return {
    row: `${list}.search`,
    argument: 'search',
    parameter: contract[`${list}.search`],
    matches: (source, text) => !isChecked || toWords(text).every((word) => containsText(source, word, 0)),
  };
}

/** `type` of a customer's transactions: a record matches when its type is that word, regardless of case. */
export function typeFilter(contract: Contract): Filter {
  const type = compilePointers(contract['transaction.type']);
  return {
    row: 'listCustomerTransactions.type',
    argument: 'type',
    parameter: contract['listCustomerTransactions.type'],
    matches: (source, text) => {
      const word = type.read(source);
      return typeof word === 'string' && word.toLowerCase() === text.toLowerCase();
    },
  };
}

function toWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

function containsText(source: unknown, text: string, depth: number): boolean {
  if (typeof source === 'string') return source.toLowerCase().includes(text);
  if (typeof source !== 'object' || source === null || depth > maxDepth) return false;
  return Object.values(source).some((value) => containsText(value, text, depth + 1));
}
