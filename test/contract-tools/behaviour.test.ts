import { describe, expect, it, onTestFinished } from 'vitest';
import { startBank } from '../../src/bank/bank.ts';
import { embeddedContract } from '../../src/bank/contract.ts';
import { createContract, describeContract } from '../../src/contract/contract.ts';
import { checkService } from './service.ts';
import { startDialectOne } from '../support/dialects/one.ts';
import { startDialectFive } from '../support/dialects/five.ts';
import { startDialectFour } from '../support/dialects/four.ts';
import { decide, knownOf, readPlanted } from '../support/dialects/planted.ts';
import { startDialectThree } from '../support/dialects/three.ts';
import { startDialectTwo } from '../support/dialects/two.ts';
import { codes, query, startGateway } from '../support/gateway.ts';
import { walk, type Window } from '../support/upstream/paging.ts';

/** A service over the demo data, and the address of the embedded bank's control face behind it. */
interface Service {
  readonly url: string;
  readonly bankUrl: string;
  readonly close: () => Promise<void>;
}

async function startEmbedded(): Promise<Service> {
  const { url, close } = await startBank({ port: 0, database: ':memory:' });
  return { url, bankUrl: url, close };
}

/** The rows that a check of a dialect writes, with the decisions that it leaves. */
async function checkRows(start: () => Promise<Service>, name: string): Promise<Readonly<Record<string, unknown>>> {
  const service = await start();
  try {
    const { file } = await checkService(service.url, knownOf(name));
    return decide(file, readPlanted(name).overrides);
  } finally {
    await service.close();
  }
}

/** Everything in which the services differ: who answers, and the rows that say how. */
const services: readonly [name: string, start: () => Promise<Service>, rows: Readonly<Record<string, unknown>>][] = [
  ['the embedded bank', startEmbedded, embeddedContract],
  ['dialect one by the file of its check', startDialectOne, await checkRows(startDialectOne, 'one')],
  ['dialect two by the file of its check', startDialectTwo, await checkRows(startDialectTwo, 'two')],
  ['dialect three by the file of its check', startDialectThree, await checkRows(startDialectThree, 'three')],
  ['dialect four by the file of its check', startDialectFour, await checkRows(startDialectFour, 'four')],
  ['dialect five by the file of its check', startDialectFive, await checkRows(startDialectFive, 'five')],
];

const merchant = { authorization: 'Bearer demo-token', svcprivatekey: 'demo-key' };

/** An identifier of the form that every service has, and that none of its records has. */
const unknownId = '999999';

const references = (count: number) =>
  Array.from({ length: count }, (_, index) => `demo-customer-${String(index + 1).padStart(4, '0')}`);

const readableCustomer = {
  firstName: 'Ngozi',
  lastName: 'Newcomer',
  dateOfBirth: '1990-01-31',
  phone: '+2340000009999',
  email: 'ngozi@example.com',
  reference: 'behaviour-1',
  type: 'wallet',
  collectionWalletId: 'wal_0001',
};
const newCustomer = { ...readableCustomer, nin: '00000000000', bvn: '' };
const newBank = {
  name: 'Payroll',
  accountNumber: '0123456789',
  accountName: 'Demo Merchant',
  bankCode: '044',
  bankSlug: 'example-bank',
};

const customerFields =
  'reference firstName lastName email phone dateOfBirth type status collectionWalletId createdAt updatedAt';
