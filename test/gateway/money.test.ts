import { describe, expect, it } from 'vitest';
import { codes, query, startScripted, type GatewayOptions } from '../support/gateway.ts';
import { rawJson } from '../support/upstream/paging.ts';
import { success } from '../support/upstream/upstream.ts';

type Options = Omit<GatewayOptions, 'upstream'>;

/** A gateway over one customer whose balance and transactions are these JSON texts. */
const startMoney = ({ balance = '{}', transactions = '[]' }, options: Options = {}) =>
  startScripted(({ path }) => {
    const texts = new Map([
      ['balance', balance],
      ['transactions?page=1&per_page=20', transactions],
    ]);
    const data = texts.get(path.split('/').at(-1) ?? '') ?? '{"id":"c1","first_name":"Ada"}';
    return rawJson(`{"success":true,"message":"OK","data":${data}}`);
  }, options);

const readBalance = async (balance: string, options: Options = {}) => {
  const { gateway, upstream } = await startMoney({ balance }, options);
  const answer = await query(gateway, '{ customer(id: "c1") { firstName balance { value { amount currency } } } }');
  return { ...answer, customer: answer.data.customer, paths: upstream.requests.map(({ path }) => path) };
};

const readTransactions = async (transactions: string, options: Options = {}) => {
  const { gateway } = await startMoney({ transactions }, options);
  const selection = 'nodes { id direction amount { amount currency } }';
  const answer = await query(gateway, `{ customer(id: "c1") { transactions { ${selection} } } }`);
  return { errors: answer.errors, nodes: answer.data.customer.transactions.nodes };
};

