import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBank } from '../../src/bank/bank.ts';
import { embeddedContract } from '../../src/bank/contract.ts';
import { parseOverrides } from '../../src/contract/overrides-file.ts';
import { createContract, describeContract } from '../../src/contract/contract.ts';
import { checkService } from '../support/check.ts';
import { startDialectOne } from '../support/dialects/one.ts';
import { startDialectTwo } from '../support/dialects/two.ts';
import { codes, query, startGateway, type GraphQLAnswer } from '../support/gateway.ts';
import { walk, type Window } from '../support/paging.ts';

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

const readFile = (name: string) => {
  const file = new URL(`../support/dialects/${name}.yaml`, import.meta.url);
  return parseOverrides(readFileSync(file, 'utf8'), `${name}.yaml`);
};

/** Everything in which the services differ: who answers, and the rows that say how. */
const services: readonly [name: string, start: () => Promise<Service>, rows: Readonly<Record<string, unknown>>][] = [
  ['the embedded bank', startEmbedded, embeddedContract],
  ['dialect one', startDialectOne, readFile('one').overrides],
  ['dialect two', startDialectTwo, readFile('two').overrides],
];

const merchant = { authorization: 'Bearer demo-token', svcprivatekey: 'demo-key' };
const otherMerchant = { authorization: 'Bearer demo-token-2', svcprivatekey: 'demo-key-2' };

/** An identifier of the form that every service has, and that none of its records has. */
const unknownId = '999999';

const references = (mark: string, count: number) =>
  Array.from({ length: count }, (_, index) => `demo-customer-${mark}${String(index + 1).padStart(4, '0')}`);

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
  readonly amount: { readonly amount: string; readonly currency: string };
}

const signs = { CREDIT: 1n, DEBIT: -1n };

