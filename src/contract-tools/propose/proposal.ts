import type { Contract, RowId } from '../../contract/contract.ts';

/** A row under which more of the samples can be read, or a question that only a person can answer. */
export type Proposal =
  | {
      readonly row: RowId;
      readonly value: unknown;
      /** What the samples show: places and shapes, no value of a record. */
      readonly seen: string;
    }
  | {
      readonly row: RowId;
      /** What a person has to decide, as it stands in a comment behind the row. */
      readonly question: string;
      readonly seen: string;
    };

/** A contract with one row more. */
export function withRow(contract: Contract, row: RowId, value: unknown): Contract {
  return { ...contract, [row]: value };
}
