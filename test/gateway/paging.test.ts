import { array, assert, asyncProperty, integer, oneof } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codes, query, startGateway, startScripted } from '../support/gateway.ts';
import {
  askedPage,
  cutPage,
  idsOf,
  metaPage,
  page,
  readCustomers,
  recordsOf,
  walk,
  walkCustomers,
  type Window,
} from '../support/paging.ts';
import { pageOf, success, type Reply } from '../support/upstream.ts';

const caps = [1, 3, 7, 10, 100];
const lengths = [0, 1, 6, 7, 20, 23, 50];
const firsts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20, 100];

const zeroTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const pairs = (left: readonly number[], right: readonly number[]) => left.flatMap((a) => right.map((b) => [a, b]));

/** The ids of `length` records in windows of `first`; one empty window where there are none. */
const windowsOf = (length: number, first: number) =>
  zeroTo(Math.max(1, Math.ceil(length / first))).map((index) =>
    idsOf(recordsOf(length)).slice(index * first, (index + 1) * first),
  );

/** A gateway over customers that come in pages of at most `cap`. */
const startPaged = (length: number, cap = 100) => {
  const records = recordsOf(length);
  return startScripted(({ path }) => pageOf(records, path, cap));
};

/** The cursors of all records, from a gateway of its own so that the one under test knows nothing yet. */
const cursorsOf = async (length: number) => {
  const { gateway } = await startPaged(length);
  const { data } = await readCustomers(gateway, { first: 100 });
  return data.list.edges.map(({ cursor }: { readonly cursor: string }) => cursor) as readonly string[];
};

const entity = (selection: string) => `query ($first: Int, $after: String, $type: String) {
  entities: _entities(representations: [{ __typename: "Customer", id: "r1" }]) { ... on Customer { ${selection} } }
}`;
const connection = 'edges { cursor } nodes { id } pageInfo { hasNextPage endCursor }';
const transactionsDocument = entity(`list: transactions(first: $first, after: $after, type: $type) { ${connection} }`);
const virtualAccountsDocument = entity(`list: virtualAccounts(first: $first, after: $after) { ${connection} }`).replace(
  ', $type: String',
  '',
);
const banksDocument = `query ($first: Int, $after: String) {
  list: settlementBanks(first: $first, after: $after) { ${connection} }
}`;

const money = { amount: '1.00' };

describe('a walk along the end cursors', () => {
  it.each(pairs(caps, lengths))(
    'gives every record once, in order and in full windows: pages of %i, %i records',
    async (cap, length) => {
      const { gateway } = await startPaged(length, cap);
      for (const first of firsts) {
        const windows = await walk(
          (window) => readCustomers(gateway, window),
          () => first,
        );
        expect(windows).toEqual(windowsOf(length, first));
      }
    },
  );

  it.each(pairs(caps, [1, 5, 20, 100]))(
    'gives every record once on a gateway that knows nothing yet: pages of %i, first %i',
    async (cap, first) => {
      const { gateway } = await startPaged(23, cap);
      expect(await walkCustomers(gateway, () => first)).toEqual(idsOf(recordsOf(23)));
    },
  );

  it('gives every record once with another `first` at each step', { timeout: 30_000 }, async () => {
    const first = integer({ min: 1, max: 100 });
    const small = integer({ min: 1, max: 12 });
    await assert(
      asyncProperty(
        integer({ min: 1, max: 100 }),
        integer({ min: 0, max: 60 }),
        array(oneof(first, small), { minLength: 1, maxLength: 8 }),
        async (cap, length, steps) => {
          const { gateway } = await startPaged(length, cap);
          const seen = await walkCustomers(gateway, (step) => steps[step % steps.length] as number);
          expect(seen).toEqual(idsOf(recordsOf(length)));
        },
      ),
      { seed: 20_260_101, numRuns: 60 },
    );
  });

  it('gives every record once where several walks run at the same time', async () => {
    const { gateway } = await startPaged(50, 7);
    const walks = await Promise.all([3, 10, 20, 100].map((first) => walkCustomers(gateway, () => first)));
    expect(walks).toEqual([3, 10, 20, 100].map(() => idsOf(recordsOf(50))));
  });

  it.each([
    ['settlementBanks', banksDocument, (data: unknown) => data],
    ['transactions', transactionsDocument, (data: { readonly entities: readonly unknown[] }) => data.entities[0]],
    ['virtualAccounts', virtualAccountsDocument, (data: { readonly entities: readonly unknown[] }) => data.entities[0]],
  ] as const)('gives every record of %s once', async (_, document, unwrap) => {
    const records = recordsOf(23).map((record) => ({ ...record, ...money }));
    const { gateway } = await startScripted(({ path }) => pageOf(records, path, 7));
    const read = async (variables: Window) => {
      const answer = await query(gateway, document, { variables });
      return { ...answer, data: unwrap(answer.data) };
    };
    expect((await walk(read, (step) => [5, 20, 3][step % 3] as number)).flat()).toEqual(idsOf(records));
  });

  it('continues behind any record in the middle', async () => {
    const { gateway } = await startPaged(23, 10);
    const cursors = await cursorsOf(23);
    const ids = idsOf(recordsOf(23));
    for (const index of zeroTo(23)) {
      const { data } = await readCustomers(gateway, { first: 4, after: cursors[index] });
      expect(idsOf(data.list.nodes), `behind ${index}`).toEqual(ids.slice(index + 1, index + 5));
    }
  });
});

