import { faultInput, type Fault } from './faults.ts';
import { writeNames } from '../contract/operation-rows.ts';

export type ScenarioName = 'lost-answer' | 'duplicate' | 'slow' | 'down' | 'rate-limited';

const always = { count: 10_000 };
const creates = ['createCustomer', 'storeSettlementBank'] as const;
const duplicateBody = { success: false, message: 'It has already been taken.' };

/**
 * The faults that the bank starts with. `lost-answer`: the next write of each kind is done and its answer is lost;
 * `duplicate`: the next customer and settlement bank are refused as taken; the others hold until the bank is reset.
 */
const scenarios: Readonly<Record<ScenarioName, readonly object[]>> = {
  'lost-answer': writeNames.map((operation) => ({ operation, cut: 'after' })),
  duplicate: creates.map((operation) => ({ operation, status: 409, body: duplicateBody })),
  slow: [{ ...always, latencyMs: 1_500 }],
  down: [{ ...always, status: 503 }],
  'rate-limited': [{ ...always, status: 429 }],
};

export const faultsOf = (name: ScenarioName): readonly Fault[] =>
  scenarios[name].map((fault) => faultInput.parse(fault));
