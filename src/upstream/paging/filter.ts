import type { Contract, ListName } from '../../contract/contract.ts';
import { filtersOf, type ListFilter } from '../../contract/extra-rows.ts';
import type { FilterName } from '../../contract/list-rows.ts';
import { GatewayError } from '../../domain/errors.ts';
import type { ValueOrError } from '../../domain/records.ts';
import { scalarText } from '../decoding/envelope.ts';
import { isPlainText, maxTextBytes } from '../decoding/identifiers.ts';
import { compilePointers } from '../decoding/json-pointer.ts';
import { forms, isSame, refusal, type Asked } from './filter-forms.ts';
import type { Page } from './page.ts';
import type { Contradiction } from './page-signs.ts';

/** A filter of a list, supported where the contract names its parameter. */
export interface Filter extends ListFilter {
  readonly ask: (value: string) => Asked;
}

/** A filter with the value of its argument. */
export interface ActiveFilter extends Filter, Asked {
  readonly value: string;
}

/** The filters of a list: the graph's own, and those that a deployment adds. */
export function createFilters(contract: Contract, list: ListName): readonly Filter[] {
  return filtersOf(contract, list).map((filter): Filter => {
    const { argument, matches } = filter;
    if (matches === undefined) return { ...filter, ask: forms[argument as FilterName](contract, list) }; // own ones are of the table
    const { read } = compilePointers([matches]);
    const isOf = (source: unknown, value: string) => matches === 'none' || isSame(scalarText(read(source)), value);
    return { ...filter, ask: (value) => ({ sent: value, judge: (_, source) => isOf(source, value) }) };
  });
}

/** The filters whose arguments have a value. Throws BAD_USER_INPUT before any call. */
export function activateFilters(
  list: ListName,
  filters: readonly Filter[],
  args: Readonly<Record<string, unknown>>,
): readonly ActiveFilter[] {
  return filters.flatMap((filter) => {
    const { row, parameter, argument, ask } = filter;
    const value = args[argument];
    if (typeof value !== 'string') return [];
    const refuse = (message: string) => refusal(list, row, `\`${argument}\` ${message}.`);
    if (parameter === null)
      throw refuse(`is not supported: the contract does not name a parameter for it (row ${row})`);
    if (!isPlainText(value)) throw refuse(`must be at most ${maxTextBytes} bytes of text without control characters`);
    return { ...filter, ...ask(value), value };
  });
}

/**
 * The records of a page: null for one that the gateway leaves out, an error in place of one that cannot have been asked for,
 * since a service that ignores a filter answers unfiltered.
 */
export function judgeRecords<Value>(
  { records, sources }: Page<Value>,
  filters: readonly ActiveFilter[],
  contradiction: Contradiction,
): readonly (ValueOrError<Value> | null)[] {
  return records.map((record, index) => {
    if (record === null || record instanceof GatewayError) return record;
    const verdicts = filters.map(({ judge }) => judge(record as Parameters<typeof judge>[0], sources[index])); // decoded by a table
    const broken = filters[verdicts.indexOf(false)];
    if (broken !== undefined) return contradiction(broken.row);
    return verdicts.includes(null) ? null : record;
  });
}
