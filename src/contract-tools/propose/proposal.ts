import { isDeepStrictEqual } from 'node:util';
import { checkRow, type Contract, type RowId } from '../../contract/contract.ts';

/** A value for a row, or what a person must decide, as it stands in a comment behind the row. Neither has a value of a record. */
export type Proposal<Row extends string = RowId> =
  | { readonly row: Row; readonly value: unknown }
  | { readonly row: Row; readonly question: string };

/** A row that adds to the graph as a question; nothing where the graph refuses it. */
export function offer(row: string, value: object, remark = ''): readonly Proposal<string>[] {
  if (checkRow(row, value).faults.length > 0) return [];
  const members = Object.entries(value).map(([name, inner]) => `${name}: ${JSON.stringify(inner)}`);
  return [{ row, question: `{ ${members.join(', ')} }${remark}` }];
}

export function toCamelCase(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+([A-Za-z0-9])?/g, (_, letter?: string) => (letter ?? '').toUpperCase());
}

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
