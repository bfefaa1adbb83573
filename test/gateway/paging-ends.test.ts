import { describe, expect, it } from 'vitest';
import { query, startScripted } from '../support/gateway.ts';
import {
  askedPage,
  countIn,
  cutPage,
  idsOf,
  metaPage,
  offsetScript,
  parametersOf,
  readCustomers,
  readWindow,
  recordsOf,
  startsOf,
  styleOf,
  surprise,
  tokenScript,
  walkCustomers,
  type Rows,
  type Script,
} from '../support/paging.ts';
import { failure, success, type Reply } from '../support/upstream.ts';

const notFound = failure(404, 'Invalid page.');

describe('a page behind the end of its list', () => {
  const refused: readonly [name: string, told: (total: number, lastPage: number) => Rows][] = [
    ['its total', (total) => ({ total })],
    ['its last page', (_, last_page) => ({ last_page })],
  ];

  it.each(refused.flatMap(([name, told]) => [7, 8].map((length) => [name, length, told] as const)))(
    'is not read where the service tells %s, of %i records',
    async (_, length, told) => {
      const records = recordsOf(length);
      const script: Script = ({ path }) => {
        const { page, lastPage, total, data } = cutPage(records, path);
        return page > lastPage ? notFound : metaPage(data, told(total, lastPage));
      };
      const cursors = await startsOf(({ path }) => metaPage(cutPage(records, path).data, { total: length }));
      const { gateway, upstream } = await startScripted(script, { contract: { 'lists.maxPageSize': 2 } });
      const { data, errors } = await readCustomers(gateway, { first: 100 });
      expect([idsOf(data.list.nodes), errors, upstream.requests.length]).toEqual([idsOf(records), [], 4]);
      const { data: rest } = await readCustomers(gateway, { first: length - 5, after: cursors[5] });
      expect([idsOf(rest.list.nodes), rest.list.pageInfo.hasNextPage]).toEqual([idsOf(records.slice(5)), false]);
      expect(upstream.requests.slice(4).map(({ path }) => askedPage(path).page)).toEqual([3, 4]);
    },
  );

  it.each<[total: number, lastPage: number, parts: object]>([
    [19, 2, { meta: { total: 19 } }],
    [9, 1, { meta: { total: 9 } }],
    [9, 1, { pagination: { page: 1, total_pages: 1 } }],
    [9, 1, { meta: { last_page: 1 } }],
  ])(
    'shows no record again where the service answers its last page instead, of a list that shrank to %i (case %#)',
    async (total, lastPage, parts) => {
      const starts = await startsOf(({ path }) => metaPage(cutPage(recordsOf(30), path).data, { total: 30 }));
      const script: Script = ({ path }) => {
        const { page, perPage } = askedPage(path);
        return {
          json: { data: cutPage(recordsOf(total), `?page=${Math.min(page, lastPage)}`, perPage).data, ...parts },
        };
      };
      const { list, errors } = await readWindow(script, {}, { first: 10, after: starts[20] });
      expect([list?.nodes, errors]).toEqual([[], []]);
    },
  );

  it('is not read where the service gives larger pages than it was asked for', async () => {
    const script: Script = ({ path }) => {
      const { page, lastPage, total, data } = cutPage(recordsOf(43), path, 50);
      return page > lastPage ? notFound : metaPage(data, { total });
    };
    const { gateway } = await startScripted(script, { contract: { 'lists.maxPageSize': 20 } });
    expect(await walkCustomers(gateway, 100)).toEqual(idsOf(recordsOf(43)));
  });

  it('is not read by offset', async () => {
    const script: Script = ({ path }) => {
      const start = countIn(path, 'offset');
      const rows = recordsOf(43).slice(start, start + countIn(path, 'limit'));
      return { json: { data: rows.length === 0 ? null : rows, meta: { total: 43 } } };
    };
    const { gateway, upstream } = await startScripted(script, {
      contract: { ...styleOf('offset'), 'lists.maxPageSize': 20 },
    });
    expect(await walkCustomers(gateway, 100)).toEqual(idsOf(recordsOf(43)));
    expect(upstream.requests.map(({ path }) => [countIn(path, 'offset'), countIn(path, 'limit')])).toEqual([
      [0, 20],
      [20, 20],
      [40, 3],
    ]);
  });

  it('may have no array', async () => {
    const script: Script = ({ path }) => {
      const { data, total } = cutPage(recordsOf(5), path);
      return data.length === 0 ? { json: { total } } : metaPage(data, { total });
    };
    const [after] = (await startsOf(({ path }) => metaPage(cutPage(recordsOf(9), path).data, { total: 9 }))).slice(8);
    const { list, errors } = await readWindow(script, {}, { first: 4, after });
    expect([list?.nodes, errors]).toEqual([[], []]);
  });

  it.each([null, undefined])('may be %s beside a flag that nothing follows', async (data) => {
    const contract = { ...styleOf('cursor'), 'lists.hasMore': ['/has_more'] };
    const { list, errors } = await readWindow(() => ({ json: { data, has_more: false } }), contract, { first: 4 });
    expect([list?.nodes, errors]).toEqual([[], []]);
    const open = await readWindow(() => ({ json: { data, has_more: true } }), contract, { first: 4 });
    expect(open.errors).toMatchObject(surprise('lists.records'));
  });

  it.each([
    { total: 0, data: { 0: { id: 'r1' }, 2: { id: 'r2' } } },
    { total: 0, data: { items: { 1: { id: 'r1' } } } },
  ])('is none where a list with gaps became an object: %j', async (json) => {
    expect((await readWindow(() => ({ json }))).errors).toMatchObject(surprise('lists.records'));
  });
});

