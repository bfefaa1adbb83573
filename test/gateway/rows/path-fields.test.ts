import { describe, expect, it } from 'vitest';
import { createContract } from '../../../src/contract/contract.ts';
import { parseOverrides } from '../../../src/contract/overrides-file.ts';
import { checkService } from '../../contract-tools/service.ts';
import { codes, query, startScripted } from '../../support/gateway.ts';
import { pageOf, startUpstream, success, type Reply, type SeenRequest } from '../../support/upstream/upstream.ts';

type Rows = Readonly<Record<string, unknown>>;

/** A service whose customers have wallets, and whose wallets have transactions, balances and accounts. */
const walletRows: Rows = {
  'getCustomerBalance.path': '/wallets/{collectionWalletId}/balance',
  'listCustomerTransactions.path': '/customers/{id}/wallets/{walletCode}/transactions',
  'listCustomerVirtualAccounts.path': '/accounts?wallet={walletCode}&of={reference}',
  'extra.Customer.walletCode': { type: 'ID', at: ['/wallet/code'] },
};

const recordOf = (id: string): Rows => ({
  id,
  reference: `r ${id}`,
  collection_wallet: `cw-${id}`,
  wallet: { code: `w-${id}` },
});

function answerAs(record: (id: string) => Rows, count = 2) {
  const ids = Array.from({ length: count }, (_, index) => `c${index + 1}`);
  return ({ path }: SeenRequest): Reply => {
    const target = path.replace('/api/v1', '');
    if (target.includes('balance')) return success({ balance: '1.00' });
    if (target.startsWith('/customers/?')) return pageOf(ids.map(record), path);
    return target.includes('transactions') || target.includes('accounts')
      ? pageOf([{ id: 'n1' }], path)
      : success(record(/customers\/(\w+)$/.exec(target)?.[1] ?? ''));
  };
}

async function ask(document: string, { rows = walletRows, record = recordOf, variables = {} } = {}) {
  const { gateway, upstream } = await startScripted(answerAs(record), { contract: rows });
  const result = await query(gateway, document, { variables });
  const requests = upstream.requests.map(({ path }) => path.replace('/api/v1', '').replace(/[?&]page=.*/, ''));
  return { ...result, requests };
}

const below = 'balance { value { amount } } transactions { nodes { id } } virtualAccounts { nodes { id } }';
const read = {
  balance: { value: { amount: '1.00' } },
  transactions: { nodes: [{ id: 'n1' }] },
  virtualAccounts: { nodes: [{ id: 'n1' }] },
};
const pathsBelow = (id: string) => [
  `/accounts?wallet=w-${id}&of=r%20${id}`,
  `/customers/${id}/wallets/w-${id}/transactions`,
  `/wallets/cw-${id}/balance`,
];

