import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { embeddedContract } from '../../../src/bank/contract.ts';
import { customerInput, settlementBankInput } from '../../../src/bank/validate.ts';
import { createContract } from '../../../src/contract/contract.ts';
import { codes, query, startScripted } from '../../support/gateway.ts';
import { parametersOf, walkToError } from '../../support/upstream/paging.ts';
import { success, type Reply, type SeenRequest } from '../../support/upstream/upstream.ts';

type Rows = Readonly<Record<string, unknown>>;

/** The answer to one document under these rows, and what the service was asked. */
async function ask(document: string, contract: Rows, answer: (request: SeenRequest) => Reply) {
  const { gateway, upstream } = await startScripted(answer, { contract });
  return { ...(await query(gateway, document)), requests: upstream.requests };
}

const records = Array.from({ length: 25 }, (_, index) => ({ id: `c${index}` }));

/** Every customer of a list, window by window, or the row that it contradicts. */
async function readAll(contract: Rows, answer: (request: SeenRequest) => Reply) {
  const { gateway, upstream } = await startScripted(answer, { contract });
  const { ids, errors } = await walkToError(gateway, 10);
  return errors[0]?.extensions['row'] ?? { ids, paths: upstream.requests.map(({ path }) => path) };
}

const allIds = records.map(({ id }) => id);

describe('rows for lists', () => {
  it.each<[what: string, meta: (page: number) => object, rows: Rows]>([
    ['says its numbers', (page) => ({ current_page: page, last_page: 3 }), {}],
    ['counts its last page so too', (page) => ({ current_page: page, last_page: 2 }), { 'lists.lastPage': [] }],
    ['says only that', () => ({ last_page: 2 }), { 'lists.lastPage': [] }],
    ['says nothing', () => ({}), {}],
  ])('read pages that are counted from 0 by a service that %s', async (_, meta, rows) => {
    const answer = (request: SeenRequest): Reply => {
      const page = Number(parametersOf(request.path).get('page'));
      return success({ data: records.slice(page * 10, page * 10 + 10), ...meta(page) });
    };
    expect(await readAll({ 'lists.firstPage': 0, ...rows }, answer)).toMatchObject({ ids: allIds });
  });

  const afterId = (request: SeenRequest): readonly { readonly id: string }[] => {
    const after = parametersOf(request.path).get('starting_after');
    return records.slice(records.findIndex(({ id }) => id === after) + 1).slice(0, 10);
  };

  it('follow a next link by its parameter, never by its address', async () => {
    const answer = (request: SeenRequest): Reply => {
      const page = afterId(request);
      const last = page.at(-1)?.id;
      const next = last === 'c24' ? null : `https://elsewhere.example/steal?starting_after=${last}&limit=10`;
      return { json: { success: true, data: page, links: { next } } };
    };
    const rows = { 'lists.cursor': 'starting_after', 'lists.nextLink': ['/links/next'] };
    const result = await readAll({ 'listCustomers.pageStyle': 'cursor', ...rows }, answer);
    expect(result).toMatchObject({ ids: allIds });
    expect(JSON.stringify(result)).not.toContain('steal');
  });

  it('leave a list undecided of which nobody has said how it is paged, without a call', async () => {
    const contract = { 'listCustomers.pageStyle': 'undecided' };
    const { errors, requests } = await ask('{ customers { nodes { id } } }', contract, () => success([{ id: 'c1' }]));
    expect(errors).toMatchObject([
      { extensions: { code: 'CONTRACT_UNDECIDED', operation: 'listCustomers', row: 'listCustomers.pageStyle' } },
    ]);
    expect(requests).toEqual([]);
  });

  it('hold for one list where it has its own', async () => {
    const contract = { 'lists.page': 'p', 'listCustomers.page': 'q', 'listCustomers.records': ['/data/customers'] };
    const { data, requests } = await ask(
      '{ customers { nodes { id } } settlementBanks { nodes { id } } }',
      contract,
      ({ path }) => (path.includes('customers') ? success({ customers: [{ id: 'c1' }] }) : success([{ id: 'b1' }])),
    );
    expect(data).toEqual({ customers: { nodes: [{ id: 'c1' }] }, settlementBanks: { nodes: [{ id: 'b1' }] } });
    expect(new Set(requests.map((request) => [...parametersOf(request.path).keys()][0]))).toEqual(new Set(['p', 'q']));
  });
});

