import { printSubgraphSchema } from '@apollo/subgraph';
import { describe, expect, it } from 'vitest';
import { createContract, describeContract } from '../../../src/contract/contract.ts';
import { createSchema } from '../../../src/graphql/schema.ts';
import { codes, query, startScripted } from '../../support/gateway.ts';
import { rawJson } from '../../support/upstream/paging.ts';
import { failure, pageOf, success, type Reply, type SeenRequest } from '../../support/upstream/upstream.ts';

type Rows = Readonly<Record<string, unknown>>;

const fields = {
  'extra.Customer.walletCode': { type: 'String', at: ['/wallet/code'], description: 'The wallet’s "code".' },
  'extra.Customer.tier': { type: 'Int', at: ['/tier'] },
  'extra.Customer.externalId': { type: 'ID', at: ['/external_id'] },
  'extra.Customer.verified': { type: 'Boolean', at: ['/bvn_verified'] },
  'extra.Customer.rate': { type: 'Decimal', at: ['/rate'] },
  'extra.Customer.verifiedOn': { type: 'Date', at: ['/verified_on'] },
  'extra.Customer.seenAt': { type: 'DateTime', at: ['/seen_at'] },
  'extra.Customer.limit': { type: 'Money', at: ['/limit'] },
  'extra.Customer.fee': { type: 'Money', at: ['/fee'], unit: 'minor' },
} satisfies Rows;

const allFields =
  '{ customer(id: "c1") { id walletCode tier externalId verified rate verifiedOn seenAt limit { amount } fee { amount currency } } }';

async function start(contract: Rows, answer: (request: SeenRequest) => Reply) {
  const { gateway, upstream } = await startScripted(answer, { contract });
  return { ask: (document: string) => query(gateway, document), requests: upstream.requests };
}

describe('amounts that rows add', () => {
  const money = { type: 'Money', at: ['/fee'] };
  const rows = {
    'extra.Customer.fee': money,
    'extra.CustomerTransaction.fee': money,
    'extra.VirtualAccount.fee': money,
    'extra.OneTimeAccount.fee': money,
    'transaction.currency': ['/money'],
    'account.currency': ['/money'],
  };
  const record = { id: 'c1', account_number: '0000000001', fee: '500' };
  const fee = 'fee { amount currency }';
  const read = `{ customer(id: "c1") { ${fee} transactions { nodes { ${fee} } } virtualAccounts { nodes { ${fee} } } } }`;
  const create = `mutation { createOneTimeAccount(input: { customerId: "c1", amount: "1.00" }) { oneTimeAccount { ${fee} } } }`;
  const startWith = (more: Rows, extra: object = {}) =>
    start({ ...rows, ...more }, ({ method, path }) =>
      method === 'GET' && /transactions|accounts/.test(path)
        ? pageOf([{ ...record, ...extra }], path)
        : success({ ...record, ...extra }),
    );

  it('are in the unit of what they belong to', async () => {
    const { ask } = await startWith({ 'transaction.unit': 'minor', 'account.unit': 'minor' });
    const { data, errors } = await ask(read);
    const [major, minor] = ['500.00', '5.00'].map((amount) => ({ fee: { amount, currency: 'NGN' } }));
    expect(errors).toEqual([]);
    expect(data.customer).toEqual({ ...major, transactions: { nodes: [minor] }, virtualAccounts: { nodes: [minor] } });
    expect((await ask(create)).data.createOneTimeAccount.oneTimeAccount).toEqual(minor);
  });

  it('have the currency at the row of what they belong to', async () => {
    const { ask } = await startWith({}, { money: 'USD' });
    const { data, errors } = await ask(read);
    const [own, other] = ['NGN', 'USD'].map((currency) => ({ fee: { amount: '500.00', currency } }));
    expect(errors).toEqual([]);
    expect(data.customer).toEqual({ ...own, transactions: { nodes: [other] }, virtualAccounts: { nodes: [other] } });
    expect((await ask(create)).data.createOneTimeAccount.oneTimeAccount).toEqual(other);
  });

  it('are sent in the unit of the write', async () => {
    const contract = {
      'extra.CreateOneTimeAccountInput.fee': { type: 'Money' },
      'extra.CreateVirtualAccountInput.fee': { type: 'Money' },
      'createCustomerOneTimeAccount.unit': 'minor',
    };
    const { ask, requests } = await startWith(contract);
    await ask('mutation { createOneTimeAccount(input: { customerId: "c1", fee: "1.25" }) { oneTimeAccount { id } } }');
    await ask('mutation { createVirtualAccount(input: { customerId: "c1", fee: "1.25" }) { virtualAccount { id } } }');
    expect(requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ fee: '125' }, { fee: '1.25' }]);
  });
});

