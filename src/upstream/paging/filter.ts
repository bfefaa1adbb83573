import type { Contract, ListName, RowId } from '../../contract/contract.ts';
import { GatewayError } from '../../domain/errors.ts';
import { extraFilters, type ExtraId } from '../../contract/extra-rows.ts';
import { scalarText } from '../decoding/envelope.ts';
import { numberText } from '../decoding/exact-json.ts';
import { compilePointers } from '../decoding/json-pointer.ts';
import { isPlainText, maxTextBytes } from '../decoding/identifiers.ts';
import type { Page } from './page.ts';
import type { PagedList } from './window.ts';
import { normalize } from '../../runtime/normalize.ts';

const maxDepth = 5;

/** A filter of a list, supported where the contract names its parameter. */
export interface Filter {
  readonly row: RowId | ExtraId;
  /** The argument's name in the graph. */
  readonly argument: string;
  readonly parameter: string | null;
  /** Whether a record, as parsed JSON, can match the text: a service that ignores a filter answers unfiltered. */
  readonly matches: (source: unknown, text: string) => boolean;
}

/** The filters of a list whose arguments have a text. Throws BAD_USER_INPUT before any call. */
export function activateFilters(
  { name, surprise }: PagedList,
  filters: readonly Filter[],
  args: Readonly<Record<string, unknown>>,
) {
  return filters.flatMap(({ row, parameter, argument, matches }) => {
    const text = args[argument];
    if (typeof text !== 'string') return [];
    const refuse = (message: string) => new GatewayError('BAD_USER_INPUT', { operation: name, row }, { message });
    if (parameter === null) {
      throw refuse(`\`${argument}\` is not supported: the contract does not name a parameter for it (row ${row}).`);
    }
    if (!isPlainText(text)) {
      throw refuse(`\`${argument}\` must be at most ${maxTextBytes} bytes of text without control characters.`);
    }
    /** Replaces each record that cannot match by an error at its index. */
    const check = <Value>(page: Page<Value>): Page<Value> => ({
      ...page,
      records: page.records.map((record, index) => (matches(page.sources[index], text) ? record : surprise(row))),
    });
    return { argument, text, parameter, check };
  });
}

/** Compiles whether a record has a text at these pointers, whatever its case. */
function equals(pointers: readonly string[], toText: (value: unknown) => unknown): Filter['matches'] {
  const reader = compilePointers(pointers);
  return (source, text) => {
    const word = toText(reader.read(source));
    return typeof word === 'string' && foldText(word) === foldText(text);
  };
}

/** The filters that a deployment adds to a list. */
export function extraFiltersOf(contract: Contract, list: ListName): readonly Filter[] {
  return extraFilters(contract, list).map(({ id, name, wire, matches }) => ({
    row: id,
    argument: name,
    parameter: wire,
    matches: matches === 'none' ? () => true : equals([matches], scalarText),
  }));
}

/** `search` of a collection: a record matches when each word searched for is part of some text in it. */
export function searchFilter(contract: Contract, list: 'listCustomers' | 'listSettlementBanks'): Filter {
  const textsIn = createTextReader(contract);
  const isChecked = contract[`${list}.searchMatch`] === 'contains';
  return {
    row: `${list}.search`,
    argument: 'search',
    parameter: contract[`${list}.search`],
    matches: (source, text) => {
      if (!isChecked) return true;
      const texts = textsIn(source);
      const words = foldText(text).match(/\S+/g) ?? [];
      return words.every((word) => texts.some((each) => each.includes(word)));
    },
  };
}

/** `type` of a customer's transactions. */
export function typeFilter(contract: Contract): Filter {
  const matches = equals(contract['transaction.type'], (word) => word);
  const row = 'listCustomerTransactions.type';
  return { row, argument: 'type', parameter: contract[row], matches };
}

/** A text in lower case, with each accent as a character of its own: a service that stores it so finds the bare letter. */
function foldText(text: string): string {
  return normalize(text, 'NFD').toLowerCase();
}

/** Compiles the reader of a record's texts, folded, and of its numbers: also with the zeros of an account or bank code. */
function createTextReader(contract: Contract): (source: unknown) => readonly string[] {
  const digits = [contract['accountNumber.digits'] ?? 0, contract['bankCode.digits'] ?? 0];
  const textsIn = (source: unknown, depth = 0): readonly string[] => {
    if (typeof source === 'string') return [foldText(source)];
    const number = numberText(source)?.toLowerCase();
    if (number !== undefined) return digits.map((count) => number.padStart(count, '0'));
    if (typeof source !== 'object' || source === null || depth > maxDepth) return [];
    return Object.values(source).flatMap((value) => textsIn(value, depth + 1));
  };
  return textsIn;
}
