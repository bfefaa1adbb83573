import { describe, expect, it } from 'vitest';
import { parametersOf } from '../support/upstream/paging.ts';
import { success, type Reply } from '../support/upstream/upstream.ts';
import {
  byOffset,
  byPage,
  byRecord,
  checkRoutes,
  contradicted,
  customerPages,
  customers,
  list,
  pages,
  singleCustomer,
  written,
  type Route,
} from './service.ts';

type Customers = readonly { readonly id: string }[];

const many = Array.from({ length: 45 }, (_, index) => ({ id: `c${index + 1}` }));
const target = /customers\/(?:\?|$)/;
const bare = (data: Customers) => ({ data });
const withTotal = (data: Customers) => ({ data, total: many.length });
const withToken = (name: string) => (data: Customers, end: number) => ({
  data,
  meta: end < many.length ? { [name]: `t${end}` } : {},
});
const withFlag = (data: Customers, end: number) => ({ data, has_more: end < many.length });

const styles: readonly [name: string, route: Route, rows: object][] = [
  [
    'by numbers under other names',
    list(target, many, byPage('pageNumber'), 'pageSize', (items, end, size) => ({
      items,
      pageNumber: end / size,
      pageSize: size,
      totalCount: 45,
    })),
    { 'lists.records': ['/items'], 'lists.page': 'pageNumber', 'lists.perPage': 'pageSize' },
  ],
  [
    'by numbers from 0',
    list(target, many, byPage('page', 0), 'size', withTotal),
    { 'lists.firstPage': 0, 'lists.perPage': 'size' },
  ],
  ['by offset', list(target, many, byOffset('offset'), 'limit', withTotal), { 'listCustomers.pageStyle': 'offset' }],
  [
    'by a token',
    list(target, many, byOffset('cursor'), 'limit', withToken('next_cursor')),
    { 'listCustomers.pageStyle': 'cursor' },
  ],
  [
    'by a token under another name',
    list(target, many, byOffset('after'), 'limit', withToken('next')),
    { 'listCustomers.pageStyle': 'cursor', 'lists.nextCursor': ['/meta/next'], 'lists.cursor': 'after' },
  ],
  [
    'by the last record',
    list(target, many, byRecord('starting_after'), 'limit', withFlag),
    { 'listCustomers.pageStyle': 'cursor', 'lists.cursor': 'starting_after', 'lists.cursorFrom': 'lastRecord' },
  ],
  [
    'in pages of their own size',
    list(target, many, byPage('page'), 'none', withTotal, 20),
    { 'lists.perPage': null, 'lists.maxPageSize': 20 },
  ],
  [
    'in pages of a token and their own size',
    list(target, many, byOffset('cursor'), 'none', withToken('next_cursor'), 20),
    { 'listCustomers.pageStyle': 'cursor', 'lists.maxPageSize': 20 },
  ],
  [
    'beside their total in a pair',
    list(target, many, byPage('page'), 'per_page', (data) => [data, many.length]),
    { 'lists.records': ['/0'], 'lists.total': ['/1'] },
  ],
  [
    'by a token beside a flag, both under other names',
    list(target, many, byOffset('cursor'), 'limit', (data, end) => ({
      data,
      meta: { more: end < many.length, cursor: end < many.length ? `t${end}` : null },
    })),
    { 'listCustomers.pageStyle': 'cursor', 'lists.nextCursor': ['/meta/cursor'] },
  ],
  [
    'that headers describe',
    [target, ({ path }) => described(path)],
    { 'lists.total': ['header:x-total-count'], 'lists.nextLink': ['header:link'] },
  ],
  ['in pages of at most 10', [target, ({ path }) => ({ json: capped(path) })], { 'lists.maxPageSize': 10 }],
];

function described(path: string): Reply {
  const [page, size] = ['page', 'per_page'].map((name) => Number(parametersOf(path).get(name))) as [number, number];
  const rest = page > 0 ? many.slice((page - 1) * size) : [];
  const links = `${rest.length > size ? `</customers?page=${page + 1}>; rel="next", ` : ''}</customers>; rel="first"`;
  return { json: rest.slice(0, size), headers: { link: links, 'x-total-count': String(many.length) } };
}

function capped(path: string) {
  const size = Math.min(Number(parametersOf(path).get('per_page')), 10);
  const begin = (Number(parametersOf(path).get('page')) - 1) * size;
  return { data: many.slice(begin, begin + size), total: many.length };
}