describe('rows that add fields', () => {
  const record = {
    id: 'c1',
    wallet: { code: 'W-1' },
    tier: '3',
    external_id: 7,
    bvn_verified: 1,
    rate: 0.25,
    verified_on: '2026-01-31',
    seen_at: '2026-01-31 09:30:00',
    limit: '-500',
    fee: 12_345,
  };

  it('are read from the record by their types', async () => {
    const { ask, requests } = await start(fields, () => success(record));
    const { data, errors } = await ask(allFields);
    expect(errors).toEqual([]);
    expect(data.customer).toEqual({
      id: 'c1',
      walletCode: 'W-1',
      tier: 3,
      externalId: '7',
      verified: true,
      rate: '0.25',
      verifiedOn: '2026-01-31',
      seenAt: '2026-01-31T09:30:00.000Z',
      limit: { amount: '-500.00' },
      fee: { amount: '123.45', currency: 'NGN' },
    });
    expect(requests).toHaveLength(1);
  });

  it('show small numbers without an exponent', async () => {
    const texts = ['0.0000001', '-0.00000012', '12345678901234567e-2', '0e-7'];
    const { gateway } = await startScripted(
      ({ path }) => rawJson(`{"success":true,"data":{"id":"c1","rate":${texts[Number(path.split('/').at(-1))]}}}`),
      { contract: { ...fields, 'customer.identifiedBy': 'none' } },
    );
    const answers = await Promise.all(texts.map((_, index) => query(gateway, `{ customer(id: "${index}") { rate } }`)));
    const rates = ['0.0000001', '-0.00000012', '123456789012345.67', '0'];
    expect(answers.map(({ data }) => data.customer.rate)).toEqual(rates);
  });

  it('are there on every type, in lists, below a customer, in entities and under a prefix', async () => {
    const contract = {
      'extra.SettlementBank.branch': { type: 'String', at: ['/x'] },
      'extra.Balance.held': { type: 'Money', at: ['/held'] },
      'extra.CustomerTransaction.channel': { type: 'String', at: ['/x'] },
      'extra.VirtualAccount.provider': { type: 'String', at: ['/x'] },
      'extra.OneTimeAccount.provider': { type: 'String', at: ['/x'] },
      'extra.Customer.level': { type: 'String', at: ['/x'] },
      'customer.balance': ['/wallet'],
      'customer.balance.unit': 'minor',
    };
    const record = { id: 'r1', x: 'X', amount: 1, account_number: '0000000001', wallet: { balance: 1, held: 250 } };
    const { gateway } = await startScripted(
      ({ path, method }) =>
        (method === 'GET' && !path.includes('r1')) || path.includes('/virtual') || path.includes('/trans')
          ? success([record])
          : success(record),
      {
        contract,
        environment: { TYPE_PREFIX: 'Pay' },
      },
    );
    const { data, errors } = await query(
      gateway,
      `{ paySettlementBanks { nodes { branch } }
         payCustomer(id: "r1") { level balance { held { amount } } transactions { nodes { channel } } virtualAccounts { nodes { provider } } }
         _entities(representations: [{ __typename: "PayCustomer", id: "r1" }]) { ... on PayCustomer { level } } }`,
    );
    expect(errors).toEqual([]);
    expect(data).toEqual({
      paySettlementBanks: { nodes: [{ branch: 'X' }] },
      payCustomer: {
        level: 'X',
        balance: { held: { amount: '2.50' } },
        transactions: { nodes: [{ channel: 'X' }] },
        virtualAccounts: { nodes: [{ provider: 'X' }] },
      },
      _entities: [{ level: 'X' }],
    });
    const written = await query(
      gateway,
      'mutation { payCreateOneTimeAccount(input: { customerId: "r1" }) { oneTimeAccount { provider } } }',
    );
    expect(written.data.payCreateOneTimeAccount.oneTimeAccount).toEqual({ provider: 'X' });
  });
});