describe('rows for values', () => {
  const customer = (fields: object) => () => success({ id: 'c1', ...fields });

  it.each<readonly [unknown, string, string | null]>([
    [1_767_225_600, 'seconds', '2026-01-01T00:00:00.000Z'],
    [1_767_225_600_500, 'milliseconds', '2026-01-01T00:00:00.500Z'],
    ['1767225600', 'seconds', '2026-01-01T00:00:00.000Z'],
    [1_078_000_000.001, 'seconds', '2004-02-28T20:26:40.001Z'],
    ['1767225600.999999999', 'seconds', '2026-01-01T00:00:00.999Z'],
    [-1.5, 'seconds', '1969-12-31T23:59:58.500Z'],
    [-1.5, 'milliseconds', '1969-12-31T23:59:59.998Z'],
    ['1767225600', 'refused', null],
    ['2026-01-01T01:00:00+0100', 'seconds', '2026-01-01T00:00:00.000Z'],
    [1_767_225_600, 'refused', null],
    [253_402_300_799_999, 'milliseconds', '9999-12-31T23:59:59.999Z'],
    [-62_135_596_800, 'seconds', '0001-01-01T00:00:00.000Z'],
    [1e18, 'seconds', null],
  ])('read the time %s under %s as %s', async (created_at, numbers, expected) => {
    const answer = await ask(
      '{ customer(id: "c1") { createdAt } }',
      { 'times.numbers': numbers },
      customer({ created_at }),
    );
    expect(answer.data.customer.createdAt).toBe(expected);
    expect(codes(answer)).toEqual(expected === null ? ['UPSTREAM_INVALID_RESPONSE'] : []);
  });

  it.each<readonly [string, string, string | null]>([
    ['31/12/1990', 'DD/MM/YYYY', '1990-12-31'],
    ['31-12-1990', 'DD-MM-YYYY', '1990-12-31'],
    ['12/31/1990', 'MM/DD/YYYY', '1990-12-31'],
    ['1990-12-31', 'DD-MM-YYYY', '1990-12-31'],
    ['1990-12-31T00:00:00.000Z', 'YYYY-MM-DD', '1990-12-31'],
    ['1990-12-31 00:00:00+00:00', 'YYYY-MM-DD', '1990-12-31'],
    ['1990-12-30T23:00:00.000Z', 'YYYY-MM-DD', null],
    ['31/12/1990', 'MM/DD/YYYY', null],
    ['31/12/1990', 'YYYY-MM-DD', null],
    ['31/12/19900', 'DD/MM/YYYY', null],
  ])('read the date %s under %s as %s, and an empty text as no time', async (dob, form, expected) => {
    const document = '{ customer(id: "c1") { dateOfBirth createdAt } }';
    const answer = await ask(document, { 'dates.form': form }, customer({ dob, created_at: '' }));
    expect(answer.data.customer).toEqual({ dateOfBirth: expected, createdAt: null });
    expect(codes(answer)).toEqual(expected === null ? ['UPSTREAM_INVALID_RESPONSE'] : []);
  });

  it.each<readonly [object, Rows, string]>([
    [{ type: 'transfer', direction: 'Debit' }, {}, 'DEBIT'],
    [{ type: 'transfer', direction: 'C' }, { 'transaction.creditWords': ['c'] }, 'CREDIT'],
    [{ type: 'transfer', direction: true }, { 'transaction.creditWords': ['true'] }, 'CREDIT'],
    [{ type: 'credit', direction: null }, {}, 'CREDIT'],
    [{ type: 'credit', direction: '' }, {}, 'CREDIT'],
    [{ type: 'Payment received' }, { 'transaction.creditWords': ['payment received'] }, 'CREDIT'],
    [{ type: 'payment received' }, { 'transaction.creditWords': ['payment'] }, 'UNKNOWN'],
    [{ type: 'credit' }, { 'transaction.direction': [] }, 'CREDIT'],
  ])('read the direction of %j beside its type', async (fields, rows, direction) => {
    const { data } = await ask(
      '{ customer(id: "c1") { transactions { nodes { type direction } } } }',
      { 'transaction.direction': ['/direction'], ...rows },
      ({ path }) => success(path.includes('/transactions') ? [{ id: 't1', amount: '1.00', ...fields }] : { id: 'c1' }),
    );
    expect(data.customer.transactions.nodes).toEqual([{ type: Reflect.get(fields, 'type'), direction }]);
  });

  const usd = { cur: 'USD', v: '1.00' };
  const ngn = { cur: 'NGN', v: '2.00', main: true };

  it.each<readonly [unknown, string, string | null]>([
    [[usd, ngn], '/[cur=NGN]/v', '2.00'],
    [[{ ...usd, main: false }, ngn], '/[main=true]/v', '2.00'],
    ['2.00', '', '2.00'],
    [{ balance: '2.00' }, '', null],
  ])('read a balance that is %j by %j as %j', async (body, pointer, amount) => {
    const rows = { 'balance.value': [pointer], 'envelope.success': [] };
    const { data, errors } = await ask('{ customer(id: "c1") { balance { value { amount } } } }', rows, ({ path }) =>
      path.includes('/balance') ? { json: body } : success({ id: 'c1' }),
    );
    expect(data.customer.balance?.value.amount ?? null).toBe(amount);
    expect(errors.map(({ extensions }) => extensions['row'])).toEqual(amount === null ? ['balance.value'] : []);
  });

  it.each<readonly [unknown, Rows, string | null]>([
    [true, { 'status.words': { true: 'ACTIVE', false: 'BLOCKED' } }, 'ACTIVE'],
    [0, { 'status.words': { 0: 'BLOCKED' } }, 'BLOCKED'],
    ['A', { 'status.words': { A: 'ACTIVE' } }, 'ACTIVE'],
    ['other', { 'status.words': { A: 'ACTIVE' } }, 'other'],
    [true, {}, null],
    [{ code: 'A' }, { 'status.words': { '': 'NONE', A: 'ACTIVE' } }, null],
    [1, { 'status.words': { 1: 'DONE' }, 'customer.status.words': { 1: 'ACTIVE' } }, 'ACTIVE'],
    [1, { 'status.words': { 1: 'DONE' }, 'account.status.words': { 1: 'ACTIVE' } }, 'DONE'],
  ])('read the status %s as its word', async (status, rows, expected) => {
    const answer = await ask('{ customer(id: "c1") { status } }', rows, customer({ status }));
    expect(answer.data.customer.status).toBe(expected);
  });

  it('give account numbers sent as JSON numbers their zeros back, and read no other number as one', async () => {
    const rows = { 'accountNumber.digits': 10, 'bankCode.digits': 3 };
    const read = async (account_no: number) =>
      await ask('{ settlementBank(id: "b1") { accountNumber bankCode } }', rows, () =>
        success({ id: 'b1', account_no, bank_code: 44 }),
      );
    expect((await read(123_456_789)).data.settlementBank).toEqual({ accountNumber: '0123456789', bankCode: '044' });
    for (const number of [12_345.5, -5, 1e21]) {
      expect((await read(number)).data.settlementBank).toEqual({ accountNumber: null, bankCode: '044' });
    }
  });

  it.each([
    [12_345, '123.45', []],
    [0.5, undefined, ['/data/wallet/balance']],
  ])('read the embedded balance %d in a unit of its own, or name its place', async (balance, amount, places) => {
    const rows = { 'customer.balance': ['/wallet'], 'customer.balance.unit': 'minor' };
    const document = '{ customer(id: "c1") { balance { value { amount } } } }';
    const { data, errors } = await ask(document, rows, customer({ wallet: { balance } }));
    expect(data.customer.balance?.value.amount).toBe(amount);
    expect(errors.map(({ extensions }) => extensions['jsonPath'])).toEqual(places);
  });
});

