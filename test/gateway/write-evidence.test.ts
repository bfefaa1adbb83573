import { describe, expect, it } from 'vitest';
import { codes, query, startScripted } from '../support/gateway.ts';
import { startUpstream, type Reply } from '../support/upstream.ts';
import { create, inTurn, writeOf, writes, type WriteCase } from '../support/write-cases.ts';

/** A body, by the record that proves the write. */
type Body = (record: object) => unknown;

type Outcome = 'done' | 'refused' | 'unknown';

/** One write against one answer, and whatever its record reads as when it is read again. */
async function run(one: WriteCase, reply: Reply, contract: Readonly<Record<string, unknown>> = {}) {
  const readAgain: Reply = { json: { success: true, data: one.proven } };
  const { gateway, upstream } = await startScripted(({ method }) => (method === 'GET' ? readAgain : reply), {
    contract,
  });
  const answer = await query(gateway, one.document);
  return { answer, payload: answer.data[one.field], upstream };
}

function outcomeOf({ answer, payload }: Awaited<ReturnType<typeof run>>): Outcome | readonly unknown[] {
  if (answer.errors.length > 0) return codes(answer).join() === 'OUTCOME_UNKNOWN' ? 'unknown' : codes(answer);
  return payload.userErrors.length > 0 ? 'refused' : 'done';
}

const failedStatuses = ['failed', 'DECLINED', 'Rejected', 'error', 'Unsuccessful', 'failure'];

/** The bodies of a 2xx that do the write, by its record. */
const done: readonly [name: string, body: Body][] = [
  ['a positive flag beside a record', (record) => ({ success: true, data: record })],
  ['a word of success beside a record', (record) => ({ status: 'success', data: record })],
  ['a status of success beside a record', (record) => ({ status: 201, message: 'Created', data: record })],
  ['a record that proves itself', (record) => record],
  ['a wrapped record that proves itself', (record) => ({ data: record })],
  ['a record that proves itself beside a flag that says neither', (record) => ({ status: 'created', data: record })],
  [
    'signs of failure that say nothing',
    (record) => ({ success: true, error: false, errors: [], code: 0, data: record }),
  ],
  [
    'an error whose members are all empty',
    (record) => ({ success: true, error: { code: 0, message: '', fields: [] }, errors: [null], data: record }),
  ],
  ['a status of 0 beside a record that proves itself', (record) => ({ status: 0, data: record })],
  ['a status of 1 beside a record that proves itself', (record) => ({ status: 1, data: record })],
  ['a code of its own in a bare record', (record) => ({ ...record, code: 'CUS_1', message: 'Created.' })],
  ['an error that is none by its text', (record) => ({ success: true, error: 'None', errors: ' n/a', data: record })],
];

/** The bodies of a 2xx that refuse the write. */
const refused: readonly [name: string, body: unknown][] = [
  ['{success: false}', { success: false, message: 'No.' }],
  ['{status: "error"}', { status: 'error', message: 'No.' }],
  ['{status: "failed"}', { status: 'failed', message: 'No.' }],
  ['{error: true}', { error: true, message: 'No.' }],
  ['{errors, code: 422}', { errors: { name: ['No.'] }, code: 422 }],
  ['{code: 400}', { code: 400, message: 'No.' }],
  ['{status: 422}', { status: 422, message: 'No.' }],
  ['{success: 0}', { success: 0, message: 'No.', data: null }],
  ['{success: 0} beside a record', { success: 0, data: { id: 'x1' } }],
  ['a numeric status beside no record', { status: 400, message: 'No.', data: null }],
  ['a status of no refusal beside a negative flag', { success: false, code: 402, message: 'No.' }],
  ['a negative flag beside a failed record', { success: false, data: { id: 'x1', status: 'failed' } }],
  ['a negative flag beside half a record', { success: false, data: { id: 'x1' } }],
];

