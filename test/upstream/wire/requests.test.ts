import { describe, expect, it } from 'vitest';
import { message, startFaultUpstream } from '../../support/upstream/fault-upstream.ts';
import { codes, query, startGateway, startScripted } from '../../support/gateway.ts';
import { queryRaw } from '../../support/http.ts';
import { failure, identifierIn, pageOf, success } from '../../support/upstream/upstream.ts';

const bank = { name: 'Main', accountNumber: '0123456789', accountName: 'A', bankCode: '044', bankSlug: 'example-bank' };
const wireBank = {
  name: 'Main',
  account_no: '0123456789',
  account_name: 'A',
  bank_code: '044',
  bank_slug: 'example-bank',
};
const customer = {
  firstName: 'Ada',
  lastName: 'Test',
  nin: '00000000000',
  dateOfBirth: '1990-01-31',
  bvn: '',
  phone: '+2340000000000',
  email: 'ada@example.com',
  reference: 'ref-1',
  type: 'wallet',
  collectionWalletId: 'w-1',
};
const wireCustomer = {
  first_name: 'Ada',
  last_name: 'Test',
  nin: '00000000000',
  dob: '1990-01-31',
  bvn: '',
  phone: '+2340000000000',
  email: 'ada@example.com',
  reference: 'ref-1',
  type: 'wallet',
  collection_wallet: 'w-1',
};

const page = '?page=1&per_page=20';
const bearer = ['authorization'];
const privateKey = ['svcprivatekey'];

/** Each operation: the document and its variables, then exactly what goes on the wire. */
const operations: readonly [name: string, document: string, variables: unknown, wire: unknown][] = [
  ['getSettlementBank', '{ settlementBank(id: "b1") { name } }', {}, ['GET', '/settlement-banks/b1', bearer, '']],
  ['listSettlementBanks', '{ settlementBanks { totalCount } }', {}, ['GET', `/settlement-banks/${page}`, bearer, '']],
  [
    'storeSettlementBank',
    'mutation ($input: CreateSettlementBankInput!) { createSettlementBank(input: $input) { settlementBank { id } } }',
    { input: bank },
    ['POST', '/settlement-banks/', bearer, wireBank],
  ],
  [
    'updateSettlementBank',
    'mutation ($input: UpdateSettlementBankInput!) { updateSettlementBank(input: $input) { settlementBank { id } } }',
    { input: { id: 'b1', ...bank } },
    ['PATCH', '/settlement-banks/b1', bearer, wireBank],
  ],
  ['getCustomer', '{ customer(id: "c1") { type } }', {}, ['GET', '/customers/c1', privateKey, '']],
  ['listCustomers', '{ customers { totalCount } }', {}, ['GET', `/customers/${page}`, privateKey, '']],
  [
    'createCustomer',
    'mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { id } } }',
    { input: customer },
    ['POST', '/customers/', privateKey, wireCustomer],
  ],
  [
    'updateCustomer',
    'mutation ($input: UpdateCustomerInput!) { updateCustomer(input: $input) { customer { id } } }',
    { input: { id: 'c1', ...customer } },
    ['PATCH', '/customers/c1', privateKey, wireCustomer],
  ],
  [
    'createCustomerVirtualAccount',
    'mutation { createVirtualAccount(input: { customerId: "c1" }) { virtualAccount { id } } }',
    {},
    ['POST', '/customers/c1/virtual-accounts', privateKey, {}],
  ],
  [
    'createCustomerOneTimeAccount',
    'mutation { createOneTimeAccount(input: { customerId: "c1", amount: "500.00" }) { oneTimeAccount { id } } }',
    {},
    ['POST', '/customers/c1/one-time-accounts', privateKey, { amount: '500.00' }],
  ],
];

const nested: readonly [name: string, document: string, path: string][] = [
  ['getCustomerBalance', 'balance { value { amount } }', '/customers/c1/balance'],
  ['listCustomerTransactions', 'transactions { totalCount }', `/customers/c1/transactions${page}`],
  ['listCustomerVirtualAccounts', 'virtualAccounts { totalCount }', `/customers/c1/virtual-accounts${page}`],
];

/** One answer that every operation can read. */
const anyAnswer = (path: string) =>
  path.includes('?')
    ? pageOf([], path)
    : success({ id: identifierIn(path), type: 'wallet', name: 'Main', balance: '1.00' });

const credentialsOf = (headers: Readonly<Record<string, unknown>>) =>
  ['authorization', 'svcprivatekey'].filter((name) => headers[name] !== undefined);

