import { describe, expect, it, onTestFinished } from 'vitest';
import { createProber } from '../../src/commands/contract-check/prober.ts';
import { createContract } from '../../src/contract/contract.ts';
import { createHttpClient } from '../../src/upstream/wire/http-client.ts';
import {
  byOffset,
  byPage,
  byRecord,
  checkRoutes,
  contradicted,
  customerPages,
  customers,
  findingOf,
  list,
  singleCustomer as one,
  startService,
  written,
  type Route,
} from '../support/check.ts';
import { parametersOf } from '../support/paging.ts';
import { pageOf, success, type Reply } from '../support/upstream.ts';

const records = (prefix: string) => Array.from({ length: 9 }, (_, index) => ({ id: `${prefix}${index + 1}` }));
const countIn = (path: string, name: string, missing: number) => Number(parametersOf(path).get(name) ?? missing);

const withTotal = (data: readonly object[]) => ({ data, meta: { total: 9 } });

it('makes at most 60 calls', async () => {
  const service = await startService();
  const client = createHttpClient({ baseUrl: new URL(service.url), connections: 1 });
  onTestFinished(client.close);
  const options = { client, credentials: { bearer: undefined, privateKey: undefined }, timeoutMs: 5_000 };
  const { probe } = createProber({ ...options, onCall: () => {} }, () => createContract({}));
  const statuses: unknown[] = [];
  for (let call = 0; call < 62; call += 1) {
    const { status, missing } = await probe({ operation: 'listCustomers', path: '/customers/', credentials: [] });
    statuses.push(missing ?? status);
  }
  expect(statuses.slice(58)).toEqual([404, 404, ...Array(2).fill('the 60 calls were used up')]);
  expect(service.requests).toHaveLength(60);
});