/** The bodies of a 2xx that leave open what happened, by the write's record. */
const unknown: readonly [name: string, body: Body][] = [
  ['a positive flag beside a failed record', () => ({ success: true, data: { status: 'failed', code: 'x1' } })],
  ['nothing', () => ({})],
  ['a list', () => []],
  ['text', () => 'OK'],
  ['null', () => null],
  ['a status of 0, which may be a code of no error', () => ({ status: 0, message: 'Done.', data: null })],
  ['a status of 1, which may be a code of an error', () => ({ status: 1, message: 'No.' })],
  ['a status of several answers', () => ({ status: 207, results: [{ status: 400 }] })],
  ['a record that says it is none', (record) => ({ success: true, data: { ...record, success: false } })],
  ['a status of "0"', () => ({ status: '0', message: 'Done.', data: { id: 'x1' } })],
  ...['rejected', 'Declined', 'processor_error', 'access_denied'].map((status): [string, Body] => [
    `a flag of ${status} beside a whole record`,
    (record) => ({ status, data: record }),
  ]),
  ['a flag that is no answer beside a whole record', (record) => ({ success: 'N', data: record })],
  ['an error that is a long number', (record) => ({ success: true, error: 12345678901234567000, data: record })],
  ['an error with a long number in it', () => ({ success: true, error: { ref: 12345678901234567000 }, data: null })],
  ['a flag that is a word', () => ({ success: 'N', message: 'No.', data: null })],
  ['a word of failure beside an id', () => ({ status: 'FAILED', message: 'No.', id: 'x1' })],
  ['a status of its own beside an id', () => ({ status: 'declined', data: { id: 'x1' } })],
  [
    'an error of which one member says something',
    (record) => ({ error: { code: 0, text: ['', 'No.'] }, data: record }),
  ],
  ['an error nested deeply', (record) => ({ error: [[[[[[]]]]]], data: record })],
  ['errors equal to the message beside a positive flag', () => ({ success: true, message: 'No.', errors: 'No.' })],
  ['a word of failure beside a whole record', (record) => ({ status: 'unsuccessful', message: 'No.', data: record })],
  ['a failure of the service', () => ({ success: false, code: 500, message: 'Sorry.' })],
  ...[0, 200, 400, 'UPSTREAM_TIMEOUT'].map((code): [string, Body] => [
    `a failure of the service as a second code beside ${code}`,
    () => ({ success: false, code, status_code: 504, message: 'Sorry.' }),
  ]),
  ['a code of refusal beside a flag of 504', () => ({ code: 400, status: 504, message: 'Sorry.' })],
  [
    'a second code of failure beside a positive flag',
    (record) => ({ success: true, code: 0, status_code: 500, data: record }),
  ],
  ['a negative flag beside a record that proves itself', (record) => ({ success: false, data: record })],
  ['an error flag in a record that proves itself', (record) => ({ ...record, error: true })],
  [
    'an error flag inside the record of a positive one',
    (record) => ({ success: true, data: { ...record, error: true } }),
  ],
  ['a refusal code in a record that proves itself', (record) => ({ ...record, code: 422 })],
  ['a positive flag beside a record of a wrong type', () => ({ success: true, data: 'x1' })],
  ['a positive flag beside a list', (record) => ({ success: true, data: [record] })],
];

