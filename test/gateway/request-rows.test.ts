import { describe, expect, it } from 'vitest';
import { createContract } from '../../src/contract/contract.ts';
import { query, startScripted } from '../support/gateway.ts';
import { failure, success } from '../support/upstream.ts';

type Rows = Readonly<Record<string, unknown>>;

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

describe('values in a body', () => {
  it('have the forms that the service wants', async () => {
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
        'updateCustomer(input: { id: "c1", dateOfBirth: "" })',
      ),
    ).toEqual([{ dob: '', customer: 'c1' }]);
  });
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

  /** The keys that the service is sent for these inputs, one create after the other; each is refused, which frees the key. */
  const keysOf = async (...inputs: readonly string[]): Promise<readonly unknown[]> => {
    const { gateway, upstream } = await startScripted(() => failure(422), { contract });
    for (const input of inputs)
      await query(gateway, `mutation { createCustomer(input: { ${input} }) { userErrors { code } } }`);
    return upstream.requests.map(({ headers }) => headers['x-idempotency-key']);
  };

  it('is the same for a repeated create, and another for other input or another key', async () => {
    const keys = await keysOf(
      'type: "w", idempotencyKey: "k1"',
      'type: "w", idempotencyKey: "k1"',
      'type: "v", idempotencyKey: "k1"',
      'type: "w", idempotencyKey: "k2"',
    );
    expect(keys).toEqual(Array.from({ length: 4 }, () => [expect.stringMatching(uuid)]));
    expect(keys[1]).toEqual(keys[0]);
    expect(new Set(keys.map(String)).size).toBe(3);
    expect(JSON.stringify(keys)).not.toContain('k1');
  });

  it('is another one for another path, and for another operation at the same path', async () => {
    const path = '/customers/{id}/accounts';
    const rows = { 'createCustomerVirtualAccount.path': path, 'createCustomerOneTimeAccount.path': path };
    const { gateway, upstream } = await startScripted(() => failure(422), { contract: { ...contract, ...rows } });
    for (const [field, customer] of [
      ['createVirtualAccount', 'c1'],
      ['createVirtualAccount', 'c2'],
      ['createOneTimeAccount', 'c1'],
    ])
      await query(
        gateway,
        `mutation { ${field}(input: { customerId: "${customer}", idempotencyKey: "k1" }) { userErrors { code } } }`,
      );
    expect(new Set(upstream.requests.map(({ method, path, body }) => `${method} ${path} ${body}`)).size).toBe(2);
    expect(new Set(upstream.requests.map(({ headers }) => String(headers['x-idempotency-key']))).size).toBe(3);
  });

  it('is another one for another method, and the same from another process with the same secret', async () => {
    const environment = { FINGERPRINT_SECRET: 'an obviously fake secret of text' };
    const keyBy = async (method: string): Promise<string> => {
      const rows = { ...contract, 'createCustomer.method': method };
      const { gateway, upstream } = await startScripted(() => failure(422), { contract: rows, environment });
      await query(gateway, 'mutation { createCustomer(input: { idempotencyKey: "k1" }) { userErrors { code } } }');
      return String(upstream.requests[0]?.headers['x-idempotency-key']);
    };
    const [first, again, other] = [await keyBy('POST'), await keyBy('POST'), await keyBy('PUT')];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it('is another one for another caller', async () => {
    const { gateway, upstream } = await startScripted(() => failure(422), { contract });
    const document = 'mutation { createCustomer(input: { type: "w", idempotencyKey: "k1" }) { userErrors { code } } }';
    const other = { authorization: 'Bearer other-token', svcprivatekey: 'other-key' };
    await query(gateway, document);
    await query(gateway, document, { headers: other });
    expect(new Set(upstream.requests.map(({ headers }) => String(headers['x-idempotency-key']))).size).toBe(2);
  });

  it('is another one for each write without a key', async () => {
    const keys = await keysOf('type: "w"', 'type: "w"');
    expect(new Set(keys.map(String)).size).toBe(2);
    expect(keys).toEqual([[expect.stringMatching(uuid)], [expect.stringMatching(uuid)]]);
  });

  it('never goes out with a read, nor without the row', async () => {
    const { gateway, upstream } = await startScripted(() => success({ id: 'c1' }), { contract });
    await query(gateway, '{ customer(id: "c1") { id } }');
    const other = await startScripted(() => failure(422));
    await query(
      other.gateway,
      'mutation { createCustomer(input: { type: "w", idempotencyKey: "k1" }) { userErrors { code } } }',
    );
    const seen = [...upstream.requests, ...other.upstream.requests].flatMap(({ headers }) => Object.keys(headers));
    expect(seen).not.toContain('x-idempotency-key');
    expect(seen).not.toContain('idempotency-key');
  });

  it.each(['Authorization', 'X-Request-Id', 'x key'])('cannot stand in %s', (name) => {
    expect(() => createContract({ 'writes.idempotencyHeader': name })).toThrow(
      'the name of a header for idempotency keys',
    );
  });
});