describe('rows of the embedded bank', () => {
  it.each([
    ['createCustomer', customerInput],
    ['storeSettlementBank', settlementBankInput],
  ] as const)('require of %s what the bank itself does', (name, { shape }) => {
    const contract = createContract(embeddedContract);
    const required = contract[`${name}.required`].map((field) => contract[`${name}.body`][field]);
    const strict = Object.entries<z.ZodType>(shape).filter(([, schema]) => !schema.safeParse(undefined).success);
    expect(new Set(required)).toEqual(new Set(strict.map(([wireName]) => wireName)));
  });
});

describe('rows for request bodies', () => {
  it('put the fields under one name, and an amount as a number with all its digits', async () => {
    const rows = {
      'createCustomerOneTimeAccount.wrapper': 'account',
      'createCustomerOneTimeAccount.amountAs': 'number',
    };
    const { requests } = await ask(
      'mutation { createOneTimeAccount(input: { customerId: "c1", amount: "500.10" }) { oneTimeAccount { id } } }',
      rows,
      () => success({ id: 'a1' }, 201),
    );
    expect(requests.map(({ body }) => body)).toEqual(['{"account":{"amount":500.10}}']);
  });
});

it.each(['errors.fields', 'errors.message', 'envelope.failure', 'envelope.failureKeys'])(
  'a pointer of %s that is one of the data stops the start, with both rows',
  (row) => {
    const fault = `${row}: allowed: pointers that envelope.data does not have, unlike "/result"`;
    expect(() => createContract({ 'envelope.data': ['/data', '/result'], [row]: ['/error', '/result'] })).toThrow(
      fault,
    );
  },
);
