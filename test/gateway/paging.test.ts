import { array, assert, asyncProperty, integer, oneof } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createContract, type RowId } from '../../src/contract/contract.ts';
import { stopClock } from '../support/clock.ts';
import { codes, query, startGateway, startScripted } from '../support/gateway.ts';
import {
  askedPage,
  cutPage,
  idsOf,
  metaPage,
  page,
  parametersOf,
  readCustomers,
  readWindow,
  recordsOf,
  startsOf,
  surprise,
  walk,
  walkCustomers,
  walkToError,
  type Cut,
  type Rows,
  type Script,
} from '../support/paging.ts';
import { pageOf, success, type Reply } from '../support/upstream.ts';

/** A gateway over customers that come in pages of at most `cap`. */
const startPaged = (length: number, cap = 100) => {
  const records = recordsOf(length);
  return startScripted(({ path }) => pageOf(records, path, cap));
};

/** The cursors of all records, from a gateway of its own so that the one under test knows nothing yet. */
const cursorsOf = async (length: number) =>
  (await startsOf(({ path }) => pageOf(recordsOf(length), path))).slice(1) as readonly string[];

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

describe('a walk along the end cursors', () => {
  /** Windows of `firstAt(step)` records each; one empty window where there are none. */
  const windowsOf = (ids: readonly string[], firstAt: (step: number) => number, step = 0): (readonly string[])[] => {
    const rest = ids.slice(firstAt(step));
    return [ids.slice(0, firstAt(step)), ...(rest.length === 0 ? [] : windowsOf(rest, firstAt, step + 1))];
  };
  const smallOrAny = oneof(integer({ min: 1, max: 12 }), integer({ min: 1, max: 100 }));

  it('gives every record once, in order and in full windows', { timeout: 60_000 }, async () => {
    await assert(
      asyncProperty(
        smallOrAny,
        integer({ min: 0, max: 40 }),
        array(smallOrAny, { minLength: 1, maxLength: 8 }),
        async (cap, length, steps) => {
          const { gateway } = await startPaged(length, cap);
          const firstAt = (step: number) => steps[step % steps.length] ?? 1;
          const windows = await walk((window) => readCustomers(gateway, window), firstAt);
          expect(windows).toEqual(windowsOf(idsOf(recordsOf(length)), firstAt));
        },
      ),
      {
        seed: 20_260_101,
        numRuns: 30,
        examples: [
          [1, 7, [3]],
          [7, 7, [7]],
          [100, 0, [1]],
          [10, 20, [20]],
        ],
      },
    );
  });

  it('gives every record once where several walks run at the same time', async () => {
    const { gateway } = await startPaged(50, 7);
    const walks = await Promise.all([3, 10, 20, 100].map((first) => walkCustomers(gateway, first)));
    expect(walks).toEqual([3, 10, 20, 100].map(() => idsOf(recordsOf(50))));
  });
});