describe('a 2xx that does a write', () => {
  it.each(inTurn(done))('by %s answers the record: %s', async (_, __, one, body) => {
    const result = await run(one, { status: 201, json: body(one.proven) });
    expect(result.answer.errors).toEqual([]);
    expect(result.payload).toEqual({ [one.record]: { id: one.proven.id }, userErrors: [] });
    expect(result.upstream.requests.map(({ method }) => method)).toEqual([one.method]);
  });

  it('by a sentence of success where errors have their entries', async () => {
    const json = { success: true, message: 'Created.', data: create.proven };
    expect(outcomeOf(await run(create, { status: 201, json }, { 'errors.fields': ['/message'] }))).toBe('done');
  });

  it.each(writes)(
    'by an empty answer that the contract calls a success, read again if it was an update: $field',
    async (one) => {
      const result = await run(one, { status: 204 }, { [`${one.operation}.emptySuccess`]: true });
      const [record, methods] = one.method === 'POST' ? [null, ['POST']] : [{ id: one.proven.id }, ['PATCH', 'GET']];
      expect(result.answer.errors).toEqual([]);
      expect(result.payload).toEqual({ [one.record]: record, userErrors: [] });
      expect(result.upstream.requests.map(({ method }) => method)).toEqual(methods);
    },
  );

  const forms = { 'phone.form': 'digits', 'dates.form': 'DD/MM/YYYY' };
  const sent = 'createCustomer(input: { phone: "+2348000000001", dateOfBirth: "1990-01-31" }) { customer { id } }';
  it.each<[name: string, mutation: string, json: object, payload: object, contract?: Record<string, unknown>]>([
    ['a value in the form of the wire', sent, { id: 'c1', phone: '2348000000001' }, { customer: { id: 'c1' } }, forms],
    ['a date in that form', sent, { id: 'c1', dob: '31/01/1990' }, { customer: { id: 'c1' } }, forms],
    [
      'a value in the form of the graph',
      sent,
      { id: 'c1', phone: '+2348000000001' },
      { customer: { id: 'c1' } },
      forms,
    ],
    [
      'a number as its text and an e-mail address in other letters',
      'createCustomer(input: { email: "Ada@Example.com" }) { customer { id } }',
      { id: 7, email: 'ada@example.com' },
      { customer: { id: '7' } },
    ],
    [
      'what was sent, although it stands where a failure code may stand',
      'createSettlementBank(input: { bankCode: "422" }) { settlementBank { bankCode } }',
      { id: 'b1', code: '422' },
      { settlementBank: { bankCode: '422' } },
      { 'settlementBank.bankCode': ['/code'] },
    ],
    [
      'a code of success, which is no id of an account',
      'createVirtualAccount(input: { customerId: "c1" }) { virtualAccount { id } }',
      { code: '00', message: 'OK', errors: [] },
      { virtualAccount: null },
      { 'envelope.success': ['/code'], 'envelope.successValues': ['00'] },
    ],
  ])('by %s', async (_, mutation, body, payload, contract = {}) => {
    const { gateway } = await startScripted(() => ({ json: body }), { contract });
    const { data, errors } = await query(gateway, `mutation { payload: ${mutation} }`);
    expect([data, errors]).toEqual([{ payload }, []]);
  });

  it.each<readonly [sent: string, amount: string, outcome: Outcome]>([
    ['50', '50.00', 'done'],
    ['50.5', '50.50', 'done'],
    ['50', '50.01', 'unknown'],
    ['50', '5', 'unknown'],
    ['50', '500', 'unknown'],
  ])('compares amounts without the zeros of their fraction: %s and %s: %s', async (sent, amount, outcome) => {
    const one = writeOf('createOneTimeAccount');
    const document = one.document.replace('5.00', sent);
    expect(outcomeOf(await run({ ...one, document }, { json: { id: 'a1', amount } }))).toBe(outcome);
  });

  it('compares an amount with the number that was sent in the minor unit', async () => {
    const contract = {
      'money.unit': 'minor',
      'createCustomerOneTimeAccount.amountAs': 'number',
      'createCustomerOneTimeAccount.body': { amount: 'amount_kobo' },
    };
    const result = await run(writeOf('createOneTimeAccount'), { json: { id: 'a1', amount_kobo: 500 } }, contract);
    expect(outcomeOf(result)).toBe('done');
    expect(result.upstream.requests.map(({ body }) => body)).toEqual(['{"amount_kobo":500}']);
  });

  it.each<readonly [amount: string, outcome: Outcome]>([
    ['500', 'done'],
    ['5', 'unknown'],
    ['5.00', 'unknown'],
  ])('compares an amount of 5.00 as the 500 that was sent in the minor unit with %s: %s', async (amount, outcome) => {
    const contract = { 'money.unit': 'minor', 'extra.CreateOneTimeAccountInput.fee': { type: 'Money' } };
    const one = writeOf('createOneTimeAccount');
    const fee = { ...one, document: one.document.replace('amount:', 'fee:') };
    const outcomes = [
      outcomeOf(await run(one, { json: { id: 'a1', amount } }, contract)),
      outcomeOf(await run(fee, { json: { id: 'a1', fee: amount } }, contract)),
    ];
    expect(outcomes).toEqual([outcome, outcome]);
  });
});

