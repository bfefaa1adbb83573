import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startScripted } from '../support/gateway.ts';
import {
  askedPage,
  countIn,
  cutPage,
  idsOf,
  parametersOf,
  readCustomers,
  readWindow,
  recordsOf,
  styleOf,
  surprise,
  walkCustomers,
  walkToError,
  type Rows,
  type Script,
} from '../support/paging.ts';
import { success, type Reply } from '../support/upstream.ts';

describe('a service that ignores paging', () => {
  it('gives its 22 records once, by one call, where the page cap of the contract is lower than `first`', async () => {
    const script: Script = () => ({ json: recordsOf(22) });
    const { list, errors, calls } = await readWindow(script, { 'lists.maxPageSize': 25 }, { first: 100 });
    expect(errors).toEqual([]);
    expect(idsOf(list.nodes)).toEqual(idsOf(recordsOf(22)));
    expect(list.pageInfo.hasNextPage).toBe(false);
    expect(calls).toBe(1);
  });

  const changing = (path: string) => `${parametersOf(path).get('cursor') ?? ''}x`;
  /** What comes instead of the page asked for, out of all records. */
  const ignoring: readonly [name: string, contract: Rows, reply: (path: string, all: readonly unknown[]) => unknown][] =
    [
      ['its whole list', {}, (_, all) => all],
      ['its whole list, and a next page', {}, (_, data) => ({ data, has_more: true })],
      ['its whole list, by offset', styleOf('offset'), (_, all) => all],
      ['its first records', {}, (path, all) => all.slice(0, countIn(path, 'per_page'))],
      [
        'its first records, and a next page',
        {},
        (path, all) => ({ data: all.slice(0, countIn(path, 'per_page')), links: { next: '/customers?page=2' } }),
      ],
      ['its first records, by offset', styleOf('offset'), (path, all) => all.slice(0, countIn(path, 'limit'))],
      [
        'its first records, by offset, and more',
        styleOf('offset'),
        (path, all) => ({ data: all.slice(0, countIn(path, 'limit')), has_more: true }),
      ],
      [
        'its first records, by a cursor that changes',
        styleOf('cursor'),
        (path, all) => ({ data: all.slice(0, countIn(path, 'limit')), next_cursor: changing(path) }),
      ],
      [
        'its first records, by a next link that changes',
        { ...styleOf('cursor'), 'lists.nextLink': ['/links/next'] },
        (path, all) => ({
          data: all.slice(0, countIn(path, 'limit')),
          links: { next: `/customers?cursor=${changing(path)}` },
        }),
      ],
      [
        'its last page again behind the end, at a size of its own',
        {},
        (path, all) => {
          const last = Math.max(1, Math.ceil(all.length / 5));
          const page = `?page=${Math.min(askedPage(path).page, last)}&per_page=5`;
          return { data: cutPage(all, page).data, has_more: true };
        },
      ],
    ];

  it.each(ignoring)('gives no record twice without an error, and no endless list: %s', async (_, contract, reply) => {
    await assert(
      asyncProperty(
        integer({ min: 1, max: 30 }),
        array(integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 3 }),
        constantFrom(5, 10, 25, 100),
        async (length, steps, maxPageSize) => {
          const { gateway } = await startScripted(({ path }) => ({ json: reply(path, recordsOf(length)) }), {
            contract: { ...contract, 'lists.maxPageSize': maxPageSize },
          });
          const { ids } = await walkToError(gateway, ...steps);
          expect(ids).toEqual(idsOf(recordsOf(ids.length)));
          expect(ids.length).toBeLessThanOrEqual(length);
        },
      ),
      {
        seed: 23,
        // The examples count as runs.
        numRuns: 8,
        examples: [
          [10, [3], 100],
          [10, [5], 100],
          [10, [10], 100],
          [40, [20, 5], 100],
        ],
      },
    );
  });

  it('is contradicted where its cursor is the last id and is ignored', async () => {
    const { gateway, upstream } = await startScripted(
      () => ({ json: { data: recordsOf(10), next_cursor: `${upstream.requests.length}` } }),
      // The two pages that are read again count apart.
      { contract: styleOf('cursor'), environment: { MAX_UPSTREAM_CALLS: '2' } },
    );
    const { ids, errors } = await walkToError(gateway, 10);
    expect(ids).toEqual(idsOf(recordsOf(10)));
    expect(errors).toMatchObject(surprise('listCustomers.pageStyle'));
    expect(upstream.requests).toHaveLength(4);
  });

  /** Pages of `length` records, and page 1 in place of any behind the last. */
  const firstAgain = (length: number, parts: (page: number, lastPage: number) => object = () => ({})): Script => {
    return ({ path }) => {
      const { page: asked, size, lastPage } = cutPage(recordsOf(length), path);
      const page = asked > lastPage ? 1 : asked;
      return { json: { data: recordsOf(length).slice((page - 1) * size, page * size), ...parts(page, lastPage) } };
    };
  };
  const offsetAgain: Script = ({ path }) => {
    const from = countIn(path, 'offset') % 40;
    return { json: recordsOf(40).slice(from, from + countIn(path, 'limit')) };
  };

  const byOffset = { ...styleOf('offset'), 'lists.maxPageSize': 10 };
  const hasMore = (page: number, lastPage: number) => ({ has_more: page < lastPage });

  it.each<[name: string, shown: number, script: Script, steps: readonly number[], contract: Rows]>([
    ['where a window begins', 40, firstAgain(40), [10], {}],
    ['beside a sign of more', 40, firstAgain(40, hasMore), [10], {}],
    ['inside a window', 15, firstAgain(20), [15, 10], {}],
    ['inside a window of a known page size', 35, firstAgain(40), [10, 10, 10, 5, 10], {}],
    ['inside a window by offset', 30, offsetAgain, [15, 15, 20], byOffset],
  ])(
    'is contradicted where its first page comes again behind its end, %s',
    async (_, shown, script, steps, contract) => {
      const { gateway } = await startScripted(script, { contract });
      const { ids, errors } = await walkToError(gateway, ...steps);
      expect(ids).toEqual(idsOf(recordsOf(shown)));
      expect(errors).toMatchObject(surprise('listCustomers.pageStyle'));
    },
  );

  it.each([[[25, 15, 20]], [[20, 15]]])(
    'gives every record once where its first page comes again behind the last one that it tells, by %j',
    async (steps) => {
      const script = firstAgain(30, (page, last_page) => ({ meta: { last_page }, ...hasMore(page, last_page) }));
      const { gateway } = await startScripted(script);
      expect(await walkCustomers(gateway, ...steps)).toEqual(idsOf(recordsOf(30)));
    },
  );

  it.each([
    [[5, 3], 5],
    [[1, 5, 3, 2], 1],
    [[2, 3, 5], 5],
  ])(
    'is contradicted where its smallest page is its whole list, which comes again, by %j after %i records',
    async (steps, shown) => {
      const { gateway } = await startScripted(({ path }) => {
        const { page, perPage } = askedPage(path);
        const size = Math.max(5, perPage);
        const from = (page - 1) * size;
        const data = recordsOf(5)
          .slice(from < 5 ? from : 0)
          .slice(0, size);
        return { json: { data, meta: { per_page: size }, has_more: false } };
      });
      const { ids, errors } = await walkToError(gateway, ...steps);
      expect(ids).toEqual(idsOf(recordsOf(shown)));
      expect(errors).toMatchObject(surprise('listCustomers.pageStyle'));
    },
  );

  it.each(['page', 'cursor'])(
    'is contradicted where an id is twice in one window, read twice though one call is allowed: style %s',
    async (name) => {
      const script: Script = () => ({ json: { data: [{ id: 'r1' }, { id: 'r2' }, { id: 'r1' }] } });
      const environment = { MAX_UPSTREAM_CALLS: '1' };
      const { gateway, upstream } = await startScripted(script, { contract: styleOf(name), environment });
      const { data, errors } = await readCustomers(gateway);
      expect(data.list).toBeNull();
      expect(errors).toMatchObject(surprise('listCustomers.pageStyle'));
      expect(upstream.requests).toHaveLength(2);
    },
  );

  it('is read once more by POST, too, where the second request is equal to the first', async () => {
    const pages = [[{ id: 'r1' }, { id: 'r1' }], recordsOf(2)];
    const { gateway, upstream } = await startScripted(() => ({ json: { data: pages.shift() } }), {
      contract: {
        'listCustomers.method': 'POST',
        'listCustomers.parametersIn': 'body',
      },
    });
    const { data, errors } = await readCustomers(gateway);
    expect(errors).toEqual([]);
    expect(data.list.nodes).toHaveLength(2);
    expect(upstream.requests).toHaveLength(2);
  });
});

