import { describe, expect, it } from 'vitest';
import {
  checkRoutes,
  contradicted,
  customerPages,
  findingOf,
  notThere,
  singleCustomer,
  written,
  type Route,
  pages,
} from '../support/check.ts';
import { parametersOf } from '../support/paging.ts';
import { failure, pageOf, success, type Reply, type SeenRequest } from '../support/upstream.ts';

const denied: Reply = { status: 401, json: { success: false, message: 'Denied.' } };

/** Makes routes that refuse what is not allowed. */
const guard =
  (isAllowed: (request: SeenRequest) => boolean, refusal: Reply = denied) =>
  (target: RegExp, answer: Route[1]): Route => [target, (request) => (isAllowed(request) ? answer(request) : refusal)];
const withKey = guard(({ headers }) => 'svcprivatekey' in headers);
const withBearer = guard(({ headers }) => 'authorization' in headers);

describe('a check of a service that wants other credentials', () => {
  it('looks for another spelling of a path where one credential is refused and the next finds nothing', async () => {
    const result = await checkRoutes([
      withKey(...pages(/settlement-banks\?/, [{ id: 'b1' }])),
      withKey(/./, () => notThere),
    ]);
    expect(written(result)).toMatchObject({
      'listSettlementBanks.path': '/settlement-banks',
      'listSettlementBanks.credentials': ['privateKey'],
    });
    expect(contradicted(await result.again())).not.toContain('listSettlementBanks.path');
  });

  it('looks for a trailing slash below a record, too', async () => {
    const result = await checkRoutes([
      customerPages,
      [/customers\/c\d+\/$/, ({ path }) => success({ id: path.split('/').at(-2) })],
      [/c\d+\/balance\/$/, () => success({ balance: '1.00' })],
      [/./, () => failure(404)],
    ]);
    expect(written(result)).toMatchObject({
      'getCustomer.path': '/customers/{id}/',
      'getCustomerBalance.path': '/customers/{id}/balance/',
    });
  });

  it('keeps the credentials that were not refused while it looks for a path', async () => {
    const withBoth = guard(({ headers }) => 'svcprivatekey' in headers && 'authorization' in headers);
    const result = await checkRoutes([
      withBoth(...customerPages),
      withBoth(...singleCustomer),
      withBoth(...pages(/c\d+\/accounts\?/, [{ id: 'a1' }])),
      withBoth(/./, () => notThere),
    ]);
    expect(written(result)).toMatchObject({ 'listCustomerVirtualAccounts.path': '/customers/{id}/accounts' });
    const callsTo = (tail: string) =>
      result.requests.filter(({ method, path }) => method === 'GET' && path.includes(tail));
    expect(['/virtual-accounts?', '/virtual_accounts?'].map((tail) => callsTo(tail).length)).toEqual([2, 1]);
  });

  it('compares the balance of its endpoint, which the record of the customer carries, too', async () => {
    const result = await checkRoutes([
      withBearer(...customerPages),
      withBearer(/c\d+$/, ({ path }) => success({ id: path.split('/').at(-1), wallet: { balance: 100 } })),
      withBearer(/c\d+\/balance$/, () => success({ balance: '1.00' })),
      withBearer(/./, () => notThere),
    ]);
    expect(findingOf(result, 'balance.value').state).toBe('confirmed');
    expect(written(result)).toMatchObject({ 'getCustomerBalance.credentials': ['bearer'] });
    expect(written(result)).not.toHaveProperty('customer.balance');
  });
});

describe('a check that has no answer', () => {
  const hang: Route[1] = () => ({ cut: true });
  const carrier: Route = [
    /\/customers\/c\d+$/,
    ({ path }) => success({ id: path.split('/').at(-1), wallet: { balance: 100 }, accounts: [{ id: 'a1' }] }),
  ];

  it('does not say that a customer carries what its own endpoint may have', async () => {
    const result = await checkRoutes([customerPages, carrier, [/balance$|virtual-accounts/, hang]]);
    expect(written(result)).not.toHaveProperty('customer.balance');
    expect(written(result)).not.toHaveProperty('customer.virtualAccounts');
    expect(findingOf(result, 'getCustomerBalance.path').why).toBe('no answer');
  });

  it('does not say that a list is not paged, where a page under another name was not answered', async () => {
    const banks = Array.from({ length: 9 }, (_, index) => ({ id: `b${index}` }));
    const first: Route = [/settlement-banks\/\?page=\d&per_page/, () => success({ data: banks, next: '/banks?p=2' })];
    const result = await checkRoutes([customerPages, carrier, first, [/settlement-banks\/\?/, hang]]);
    expect(findingOf(result, 'listSettlementBanks.pageStyle')).toMatchObject({
      state: 'not observable',
      why: 'no answer',
    });
  });
});