it.each(inTurn(refused))('a 2xx that refuses a write by %s is a user error: %s', async (_, __, one, json) => {
  const result = await run(one, { json });
  expect(result.answer.errors).toEqual([]);
  expect(result.payload).toMatchObject({ [one.record]: null, userErrors: [{}] });
  expect(result.upstream.requests).toHaveLength(1);
});

const noFunds = 'Insufficient funds.';
const coded = {
  refused: [402, 410, 451],
  // About the form of the request: the contract is wrong, or a proxy on the way.
  UPSTREAM_INVALID_RESPONSE: [405, 407, 415],
  unknown: [408, 452],
};
it.each<[where: string, reply: (status: number) => Reply, outcomes: Readonly<Record<string, readonly number[]>>]>([
  [
    'inside a 200 without a flag',
    (code) => ({ json: { code, message: 'No.' } }),
    {
      refused: [400, 409, 422],
      unknown: [402, 418],
      UNAUTHENTICATED: [401],
      FORBIDDEN: [403],
      NOT_FOUND: [404],
      RATE_LIMITED: [429],
    },
  ],
  [
    'without a flag',
    (status) => ({ status, json: { message: 'No.' } }),
    { UPSTREAM_INVALID_RESPONSE: [431, 451], unknown: [408, 452, 460, 499] },
  ],
  ['with a negative flag', (status) => ({ status, json: { success: false, message: noFunds } }), coded],
  ['that is its own flag', (status) => ({ status, json: { status, message: noFunds } }), coded],
  [
    'with the text of a duplicate',
    (status) => ({ status, json: { message: 'Customer already exists' } }),
    { unknown: [408, 502, 503, 504] },
  ],
])('a status %s to a write', async (_, reply, outcomes) => {
  for (const [outcome, statuses] of Object.entries(outcomes)) {
    for (const status of statuses) {
      expect([status, String(outcomeOf(await run(create, reply(status))))]).toEqual([status, outcome]);
    }
  }
});

describe('a negative flag in a 2xx', () => {
  it('with a code of 500 refuses nothing, unless the text is that of a duplicate', async () => {
    const taken = { success: false, code: 500, message: 'Customer already exists' };
    expect(outcomeOf(await run(create, { json: taken }))).toBe('refused');
    for (const message of ['Sorry.', 'Retrying may duplicate it.']) {
      expect(outcomeOf(await run(create, { json: { ...taken, message } }))).toBe('unknown');
    }
  });

  it('refuses beside the record of another', async () => {
    const other = { id: 'c2', reference: 'ref-2' };
    expect(outcomeOf(await run(create, { json: { success: false, data: other } }))).toBe('refused');
  });
});

describe('the code of a duplicate in a 2xx', () => {
  const rows = { 'envelope.code': ['/code'], 'errors.duplicateCodes': ['DUP26'] };
  const taken = { code: 'DUP26', message: 'Customer on file' };

  it.each<readonly [string, object]>([
    ['alone', taken],
    ['beside the record that was there before', { ...taken, data: create.proven }],
    ['beside another record', { ...taken, data: { id: 'c2', reference: 'other' } }],
    ['beside a failed record', { ...taken, data: { id: 'c2', status: 'failed' } }],
    ['beside a negative flag', { ...taken, success: false }],
    ['beside a negative flag and the record that was there before', { ...taken, success: false, data: create.proven }],
  ])('%s is ALREADY_EXISTS', async (_, json) => {
    const { answer, payload } = await run(create, { json }, rows);
    expect(answer.errors).toEqual([]);
    expect(payload).toMatchObject({ customer: null, userErrors: [{ code: 'ALREADY_EXISTS' }] });
  });

  it('beside a positive flag leaves open what happened', async () => {
    const result = await run(create, { json: { ...taken, success: true, data: create.proven } }, rows);
    expect(outcomeOf(result)).toBe('unknown');
  });

  it('is none where it is a value that was sent', async () => {
    const result = await run(
      create,
      { json: { ...create.proven, code: 'ref-1' } },
      { ...rows, 'errors.duplicateCodes': ['ref-1'] },
    );
    expect(outcomeOf(result)).toBe('done');
  });
});