describe('a unit or currency that nobody has decided', () => {
  it.each([
    ['money.unit', { 'money.currency': 'NGN' }],
    ['money.currency', { 'money.unit': 'major' }],
    ['money.unit', {}],
  ])('refuses a balance by row %s without its call, and answers the rest', async (row, contract) => {
    const { customer, errors, paths } = await readBalance('{"balance":"5.00"}', { undecided: true, contract });
    expect(customer).toEqual({ firstName: 'Ada', balance: null });
    expect(errors).toMatchObject([
      {
        path: ['customer', 'balance'],
        extensions: { code: 'CONTRACT_UNDECIDED', operation: 'getCustomerBalance', row, retryable: true },
      },
    ]);
    expect(paths).toEqual(['/api/v1/customers/c1']);
  });

  it.each([
    ['money.unit', { 'money.currency': 'NGN' }],
    ['money.currency', { 'money.unit': 'major' }],
  ])('refuses the amount of a transaction by row %s and answers the others', async (row, contract) => {
    const twins = '{"id":"t2","amount":5,"amount_kobo":500,"currency":"NGN"}';
    const transactions = `[{"id":"t1","type":"credit","amount":"5.00"},${twins}]`;
    const { nodes, errors } = await readTransactions(transactions, { undecided: true, contract });
    expect(nodes).toEqual([null, { id: 't2', direction: 'UNKNOWN', amount: { amount: '5.00', currency: 'NGN' } }]);
    expect(errors).toMatchObject([
      {
        path: ['customer', 'transactions', 'nodes', 0, 'amount'],
        extensions: { code: 'CONTRACT_UNDECIDED', row, retryable: true },
      },
    ]);
  });

  it.each([
    ['money.unit', { 'money.currency': 'NGN' }, 'amount { amount }'],
    ['money.currency', { 'money.unit': 'major' }, 'amount { amount }'],
    ['times.zone', { 'times.zone': 'undecided' }, 'createdAt'],
  ] as const)('makes no new account retryable whose answer needs row %s', async (row, contract, field) => {
    const account = { id: 'a1', account_number: '0123456789', amount: '5.00', created_at: '2026-01-01T10:00:00' };
    const { gateway, upstream } = await startScripted(() => success(account, 201), { undecided: true, contract });
    const opened = `createOneTimeAccount(input: { customerId: "c1" }) { oneTimeAccount { id ${field} } }`;
    const { data, errors } = await query(gateway, `mutation { ${opened} }`);
    expect(data.createOneTimeAccount.oneTimeAccount).toMatchObject({ id: 'a1' });
    expect(errors).toMatchObject([{ extensions: { code: 'CONTRACT_UNDECIDED', row, retryable: false } }]);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('a transaction', () => {
  it('is readable without its amount where money is undecided', async () => {
    const { gateway } = await startMoney({ transactions: '[{"id":"t1","amount":"5.00"}]' }, { undecided: true });
    const { data } = await query(gateway, '{ customer(id: "c1") { transactions { nodes { id } } } }');
    expect(data.customer.transactions.nodes).toEqual([{ id: 't1' }]);
  });
});

const literalDocument = (amount: string) =>
  `mutation { createOneTimeAccount(input: { customerId: "c1", amount: ${amount} }) { oneTimeAccount { id } userErrors { code field } } }`;
const variableDocument = `mutation ($amount: Decimal) {
  createOneTimeAccount(input: { customerId: "c1", amount: $amount }) { oneTimeAccount { amount { amount } } userErrors { code field } }
}`;

const startCreating = (data: unknown = { id: 'a1' }, options: Options = {}) =>
  startScripted(() => success(data, 201), options);

describe('the amount of a one-time account', () => {
  const ofRow = { 'account.currency': ['/money'] };
  const texts = ['', ' ', ' 1', '1 ', ...'0 0.00 -1 -0.01 +1 1e3 1. .5 1,000 0x10 ٥ NaN 1.001'.split(' ')];
  const longTexts = ['1234567890123456789', '12345678901234567.89', '0.1234567890123456789', '1\n'];
  const others = [500, 500.5, 0, -1, true, ['500'], { amount: '500' }];

  it('is refused at its field where it is no positive decimal text of 18 digits, without a call', async () => {
    const { gateway, upstream } = await startCreating();
    for (const amount of [...texts, ...longTexts]) {
      const answers = [
        await query(gateway, variableDocument, { variables: { amount } }),
        await query(gateway, literalDocument(JSON.stringify(amount))),
      ];
      const payload = { oneTimeAccount: null, userErrors: [{ code: 'INVALID', field: ['input', 'amount'] }] };
      for (const { data, errors } of answers)
        expect([data.createOneTimeAccount, errors], `for ${amount}`).toEqual([payload, []]);
    }
    expect(upstream.requests).toEqual([]);
  });

  it('is a mistake of the request where it is no text, without a call', async () => {
    const { gateway, upstream } = await startCreating();
    for (const amount of others) {
      const literal = JSON.stringify(amount).replaceAll(/"(\w+)":/g, '$1: ');
      const answers = [
        await query(gateway, variableDocument, { variables: { amount } }),
        await query(gateway, literalDocument(literal)),
      ];
      expect(answers.map(codes), `for ${literal}`).toEqual([['BAD_USER_INPUT'], ['BAD_USER_INPUT']]);
    }
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    ['007.50', '7.50'],
    ['00.05', '0.05'],
    ['000123456789012345678', '123456789012345678'],
  ])('%s is sent without the zeros in front: %s', async (amount, sent) => {
    const { gateway, upstream } = await startCreating();
    await query(gateway, variableDocument, { variables: { amount } });
    await query(gateway, literalDocument(`"${amount}"`));
    expect(upstream.requests.map(({ body }) => body)).toEqual([`{"amount":"${sent}"}`, `{"amount":"${sent}"}`]);
  });

  it.each([
    ['JPY', '1.0'],
    ['JPY', '1.50'],
    ['KWD', '1.0001'],
    ['NGN', '1.100'],
  ])('in %s is refused as %s without a call', async (currency, amount) => {
    const { gateway, upstream } = await startCreating({}, { contract: { 'money.currency': currency } });
    const { data, errors } = await query(gateway, variableDocument, { variables: { amount } });
    expect(data.createOneTimeAccount.userErrors).toEqual([{ code: 'INVALID', field: ['input', 'amount'] }]);
    expect([errors, upstream.requests]).toEqual([[], []]);
  });

  it.each([
    ['money.unit', { 'money.currency': 'NGN' }],
    ['money.currency', { 'money.unit': 'minor' }],
  ])('is refused by row %s without a call where that is undecided', async (row, contract) => {
    const { gateway, upstream } = await startCreating({}, { undecided: true, contract });
    const { data, errors } = await query(gateway, variableDocument, { variables: { amount: '500.00' } });
    expect(data.createOneTimeAccount).toBeNull();
    expect(errors).toMatchObject([
      {
        path: ['createOneTimeAccount'],
        extensions: { code: 'CONTRACT_UNDECIDED', operation: 'createCustomerOneTimeAccount', row },
      },
    ]);
    expect(upstream.requests).toEqual([]);
  });

  it('needs no decision where there is none', async () => {
    const { gateway, upstream } = await startCreating({ id: 'a1' }, { undecided: true });
    const { data, errors } = await query(gateway, variableDocument);
    expect(errors).toEqual([]);
    expect(data.createOneTimeAccount).toEqual({ oneTimeAccount: { amount: null }, userErrors: [] });
    expect(upstream.requests.map(({ body }) => body)).toEqual(['{}']);
  });

  it.each([
    ['NGN', 'major', '500.00', '500.00'],
    ['NGN', 'minor', '500', '50000'],
    ['NGN', 'minor', '0.5', '50'],
    ['NGN', 'minor', '9007199254740993.01', '900719925474099301'],
    ['JPY', 'minor', '500', '500'],
    ['KWD', 'minor', '0.001', '1'],
  ])('in %s, in the %s unit, goes out for %s as the text %s', async (currency, unit, amount, sent) => {
    const contract = { 'money.unit': unit, 'money.currency': currency };
    const { gateway, upstream } = await startCreating({ id: 'a1' }, { contract });
    const { errors } = await query(gateway, variableDocument, { variables: { amount } });
    expect(errors).toEqual([]);
    expect(upstream.requests.map(({ body }) => body)).toEqual([JSON.stringify({ amount: sent })]);
  });

  it('comes back in the currency that its row names', async () => {
    const { gateway } = await startCreating({ id: 'a1', amount: '5.00', money: 'USD' }, { contract: ofRow });
    const { data, errors } = await query(
      gateway,
      'mutation { createOneTimeAccount(input: { customerId: "c1" }) { oneTimeAccount { id amount { amount currency } } } }',
    );
    const amount = { amount: '5.00', currency: 'USD' };
    expect(data.createOneTimeAccount.oneTimeAccount).toEqual({ id: 'a1', amount });
    expect(errors).toEqual([]);
  });
});