describe('a check of failures', () => {
  const failed = (code: string): Reply => ({ json: { responseCode: code, responseMessage: 'Not done.' } });
  const done = (body: unknown): Reply => ({ json: { responseCode: '00', responseBody: body } });
  const coded = guard(({ headers }) => headers['authorization']?.join() === 'Bearer demo-token', {
    status: 401,
    ...failed('A01'),
  });

  it('takes the credentials that the list takes, and codes from the failures that HTTP does not tell', async () => {
    const first = await checkRoutes([
      coded(/customers\/\?|customers\/$/, () => done([{ id: 'c1' }])),
      coded(/customers\/c1$/, () => done({ id: 'c1' })),
      coded(/customers\/settlement-graph-check-unknown$/, () => failed('44')),
      coded(/./, () => ({ status: 404, ...failed('44') })),
    ]);
    expect(written(first)).toMatchObject({
      'envelope.success': ['/responseCode'],
      'envelope.successValues': ['00'],
      'envelope.code': ['/responseCode'],
      'errors.statuses': { 44: 404 },
      'errors.message': ['/responseMessage'],
    });
    expect(contradicted(await first.again()).filter((id) => /^(?:envelope|errors)\./.test(id))).toEqual([]);
  });

  const checkInside = (done: (body: unknown) => Reply, missing: Reply, refused: Reply) => {
    const withDemoKey = guard(({ headers }) => headers['svcprivatekey']?.join() === 'demo-key', refused);
    return checkRoutes([
      withDemoKey(/customers\/\?|customers\/$/, () => done([{ id: 'c1' }])),
      withDemoKey(/customers\/c1$/, () => done({ id: 'c1' })),
      withDemoKey(/./, () => missing),
    ]);
  };

  it.each([
    ['E25', { E25: 404 }],
    ['INVALID_ID', undefined],
  ])('takes the code of an unknown customer in HTTP 400, but none of malformed input: %s', async (code, statuses) => {
    const result = await checkInside(success, { status: 400, json: { message: 'None.', code } }, denied);
    expect(written(result)['errors.statuses']).toEqual(statuses);
  });

  it('finds a code two objects deep', async () => {
    const wrap = (code: string, data?: unknown): Reply => ({ json: { result: { status: { code } }, data } });
    expect(written(await checkInside((data) => wrap('00', data), wrap('44'), wrap('41')))).toMatchObject({
      'envelope.success': ['/result/status/code'],
      'envelope.successValues': ['00'],
    });
  });

  it('gives a code of failures of every kind no status, and says so: the row is for a person', async () => {
    const failure: Reply = { json: { code: '99', message: 'Not done.' } };
    const first = await checkInside((data) => ({ json: { code: '00', data } }), failure, failure);
    const rows = { 'envelope.success': ['/code'], 'envelope.successValues': ['00'] };
    expect(written(first)).toEqual(rows);
    expect(first.file).toContain("; no entry for '99': it came with several statuses");
    const second = await first.again({ ...rows, 'errors.statuses': { 99: 404 } });
    expect(contradicted(second).filter((id) => /^(?:envelope|errors)\./.test(id))).toEqual([]);
    expect(contradicted(second)).toContain('getCustomerBalance.path');
    expect(written(second)).toEqual({ ...rows, 'errors.statuses': { 99: 404 } });
  });

  it('finds the code of an error that tells a failure by its presence', async () => {
    const failure = (code: string): Reply => ({ json: { errors: [{ code, message: 'Not done.' }], data: null } });
    const result = await checkInside((data) => ({ json: { errors: [], data } }), failure('E404'), failure('E401'));
    expect(written(result)).toMatchObject({
      'envelope.code': ['/errors/0/code'],
      'errors.statuses': { E404: 404, E401: 401 },
    });
  });
});