describe('a 2xx that leaves open what happened', () => {
  const tell = async (one: WriteCase, json: unknown, contract = {}) => {
    const result = await run(one, { json }, contract);
    const { retryable, upstreamStatus, lookup } = result.answer.errors[0]?.extensions ?? {};
    const methods = result.upstream.requests.map(({ method }) => method);
    return { outcome: outcomeOf(result), retryable, upstreamStatus, lookup, methods };
  };
  const nothingCertain = ({ method, lookup }: WriteCase) => ({
    outcome: 'unknown',
    retryable: false,
    upstreamStatus: 200,
    lookup,
    methods: [method],
  });

  it.each(inTurn(unknown))('by %s is OUTCOME_UNKNOWN: %s', async (_, __, one, body) => {
    expect(await tell(one, body(one.proven))).toEqual(nothingCertain(one));
  });

  it.each(
    writes.flatMap((one) =>
      Object.entries(one.unproven).map(([name, record]) => [name, one.field, one, record] as const),
    ),
  )('by a bare record of %s is OUTCOME_UNKNOWN, wrapped too: %s', async (_, __, one, record) => {
    expect(await tell(one, record)).toEqual(nothingCertain(one));
    expect(await tell(one, { data: record })).toEqual(nothingCertain(one));
  });

  it.each([
    ['alone', ['/AccountNumber'], {}, 'unknown'],
    ['as the number alone, before another place of it', ['/AccountNumber', '/number'], {}, 'unknown'],
    ['beside a number', ['/AccountNumber', '/number'], { number: '0123456780' }, 'done'],
  ])('by an id that is the account number, %s: %s %o is %s', async (_, pointers, more, outcome) => {
    const rows = { 'account.id': ['/AccountNumber'], 'account.accountNumber': pointers };
    const one = writeOf('createVirtualAccount');
    expect((await tell(one, { AccountNumber: '0123456789', ...more }, rows)).outcome).toBe(outcome);
  });

  it('by an id that is the reference that was sent, which an echo has too', async () => {
    const rows = { 'customer.id': ['/reference'] };
    expect((await tell(create, { reference: 'ref-1' }, rows)).outcome).toBe('unknown');
    expect((await tell(create, { reference: 'ref-2' }, rows)).outcome).toBe('unknown');
  });

  it.each(inTurn(failedStatuses.map((status) => [status, status] as const)))(
    'by a record whose status is %s is OUTCOME_UNKNOWN, whatever the flag: %s',
    async (_, __, one, status) => {
      expect(await tell(one, { ...one.proven, status })).toEqual(nothingCertain(one));
      expect(await tell(one, { success: true, data: { ...one.proven, status } })).toEqual(nothingCertain(one));
    },
  );

  it.each<readonly [string, object, object, string]>([
    ['another reference', { reference: 'ref-1' }, { reference: 'ref-2' }, 'unknown'],
    ['the reference in other letters', { reference: 'ref-1' }, { reference: 'REF1' }, 'done'],
    [
      'another reference and the same e-mail',
      { reference: 'r', email: 'a@b.example' },
      { reference: 'x', email: 'A@b.example' },
      'done',
    ],
    ['another e-mail', { email: 'a@b.example' }, { email: 'b@b.example' }, 'unknown'],
    ['a masked e-mail', { email: 'a@b.example' }, { email: 'a***@b.example' }, 'done'],
    ['an e-mail masked by dots', { email: 'ada@b.example' }, { email: 'a••@b.example' }, 'done'],
    ['nothing of what was sent', { reference: 'ref-1' }, {}, 'done'],
  ])('by a positive flag beside %s: whether it is the customer that was sent', async (_, input, record, outcome) => {
    const fields = JSON.stringify(input).replaceAll(/"(\w+)":/g, '$1: ');
    const one = { ...create, document: create.document.replace('{ reference: "ref-1" }', fields) };
    const body = { success: true, data: { id: 'c9', ...record } };
    expect((await tell(one, body)).outcome).toBe(outcome);
    expect((await tell(one, body, { 'customer.identifiedBy': 'none' })).outcome).toBe('done');
  });

  it.each([
    ['0700000001', '700000001', 'done'],
    ['0700000001', '0700000002', 'unknown'],
  ])('by a positive flag beside the account number %s for %s is %s', async (sent, found, outcome) => {
    const bank = writeOf('createSettlementBank');
    const one = { ...bank, document: bank.document.replace('name: "Main"', `accountNumber: "${sent}"`) };
    const body = { success: true, data: { id: 'b9', account_no: found } };
    expect((await tell(one, body)).outcome).toBe(outcome);
    expect((await tell(one, body, { 'settlementBank.identifiedBy': 'none' })).outcome).toBe('done');
  });

  it('by a failed status goes by the words of the contract', async () => {
    const contract = { 'writes.failureStatuses': ['kaput'] };
    expect(await tell(create, { ...create.proven, status: 'Kaput' }, contract)).toEqual(nothingCertain(create));
    expect(await tell(create, { status: 'Kaput', data: create.proven }, contract)).toEqual(nothingCertain(create));
    expect(await tell(create, { ...create.proven, status: 'declined' }, contract)).toMatchObject({ outcome: 'done' });
    const mapped = { 'status.words': { X9: 'failed' } };
    expect(await tell(create, { status: 'X9', data: create.proven }, mapped)).toEqual(nothingCertain(create));
    expect(await tell(create, { status: 'X8', data: create.proven }, mapped)).toMatchObject({ outcome: 'done' });
  });

  it.each<readonly [unknown, Record<string, unknown>]>([
    [false, { 'status.words': { false: 'failed', true: 'active' } }],
    [false, { 'writes.failureStatuses': ['false'] }],
    [9, { 'status.words': { '9': 'Declined' } }],
    [9, { 'status.words': { '9': 'active' }, 'customer.status.words': { '9': 'Declined' } }],
  ])('by the failed status %j goes by what the contract makes of it: %j', async (status, contract) => {
    expect((await tell(create, { data: { ...create.proven, status } }, contract)).outcome).toBe('unknown');
    expect((await tell(create, { data: { ...create.proven, status: true } }, contract)).outcome).toBe('done');
  });

  it.each([200, 201, 202, 204])('by a %i without a body is OUTCOME_UNKNOWN', async (status) => {
    const result = await run(create, { status });
    expect(outcomeOf(result)).toBe('unknown');
    expect(result.upstream.requests).toHaveLength(1);
  });
});