describe('the calls of a window', () => {
  it('are one where it is aligned and two where it is not', async () => {
    const { gateway, upstream } = await startPaged(50);
    const cursors = [null, ...(await cursorsOf(50))];
    const windows = pairs(zeroTo(26), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20]) as [number, number][];
    for (const [start, first] of windows) {
      const before = upstream.requests.length;
      await readCustomers(gateway, { first, after: cursors[start] });
      const isAligned = start % first === 0;
      expect(upstream.requests.length - before, `first ${first} from ${start}`).toBe(2 - Number(isAligned));
    }
  });

  it('ask for pages of `first` records', async () => {
    const { gateway, upstream } = await startPaged(50);
    await walkCustomers(gateway, () => 20);
    expect(upstream.requests.map(({ path }) => askedPage(path))).toEqual([
      { page: 1, perPage: 20 },
      { page: 2, perPage: 20 },
      { page: 3, perPage: 20 },
    ]);
  });

  it.each(
    [1, 3, 7, 10].flatMap((size) =>
      [7, 11, 20, 100].flatMap((first) => [0, 5, 13].map((start) => [size, first, start])),
    ),
  )(
    'are at most ceil(first / size) + 1 more where pages turn out to hold %i: first %i from %i',
    async (size, first, start) => {
      const cursors = [null, ...(await cursorsOf(50))];
      const { gateway, upstream } = await startPaged(50, size);
      const { data, errors } = await readCustomers(gateway, { first, after: cursors[start] });
      const tried = Math.ceil(((start % first) + first) / first);
      const further = Math.ceil(first / size) + 1;
      expect(errors).toEqual([]);
      expect(idsOf(data.list.nodes)).toEqual(idsOf(recordsOf(50)).slice(start, start + first));
      expect(upstream.requests.length).toBeLessThanOrEqual(tried + further);
    },
  );

  it('do not try the larger page size again once it is known', async () => {
    const { gateway, upstream } = await startPaged(50, 7);
    const { data } = await readCustomers(gateway, { first: 20 });
    const before = upstream.requests.length;
    await readCustomers(gateway, { first: 20, after: data.list.pageInfo.endCursor });
    await readCustomers(gateway, { first: 100 });
    expect(before).toBe(3);
    expect(upstream.requests.slice(before).map(({ path }) => askedPage(path))).toEqual(
      [3, 4, 5, 6, ...zeroTo(15).map((index) => index + 1)].map((number) => ({ page: number, perPage: 7 })),
    );
  });

  it('do not grow for other lists because a list that has a single page reports its own length as the page size', async () => {
    const { gateway, upstream } = await startScripted(({ path }) =>
      path.startsWith('/api/v1/customers/short/')
        ? page([{ id: 't1', ...money }], { current_page: 1, per_page: 1, last_page: 1, total: 1 })
        : pageOf(
            recordsOf(50).map((record) => ({ ...record, ...money })),
            path,
          ),
    );
    const document = `query ($customer: _Any!) {
      _entities(representations: [$customer]) { ... on Customer { transactions(first: 20) { nodes { id } } } }
    }`;
    await query(gateway, document, { variables: { customer: { __typename: 'Customer', id: 'short' } } });
    const before = upstream.requests.length;
    await query(gateway, document, { variables: { customer: { __typename: 'Customer', id: 'long' } } });
    expect(upstream.requests.length - before).toBe(1);
  });

  it('are shared by equal lists of one request', async () => {
    const { gateway, upstream } = await startPaged(50);
    const { errors } = await query(
      gateway,
      '{ a: customers(first: 5) { nodes { id } } b: customers(first: 5) { totalCount pageInfo { endCursor } } }',
    );
    expect(errors).toEqual([]);
    expect(upstream.requests).toHaveLength(1);
  });

  it('are 51 for 50 customers with their balance', async () => {
    const records = recordsOf(50);
    const { gateway, upstream } = await startScripted(({ path }) =>
      path.endsWith('/balance') ? success({ balance: '5.00' }) : pageOf(records, path),
    );
    const { data, errors } = await query(
      gateway,
      '{ customers(first: 50) { nodes { balance { value { amount } } } } }',
    );
    const balancePaths = idsOf(records).map((id) => `/api/v1/customers/${id}/balance`);
    expect(errors).toEqual([]);
    expect(data.customers.nodes).toHaveLength(50);
    expect(upstream.requests).toHaveLength(51);
    expect(
      upstream.requests
        .slice(1)
        .map(({ path }) => path)
        .sort(),
    ).toEqual([...balancePaths].sort());
  });
});