/** Pages counted from 0, as a service does to which the contract counts from 1. */
const fromZero = (length: number, parts: (page: number, last: number) => object = () => ({})): Script => {
  return ({ path }) => {
    const { page, perPage } = askedPage(path);
    const data = recordsOf(length).slice(page * perPage, (page + 1) * perPage);
    return { json: { data, ...parts(page, Math.ceil(length / perPage) - 1) } };
  };
};

describe('a service that counts pages from 0', () => {
  it.each([
    ['meta', { meta: { total: 17, per_page: 20 } }],
    ['an unmapped total', { totalElements: 17 }],
    ['unmapped text', { pagination: { total_count: '17' } }],
  ])('is contradicted by a total beside no record: %s', async (_, parts) => {
    const { list, errors, calls } = await readWindow(fromZero(17, () => parts));
    expect(list).toBeNull();
    expect(errors).toMatchObject(surprise('lists.page'));
    expect(calls).toBe(1);
  });

  it.each([
    [
      'a link to the page before',
      (page: number) => ({ links: { prev: page > 0 ? `/customers?page=${page - 1}` : null } }),
    ],
    ['a flag', (page: number) => ({ first: page === 0 })],
    ['the other flag', (page: number) => ({ meta: { has_previous_page: page > 0 } })],
  ])('is contradicted by %s', async (_, parts) => {
    const { errors } = await readWindow(fromZero(47, parts));
    expect(errors).toMatchObject(surprise('lists.page'));
  });

  it.each([
    [3, { last_page: 0 }],
    [3, { last_page: 0, per_page: 20 }],
    [0, { current_page: 0, last_page: 0, total: 0 }],
    [0, { current_page: 0, total: 0 }],
    [0, { current_page: 1, last_page: 0, total: 0 }],
  ])('gives its only page, of %i records, with %j', async (count, meta) => {
    const { list, errors } = await readWindow(() => ({ json: { data: recordsOf(count), meta } }));
    expect(errors).toEqual([]);
    expect(idsOf(list.nodes)).toEqual(idsOf(recordsOf(count)));
  });

  it('is contradicted by records on page 0 of 0', async () => {
    const { errors } = await readWindow(() => ({
      json: { data: recordsOf(3), meta: { current_page: 0, last_page: 0 } },
    }));
    expect(errors).toMatchObject(surprise('lists.currentPage'));
  });

  it('is contradicted by a full page where no page is the last one', async () => {
    const script: Script = ({ path }) => ({ json: { data: cutPage(recordsOf(5), path).data, meta: { last_page: 0 } } });
    const { errors } = await readWindow(script, {}, { first: 2 });
    expect(errors).toMatchObject(surprise('lists.lastPage'));
  });

  it('is contradicted before the end of its list where it tells nothing but its total', async () => {
    const { gateway } = await startScripted(fromZero(47, () => ({ meta: { total: 47 } })));
    const { errors } = await walkToError(gateway, 20);
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } }]);
  });
});

