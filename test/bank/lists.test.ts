import { describe, expect, it } from 'vitest';

import { dataAt, rowsOf, useBank } from './client.ts';

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

  it('find nothing by a pattern, a statement or a field that is not searched', async () => {
    for (const search of ['%', '_ustomer', "' OR 1=1 --", 'wal_0001', '+2340000000001']) {
      const reply = await bank.get(`/customers/?search=${encodeURIComponent(search)}`);
      expect(dataAt(reply, 'data'), `for ${search}`).toMatchObject({ total: 0, last_page: 1, data: [] });
    }
  });
});