describe('a 2xx whose flag may be the status of its record', () => {
  it.each(inTurn([['an update', { id: 'c1', status: false }]], writes.slice(1)))(
    'leaves open what happened: %s',
    async (_, __, one, json) => {
      expect(outcomeOf(await run(one, { json }))).toBe('unknown');
      expect(outcomeOf(await run(one, { json: { ...json, message: 'No.' } }))).toBe('refused');
      expect(outcomeOf(await run(one, { json: { ...json, status: undefined, success: false } }))).toBe('refused');
      expect(outcomeOf(await run(one, { json: { ...json, data: null } }))).toBe('refused');
      expect(outcomeOf(await run(one, { json: { status: false } }))).toBe('refused');
    },
  );
});

describe('a 4xx', () => {
  const contradictions: readonly [name: string, body: Body][] = [
    ['a positive flag', (record) => ({ success: true, data: record })],
    ['a status of 1', (record) => ({ status: 1, data: record })],
    ['a code of a time-out', () => ({ success: false, code: 'TIMEOUT', status_code: 504 })],
    ['a flag of 503', () => ({ status: 503, message: 'Sorry.' })],
  ];
  it.each(inTurn(contradictions))('with %s refuses nothing: %s', async (_, __, one, body) => {
    for (const status of [400, 403, 422, 429]) {
      expect(outcomeOf(await run(one, { status, json: body(one.proven) }))).toBe('unknown');
    }
  });

  const refusals: readonly [name: string, json: unknown, contract?: Record<string, unknown>][] = [
    ['a positive flag beside no record', { status: true, message: 'No.' }],
    ['a positive flag beside an empty record', { success: true, message: 'No.', data: {} }],
    ['a code that the contract maps', { code: 'E1', status_code: 504 }, { 'errors.statuses': { E1: 422 } }],
    ['the word of a duplicate beside a code of failure', { code: 500, message: 'Customer already exists.' }],
  ];
  it.each([422, 405])('has the status of the answer where a mapped code leaves it open: %i', async (status) => {
    const { answer } = await run(create, { status, json: { code: 'T1' } }, { 'errors.statuses': { T1: 504 } });
    expect(answer.errors[0]?.extensions).toMatchObject({ code: 'OUTCOME_UNKNOWN', upstreamStatus: status });
  });

  it.each(refusals)('with %s is a refusal like any other', async (_, json, contract) => {
    expect(outcomeOf(await run(create, { status: 422, json }, contract))).toBe('refused');
  });
});

