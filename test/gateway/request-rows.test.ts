import { describe, expect, it } from 'vitest';
import { query, startScripted } from '../support/gateway.ts';
import { failure } from '../support/upstream.ts';

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
