import { describe, expect, it } from 'vitest';

import { dataAt, first, newCustomer, newSettlementBank, rowsOf, second, totalOf, useBank } from './client.ts';

const bank = useBank();
const ids = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `cus_${String(from + index).padStart(4, '0')}`);

describe('lists of the embedded bank', () => {
  it('give the first twenty records in order of creation by default', async () => {
    const reply = await bank.get('/customers/');
    expect(reply.body).toMatchObject({
      success: true,
      data: { current_page: 1, last_page: 4, per_page: 20, total: 64 },
    });
    expect(rowsOf(reply).map(({ id }) => id)).toEqual(ids(1, 20));
  });

  it('give any page of any size, the last one cut short', async () => {
    const reply = await bank.get('/customers/?page=5&per_page=15');
    expect(dataAt(reply, 'data')).toMatchObject({ current_page: 5, last_page: 5, per_page: 15, total: 64 });
    expect(rowsOf(reply).map(({ id }) => id)).toEqual(ids(61, 64));
  });

  it('are empty past their end', async () => {
    const replies = await Promise.all([
      bank.get('/customers/?page=5'),
      bank.get('/customers/cus_0001/transactions?page=999999999999999&per_page=100'),
    ]);
    expect(replies.map((reply) => [reply.status, rowsOf(reply).length])).toEqual([
      [200, 0],
      [200, 0],
    ]);
    expect(dataAt(replies[0], 'data')).toMatchObject({ current_page: 5, last_page: 4, total: 64 });
  });

  it('cap a page at one hundred records and report that size', async () => {
    const reply = await bank.get('/customers/cus_0001/transactions?per_page=1000');
    expect(dataAt(reply, 'data')).toMatchObject({ per_page: 100, last_page: 2, total: 130 });
    expect(rowsOf(reply)).toHaveLength(100);
  });

  it('refuse a page or a size that is no number from 1', async () => {
    for (const query of ['page=0', 'page=-1', 'page=', 'page=1.5', 'per_page=0', 'per_page=x', 'page=1&page=2']) {
      const lists = ['/customers/', '/settlement-banks/', '/customers/cus_0001/transactions'];
      const replies = await Promise.all(lists.map((path) => bank.get(`${path}?${query}`)));
      const errors = { [query.slice(0, query.indexOf('='))]: [expect.any(String)] };
      expect(replies, `for ${query}`).toMatchObject(lists.map(() => ({ status: 422, body: { errors } })));
    }
  });

  it('find records by what their names, references and addresses hold', async () => {
    await bank.post('/customers/', newCustomer);
    await bank.post('/settlement-banks/', newSettlementBank);
    const find = async (list: string, search: string) =>
      dataAt(await bank.get(`/${list}/?search=${encodeURIComponent(search)}`), 'data');
    for (const search of ['ngozi', 'ọLÁ', 'Ngozi Ọlá', 'REFERENCE-1', 'ngozi@EXAMPLE'])
      expect(await find('customers', search), `for ${search}`).toMatchObject({
        total: 1,
        data: [{ reference: 'test-reference-1' }],
      });
    for (const search of ['test SETTLEMENT', 'test merchant', '0123456789'])
      expect(await find('settlement-banks', search), `for ${search}`).toMatchObject({
        total: 1,
        data: [newSettlementBank],
      });
    for (const search of ['%', '_ustomer', "' OR 1=1 --", 'wal_0001', '+2340000000001'])
      expect(await find('customers', search), `for ${search}`).toMatchObject({ total: 0, last_page: 1, data: [] });
  });
});

describe('seed data of the embedded bank', () => {
  it('has the sizes that demonstrations and tests count on', async () => {
    const total = async (path: string, headers: Readonly<Record<string, string>>) =>
      totalOf(await bank.get(path, headers));
    expect(await total('/customers/', first)).toBe(64);
    expect(await total('/settlement-banks/', first)).toBe(7);
    expect(await total('/customers/cus_0001/transactions', first)).toBe(130);
    expect(await total('/customers/cus_0001/virtual-accounts', first)).toBe(2);
    expect(await total('/customers/', second)).toBe(12);
    expect(await total('/settlement-banks/', second)).toBe(3);
  });

  it('gives every other customer 3 to 25 transactions and one account', async () => {
    const others = await Promise.all(
      ids(2, 64).map(async (id) => [
        totalOf(await bank.get(`/customers/${id}/transactions`)),
        totalOf(await bank.get(`/customers/${id}/virtual-accounts`)),
      ]),
    );
    const counts = others.map(([transactions = 0]) => transactions);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(3);
    expect(Math.max(...counts)).toBeLessThanOrEqual(25);
    expect(new Set(others.map(([, accounts]) => accounts))).toEqual(new Set([1]));
  });

  it('is plainly invented, and shares no identifier between the merchants', async () => {
    const rows = await Promise.all(
      [first, second].map(async (headers) => rowsOf(await bank.get('/customers/?per_page=100', headers))),
    );
    const customers = rows.flat();
    expect(customers.filter(({ email }) => !email?.endsWith('@example.com'))).toEqual([]);
    expect(customers.filter(({ phone = '' }) => !/^\+2340000000\d{3}$/.test(phone))).toEqual([]);
    expect(new Set(customers.map(({ id }) => id)).size).toBe(76);
  });
});