describe('rows that add input fields', () => {
  const inputs = {
    'extra.CreateVirtualAccountInput.bankCode': { type: 'String', wire: 'bank_code', required: true },
    'extra.CreateVirtualAccountInput.opensOn': { type: 'Date', wire: 'opens_on' },
    'extra.CreateVirtualAccountInput.permanent': { type: 'Boolean', wire: 'is_permanent' },
    'extra.CreateVirtualAccountInput.limit': { type: 'Money', wire: 'limit' },
    'extra.CreateVirtualAccountInput.days': { type: 'Int', wire: 'days' },
    'extra.CreateVirtualAccountInput.endsAt': { type: 'DateTime', wire: 'ends_at' },
  };
  const create = (fields: string): string =>
    `mutation { createVirtualAccount(input: { customerId: "c1", ${fields} }) { virtualAccount { id } userErrors { code field message } } }`;

  it('are sent under their wire names, amounts in the service’s unit', async () => {
    const { ask, requests } = await start({ ...inputs, 'money.unit': 'minor' }, () =>
      success({ id: 'a1', bank_code: 'WEMA' }, 201),
    );
    const { data, errors } = await ask(
      create('bankCode: "WEMA", opensOn: "2026-01-31", permanent: false, limit: "5.00", days: 3'),
    );
    expect(errors).toEqual([]);
    expect(data.createVirtualAccount.virtualAccount).toEqual({ id: 'a1' });
    expect(requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { bank_code: 'WEMA', opens_on: '2026-01-31', is_permanent: false, limit: '500', days: 3 },
    ]);
  });

  it('are refused before a call where they are absent or no value of their type', async () => {
    const { ask, requests } = await start(inputs, () => success({ id: 'a1' }));
    const { data } = await ask(create('bankCode: null, opensOn: "2026-02-30", days: null'));
    const faults: readonly { readonly field: readonly string[] }[] = data.createVirtualAccount.userErrors;
    expect(faults.map(({ field }) => field[1])).toEqual(['bankCode', 'opensOn']);
    expect((await ask(create('bankCode: 5'))).status).toBe(400);
    expect(requests).toEqual([]);
  });

  it('are sent as the moments that they are, which a time without a zone is not', async () => {
    const { ask, requests } = await start(inputs, () => success({ id: 'a1' }));
    const createEndingAt = (moment: string) => ask(create(`bankCode: "WEMA", endsAt: "${moment}"`));
    for (const moment of ['2026-02-30T09:30:00Z', '2026-01-31T09:30:00', '2026-01-31']) {
      const { data } = await createEndingAt(moment);
      expect(data.createVirtualAccount.userErrors).toMatchObject([{ code: 'INVALID', field: ['input', 'endsAt'] }]);
    }
    await createEndingAt('2026-01-31T09:30:00+01:00');
    expect(requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { bank_code: 'WEMA', ends_at: '2026-01-31T09:30:00+01:00' },
    ]);
  });

  it('are named by a refusal of the service', async () => {
    const { ask } = await start(inputs, () => failure(422, 'No.', { bank_code: ['Unknown bank.'] }));
    const { data } = await ask(create('bankCode: "WEMA"'));
    expect(data.createVirtualAccount.userErrors).toMatchObject([{ code: 'INVALID', field: ['input', 'bankCode'] }]);
  });
});