describe('a check of what no usual name tells', () => {
  it('asks for the identifier of a record, by the names of what may be one', async () => {
    const result = await checkRoutes([
      pages(/customers\/\?/, [{ customerReference: 'r1', first_name: 'Ada', number: [] }]),
      pages(/settlement-banks\/\?/, [{ name: 'Demo' }]),
    ]);
    expect(contradicted(result)).toEqual(expect.arrayContaining(['customer.id', 'settlementBank.id']));
    expect(result.file).toMatch(/^ {2}# customer\.id: {2}# to decide: .* stand at \/customerReference$/m);
    expect(result.file).toMatch(/^ {2}# settlementBank\.id: {2}# to decide: .* stand at no usual name$/m);
  });

  it('asks what identifies a record that does not carry what it was asked by', async () => {
    const result = await checkRoutes([customerPages, [/\/customers\/c\d+$/, () => success({ first_name: 'Ada' })]]);
    expect(result.file).toMatch(/^ {2}customer\.identifiedBy: undecided # to decide: pointers .*or none/m);
    expect(written(result)).toMatchObject({ 'customer.identifiedBy': 'undecided' });
  });

  it('takes no synonym for a field that is null under its own name, in a wrapper or in camel case, too', async () => {
    const wrapped = (id: string) => ({ customer: { id, collectionWallet: null, wallet_id: 'other' } });
    const result = await checkRoutes([
      pages(/customers\/\?/, [wrapped('c1'), wrapped('c2')]),
      [/\/customers\/c\d+$/, ({ path }) => success(wrapped(path.split('/').at(-1) ?? ''))],
    ]);
    expect(written(result)).toMatchObject({
      'customer.id': ['/customer/id'],
      'customer.collectionWalletId': ['/customer/collectionWallet'],
    });
  });

  it('finds a bank inside the attributes of an account', async () => {
    const bank = { name: 'Demo Bank', code: '044' };
    const result = await checkRoutes([
      customerPages,
      singleCustomer,
      pages(/virtual-accounts\?/, [{ id: 'a1', attributes: { bank } }]),
    ]);
    expect(written(result)).toMatchObject({
      'account.bankName': ['/attributes/bank/name'],
      'account.bankCode': ['/attributes/bank/code'],
    });
  });
});

describe('a check of money', () => {
  const customerWith = (fields: object): Route => [
    /\/customers\/c\d+$/,
    ({ path }) => success({ id: path.split('/').at(-1), ...fields }),
  ];
  const transactionsWith = (fields: object) => pages(/transactions\?/, [{ id: 't1', ...fields }]);
  const money = { value: 1200, currency: 'NGN' };

  it('finds the one amount that stands beside its currency, whatever the object is called', async () => {
    const result = await checkRoutes([customerPages, singleCustomer, transactionsWith({ price: money })]);
    expect(written(result)).toMatchObject({
      'transaction.amount': ['/price/value'],
      'transaction.currency': ['/price/currency'],
    });
    expect(result.file).toMatch(/^ {2}# money\.unit: .*for transactions minor, perhaps/m);
    expect(result.file).toMatch(/^ {2}# money\.currency: .*transactions carry one/m);
    expect(contradicted(result)).not.toContain('transaction.currency');
    expect(findingOf(await result.again(), 'transaction.currency').state).toBe('confirmed');
  });

  it('tells the unit of transactions by twins in minor units, inside a wrapper, too', async () => {
    const transaction = { id: 't1', amount: 12, amount_kobo: 1200 };
    const wrapped = pages(/transactions\?/, [{ transaction }]);
    const result = await checkRoutes([customerPages, singleCustomer, wrapped]);
    expect(written(result)).toMatchObject({ 'transaction.amountMinor': ['/transaction/amount_kobo'] });
    expect(result.file).toMatch(
      /^ {2}# transaction\.unit: .*major: by comparison with the same amount in minor units/m,
    );
  });

  it('leaves to a person which of several amounts is meant', async () => {
    const result = await checkRoutes([customerPages, singleCustomer, transactionsWith({ net: money, fee: money })]);
    expect(findingOf(result, 'transaction.amount').seen).toBe(
      'amounts with their currency stand at /net/value, /fee/value',
    );
    expect(result.file).toMatch(/^ {2}# transaction\.amount: {2}# to decide: a pointer to the amount/m);
  });

  it.each([
    ['more decimals than the currency has', 12.345, 'amounts with more decimals than their currency has'],
    ['no amount under a usual name', undefined, 'no transaction has an amount under a usual name'],
  ])('contradicts transactions with %s once their money is decided', async (_, amount, seen) => {
    const transactions = transactionsWith({ amount, sum: '1.00' });
    const result = await checkRoutes([customerPages, singleCustomer, transactions], {
      'money.unit': 'major',
      'money.currency': 'NGN',
    });
    expect(findingOf(result, 'transaction.amount')).toMatchObject({ state: 'contradicted', seen });
  });

  it.each([
    ['without an amount', { funds: '19.99' }],
    ['that is null', null],
  ])('contradicts a balance %s', async (_, data) => {
    const balance: Route = [/\/balance$/, () => success(data)];
    const result = await checkRoutes([customerPages, singleCustomer, balance]);
    expect(findingOf(result, 'balance.value').seen).toBe('no balance has an amount under a usual name');
  });

  it.each([
    ['no customer', []],
    ['no amount', [customerPages, singleCustomer]],
  ])('asks for unit and currency where %s was seen', async (_, routes) => {
    const { file } = await checkRoutes(routes);
    expect(file).toMatch(/^ {2}# money\.unit: {2}# to decide: major or minor: no amount was seen$/m);
    expect(file).toMatch(/^ {2}# money\.currency: {2}# to decide: a three-letter/m);
  });

  it('tells the unit of balances by the one in the customer, which no row reads', async () => {
    const balance: Route = [/\/balance$/, () => success({ balance: '19.99' })];
    const result = await checkRoutes([customerPages, customerWith({ wallet: { balance: 1999 } }), balance]);
    expect(result.file).toMatch(/^ {2}# balance\.unit: {2}# to decide: major: by comparison with the balance inside/m);
    expect(contradicted(result)).not.toContain('customer.balance.unit');
  });

  it('asks for the words of every kind of record whose status is no text, but of banks', async () => {
    const { file, again } = await checkRoutes([
      customerPages,
      customerWith({ status: true }),
      transactionsWith({ status: 1 }),
      pages(/settlement-banks\/\?/, [{ id: 'b1', status: 0 }]),
    ]);
    expect(file).toMatch(/^ {2}# status\.words: .*: customer\.status comes as a boolean$/m);
    expect(file).toMatch(/^ {2}# transaction\.status\.words: .*: transaction\.status comes as a number$/m);
    const decided = await again({ 'status.words': { true: 'ACTIVE' } });
    expect(decided.file).toMatch(/^ {2}# transaction\.status\.words: /m);
    expect(file).not.toContain('settlementBank.status comes');
  });
});

describe('a check of an identifier in the query', () => {
  const rows = {
    'getCustomerBalance.path': '/balances?customer={id}',
    'listCustomerTransactions.path': '/transactions?customer={id}',
    'listCustomerVirtualAccounts.path': '/accounts?customer={id}',
  };

  it.each([
    ['ignores', 'client', Object.keys(rows)],
    ['has', 'customer', []],
  ])('contradicts the path where the service %s its name', async (_, parameter, expected) => {
    const isOf = (path: string): boolean => ['c1', null].includes(parametersOf(path).get(parameter));
    const list = (id: string): ((request: SeenRequest) => Reply) => {
      return ({ path }) => pageOf(isOf(path) ? [{ id, amount: 1 }] : [], path);
    };
    const result = await checkRoutes(
      [
        pages(/customers\/\?/, [{ id: 'c1' }]),
        [/customers\/c1$/, () => success({ id: 'c1' })],
        [/balances/, ({ path }) => (isOf(path) ? success({ balance_kobo: -1 }) : failure(404))],
        [/transactions/, list('t1')],
        [/accounts/, list('a1')],
      ],
      rows,
    );
    expect(contradicted(result).filter((row) => Object.hasOwn(rows, row))).toEqual(expected);
  });
});