/** What a service may answer instead of the form that the contract assumes. */
const dialects: readonly [name: string, script: (records: readonly unknown[], path: string) => Reply][] = [
  ['a bare array', (records, path) => ({ json: cutPage(records, path).data })],
  ['an array as data', (records, path) => success(cutPage(records, path).data)],
  ['an array as data without `success`', (records, path) => ({ json: { data: cutPage(records, path).data } })],
  [
    'data and meta',
    (records, path) => {
      const { data, page: current_page, size, lastPage, total } = cutPage(records, path);
      return metaPage(data, { current_page, per_page: size, last_page: lastPage, total });
    },
  ],
  [
    'data and meta, capped at 7',
    (records, path) => {
      const {
        data,
        page: current_page,
        size,
        lastPage,
        total,
      } = cutPage(records, path, Math.min(7, askedPage(path).perPage));
      return metaPage(data, { current_page, per_page: size, last_page: lastPage, total });
    },
  ],
  [
    'numbers as text',
    (records, path) => {
      const {
        data,
        page: number,
        size,
        lastPage,
        total,
      } = cutPage(records, path, Math.min(7, askedPage(path).perPage));
      return page(data, {
        current_page: `${number}`,
        per_page: `${size}`,
        last_page: `${lastPage}`,
        total: `${total}`,
      });
    },
  ],
  [
    'a last page and nothing else',
    (records, path) => {
      const { data, lastPage } = cutPage(records, path);
      return page(data, { last_page: lastPage });
    },
  ],
  [
    'a total and nothing else',
    (records, path) => {
      const { data, total } = cutPage(records, path);
      return page(data, { total });
    },
  ],
  [
    'a total, silently capped at 7',
    (records, path) => {
      const { data, total } = cutPage(records, path, Math.min(7, askedPage(path).perPage));
      return metaPage(data, { total });
    },
  ],
  [
    'a total and silent pages of always 10',
    (records, path) => {
      const { data, total } = cutPage(records, path, 10);
      return metaPage(data, { total });
    },
  ],
  [
    'reported pages of always 10',
    (records, path) => {
      const { data, page: number, size, lastPage, total } = cutPage(records, path, 10);
      return page(data, { current_page: number, per_page: size, last_page: lastPage, total });
    },
  ],
  [
    'a total and silent pages of always 50',
    (records, path) => {
      const { data, total } = cutPage(records, path, 50);
      return metaPage(data, { total });
    },
  ],
  [
    'reported pages of always 50',
    (records, path) => {
      const { data, page: number, size, lastPage } = cutPage(records, path, 50);
      return page(data, { current_page: number, per_page: size, last_page: lastPage });
    },
  ],
  [
    'the last page again behind the end',
    (records, path) => {
      const { page: asked, size, lastPage, total } = cutPage(records, path);
      const number = Math.min(asked, lastPage);
      const data = records.slice((number - 1) * size, number * size);
      return page(data, { current_page: number, per_page: size, last_page: lastPage, total });
    },
  ],
  [
    'the last page again behind the end, with a total but without its number',
    (records, path) => {
      const { page: asked, size, lastPage, total } = cutPage(records, path);
      const number = Math.min(asked, lastPage);
      return page(records.slice((number - 1) * size, number * size), { total });
    },
  ],
];