const bankFields = 'name accountNumber accountName bankCode bankSlug';
const moneyFields = 'amount { amount currency }';
const createCustomerDocument = `mutation ($input: CreateCustomerInput!) {
  createCustomer(input: $input) { customer { id ${customerFields} } userErrors { code field message } }
}`;
const updateCustomerDocument = `mutation ($input: UpdateCustomerInput!) {
  updateCustomer(input: $input) { customer { id ${customerFields} } userErrors { code field } }
}`;
const createBankDocument = `mutation ($input: CreateSettlementBankInput!) {
  createSettlementBank(input: $input) { settlementBank { id ${bankFields} createdAt } userErrors { code field } }
}`;
const updateBankDocument = `mutation ($input: UpdateSettlementBankInput!) {
  updateSettlementBank(input: $input) { settlementBank { id ${bankFields} } userErrors { code field } }
}`;
const openAccountDocument = `mutation ($input: CreateVirtualAccountInput!) {
  createVirtualAccount(input: $input) {
    virtualAccount { id accountNumber accountName bankName bankCode status createdAt } userErrors { code }
  }
}`;
const openOneTimeDocument = `mutation ($input: CreateOneTimeAccountInput!) {
  createOneTimeAccount(input: $input) {
    oneTimeAccount { id accountNumber accountName bankName bankCode status createdAt expiresAt ${moneyFields} }
    userErrors { code field }
  }
}`;

const toKobo = (amount: string) => BigInt(amount.replace('.', ''));

interface Movement {
  readonly id: string;
  readonly type: string;
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly createdAt: string;
  readonly amount: { readonly amount: string; readonly currency: string };
}

const signs = { CREDIT: 1n, DEBIT: -1n };

const sumOf = (movements: readonly Movement[]) =>
  movements.reduce((sum, { direction, amount }) => sum + signs[direction] * toKobo(amount.amount), 0n);

const customersDocument = `query ($first: Int, $after: String, $search: String) {
  list: customers(first: $first, after: $after, search: $search) {
    nodes { id reference } totalCount pageInfo { hasNextPage endCursor }
  }
}`;
const banksDocument = `query ($first: Int, $after: String, $search: String) {
  list: settlementBanks(first: $first, after: $after, search: $search) {
    nodes { id name } totalCount pageInfo { hasNextPage endCursor }
  }
}`;
const customerDocument = `query ($id: ID!) { customer(id: $id) { id ${customerFields} } }`;
/** A list below a customer, with its filters and the variables that they take. */
const belowDocument = (
  list: string,
  fields: string,
  filters = '',
  variables = '',
) => `query ($id: ID!, $first: Int, $after: String${variables}) {
  customer(id: $id) { list: ${list}(first: $first, after: $after${filters}) {
    nodes { ${fields} } totalCount pageInfo { hasNextPage endCursor }
  } }
}`;
const transactionsDocument = belowDocument(
  'transactions',
  `id type direction createdAt ${moneyFields}`,
  ', type: $type',
  ', $type: String',
);
const rangeDocument = belowDocument(
  'transactions',
  `id type direction createdAt ${moneyFields}`,
  ', createdFrom: $from, createdBefore: $before',
  ', $from: DateTime, $before: DateTime',
);
const accountsDocument = belowDocument(
  'virtualAccounts',
  'id accountNumber accountName bankName bankCode status createdAt',
);

