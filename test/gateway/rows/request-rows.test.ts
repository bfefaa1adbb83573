import { describe, expect, it } from 'vitest';
import { createContract } from '../../../src/contract/contract.ts';
import { query, startScripted, startStored } from '../../support/gateway.ts';
import { failure, success } from '../../support/upstream/upstream.ts';

type Rows = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

/** The bodies that a mutation sends under these rows. */
async function bodiesOf(contract: Rows, fields: string): Promise<readonly unknown[]> {
  const { gateway, upstream } = await startScripted(() => failure(422), { contract });
  await query(gateway, `mutation { ${fields} { userErrors { code } } }`);
  return upstream.requests.map(({ body }) => JSON.parse(body) as unknown);
}

describe('the fields of a body', () => {
  it('stand where JSON pointers say, from the top of the body', async () => {
    const rows = {
      'createCustomer.wrapper': '/data/attributes',
      'createCustomer.body': { firstName: '/data/attributes/name/first', lastName: '/data/attributes/name/last' },
      'createCustomer.constants': { '/data/type': 'customer' },
      'extra.CreateCustomerInput.walletId': { type: 'ID', wire: '/data/relationships/wallet/data/id' },
    };
    const input = '{ firstName: "Ada", lastName: "Walker", email: "ada@example.com", walletId: "w1" }';
    expect(await bodiesOf(rows, `createCustomer(input: ${input})`)).toEqual([
      {
        data: {
          type: 'customer',
          attributes: { name: { first: 'Ada', last: 'Walker' }, email: 'ada@example.com' },
          relationships: { wallet: { data: { id: 'w1' } } },
        },
      },
    ]);
    expect(await bodiesOf(rows, 'createCustomer(input: { firstName: "Ada" })')).toEqual([
      { data: { type: 'customer', attributes: { name: { first: 'Ada' } } } },
    ]);
  });

  const amount = {
    'createCustomerOneTimeAccount.body': { amount: 'value' },
    'createCustomerOneTimeAccount.wrapper': '/data/attributes/amount',
    'createCustomerOneTimeAccount.constants': { '/data/type': 'account', currency: 'NGN' },
  };
  const nested = {
    'createCustomerOneTimeAccount.body': { amount: '/amount/value' },
    'createCustomerOneTimeAccount.constants': { channel: 'api' },
  };
  it.each<[name: string, rows: Rows, input: string, body: unknown]>([
    [
      'go with constants in their wrapper',
      amount,
      'amount: "5"',
      { data: { type: 'account', attributes: { amount: { value: '5', currency: 'NGN' } } } },
    ],
    [
      'leave out the wrapper and its constants where there are none',
      amount,
      '',
      { data: { type: 'account', attributes: {} } },
    ],
    ['keep constants outside a wrapper', nested, '', { channel: 'api' }],
    ['keep an empty wrapper without constants', { 'createCustomerOneTimeAccount.wrapper': 'data' }, '', { data: {} }],
  ])('%s', async (_, rows, input, body) => {
    const field = `createOneTimeAccount(input: { customerId: "c1", ${input} })`;
    expect(await bodiesOf(rows, field)).toEqual([body]);
  });

  it('keep the constants of a wrapper that only fields of the deployment stand in', async () => {
    const rows = {
      'createCustomerVirtualAccount.wrapper': 'data',
      'createCustomerVirtualAccount.constants': { product: 'collections' },
      'extra.CreateVirtualAccountInput.label': { type: 'String' },
    };
    expect(await bodiesOf(rows, 'createVirtualAccount(input: { customerId: "c1" })')).toEqual([
      { data: { product: 'collections' } },
    ]);
  });
});

it('values in a body have the forms that the service wants', async () => {
  const rows = {
    'dates.form': 'DD/MM/YYYY',
    'phone.form': 'digits',
    'identifiers.inBody': 'number',
    'updateCustomer.idInBody': 'customer',
    'extra.UpdateCustomerInput.bankId': { type: 'ID' },
    'extra.UpdateCustomerInput.planId': { type: 'ID' },
    'extra.UpdateCustomerInput.since': { type: 'Date' },
  };
  const input = 'dateOfBirth: "1990-12-31", phone: "+2348000000000", bankId: "7", planId: "007", since: "2026-01-02"';
  expect(await bodiesOf(rows, `updateCustomer(input: { id: "42", ${input} })`)).toEqual([
    { dob: '31/12/1990', phone: '2348000000000', bankId: 7, planId: '007', since: '02/01/2026', customer: 42 },
  ]);
  expect(
    await bodiesOf(
      { ...rows, 'customer.emptyAllowed': ['dateOfBirth'] },
      'updateCustomer(input: { id: "9007199254740993", dateOfBirth: "" })',
    ),
  ).toEqual([{ dob: '', customer: '9007199254740993' }]);
});

