import { describe, expect, it } from 'vitest';
import { codes, query, startGateway, startScripted, type GatewayOptions } from '../support/gateway.ts';
import { startHeldUpstream } from '../support/upstream/held-upstream.ts';
import { askAndLeave } from '../support/http.ts';
import { freeUrl } from '../support/ports.ts';
import { routed } from '../support/upstream/script.ts';
import { failure, success, type Reply, type SeenRequest } from '../support/upstream/upstream.ts';
import { create, inTurn, update, type WriteCase } from '../support/upstream/write-cases.ts';

/** One write against one reply. */
async function run(
  one: WriteCase,
  reply: Reply | ((request: SeenRequest) => Reply | Promise<Reply>),
  options: Omit<GatewayOptions, 'upstream'> = {},
) {
  const script = typeof reply === 'function' ? reply : () => reply;
  const { gateway, upstream } = await startScripted(script, options);
  const answer = await query(gateway, one.document);
  return { answer, payload: answer.data[one.field], upstream, error: answer.errors[0] };
}

const writesOf = (requests: readonly SeenRequest[]) => requests.filter(({ method }) => method !== 'GET');
const json = (text: string | Buffer, status = 200, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  text,
  headers: { 'content-type': 'application/json', ...headers },
});
const record = JSON.stringify({ success: true, data: { id: 'c1' } });

it.each([create, update])(
  'a write that was not sent is UPSTREAM_UNAVAILABLE and may be repeated when connections are refused: $field',
  async (one) => {
    const gateway = await startGateway({ upstream: await freeUrl() });
    const answer = await query(gateway, one.document);
    expect(answer.data).toEqual({ [one.field]: null });
    expect(codes(answer)).toEqual(['UPSTREAM_UNAVAILABLE']);
    expect(answer.errors[0]?.extensions).toMatchObject({ operation: one.field, retryable: true });
    expect(answer.errors[0]?.extensions).not.toHaveProperty('lookup');
  },
);

describe('a write that succeeded', () => {
  it.each([create, update])('without a record is done, and an updated one is read again once: $field', async (one) => {
    const written: Reply = { status: one.method === 'POST' ? 201 : 200, json: { success: true, data: null } };
    const { answer, payload, upstream } = await run(one, ({ method }) =>
      method === 'GET' ? success(one.proven) : written,
    );
    const [methods, record] = one.method === 'POST' ? [['POST'], null] : [['PATCH', 'GET'], { id: one.proven.id }];
    expect(answer.errors).toEqual([]);
    expect(payload).toEqual({ [one.record]: record, userErrors: [] });
    expect(upstream.requests.map(({ method }) => method)).toEqual(methods);
  });

  it.each([
    ['500', failure(500), 'UPSTREAM_UNAVAILABLE'],
    ['404', failure(404), 'UPSTREAM_INVALID_RESPONSE'],
  ])('has an error in the record’s own slot when reading again fails by %s', async (_, reply, code) => {
    const replies: Readonly<Record<string, Reply>> = { PATCH: { json: { success: true } }, GET: reply };
    const { answer, payload, upstream, error } = await run(update, ({ method }) => replies[method] ?? {});
    expect(payload).toEqual({ customer: null, userErrors: [] });
    expect(codes(answer)).toEqual([code]);
    expect(error?.path).toEqual(['updateCustomer', 'customer']);
    expect(error?.extensions['operation']).toBe('getCustomer');
    expect(writesOf(upstream.requests)).toHaveLength(1);
  });
});

/** What leaves open whether the write took effect. */
const unknown: readonly [name: string, reply: Reply][] = [
  ['a connection cut before the answer', { cut: true }],
  ['a record without an id', success({ first_name: 'Ada' }, 201)],
  ['fewer bytes than announced', json(record, 201, { 'content-length': '500', connection: 'close' })],
  ['an encoding that was not asked for', json(record, 200, { 'content-encoding': 'gzip' })],
  ['5 MiB', success({ id: 'c1', first_name: 'a'.repeat(5 * 1024 * 1024) })],
  ['408', failure(408, 'planted')],
  ['499 of a proxy that gave up', failure(499, 'planted')],
  ['a part of an answer', json(record, 206)],
  ['500', failure(500, 'planted')],
];

const statusOf = ({ cut, status = 200 }: Reply) => (cut === true ? {} : { upstreamStatus: status });