describe('a service of another dialect', () => {
  it.each(dialects)('gives every record once: %s', async (_, script) => {
    for (const length of [0, 1, 20, 23, 50]) {
      const records = recordsOf(length);
      for (const steps of [[5], [20], [8, 3, 20], [11]]) {
        const { gateway } = await startScripted(({ path }) => script(records, path));
        const seen = await walkCustomers(gateway, (step) => steps[step % steps.length] as number);
        expect(seen, `${length} records, first ${steps.join()}`).toEqual(idsOf(records));
      }
    }
  });

  it('gives every record once where each answer is the whole list with its total', async () => {
    const { gateway } = await startScripted(() => metaPage(recordsOf(23), { total: 23 }));
    expect(await walkCustomers(gateway, () => 5)).toEqual(idsOf(recordsOf(23)));
  });

  it('gives no record twice where each answer is the whole list and says nothing of it', async () => {
    const cursors = await cursorsOf(50);
    const { gateway } = await startScripted(() => ({ json: recordsOf(23) }));
    const seen: string[] = [];
    for (const after of [undefined, cursors[4], cursors[9], cursors[14], cursors[19], cursors[24], cursors[29]]) {
      const { data } = await readCustomers(gateway, { first: 5, after });
      seen.push(...idsOf(data.list?.nodes ?? []));
    }
    expect(seen).toEqual([...new Set(seen)]);
  });

  it('gives a whole list that is shorter than `first` in one call', async () => {
    const { gateway, upstream } = await startScripted(() => ({ json: recordsOf(7) }));
    const { data, errors } = await readCustomers(gateway, { first: 20 });
    expect(errors).toEqual([]);
    expect(idsOf(data.list.nodes)).toEqual(idsOf(recordsOf(7)));
    expect(data.list.pageInfo.hasNextPage).toBe(false);
    expect(upstream.requests).toHaveLength(1);
  });

  it.each([
    ['always 10 a page', 23, 3, () => 10],
    ['at most 7 a page', 17, 10, (asked: number) => Math.min(7, asked)],
    ['at most 3 a page', 5, 4, (asked: number) => Math.min(3, asked)],
  ])(
    'gives every record once across two gateways where it hides its page size: %s',
    async (_, length, first, sizeOf) => {
      const records = recordsOf(length);
      const script = ({ path }: { readonly path: string }) => {
        const { data, total } = cutPage(records, path, sizeOf(askedPage(path).perPage));
        return metaPage(data, { total });
      };
      const { gateway, upstream } = await startScripted(script);
      const other = await startGateway({ upstream: upstream.url });
      const answers = await walk(
        (window) => readCustomers(gateway, window),
        () => first,
      );
      const last = answers.length - 1;
      const before = answers.slice(0, last).flat();
      const { data } = await readCustomers(gateway, { first: before.length });
      const { data: rest } = await readCustomers(other, { first, after: data.list.pageInfo.endCursor });
      expect([...before, ...idsOf(rest.list.nodes)]).toEqual(idsOf(records));
    },
  );

  const contradictions: readonly [name: string, row: string, reply: (path: string) => Reply][] = [
    ['no array anywhere', 'lists.records', () => success({ customers: [] })],
    ['no data', 'lists.records', () => ({ json: { success: true } })],
    ['a page that was not asked for', 'lists.currentPage', () => page(recordsOf(5), { current_page: 2, last_page: 9 })],
    ['a page number that is not a number', 'lists.currentPage', () => page([], { current_page: 'one' })],
    ['a negative total', 'lists.total', () => page([], { total: -1 })],
    ['a page size that is not a whole number', 'lists.pageSize', () => page([], { per_page: 2.5 })],
    ['a last page of another type', 'lists.lastPage', () => page([], { last_page: {} })],
    ['more records than its page size', 'lists.pageSize', () => page(recordsOf(6), { per_page: 5, total: 6 })],
    [
      'more records than its page size, smaller than asked for',
      'lists.pageSize',
      () => page(recordsOf(5), { per_page: 3, total: 5 }),
    ],
    [
      'another page size on the second page',
      'lists.pageSize',
      (path) => page(recordsOf(2), { per_page: [2, 3][askedPage(path).page - 1] ?? 2, total: 9 }),
    ],
  ];

  it.each(contradictions)('is contradicted by name where it answers %s', async (_, row, reply) => {
    const { gateway } = await startScripted(({ path }) => reply(path));
    const { data, errors } = await readCustomers(gateway, { first: 5 });
    expect(data.list).toBeNull();
    expect(errors).toMatchObject([
      { path: ['list'], extensions: { code: 'UPSTREAM_INVALID_RESPONSE', operation: 'listCustomers', row } },
    ]);
  });

  it('is contradicted by name where the two pages of a window report different sizes', async () => {
    const after = (await cursorsOf(9))[2];
    const { gateway } = await startScripted(({ path }) => {
      const { page: number } = askedPage(path);
      return page(recordsOf(4), { current_page: number, per_page: 4 + number, last_page: 9 });
    });
    const { data, errors } = await readCustomers(gateway, { first: 5, after });
    expect(data.list).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE', row: 'lists.pageSize' } }]);
  });

  it('keeps the rest of the answer where a total is too large for an Int', async () => {
    const { gateway } = await startScripted(() => page(recordsOf(5), { total: 3_000_000_000 }));
    const { data, errors } = await readCustomers(gateway, { first: 5 });
    expect(idsOf(data.list.nodes)).toEqual(idsOf(recordsOf(5)));
    expect(data.list.totalCount).toBeNull();
    expect(errors.map(({ extensions }) => extensions['code'])).not.toContain('INTERNAL_SERVER_ERROR');
  });
});

