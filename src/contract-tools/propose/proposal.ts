import { isDeepStrictEqual } from 'node:util';
import { checkRow, type Contract, type RowId } from '../../contract/contract.ts';

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

/**
 * Proposes step by step, each under the contract with the rows that were found before it. Left out are rows that are so
 * already, and values that their rows do not allow.
 */
export function proposeInTurn(
  contract: Contract,
  steps: readonly ((current: Contract) => readonly Proposal[])[],
): readonly Proposal[] {
  let current = contract;
  return steps.flatMap((step) => {
    const found = step(current).filter(
      (proposal) =>
        !('value' in proposal) ||
        (!isDeepStrictEqual(proposal.value, current[proposal.row]) &&
          checkRow(proposal.row, proposal.value).faults.length === 0),
    );
    const rows = found.flatMap((proposal) => ('value' in proposal ? [[proposal.row, proposal.value]] : []));
    current = { ...current, ...(Object.fromEntries(rows) as object) };
    return found;
  });
}