describe('a write of which nothing certain came back', () => {
  it.each(inTurn(unknown))(
    'is OUTCOME_UNKNOWN after %s, and tells how to look it up: %s',
    async (_, __, one, reply) => {
      const { answer, upstream, error } = await run(one, reply);
      expect(answer.data).toEqual({ [one.field]: null });
      expect(codes(answer)).toEqual(['OUTCOME_UNKNOWN']);
      expect(error).toMatchObject({ path: [one.field], extensions: { retryable: false, ...statusOf(reply) } });
      expect(error?.extensions['lookup']).toEqual(one.lookup);
      expect(error?.extensions['operation']).toBe(one.operation);
      expect(JSON.stringify(error)).not.toContain('planted');
      expect(upstream.requests.map(({ method }) => method)).toEqual([one.method]);
    },
  );

  it('is sent once on a connection that was used before', async () => {
    const { gateway, upstream } = await startScripted(
      routed({ 'POST /customers/': [success({ id: 'c1' }), { cut: true }, success({ id: 'c3' })] }),
    );
    const answers = [await query(gateway, create.document), await query(gateway, create.document)];
    expect(answers.map(codes)).toEqual([[], ['OUTCOME_UNKNOWN']]);
    expect(upstream.requests).toHaveLength(2);
  });
});