describe('on the wire', () => {
  it.each(operations)('%s has exactly its method, path, credential and body', async (_, document, variables, wire) => {
    const { gateway, upstream } = await startScripted(({ path }) => anyAnswer(path));
    const { errors } = await query(gateway, document, { variables });
    const [seen] = upstream.requests;
    const [method, path, credentials, body] = wire as [string, string, string[], unknown];
    expect(errors).toEqual([]);
    expect(upstream.requests).toHaveLength(1);
    expect([seen?.method, seen?.path]).toEqual([method, `/api/v1${path}`]);
    expect(credentialsOf(seen?.headers ?? {})).toEqual(credentials);
    expect(seen?.body).toBe(body === '' ? '' : JSON.stringify(body));
    expect(seen?.headers['content-type']).toEqual(body === '' ? undefined : ['application/json']);
    expect(seen?.headers['accept-encoding']).toEqual(['identity']);
  });

  it.each(nested)('%s has exactly its method, path and credential', async (_, selection, path) => {
    const { gateway, upstream } = await startScripted((request) => anyAnswer(request.path));
    const { errors } = await query(gateway, `{ customer(id: "c1") { ${selection} } }`);
    const seen = upstream.requests[1];
    expect(errors).toEqual([]);
    expect(upstream.requests).toHaveLength(2);
    expect([seen?.method, seen?.path, seen?.body]).toEqual(['GET', `/api/v1${path}`, '']);
    expect(credentialsOf(seen?.headers ?? {})).toEqual(['svcprivatekey']);
    expect(seen?.headers['content-type']).toBeUndefined();
  });

  it('sends the constants of an operation with it, in place of what the input says, and of no other', async () => {
    const { gateway, upstream } = await startScripted(() => success({ id: 'c1' }), {
      contract: {
        'updateCustomer.constants': { channel: 'api', options: { notify: false } },
        'createCustomerVirtualAccount.constants': { bank: 'any' },
        'createCustomer.constants': { type: 'wallet' },
      },
    });
    await query(gateway, 'mutation { updateCustomer(input: { id: "c1", lastName: "L" }) { userErrors { code } } }');
    await query(gateway, 'mutation { createVirtualAccount(input: { customerId: "c1" }) { userErrors { code } } }');
    await query(gateway, 'mutation { createCustomer(input: { type: "other" }) { userErrors { code } } }');
    expect(upstream.requests.map(({ body }) => JSON.parse(body))).toEqual([
      { last_name: 'L', channel: 'api', options: { notify: false } },
      { bank: 'any' },
      { type: 'wallet' },
    ]);
  });

  it('sends a change of nothing as an empty object', async () => {
    const { gateway, upstream } = await startScripted(() => success({ id: 'c1' }));
    await query(gateway, 'mutation { updateCustomer(input: { id: "c1" }) { customer { id } } }');
    expect(upstream.requests[0]?.body).toBe('{}');
  });

  it.each(['/base', '/base/', '/a/b'])('keeps the path of an UPSTREAM_URL that ends in %s', async (base) => {
    const { upstream } = await startScripted(() => failure(404));
    const gateway = await startGateway({ upstream: upstream.url + base });
    await query(gateway, '{ customer(id: "c1") { id } settlementBanks { totalCount } }');
    const prefix = base.replace(/\/$/, '');
    expect(upstream.requests.map(({ path }) => path).sort()).toEqual([
      `${prefix}/api/v1/customers/c1`,
      `${prefix}/api/v1/settlement-banks/${page}`,
    ]);
  });

  it('passes a valid traceparent on and leaves out any other', async () => {
    const { gateway, upstream } = await startScripted(() => success({ id: 'c1' }));
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const headers = { svcprivatekey: 'test-key' };
    await query(gateway, '{ customer(id: "c1") { id } }', { headers: { ...headers, traceparent } });
    const [zeroTrace, zeroSpan] = [traceparent.replaceAll('a', '0'), traceparent.replaceAll('b', '0')];
    for (const invalid of ['nonsense', zeroTrace, zeroSpan, traceparent.replace('00', 'ff')])
      await query(gateway, '{ customer(id: "c1") { id } }', { headers: { ...headers, traceparent: invalid } });
    await queryRaw(gateway, '{ customer(id: "c1") { id } }', { ...headers, traceparent: [traceparent, traceparent] });
    await query(gateway, 'mutation { createCustomer(input: {}) { customer { id } } }', {
      headers: { ...headers, traceparent },
    });
    expect(upstream.requests.map((request) => request.headers['traceparent'])).toEqual([
      [traceparent],
      ...Array.from({ length: 5 }),
      [traceparent],
    ]);
  });

  it('passes a tracestate of 512 characters on, in any number of lines, and leaves out a longer one', async () => {
    const { gateway, upstream } = await startScripted(() => success({ id: 'c1' }));
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const longest = `a=1,b=${'x'.repeat(506)}`;
    for (const tracestate of [longest, ['a=1', longest.slice(4)], `${longest}x`]) {
      const headers = { svcprivatekey: 'test-key', traceparent, tracestate };
      await queryRaw(gateway, '{ customer(id: "c1") { id } }', headers);
    }
    expect(upstream.requests.map((request) => request.headers['tracestate'])).toEqual([
      [longest],
      [longest],
      undefined,
    ]);
  });
});

describe('an interim response before the answer', () => {
  const startWith = async (interim: string) => {
    const answer = message('200 OK', JSON.stringify({ success: true, data: { id: 'c1' } }));
    const upstream = await startFaultUpstream(() => (socket) => {
      socket.write(`HTTP/1.1 ${interim}\r\n\r\n${answer}`);
    });
    return { upstream, gateway: await startGateway({ upstream: upstream.url }) };
  };
  const read = '{ customer(id: "c1") { id } }';
  const update = 'mutation { updateCustomer(input: { id: "c1" }) { customer { id } } }';

  it.each(['102 Processing', '103 Early Hints'])('is passed over: %s', async (interim) => {
    const { upstream, gateway } = await startWith(interim);
    const answers = [await query(gateway, read), await query(gateway, update)];
    expect(answers.map(codes)).toEqual([[], []]);
    expect(upstream.requests).toHaveLength(2);
  });

  it('ends the connection where it is 100 Continue, which no call asks for: the read fails, the write is unknown', async () => {
    const { upstream, gateway } = await startWith('100 Continue');
    expect(codes(await query(gateway, read))).toEqual(['UPSTREAM_UNAVAILABLE']);
    const reads = upstream.requests.length;
    expect(codes(await query(gateway, update))).toEqual(['OUTCOME_UNKNOWN']);
    expect(upstream.requests).toHaveLength(reads + 1);
  });
});