describe('a refusal whose sentence says that the write is not over', () => {
  const sentences = ['Transaction timed out. Please try again.', 'Time-out.', 'Already being processed.'];
  const more = ['It is still processing.', 'Another request is in progress', 'Requery later.'];
  const keyed = [
    'There is another in-progress request.',
    'It is already processing.',
    'A request is outstanding for it.',
  ];
  const processing = [
    'Your request is processing.',
    'We are currently processing your request',
    'We’re processing it.',
  ];
  const alone = ['Transaction pending', 'Your request has been queued.', 'Processing your request…'];
  it.each([...sentences, ...more, ...keyed, ...processing, ...alone])(
    'leaves open what happened, unless the status refuses: %s',
    async (message) => {
      const json = { success: false, message };
      for (const [status, outcome] of [
        [200, 'unknown'],
        [409, 'unknown'],
        [400, 'refused'],
        [422, 'refused'],
      ] as const)
        expect(outcomeOf(await run(create, { status, json }))).toBe(outcome);
    },
  );

  it.each([200, 409])('has the status of the answer: %i', async (status) => {
    const { answer } = await run(create, { status, json: { success: false, message: 'Already being processed.' } });
    expect(answer.errors[0]?.extensions).toMatchObject({ code: 'OUTCOME_UNKNOWN', upstreamStatus: status });
  });

  const sent = { ...create, document: create.document.replace('ref-1', 'in progress') };
  it.each<readonly [name: string, one: WriteCase, json: object]>([
    ['fields are named', create, { message: 'Check in progress.', errors: { reference: ['Is too long.'] } }],
    ['a duplicate is named', create, { message: 'It already exists; verification in progress.' }],
    ['processing itself failed', create, { message: 'An error occurred while processing your request.' }],
    ['something else is pending', create, { message: 'The verification is pending.' }],
    ['the words are a value that was sent', sent, { message: '"in progress" is no reference.' }],
  ])('refuses where %s', async (_, one, json) => {
    expect(outcomeOf(await run(one, { json: { success: false, ...json } }))).toBe('refused');
  });

  it.each([
    [401, 'UNAUTHENTICATED'],
    [403, 'FORBIDDEN'],
    [429, 'RATE_LIMITED'],
  ])('stays that of a refused credential or of a limit: %i', async (status, code) => {
    for (const message of ['Session timed out.', 'Too many requests in progress.'])
      expect(outcomeOf(await run(create, { status, json: { message } }))).toEqual([code]);
  });

  it('stays that of a refused credential beside a code that would leave it open', async () => {
    expect(outcomeOf(await run(create, { status: 401, json: { code: 503 } }))).toEqual(['UNAUTHENTICATED']);
  });
});