describe('rows that add filters', () => {
  const filters = {
    'extra.Customer.transactions.status': { wire: 'state', matches: '/status' },
    'extra.Customer.transactions.from': { wire: 'date_from', matches: 'none' },
    'extra.Customer.virtualAccounts.bank': { wire: 'bank', matches: '/bank_code' },
    'listCustomerTransactions.type': 'type',
  };
  const transactions = [
    { id: 't1', type: 'credit', status: 'DONE', amount: 1 },
    { id: 't2', type: 'credit', status: 'done', amount: 2 },
    { id: 't3', type: 'credit', status: 'failed', amount: 3 },
  ];
  const answer = ({ path }: SeenRequest): Reply =>
    path.includes('/transactions')
      ? pageOf(transactions, path)
      : path.includes('/virtual')
        ? success([{ id: 'a2', bank_code: '044' }])
        : success({ id: 'c1', accounts: [{ id: 'a1' }] });
  const page = (args: string): string =>
    `{ customer(id: "c1") { transactions(${args}) { nodes { id } pageInfo { endCursor } } } }`;

  it('are sent, and hold each record to what it was asked for', async () => {
    const { ask, requests } = await start(filters, answer);
    const { data, errors } = await ask(page('status: "done", from: "2026-01-01", type: "credit"'));
    expect(data.customer.transactions.nodes).toEqual([{ id: 't1' }, { id: 't2' }, null]);
    expect(errors.map(({ path, extensions }) => [path?.at(-1), extensions['row']])).toEqual([
      [2, 'extra.Customer.transactions.status'],
    ]);
    const parameters = new URL(requests.find(({ path }) => path.includes('/transactions'))?.path ?? '', 'http://x')
      .searchParams;
    expect(Object.fromEntries(parameters)).toMatchObject({ state: 'done', date_from: '2026-01-01', type: 'credit' });
  });

  it.each([
    ['alone', null, 'first: 1'],
    ['beside another', 'type', 'first: 1, type: "credit"'],
  ])('are part of what a cursor belongs to, %s', async (_, type, args) => {
    const { ask } = await start({ ...filters, 'listCustomerTransactions.type': type }, answer);
    const { data } = await ask(page(`${args}, status: "done"`));
    const cursor: string = data.customer.transactions.pageInfo.endCursor;
    const next = await ask(page(`${args}, status: "done", after: "${cursor}"`));
    expect(next.data.customer.transactions.nodes).toEqual([{ id: 't2' }]);
    expect(codes(await ask(page(`${args}, from: "done", after: "${cursor}"`)))).toEqual(['INVALID_CURSOR']);
  });

  it('ask for a list that the customer carries unfiltered', async () => {
    const { ask } = await start({ ...filters, 'customer.virtualAccounts': ['/accounts'] }, answer);
    const accounts = (args: string): string => `{ customer(id: "c1") { virtualAccounts${args} { nodes { id } } } }`;
    expect((await ask(accounts(''))).data.customer.virtualAccounts.nodes).toEqual([{ id: 'a1' }]);
    expect((await ask(accounts('(bank: "044")'))).data.customer.virtualAccounts.nodes).toEqual([{ id: 'a2' }]);
  });
});

