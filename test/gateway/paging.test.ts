import { describe, expect, it } from 'vitest';
import { codes, query, startScripted } from '../support/gateway.ts';
import {
  askedPage,
  cutPage,
  idsOf,
  page,
  readCustomers,
  readWindow,
  recordsOf,
  startsOf,
  styleOf,
  walkCustomers,
  type Script,
} from '../support/upstream/paging.ts';
import { pageOf, success } from '../support/upstream/upstream.ts';

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

describe('the calls of a window', () => {
  it('are one for each window of a walk whose windows are equal, and two for one that begins inside a page', async () => {
    const { gateway, upstream } = await startPaged(50);
    expect(await walkCustomers(gateway, 10)).toEqual(idsOf(recordsOf(50)));
    const asked = upstream.requests.map(({ path }) => askedPage(path));
    expect(asked).toEqual([1, 2, 3, 4, 5].map((number) => ({ page: number, perPage: 10 })));
    const { data } = await readCustomers(gateway, { first: 10 });
    const before = upstream.requests.length;
    await readCustomers(gateway, { first: 10, after: data.list.edges[3].cursor });
    expect(upstream.requests.length - before).toBe(2);
  });

  it('ask for the size of pages that the service has, without a parameter, where it takes none', async () => {
    const { gateway, upstream } = await startScripted(({ path }) => success(cutPage(recordsOf(50), path, 20).data), {
      contract: { 'lists.perPage': null, 'lists.maxPageSize': 20 },
    });
    expect(await walkCustomers(gateway, 5, 30)).toEqual(idsOf(recordsOf(50)));
    expect(upstream.requests.map(({ path }) => path.replace(/^.*\?/, ''))).toEqual(
      [1, 1, 2, 2, 3].map((number) => `page=${number}`),
    );
  });

  it('are shared by equal lists of one request', async () => {
    const { gateway, upstream } = await startPaged(50);
    const document = '{ a: customers(first: 5) { nodes { id } } b: customers(first: 5) { totalCount } }';
    const { errors } = await query(gateway, document);
    expect(errors).toEqual([]);
    expect(upstream.requests).toHaveLength(1);
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

  it('keeps the rest of the answer where a total is too large for an Int', async () => {
    const { list, errors } = await readWindow(() => page(recordsOf(5), { total: 3_000_000_000 }), {}, { first: 5 });
    expect(idsOf(list.nodes)).toEqual(idsOf(recordsOf(5)));
    expect(list.totalCount).toBeNull();
    expect(errors.map(({ extensions }) => extensions['code'])).not.toContain('INTERNAL_SERVER_ERROR');
  });

  it('has no totalCount where the service reports none', async () => {
    const { list, errors } = await readWindow(() => success(recordsOf(3)));
    expect(errors).toEqual([]);
    expect(list).toMatchObject({ nodes: recordsOf(3), totalCount: null });
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
    altered(/^2:/, '1:'),
    altered(/^2:/, ''),
    ...['99999999999', '1000000000', '-1', '1.5', ''].map((odd) => altered(/\d+$/, odd)),
    ...['99999999999', '-1', '1.5', '', '0', '101'].map((odd) => altered(/5(?=:3:0:1$)/, odd)),
    altered(/0(?=:1$)/, ''),
    altered(/$/, ':1'),
    altered(/:.{10}:/, `:${'A'.repeat(10)}:`),
    // As 0.1.0 and 0.2.0 wrote them.
    () => Buffer.from(`1:${'A'.repeat(16)}:3`).toString('base64url'),
    () => Buffer.from(`1:${'A'.repeat(22)}:5:3:=token`).toString('base64url'),
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

  it('of one page style is none where the contract names another', async () => {
    const after = await cursorFrom(customersDocument);
    for (const style of ['offset', 'cursor', 'none']) {
      const { errors, calls } = await readWindow(answerFound, styleOf(style), { after });
      expect([errors.map(({ extensions }) => extensions['code']), calls]).toEqual([['INVALID_CURSOR'], 0]);
    }
  });

  it('continues the same search on another gateway', async () => {
    const after = await cursorFrom(customersDocument, { search: 'ada' });
    const { list } = await readWindow(answerFound, searchable, { first: 2, after, search: 'ada' });
    expect(idsOf(list.nodes)).toEqual(['r4', 'r5']);
  });

  it('holds no search text, identifier or address', async () => {
    const ofSearch = decodeCursor(await cursorFrom(customersDocument, { search: 'Lovelace' }));
    const ofCustomer = decodeCursor(await cursorFrom(transactionsDocument, { type: 'withdrawal' }, 'cust-778899'));
    expect(ofSearch).toMatch(/^2:[\w-]{10}:5:3:0:1$/);
    expect(ofCustomer).toMatch(/^2:[\w-]{10}:5:3:0:1$/);
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