describe('the calls of a window', () => {
  it('are one where it is aligned and two where it is not', async () => {
    const { gateway, upstream } = await startPaged(50);
    const starts = [null, ...(await cursorsOf(50))];
    for (const first of [1, 2, 5, 7, 12]) {
      for (let start = 0; start < 15; start += 1) {
        const before = upstream.requests.length;
        const { data } = await readCustomers(gateway, { first, after: starts[start] });
        const isAligned = start % first === 0;
        expect(idsOf(data.list.nodes)).toEqual(idsOf(recordsOf(50)).slice(start, start + first));
        expect(upstream.requests.length - before, `first ${first} from ${start}`).toBe(2 - Number(isAligned));
      }
    }
  });

  it.each([
    [1, 7, 0],
    [1, 20, 13],
    [3, 11, 5],
    [7, 20, 13],
    [10, 100, 5],
  ])(
    'are at most ceil(first / size) + 1 more where pages turn out to hold %i: first %i from %i',
    async (size, first, start) => {
      const starts = [null, ...(await cursorsOf(50))];
      const { gateway, upstream } = await startPaged(50, size);
      const { data, errors } = await readCustomers(gateway, { first, after: starts[start] });
      const tried = Math.ceil(((start % first) + first) / first);
      expect(errors).toEqual([]);
      expect(idsOf(data.list.nodes)).toEqual(idsOf(recordsOf(50)).slice(start, start + first));
      expect(upstream.requests.length).toBeLessThanOrEqual(tried + Math.ceil(first / size) + 1);
    },
  );

  it('do not try the larger page size again once it is known', async () => {
    const { gateway, upstream } = await startPaged(50, 7);
    const { data } = await readCustomers(gateway, { first: 20 });
    const before = upstream.requests.length;
    await readCustomers(gateway, { first: 20, after: data.list.pageInfo.endCursor });
    await readCustomers(gateway, { first: 30 });
    expect(before).toBe(3);
    expect(upstream.requests.slice(before).map(({ path }) => askedPage(path))).toEqual(
      [3, 4, 5, 6, 1, 2, 3, 4, 5].map((number) => ({ page: number, perPage: 7 })),
    );
  });

  it('try the larger page size again after ten minutes', async () => {
    const pass = stopClock();
    const { gateway, upstream } = await startPaged(50, 7);
    const sizes: number[] = [];
    for (const passedMs of [0, 600_000, 1]) {
      pass(passedMs);
      const before = upstream.requests.length;
      await readCustomers(gateway, { first: 20 });
      sizes.push(askedPage(upstream.requests[before]?.path ?? '').perPage);
    }
    expect(sizes).toEqual([20, 7, 20]);
  });

  it.each([{ last_page: 1 }, { total: 1 }])(
    'do not grow for other lists because a list that has a single page reports its own length as the page size, by %j',
    async (meta) => {
      const records = recordsOf(50, { amount: '1.00' });
      const { gateway, upstream } = await startScripted(({ path }) =>
        path.startsWith('/api/v1/customers/short/')
          ? page(records.slice(0, 1), { current_page: 1, per_page: 1, ...meta })
          : pageOf(records, path),
      );
      const document = `query ($customer: _Any!) {
        _entities(representations: [$customer]) { ... on Customer { transactions(first: 20) { nodes { id } } } }
      }`;
      await query(gateway, document, { variables: { customer: { __typename: 'Customer', id: 'short' } } });
      await query(gateway, document, { variables: { customer: { __typename: 'Customer', id: 'long' } } });
      expect(upstream.requests).toHaveLength(2);
    },
  );

  it('are shared by equal lists of one request', async () => {
    const { gateway, upstream } = await startPaged(50);
    const document = '{ a: customers(first: 5) { nodes { id } } b: customers(first: 5) { totalCount } }';
    const { errors } = await query(gateway, document);
    expect(errors).toEqual([]);
    expect(upstream.requests).toHaveLength(1);
  });
});

const asAsked = (asked: number) => asked;
const upTo7 = (asked: number) => Math.min(7, asked);
const reported = ({ page: current_page, size: per_page, lastPage: last_page, total }: Cut) => {
  return { current_page, per_page, last_page, total };
};
const lastFrom0 = (cut: Cut) => ({ ...reported(cut), last_page: cut.lastPage - 1 });
/** The last page in place of every page behind the end. */
const lastAgain = (cut: Cut, records: readonly unknown[]) =>
  cut.page > cut.lastPage ? { ...cut, page: cut.lastPage, data: records.slice((cut.lastPage - 1) * cut.size) } : cut;