describe('a path below a customer that names fields of its record', () => {
  it('is read after the record, with the values that stand there', async () => {
    const { data, errors, requests } = await ask(`{ customer(id: "c1") { ${below} } }`);
    expect(errors).toEqual([]);
    expect(data).toEqual({ customer: read });
    expect(requests[0]).toBe('/customers/c1');
    expect(requests.slice(1).toSorted()).toEqual(pathsBelow('c1'));
  });

  it('is read for each customer of a list by its own values', async () => {
    const { data, requests } = await ask(`{ customers { nodes { ${below} } } }`);
    expect(data).toEqual({ customers: { nodes: [read, read] } });
    expect(requests.slice(1).toSorted()).toEqual([...pathsBelow('c1'), ...pathsBelow('c2')].toSorted());
  });

  it('is read for each of two customers that share it, since its answer may name one of them', async () => {
    const answer = answerAs((id) => ({ ...recordOf(id), collection_wallet: 'shared' }));
    const shared = ({ path, ...request }: SeenRequest): Reply =>
      path.includes('balance') ? success({ balance: '1.00', customer_id: 'c2' }) : answer({ path, ...request });
    const { gateway } = await startScripted(shared, {
      contract: { ...walletRows, 'balance.customerId': ['/customer_id'] },
    });
    const { data, errors } = await query(gateway, '{ customers { nodes { balance { value { amount } } } } }');
    expect(data).toEqual({ customers: { nodes: [{ balance: null }, { balance: read.balance }] } });
    expect(errors).toMatchObject([
      { path: ['customers', 'nodes', 0, 'balance'], extensions: { row: 'balance.customerId' } },
    ]);
  });

  it('costs a reference the read of its record, which the estimate counts', async () => {
    const document =
      'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Customer { balance { value { amount } } } } }';
    const variables = { of: [{ __typename: 'Customer', id: 'c1' }] };
    const { data, requests } = await ask(document, { variables });
    expect(data).toEqual({ _entities: [{ balance: { value: { amount: '1.00' } } }] });
    expect(requests).toEqual(['/customers/c1', '/wallets/cw-c1/balance']);
    const { gateway } = await startScripted(answerAs(recordOf), {
      contract: walletRows,
      environment: { MAX_UPSTREAM_CALLS: '1' },
    });
    expect(codes(await query(gateway, document, { variables }))).toEqual(['COST_ESTIMATED_TOO_EXPENSIVE']);
  });

  it('is prefetched where it names the id alone, beside others that wait', async () => {
    const { 'listCustomerTransactions.path': _, ...rows } = walletRows;
    const { requests } = await ask(`{ customer(id: "c1") { ${below} } }`, { rows });
    expect(requests.slice(0, 2).toSorted()).toEqual(['/customers/c1', '/customers/c1/transactions']);
    expect(requests).toHaveLength(4);
  });

  it.each([
    ['no value', { collection_wallet: null }, 'getCustomerBalance.path'],
    ['a value that could steer the path', { collection_wallet: '../../c2' }, 'identifiers.allow'],
    ['a value that is no identifier', { collection_wallet: { id: 'w' } }, 'customer.collectionWalletId'],
  ])('is not read where the record has %s', async (_, fields, row) => {
    const { errors, requests } = await ask('{ customer(id: "c1") { id balance { value { amount } } } }', {
      record: (id) => ({ ...recordOf(id), ...fields }),
    });
    expect(errors.map(({ extensions }) => [extensions['code'], extensions['row']])).toEqual([
      ['UPSTREAM_INVALID_RESPONSE', row],
    ]);
    expect(requests).toEqual(['/customers/c1']);
  });

  it('is compared by the check, with what the record that it read shows', async () => {
    // Enough records to page through.
    const service = await startUpstream(answerAs(recordOf, 12));
    const { printed, rows } = await checkService(service.url, walletRows);
    const found = rows.filter(({ id }) => Object.hasOwn(walletRows, id) && id.endsWith('.path'));
    expect(found.map(({ state }) => state)).toEqual(['confirmed', 'confirmed', 'confirmed']);
    expect(printed).not.toContain('w-c1');
    await service.close();
  });

  it.each([
    ['getCustomerBalance.path', '/wallets/{wallet}/balance', {}],
    ['getCustomerBalance.path', '/wallets/{firstName}/balance', {}],
    ['getCustomerBalance.path', '/wallets/{places}/balance', { 'extra.Customer.places': { type: 'Int', at: ['/n'] } }],
    ['getCustomer.path', '/customers/{id}/{reference}', {}],
  ])('stops the start as %s: %s', (row, path, others) => {
    expect(() => createContract({ ...others, [row]: path })).toThrow(`${row}: allowed:`);
  });
});

it('takes fields that the same file adds', () => {
  const rows = {
    'getCustomerBalance.path': '/wallets/{walletCode}/balance',
    'extra.Customer.walletCode': { type: 'ID', at: ['/wallet/code'] },
    'updateCustomer.path': '/wallets/{collectionWalletId}/customers/{id}',
    'updateCustomer.required': ['collectionWalletId'],
    'updateCustomer.body': { firstName: 'given_name' },
    'createCustomerVirtualAccount.path': '/wallets/{walletId}/accounts?of={id}',
    'extra.CreateVirtualAccountInput.walletId': { type: 'ID', required: true },
  };
  expect(parseOverrides(JSON.stringify({ version: 1, rows }), 'file').faults).toEqual([]);
});