const sumOf = (movements: readonly Movement[]) =>
  movements.reduce((sum, { direction, amount }) => sum + signs[direction] * toKobo(amount.amount), 0n);

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
    /** The identifier of a customer by its place in the list, from 1. */
    const customerId = async (place: number): Promise<string> => {
      const { customers } = await data('{ customers(first: 100) { nodes { id } } }');
      return customers.nodes[place - 1].id;
    };
    const bankId = async (place: number): Promise<string> => {
      const { settlementBanks } = await data('{ settlementBanks(first: 100) { nodes { id } } }');
      return settlementBanks.nodes[place - 1].id;
    };
    /** The values of one field of a list's records, window after window. */
    const readAll = async <Value>(
      selection: string,
      firstAt: (step: number) => number,
      variables: object = {},
      unwrap: (data: GraphQLAnswer['data']) => GraphQLAnswer['data'] = (data) => data,
    ): Promise<readonly Value[]> => {
      const found: Value[] = [];
      await walk(async (window: Window) => {
        const answer = await ask(selection, { ...variables, ...window });
        const unwrapped = { ...answer, data: unwrap(answer.data) };
        found.push(...unwrapped.data.list.nodes);
        return unwrapped;
      }, firstAt);
      return found;
    };
    const customersDocument = `query ($first: Int, $after: String, $search: String) {
      list: customers(first: $first, after: $after, search: $search) {
        nodes { id reference } totalCount pageInfo { hasNextPage endCursor }
      }
    }`;
    const readCustomers = (firstAt: (step: number) => number, variables: object = {}) =>
      readAll<{ readonly id: string; readonly reference: string }>(customersDocument, firstAt, variables);
    const transactionsDocument = `query ($id: ID!, $first: Int, $after: String, $type: String) {
      customer(id: $id) {
        list: transactions(first: $first, after: $after, type: $type) {
          nodes { id type direction ${moneyFields} } totalCount pageInfo { hasNextPage endCursor }
        }
      }
    }`;
    const readTransactions = (id: string, firstAt: (step: number) => number, type?: string) =>
      readAll<Movement>(transactionsDocument, firstAt, { id, type }, ({ customer }) => customer);
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
    return { ask, data, customerId, bankId, readAll, readCustomers, readTransactions, readBalance, deposit };
  };

  describe('the customers', () => {
    it.each([7, 25, 64, 100])('come once each and in order by %i a page', async (first) => {
      const { readCustomers } = await startFrontend();
      const found = await readCustomers(() => first);
      expect(found.map(({ reference }) => reference)).toEqual(references('', 64));
      expect(new Set(found.map(({ id }) => id)).size).toBe(64);
    });

    it('come once each and in order where every page has another size', async () => {
      const { readCustomers } = await startFrontend();
      const found = await readCustomers((step) => [5, 1, 30, 12, 3][step % 5] as number);
      expect(found.map(({ reference }) => reference)).toEqual(references('', 64));
    });

    it('have a total, and say on each page what stands around it', async () => {
      const { data } = await startFrontend();
      const document = `query ($after: String) {
        customers(first: 40, after: $after) { totalCount nodes { id } pageInfo { hasNextPage hasPreviousPage endCursor } }
      }`;
      const { customers: top } = await data(document);
      const { customers: rest } = await data(document, { after: top.pageInfo.endCursor });
      expect([top.totalCount, top.nodes.length]).toEqual([64, 40]);
      expect(top.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
      expect([rest.totalCount, rest.nodes.length]).toEqual([64, 24]);
      expect(rest.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    });

    it('continue behind every edge of a page', async () => {
      const { data } = await startFrontend();
      const document = `query ($first: Int!, $after: String) {
        customers(first: $first, after: $after) { edges { cursor node { reference } } }
      }`;
      const { customers } = await data(document, { first: 60 });
      for (const index of [0, 6, 24, 25, 49, 50, 59]) {
        const { customers: next } = await data(document, { first: 3, after: customers.edges[index].cursor });
        const found = next.edges.map(({ node }: { readonly node: { readonly reference: string } }) => node.reference);
        expect(found, `behind ${index}`).toEqual(references('', 64).slice(index + 1, index + 4));
      }
    });

    it('refuse a cursor of another list', async () => {
      const { ask, data } = await startFrontend();
      const { settlementBanks } = await data('{ settlementBanks(first: 2) { pageInfo { endCursor } } }');
      const answer = await ask('query ($after: String) { customers(after: $after) { totalCount } }', {
        after: settlementBanks.pageInfo.endCursor,
      });
      expect(codes(answer)).toEqual(['INVALID_CURSOR']);
    });

    it.each([
      ['a reference', 'demo-customer-0042', references('', 64).slice(41, 42)],
      ['a part of an e-mail address', 'customer-001', references('', 64).slice(9, 19)],
      ['a first and a last name together', 'Chidi Testcase', ['demo-customer-0001']],
      ['what nobody has', 'nobody-at-all', []],
    ])('are found by %s', async (_, search, expected) => {
      const { data, readCustomers } = await startFrontend();
      const found = await readCustomers(() => 4, { search });
      expect(found.map(({ reference }) => reference)).toEqual(expected);
      const { customers } = await data('query ($search: String) { customers(search: $search) { totalCount } }', {
        search,
      });
      expect(customers.totalCount).toBe(expected.length);
    });
  });

  describe('a customer', () => {
    it('has every field by its identifier', async () => {
      const { data, customerId } = await startFrontend();
      const id = await customerId(1);
      const { customer } = await data(`query ($id: ID!) { customer(id: $id) { id ${customerFields} } }`, { id });
      expect(customer).toEqual({
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
    });

    it('is null where nobody knows its identifier', async () => {
      const { data } = await startFrontend();
      expect(await data('query ($id: ID!) { customer(id: $id) { reference } }', { id: unknownId })).toEqual({
        customer: null,
      });
    });

    it('has a balance', async () => {
      const { data, customerId } = await startFrontend();
      const document = 'query ($id: ID!) { customer(id: $id) { balance { value { amount currency } } } }';
      const { customer } = await data(document, { id: await customerId(1) });
      expect(customer.balance.value).toEqual({ amount: '146363.63', currency: 'NGN' });
    });

    it('has a balance in a list too, which is the sum of its transactions', async () => {
      const { data } = await startFrontend();
      const { customers } = await data(
        `{ customers(first: 5) { nodes {
          balance { value { amount } } transactions(first: 100) { totalCount nodes { direction ${moneyFields} } }
        } } }`,
      );
      const { nodes } = customers as {
        nodes: {
          balance: { value: { amount: string } };
          transactions: { totalCount: number; nodes: readonly Movement[] };
        }[];
      };
      expect(nodes).toHaveLength(5);
      for (const { balance, transactions } of nodes.slice(1)) {
        expect(transactions.nodes).toHaveLength(transactions.totalCount);
        expect(toKobo(balance.value.amount)).toBe(sumOf(transactions.nodes));
      }
    });

    it('is an entity to a router, and an unknown one is null', async () => {
      const { data, customerId } = await startFrontend();
      const document = `query ($ids: [_Any!]!) { _entities(representations: $ids) { ... on Customer { reference } } }`;
      const ids = [await customerId(3), unknownId].map((id) => ({ __typename: 'Customer', id }));
      expect(await data(document, { ids })).toEqual({ _entities: [{ reference: 'demo-customer-0003' }, null] });
    });

    it('gives a router its accounts and its balance by its identifier alone', async () => {
      const { data, customerId } = await startFrontend();
      const document = `query ($ids: [_Any!]!) { _entities(representations: $ids) {
        ... on Customer { balance { value { amount } } virtualAccounts { nodes { accountNumber } } }
      } }`;
      const answered = await data(document, { ids: [{ __typename: 'Customer', id: await customerId(1) }] });
      expect(answered).toEqual({
        _entities: [
          {
            balance: { value: { amount: '146363.63' } },
            virtualAccounts: { nodes: [{ accountNumber: '9000000001' }, { accountNumber: '9000000002' }] },
          },
        ],
      });
    });
  });

  describe('transactions', () => {
    it.each([20, 60])('come once each by %i a page, and make up the balance', async (first) => {
      const { customerId, readTransactions, readBalance } = await startFrontend();
      const id = await customerId(1);
      const found = await readTransactions(id, () => first);
      expect(new Set(found.map((transaction) => transaction.id)).size).toBe(130);
      expect(found).toHaveLength(130);
      expect(sumOf(found)).toBe(toKobo(await readBalance(id)));
    });

    it('have every field', async () => {
      const { data, customerId } = await startFrontend();
      const { customer } = await data(
        `query ($id: ID!) { customer(id: $id) { transactions(first: 1) { totalCount nodes {
          id reference narration type status direction createdAt ${moneyFields}
        } } } }`,
        { id: await customerId(1) },
      );
      expect(customer.transactions.totalCount).toBe(130);
      expect(customer.transactions.nodes).toEqual([
        {
          id: expect.stringMatching(/./),
          reference: 'demo-txn-0001',
          narration: 'Refund',
          type: expect.stringMatching(/^[a-z]+$/),
          status: 'successful',
          direction: 'CREDIT',
          createdAt: '2025-01-09T17:00:00.000Z',
          amount: { amount: '39106.04', currency: 'NGN' },
        },
      ]);
    });

    it.each(['CREDIT', 'DEBIT'] as const)('are filtered by the type of a %s', async (direction) => {
      const { customerId, readTransactions } = await startFrontend();
      const id = await customerId(1);
      const all = await readTransactions(id, () => 100);
      const wanted = all.filter((transaction) => transaction.direction === direction);
      const found = await readTransactions(id, () => 20, wanted[0]?.type);
      expect(wanted.length).toBeGreaterThan(0);
      expect(found).toEqual(wanted);
    });

    it('of a type that there is not are none', async () => {
      const { customerId, readTransactions } = await startFrontend();
      expect(await readTransactions(await customerId(1), () => 20, 'no-such-type')).toEqual([]);
    });
  });

  describe('virtual accounts', () => {
    it.each([1, 20])('come once each by %i a page', async (first) => {
      const { readAll, customerId } = await startFrontend();
      const document = `query ($id: ID!, $first: Int, $after: String) { customer(id: $id) {
        list: virtualAccounts(first: $first, after: $after) {
          nodes { id accountNumber accountName bankName bankCode status createdAt }
          pageInfo { hasNextPage endCursor }
        }
      } }`;
      const found = await readAll(
        document,
        () => first,
        { id: await customerId(1) },
        ({ customer }) => customer,
      );
      const common = {
        id: expect.stringMatching(/./),
        accountName: 'Chidi Testcase',
        bankName: 'Example Bank',
        bankCode: '999',
        status: 'active',
        createdAt: '2025-01-01T09:00:00.000Z',
      };
      expect(found).toEqual([
        { ...common, accountNumber: '9000000001' },
        { ...common, accountNumber: '9000000002' },
      ]);
    });

    it('come once each where there are more than any service gives on a page', async () => {
      const { data, readAll, customerId } = await startFrontend();
      const id = await customerId(2);
      const opened = Array.from({ length: 60 }, () => data(openAccountDocument, { input: { customerId: id } }));
      await Promise.all(opened);
      const document = `query ($id: ID!, $first: Int, $after: String) { customer(id: $id) {
        list: virtualAccounts(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } }
      } }`;
      const found = await readAll<{ readonly id: string }>(
        document,
        () => 56,
        { id },
        ({ customer }) => customer,
      );
      expect(found).toHaveLength(61);
      expect(new Set(found.map((account) => account.id)).size).toBe(61);
    });

    it('have a total', async () => {
      const { data } = await startFrontend();
      const { customers } = await data(
        '{ customers(first: 3) { nodes { virtualAccounts(first: 1) { totalCount } } } }',
      );
      expect(customers.nodes).toEqual([2, 1, 1].map((totalCount) => ({ virtualAccounts: { totalCount } })));
    });

    it('are opened and read back', async () => {
      const { data, customerId } = await startFrontend();
      const customer = await customerId(2);
      const { createVirtualAccount } = await data(openAccountDocument, { input: { customerId: customer } });
      const { virtualAccount } = createVirtualAccount;
      const document = `query ($id: ID!) { customer(id: $id) { virtualAccounts {
        totalCount nodes { id accountNumber accountName bankName bankCode status createdAt }
      } } }`;
      const read = await data(document, { id: customer });
      expect(createVirtualAccount.userErrors).toEqual([]);
      expect(virtualAccount).toMatchObject({ accountNumber: expect.stringMatching(/^9\d{9}$/), status: 'active' });
      expect(read.customer.virtualAccounts.totalCount).toBe(2);
      expect(read.customer.virtualAccounts.nodes[1]).toEqual(virtualAccount);
    });

    it('take deposits, which move the balance and become transactions', async () => {
      const { customerId, readTransactions, readBalance, deposit } = await startFrontend();
      const id = await customerId(1);
      await deposit('9000000002', '1250.05');
      const last = (await readTransactions(id, () => 100)).at(-1);
      expect(await readBalance(id)).toBe('147613.68');
      expect(last).toMatchObject({ direction: 'CREDIT', amount: { amount: '1250.05', currency: 'NGN' } });
    });
  });

  describe('a one-time account', () => {
    it('has the amount that it was opened for, and takes it', async () => {
      const { data, customerId, readBalance, deposit } = await startFrontend();
      const customer = await customerId(1);
      const input = { customerId: customer, amount: '1250.5' };
      const { createOneTimeAccount } = await data(openOneTimeDocument, { input });
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
      expect(await readBalance(customer)).toBe('147614.13');
    });

    it('has no amount where it takes any', async () => {
      const { data, customerId } = await startFrontend();
      const { createOneTimeAccount } = await data(openOneTimeDocument, { input: { customerId: await customerId(1) } });
      expect(createOneTimeAccount.oneTimeAccount.amount).toBeNull();
    });

    it.each(['0.01', '999999999999.99'])('is opened for exactly %s', async (amount) => {
      const { data, customerId } = await startFrontend();
      const input = { customerId: await customerId(1), amount };
      const { createOneTimeAccount } = await data(openOneTimeDocument, { input });
      expect(toKobo(createOneTimeAccount.oneTimeAccount.amount.amount)).toBe(BigInt(Math.round(Number(amount) * 100)));
    });
  });

  describe('a customer that is registered', () => {
    it('can be read, listed and found', async () => {
      const { data, readCustomers } = await startFrontend();
      const { createCustomer } = await data(createCustomerDocument, { input: newCustomer });
      const { id } = createCustomer.customer;
      const { customer } = await data(`query ($id: ID!) { customer(id: $id) { id ${customerFields} } }`, { id });
      const listed = await readCustomers(() => 30);
      const found = await readCustomers(() => 30, { search: newCustomer.email });
      expect(createCustomer.userErrors).toEqual([]);
      expect(createCustomer.customer).toMatchObject({ ...readableCustomer, status: 'active' });
      expect(customer).toEqual(createCustomer.customer);
      expect(listed).toHaveLength(65);
      expect([listed.at(-1)?.id, ...found.map((each) => each.id)]).toEqual([id, id]);
    });

    it('starts with nothing', async () => {
      const { data } = await startFrontend();
      const { createCustomer } = await data(
        createCustomerDocument.replace(
          'userErrors {',
          'second: customer { balance { value { amount } } transactions { nodes { id } } virtualAccounts { nodes { id } } } userErrors {',
        ),
        { input: newCustomer },
      );
      expect(createCustomer.second).toEqual({
        balance: { value: { amount: '0.00' } },
        transactions: { nodes: [] },
        virtualAccounts: { nodes: [] },
      });
    });

    it('is refused as ALREADY_EXISTS with a reference that is taken', async () => {
      const { data, readCustomers } = await startFrontend();
      const { createCustomer } = await data(createCustomerDocument, {
        input: { ...newCustomer, reference: 'demo-customer-0007' },
      });
      expect(createCustomer.customer).toBeNull();
      expect(createCustomer.userErrors).toMatchObject([{ code: 'ALREADY_EXISTS', field: ['input', 'reference'] }]);
      expect(await readCustomers(() => 100)).toHaveLength(64);
    });

    it('is refused as INVALID at every field that the service does not take', async () => {
      const { data, readCustomers } = await startFrontend();
      const input = { ...newCustomer, firstName: undefined, bvn: '1' };
      const { createCustomer } = await data(createCustomerDocument, { input });
      expect(createCustomer.customer).toBeNull();
      expect(createCustomer.userErrors).toEqual(
        expect.arrayContaining([
          { code: 'INVALID', field: ['input', 'firstName'], message: 'Is required.' },
          { code: 'INVALID', field: ['input', 'bvn'], message: 'Must be 11 digits or empty.' },
        ]),
      );
      expect(await readCustomers(() => 100)).toHaveLength(64);
    });
  });

  describe('a customer that is updated', () => {
    it('changes in what is given and in nothing else', async () => {
      const { data, customerId } = await startFrontend();
      const id = await customerId(1);
      const document = `query ($id: ID!) { customer(id: $id) { ${customerFields} } }`;
      const before = await data(document, { id });
      const { updateCustomer } = await data(updateCustomerDocument, { input: { id, lastName: 'Renamed' } });
      const after = await data(document, { id });
      const { updatedAt } = after.customer;
      expect(updateCustomer).toEqual({ customer: { id, ...after.customer }, userErrors: [] });
      expect(after.customer).toEqual({ ...before.customer, lastName: 'Renamed', updatedAt });
      expect(Date.parse(updatedAt)).toBeGreaterThan(Date.parse(before.customer.updatedAt));
    });

    it('is refused where the service does not take the change', async () => {
      const { data, customerId } = await startFrontend();
      const id = await customerId(1);
      const taken = await data(updateCustomerDocument, { input: { id, reference: 'demo-customer-0002' } });
      const invalid = await data(updateCustomerDocument, { input: { id, email: 'no address' } });
      expect(taken.updateCustomer).toEqual({
        customer: null,
        userErrors: [{ code: 'ALREADY_EXISTS', field: ['input', 'reference'] }],
      });
      expect(invalid.updateCustomer).toEqual({
        customer: null,
        userErrors: [{ code: 'INVALID', field: ['input', 'email'] }],
      });
    });
  });

  describe('settlement banks', () => {
    it.each([2, 20])('come once each and in order by %i a page', async (first) => {
      const { readAll } = await startFrontend();
      const document = `query ($first: Int, $after: String) { list: settlementBanks(first: $first, after: $after) {
        nodes { name } pageInfo { hasNextPage endCursor }
      } }`;
      const found = await readAll(document, () => first);
      expect(found).toEqual([1, 2, 3, 4, 5, 6, 7].map((number) => ({ name: `Example settlement ${number}` })));
    });

    it('have every field by their identifier, and unknown ones are null', async () => {
      const { data, bankId } = await startFrontend();
      const document = `query ($id: ID!, $unknown: ID!) {
        settlementBank(id: $id) { id ${bankFields} createdAt updatedAt } unknown: settlementBank(id: $unknown) { name }
      }`;
      const id = await bankId(2);
      expect(await data(document, { id, unknown: unknownId })).toEqual({
        settlementBank: {
          id,
          name: 'Example settlement 2',
          accountNumber: '0000000002',
          accountName: 'Demo Merchant',
          bankCode: '902',
          bankSlug: 'example-bank-2',
          createdAt: '2025-01-01T10:00:00.000Z',
          updatedAt: '2025-01-01T10:00:00.000Z',
        },
        unknown: null,
      });
    });

    it('are found by name', async () => {
      const { data } = await startFrontend();
      const { settlementBanks } = await data(
        '{ settlementBanks(search: "settlement 5") { totalCount nodes { name } } }',
      );
      expect(settlementBanks).toEqual({ totalCount: 1, nodes: [{ name: 'Example settlement 5' }] });
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

    it('are refused as INVALID at the field that the service does not take', async () => {
      const { data } = await startFrontend();
      const { createSettlementBank } = await data(createBankDocument, { input: { ...newBank, name: '' } });
      expect(createSettlementBank).toEqual({
        settlementBank: null,
        userErrors: [{ code: 'INVALID', field: ['input', 'name'] }],
      });
    });

    it('change in what is given and in nothing else', async () => {
      const { data, bankId } = await startFrontend();
      const id = await bankId(3);
      const { updateSettlementBank } = await data(updateBankDocument, { input: { id, name: 'Renamed' } });
      const taken = await data(updateBankDocument, {
        input: { id, accountNumber: '0000000001', bankCode: '901' },
      });
      expect(updateSettlementBank).toEqual({
        settlementBank: {
          id,
          name: 'Renamed',
          accountNumber: '0000000003',
          accountName: 'Demo Merchant',
          bankCode: '903',
          bankSlug: 'example-bank-3',
        },
        userErrors: [],
      });
      expect(taken.updateSettlementBank.userErrors).toEqual([
        { code: 'ALREADY_EXISTS', field: ['input', 'accountNumber'] },
      ]);
    });
  });

  describe('a write to a record that there is not', () => {
    it.each([
      ['updateCustomer', updateCustomerDocument, { id: unknownId, lastName: 'Nobody' }],
      ['updateSettlementBank', updateBankDocument, { id: unknownId, name: 'Nothing' }],
      ['createVirtualAccount', openAccountDocument, { customerId: unknownId }],
      ['createOneTimeAccount', openOneTimeDocument, { customerId: unknownId, amount: '5.00' }],
    ])('is NOT_FOUND: %s', async (field, document, input) => {
      const { ask } = await startFrontend();
      const answer = await ask(document, { input });
      expect(codes(answer)).toEqual(['NOT_FOUND']);
      expect(answer.data).toEqual({ [field]: null });
    });
  });

  describe('a caller', () => {
    const both = '{ customers { totalCount } settlementBanks { totalCount } }';

    it.each([
      ['authorization', { svcprivatekey: 'demo-key' }, { customers: { totalCount: 64 }, settlementBanks: null }],
      [
        'svcprivatekey',
        { authorization: 'Bearer demo-token' },
        { customers: null, settlementBanks: { totalCount: 7 } },
      ],
    ])('without %s is UNAUTHENTICATED for what needs it only', async (header, headers, expected) => {
      const { ask } = await startFrontend();
      const answer = await ask(both, {}, headers);
      expect(codes(answer)).toEqual(['UNAUTHENTICATED']);
      expect(String(answer.errors[0]?.extensions['header']).toLowerCase()).toBe(header);
      expect(answer.data).toEqual(expected);
    });

    it('whose credentials nobody knows is UNAUTHENTICATED for reads and writes', async () => {
      const { ask } = await startFrontend();
      const stranger = { authorization: 'Bearer planted-token', svcprivatekey: 'planted-key' };
      const read = await ask(both, {}, stranger);
      const written = await ask(createCustomerDocument, { input: newCustomer }, stranger);
      expect(codes(read)).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
      expect(codes(written)).toEqual(['UNAUTHENTICATED']);
      expect(JSON.stringify([read, written])).not.toContain('planted');
    });

    it('of another merchant reaches none of the records of the first', async () => {
      const { ask, customerId, bankId } = await startFrontend();
      const id = await customerId(1);
      const read = await ask(
        'query ($id: ID!, $bank: ID!) { customer(id: $id) { reference } settlementBank(id: $bank) { name } }',
        { id, bank: await bankId(1) },
        otherMerchant,
      );
      const searched = await ask('{ customers(search: "demo-customer-0001") { totalCount } }', {}, otherMerchant);
      const updated = await ask(updateCustomerDocument, { input: { id, lastName: 'Taken' } }, otherMerchant);
      const opened = await ask(openAccountDocument, { input: { customerId: id } }, otherMerchant);
      expect(read).toMatchObject({ data: { customer: null, settlementBank: null }, errors: [] });
      expect(searched).toMatchObject({ data: { customers: { totalCount: 0 } }, errors: [] });
      expect(codes(updated)).toEqual(['NOT_FOUND']);
      expect(codes(opened)).toEqual(['NOT_FOUND']);
    });

    it('sees only records of its own while another merchant asks at the same time', async () => {
      const { ask } = await startFrontend();
      const document =
        '{ customers(first: 100) { totalCount nodes { reference balance { value { amount } } } } settlementBanks { totalCount } }';
      const answers = await Promise.all(
        [merchant, otherMerchant, merchant, otherMerchant].map((headers) => ask(document, {}, headers)),
      );
      const seen = answers.map(({ data, errors }) => ({
        errors,
        banks: data.settlementBanks.totalCount,
        references: data.customers.nodes.map(({ reference }: { readonly reference: string }) => reference),
      }));
      const own = { errors: [], banks: 7, references: references('', 64) };
      const others = { errors: [], banks: 3, references: references('2-', 12) };
      expect(seen).toEqual([own, others, own, others]);
    });
  });
});

describe('an override file', () => {
  it.each(['one', 'two'])(
    'of dialect %s has no fault, no row that the defaults say already, and decides money',
    (name) => {
      const { overrides, faults } = readFile(name);
      const states = describeContract(createContract(overrides))
        .filter(({ id }) => Object.hasOwn(overrides, id))
        .map(({ state }) => state);
      expect(faults).toEqual([]);
      expect(new Set(states)).toEqual(new Set(['overridden']));
      expect(Object.keys(overrides)).toEqual(expect.arrayContaining(['money.unit', 'money.currency']));
    },
  );

  it.each<readonly [name: string, start: () => Promise<Service>, differences: Readonly<Record<string, unknown>>]>([
    [
      'one',
      startDialectOne,
      { 'account.expiresAt': ['/expires_at', '/expiry_date', '/expiresAt'], 'lists.maxPageSize': 50 },
    ],
    [
      'two',
      startDialectTwo,
      { 'envelope.code': ['/code'], 'errors.statuses': { '41': 401, '44': 404 }, 'lists.maxPageSize': 25 },
    ],
  ])('of dialect %s is what contract check writes, but for what it cannot see', async (name, start, differences) => {
    const service = await start();
    onTestFinished(service.close);
    const { file } = await checkService(service.url, {}, 10_000);
    const { overrides, faults } = parseOverrides(file, 'written.yaml');
    const expected = createContract(readFile(name).overrides);
    const decisions = { 'money.unit': expected['money.unit'], 'money.currency': expected['money.currency'] };
    expect(faults).toEqual([]);
    expect(createContract({ ...overrides, ...decisions })).toEqual({ ...expected, ...differences });
  });
});