it.each([
  ['page', ({ path }) => metaPage(cutPage(recordsOf(7), path).data, { total: 7 })],
  ['offset', offsetScript(recordsOf(7), 100)],
  ['cursor', tokenScript(recordsOf(7), () => 100)],
] as readonly [string, Script][])(
  'the last window of a list ends with the cursor of its last record, by %s',
  async (style, script) => {
    const { gateway } = await startScripted(script, { contract: styleOf(style) });
    const { data } = await readCustomers(gateway, { first: 4 });
    const last = await readCustomers(gateway, { first: 4, after: data.list.pageInfo.endCursor });
    const after = last.data.list.edges[2].cursor;
    expect(last.data.list.pageInfo).toMatchObject({ hasNextPage: false, endCursor: after });
    expect((await readCustomers(gateway, { first: 4, after })).data.list.nodes).toEqual([]);
  },
);

describe('a service that gives shorter pages than it is asked for, and tells their size under a name that no row maps', () => {
  const all = recordsOf(24);
  const byPage = (path: string) => 10 * (askedPage(path).page - 1);

  it.each([
    ['page', 'per_page', byPage],
    ['page', 'limit', byPage],
    ['offset', 'pageSize', (path: string) => countIn(path, 'offset')],
  ] as const)('gives its whole list, by %s with %s', async (style, name, start) => {
    const script: Script = ({ path }) => ({
      json: { data: all.slice(start(path), start(path) + 10), pagination: { [name]: 10 } },
    });
    const { gateway } = await startScripted(script, { contract: styleOf(style) });
    for (const first of [10, 20, 24, 100]) expect(await walkCustomers(gateway, first)).toEqual(idsOf(all));
  });

  it.each<[style: string, told: string, parts: object, headers?: Record<string, string>]>([
    ['page', 'a flag', { pagination: { limit: 10, has_more: false } }],
    ['offset', 'a flag of the last page', { pagination: { limit: 10, isLast: true } }],
    ['page', 'a missing token', { pagination: { limit: 10, next_cursor: null } }],
    ['offset', 'a missing link', { pagination: { limit: 10 }, links: { next: null } }],
    ['page', 'a total', { pagination: { limit: 10, total: 10 } }],
    ['offset', 'the last page', { pagination: { limit: 10, total_pages: 1 } }],
    ['page', 'a Link header', { pagination: { limit: 10 } }, { link: '</customers?page=1>; rel="last"' }],
    ['offset', 'another size', { pagination: { limit: 20 } }],
  ])('is asked for no further page, by %s, where the end shows by %s', async (style, _, parts, headers = {}) => {
    const answer = { json: { data: all.slice(0, 10), ...parts }, headers };
    const { gateway, upstream } = await startScripted(() => answer, { contract: styleOf(style) });
    const { data, errors } = await readCustomers(gateway, { first: 20 });
    expect([data.list.nodes.length, data.list.pageInfo.hasNextPage, errors]).toEqual([10, false, []]);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('a list that tells a record more than it gives', () => {
  const amount = { amount: '1.00' };
  const long = recordsOf(60, amount);
  const capped = (path: string, name: string) => Math.min(countIn(path, name), 100);
  const byPage: Script = ({ path }) => {
    const { data, total } = cutPage(long, path, capped(path, 'per_page'));
    return metaPage(data, { total });
  };
  const reportedPages: Script = ({ path }) => {
    const { data, total } = cutPage(long, path, capped(path, 'per_page'));
    return metaPage(data, { total, per_page: capped(path, 'per_page') });
  };
  /** A record is booked between the query of the rows and that of their number. */
  const odd = (style: string, path: string, isFirst: boolean, isReported: boolean): Reply => {
    const start = style === 'offset' ? countIn(path, 'offset') : countIn(path, 'page') - 1;
    const rows = recordsOf(2, amount).slice(start, start + (countIn(path, 'per_page') || countIn(path, 'limit')));
    const size = isReported ? { per_page: askedPage(path).perPage } : {};
    return success({ data: isFirst ? rows.slice(0, 1) : rows, total: 2, ...size });
  };
  const transactions = (id: string, first: number) =>
    `{ customer(id: "${id}") { transactions(first: ${first}) { nodes { id } } } }`;

  const services: readonly [style: string, script: Script, isSeen: boolean][] = [
    ['page', byPage, false],
    ['page', byPage, true],
    ['page', reportedPages, false],
    ['offset', offsetScript(long, 100), false],
    ['offset', offsetScript(long, 100), true],
  ];

  it.each(services)('costs one call more, and other lists none, by %s (case %#)', async (style, script, isSeen) => {
    let readings = 0;
    const { gateway, upstream } = await startScripted(
      (request) => {
        if (!request.path.includes('?')) return success({ id: request.path.split('/').at(-1) });
        return request.path.includes('/odd/')
          ? odd(style, request.path, (readings += 1) === 1, script === reportedPages)
          : script(request);
      },
      { contract: styleOf(style) },
    );
    const callsOf = async (id: string, first: number) => {
      const before = upstream.requests.length;
      const { data, errors } = await query(gateway, transactions(id, first));
      expect(errors).toEqual([]);
      return [data.customer.transactions.nodes.length, upstream.requests.length - before];
    };
    await callsOf(isSeen ? 'long' : 'odd', 20);
    readings = 0;
    expect(await callsOf('odd', 20)).toEqual([2, 3]);
    expect([await callsOf('long', 20), await callsOf('long', 100)]).toEqual([
      [20, 2],
      [60, 2],
    ]);
  });

  const hiding: readonly [style: string, from: string, size: string][] = [
    ['page', 'page', 'per_page'],
    ['offset', 'offset', 'limit'],
  ];

  it.each(hiding)('makes no other list dearer where a record is hidden, by %s', async (style, from, size) => {
    const { gateway, upstream } = await startScripted(
      ({ path }) => {
        if (!path.includes('?')) return success({ id: path.split('/').at(-1) });
        const [count, position] = [countIn(path, size), countIn(path, from)];
        const start = style === 'page' ? (position - 1) * count : position;
        const rows = long.slice(start, start + count);
        return success({ data: path.includes('/odd/') ? rows.filter(({ id }) => id !== 'r1') : rows, total: 60 });
      },
      { contract: styleOf(style) },
    );
    expect((await query(gateway, transactions('odd', 20))).errors).toHaveLength(1);
    const before = upstream.requests.length;
    await query(gateway, transactions('long', 20));
    expect(upstream.requests.length - before).toBe(2);
  });
});

describe('a list with shorter pages than others of its service', () => {
  const long = recordsOf(60, { amount: '1.00' });
  const pagesOf =
    (cap: number): Script =>
    ({ path }) =>
      metaPage(cutPage(long, path, Math.min(askedPage(path).perPage, cap)).data, { total: 60 });

  it.each([
    ['page', pagesOf(100), pagesOf(1)],
    ['offset', offsetScript(long, 100), offsetScript(long, 1)],
    ['cursor', tokenScript(long, () => 100), tokenScript(long, () => 1)],
  ])('makes the others no dearer, by %s', async (style, whole, cut) => {
    const { gateway } = await startScripted(
      (request) => {
        if (!request.path.includes('?')) return success({ id: request.path.split('/').at(-1) });
        return request.path.includes('/odd/') ? cut(request) : whole(request);
      },
      { contract: styleOf(style), environment: { MAX_UPSTREAM_CALLS: '20' } },
    );
    const list = (first: number) => `transactions(first: ${first}) { nodes { id } }`;
    for (const selected of [`customer(id: "long") { ${list(100)} }`, `customer(id: "odd") { ${list(5)} }`]) {
      expect((await query(gateway, `{ ${selected} }`)).errors).toEqual([]);
    }
    const ten = Array.from({ length: 10 }, (_, index) => `c${index}: customer(id: "long") { ${list(100)} }`);
    expect((await query(gateway, `{ ${ten.join(' ')} }`)).errors).toEqual([]);
  });
});

describe('a service with pages of at most ten', () => {
  const pageSize = (path: string) => Math.min(askedPage(path).perPage, 10);
  const served: readonly [name: string, style: string, length: number, script: Script][] = [
    [
      'further pages',
      'page',
      50,
      ({ path }) => metaPage(cutPage(recordsOf(50), path, pageSize(path)).data, { total: 50 }),
    ],
    ['further pages', 'offset', 50, offsetScript(recordsOf(50), 10)],
    [
      'a report',
      'page',
      15,
      ({ path }) =>
        metaPage(cutPage(recordsOf(15), path, pageSize(path)).data, { total: 15, per_page: pageSize(path) }),
    ],
  ];

  it.each(served)('is asked for no larger ones once shown by %s, by %s', async (_, style, length, script) => {
    const { gateway, upstream } = await startScripted(script, { contract: styleOf(style) });
    const sizesOf = async () => {
      const before = upstream.requests.length;
      expect(await walkCustomers(gateway, 20)).toHaveLength(length);
      const parameters = upstream.requests.slice(before).map(({ path }) => parametersOf(path));
      return parameters.map((each) => Number(each.get('per_page') ?? each.get('limit')));
    };
    expect((await sizesOf())[0]).toBe(20);
    expect(Math.max(...(await sizesOf()))).toBe(10);
  });

  it('is asked for no larger ones once two pages of a whole list were short, by offset', async () => {
    const { gateway, upstream } = await startScripted(offsetScript(recordsOf(25), 10), { contract: styleOf('offset') });
    for (const limits of [
      [100, 15, 5],
      [10, 10, 5],
    ]) {
      const before = upstream.requests.length;
      expect(await walkCustomers(gateway, 100)).toHaveLength(25);
      expect(upstream.requests.slice(before).map(({ path }) => countIn(path, 'limit'))).toEqual(limits);
    }
  });
});
