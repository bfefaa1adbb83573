import { describe, expect, it } from 'vitest';
import { checkService, contradicted, startService, written, type Route } from '../support/check.ts';
import { pageOf, success } from '../support/upstream.ts';

const customers = Array.from({ length: 12 }, (_, index) => ({ id: `c${index + 1}` }));

describe('a check of how each list is paged', () => {
  const records = (prefix: string) => Array.from({ length: 9 }, (_, index) => ({ id: `${prefix}${index + 1}` }));
  const one: Route = [/\/customers\/c\d+$/, ({ path }) => success({ id: path.split('/').at(-1) })];
  const parametersOf = (path: string) => new URL(path, 'http://service').searchParams;

  it('takes the name of the page size from the answer that reports it, in digits, too', async () => {
    const sized: Route = [
      /\/customers\/\?/,
      ({ path }) => {
        const page = Number(parametersOf(path).get('page') ?? 1);
        const size = Number(parametersOf(path).get('perPage') ?? 5);
        const data = records('c').slice((page - 1) * size, page * size);
        return { json: { success: true, data, meta: { total: 9, page, perPage: String(size) } } };
      },
    ];
    const service = await startService(one, sized);
    const rows = written(await checkService(service.url));
    expect(rows).toMatchObject({ 'lists.perPage': 'perPage', 'lists.pageSize': ['/meta/perPage'] });
    expect(rows).not.toHaveProperty('lists.maxPageSize');
  });

  it('rules out by one call that a list keeps a page size under any usual name', async () => {
    const whole: Route = [/virtual-accounts/, () => success([{ id: 'a1' }, { id: 'a2' }, { id: 'a3' }])];
    const service = await startService([/customers\/\?/, ({ path }) => pageOf(customers, path)], one, whole);
    const result = await checkService(service.url);
    expect(result.file).toMatch(
      /^ {2}# listCustomerVirtualAccounts\.pageStyle: .*none, if one answer is the whole list/m,
    );
    const calls = service.requests.filter(({ method, path }) => method === 'GET' && path.includes('virtual-accounts'));
    expect(calls.length).toBeLessThanOrEqual(4);
  });

  it('tries a filter in brackets where the links of the first page have brackets, whatever the last page says', async () => {
    const brackets: Route = [
      /customers\?/,
      ({ path }) => {
        const [limit, offset] = ['page[limit]', 'page[offset]'].map((name) => parametersOf(path).get(name));
        const all = records('c').filter(() => !parametersOf(path).has('filter[q]'));
        const end = Number(offset ?? 0) + Number(limit ?? 5);
        const next = end < all.length ? `/customers?page%5Boffset%5D=${end}` : null;
        return { json: { data: all.slice(Number(offset ?? 0), end), links: { next } } };
      },
    ];
    const service = await startService(brackets, one);
    expect(written(await checkService(service.url))).toMatchObject({
      'listCustomers.pageStyle': 'offset',
      'listCustomers.search': 'filter[q]',
    });
  });

  it('gives a list that follows links rows of its own, beside others that follow the id of the last record', async () => {
    const cut = (all: readonly { readonly id: string }[], start: number, path: string) => {
      const end = start + Number(parametersOf(path).get('limit') ?? 5);
      return { page: all.slice(start, end), end, isLast: end >= all.length };
    };
    const flagged = (target: RegExp, prefix: string): Route => [
      target,
      ({ path }) => {
        const after = parametersOf(path).get('starting_after');
        const start = records(prefix).findIndex(({ id }) => id === after) + 1;
        const { page, isLast } = cut(records(prefix), start, path);
        return { json: { data: page, has_more: !isLast } };
      },
    ];
    const linked: Route = [
      /settlement-banks\/\?/,
      ({ path }) => {
        const { page, end, isLast } = cut(records('b'), Number(parametersOf(path).get('cursor') ?? 0), path);
        return { json: { items: page, paging: { next: isLast ? null : `/banks?cursor=${end}` } } };
      },
    ];
    const service = await startService(flagged(/customers\/\?/, 'c'), one, flagged(/transactions\?/, 't'), linked);
    const rows = written(await checkService(service.url));
    expect(rows).toMatchObject({
      'lists.hasMore': ['/has_more'],
      'lists.cursor': 'starting_after',
      'listCustomerTransactions.pageStyle': 'cursor',
      'listSettlementBanks.pageStyle': 'cursor',
      'listSettlementBanks.cursor': 'cursor',
      'listSettlementBanks.nextLink': ['/paging/next'],
      'listSettlementBanks.hasMore': [],
    });
    const second = contradicted(await checkService(service.url, rows));
    expect(second.filter((id) => /^list.*\.(?!path)/.test(id))).toEqual([]);
  });
});