/** How services say that a page follows. */
const moreSigns: readonly [name: string, parts: (hasMore: boolean) => object][] = [
  ['links.next.url', (more) => ({ links: { next: more ? { url: 'https://example.com/?page=2' } : null } })],
  ['_links.next.href', (more) => ({ _links: { next: { href: more ? '/customers?page=2' : null } } })],
  ['next', (more) => ({ next: more ? '/customers?page=2' : '#' })],
  ['next_page_url', (more) => ({ next_page_url: more ? '/customers?page=2' : null })],
  ['has_more', (more) => ({ has_more: more })],
  ['has_more as digits', (more) => ({ has_more: more ? '1' : '0' })],
  [
    'a list of links',
    (more) => ({ links: [null, { rel: 'self', href: '/a' }, ...(more ? [{ rel: 'next', href: '/b' }] : [])] }),
  ],
  ['metadata.has_more', (more) => ({ metadata: { has_more: more ? 'True' : 'False' } })],
  ['paginator.hasNextPage', (more) => ({ paginator: { hasNextPage: more } })],
  ['meta.pagination.links.next', (more) => ({ meta: { pagination: { links: more ? { next: '/b' } : [] } } })],
  ['meta.hasMore', (more) => ({ meta: { hasMore: more } })],
  ['pagination.has_next', (more) => ({ pagination: { has_next: more } })],
  ['pageInfo.hasNextPage', (more) => ({ pageInfo: { hasNextPage: more } })],
  ['HasNextPage', (more) => ({ HasNextPage: more })],
  ['last', (more) => ({ last: !more })],
  ['paging.next_page as a number', (more) => ({ paging: { next_page: more ? 2 : 0, previous_page: 0 } })],
  ['meta.next_page', (more) => ({ meta: { next_page: more ? 2 : null } })],
  ['pagination.next_page_token', (more) => ({ pagination: { next_page_token: more ? 'abc' : '' } })],
];
/** How services say how much there is in all, in places that no row of the default contract names. */
const countSigns: readonly [name: string, parts: (length: number, perPage: number) => object][] = [
  ['pagination.total', (total) => ({ pagination: { total } })],
  ['totalElements', (totalElements) => ({ totalElements })],
  ['totalSize', (totalSize) => ({ totalSize })],
  ['meta.total_count', (total_count) => ({ meta: { total_count } })],
  ['paging.total_pages', (length, perPage) => ({ paging: { total_pages: Math.ceil(length / perPage) } })],
  ['meta.pagination.total', (total) => ({ meta: { pagination: { total } } })],
  ['Pagination.TotalCount', (TotalCount) => ({ Pagination: { TotalCount } })],
  ['page.totalPages', (length, perPage) => ({ page: { totalPages: Math.ceil(length / perPage) } })],
];
const signs: readonly (readonly [name: string, parts: (end: number, length: number, perPage: number) => object])[] = [
  ...moreSigns.map(([name, parts]) => [name, (end: number, length: number) => parts(end < length)] as const),
  ...countSigns.map(
    ([name, parts]) => [name, (_: number, length: number, size: number) => parts(length, size)] as const,
  ),
];