/** What a service may answer instead of the form that the contract assumes, at the page size that it makes of the asked one. */
const dialects: readonly [name: string, size: typeof asAsked, reply: (cut: Cut, all: readonly unknown[]) => Reply][] = [
  ['a bare array', asAsked, ({ data }) => ({ json: data })],
  ['an array as data', asAsked, ({ data }) => success(data)],
  ['an array as data without `success`', asAsked, ({ data }) => ({ json: { data } })],
  ['data and meta', asAsked, (cut) => metaPage(cut.data, reported(cut))],
  ['data and meta, capped at 7', upTo7, (cut) => metaPage(cut.data, reported(cut))],
  [
    'numbers as text',
    upTo7,
    (cut) => page(cut.data, Object.fromEntries(Object.entries(reported(cut)).map(([name, at]) => [name, `${at}`]))),
  ],
  ['a last page and nothing else', asAsked, ({ data, lastPage }) => page(data, { last_page: lastPage })],
  ['a total beside a last page counted from 0', asAsked, (cut) => page(cut.data, lastFrom0(cut))],
  ['a total and nothing else', asAsked, ({ data, total }) => page(data, { total })],
  ['a total, silently capped at 7', upTo7, ({ data, total }) => metaPage(data, { total })],
  ['a total and silent pages of always 10', () => 10, ({ data, total }) => metaPage(data, { total })],
  ['reported pages of always 10', () => 10, (cut) => page(cut.data, reported(cut))],
  ['a total and silent pages of always 50', () => 50, ({ data, total }) => metaPage(data, { total })],
  ['reported pages of always 50', () => 50, (cut) => page(cut.data, { ...reported(cut), total: undefined })],
  [
    'the last page again behind the end',
    asAsked,
    (cut, all) => page(lastAgain(cut, all).data, reported(lastAgain(cut, all))),
  ],
  [
    'the last page again behind the end, with a total but without its number',
    asAsked,
    (cut, all) => page(lastAgain(cut, all).data, { total: cut.total }),
  ],
  ['the whole list with its total, whatever is asked', asAsked, ({ total }, all) => metaPage(all, { total })],
];

