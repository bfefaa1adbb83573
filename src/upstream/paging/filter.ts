import type { Contract, ListName, RowId } from '../../contract/contract.ts';
import { GatewayError } from '../../domain/errors.ts';
import type { ValueOrError } from '../../domain/records.ts';
import { extraFilters, type ExtraId } from '../../contract/extra-rows.ts';
import { scalarText } from '../decoding/envelope.ts';
import { numberText } from '../decoding/exact-json.ts';
import { compilePointers } from '../decoding/json-pointer.ts';
import { isPlainText, maxTextBytes } from '../decoding/request-path.ts';
import type { Page } from './page.ts';
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

/** A filter with the text of one request. */
interface ActiveFilter {
  readonly argument: string;
  readonly text: string;
  readonly parameter: string;
  /** Replaces each record that cannot match by an error at its index. */
  readonly check: <Value>(page: Page<Value>) => Page<Value>;
}

/** The filters whose arguments have a text. Throws BAD_USER_INPUT before any call. */
export function activateFilters(
  name: ListName,
  filters: readonly Filter[],
  args: Readonly<Record<string, unknown>>,
): readonly ActiveFilter[] {
  return filters.flatMap((filter) => {
    const text = args[filter.argument];
    return typeof text === 'string' ? activate(name, filter, text) : [];
  });
}

function activate(name: ListName, { row, parameter, argument, matches }: Filter, text: string): ActiveFilter {
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
    // The largest total may be that of the unfiltered list.
    signs: { ...page.signs, largestTotal: 0 },
    records: page.records.map((record, index): ValueOrError<Value> =>
      matches(page.sources[index], text) ? record : page.surprise(row),
    ),
  });
  return { argument, text, parameter, check };
}

/** The texts of a request's filters, as its cursors are bound to them; undefined without one. */
export function filterKey(filters: readonly ActiveFilter[]): unknown {
  const [first, second] = filters;
  if (first === undefined) return undefined;
  const isBuiltIn = second === undefined && (first.argument === 'search' || first.argument === 'type');
  return isBuiltIn ? first.text : filters.map(({ argument, text }) => [argument, text]);
}

/** The filters that a deployment adds to a list: a record matches when it has the text, whatever its case. */
export function extraFiltersOf(contract: Contract, list: ListName): readonly Filter[] {
  return extraFilters(contract, list).map(({ id, name, wire, matches }) => {
    const reader = compilePointers(matches === 'none' ? [] : [matches]);
    return {
      row: id,
      argument: name,
      parameter: wire,
      matches: (source, text) => matches === 'none' || foldText(scalarText(reader.read(source))) === foldText(text),
    };
  });
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

/** `type` of a customer's transactions: a record matches when its type is that word, regardless of case. */
export function typeFilter(contract: Contract): Filter {
  const type = compilePointers(contract['transaction.type']);
  return {
    row: 'listCustomerTransactions.type',
    argument: 'type',
    parameter: contract['listCustomerTransactions.type'],
    matches: (source, text) => {
      const word = type.read(source);
      return typeof word === 'string' && foldText(word) === foldText(text);
    },
  };
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
