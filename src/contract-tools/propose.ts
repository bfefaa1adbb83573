import { isDeepStrictEqual } from 'node:util';
import { checkRow, type Contract } from '../contract/contract.ts';
import { proposeEnvelope } from './propose/envelope-rows.ts';
import { proposeData, proposeLists } from './propose/place-rows.ts';
import { proposeFields, proposeForms, proposeOwner } from './propose/field-rows.ts';
import { withRow } from './propose/proposal.ts';
import { proposeBodies, proposeInside, proposeMoney } from './propose/money-rows.ts';
import type { Proposal } from './propose/proposal.ts';
import type { Sample } from './sample.ts';

export type { Proposal } from './propose/proposal.ts';

/**
 * Proposes the rows of answers (records, envelope, errors, pages) by their usual names and the form of the values. It
 * proposes no row that reads its samples already, none for a value that stands nowhere, and asks where two places fit.
 */
export function proposeRows(samples: readonly Sample[], contract: Contract): readonly Proposal[] {
  const proposals: Proposal[] = [];
  let current = contract;
  // Each step reads with the rows that the steps before it have found: first what stands round a record, then its fields.
  const take = (propose: (samples: readonly Sample[], contract: Contract) => readonly Proposal[]): void => {
    for (const proposal of propose(samples, current)) {
      if (isDeepStrictEqual('value' in proposal ? proposal.value : undefined, current[proposal.row])) continue;
      if ('value' in proposal && checkRow(proposal.row, proposal.value).faults.length > 0) continue;
      proposals.push(proposal);
      if ('value' in proposal) current = withRow(current, proposal.row, proposal.value);
    }
  };
  for (const step of [proposeEnvelope, proposeData, proposeLists]) take(step);
  for (const kind of ['settlementBank', 'customer', 'balance', 'transaction', 'account'] as const)
    take((all, inForce) => proposeFields(kind, all, inForce));
  for (const kind of ['balance', 'transaction', 'account'] as const)
    take((all, inForce) => proposeOwner(kind, all, inForce));
  for (const step of [proposeInside, proposeForms, proposeMoney, proposeBodies]) take(step);
  return proposals;
}