describe('a connection', () => {
  it('says the same by edges and by nodes', async () => {
    const { gateway } = await startPaged(23, 7);
    const { data } = await readCustomers(gateway, { first: 12 });
    const { edges, nodes, pageInfo } = data.list;
    expect(edges.map(({ node }: { readonly node: unknown }) => node)).toEqual(nodes);
    expect(pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: edges[0].cursor,
      endCursor: edges[11].cursor,
    });
    expect(new Set(edges.map(({ cursor }: { readonly cursor: string }) => cursor)).size).toBe(12);
    expect(data.list.totalCount).toBe(23);
  });

  it('says on its last window that records come before and none behind', async () => {
    const { gateway } = await startPaged(23);
    const cursors = await cursorsOf(23);
    const { data } = await readCustomers(gateway, { first: 10, after: cursors[19] });
    expect(data.list.pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: true,
      startCursor: cursors[20],
      endCursor: cursors[22],
    });
  });

  it('has no cursors on an empty list', async () => {
    const { gateway } = await startPaged(0);
    const { data } = await readCustomers(gateway);
    expect(data.list).toEqual({
      edges: [],
      nodes: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
      totalCount: 0,
    });
  });

  it('is empty behind the end of the list', async () => {
    const { gateway } = await startPaged(5);
    const cursors = await cursorsOf(23);
    const { data, errors } = await readCustomers(gateway, { first: 5, after: cursors[20] });
    expect(errors).toEqual([]);
    expect(data.list.nodes).toEqual([]);
    expect(data.list.pageInfo.hasNextPage).toBe(false);
  });

  it('has no totalCount where the service reports none', async () => {
    const { gateway } = await startScripted(() => success(recordsOf(3)));
    const { data, errors } = await readCustomers(gateway);
    expect(errors).toEqual([]);
    expect(data.list.nodes).toHaveLength(3);
    expect(data.list.totalCount).toBeNull();
  });

  it('takes a full page without a total to have a next one', async () => {
    const { gateway } = await startScripted(({ path }) => success(cutPage(recordsOf(10), path).data));
    const { data } = await readCustomers(gateway, { first: 5 });
    expect(data.list.pageInfo.hasNextPage).toBe(true);
    const next = await readCustomers(gateway, { first: 6 });
    expect(next.data.list.pageInfo.hasNextPage).toBe(true);
    const whole = await readCustomers(gateway, { first: 11 });
    expect(whole.data.list.pageInfo.hasNextPage).toBe(false);
  });

  it.each([
    ['a record without an id', { first_name: 'Ada' }, '/data/data/2/id'],
    ['a record whose id is an object', { id: {} }, '/data/data/2/id'],
    ['a record whose id is empty', { id: '' }, '/data/data/2/id'],
    ['a text', 'r3', '/data/data/2'],
    ['null', null, '/data/data/2'],
    ['a list', [], '/data/data/2'],
  ])('nulls only the slot of %s', async (_, odd, jsonPath) => {
    const records = recordsOf(5).with(2, odd as never);
    const { gateway } = await startScripted(({ path }) => pageOf(records, path));
    const { data, errors } = await query(gateway, '{ customers(first: 5) { nodes { id } } }');
    const extensions = { code: 'UPSTREAM_INVALID_RESPONSE', operation: 'listCustomers', row: 'customer.id', jsonPath };
    expect(data.customers.nodes).toEqual([{ id: 'r1' }, { id: 'r2' }, null, { id: 'r4' }, { id: 'r5' }]);
    expect(errors).toMatchObject([{ path: ['customers', 'nodes', 2], extensions }]);
  });

  it('continues behind a record that cannot be read', async () => {
    const records = recordsOf(5).with(2, null as never);
    const { gateway } = await startScripted(({ path }) => pageOf(records, path));
    const { data, errors } = await query(gateway, '{ customers(first: 5) { edges { cursor node { id } } } }');
    const { edges } = data.customers;
    expect(edges[2].node).toBeNull();
    expect(errors).toMatchObject([{ path: ['customers', 'edges', 2, 'node'] }]);
    const next = await readCustomers(gateway, { first: 5, after: edges[2].cursor });
    expect(idsOf(next.data.list.nodes)).toEqual(['r4', 'r5']);
  });

  it('nulls only the field that cannot be read', async () => {
    const records = [{ id: 'r1', first_name: 7, last_name: 'Test' }];
    const { gateway } = await startScripted(({ path }) => pageOf(records, path));
    const { data, errors } = await query(gateway, '{ customers { nodes { id firstName lastName } } }');
    expect(data.customers.nodes).toEqual([{ id: 'r1', firstName: null, lastName: 'Test' }]);
    expect(errors).toMatchObject([
      {
        path: ['customers', 'nodes', 0, 'firstName'],
        extensions: { row: 'customer.firstName', jsonPath: '/data/data/0/first_name' },
      },
    ]);
  });
});