describe('what an answer says of further pages', () => {
  type Parts = (typeof signs)[number][1];
  const capped =
    (parts: Parts, cap: number): Script =>
    ({ path }) => {
      const { page, perPage } = askedPage(path);
      const size = Math.min(perPage, cap);
      return { json: { data: cutPage(recordsOf(47), path, size).data, ...parts(page * size, 47, size) } };
    };
  const byOffset =
    (parts: Parts): Script =>
    ({ path }) => {
      const [start, limit] = [countIn(path, 'offset'), countIn(path, 'limit')];
      const data = recordsOf(47).slice(start, start + limit);
      return { json: { data, has_previous: start > 0, ...parts(start + limit, 47, limit) } };
    };

  it.each(signs)('finds all of 47 records behind a silent cap of 25, by two calls: %s', async (_, parts) => {
    const { list, errors, calls } = await readWindow(capped(parts, 25), {}, { first: 100 });
    expect(errors).toEqual([]);
    expect(idsOf(list.nodes)).toEqual(idsOf(recordsOf(47)));
    expect(list.pageInfo.hasNextPage).toBe(false);
    expect(calls).toBe(2);
  });

  it.each(signs)('agrees with every window of an honest service: %s', async (_, parts) => {
    const { gateway } = await startScripted(capped(parts, 100));
    for (const first of [20, 47]) expect(await walkCustomers(gateway, first)).toEqual(idsOf(recordsOf(47)));
    const other = await startScripted(byOffset(parts), { contract: styleOf('offset') });
    expect(await walkCustomers(other.gateway, 20)).toEqual(idsOf(recordsOf(47)));
  });

  const pageHeaders: readonly [name: string, headersOf: (end: number, length: number) => Reply['headers']][] = [
    [
      'Link',
      (end, length) =>
        end < length ? { link: '<http://x/?page=1>; rel="first", <http://x/?page=2>; rel="next"' } : {},
    ],
    [
      'a Link that precedes and follows',
      (end, length) => ({ link: `</c?p=1>; rel=prev${end < length ? ', </c?p=3>; title="a";rel = "a next b"' : ''}` }),
    ],
    ['X-Total-Count', (_, length) => ({ 'x-total-count': String(length) })],
  ];

  it.each(pageHeaders)('is read from the headers of a plain array, too: %s', async (_, headersOf) => {
    const cappedAt =
      (cap: number): Script =>
      ({ path }) => {
        const { page, perPage } = askedPage(path);
        const size = Math.min(perPage, cap);
        return { json: cutPage(recordsOf(47), path, size).data, headers: { ...headersOf(page * size, 47) } };
      };
    const { list, errors, calls } = await readWindow(cappedAt(25), {}, { first: 100 });
    expect(errors).toEqual([]);
    expect(idsOf(list.nodes)).toEqual(idsOf(recordsOf(47)));
    expect(list.pageInfo.hasNextPage).toBe(false);
    expect(calls).toBe(2);
    const whole = await readWindow(cappedAt(25), styleOf('none'), { first: 100 });
    expect(whole.errors).toMatchObject(surprise('listCustomers.pageStyle'));
    const { gateway } = await startScripted(cappedAt(100));
    for (const first of [20, 47]) expect(await walkCustomers(gateway, first)).toEqual(idsOf(recordsOf(47)));
  });

  it.each([
    ['whose next link leads nowhere', '</c?page=1>; rel="prev", <>; rel="next"'],
    ['whose link to itself repeats a search', '</c?search=a;rel=next>; rel="self"'],
    ['with a relation that only begins so', '</archive>; rel=next-archive'],
  ])('is not read from a Link %s', async (_, link) => {
    const { list, errors, calls } = await readWindow(
      () => ({ json: recordsOf(7), headers: { link } }),
      {},
      { first: 20 },
    );
    expect(errors).toEqual([]);
    expect(list.pageInfo.hasNextPage).toBe(false);
    expect([idsOf(list.nodes), calls]).toEqual([idsOf(recordsOf(7)), 1]);
  });

  it('agrees with every window of a service with tokens that tells the number of its pages', async () => {
    const script: Script = ({ path }) => {
      const from = Number(parametersOf(path).get('cursor') ?? 0);
      const end = from + countIn(path, 'limit');
      const next_cursor = end < 47 ? String(end) : null;
      return { json: { data: recordsOf(47).slice(from, end), next_cursor, pagination: { total_pages: 3 } } };
    };
    const { gateway } = await startScripted(script, { contract: styleOf('cursor') });
    expect(await walkCustomers(gateway, 20)).toEqual(idsOf(recordsOf(47)));
  });

  const more: Parts = (end, length) => ({ links: { next: end < length ? '/customers?page=2' : null } });
  const count: Parts = (_, length) => ({ pagination: { total: length } });

  it.each([
    ['style `none` where the service pages', 20, 'none', 'listCustomers.pageStyle'],
    ['style `cursor` where the contract finds no token', 20, 'cursor', 'lists.nextCursor'],
    ['an empty first page', 0, 'page', 'lists.page'],
    ['an empty first page by offset', 0, 'offset', 'lists.offset'],
  ])('contradicts %s', async (_, length, style, row) => {
    for (const parts of [more, count]) {
      const script: Script = () => ({ json: { data: recordsOf(length), ...parts(length, 47, 20) } });
      const { list, errors, calls } = await readWindow(script, styleOf(style));
      expect(list).toBeNull();
      expect(errors).toMatchObject(surprise(row));
      expect(calls).toBe(1);
    }
  });

  it('is ignored where the contract says so', async () => {
    const script: Script = () => ({ json: { data: recordsOf(7), ...more(7, 47, 20), ...count(7, 47, 20) } });
    const { list, errors } = await readWindow(script, { 'lists.signs': 'ignored' });
    expect(errors).toEqual([]);
    expect(list.nodes).toHaveLength(7);
  });
});