describe('a service of another dialect', () => {
  it.each(dialects)('gives every record once: %s', async (_, size, reply) => {
    for (const length of [0, 20, 23]) {
      const records = recordsOf(length);
      const { gateway } = await startScripted(({ path }) =>
        reply(cutPage(records, path, size(askedPage(path).perPage)), records),
      );
      for (const steps of [[8, 3, 20], [11]]) {
        expect(await walkCustomers(gateway, ...steps), `${length} records, first ${steps.join()}`).toEqual(
          idsOf(records),
        );
      }
    }
  });

  it.each([
    ['always 10 a page', 23, 3, () => 10],
    ['at most 7 a page', 17, 10, upTo7],
  ])('gives every record once across two gateways where it hides its page size: %s', async (_, length, first, size) => {
    const records = recordsOf(length);
    const { gateway, upstream } = await startScripted(({ path }) => {
      const { data, total } = cutPage(records, path, size(askedPage(path).perPage));
      return metaPage(data, { total });
    });
    const other = await startGateway({ upstream: upstream.url });
    const windows = await walk(
      (window) => readCustomers(gateway, window),
      () => first,
    );
    const before = windows.slice(0, -1).flat();
    const { data } = await readCustomers(gateway, { first: before.length });
    const { data: rest } = await readCustomers(other, { first, after: data.list.pageInfo.endCursor });
    expect([...before, ...idsOf(rest.list.nodes)]).toEqual(idsOf(records));
  });

  const always20 = () => 20;
  const from10 = (asked: number) => Math.max(10, asked);
  const hidden: readonly [name: string, (asked: number) => number, (cut: Cut) => Rows, ...steps: readonly number[]][] =
    [
      ['always 20 a page, and the last one', always20, ({ lastPage }) => ({ last_page: lastPage }), 20, 1],
      ['always 20 a page, and a total', always20, ({ total }) => ({ total }), 20, 5],
      ['at least 10 a page, and a total', from10, ({ total }) => ({ total }), 20, 5, 20, 20],
    ];

  it.each(hidden)('gives every record once, whatever size it honoured before: %s', async (_, size, meta, ...steps) => {
    const { gateway } = await startScripted(
      ({ path }) => {
        const records = recordsOf(Number(parametersOf(path).get('q') ?? 45));
        const cut = cutPage(records, path, size(askedPage(path).perPage));
        return metaPage(cut.data, meta(cut));
      },
      { contract: { 'listCustomers.search': 'q', 'listCustomers.searchMatch': 'none' } },
    );
    // A whole list of five looks like a full page of five; one of three fits any size.
    for (const search of ['3', '5']) {
      const { data } = await readCustomers(gateway, { first: 5, search });
      expect(data.list.nodes).toEqual(recordsOf(Number(search)));
    }
    expect(await walkCustomers(gateway, ...steps)).toEqual(idsOf(recordsOf(45)));
  });

  it.each([
    ['a plain array', 10, () => ({})],
    ['the size asked for', 1, (path: string) => ({ per_page: askedPage(path).perPage })],
  ])('is contradicted where it gives always 20 and tells %s', async (_, first, meta) => {
    const { gateway } = await startScripted(({ path }) => metaPage(cutPage(recordsOf(45), path, 20).data, meta(path)));
    const { ids, errors } = await walkToError(gateway, 20, first);
    expect(ids).toEqual(idsOf(recordsOf(20)));
    expect(errors).toMatchObject(surprise('lists.pageSize'));
  });

  const contradictions: readonly [name: string, row: RowId, reply: (path: string) => Reply][] = [
    ['no array anywhere', 'lists.records', () => success({ customers: [] })],
    ['records elsewhere beside a total of 0', 'lists.records', () => success({ customers: recordsOf(2), total: 0 })],
    [
      'records at the top beside a total of 0',
      'lists.records',
      () => ({ json: { customers: recordsOf(2), total: 0 } }),
    ],
    ['no data', 'lists.records', () => ({ json: { success: true } })],
    ['no array beside a total of 3', 'lists.records', () => ({ json: { page: { totalElements: 3 } } })],
    ['a page that was not asked for', 'lists.currentPage', () => page(recordsOf(5), { current_page: 2, last_page: 9 })],
    ['pages of over a thousand', 'lists.pageSize', () => page(recordsOf(5), { per_page: 1_001 })],
    ['another page of none', 'lists.currentPage', () => page([], { current_page: 2, last_page: 0 })],
    ['a page number that is not a number', 'lists.currentPage', () => page([], { current_page: 'one' })],
    ['a negative total', 'lists.total', () => page([], { total: -1 })],
    ['a total below what it gives', 'lists.total', () => page(recordsOf(3), { current_page: 1, total: 1 })],
    ['a page size that is not a whole number', 'lists.pageSize', () => page([], { per_page: 2.5 })],
    ['a negative last page', 'lists.lastPage', () => page([], { last_page: -1 })],
    ['a last page of another type', 'lists.lastPage', () => page([], { last_page: {} })],
    ['more records than its page size', 'lists.pageSize', () => page(recordsOf(6), { per_page: 5, total: 6 })],
    ['more records than its smaller page size', 'lists.pageSize', () => page(recordsOf(5), { per_page: 3, total: 5 })],
    [
      'another page size on all but the first page',
      'lists.pageSize',
      (path) => page(recordsOf(2), { per_page: askedPage(path).page === 1 ? 2 : 3, total: 9 }),
    ],
    [
      'another page size on the second page',
      'lists.pageSize',
      (path) => page(recordsOf(2), { per_page: [2, 3][askedPage(path).page - 1] ?? 2, total: 9 }),
    ],
  ];

  it.each(contradictions)('is contradicted by name where it answers %s', async (_, row, reply) => {
    const { list, errors } = await readWindow(({ path }) => reply(path), {}, { first: 5 });
    expect(list).toBeNull();
    expect(errors).toMatchObject(surprise(row));
    expect(errors).toMatchObject([{ path: ['list'], extensions: { operation: 'listCustomers' } }]);
    const ownRow = row.replace('lists', 'listCustomers');
    const own = await readWindow(({ path }) => reply(path), { [ownRow]: createContract()[row] }, { first: 5 });
    expect(own.errors).toMatchObject(surprise(ownRow));
  });

  it.each<[what: string, after: number, reply: (number: number) => Reply]>([
    ['report different sizes', 2, (number) => page(recordsOf(5), { per_page: 4 + number, last_page: 9 })],
    ['have different lengths', 4, (number) => success(recordsOf(3 + number))],
  ])('is contradicted by name where two pages for a window %s', async (_, after, reply) => {
    const script: Script = ({ path }) => reply(askedPage(path).page);
    const { list, errors } = await readWindow(script, {}, { first: 5, after: (await cursorsOf(9))[after] });
    expect(list).toBeNull();
    expect(errors).toMatchObject(surprise('lists.pageSize'));
  });

  it('keeps the rest of the answer where a total is too large for an Int', async () => {
    const { list, errors } = await readWindow(() => page(recordsOf(5), { total: 3_000_000_000 }), {}, { first: 5 });
    expect(idsOf(list.nodes)).toEqual(idsOf(recordsOf(5)));
    expect(list.totalCount).toBeNull();
    expect(errors.map(({ extensions }) => extensions['code'])).not.toContain('INTERNAL_SERVER_ERROR');
  });
});