describe('`first`', () => {
  it.each([0, 101, -1, 2_147_483_647])('is refused at %i without a call', async (first) => {
    const { gateway, upstream } = await startPaged(50);
    const answer = await readCustomers(gateway, { first });
    expect(codes(answer)).toEqual(['BAD_USER_INPUT']);
    expect(answer.data.list).toBeNull();
    expect(upstream.requests).toEqual([]);
  });

  it.each(['1.5', '"10"', '3000000000', 'true'])('is refused as %s without a call', async (first) => {
    const { gateway, upstream } = await startPaged(50);
    const answer = await query(gateway, `{ customers(first: ${first}) { totalCount } }`);
    expect(answer.errors).toHaveLength(1);
    expect(upstream.requests).toEqual([]);
  });

  it.each(['(first: null)', ''])('is 20 where the arguments are `%s`', async (given) => {
    const { gateway, upstream } = await startPaged(50);
    const { data, errors } = await query(gateway, `{ customers${given} { nodes { id } } }`);
    expect(errors).toEqual([]);
    expect(idsOf(data.customers.nodes)).toEqual(idsOf(recordsOf(20)));
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/api/v1/customers/?page=1&per_page=20']);
  });

  it('is 20 where a variable is null', async () => {
    const { gateway } = await startPaged(50);
    const { data } = await readCustomers(gateway, { first: null });
    expect(data.list.nodes).toHaveLength(20);
  });

  it.each([1, 100])('may be %i', async (first) => {
    const { gateway } = await startPaged(150);
    const { data, errors } = await readCustomers(gateway, { first });
    expect(errors).toEqual([]);
    expect(data.list.nodes).toHaveLength(first);
  });
});

const decodeCursor = (cursor: string) => Buffer.from(cursor, 'base64url').toString('utf8');
const encodeCursor = (text: string) => Buffer.from(text).toString('base64url');