it.each([
  ['an end beside a sign of a next page', 'page', { total: 20, has_more: true }, 'lists.total'],
  ['an end beside a sign of a next page', 'offset', { total: 20, has_more: true }, 'lists.total'],
  ['an end beside a later last page', 'page', { current_page: 1, last_page: 3, total: 20 }, 'lists.total'],
  ['an end beside further pages', 'page', { total: 20, total_pages: 3 }, 'lists.total'],
  ['an end beside further pages', 'offset', { total: 20, total_pages: 3 }, 'lists.total'],
  ['an end beside a larger total', 'page', { total: 20, total_count: 45 }, 'lists.total'],
  ['an end beside a larger total', 'offset', { total: 20, total_count: 45 }, 'lists.total'],
  ['more than the last page', 'page', { last_page: 1, total_count: 45 }, 'lists.lastPage'],
  ['fewer records than there are', 'page', { total: 17 }, 'lists.total'],
  ['fewer records than there are', 'offset', { total: 17 }, 'lists.total'],
  ['fewer records than there are', 'cursor', { total: 17 }, 'lists.total'],
  ['fewer records than a whole list has', 'none', { total: 17 }, 'listCustomers.pageStyle'],
  ['more records than a whole list has', 'none', { total: 47 }, 'listCustomers.pageStyle'],
  ['a page before a whole list', 'none', { total: 20, previous_page: 1 }, 'listCustomers.pageStyle'],
  ['a page before the first', 'offset', { total: 20, previous_page: 1 }, 'lists.offset'],
  ['a token behind a whole list', 'none', { total: 20, next_cursor: 'abc' }, 'listCustomers.pageStyle'],
  ['more records than a chain of pages has', 'cursor', { total: 47 }, 'lists.nextCursor'],
  ['more pages than a chain of pages has', 'cursor', { total_pages: 3 }, 'lists.nextCursor'],
])('a total that says %s is contradicted: style %s', async (_, name, meta, row) => {
  const { list, errors, calls } = await readWindow(() => ({ json: { data: recordsOf(20), meta } }), styleOf(name));
  expect(list).toBeNull();
  expect(errors).toMatchObject(surprise(row));
  expect(calls).toBe(1);
});

