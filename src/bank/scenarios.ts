import { z } from 'zod';

import { faultInput, type Fault } from './faults.ts';
import { writeNames } from '../contract/operation-rows.ts';
import { objectMessage } from './validate.ts';

export type ScenarioName = 'lost-answer' | 'duplicate' | 'slow' | 'down' | 'rate-limited';
type SwitchName = ScenarioName | 'failed-write' | 'cut-write';

const always = { count: 10_000 };
const creates = ['createCustomer', 'storeSettlementBank'] as const;
const duplicateBody = { success: false, message: 'It has already been taken.' };

/**
 * The faults that the bank starts with, or that a switch orders. `lost-answer`: the next write of each kind is done and
 * its answer is lost; `cut-write`: it is cut off before it is done; `failed-write`: it answers 500; `duplicate`: the next
 * customer and settlement bank are refused as taken; the others hold until the bank is reset.
 */
const scenarios: Readonly<Record<SwitchName, readonly object[]>> = {
  'lost-answer': writeNames.map((operation) => ({ operation, cut: 'after' })),
  'cut-write': writeNames.map((operation) => ({ operation, cut: 'before' })),
  'failed-write': writeNames.map((operation) => ({ operation, status: 500 })),
  duplicate: creates.map((operation) => ({ operation, status: 409, body: duplicateBody })),
  slow: [{ ...always, latencyMs: 1_500 }],
  down: [{ ...always, status: 503 }],
  'rate-limited': [{ ...always, status: 429 }],
};

export const switchInput = z.strictObject(
  { name: z.enum(Object.keys(scenarios) as SwitchName[]), isOn: z.boolean() }, // keys of our own table
  objectMessage,
);

export const faultsOf = (name: SwitchName): readonly Fault[] => scenarios[name].map((fault) => faultInput.parse(fault));
