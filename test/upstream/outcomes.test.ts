import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createContract, type OperationName } from '../../src/contract/contract.ts';
import { readAnswer } from '../../src/upstream/index.ts';

/** One line of the table in docs/reliability.md: an HTTP status, what the body says, the outcome by the record. */
interface Line {
  readonly http: string;
  readonly says: string;
  readonly outcomes: Readonly<Record<string, string>>;
}

const page = readFileSync(new URL('../../docs/reliability.md', import.meta.url), 'utf8');
const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .map((cell) => cell.trim())
    .slice(1, -1);
const tableLines = page
  .split('\n')
  .map(cellsOf)
  .filter(({ length }) => length === 5);
const [[, , ...records] = [], , ...lines] = tableLines;
// A head or a sign may be several, with commas.
const table: readonly Line[] = lines.flatMap(([http = '', says = '', ...outcomes]) => {
  const byRecord = records.flatMap((names, index) => names.split(', ').map((name) => [name, outcomes[index] ?? '']));
  return says.split(', ').map((said) => ({ http, says: said, outcomes: Object.fromEntries(byRecord) }));
});

/** The parts of an answer that give one sign, in several spellings. */
const statuses: Readonly<Record<string, readonly { readonly status: number; readonly more?: object }[]>> = {
  ok: [
    { status: 200 },
    { status: 201 },
    { status: 202, more: { status_code: 0 } },
    { status: 200, more: { status_code: 'ok' } },
  ],
  refused: [{ status: 400 }, { status: 422 }, { status: 402 }, { status: 451 }],
  open: [
    { status: 500 },
    { status: 303 },
    { status: 408 },
    { status: 200, more: { code: 503 } },
    { status: 422, more: { code: 504 } },
  ],
};
const yes: readonly object[] = [{ success: true }, { success: 'Success' }, { success: 'OK' }];
const silent: readonly object[] = [
  {},
  { success: null, error: '', errors: [] },
  { message: 'Declined.', status: 'error' },
];
const refusals: readonly object[] = [{ code: 422 }, { code: '400' }, { code: 'E7' }];
const errors: readonly object[] = [
  { error: true },
  { error: { code: 0, text: 'No.' } },
  { errors: { name: ['No.'] } },
  { errors: [{ field: 'name' }] },
];
const duplicate = { reason: 'DUP' };
const both = (some: readonly object[], others: readonly object[]): readonly object[] =>
  some.flatMap((one) => others.map((other) => ({ ...one, ...other })));
const bodies: Readonly<Record<string, readonly object[]>> = {
  yes,
  silent,
  error: [...both(yes, [...errors, ...refusals, duplicate]), ...both([{}, { message: 'No.' }], errors)],
  no: [
    { success: false },
    { success: 'failed' },
    { success: 'ERROR', error: { code: 1 } },
    ...both([...silent, ...errors, { success: false }], refusals),
  ],
  duplicate: both([{}, { success: false }, { error: true }, ...refusals], [duplicate]),
};
const says: Readonly<Record<string, readonly object[]>> = { ...bodies, any: Object.values(bodies).flat() };

const customer = { id: 'c1', first_name: 'Ada', reference: 'ref-1' };
const account = { id: 'a1', account_number: '0123456789', owner: 'c1' };
/** Records by what they prove, with the input of each write. */
const writes: readonly {
  readonly operation: OperationName;
  readonly input: Readonly<Record<string, string>>;
  readonly records: Readonly<Record<string, object | null>>;
}[] = [
  {
    operation: 'createCustomer',
    input: { reference: 'ref-1' },
    records: {
      proven: customer,
      unproven: { id: 'c1' },
      absent: null,
      failed: { ...customer, status: 'Declined' },
      foreign: { id: 'c9', reference: 'ref-9' },
    },
  },
  {
    operation: 'updateCustomer',
    input: { id: 'c1', firstName: 'Ada' },
    records: {
      proven: customer,
      unproven: { id: 'c1', first_name: 'Bea' },
      absent: null,
      failed: { ...customer, status: 'failed' },
      foreign: { id: 'c9', first_name: 'Bea' },
    },
  },
  {
    operation: 'createCustomerVirtualAccount',
    input: { customerId: 'c1' },
    records: {
      proven: account,
      unproven: { ...account, account_number: '1234' },
      absent: null,
      failed: { ...account, status: 'rejected' },
      foreign: { id: 'a9', owner: 'c9' },
    },
  },
];

const contract = createContract({
  'envelope.code': ['/code', '/status_code', '/reason'],
  'errors.statuses': { E7: 422 },
  'errors.duplicateCodes': ['DUP'],
  'account.customerId': ['/owner'],
});

/** Answers whose signs are those of a line, with this record. */
function answersTo({ http, says: said }: Line, record: object | null) {
  return fc
    .tuple(fc.constantFrom(...(statuses[http] ?? [])), fc.constantFrom(...(says[said] ?? [])), fc.boolean())
    .map(([{ status, more }, members, isNull]) => {
      // A code of the status stands last: it is one of its signs.
      const flagged: object = { ...members, ...more };
      const body = record === null && !isNull ? flagged : { ...flagged, data: record };
      return { status, headers: {}, body: Buffer.from(JSON.stringify(body)) };
    });
}

describe.each(writes)('an answer to $operation', ({ operation, input, records: made }) => {
  it.each(table)('has the outcome of docs/reliability.md: $http, $says', async (line) => {
    for (const [evidence, outcome] of Object.entries(line.outcomes)) {
      const answers = answersTo(line, made[evidence] ?? null);
      await fc.assert(
        fc.asyncProperty(answers, async (answer) => {
          const { write } = await readAnswer(contract, { operation, input }, answer);
          // What is refused by a code of its own, such as FORBIDDEN, is refused as well.
          expect([evidence, write?.outcome]).toEqual([evidence, outcome]);
        }),
        { seed: 20_260_101, numRuns: 30 },
      );
    }
  });
});

describe('an answer to a read', () => {
  it.each(table)('is its record only where a write would be done by it: $http, $says', async (line) => {
    for (const record of [customer, null]) {
      const isRead = record !== null && line.outcomes['proven'] === 'done';
      await fc.assert(
        fc.asyncProperty(answersTo(line, record), async (answer) => {
          const { value, error } = await readAnswer(contract, { operation: 'getCustomer', id: 'c1' }, answer);
          const name: unknown = Reflect.get(Object(value), 'firstName');
          expect(error === undefined ? name : 'an error').toBe(isRead ? 'Ada' : 'an error');
        }),
        { seed: 20_260_101, numRuns: 30 },
      );
    }
  });
});

it('reads every line of the table', () => {
  expect(records.join(', ').split(', ')).toEqual(['proven', 'unproven', 'absent', 'failed', 'foreign']);
  const expected = ['ok', 'refused'].flatMap((http) => Object.keys(bodies).map((said) => `${http}, ${said}`));
  expect(table.map(({ http, says: said }) => `${http}, ${said}`)).toEqual([...expected, 'open, any']);
});