describe('a cursor', () => {
  const alterations: readonly [name: string, alter: (cursor: string) => string][] = [
    ['garbage', () => 'garbage'],
    ['text that is not base64', () => '%%% 🙈'],
    ['an empty text', () => ''],
    ['a long text', () => 'a'.repeat(10_000)],
    ['a cursor of another version', (cursor) => encodeCursor(decodeCursor(cursor).replace(/^1:/, '2:'))],
    ['a cursor without a version', (cursor) => encodeCursor(decodeCursor(cursor).replace(/^1:/, ''))],
    ['a huge position', (cursor) => encodeCursor(decodeCursor(cursor).replace(/\d+$/, '99999999999'))],
    ['a position just too large', (cursor) => encodeCursor(decodeCursor(cursor).replace(/\d+$/, '1000000000'))],
    ['a negative position', (cursor) => encodeCursor(decodeCursor(cursor).replace(/\d+$/, '-1'))],
    ['a fractional position', (cursor) => encodeCursor(decodeCursor(cursor).replace(/\d+$/, '1.5'))],
    ['no position', (cursor) => encodeCursor(decodeCursor(cursor).replace(/\d+$/, ''))],
    ['one part too many', (cursor) => encodeCursor(`${decodeCursor(cursor)}:1`)],
    ['another binding', (cursor) => encodeCursor(decodeCursor(cursor).replace(/:.{16}:/, ':AAAAAAAAAAAAAAAA:'))],
    ['half a cursor', (cursor) => cursor.slice(0, 12)],
  ];

  it.each(alterations)('is refused without a call where it is %s', async (_, alter) => {
    const [cursor = ''] = await cursorsOf(1);
    const { gateway, upstream } = await startPaged(50);
    const answer = await readCustomers(gateway, { after: alter(cursor) });
    expect(answer.errors).toMatchObject([{ path: ['list'], extensions: { code: 'INVALID_CURSOR' } }]);
    expect(upstream.requests).toEqual([]);
  });

  const cursorFrom = async (document: string, variables: Readonly<Record<string, unknown>> = {}, id = 'r1') => {
    const { gateway } = await startScripted(answerFound, { contract: searchable });
    const { data } = await query(gateway, document.replace('"r1"', `"${id}"`), {
      variables: { first: 5, ...variables },
    });
    return (data.list ?? data.entities[0].list).edges[2].cursor as string;
  };
  /** Customers and transactions that are just what was searched for. */
  const answerFound = ({ path }: { readonly path: string }) => {
    const parameters = new URL(path, 'http://upstream').searchParams;
    const found = { ...money, first_name: parameters.get('search'), type: parameters.get('type') };
    return pageOf(
      recordsOf(9).map((record) => ({ ...record, ...found })),
      path,
    );
  };
  const searchable = { 'listCustomers.search': 'search', 'listCustomerTransactions.type': 'type' };
  const searchDocument = `query ($first: Int, $search: String) {
    list: customers(first: $first, search: $search) { edges { cursor } }
  }`;

  const strangers: readonly [name: string, cursor: () => Promise<string>][] = [
    ['another list', () => cursorFrom(banksDocument)],
    ['the customers', () => cursorFrom(searchDocument)],
    ['another list of the same customer', () => cursorFrom(virtualAccountsDocument)],
    ['another customer', () => cursorFrom(transactionsDocument, {}, 'r2')],
    ['another type', () => cursorFrom(transactionsDocument, { type: 'debit' })],
  ];

  it.each(strangers)('of %s is refused for the transactions of a customer without a call', async (_, cursor) => {
    const after = await cursor();
    const { gateway, upstream } = await startScripted(({ path }) => pageOf([], path), { contract: searchable });
    const answer = await query(gateway, transactionsDocument, { variables: { after } });
    expect(codes(answer)).toEqual(['INVALID_CURSOR']);
    expect(upstream.requests).toEqual([]);
  });

  it.each(['=', ' ', '\n'])(
    'in another spelling of its Base64 is refused without a call: with %j behind it',
    async (more) => {
      const after = `${await cursorFrom(transactionsDocument)}${more}`;
      const { gateway, upstream } = await startScripted(({ path }) => pageOf([], path), { contract: searchable });
      const answer = await query(gateway, transactionsDocument, { variables: { after } });
      expect(codes(answer)).toEqual(['INVALID_CURSOR']);
      expect(upstream.requests).toEqual([]);
    },
  );

  it.each([
    ['no search', undefined, 'ada'],
    ['another search', 'ada', 'eve'],
    ['a search where there is none', 'ada', undefined],
    ['a search that differs in case', 'ada', 'Ada'],
    ['an empty search', '', undefined],
  ])('of %s is refused without a call', async (_, given, wanted) => {
    const after = await cursorFrom(searchDocument, { search: given });
    const { gateway, upstream } = await startScripted(({ path }) => pageOf([], path), { contract: searchable });
    const answer = await readCustomers(gateway, { after, search: wanted });
    expect(codes(answer)).toEqual(['INVALID_CURSOR']);
    expect(upstream.requests).toEqual([]);
  });

  it('continues the same search', async () => {
    const after = await cursorFrom(searchDocument, { search: 'ada' });
    const { gateway } = await startScripted(answerFound, { contract: searchable });
    const { data, errors } = await readCustomers(gateway, { first: 2, after, search: 'ada' });
    expect(errors).toEqual([]);
    expect(idsOf(data.list.nodes)).toEqual(['r4', 'r5']);
  });

  it('continues on another gateway', async () => {
    const after = (await cursorsOf(9))[4];
    const { gateway } = await startPaged(9);
    const { data } = await readCustomers(gateway, { first: 2, after });
    expect(idsOf(data.list.nodes)).toEqual(['r6', 'r7']);
  });

  it('holds no search text, identifier or address', async () => {
    const ofSearch = decodeCursor(await cursorFrom(searchDocument, { search: 'Lovelace' }));
    const ofCustomer = decodeCursor(await cursorFrom(transactionsDocument, { type: 'withdrawal' }, 'cust-778899'));
    expect(ofSearch).toMatch(/^1:[\w-]{16}:\d+$/);
    expect(ofCustomer).toMatch(/^1:[\w-]{16}:\d+$/);
    const shown = `${ofSearch} ${ofCustomer}`.toLowerCase();
    for (const text of [
      'lovelace',
      'withdrawal',
      '778899',
      'http',
      '127.0.0.1',
      'test-key',
      'test-token',
      'customers',
    ]) {
      expect(shown).not.toContain(text);
    }
  });
});