describe('a write that the service turned away', () => {
  const coded: readonly [name: string, reply: Reply, code: string, details: object][] = [
    ['403', failure(403, 'planted'), 'FORBIDDEN', { upstreamStatus: 403, retryable: false }],
    ['404', failure(404, 'planted'), 'NOT_FOUND', { upstreamStatus: 404, retryable: false }],
    ['429', failure(429, 'planted'), 'RATE_LIMITED', { upstreamStatus: 429, retryable: true }],
    [
      '429 with Retry-After',
      { ...failure(429, 'planted'), headers: { 'retry-after': '9' } },
      'RATE_LIMITED',
      { retryAfterSeconds: 9 },
    ],
  ];

  it.each(inTurn(coded))('by %s has its code: %s', async (_, __, one, reply, code, details) => {
    const { answer, upstream, error } = await run(one, reply);
    expect(answer.data).toEqual({ [one.field]: null });
    expect(codes(answer)).toEqual([code]);
    expect(error?.extensions).toMatchObject({ operation: one.operation, ...details });
    expect(JSON.stringify(error)).not.toContain('planted');
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('a sentence of the service', () => {
  const document =
    'mutation ($name: String!) { createCustomer(input: { lastName: $name }) { userErrors { message } } }';
  const refuse = async (name: string, sentence: string) => {
    const { gateway } = await startScripted(() => failure(422, sentence));
    const { data } = await query(gateway, document, { variables: { name } });
    return data.createCustomer.userErrors[0].message as string;
  };

  it('loses a value that it shows in composed characters, one for five', async () => {
    expect(await refuse('\u{1D6FC}\u0313\u0300\u0345'.repeat(9), '\u1F82'.repeat(9))).toBe('…');
  });

  it('is compared with a value that ends within a character, and does not end so itself', async () => {
    expect(await refuse('\ud83d', 'No such name.')).toBe('No such name.');
    expect(await refuse('Ada', `${'x'.repeat(299)}\u{1F600}`)).toBe(`${'x'.repeat(299)}\ufffd`);
  });
});

describe('the message of a refusal', () => {
  const input = {
    firstName: 'Adaeze',
    lastName: 'O',
    nin: '12345678901',
    bvn: '222',
    email: 'adaeze@example.com',
    phone: '+2348000000000',
    reference: 'ref(1).*',
    type: 're',
  };
  const document =
    'mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { userErrors { message } } }';
  const refuse = async (message: string, errors?: unknown) => {
    const { gateway } = await startScripted(() => failure(422, message, errors));
    const { data } = await query(gateway, document, { variables: { input } });
    return data.createCustomer.userErrors[0].message as string;
  };

  it.each([
    ['Customer Adaeze is known', 'Customer … is known'],
    ['customer ADAEZE is known', 'customer … is known'],
    ['O is too short, says O.', '… is too short, says ….'],
    ['Our records hold nin 12345678901', 'Our records hold nin …'],
    ['bvn 222 or x222 does not match', 'bvn … or x… does not match'],
    ['adaeze@example.com and +2348000000000 are taken', '… and … are taken'],
    ['ref(1).* is not ref-2', '… is not ref-2'],
    ['see wallet 4455667 of account 44556', 'see wallet … of account 44556'],
    ['see https://api.internal.example/x?key=1 for more', 'see … for more'],
    ['see www.internal.example for more', 'see … for more'],
    ['ask someone.else@internal.example or one%40two', 'ask … or …'],
    ['token test-token and key test-key', 'token … and key …'],
    ['two\nlines\u0000', 'two lines'],
    ['paid \u202eback\u200b', 'paid  back'],
    ["SQLSTATE[23000]: Duplicate entry 'O' for key 'uniq'", "SQLSTATE[23000]: Duplicate entry '…' for key 'uniq'"],
    ['The code 12-34-56 has expired.', 'The code … has expired.'],
    ['Code 12345 is wrong.', 'Code 12345 is wrong.'],
    ['Code 123456 is wrong.', 'Code … is wrong.'],
    ['Account 012 345-6789 is closed.', 'Account … is closed.'],
    ['NIN 123/456/78901, 123.456.78901 or １２３４５６７８９０１', 'NIN … or …'],
    ['Nin 123  456  78901 is there.', 'Nin … is there.'],
    ['At most 100,000.00 a day.', 'At most 100,000.00 a day.'],
    ['adaeze%40example.com is taken', '… is taken'],
    ['Row NG1234567890X is there.', 'Row NG…X is there.'],
    ['At 12 of 34 to 56.', 'At 12 of 34 to 56.'],
    ['Ask 10.1.2.3 about it.', 'Ask … about it.'],
    ['Ask db.internal:80 about it.', 'Ask … about it.'],
    [`https://${'a'.repeat(2_000)} and its end`, '…'],
  ])('comes out without what identifies: case %#', async (message, expected) => {
    expect(await refuse(message)).toBe(expected);
  });

  it('comes out without a value that was sent in the form of the wire', async () => {
    const { gateway } = await startScripted(() => failure(422, 'No: 31/01/1990, 12345, 4821.'), {
      contract: {
        'dates.form': 'DD/MM/YYYY',
        'money.unit': 'minor',
        'extra.CreateCustomerInput.pin': { type: 'Int', wire: 'pin' },
      },
    });
    const date = 'createCustomer(input: { dateOfBirth: "1990-01-31", pin: 4821 }) { userErrors { message } }';
    const amount = 'createOneTimeAccount(input: { customerId: "c1", amount: "123.45" }) { userErrors { message } }';
    const { data } = await query(gateway, `mutation { ${date} ${amount} }`);
    expect(data.createCustomer.userErrors[0].message).toBe('No: …, 12345, ….');
    expect(data.createOneTimeAccount.userErrors[0].message).toBe('No: 31/01/1990, …, 4821.');
  });

  it('keeps the words of field names, though they were sent as a value', async () => {
    const { gateway } = await startScripted(() => failure(422, 'The collection wallet of Collections is closed.'));
    const { data } = await query(gateway, document, {
      variables: { input: { type: 'Collection', firstName: 'closed', bvn: '' } },
    });
    expect(data.createCustomer.userErrors[0].message).toBe('The collection wallet of Collections is ….');
  });

  it('is cleaned, and then cut to 300 characters, beside a field, too; and ours where nothing is left of it', async () => {
    expect(await refuse('No.', { nin: ['Customer Adaeze is known'] })).toBe('Customer … is known');
    expect(await refuse('No.', { nin: ['no '.repeat(1000)] })).toHaveLength(300);
    expect(await refuse('No such thing. '.repeat(100))).toHaveLength(300);
    expect(await refuse(`${'x'.repeat(293)} 12345678901`)).toBe(`${'x'.repeat(293)} …`);
    expect(await refuse(' \n ')).toMatch(/[a-z]/);
  });
});

describe('a write whose client leaves', () => {
  it('arrives whole and is answered, while a read is given up and the next write of its document is not sent', async () => {
    const upstream = await startHeldUpstream();
    const gateway = await startGateway({ upstream: upstream.url });
    const leaving = new AbortController();
    const second = 'b: createCustomer(input: { reference: "ref-2" }) { customer { id } }';
    const written = askAndLeave(gateway, create.document.replace(/\}$/, `${second} }`), leaving.signal);
    const held = await upstream.next();
    const read = askAndLeave(gateway, '{ customer(id: "c1") { type } }', leaving.signal);
    const heldRead = await upstream.next();
    leaving.abort();
    // The gateway has seen both connections close once the read's own call is gone.
    expect(await heldRead.ended).toEqual({ answered: false });
    held.release({ success: true, data: { id: 'c1' } });
    expect(await held.ended).toEqual({ answered: true });
    expect([held.method, held.body]).toEqual(['POST', '{"reference":"ref-1"}']);
    expect(await Promise.all([written, read])).toEqual(['AbortError', 'AbortError']);
    // Calls that the gateway makes after this one show that none came between.
    const probe = query(gateway, 'mutation { createCustomer(input: { reference: "probe" }) { customer { id } } }');
    const after = await upstream.next();
    after.release({ success: true, data: { id: 'c1' } });
    await probe;
    expect(after.body).toBe('{"reference":"probe"}');
  });

  it('is not sent at all once REQUEST_TIMEOUT_MS has passed', async () => {
    const { gateway, upstream } = await startScripted(() => ({ hang: true }), {
      environment: { REQUEST_TIMEOUT_MS: '150', UPSTREAM_TIMEOUT_MS: '150' },
    });
    const answer = await query(
      gateway,
      `mutation { a: createCustomer(input: {}) { customer { id } } b: createCustomer(input: {}) { customer { id } } }`,
    );
    expect(answer.errors.map(({ path }) => path)).toEqual([['a'], ['b']]);
    expect(codes(answer)[0]).toBe('OUTCOME_UNKNOWN');
    expect(answer.errors[1]?.extensions['retryable']).toBe(true);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('an input that cannot be right', () => {
  const texts = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, ['']]));
  /** Values that are refused, by field: of a mutation, with what else its input needs. */
  const faulty: readonly [mutation: string, more: string, values: Readonly<Record<string, readonly unknown[]>>][] = [
    ['createCustomer', '', texts('firstName lastName reference type collectionWalletId')],
    [
      'createCustomer',
      '',
      {
        nin: ['', '1234567890', '123456789012', '1234567890x', '١٢٣٤٥٦٧٨٩٠١', '12345678901\n'],
        dateOfBirth: ['', '2026-02-30', '2025-02-29', '1990-1-31', '31-01-1990', '1990-01-31T00:00:00Z'],
        phone: ['', '2348000000000', '+234 800', '+'],
        email: ['', 'ada', 'ada@', '@example.com', 'ada@example', 'ada lovelace@example.com', 'ada@b@example.com'],
      },
    ],
    ['createCustomer', '', { email: ['ada@example..com', `${'a'.repeat(243)}@example.com`] }],
    ['updateCustomer', 'id: "c1", ', { nin: [null], email: [null], dateOfBirth: ['2026-02-30'], phone: [''] }],
    [
      'createSettlementBank',
      '',
      {
        ...texts('accountName'),
        name: [''],
        accountNumber: ['', '01234x'],
        bankCode: ['', '04 4'],
        bankSlug: ['', 'Example-Bank', 'example bank', 'example_bank', 'example--bank', '-bank', 'bank-'],
      },
    ],
    ['updateSettlementBank', 'id: "b1", ', { name: [null], accountNumber: [null], bankSlug: ['UPPER'] }],
  ];

  it('is refused before any call, and named', async () => {
    const { gateway, upstream } = await startScripted(() => success({ id: 'c1' }));
    for (const [mutation, more, fields] of faulty) {
      for (const [field, value] of Object.entries(fields).flatMap(([name, all]) => all.map((one) => [name, one]))) {
        const input = `{ ${more}${String(field)}: ${JSON.stringify(value)} }`;
        const document = `mutation { payload: ${mutation}(input: ${input}) { userErrors { code field } } }`;
        const { data, errors } = await query(gateway, document);
        expect(errors).toEqual([]);
        expect(data.payload.userErrors, `for ${input}`).toEqual([{ code: 'INVALID', field: ['input', field] }]);
      }
    }
    expect(upstream.requests).toEqual([]);
  });

  it('has all its faults told at once, none of them quoting a value', async () => {
    const { gateway, upstream } = await startScripted(() => success({ id: 'c1' }), {
      contract: { 'createCustomer.required': ['reference', 'email'] },
    });
    const input = { nin: '123456789', dateOfBirth: '2026-02-30', phone: '0800', bvn: null, email: null };
    const { data, errors } = await query(
      gateway,
      `mutation ($input: CreateCustomerInput!) {
        createCustomer(input: $input) { customer { id } userErrors { code field message } }
      }`,
      { variables: { input } },
    );
    const userErrors = data.createCustomer.userErrors as readonly { readonly field: unknown; readonly code: unknown }[];
    expect(errors).toEqual([]);
    expect(data.createCustomer.customer).toBeNull();
    expect(new Set(userErrors.map(({ code }) => code))).toEqual(new Set(['INVALID']));
    expect(new Set(userErrors.map(({ field }) => JSON.stringify(field)))).toEqual(
      new Set(['nin', 'dateOfBirth', 'phone', 'email', 'reference'].map((field) => JSON.stringify(['input', field]))),
    );
    expect(userErrors).toHaveLength(5);
    expect(JSON.stringify(userErrors)).not.toMatch(/123456789|2026-02-30|0800/);
    expect(upstream.requests).toEqual([]);
  });

  it('is told in the same words of a required field that is absent, null or empty', async () => {
    const { gateway } = await startScripted(() => success({ id: 'c1' }), {
      contract: { 'createCustomer.required': ['reference', 'email', 'type'] },
    });
    const input = '{ reference: "", email: null, lastName: "" }';
    const { data } = await query(
      gateway,
      `mutation { createCustomer(input: ${input}) { userErrors { field message } } }`,
    );
    const messages = (data.createCustomer.userErrors as { field: string[]; message: string }[]).map(
      ({ field, message }) => `${field[1]}: ${message}`,
    );
    const required = ['reference', 'email', 'type'].map((name) => `${name}: Is required.`);
    expect(new Set(messages)).toEqual(
      new Set([...required, 'lastName: Must not be empty; leave the field out instead.']),
    );
  });

  it('is not one at the edge of what is right, nor an empty text where the contract allows one', async () => {
    const { gateway, upstream } = await startScripted(() => success({ id: 'c1' }, 201), {
      contract: { 'customer.emptyAllowed': ['phone'], 'settlementBank.emptyAllowed': ['bankSlug'] },
    });
    const edge = 'phone: "+1", dateOfBirth: "2024-02-29", email: "ada+test@mail.example.com"';
    const { data } = await query(
      gateway,
      `mutation {
        a: createCustomer(input: { phone: "" }) { userErrors { field } }
        b: createCustomer(input: { bvn: "" }) { userErrors { field } }
        c: createSettlementBank(input: { bankSlug: "" }) { userErrors { field } }
        d: createCustomer(input: { ${edge} }) { userErrors { field } }
      }`,
    );
    expect([data.a, data.b, data.c, data.d].map(({ userErrors }) => userErrors as unknown)).toEqual([
      [],
      [{ field: ['input', 'bvn'] }],
      [],
      [],
    ]);
    expect(upstream.requests.map(({ body }) => body).slice(0, 2)).toEqual(['{"phone":""}', '{"bank_slug":""}']);
    expect(upstream.requests).toHaveLength(3);
  });
});

describe('reads after a write in the same document', () => {
  /** A customer whose name is what the last update made it, and whose balance counts the updates. */
  const stateful = (answersRecord: boolean) => {
    let name = 'Old';
    let count = 0;
    const replies: Readonly<Record<string, (request: SeenRequest) => Reply>> = {
      PATCH: ({ body }) => {
        name = (JSON.parse(body) as { readonly first_name: string }).first_name;
        count += 1;
        return success(answersRecord ? { id: 'c1', first_name: name } : null);
      },
      GET: () => success({ id: 'c1', first_name: name, balance: `${count}.00` }),
    };
    return (request: SeenRequest): Reply => replies[request.method]?.(request) ?? {};
  };
  const change = (alias: string, name: string) =>
    `${alias}: updateCustomer(input: { id: "c1", firstName: "${name}" }) {
      customer { firstName balance { value { amount } } }
    }`;
  const expected = {
    a: { customer: { firstName: 'First', balance: { value: { amount: '1.00' } } } },
    b: { customer: { firstName: 'Second', balance: { value: { amount: '2.00' } } } },
  };

  it.each([
    ['with its record', true, ['PATCH', 'GET', 'PATCH', 'GET']],
    ['without one', false, ['PATCH', 'GET', 'GET', 'PATCH', 'GET', 'GET']],
  ])('see the new record and balance each time where the service answers %s', async (_, answersRecord, methods) => {
    const { gateway, upstream } = await startScripted(stateful(answersRecord));
    const { data, errors } = await query(gateway, `mutation { ${change('a', 'First')} ${change('b', 'Second')} }`);
    expect(errors).toEqual([]);
    expect(data).toEqual(expected);
    expect(upstream.requests.map(({ method }) => method)).toEqual(methods);
  });
});