describe('a code beside a flag that equals a value that was sent', () => {
  const sent = { ...create, document: create.document.replace('ref-1', '504') };
  it.each<readonly [status: number, json: object, outcome: Outcome]>([
    [200, { success: false, code: 504, message: 'Sorry.' }, 'unknown'],
    [200, { success: true, code: '504', data: { id: 'c1', reference: '504' } }, 'unknown'],
    [200, { success: true, code: '504', id: 'c1', reference: '504' }, 'done'],
    [200, { status: 504, message: 'Sorry.' }, 'unknown'],
    [422, { success: false, code: '504', message: 'No.' }, 'unknown'],
    [422, { id: 'c1', code: '504', message: 'No.' }, 'refused'],
    [200, { id: 'c1', code: '504', reference: '504' }, 'done'],
  ])('is the code of the service, and in a bare record the value: %i %j', async (status, json, outcome) => {
    expect(outcomeOf(await run(sent, { status, json }))).toBe(outcome);
  });

  it('is the value in a bare record that refuses, also where the contract maps it', async () => {
    const json = { id: 'c1', code: '504', error: true, message: 'No.' };
    const contract = { 'errors.statuses': { 504: 504 } };
    expect(outcomeOf(await run(sent, { json }, contract))).toBe('refused');
  });

  it('refuses where there is no record that it could belong to', async () => {
    const document = create.document.replace('ref-1', '422');
    const result = await run({ ...create, document }, { json: { code: '422', message: 'No.' } });
    expect(outcomeOf(result)).toBe('refused');
  });
});

describe('a flag of 0', () => {
  const flags: readonly [pointer: string, outcome: string][] = [
    ['/ok', 'unknown'],
    ['/wasSuccessful', 'unknown'],
    ['/status', 'done'],
    ['/token', 'done'],
  ];

  it.each(inTurn(flags))('at %s beside a record that proves itself: %s', async (pointer, _, one, outcome) => {
    const json = { [pointer.slice(1)]: 0, data: one.proven };
    expect(outcomeOf(await run(one, { json }, { 'envelope.success': [pointer] }))).toBe(outcome);
  });
});

describe('flags by the values of the contract', () => {
  it('tell a success by false, where that is its value', async () => {
    const json = { error: false, data: create.proven };
    const values = { 'envelope.success': ['/error'], 'envelope.successValues': [false] };
    expect(outcomeOf(await run(create, { json }, values))).toBe('done');
  });

  const contract = { 'envelope.success': ['/code', '/success'], 'envelope.successValues': ['00', 'true'] };
  it('refuse by any other value beside an error of a field, and leave open what happened beside a record', async () => {
    const json = { code: '05', message: 'No.' };
    const errors = { reference: ['Is too long.'] };
    expect(outcomeOf(await run(create, { json: { ...json, errors } }, contract))).toBe('refused');
    expect(outcomeOf(await run(create, { json: { ...json, data: create.proven } }, contract))).toBe('unknown');
  });

  it('leave open what happened where another flag contradicts', async () => {
    for (const data of [null, create.proven]) {
      const json = { code: '00', success: false, message: 'Declined.', data };
      expect(outcomeOf(await run(create, { json }, contract))).toBe('unknown');
    }
    for (const more of [{ success: true }, {}]) {
      const json = { code: '00', ...more, data: create.proven };
      expect(outcomeOf(await run(create, { json }, contract))).toBe('done');
    }
  });
});

it.each(inTurn([301, 302, 303, 307, 308].map((status) => [String(status), status] as const)))(
  'a 3xx by %s leaves open what happened, and is followed nowhere: %s',
  async (_, __, one, status) => {
    const elsewhere = await startUpstream(() => ({ json: { success: true, data: one.proven } }));
    const result = await run(one, { status, headers: { location: `${elsewhere.url}/` } });
    await elsewhere.close();
    expect(outcomeOf(result)).toBe('unknown');
    expect(result.answer.errors[0]?.extensions).toMatchObject({ retryable: false, upstreamStatus: status });
    expect(result.answer.errors[0]?.extensions['lookup']).toEqual(one.lookup);
    expect(result.upstream.requests).toHaveLength(1);
    expect(elsewhere.requests).toEqual([]);
  },
);