describe.each(services)('in front of %s', (_, start, rows) => {
  /** A gateway over a fresh service, and the requests that a frontend makes of it. */
  const startFrontend = async () => {
    const service = await start();
    onTestFinished(service.close);
    const gateway = await startGateway({ upstream: service.url, contract: rows, undecided: true });
    const ask = (document: string, variables: unknown = {}, headers: Readonly<Record<string, string>> = merchant) =>
      query(gateway, document, { variables, headers });
    const data = async (document: string, variables?: unknown) => {
      const answer = await ask(document, variables);
      expect(answer.errors).toEqual([]);
      return answer.data;
    };
    /** The records of a list, window after window. */
    const readAll = async <Value>(document: string, variables: object = {}, ...steps: readonly number[]) => {
      const found: Value[] = [];
      await walk(
        async (window: Window) => {
          const answer = await ask(document, { ...variables, ...window });
          const { list } = answer.data.customer ?? answer.data;
          found.push(...list.nodes);
          return { ...answer, data: { list } };
        },
        (step) => steps[step % steps.length] ?? 100,
      );
      return found as readonly Value[];
    };
    const readCustomers = (variables: object = {}, ...steps: readonly number[]) =>
      readAll<{ readonly id: string; readonly reference: string }>(customersDocument, variables, ...steps);
    /** The identifier of a customer by its place in the list, from 1. */
    const customerId = async (place: number) => (await readCustomers())[place - 1]?.id ?? '';
    const bankId = async (place: number) =>
      (await readAll<{ readonly id: string }>(banksDocument))[place - 1]?.id ?? '';
    const readBalance = async (id: string) => {
      const { customer } = await data('query ($id: ID!) { customer(id: $id) { balance { value { amount } } } }', {
        id,
      });
      return customer.balance.value.amount as string;
    };
    /** Money that comes in from outside. */
    const deposit = async (accountNumber: string, amount: string) => {
      const { status } = await fetch(`${service.bankUrl}/_bank/deposits`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ accountNumber, amount, narration: 'Test deposit' }),
      });
      expect(status).toBe(201);
    };
    return { ask, data, customerId, bankId, readAll, readCustomers, readBalance, deposit };
  };

  describe('the customers', () => {
    it('come once each and in order, whatever is asked for', async () => {
      const { readCustomers } = await startFrontend();
      for (const steps of [[25], [64], [5, 1, 30, 12, 3]]) {
        const found = await readCustomers({}, ...steps);
        expect(found.map(({ reference }) => reference)).toEqual(references(64));
        expect(new Set(found.map(({ id }) => id)).size).toBe(64);
      }
    });

    it('are found by what is searched for', async () => {
      const { data, readCustomers } = await startFrontend();
      const searches: readonly [search: string, expected: readonly string[]][] = [
        ['demo-customer-0042', ['demo-customer-0042']],
        ['customer-001', references(19).slice(9)],
        ['Chidi Testcase', ['demo-customer-0001']],
        ['nobody-at-all', []],
      ];
      for (const [search, expected] of searches) {
        const found = await readCustomers({ search }, 4);
        expect(found.map(({ reference }) => reference)).toEqual(expected);
        expect((await data(customersDocument, { search })).list.totalCount).toBe(expected.length);
      }
    });
  });

  describe('a customer', () => {
    it('has every field by its identifier', async () => {
      const { data, customerId } = await startFrontend();
      const id = await customerId(1);
      expect((await data(customerDocument, { id })).customer).toEqual({
        id,
        reference: 'demo-customer-0001',
        firstName: 'Chidi',
        lastName: 'Testcase',
        email: 'customer-0001@example.com',
        phone: '+2340000000001',
        dateOfBirth: '1982-10-12',
        type: 'wallet',
        status: 'active',
        collectionWalletId: 'wal_0001',
        createdAt: '2025-01-01T09:00:00.000Z',
        updatedAt: '2025-01-01T09:00:00.000Z',
      });
      expect(await data(customerDocument, { id: unknownId })).toEqual({ customer: null });
    });

    it('is an entity to a router, with its accounts and its balance, and an unknown one is null', async () => {
      const { data, customerId } = await startFrontend();
      const document = `query ($ids: [_Any!]!) { found: _entities(representations: $ids) { ... on Customer {
        reference balance { value { amount } } virtualAccounts { nodes { accountNumber } }
      } } }`;
      const ids = [await customerId(1), unknownId].map((id) => ({ __typename: 'Customer', id }));
      const nodes = ['9000000001', '9000000002'].map((accountNumber) => ({ accountNumber }));
      const balance = { value: { amount: '146363.63' } };
      const customer = { reference: 'demo-customer-0001', balance, virtualAccounts: { nodes } };
      expect((await data(document, { ids })).found).toEqual([customer, null]);
    });
  });

  describe('transactions', () => {
    it('have every field', async () => {
      const { data, customerId } = await startFrontend();
      const document = belowDocument(
        'transactions',
        `id reference narration type status direction createdAt ${moneyFields}`,
      );
      const { customer } = await data(document, { id: await customerId(1), first: 1 });
      expect(customer.list.totalCount).toBe(130);
      expect(customer.list.nodes).toEqual([
        {
          id: expect.stringMatching(/./),
          reference: 'demo-txn-0130',
          narration: 'Refund',
          type: expect.stringMatching(/^[a-z]+$/),
          status: 'successful',
          direction: 'CREDIT',
          createdAt: '2025-01-15T02:00:00.000Z',
          amount: { amount: '40778.05', currency: 'NGN' },
        },
      ]);
    });

    it('come once each, make up the balance, and are filtered by type', async () => {
      const { customerId, readAll, readBalance } = await startFrontend();
      const id = await customerId(1);
      const all = await readAll<Movement>(transactionsDocument, { id }, 60);
      expect(all).toHaveLength(130);
      expect(new Set(all.map((transaction) => transaction.id)).size).toBe(130);
      expect(sumOf(all)).toBe(toKobo(await readBalance(id)));
      for (const direction of ['CREDIT', 'DEBIT']) {
        const wanted = all.filter((transaction) => transaction.direction === direction);
        expect(wanted.length).toBeGreaterThan(0);
        expect(await readAll<Movement>(transactionsDocument, { id, type: wanted[0]?.type }, 20)).toEqual(wanted);
      }
      expect(await readAll(transactionsDocument, { id, type: 'no-such-type' })).toEqual([]);
    });

    it.runIf('listCustomerTransactions.createdFrom' in rows)(
      'come newest first, and are those of a range',
      async () => {
        const { customerId, readAll } = await startFrontend();
        const id = await customerId(1);
        const all = await readAll<Movement>(transactionsDocument, { id });
        expect(all.map(({ createdAt }) => createdAt)).toEqual(
          all
            .map(({ createdAt }) => createdAt)
            .toSorted()
            .toReversed(),
        );
        const range = { id, from: all[70]?.createdAt, before: all[20]?.createdAt };
        for (const size of [7, 100]) expect(await readAll(rangeDocument, range, size)).toEqual(all.slice(21, 71));
      },
    );
  });

  describe('virtual accounts', () => {
    it('come with every field', async () => {
      const { readAll, customerId } = await startFrontend();
      const common = {
        id: expect.stringMatching(/./),
        accountName: 'Chidi Testcase',
        bankName: 'Example Bank',
        bankCode: '999',
        status: 'active',
        createdAt: '2025-01-01T09:00:00.000Z',
      };
      expect(await readAll(accountsDocument, { id: await customerId(1) }, 1)).toEqual([
        { ...common, accountNumber: '9000000001' },
        { ...common, accountNumber: '9000000002' },
      ]);
    });

    it('are opened and read back, and take deposits, which move the balance and become transactions', async () => {
      const { data, customerId, readAll, readBalance, deposit } = await startFrontend();
      const id = await customerId(2);
      const before = toKobo(await readBalance(id));
      const { createVirtualAccount } = await data(openAccountDocument, { input: { customerId: id } });
      const { virtualAccount, userErrors } = createVirtualAccount;
      expect(userErrors).toEqual([]);
      expect((await readAll(accountsDocument, { id }))[1]).toEqual(virtualAccount);
      await deposit(virtualAccount.accountNumber, '1250.05');
      expect(toKobo(await readBalance(id)) - before).toBe(125_005n);
      expect((await readAll<Movement>(transactionsDocument, { id })).at(0)).toMatchObject({
        direction: 'CREDIT',
        amount: { amount: '1250.05', currency: 'NGN' },
      });
    });
  });

  describe('a one-time account', () => {
    it('has the amount that it was opened for, and takes it', async () => {
      const { data, customerId, readBalance, deposit } = await startFrontend();
      const id = await customerId(1);
      const { createOneTimeAccount } = await data(openOneTimeDocument, { input: { customerId: id, amount: '1250.5' } });
      const { oneTimeAccount, userErrors } = createOneTimeAccount;
      expect(userErrors).toEqual([]);
      expect(oneTimeAccount).toMatchObject({
        accountNumber: expect.stringMatching(/^9\d{9}$/),
        accountName: 'Chidi Testcase',
        bankName: 'Example Bank',
        bankCode: '999',
        status: 'active',
        amount: { amount: '1250.50', currency: 'NGN' },
      });
      expect(Date.parse(oneTimeAccount.expiresAt) - Date.parse(oneTimeAccount.createdAt)).toBe(30 * 60_000);
      await deposit(oneTimeAccount.accountNumber, '1250.50');
      expect(await readBalance(id)).toBe('147614.13');
    });
  });

  describe('a customer that is registered', () => {
    it('can be read, listed and found, and starts with nothing', async () => {
      const { data, readCustomers, readAll, readBalance } = await startFrontend();
      const { createCustomer } = await data(createCustomerDocument, { input: newCustomer });
      const { id } = createCustomer.customer;
      expect(createCustomer.userErrors).toEqual([]);
      expect(createCustomer.customer).toMatchObject({ ...readableCustomer, status: 'active' });
      expect((await data(customerDocument, { id })).customer).toEqual(createCustomer.customer);
      expect((await readCustomers()).map((each) => each.id)[64]).toBe(id);
      expect((await readCustomers({ search: newCustomer.email })).map((each) => each.id)).toEqual([id]);
      expect([await readBalance(id), await readAll(transactionsDocument, { id })]).toEqual(['0.00', []]);
    });

    it('is refused where a reference is taken, and where a field is missing or wrong', async () => {
      const { data, readCustomers } = await startFrontend();
      const refusals: readonly [change: object, userError: unknown][] = [
        [
          { reference: 'demo-customer-0007' },
          expect.objectContaining({ code: 'ALREADY_EXISTS', field: ['input', 'reference'] }),
        ],
        [{ firstName: undefined }, { code: 'INVALID', field: ['input', 'firstName'], message: 'Is required.' }],
        [{ bvn: '1' }, { code: 'INVALID', field: ['input', 'bvn'], message: 'Must be 11 digits or empty.' }],
      ];
      for (const [change, userError] of refusals) {
        const { createCustomer } = await data(createCustomerDocument, { input: { ...newCustomer, ...change } });
        expect(createCustomer).toEqual({ customer: null, userErrors: expect.arrayContaining([userError]) });
      }
      expect(await readCustomers()).toHaveLength(64);
    });
  });

  describe('a customer that is updated', () => {
    it('changes in what is given and in nothing else', async () => {
      const { data, customerId } = await startFrontend();
      const id = await customerId(1);
      const before = await data(customerDocument, { id });
      const { updateCustomer } = await data(updateCustomerDocument, { input: { id, lastName: 'Renamed' } });
      const after = await data(customerDocument, { id });
      const { updatedAt } = after.customer;
      expect(updateCustomer).toEqual({ customer: after.customer, userErrors: [] });
      expect(after.customer).toEqual({ ...before.customer, lastName: 'Renamed', updatedAt });
      expect(Date.parse(updatedAt)).toBeGreaterThan(Date.parse(before.customer.updatedAt));
    });

    it('is refused where the service does not take a value', async () => {
      const { data, customerId } = await startFrontend();
      const id = await customerId(1);
      const taken = await data(updateCustomerDocument, { input: { id, reference: 'demo-customer-0002' } });
      const wrong = await data(updateCustomerDocument, { input: { id, email: 'no address' } });
      expect([taken, wrong].map(({ updateCustomer }) => updateCustomer)).toEqual([
        { customer: null, userErrors: [{ code: 'ALREADY_EXISTS', field: ['input', 'reference'] }] },
        { customer: null, userErrors: [{ code: 'INVALID', field: ['input', 'email'] }] },
      ]);
    });
  });

  describe('settlement banks', () => {
    it('come once each and in order, and are found by name', async () => {
      const { readAll } = await startFrontend();
      const names = [1, 2, 3, 4, 5, 6, 7].map((number) =>
        expect.objectContaining({ name: `Example settlement ${number}` }),
      );
      expect(await readAll(banksDocument, {}, 2)).toEqual(names);
      expect(await readAll(banksDocument, { search: 'settlement 5' })).toEqual([names[4]]);
    });

    it('have every field by their identifier, and change in what is given and in nothing else', async () => {
      const { data, bankId } = await startFrontend();
      const document = `query ($id: ID!, $unknown: ID!) {
        settlementBank(id: $id) { id ${bankFields} createdAt updatedAt } unknown: settlementBank(id: $unknown) { name }
      }`;
      const id = await bankId(2);
      const bank = {
        id,
        name: 'Example settlement 2',
        accountNumber: '0000000002',
        accountName: 'Demo Merchant',
        bankCode: '902',
        bankSlug: 'example-bank-2',
      };
      const times = { createdAt: '2025-01-01T10:00:00.000Z', updatedAt: '2025-01-01T10:00:00.000Z' };
      expect(await data(document, { id, unknown: unknownId })).toEqual({
        settlementBank: { ...bank, ...times },
        unknown: null,
      });
      const { updateSettlementBank } = await data(updateBankDocument, { input: { id, name: 'Renamed' } });
      expect(updateSettlementBank).toEqual({ settlementBank: { ...bank, name: 'Renamed' }, userErrors: [] });
    });

    it('are stored once, read back and then refused as ALREADY_EXISTS', async () => {
      const { data } = await startFrontend();
      const stored = await data(createBankDocument, { input: newBank });
      const { id } = stored.createSettlementBank.settlementBank;
      const read = await data(`query ($id: ID!) { settlementBank(id: $id) { id ${bankFields} createdAt } }`, { id });
      const repeated = await data(createBankDocument, { input: newBank });
      expect(stored.createSettlementBank).toMatchObject({ settlementBank: newBank, userErrors: [] });
      expect(read.settlementBank).toEqual(stored.createSettlementBank.settlementBank);
      expect(repeated.createSettlementBank).toEqual({
        settlementBank: null,
        userErrors: [{ code: 'ALREADY_EXISTS', field: ['input', 'accountNumber'] }],
      });
    });
  });

  it('a write to a record that there is not is NOT_FOUND', async () => {
    const { ask } = await startFrontend();
    const writes: readonly [document: string, input: object][] = [
      [updateCustomerDocument, { id: unknownId, lastName: 'Nobody' }],
      [updateBankDocument, { id: unknownId, name: 'Nothing' }],
      [openAccountDocument, { customerId: unknownId }],
      [openOneTimeDocument, { customerId: unknownId, amount: '5.00' }],
    ];
    const answers = await Promise.all(writes.map(([document, input]) => ask(document, { input })));
    expect(answers.map(codes)).toEqual(writes.map(() => ['NOT_FOUND']));
    expect(answers.flatMap(({ data }) => Object.values(data))).toEqual([null, null, null, null]);
  });

  it('with unknown credentials a caller is UNAUTHENTICATED for everything, and told none of them', async () => {
    const { ask } = await startFrontend();
    const stranger = { authorization: 'Bearer planted-token', svcprivatekey: 'planted-key' };
    const read = await ask('{ customers { totalCount } settlementBanks { totalCount } }', {}, stranger);
    const written = await ask(createCustomerDocument, { input: newCustomer }, stranger);
    expect([read, written].map((answer) => [...new Set(codes(answer))])).toEqual([
      ['UNAUTHENTICATED'],
      ['UNAUTHENTICATED'],
    ]);
    expect(JSON.stringify([read, written])).not.toContain('planted');
  });
});

describe('an override file', () => {
  it.each(['one', 'two', 'three', 'four', 'five'])(
    'of dialect %s has no fault, no row that the defaults say already, and decides money',
    (name) => {
      const { overrides, faults } = readPlanted(name);
      const states = describeContract(createContract(overrides))
        .filter(({ id }) => Object.hasOwn(overrides, id))
        .map(({ state }) => state);
      expect(faults).toEqual([]);
      expect(new Set(states)).toEqual(new Set(['overridden']));
      expect(Object.keys(overrides)).toEqual(expect.arrayContaining(['money.unit', 'money.currency']));
    },
  );
});