it.each([
  ['a token with the last page', 20, { total: 20, next_cursor: 'abc' }],
  ['a token with a short last page', 50, { total: 20, next_cursor: 'abc' }],
  ['an amount of money', 20, { total: 20, total_size: 4700.5 }],
  ['a total of something else', 20, { total: 20, statistics: { total: 45 } }],
  ['a total without the filter', 50, { total: 20, total_count: 45 }],
])('a total ends a list beside %s', async (_, first, meta) => {
  for (const style of ['page', 'offset']) {
    const { list, errors } = await readWindow(() => ({ json: { data: recordsOf(20), meta } }), styleOf(style), {
      first,
    });
    expect(errors).toEqual([]);
    expect(list.pageInfo.hasNextPage).toBe(false);
  }
});

describe('the full form of a page that the contract assumes', () => {
  const laravel =
    (length: number, isResource: boolean): Script =>
    ({ path }) => {
      const { data, page, size, lastPage, total } = cutPage(recordsOf(length), path);
      const link = (number: number) => (number < 1 || number > lastPage ? null : `http://x/customers?page=${number}`);
      const labels = [{ url: link(page - 1), label: 'Previous', active: false }];
      const meta = { current_page: page, last_page: lastPage, per_page: `${size}`, total, path: 'http://x/customers' };
      const ends = { from: data.length === 0 ? null : (page - 1) * size + 1, to: (page - 1) * size + data.length };
      const urls = { first: link(1), last: link(lastPage), prev: link(page - 1), next: link(page + 1) };
      if (isResource) return { json: { data, links: urls, meta: { ...meta, ...ends, links: labels } } };
      const { first, last, prev, next } = urls;
      const flat = { first_page_url: first, last_page_url: last, prev_page_url: prev, next_page_url: next };
      return success({ data, ...meta, ...ends, ...flat, links: labels });
    };

  it.each([true, false])('raises no false alarm: as a resource %s', async (isResource) => {
    for (const length of [0, 20, 47]) {
      const { gateway } = await startScripted(laravel(length, isResource));
      for (const first of [7, 20, 100]) {
        expect(await walkCustomers(gateway, first)).toEqual(idsOf(recordsOf(length)));
      }
    }
  });
});

