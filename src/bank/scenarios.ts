import { z } from 'zod';

import { faultInput, type Fault } from './faults.ts';
import { writeNames } from '../contract/operation-rows.ts';
import { objectMessage } from './validate.ts';

export type ScenarioName = 'lost-answer' | 'duplicate' | 'slow' | 'down' | 'rate-limited';
type SwitchName = ScenarioName | 'failed-write' | 'cut-write';

const always = { count: 10_000 };
const creates = ['createCustomer', 'storeSettlementBank'] as const;
const duplicateBody = { success: false, message: 'It has already been taken.' };

/** The faults that the bank starts with, or that a switch orders, after its label. The last three hold until a reset. */
const scenarios: Readonly<Record<SwitchName, readonly [label: string, ...faults: readonly object[]]>> = {
  'lost-answer': ['Next writes: done, answer lost', ...writeNames.map((operation) => ({ operation, cut: 'after' }))],
  'cut-write': [
    'Next writes: cut before they are done',
    ...writeNames.map((operation) => ({ operation, cut: 'before' })),
  ],
  'failed-write': ['Next writes: 500', ...writeNames.map((operation) => ({ operation, status: 500 }))],
  duplicate: [
    'Next creates: already taken',
    ...creates.map((operation) => ({ operation, status: 409, body: duplicateBody })),
  ],
  slow: ['Slow', { ...always, latencyMs: 1_500 }],
  down: ['Down: 503', { ...always, status: 503 }],
  'rate-limited': ['Rate limit: 429', { ...always, status: 429 }],
};

export const switchInput = z.strictObject(
  { name: z.enum(Object.keys(scenarios) as SwitchName[]), isOn: z.boolean() }, // keys of our own table
  objectMessage,
);

export const faultsOf = (name: SwitchName): readonly Fault[] =>
  scenarios[name].slice(1).map((fault) => faultInput.parse(fault));

/** The switches of the explorer's pane; `armed`: the scenarios of the pending faults. */
export const listSwitches = (armed: readonly (string | undefined)[]) =>
  Object.entries(scenarios).map(([name, [label]]) => ({ name, label, isOn: armed.includes(name) }));