describe('the graph with added rows', () => {
  it('has them in its SDL, described, and nothing more without them', () => {
    const plain = printSubgraphSchema(createSchema('', createContract()));
    expect(plain).toBe(printSubgraphSchema(createSchema('')));
    const contract = createContract({
      ...fields,
      'extra.CreateVirtualAccountInput.bankCode': { type: 'String', wire: 'bank_code', required: true },
      'extra.Query.customers.level': { wire: 'level', matches: '/level', description: 'Only this level.' },
    });
    const sdl = printSubgraphSchema(createSchema('Pay', contract));
    expect(sdl).toContain('"""The wallet’s "code"."""\n  walletCode: String');
    expect(sdl).toContain('limit: PayMoney');
    expect(sdl).toMatch(/Required: without it[^}]*\n {2}bankCode: String/);
    expect(sdl).toMatch(/payCustomers\([^)]*"""Only this level\."""\s*level: String/);
    expect(describeContract(contract).at(-1)).toMatchObject({ id: 'extra.Query.customers.level', state: 'overridden' });
  });

  it.each<readonly [string, unknown, string]>([
    ['Customer.firstName', { type: 'String', at: ['/x'] }, 'another name, since Customer has its own'],
    ['CreateVirtualAccountInput.idempotencyKey', { type: 'String', wire: 'x' }, 'another name'],
    ['Customer.transactions.first', { wire: 'x', matches: 'none' }, 'another name'],
    ['Customer.nin', { type: 'String', at: ['/x'] }, 'identity number'],
    ['Customer.secret', { type: 'String', at: ['/kyc/bvn'] }, 'identity number'],
    ['CreateVirtualAccountInput.holder', { type: 'String', wire: 'nationalIdNumber' }, 'identity number'],
    ['Query.customers.who', { wire: 'tax_id', matches: 'none' }, 'identity number'],
    [
      'Customer.x',
      { type: 'Text', at: ['/x'] },
      'x.type: allowed: String, ID, Boolean, Int, Decimal, Date, DateTime, Money',
    ],
    ['Customer.x', { type: 'String', at: '/x' }, 'x.at: allowed: a list, not empty, of JSON pointers'],
    ['Customer.x', { at: ['/x'] }, 'x.type: allowed: String, '],
    ['Customer.x', { type: 'String', at: ['/x'], wire: 'x' }, 'x.wire: allowed: type, at, unit, description only'],
    ['Customer.transactions.x', { wire: 'x' }, 'x.matches: allowed: a JSON pointer, or none'],
    ['Customer.x', { type: 'String', at: ['x'] }, 'a JSON pointer'],
    ['Customer.x', { type: 'String', at: ['/x'], unit: 'minor' }, 'only Money has one'],
    ['Customer.x', '/x', 'at: a list, not empty, of JSON pointers'],
    ['Customer.__x', { type: 'String', at: ['/x'] }, 'a name of GraphQL'],
    ['Money.x', { type: 'String', at: ['/x'] }, 'where TYPE is one of SettlementBank, Customer'],
    ['Customer.balance.x', { wire: 'x', matches: 'none' }, 'one of the lists Query.settlementBanks'],
    ['walletCode', { type: 'String', at: ['/x'] }, 'such as extra.Customer.walletCode'],
    ['CreateCustomerInput.x', { type: 'String', wire: 'first_name' }, 'nothing else is sent at'],
    ['Query.customers.x', { wire: 'page', matches: 'none' }, 'nothing else is sent under'],
  ])('refuses extra.%s at the start', (name, value, allowed) => {
    expect(() => createContract({ [`extra.${name}`]: value })).toThrow(allowed);
  });

  it.each(
    `vnin ssn tin passport id_no identityNum identification_number national_id nationalId taxid taxIdNumber
    social_security voterId voters_card driverLicence drivers_license BVN customerNin`.split(/\s+/),
  )('takes nothing at /%s, which is named as an identity number', (name) => {
    const row = { type: 'String', at: [`/kyc/${name}`] };
    expect(() => createContract({ 'extra.Customer.x': row })).toThrow('identity number');
  });

  it.each([
    ...['tinted', 'passportless', 'routing', 'identity', 'idNote', 'driver'].map((name) => ['String', name]),
    ['Boolean', 'bvn_verified'],
  ])('takes a %s at /%s', (type, name) => {
    const row = { type, at: [`/${name}`] };
    expect(createContract({ 'extra.Customer.x': row }).extras).toHaveLength(1);
  });
});
