import { isDeepStrictEqual } from 'node:util';
import { checkRow, type Contract, type RowId } from '../../contract/contract.ts';

/** A value for a row, or what a person must decide, as it stands in a comment behind the row. Neither has a value of a record. */
export type Proposal =
  | { readonly row: RowId; readonly value: unknown }
  | { readonly row: RowId; readonly question: string };

/** What proposers write into. */
export interface Draft<Row extends string = RowId> {
  /** The contract with the rows that were taken. */
  readonly contract: Contract;
  readonly take: (row: Row, value: unknown) => void;
  readonly ask: (row: Row, question: string) => void;
}

/** A draft that leaves out rows that are so already, and values that their rows do not allow. */
export function createDraft(contract: Contract): Draft & { readonly proposals: readonly Proposal[] } {
  const proposals: Proposal[] = [];
  let current = contract;
  return {
    proposals,
    get contract() {
      return current;
    },
    take: (row, value) => {
      if (isDeepStrictEqual(value, current[row]) || checkRow(row, value).faults.length > 0) return;
      current = { ...current, [row]: value };
      proposals.push({ row, value });
    },
    ask: (row, question) => void proposals.push({ row, question }),
  };
}