describe('a path of a write that names fields of its input', () => {
  const walletId = { type: 'ID', required: true };
  const writeRows: Rows = {
    'createCustomerVirtualAccount.path': '/customers/{id}/wallets/{walletId}/accounts',
    'extra.CreateVirtualAccountInput.walletId': walletId,
    'extra.CreateVirtualAccountInput.bankCode': { type: 'String', wire: 'bank_code' },
    'createCustomer.path': '/wallets/{collectionWalletId}/customers/',
    'createCustomer.required': ['collectionWalletId'],
    'updateCustomer.path': '/customers/{id}?wallet={collectionWalletId}',
    'updateCustomer.required': ['collectionWalletId'],
  };

  async function write(mutation: string, contract = writeRows) {
    const { gateway, upstream } = await startScripted(
      ({ method, body }) =>
        success(
          { id: 'c1', account_number: '9000000001', ...(JSON.parse(body || '{}') as Rows) },
          method === 'POST' ? 201 : 200,
        ),
      { contract },
    );
    const result = await query(gateway, `mutation { ${mutation} }`);
    const requests = upstream.requests.map(({ method, path, body }) => [
      method,
      path.replace('/api/v1', ''),
      JSON.parse(body),
    ]);
    return { ...result, requests };
  }
  const open = (input: string) =>
    `createVirtualAccount(input: { ${input} }) { virtualAccount { accountNumber } userErrors { field message } }`;

  it.each<readonly [field: string, mutation: string, request: readonly unknown[], rows: Rows]>([
    [
      'an own field',
      'createCustomer(input: { reference: "r1", type: "wallet", collectionWalletId: "wal_1" }) { customer { id } }',
      ['POST', '/wallets/wal_1/customers/', { reference: 'r1', type: 'wallet' }],
      writeRows,
    ],
    [
      'an added field that is named as the identifier of another operation',
      'createCustomer(input: { id: "g 1", type: "wallet" }) { customer { id } }',
      ['POST', '/groups/g%201/customers', { type: 'wallet' }],
      {
        'createCustomer.path': '/groups/{id}/customers',
        'extra.CreateCustomerInput.id': { type: 'ID', required: true },
      },
    ],
    [
      'a field beside the identifier of the record',
      'updateCustomer(input: { id: "c1", type: "wallet", collectionWalletId: "wal_1" }) { customer { id } }',
      ['PATCH', '/customers/c1?wallet=wal_1', { type: 'wallet' }],
      writeRows,
    ],
    [
      'an added field',
      open('customerId: "c1", walletId: "w 1", bankCode: "044"'),
      ['POST', '/customers/c1/wallets/w%201/accounts', { bank_code: '044' }],
      writeRows,
    ],
  ])('sends %s in the path and not in the body', async (_, mutation, request, rows) => {
    const { errors, requests } = await write(mutation, rows);
    expect([errors, requests]).toEqual([[], [request]]);
  });

  it.each([
    ['../c2', /^Must /],
    ['a/b', /^Must /],
    ['%2e%2e', /^Must /],
    ['', /^Is required\.$/],
    ['a\\u0000b', /^Must /],
  ])('refuses %j at its field and sends nothing', async (value, message) => {
    const { data, requests } = await write(open(`customerId: "c1", walletId: "${value}"`));
    expect(data.createVirtualAccount).toMatchObject({
      virtualAccount: null,
      userErrors: [{ field: ['input', 'walletId'], message: expect.stringMatching(message) as string }],
    });
    expect(requests).toEqual([]);
  });

  it.each([
    ['createCustomerVirtualAccount.path', '/customers/{id}/wallets/{walletId}/accounts', {}],
    ['createCustomerVirtualAccount.path', '/customers/{id}/{walletId}', { ...walletId, required: false }],
    ['createCustomerVirtualAccount.path', '/customers/{id}/{walletId}', { ...walletId, type: 'Int' }],
    ['createCustomer.path', '/wallets/{collectionWalletId}/customers', {}],
    ['updateCustomer.path', '/customers/{id}/{nin}', {}],
    ['storeSettlementBank.path', '/settlement-banks/{bankCode}', {}],
    ['storeSettlementBank.path', '/settlement-banks/{id}', {}],
  ])('stops the start as %s: %s, %j', (row, path, extra) => {
    const extras = Object.keys(extra).length === 0 ? {} : { 'extra.CreateVirtualAccountInput.walletId': extra };
    const rows = { ...extras, 'updateCustomer.required': ['nin'], [row]: path };
    expect(() => createContract(rows)).toThrow(`${row}: allowed: in braces`);
  });
});