describe('records that others insert meanwhile', () => {
  it.each<[style: string, pageOf: (path: string) => number]>([
    ['page', (path) => askedPage(path).page - 1],
    ['offset', (path) => countIn(path, 'offset') / 2],
    ['cursor', (path) => countIn(path, 'cursor')],
  ])('may move the first record of the list to a later page, by %s', async (style, pageOf) => {
    const pages = [['t1', 't2'], ['t3', 't1'], ['t5']];
    const script: Script = ({ path }) => {
      const data = (pages[pageOf(path)] ?? []).map((id) => ({ id }));
      return { json: { data, next_cursor: [1, 2][pageOf(path)] } };
    };
    const { gateway } = await startScripted(script, { contract: styleOf(style) });
    expect(await walkToError(gateway, 2)).toEqual({ ids: pages.flat(), errors: [] });
  });

  /** A service that adds a record at the top before some of its answers, which it cuts by page, offset or token. */
  const inserting = (name: string, insertsBefore: ReadonlySet<number>): Script => {
    let records: readonly unknown[] = recordsOf(30);
    let calls = 0;
    return ({ path }) => {
      calls += 1;
      if (insertsBefore.has(calls)) records = [{ id: `new${calls}` }, ...records];
      const limit = countIn(path, name === 'page' ? 'per_page' : 'limit');
      const page = (askedPage(path).page - 1) * limit;
      const start =
        { page, offset: countIn(path, 'offset'), cursor: Number(parametersOf(path).get('cursor') ?? 0) }[name] ?? 0;
      const end = start + limit;
      const next_cursor = end < records.length ? `${end}` : null;
      const data = records.slice(start, end);
      return { json: { data, ...(name === 'cursor' ? { next_cursor } : { meta: { total: records.length } }) } };
    };
  };

  it.each(['page', 'offset', 'cursor'])('cost no error, and no record of the list is lost: style %s', async (name) => {
    await assert(
      asyncProperty(
        record({ first: integer({ min: 1, max: 12 }), steps: array(integer({ min: 4, max: 9 }), { maxLength: 5 }) }),
        async ({ first, steps }) => {
          let at = 1;
          const insertsBefore = new Set(steps.map((step) => (at += step)));
          const { gateway } = await startScripted(inserting(name, insertsBefore), {
            contract: { ...styleOf(name), 'lists.maxPageSize': 12 },
          });
          const { ids, errors } = await walkToError(gateway, first);
          expect(errors).toEqual([]);
          expect([...new Set(ids)].filter((id) => id.startsWith('r'))).toEqual(idsOf(recordsOf(30)));
        },
      ),
      { seed: 23, numRuns: 15 },
    );
  });

  it('are told apart from an ignored page by one call', async () => {
    const { gateway, upstream } = await startScripted(inserting('page', new Set([2])));
    const { data } = await readCustomers(gateway, { first: 5 });
    const next = await readCustomers(gateway, { first: 5, after: data.list.pageInfo.endCursor });
    expect(next.errors).toEqual([]);
    expect(idsOf(next.data.list.nodes)).toEqual(['r5', 'r6', 'r7', 'r8', 'r9']);
    // No cache can give the first answer again.
    expect(new Set(upstream.requests.map(({ path }) => path)).size).toBe(3);
    expect(upstream.requests).toHaveLength(3);
  });

  it('are no repetition where the window before is shorter than this one', async () => {
    const { gateway } = await startScripted(inserting('offset', new Set([2])), { contract: styleOf('offset') });
    const { data } = await readCustomers(gateway, { first: 3 });
    const next = await readCustomers(gateway, { first: 5, after: data.list.pageInfo.endCursor });
    expect(next.errors).toEqual([]);
    expect(idsOf(next.data.list.nodes)).toEqual(['r3', 'r4', 'r5', 'r6', 'r7']);
  });
});