describe('a check of how a list is paged', () => {
  it.each(styles)('finds pages %s, and contradicts no row of it in a second check', async (_, route, rows) => {
    const result = await checkRoutes([route, singleCustomer]);
    expect(Object.fromEntries(Object.entries(written(result)).filter(([id]) => id.startsWith('list')))).toEqual(rows);
    const second = contradicted(await result.again());
    expect(second.filter((id) => /^list.*\.(?!path)/.test(id))).toEqual([]);
    expect(result.calls.length).toBeLessThanOrEqual(30);
  });

  it('leaves a list whose every page is the same to a person, and asks again as long as it is undecided', async () => {
    const result = await checkRoutes([[target, () => success(many)], singleCustomer]);
    expect(result.file).toMatch(/^ {2}listCustomers\.pageStyle: undecided # to decide: none, if one answer/m);
    const second = await result.again();
    expect([contradicted(second).filter((id) => id.endsWith('pageStyle')), written(second)]).toEqual([
      [],
      written(result),
    ]);
  });

  it('offers no whole list where a page of the size asked for came', async () => {
    const { file } = await checkRoutes([list(target, many, byOffset('seek'), 'limit', bare), singleCustomer]);
    expect(file).toMatch(/^ {2}listCustomers\.pageStyle: undecided # to decide: see lists\.page/m);
  });

  it('confirms a whole list that says so, and one that the file calls whole', async () => {
    const whole: Route = [target, () => ({ json: withTotal(many) })];
    expect(written(await checkRoutes([whole, singleCustomer]))).not.toHaveProperty(['listCustomers.pageStyle']);
    const stated = await checkRoutes([[target, () => success(many)], singleCustomer], {
      'listCustomers.pageStyle': 'none',
    });
    expect(contradicted(stated)).not.toContain('listCustomers.pageStyle');
  });

  it('keeps a right cursor of the file, and offers no whole list while more records follow', async () => {
    const route = list(target, many, byOffset('marker'), 'limit', withToken('next_cursor'));
    const rows = { 'listCustomers.pageStyle': 'cursor', 'lists.cursor': 'marker' };
    const { file } = await checkRoutes([route, singleCustomer], rows);
    expect(file).not.toMatch(/pageStyle: undecided|none/);
  });

  it('gives a list that is paged otherwise rows of its own', async () => {
    const entries = many.map(({ id }) => ({ id: `t${id}`, amount: '1.00' }));
    const other = list(/transactions/, entries, byPage('pageNumber'), 'limit', (records) => ({
      entries: records,
      total: 45,
    }));
    const result = written(await checkRoutes([other, customerPages, singleCustomer]));
    expect(result).toMatchObject({
      'listCustomerTransactions.page': 'pageNumber',
      'listCustomerTransactions.perPage': 'limit',
    });
    expect(Object.keys(result).filter((id) => id.startsWith('lists.'))).toEqual([]);
  });

  it('leaves the style of a list that is too short to show it to a person, where the others have another one', async () => {
    const paged = list(target, many, byOffset('offset'), 'limit', withTotal);
    const few = pages(/virtual-accounts/, [{ id: 'a1' }]);
    const { file } = await checkRoutes([few, paged, singleCustomer]);
    expect(file).toMatch(/^ {2}listCustomerVirtualAccounts\.pageStyle: undecided # to decide: offset, perhaps/m);
  });

  it('reads a list without parameters where they are refused', async () => {
    const strict = (reply: Route): Route => [
      reply[0],
      (request): Reply => {
        const names = [...parametersOf(request.path).keys()];
        return names.every((name) => /^(?:starting_after|limit)$/.test(name))
          ? reply[1](request)
          : { status: 400, json: { message: 'unknown' } };
      },
    ];
    const route = strict(list(target, many, byRecord('starting_after'), 'limit', withFlag));
    expect(written(await checkRoutes([route, singleCustomer]))).toMatchObject({ 'lists.cursor': 'starting_after' });
  });

  it('shows no page of a list of few records, and names no row of it', async () => {
    const route = list(target, customers.slice(0, 2), byPage('page'), 'per_page', bare);
    expect(
      contradicted(await checkRoutes([route, singleCustomer])).filter((id) => /^lists|pageStyle/.test(id)),
    ).toEqual([]);
  });
});