describe('a filter', () => {
  it('that the contract does not name is refused by row without a call', async () => {
    const { gateway, upstream } = await startPaged(50);
    const answer = await readCustomers(gateway, { search: 'ada' });
    expect(answer.data.list).toBeNull();
    expect(answer.errors).toMatchObject([
      { path: ['list'], extensions: { code: 'BAD_USER_INPUT', row: 'listCustomers.search' } },
    ]);
    expect(answer.errors[0]?.message).not.toContain('ada');
    expect(upstream.requests).toEqual([]);
  });

  it('of settlement banks that the contract does not name is refused by row without a call', async () => {
    const { gateway, upstream } = await startPaged(50);
    const { errors } = await query(gateway, '{ settlementBanks(search: "") { totalCount } }');
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', row: 'listSettlementBanks.search' } }]);
    expect(upstream.requests).toEqual([]);
  });

  it('by type that the contract does not name is refused by row without a call', async () => {
    const { gateway, upstream } = await startPaged(50);
    const { errors } = await query(gateway, transactionsDocument, { variables: { type: 'debit' } });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', row: 'listCustomerTransactions.type' } }]);
    expect(upstream.requests).toEqual([]);
  });

  it('of null is none', async () => {
    const { gateway, upstream } = await startPaged(5);
    const { errors } = await query(gateway, '{ customers(search: null) { totalCount } }');
    expect(errors).toEqual([]);
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/api/v1/customers/?page=1&per_page=20']);
  });

  it.each([
    ['ada', 'search=ada'],
    ['a b&page=9#x', 'search=a%20b%26page%3D9%23x'],
    ['é+%', 'search=%C3%A9%2B%25'],
    ['', 'search='],
  ])('of `%s` is sent as %s where the contract names its parameter', async (search, parameter) => {
    const { gateway, upstream } = await startScripted(({ path }) => pageOf([], path), {
      contract: { 'listCustomers.search': 'search' },
    });
    const { errors } = await readCustomers(gateway, { search });
    expect(errors).toEqual([]);
    expect(upstream.requests.map(({ path }) => path)).toEqual([`/api/v1/customers/?page=1&per_page=20&${parameter}`]);
  });

  it('is sent on every page of the walk', async () => {
    const records = recordsOf(20).map((record) => ({ ...record, first_name: 'Ada' }));
    const { gateway, upstream } = await startScripted(({ path }) => pageOf(records, path, 7), {
      contract: { 'listCustomers.search': 'q' },
    });
    const windows = await walk(
      (window) => readCustomers(gateway, { ...window, search: 'ada' }),
      () => 10,
    );
    expect(windows.flat()).toEqual(idsOf(recordsOf(20)));
    expect(upstream.requests.map(({ path }) => path.split('&').at(-1))).toEqual(upstream.requests.map(() => 'q=ada'));
  });

  it.each([
    ['too long', 'x'.repeat(256)],
    ['with a control character', 'a\u0000b'],
    ['with half a character', '\ud800'],
  ])('that is text %s is refused without a call', async (_, search) => {
    const { gateway, upstream } = await startScripted(({ path }) => pageOf([], path), {
      contract: { 'listCustomers.search': 'search' },
    });
    expect(codes(await readCustomers(gateway, { search }))).toEqual(['BAD_USER_INPUT']);
    expect(upstream.requests).toEqual([]);
  });
});
