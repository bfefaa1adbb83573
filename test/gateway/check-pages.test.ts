import { describe, expect, it, onTestFinished } from 'vitest';
import { createProber } from '../../src/commands/contract-check/prober.ts';
import { createContract } from '../../src/contract/contract.ts';
import { createHttpClient } from '../../src/upstream/wire/http-client.ts';
import { checkService, contradicted, findingOf, startService, written, type Route } from '../support/check.ts';
import { pageOf, success, type Reply } from '../support/upstream.ts';

const customers = Array.from({ length: 12 }, (_, index) => ({ id: `c${index + 1}` }));
const records = (prefix: string) => Array.from({ length: 9 }, (_, index) => ({ id: `${prefix}${index + 1}` }));
const one: Route = [/\/customers\/c\d+$/, ({ path }) => success({ id: path.split('/').at(-1) })];
const parametersOf = (path: string) => new URL(path, 'http://service').searchParams;
const countIn = (path: string, name: string, missing: number) => Number(parametersOf(path).get(name) ?? missing);

/** A page of these records by its number, with the total. */
function numbered(all: readonly object[], path: string, sizeName: string): Reply {
  const size = countIn(path, sizeName, 4);
  const start = Math.max(countIn(path, 'page', 1) - 1, 0) * size;
  return { json: { data: all.slice(start, start + size), meta: { total: all.length } } };
}

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
    const service = await startService(
      [/customers\/(?:\?|$)/, ({ path }) => paged(customers, path)],
      [/transactions/, ({ path }) => paged(records('t').slice(0, 2), path)],
      one,
    );
    expect(written(await checkService(service.url, rows))).toMatchObject({
      'listCustomers.pageStyle': 'cursor',
      'listCustomerTransactions.pageStyle': ofFew,
      'lists.nextCursor': ['/cursor'],
    });
  });

  it('rules out by one call that a list keeps a page size under any usual name', async () => {
    const whole: Route = [/virtual-accounts/, () => success([{ id: 'a1' }, { id: 'a2' }, { id: 'a3' }])];
    const service = await startService([/customers\/\?/, ({ path }) => pageOf(customers, path)], one, whole);
    const result = await checkService(service.url);
    expect(result.file).toMatch(
      /^ {2}listCustomerVirtualAccounts\.pageStyle: undecided # to decide: .*none, if one answer is the whole list/m,
    );
    const calls = service.requests.filter(({ method, path }) => method === 'GET' && path.includes('virtual-accounts'));
    expect(calls.length).toBeLessThanOrEqual(4);
  });

  it('finds pages that are asked for by their index', async () => {
    const indexed: Route = [
      /customers\/(?:\?|$)/,
      ({ path }) => {
        const size = countIn(path, 'pageSize', 5);
        const start = countIn(path, 'pageIndex', 0) * size;
        return { json: { data: records('c').slice(start, start + size), meta: { total: 9 } } };
      },
    ];
    const service = await startService(indexed, one);
    expect(written(await checkService(service.url))).toMatchObject({
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
    const service = await startService(capped, one);
    const result = await checkService(service.url);
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

  it('shares no parameter that one list has shown with a later list that has another', async () => {
    const amounts = records('x').map((each) => ({ ...each, amount: '1.00' }));
    const counted = (target: RegExp, sizeName: string): Route => [
      target,
      ({ path }) => numbered(amounts, path, sizeName),
    ];
    const tokens: Route = [/customers\/\?/, tokenList('next_cursor', 'cursor')];
    const service = await startService(tokens, one, counted(/transactions/, 'size'), counted(/accounts/, 'per_page'));
    const rows = written(await checkService(service.url));
    expect(rows).toMatchObject({ 'lists.perPage': 'size', 'listCustomerVirtualAccounts.perPage': 'per_page' });
    const again = await checkService(service.url, rows);
    expect(contradicted(again).filter((id) => !/^(?:\w+Bank|\w+Balance|balance)\w*\./.test(id))).toEqual([]);
  });

  it('does not take the style of the customers for shown by a customer with one account', async () => {
    const offsets: Route = [
      /customers\/\?/,
      ({ path }) => {
        const start = countIn(path, 'offset', 0);
        return { json: { data: records('c').slice(start, start + countIn(path, 'limit', 5)), meta: { total: 9 } } };
      },
    ];
    const pages: Route = [
      /c\d\/virtual-accounts/,
      ({ path }) => numbered(records('a').slice(0, path.includes('/c1/') ? 1 : 9), path, 'per_page'),
    ];
    const service = await startService(offsets, pages, one);
    const result = await checkService(service.url);
    expect(written(result)).toMatchObject({ 'listCustomers.pageStyle': 'offset' });
    expect(written(result)).not.toHaveProperty(['listCustomerVirtualAccounts.pageStyle']);
    expect(findingOf(result, 'listCustomerVirtualAccounts.pageStyle').state).toBe('confirmed');
  });
});

/** Nine records by a token that stands under one name and is sent under another; the size is the first that is sent. */
function tokenList(token: string, parameter: string, size = 'limit'): Route[1] {
  return ({ path }) => {
    const all = records('c');
    const start = Number(/\d+$/.exec(parametersOf(path).get(parameter) ?? '0'));
    const end = start + countIn(path, size, 5);
    return { json: { data: all.slice(start, end), [token]: end < all.length ? `t${end}` : null } };
  };
}

describe('a check of a token for the next page', () => {
  it.each([
    ['next', 'next', 'limit'],
    ['next_page', 'page', 'limit'],
    ['nextPage', 'nextPage', 'limit'],
    ['nextPageToken', 'pageToken', 'pageSize'],
    ['nextToken', 'nextToken', 'count'],
  ])('finds one called %s, sent as %s beside %s', async (token, parameter, size) => {
    const service = await startService([/customers\/\?/, tokenList(token, parameter, size)]);
    expect(written(await checkService(service.url))).toMatchObject({
      'listCustomers.pageStyle': 'cursor',
      'lists.nextCursor': [`/${token}`],
      'lists.cursor': parameter,
    });
  });

  it('takes neither the number of the next page nor a link for one', async () => {
    for (const next of [3, '3', 'https://api.example.com/customers?page=3', '/customers?page=3']) {
      const pages: Route = [
        /customers\/\?/,
        ({ path }) => ({ json: { ...(pageOf(customers, path).json as object), next_page: next } }),
      ];
      const service = await startService(pages);
      expect(written(await checkService(service.url))).not.toHaveProperty(['lists.nextCursor']);
    }
  });

  it('takes no parameter of a next link that the link of the page itself carries, too', async () => {
    const linked: Route = [
      /customers\/\?/,
      ({ path }) => {
        const start = Number(parametersOf(path).get('from')?.slice(1) ?? 0);
        const end = start + countIn(path, 'limit', 5);
        const links = [
          { rel: 'self', href: 'https://api.example.com/customers?merchant=m-1' },
          { rel: 'next', href: `https://api.example.com/customers?merchant=m-1&from=x${end}` },
        ];
        return { json: { data: customers.slice(start, end), links: links.slice(0, end < 12 ? 2 : 1) } };
      },
    ];
    const service = await startService(linked);
    expect(written(await checkService(service.url))).toMatchObject({
      'lists.cursor': 'from',
      'lists.nextLink': ['/links/[rel=next]/href'],
    });
    expect(service.requests.filter(({ path }) => path.includes('merchant='))).toEqual([]);
  });

  it('finds the parameter of the page size by halves', async () => {
    const service = await startService([/customers\/\?/, tokenList('next_cursor', 'cursor', 'take')]);
    expect(written(await checkService(service.url))).toMatchObject({ 'lists.limit': 'take' });
    const sized = service.requests
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
    const service = await startService(upTo(/customers\/\?/, 50), one, upTo(/transactions/, 20), upTo(/accounts/, 50));
    expect(written(await checkService(service.url))).toMatchObject({
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
    const service = await startService(capped, one);
    expect(written(await checkService(service.url, { 'listCustomers.pageStyle': style }))).toMatchObject({
      'lists.maxPageSize': 5,
    });
  });

  it('looks behind no page that is shorter than one of another customer', async () => {
    const cut = (all: readonly object[], path: string) => {
      const [page, size] = [countIn(path, 'page', 1), countIn(path, 'per_page', 5)];
      return success(all.slice((page - 1) * size, page * size));
    };
    const service = await startService([/customers\/\?/, ({ path }) => pageOf(customers, path)], one, [
      /transactions\?/,
      ({ path }) => cut(records('t').slice(0, path.includes('/c1/') ? 5 : 2), path),
    ]);
    await checkService(service.url);
    const behind = service.requests.filter(({ path }) => /transactions\?.*page=2.*=100$/.test(path));
    expect(behind.map(({ path }) => path.split('/')[4])).toEqual(['c1']);
  });

  it('takes no token beside a flag that nothing follows for a sign of more', async () => {
    const flagged: Route = [
      /customers\/\?/,
      ({ path }) => {
        const start = countIn(path, 'cursor', 0);
        const end = start + countIn(path, 'limit', 5);
        return { json: { data: customers.slice(start, end), meta: { has_more: end < 12, next_cursor: String(end) } } };
      },
    ];
    const service = await startService(flagged, one);
    const result = await checkService(service.url);
    expect(written(result)).toMatchObject({ 'listCustomers.pageStyle': 'cursor' });
    expect(contradicted(result)).not.toContain('lists.maxPageSize');
  });

  it('takes a short page for the whole list where the next one of its size has no other record', async () => {
    const clamped: Route = [/customers\/\?/, ({ path }) => success(customers.slice(0, countIn(path, 'per_page', 5)))];
    const pages: Route = [/page=2&per_page=2/, () => success(customers.slice(2, 4))];
    const service = await startService(pages, clamped, one);
    expect(findingOf(await checkService(service.url), 'lists.maxPageSize').why).toBe('the list is shorter than a page');
  });
});

describe('a check of the total of a list', () => {
  const counted = (target: RegExp, totalOf: (page: readonly object[], size: number) => number): Route => [
    target,
    ({ path }) => {
      const [size, page] = [countIn(path, 'per_page', 4), countIn(path, 'page', 1)];
      const data = customers.slice((page - 1) * size, page * size);
      return { json: { success: true, data, meta: { total: totalOf(data, size) } } };
    },
  ];

  it.each([
    ['of a page', (page: readonly object[]) => page.length],
    ['of pages', (_: readonly object[], size: number) => Math.ceil(customers.length / size)],
  ])('writes none where it is %s, and leaves it so', async (_, totalOf) => {
    const service = await startService(counted(/customers\/\?/, totalOf), one, counted(/transactions\?/, totalOf));
    const rows = written(await checkService(service.url));
    expect(rows).toMatchObject({ 'lists.total': [] });
    expect(rows).not.toHaveProperty(['listCustomerTransactions.total']);
    const second = await checkService(service.url, rows);
    expect(findingOf(second, 'lists.total')).toMatchObject({ state: 'not observable', why: 'the row maps nothing' });
    expect(written(second)).toEqual(rows);
  });

  it('takes it from the one list that counts pages', async () => {
    const service = await startService(
      counted(/customers\/\?/, () => customers.length),
      one,
      counted(/transactions\?/, (_, size) => Math.ceil(customers.length / size)),
    );
    const rows = written(await checkService(service.url));
    expect(rows).toMatchObject({ 'listCustomerTransactions.total': [] });
    expect(rows).not.toHaveProperty(['lists.total']);
  });
});
