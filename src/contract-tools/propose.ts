import type { Contract } from '../contract/contract.ts';
import { createDraft, type Proposal } from './propose/draft.ts';
import { proposeAccepted, proposeEnvelope, proposeScheme } from './propose/envelope-rows.ts';
import { proposeData, proposeLists } from './propose/place-rows.ts';
import { proposeColumns, proposeFields, proposeForms, proposeOwners } from './propose/field-rows.ts';
import { proposeBodies, proposeInside, proposeMoney } from './propose/money-rows.ts';
import type { Sample } from './sample.ts';

/** First what stands round a record, then its fields. */
const steps = [
  proposeScheme,
  proposeAccepted,
  proposeEnvelope,
  proposeData,
  proposeLists,
  proposeColumns,
  proposeFields,
  proposeOwners,
  proposeInside,
  proposeForms,
  proposeMoney,
  proposeBodies,
];

/**
 * Proposes the rows of answers (records, envelope, errors, pages) by their usual names and the form of the values, each
 * under those that were found before it. It proposes no row that reads its samples already, none for a value that stands
 * nowhere, and asks where two places fit.
 */
export function proposeRows(samples: readonly Sample[], contract: Contract): readonly Proposal[] {
  const draft = createDraft(contract);
  for (const propose of steps) propose(samples, draft);
  return draft.proposals;
}