describe('a check of how each list is paged', () => {
  it('takes the name of the page size from the answer that reports it, in digits, too', async () => {
    const sized = list(/customers\/\?/, records('c'), byPage('page'), 'perPage', (data, end, size) => {
      return { success: true, data, meta: { total: 9, page: end / size, perPage: String(size) } };
    });
    const rows = written(await checkRoutes([one, sized]));
    expect(rows).toMatchObject({ 'lists.perPage': 'perPage' });
    expect(rows).not.toHaveProperty('lists.maxPageSize');
  });

  const open = { 'listCustomers.pageStyle': 'undecided', 'listCustomerTransactions.pageStyle': 'undecided' };
  it.each([
    ['without a contract', {}, 'undecided'],
    ['from rows that leave it open, also for a list with too few records', open, 'cursor'],
  ])('finds the token of a small page where the first answer was the whole list: %s', async (_, rows, ofFew) => {
    const paged = (all: readonly object[], path: string): Reply => {
      const [start, size] = [countIn(path, 'cursor', 0), countIn(path, 'limit', 100)];
      const next = start + size < all.length ? { cursor: String(start + size) } : {};
      return { json: { data: all.slice(start, start + size), ...next } };
    };
    const ofMany: Route = [/customers\/(?:\?|$)/, ({ path }) => paged(customers, path)];
    const ofTwo: Route = [/transactions/, ({ path }) => paged(records('t').slice(0, 2), path)];
    expect(written(await checkRoutes([ofMany, ofTwo, one], rows))).toMatchObject({
      'listCustomers.pageStyle': 'cursor',
      'listCustomerTransactions.pageStyle': ofFew,
      'lists.nextCursor': ['/cursor'],
    });
  });

  it('rules out by one call that a list keeps a page size under any usual name', async () => {
    const whole: Route = [/virtual-accounts/, () => success([{ id: 'a1' }, { id: 'a2' }, { id: 'a3' }])];
    const result = await checkRoutes([customerPages, one, whole]);
    expect(result.file).toMatch(
      /^ {2}listCustomerVirtualAccounts\.pageStyle: undecided # to decide: .*none, if one answer is the whole list/m,
    );
    const calls = result.requests.filter(({ method, path }) => method === 'GET' && path.includes('virtual-accounts'));
    expect(calls.length).toBeLessThanOrEqual(4);
  });

  it('finds pages that are asked for by their index', async () => {
    const target = /customers\/(?:\?|$)/;
    const indexed = list(target, records('c'), byPage('pageIndex', 0), 'pageSize', withTotal);
    expect(written(await checkRoutes([indexed, one]))).toMatchObject({
      'lists.page': 'pageIndex',
      'lists.perPage': 'pageSize',
      'lists.firstPage': 0,
    });
  });

  it.each([
    ['a next link', { link: '<http://service/api/v1/customers?pg=2>; rel="next", <http://service/x>; rel="first"' }],
    ['a total', { 'x-total-count': '9' }],
  ])('offers no list as whole where a header of its page has %s', async (_, headers) => {
    const capped: Route = [/customers\/(?:\?|$)/, () => ({ json: { data: records('c').slice(0, 5) }, headers })];
    const result = await checkRoutes([capped, one]);
    expect(result.printed).toMatch(/^listCustomers\.pageStyle .*seen: more follows, and no parameter was found/m);
    expect(result.file).toMatch(/^ {2}listCustomers\.pageStyle: undecided # to decide: page, offset or cursor/m);
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
    expect(written(await checkRoutes([brackets, one]))).toMatchObject({
      'listCustomers.pageStyle': 'offset',
      'listCustomers.search': 'filter[q]',
    });
  });

  it('gives a list that follows links rows of its own, beside others that follow the id of the last record', async () => {
    const flagged = (target: RegExp, prefix: string) =>
      list(target, records(prefix), byRecord('starting_after'), 'limit', (data, end) => ({ data, has_more: end < 9 }));
    const linked = list(/settlement-banks\/\?/, records('b'), byOffset('cursor'), 'limit', (items, end) => {
      return { items, paging: { next: end < 9 ? `/banks?cursor=${end}` : null } };
    });
    const result = await checkRoutes([flagged(/customers\/\?/, 'c'), one, flagged(/transactions\?/, 't'), linked]);
    expect(written(result)).toMatchObject({
      'lists.cursorFrom': 'lastRecord',
      'lists.cursor': 'starting_after',
      'listCustomerTransactions.pageStyle': 'cursor',
      'listSettlementBanks.pageStyle': 'cursor',
      'listSettlementBanks.cursor': 'cursor',
      'listSettlementBanks.cursorFrom': 'answer',
    });
    expect(contradicted(await result.again()).filter((id) => /^list.*\.(?!path)/.test(id))).toEqual([]);
  });

  it('shares no parameter that one list has shown with a later list that has another', async () => {
    const amounts = records('x').map((each) => ({ ...each, amount: '1.00' }));
    const counted = (target: RegExp, sizeName: string) => list(target, amounts, byPage('page'), sizeName, withTotal, 4);
    const tokens = tokenList('next_cursor', 'cursor');
    const result = await checkRoutes([tokens, one, counted(/transactions/, 'size'), counted(/accounts/, 'per_page')]);
    expect(written(result)).toMatchObject({
      'lists.perPage': 'size',
      'listCustomerVirtualAccounts.perPage': 'per_page',
    });
    const second = contradicted(await result.again());
    expect(second.filter((id) => !/^(?:\w+Bank|\w+Balance|balance)\w*\./.test(id))).toEqual([]);
  });

  it('does not take the style of the customers for shown by a customer with one account', async () => {
    const offsets = list(/customers\/\?/, records('c'), byOffset('offset'), 'limit', withTotal);
    const pages = list(/c\d\/virtual-accounts/, records('a'), byPage('page'), 'per_page', withTotal, 4);
    const ofOne = list(/c1\/virtual-accounts/, [{ id: 'a1' }], byPage('page'), 'per_page', (data) => {
      return { data, meta: { total: 1 } };
    });
    const result = await checkRoutes([offsets, ofOne, pages, one]);
    expect(written(result)).toMatchObject({ 'listCustomers.pageStyle': 'offset' });
    expect(written(result)).not.toHaveProperty(['listCustomerVirtualAccounts.pageStyle']);
    expect(findingOf(result, 'listCustomerVirtualAccounts.pageStyle').state).toBe('confirmed');
  });
});

/** Nine records by a token that stands under one name and is sent under another; the size is the first that is sent. */
function tokenList(token: string, parameter: string, size = 'limit'): Route {
  return list(/customers\/\?/, records('c'), byOffset(parameter), size, (data, end) => {
    return { data, [token]: end < 9 ? `t${end}` : null };
  });
}

describe('a check of a token for the next page', () => {
  it.each([
    ['next', 'next', 'limit', { 'lists.nextCursor': ['/next'] }],
    ['nextPage', 'nextPage', 'limit', { 'lists.nextCursor': ['/nextPage'] }],
    ['nextPageToken', 'pageToken', 'pageSize', {}],
    ['nextToken', 'nextToken', 'count', {}],
  ])('finds one called %s, sent as %s beside %s', async (token, parameter, size, rows) => {
    expect(written(await checkRoutes([tokenList(token, parameter, size)]))).toMatchObject({
      'listCustomers.pageStyle': 'cursor',
      'lists.cursor': parameter,
      ...rows,
    });
  });

  it('writes no parameter that counts pages, by its name, as one of tokens', async () => {
    const rows = written(await checkRoutes([tokenList('next_page', 'page', 'limit')]));
    expect(rows).not.toHaveProperty(['lists.cursor']);
  });

  it('takes neither the number of the next page nor a link for one', async () => {
    for (const next of [3, '3', 'https://api.example.com/customers?page=3', '/customers?page=3']) {
      const pages: Route = [
        /customers\/\?/,
        ({ path }) => ({ json: { ...(pageOf(customers, path).json as object), next_page: next } }),
      ];
      expect(written(await checkRoutes([pages]))).not.toHaveProperty(['lists.nextCursor']);
    }
  });

  it('takes no parameter of a next link that the link of the page itself carries, too', async () => {
    const linked = list(/customers\/\?/, customers, byOffset('from'), 'limit', (data, end) => {
      const links = [
        { rel: 'self', href: 'https://api.example.com/customers?merchant=m-1' },
        { rel: 'next', href: `https://api.example.com/customers?merchant=m-1&from=x${end}` },
      ];
      return { data, links: links.slice(0, end < 12 ? 2 : 1) };
    });
    const result = await checkRoutes([linked]);
    expect(written(result)).toMatchObject({
      'lists.cursor': 'from',
      'lists.nextLink': ['/links/[rel=next]/href'],
    });
    expect(result.requests.filter(({ path }) => path.includes('merchant='))).toEqual([]);
  });

  it('finds the parameter of the page size by halves', async () => {
    const result = await checkRoutes([tokenList('next_cursor', 'cursor', 'take')]);
    expect(written(result)).toMatchObject({ 'lists.limit': 'take' });
    const sized = result.requests
      .map(({ path }) => path)
      .filter((path) => /[?&]\w+=2(?:&|$)/.test(path) && !path.includes('page=2'));
    expect(sized.findIndex((path) => path.includes('cursor='))).toBeLessThanOrEqual(6);
  });
});

describe('a check of the largest page', () => {
  it('gives a list that refuses the page of all others a row of its own', async () => {
    const upTo = (target: RegExp, largest: number): Route => [
      target,
      ({ path }) => {
        return countIn(path, 'per_page', 5) > largest
          ? { status: 400, json: { message: 'Too large.' } }
          : pageOf(customers, path);
      },
    ];
    const lists = [upTo(/customers\/\?/, 50), upTo(/transactions/, 20), upTo(/accounts/, 50)];
    expect(written(await checkRoutes([one, ...lists]))).toMatchObject({
      'lists.maxPageSize': 50,
      'listCustomerTransactions.maxPageSize': 20,
    });
  });

  it.each([
    ['page', (path: string, size: number) => (countIn(path, 'page', 1) - 1) * size],
    ['offset', (path: string) => countIn(path, 'offset', 0)],
  ])('finds one by the %s behind it where no answer says that more follows', async (style, startOf) => {
    const capped: Route = [
      /customers\/\?/,
      ({ path }) => {
        const size = Math.min(countIn(path, style === 'page' ? 'per_page' : 'limit', 5), 5);
        return success(customers.slice(startOf(path, size), startOf(path, size) + size));
      },
    ];
    expect(written(await checkRoutes([capped, one], { 'listCustomers.pageStyle': style }))).toMatchObject({
      'lists.maxPageSize': 5,
    });
  });

  it('looks behind no page that is shorter than one of another customer', async () => {
    const pages = (target: RegExp, count: number) =>
      list(target, records('t').slice(0, count), byPage('page'), 'per_page', (data) => ({ success: true, data }));
    const { requests } = await checkRoutes([customerPages, one, pages(/c1\/trans/, 5), pages(/transactions\?/, 2)]);
    const behind = requests.filter(({ path }) => /transactions\?.*page=2.*=100$/.test(path));
    expect(behind.map(({ path }) => path.split('/')[4])).toEqual(['c1']);
  });

  it('takes no token beside a flag that nothing follows for a sign of more', async () => {
    const flagged = list(/customers\/\?/, customers, byOffset('cursor'), 'limit', (data, end) => {
      return { data, meta: { has_more: end < 12, next_cursor: String(end) } };
    });
    const result = await checkRoutes([flagged, one]);
    expect(written(result)).toMatchObject({ 'listCustomers.pageStyle': 'cursor' });
    expect(contradicted(result)).not.toContain('lists.maxPageSize');
  });

  it('takes a short page for the whole list where the next one of its size has no other record', async () => {
    const clamped: Route = [/customers\/\?/, ({ path }) => success(customers.slice(0, countIn(path, 'per_page', 5)))];
    const pages: Route = [/page=2&per_page=2/, () => success(customers.slice(2, 4))];
    const result = await checkRoutes([pages, clamped, one]);
    expect(findingOf(result, 'lists.maxPageSize').why).toBe('the list is shorter than a page');
  });
});

describe('a check of the total of a list', () => {
  const counted = (target: RegExp, totalOf: (page: readonly object[], size: number) => number) =>
    list(
      target,
      customers,
      byPage('page'),
      'per_page',
      (data, _, size) => ({ success: true, data, meta: { total: totalOf(data, size) } }),
      4,
    );

  it.each([
    ['of a page', (page: readonly object[]) => page.length],
    ['of pages', (_: readonly object[], size: number) => Math.ceil(customers.length / size)],
  ])('writes none where it is %s, and leaves it so', async (_, totalOf) => {
    const result = await checkRoutes([counted(/customers\/\?/, totalOf), one, counted(/transactions\?/, totalOf)]);
    const rows = written(result);
    expect(rows).toMatchObject({ 'lists.total': [] });
    expect(rows).not.toHaveProperty(['listCustomerTransactions.total']);
    const second = await result.again();
    expect(findingOf(second, 'lists.total')).toMatchObject({ state: 'not observable', why: 'the row maps nothing' });
    expect(written(second)).toEqual(rows);
  });

  it('takes it from the one list that counts pages', async () => {
    const rows = written(
      await checkRoutes([
        counted(/customers\/\?/, () => customers.length),
        one,
        counted(/transactions\?/, (_, size) => Math.ceil(customers.length / size)),
      ]),
    );
    expect(rows).toMatchObject({ 'listCustomerTransactions.total': [] });
    expect(rows).not.toHaveProperty(['lists.total']);
  });
});
