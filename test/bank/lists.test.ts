import { describe, expect, it } from 'vitest';

import { dataAt, first, newCustomer, newSettlementBank, rowsOf, second, totalOf, useBank } from './client.ts';

const bank = useBank();
const ids = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `cus_${String(from + index).padStart(4, '0')}`);

describe('lists of the embedded bank', () => {
  it.each([
    ['', ids(1, 20), { current_page: 1, last_page: 4, per_page: 20 }],
    ['?page=5&per_page=15', ids(61, 64), { current_page: 5, last_page: 5, per_page: 15 }],
    ['?per_page=1000', ids(1, 64), { current_page: 1, last_page: 1, per_page: 100 }],
    ['?page=5', [], { current_page: 5, last_page: 4, per_page: 20 }],
  ])(
    'give any page in order of creation, of at most 100 records, and none past their end: %j',
    async (query, found, page) => {
      const reply = await bank.get(`/customers/${query}`);
      expect(reply.body).toMatchObject({ success: true, data: { ...page, total: 64 } });
      expect(rowsOf(reply).map(({ id }) => id)).toEqual(found);
    },
  );

  it('refuse a page or a size that is no number from 1', async () => {
    for (const query of ['page=0', 'page=1.5', 'per_page=0', 'per_page=x', 'page=1&page=2']) {
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
});