describe('headers', () => {
  it('that the contract names go out with every call, but for one that carries a credential', async () => {
    const contract = {
      'service.headers': { 'Api-Version': '2026-01-31', 'X-Client-Id': 'client 1', 'X-Merchant': 'm1' },
    };
    const environment = { PRIVATE_KEY_HEADER: 'x-merchant', PRIVATE_KEY_HEADER_IN: 'svcprivatekey' };
    const { gateway, upstream } = await startScripted(
      ({ path }) => success({ id: path.includes('banks') ? 'b1' : 'c1', type: 'w' }),
      { contract, environment },
    );
    await query(gateway, '{ customer(id: "c1") { id } settlementBank(id: "b1") { id } }');
    await query(gateway, 'mutation { updateCustomer(input: { id: "c1", type: "w" }) { userErrors { code } } }');
    const common = { 'api-version': ['2026-01-31'], 'x-client-id': ['client 1'] };
    expect(upstream.requests.map(({ headers }) => headers)).toEqual([
      expect.objectContaining({ ...common, 'x-merchant': ['test-key'] }),
      expect.objectContaining({ ...common, authorization: ['Bearer test-token'] }),
      expect.objectContaining({ ...common, 'x-merchant': ['test-key'], 'content-type': ['application/json'] }),
    ]);
    expect(upstream.requests[1]?.headers['x-merchant']).toBeUndefined();
  });

  it.each([
    'Authorization',
    'X-Api-Key',
    'x-access-token',
    'X-Signature',
    'Cookie',
    'Host',
    'Accept',
    'Idempotency-Key',
    'traceparent',
    'a b',
  ])('cannot be constant: %s', (name) => {
    expect(() => createContract({ 'service.headers': { [name]: 'x' } })).toThrow(
      'names of headers that have no meaning',
    );
  });

  it.each(['', ' x', 'x\r\ny: z', 'é', 'x'.repeat(201)])('cannot have the value %j', (value) => {
    expect(() => createContract({ 'service.headers': { 'X-Client-Id': value } })).toThrow('a text of 1 to 200');
  });
});

describe('the idempotency key of the service', () => {
  const contract = { 'writes.idempotencyHeader': 'X-Idempotency-Key' };
  const uuid = /^[\da-f]{8}-[\da-f]{4}-[48][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

  const create = (input: string) => `createCustomer(input: { ${input} }) { userErrors { code } }`;
  const open = (field: string, id: string) =>
    `${field}(input: { customerId: "${id}", idempotencyKey: "k1" }) { userErrors { code } }`;
  const other = { authorization: 'Bearer other-token', svcprivatekey: 'other-key' };
  const path = '/customers/{id}/accounts';
  const samePath = { 'createCustomerVirtualAccount.path': path, 'createCustomerOneTimeAccount.path': path };

  /** Writes with the letters of their keys: equal ones for equal keys. */
  it.each<[what: string, sent: readonly (readonly [mutation: string, headers?: Headers])[], keys: string, rows?: Rows]>(
    [
      [
        'a repeated create, and another for another input or key',
        ['type: "w", idempotencyKey: "k1"', 'type: "w", idempotencyKey: "k1"', 'type: "v", idempotencyKey: "k1"']
          .concat('type: "w", idempotencyKey: "k2"')
          .map((input) => [create(input)]),
        'aabc',
      ],
      [
        'a path, and another for another path, and for another operation at it',
        [
          [open('createVirtualAccount', 'c1')],
          [open('createVirtualAccount', 'c2')],
          [open('createOneTimeAccount', 'c1')],
        ],
        'abc',
        samePath,
      ],
      ['a caller', [[create('idempotencyKey: "k1"')], [create('idempotencyKey: "k1"'), other]], 'ab'],
      ['no two writes without a key', [[create('type: "w"')], [create('type: "w"')]], 'ab'],
    ],
  )('is the same for %s', async (_, sent, letters, rows = {}) => {
    // Each is refused, which frees the key.
    const { gateway, upstream } = await startStored(() => failure(422), { contract: { ...contract, ...rows } });
    for (const [mutation, headers] of sent)
      await query(gateway, `mutation { ${mutation} }`, headers ? { headers } : {});
    const keys = upstream.requests.map(({ headers }) => String(headers['x-idempotency-key']));
    const distinct = [...new Set(keys)];
    expect(keys.map((key) => 'abc'[distinct.indexOf(key)]).join('')).toBe(letters);
    expect(keys).toEqual(keys.map(() => expect.stringMatching(uuid) as string));
  });

  it('is another one for another method, and the same from another process with the same secret', async () => {
    const environment = { FINGERPRINT_SECRET: 'an obviously fake secret of text' };
    const keyBy = async (method: string): Promise<string> => {
      const rows = { ...contract, 'createCustomer.method': method };
      const { gateway, upstream } = await startStored(() => failure(422), { contract: rows, environment });
      await query(gateway, `mutation { ${create('idempotencyKey: "k1"')} }`);
      return String(upstream.requests[0]?.headers['x-idempotency-key']);
    };
    const [first, again, put] = [await keyBy('POST'), await keyBy('POST'), await keyBy('PUT')];
    expect([again, put === first]).toEqual([first, false]);
  });

  it('never goes out with a read, nor without the row', async () => {
    const { gateway, upstream } = await startScripted(() => success({ id: 'c1' }), { contract });
    await query(gateway, '{ customer(id: "c1") { id } }');
    const plain = await startStored(() => failure(422));
    await query(plain.gateway, `mutation { ${create('idempotencyKey: "k1"')} }`);
    const seen = [...upstream.requests, ...plain.upstream.requests].flatMap(({ headers }) => Object.keys(headers));
    expect(seen).not.toContain('x-idempotency-key');
    expect(seen).not.toContain('idempotency-key');
  });

  it.each(['Authorization', 'X-Request-Id', 'x key'])('cannot stand in %s', (name) => {
    expect(() => createContract({ 'writes.idempotencyHeader': name })).toThrow(
      'the name of a header for idempotency keys',
    );
  });
});