describe('a connection', () => {
  it('says the same by edges and by nodes', async () => {
    const { gateway } = await startPaged(23, 7);
    const { data } = await readCustomers(gateway, { first: 12 });
    const { edges, nodes, pageInfo, totalCount } = data.list;
    expect(edges.map(({ node }: { readonly node: unknown }) => node)).toEqual(nodes);
    expect(pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: edges[0].cursor,
      endCursor: edges[11].cursor,
    });
    expect(totalCount).toBe(23);
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

  it.each<[total: number | null, json: object]>([
    [0, { success: true, data: [], meta: { total: 0 } }],
    [0, { success: true, data: { links: [{ rel: 'self', href: '/customers' }], total: 0 } }],
    [0, { success: true, data: null, meta: { total: 0 }, messages: ['No customers found.'] }],
    [null, { data: null, total: 0, sort: ['name'] }],
  ])('is empty, without cursors and with a total of %j, beside no record: %j', async (totalCount, json) => {
    const { list, errors } = await readWindow(() => ({ json }));
    const pageInfo = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null };
    expect(errors).toEqual([]);
    expect(list).toEqual({ edges: [], nodes: [], pageInfo, totalCount });
  });

  it('is empty behind the end of the list', async () => {
    const { gateway } = await startPaged(5);
    const { data, errors } = await readCustomers(gateway, { first: 5, after: (await cursorsOf(23))[20] });
    expect(errors).toEqual([]);
    expect(data.list).toMatchObject({ nodes: [], pageInfo: { hasNextPage: false } });
  });

  it('has no totalCount where the service reports none', async () => {
    const { list, errors } = await readWindow(() => success(recordsOf(3)));
    expect(errors).toEqual([]);
    expect(list).toMatchObject({ nodes: recordsOf(3), totalCount: null });
  });

  it('takes a full page without a total to have a next one', async () => {
    const { gateway } = await startScripted(({ path }) => success(cutPage(recordsOf(10), path).data));
    for (const first of [5, 6, 11]) {
      const { data } = await readCustomers(gateway, { first });
      expect(data.list.pageInfo.hasNextPage, `first ${first}`).toBe(first < 11);
    }
  });

  it.each([
    ['a record without an id', { first_name: 'Ada' }, '/data/data/2/id'],
    ['a record whose id is an object', { id: {} }, '/data/data/2/id'],
    ['null', null, '/data/data/2'],
    ['a list', [], '/data/data/2'],
  ])('nulls only the slot of %s, and continues behind it', async (_, odd, jsonPath) => {
    const records = recordsOf(5).with(2, odd as never);
    const { gateway } = await startScripted(({ path }) => pageOf(records, path));
    const { data, errors } = await query(gateway, '{ customers(first: 5) { edges { cursor node { id } } } }');
    const { edges } = data.customers;
    const extensions = { code: 'UPSTREAM_INVALID_RESPONSE', operation: 'listCustomers', row: 'customer.id', jsonPath };
    expect(edges.map(({ node }: { readonly node: unknown }) => node)).toEqual(recordsOf(5).with(2, null as never));
    expect(errors).toMatchObject([{ path: ['customers', 'edges', 2, 'node'], extensions }]);
    const next = await readCustomers(gateway, { first: 5, after: edges[2].cursor });
    expect(idsOf(next.data.list.nodes)).toEqual(['r4', 'r5']);
  });
});

describe('`first`', () => {
  it('is refused below 1, above 100 and as no whole number, without a call', async () => {
    const { gateway, upstream } = await startPaged(50);
    const ask = async (first: string) => codes(await query(gateway, `{ customers(first: ${first}) { totalCount } }`));
    for (const first of ['0', '101', '-1']) expect(await ask(first), `for ${first}`).toEqual(['BAD_USER_INPUT']);
    for (const first of ['1.5', '"10"', '3000000000']) expect(await ask(first)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    expect(upstream.requests).toEqual([]);
  });

  it.each(['(first: null)', '', '(first: $none)'])('is 20 where the arguments are `%s`', async (given) => {
    const { gateway, upstream } = await startPaged(50);
    const { data } = await query(
      gateway,
      `query ($none: Int) { customers${given} { nodes { id } } none: customers(first: $none) { totalCount } }`,
    );
    expect(data.customers.nodes).toEqual(recordsOf(20));
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/api/v1/customers/?page=1&per_page=20']);
  });
});

const decodeCursor = (cursor: string) => Buffer.from(cursor, 'base64url').toString('utf8');
const altered = (pattern: RegExp, by: string) => (cursor: string) =>
  Buffer.from(decodeCursor(cursor).replace(pattern, by)).toString('base64url');

describe('a cursor', () => {
  const searchable = { 'listCustomers.search': 'search', 'listCustomerTransactions.type': 'type' };
  /** Customers and transactions that are just what was searched for. */
  const answerFound: Script = ({ path }) => {
    const parameters = new URL(path, 'http://upstream').searchParams;
    const found = { amount: '1.00', first_name: parameters.get('search'), type: parameters.get('type') };
    return pageOf(recordsOf(9, found), path);
  };
  const cursorFrom = async (document: string, variables: Readonly<Record<string, unknown>> = {}, id = 'r1') => {
    const { gateway } = await startScripted(answerFound, { contract: searchable });
    const { data } = await query(gateway, document.replace('"r1"', `"${id}"`), {
      variables: { first: 5, ...variables },
    });
    return (data.list ?? data.entities[0].list).edges[2].cursor as string;
  };
  const customersDocument = `query ($first: Int, $search: String) {
    list: customers(first: $first, search: $search) { edges { cursor } }
  }`;
  const ofOthers: readonly Parameters<typeof cursorFrom>[] = [
    [banksDocument],
    [customersDocument],
    [virtualAccountsDocument],
    [transactionsDocument, {}, 'r2'],
    [transactionsDocument, { type: 'debit' }],
    [transactionsDocument, { type: '' }],
  ];
  const alterations: readonly ((cursor: string) => string)[] = [
    altered(/^1:/, '2:'),
    altered(/^1:/, ''),
    altered(/\d+$/, '99999999999'),
    altered(/\d+$/, '1000000000'),
    altered(/\d+$/, '-1'),
    altered(/\d+$/, '1.5'),
    altered(/\d+$/, ''),
    altered(/$/, ':1'),
    altered(/:.{22}:/, `:${'A'.repeat(22)}:`),
    (cursor) => cursor.slice(0, 12),
    // Other spellings of its Base64.
    (cursor) => `${cursor}=`,
    (cursor) => `${cursor}\n`,
  ];

  it('that is none of this list is refused without a call', async () => {
    const { gateway, upstream } = await startScripted(answerFound, { contract: searchable });
    const own = await cursorFrom(transactionsDocument);
    const others = await Promise.all(ofOthers.map((args) => cursorFrom(...args)));
    const odd = ['garbage', '%%% 🙈', '', 'a'.repeat(10_000)];
    for (const after of [...odd, ...others, ...alterations.map((alter) => alter(own))]) {
      const answer = await query(gateway, transactionsDocument, { variables: { after } });
      expect(codes(answer), `for ${after.slice(0, 100)}`).toEqual(['INVALID_CURSOR']);
    }
    expect(upstream.requests).toEqual([]);
  });

  it('continues the same search on another gateway', async () => {
    const after = await cursorFrom(customersDocument, { search: 'ada' });
    const { list } = await readWindow(answerFound, searchable, { first: 2, after, search: 'ada' });
    expect(idsOf(list.nodes)).toEqual(['r4', 'r5']);
  });

  it('holds no search text, identifier or address', async () => {
    const ofSearch = decodeCursor(await cursorFrom(customersDocument, { search: 'Lovelace' }));
    const ofCustomer = decodeCursor(await cursorFrom(transactionsDocument, { type: 'withdrawal' }, 'cust-778899'));
    expect(ofSearch).toMatch(/^1:[\w-]{22}:\d+$/);
    expect(ofCustomer).toMatch(/^1:[\w-]{22}:\d+$/);
    expect(`${ofSearch} ${ofCustomer}`).not.toMatch(/lovelace|withdrawal|778899|http|127\.0\.0\.1|test-|customers/i);
  });
});

describe('a filter', () => {
  it.each([
    ['{ list: customers(search: "ada") { totalCount } }', 'listCustomers.search'],
    ['{ list: settlementBanks(search: "") { totalCount } }', 'listSettlementBanks.search'],
    [entity('transactions(type: "ada") { totalCount }').replace(/\(.*?\)/, ''), 'listCustomerTransactions.type'],
  ])('that the contract does not name is refused by row without a call: %s', async (document, row) => {
    const { gateway, upstream } = await startPaged(50);
    const { errors } = await query(gateway, document);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', row } }]);
    expect(errors[0]?.message).not.toContain('ada');
    expect(upstream.requests).toEqual([]);
  });

  const named = { 'listCustomers.search': 'search' };

  it.each([
    [null, ''],
    ['ada', '&search=ada'],
    ['a b&page=9#x', '&search=a%20b%26page%3D9%23x'],
    ['é+%', '&search=%C3%A9%2B%25'],
    ['', '&search='],
  ])('of `%s` is sent as `%s` where the contract names its parameter', async (search, parameter) => {
    const { gateway, upstream } = await startScripted(({ path }) => pageOf([], path), { contract: named });
    const { errors } = await readCustomers(gateway, { search });
    expect(errors).toEqual([]);
    expect(upstream.requests.map(({ path }) => path)).toEqual([`/api/v1/customers/?page=1&per_page=20${parameter}`]);
  });

  it.each([20, 10, 7])('is not held against a total of the whole list, by pages of %i', async (first) => {
    const script: Script = ({ path }) => {
      const cut = cutPage(recordsOf(20, { first_name: 'Ada' }), path);
      return { json: { data: cut.data, meta: { total: 20 }, total_records: 100 } };
    };
    const { errors, list } = await readWindow(script, named, { search: 'ada', first });
    expect(errors).toEqual([]);
    expect(list.nodes).toHaveLength(first);
  });

  it('finds an accent in either of its two forms, and its bare letter, and is sent as it was written', async () => {
    const records = [
      { id: 'c1', first_name: 'Jos\u00E9' },
      { id: 'c2', first_name: 'Jose\u0301' },
    ];
    const { gateway, upstream } = await startScripted(({ path }) => pageOf(records, path), { contract: named });
    for (const search of ['jos\u00E9', 'jose\u0301', 'jose']) {
      const { errors, data } = await readCustomers(gateway, { search });
      expect(errors).toEqual([]);
      expect(idsOf(data.list.nodes)).toEqual(['c1', 'c2']);
      expect(upstream.requests.at(-1)?.path).toContain(`&search=${encodeURIComponent(search)}`);
    }
  });

  it.each([
    ['too long', 'x'.repeat(256)],
    ['with a control character', 'a\u0000b'],
    ['with half a character', '\ud800'],
  ])('that is text %s is refused without a call', async (_, search) => {
    const { errors, calls } = await readWindow(({ path }) => pageOf([], path), named, { search });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(calls).toBe(0);
  });
});
