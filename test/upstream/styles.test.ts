import { describe, expect, it } from 'vitest';
import { codes, query, startGateway, startScripted } from '../support/gateway.ts';
import { idsOf, rawJson, readCustomers, recordsOf, walk, walkCustomers, type Window } from '../support/paging.ts';
import { failure, success, type Reply, type SeenRequest } from '../support/upstream.ts';

type Script = (request: SeenRequest) => Reply;

const pairs = <Left, Right>(left: readonly Left[], right: readonly Right[]) =>
  left.flatMap((a) => right.map((b) => [a, b] as const));

const caps = [1, 3, 7, 100];
const lengths = [0, 1, 7, 23];
const firsts = [1, 2, 5, 7, 20, 100];

const parametersOf = (path: string) => new URL(path, 'http://upstream').searchParams;
const countOf = (path: string, name: string) => Number(parametersOf(path).get(name));

/** What an offset service tells of a page beside its records. */
const tellings = {
  'a total': (total: number) => ({ total }),
  'its page size': (_: number, per_page: number) => ({ per_page }),
  'both, as text': (total: number, per_page: number) => ({ total: `${total}`, per_page: `${per_page}` }),
} as const;
type Telling = keyof typeof tellings;
const allTellings = Object.keys(tellings) as Telling[];

const offsetScript =
  (records: readonly unknown[], cap: number, telling: Telling): Script =>
  ({ path }) => {
    const offset = countOf(path, 'offset');
    const size = Math.min(countOf(path, 'limit'), cap);
    return success({ data: records.slice(offset, offset + size), ...tellings[telling](records.length, size) });
  };

/** Pages that are chained by tokens; `sizeAt` is how many records the page from an offset on has at most. */
const tokenScript =
  (records: readonly unknown[], sizeAt: (offset: number) => number): Script =>
  ({ path }) => {
    const offset = Number(parametersOf(path).get('cursor')?.slice('from:'.length) ?? 0);
    const data = records.slice(offset, offset + Math.min(countOf(path, 'limit'), sizeAt(offset)));
    const end = offset + data.length;
    return { json: { data, meta: { next_cursor: end < records.length ? `from:${end}` : null } } };
  };

const wholeScript =
  (records: readonly unknown[]): Script =>
  () =>
    success(records);

const names = ['listSettlementBanks', 'listCustomers', 'listCustomerTransactions', 'listCustomerVirtualAccounts'];
const styleOf = (style: string) => Object.fromEntries(names.map((name) => [`${name}.pageStyle`, style]));
const offset = styleOf('offset');
const cursor = styleOf('cursor');
const none = styleOf('none');

const startOffset = (length: number, cap: number, telling: Telling, rows: object = {}) =>
  startScripted(offsetScript(recordsOf(length), cap, telling), { contract: { ...offset, ...rows } });
const startToken = (length: number, sizeAt: (offset: number) => number) =>
  startScripted(tokenScript(recordsOf(length), sizeAt), { contract: cursor });

/** The cursor behind each record of a list, and before them the one that is none. */
const startsOf = async (script: Script, contract: Readonly<Record<string, unknown>>) => {
  const { gateway } = await startScripted(script, { contract });
  const { data, errors } = await readCustomers(gateway, { first: 100 });
  expect(errors).toEqual([]);
  return [null, ...data.list.edges.map((edge: { readonly cursor: string }) => edge.cursor)] as (string | null)[];
};

const banksDocument = `query ($first: Int, $after: String) {
  list: settlementBanks(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } }
}`;
const below = (selection: string) => `query ($first: Int, $after: String, $id: ID!) {
  customer(id: $id) { list: ${selection}(first: $first, after: $after) {
    nodes { id } edges { cursor } pageInfo { hasNextPage endCursor }
  } }
}`;
const isList = (path: string) =>
  /\/(?:customers\/|settlement-banks\/|transactions|virtual-accounts)(?:\?|$)/.test(path);
const movements = (count: number) => recordsOf(count).map((record) => ({ ...record, amount: '1.00' }));

/** The styles with an upstream of each that has 23 records and gives at most 7 a page. */
const styles: readonly [name: string, contract: Readonly<Record<string, unknown>>, script: Script][] = [
  ['offset', offset, offsetScript(movements(23), 7, 'a total')],
  ['cursor', cursor, tokenScript(movements(23), () => 7)],
  ['none', none, wholeScript(movements(23))],
];

describe('a list paged by offset', () => {
  it.each(pairs(allTellings, caps))(
    'gives every record once where the service tells %s and gives at most %i',
    async (telling, cap) => {
      for (const length of lengths) {
        const { gateway } = await startOffset(length, cap, telling);
        for (const first of firsts) {
          const found = await walkCustomers(gateway, () => first);
          expect(found, `${length} records, first ${first}`).toEqual(idsOf(recordsOf(length)));
        }
      }
    },
  );

  it.each(pairs(caps, firsts))(
    'costs ceil(first / cap) calls at every position where the contract names the cap: %i, first %i',
    async (cap, first) => {
      const starts = await startsOf(offsetScript(recordsOf(23), 100, 'a total'), offset);
      const { gateway, upstream } = await startOffset(23, cap, 'a total', { 'lists.maxPageSize': cap });
      for (const [start, after] of starts.entries()) {
        const before = upstream.requests.length;
        const { data } = await readCustomers(gateway, { first, after });
        expect(idsOf(data.list.nodes), `from ${start}`).toEqual(idsOf(recordsOf(23)).slice(start, start + first));
        expect(upstream.requests.length - before, `from ${start}`).toBe(Math.ceil(first / cap));
      }
    },
  );

  it.each(pairs(allTellings, pairs([1, 3, 7], [0, 5, 20])))(
    'costs at most ceil(first / cap) calls where the cap is seen for the first time: %s, %j',
    async (telling, [cap, start]) => {
      const starts = await startsOf(offsetScript(recordsOf(23), 100, 'a total'), offset);
      for (const first of [2, 7, 20]) {
        const { gateway, upstream } = await startOffset(23, cap, telling);
        const { data } = await readCustomers(gateway, { first, after: starts[start] });
        expect(idsOf(data.list.nodes), `first ${first}`).toEqual(idsOf(recordsOf(23)).slice(start, start + first));
        expect(upstream.requests.length, `first ${first}`).toBeLessThanOrEqual(Math.ceil(first / cap));
      }
    },
  );

  it('asks by the names of the contract, and never again for more than the service gave', async () => {
    const records = recordsOf(23);
    const { gateway, upstream } = await startScripted(
      ({ path }) => {
        const skip = countOf(path, 'skip');
        return success({ data: records.slice(skip, skip + Math.min(countOf(path, 'take'), 7)), total: 23 });
      },
      { contract: { ...offset, 'lists.offset': 'skip', 'lists.limit': 'take' } },
    );
    const { data } = await readCustomers(gateway, { first: 10 });
    await readCustomers(gateway, { first: 10, after: data.list.pageInfo.endCursor });
    expect(upstream.requests.map(({ path }) => path.replace(/^.*\?/, ''))).toEqual([
      'skip=0&take=10',
      'skip=7&take=3',
      'skip=10&take=7',
      'skip=17&take=3',
    ]);
  });

  it.each([
    ['its own length as the page size', { data: movements(1), per_page: 1, total: 1 }],
    ['a total that promises too much', { data: movements(1), total: 2 }],
  ])('does not grow dearer for others because one list tells %s', async (_, short) => {
    const long = offsetScript(movements(50), 100, 'a total');
    const { gateway, upstream } = await startScripted(
      (request) => {
        if (!isList(request.path)) return success({ id: 'any' });
        if (!request.path.startsWith('/api/v1/customers/short/')) return long(request);
        return success({ ...short, data: countOf(request.path, 'offset') === 0 ? short.data : [] });
      },
      { contract: offset },
    );
    const document = `query ($customer: _Any!) {
      _entities(representations: [$customer]) { ... on Customer { transactions(first: 20) { nodes { id } } } }
    }`;
    await query(gateway, document, { variables: { customer: { __typename: 'Customer', id: 'short' } } });
    const before = upstream.requests.length;
    const { errors } = await query(gateway, document, {
      variables: { customer: { __typename: 'Customer', id: 'long' } },
    });
    expect(errors).toEqual([]);
    expect(upstream.requests.length - before).toBe(1);
  });

  it('is contradicted by more records than asked for', async () => {
    const { gateway } = await startScripted(() => success({ data: recordsOf(6), total: 6 }), { contract: offset });
    const { data, errors } = await readCustomers(gateway, { first: 5 });
    expect(data.list).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE', row: 'lists.limit' } }]);
  });

  it.each([
    ['promises more than there is', 1_000_000, 'lists.offset', 4],
    ['promises less than there is', 3, 'lists.total', 1],
  ])('is contradicted by a total that %s', async (_, total, row, calls) => {
    const records = recordsOf(10);
    const { gateway, upstream } = await startScripted(
      ({ path }) => {
        const start = countOf(path, 'offset');
        return success({ data: records.slice(start, start + countOf(path, 'limit')), total });
      },
      { contract: offset },
    );
    const windows: unknown[] = [];
    let after: string | null = null;
    let errors: readonly unknown[] = [];
    while (errors.length === 0 && windows.length < 5) {
      const answer = await readCustomers(gateway, { first: 4, after });
      errors = answer.errors;
      windows.push(answer.data.list);
      after = answer.data.list?.pageInfo.endCursor;
    }
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE', row } }]);
    expect(upstream.requests).toHaveLength(calls);
  });
});

describe('a list paged by tokens', () => {
  it.each(pairs(caps, lengths))('gives every record once: at most %i a page, %i records', async (cap, length) => {
    const { gateway } = await startToken(length, () => cap);
    for (const first of firsts) {
      const found = await walkCustomers(gateway, () => first);
      expect(found, `first ${first}`).toEqual(idsOf(recordsOf(length)));
    }
  });

  it('gives every record once where each window has another size and each page another length', async () => {
    const { gateway } = await startToken(40, (start) => [3, 1, 5, 2][start % 4] as number);
    for (const steps of [[1], [4], [7, 1, 20], [100]]) {
      const found = await walkCustomers(gateway, (step) => steps[step % steps.length] as number);
      expect(found, `first ${steps.join()}`).toEqual(idsOf(recordsOf(40)));
    }
  });

  it.each(pairs([1, 3, 7, 100], firsts))(
    'costs a call a page, and one more for the page that a position is inside of: %i a page, first %i',
    async (cap, first) => {
      const script = tokenScript(recordsOf(23), () => cap);
      const starts = await startsOf(script, cursor);
      const { gateway, upstream } = await startScripted(script, { contract: cursor });
      for (const [start, after] of starts.entries()) {
        const before = upstream.requests.length;
        const { data } = await readCustomers(gateway, { first, after });
        const wanted = Math.min(first, 23 - start);
        const isInside = Number(start % cap > 0);
        const restOfPage = isInside * (cap - (start % cap));
        const calls = isInside + Math.ceil(Math.max(wanted - restOfPage, 0) / cap);
        expect(idsOf(data.list.nodes), `from ${start}`).toEqual(idsOf(recordsOf(23)).slice(start, start + first));
        expect(upstream.requests.length - before, `from ${start}`).toBe(Math.max(calls, 1));
      }
    },
  );

  it('asks by the names of the contract, with the token as it came', async () => {
    const token = 'a:b/c?d=é&%25 +=';
    const { gateway, upstream } = await startScripted(
      ({ path }) => ({
        json: parametersOf(path).has('after')
          ? { data: recordsOf(4).slice(2), paging: { next: null } }
          : { data: recordsOf(2), paging: { next: token } },
      }),
      { contract: { ...cursor, 'lists.cursor': 'after', 'lists.limit': 'take', 'lists.nextCursor': ['/paging/next'] } },
    );
    const { data } = await readCustomers(gateway, { first: 2 });
    await readCustomers(gateway, { first: 2, after: data.list.pageInfo.endCursor });
    expect(upstream.requests.map(({ path }) => Object.fromEntries(parametersOf(path)))).toEqual([
      { take: '2' },
      { after: token, take: '2' },
    ]);
  });

  it('goes on behind pages without a record', async () => {
    const pages: Readonly<Record<string, readonly [ids: readonly string[], next: string | null]>> = {
      '': [[], 'a'],
      a: [['r1'], 'b'],
      b: [[], 'c'],
      c: [['r2', 'r3'], 'd'],
      d: [[], null],
    };
    const { gateway } = await startScripted(
      ({ path }) => {
        const [ids, next] = pages[parametersOf(path).get('cursor') ?? ''] ?? [[], null];
        return { json: { data: ids.map((id) => ({ id })), meta: { next_cursor: next } } };
      },
      { contract: cursor },
    );
    expect(await walkCustomers(gateway, () => 20)).toEqual(['r1', 'r2', 'r3']);
  });

  it.each([
    ['a number', '7', '7'],
    ['text of 1,000 bytes', JSON.stringify('x'.repeat(1000)), 'x'.repeat(1000)],
  ])('takes a token that is %s', async (_, json, sent) => {
    const { gateway, upstream } = await startScripted(
      ({ path }) =>
        parametersOf(path).has('cursor')
          ? rawJson('{"data":[{"id":"r2"}],"meta":{"next_cursor":null}}')
          : rawJson(`{"data":[{"id":"r1"}],"meta":{"next_cursor":${json}}}`),
      { contract: cursor },
    );
    const { data } = await readCustomers(gateway, { first: 1 });
    const next = await readCustomers(gateway, { first: 1, after: data.list.pageInfo.endCursor });
    expect(next.errors).toEqual([]);
    expect(parametersOf(upstream.requests[1]?.path ?? '').get('cursor')).toBe(sent);
  });

  it.each([
    ['over 1,000 bytes', JSON.stringify('x'.repeat(1001))],
    ['over 1,000 bytes in fewer characters', JSON.stringify('é'.repeat(501))],
    ['an object', '{"page":2}'],
    ['a list', '["a"]'],
    ['a boolean', 'true'],
    ['half a character', String.raw`"\ud800"`],
  ])('is contradicted by a token that is %s', async (_, json) => {
    const { gateway } = await startScripted(() => rawJson(`{"data":[{"id":"r1"}],"meta":{"next_cursor":${json}}}`), {
      contract: cursor,
    });
    const { data, errors } = await readCustomers(gateway, { first: 1 });
    expect(data.list).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE', row: 'lists.nextCursor' } }]);
  });

  it.each([
    ['records', [{ id: 'r1' }]],
    ['no records', []],
  ])('is contradicted by a page with %s whose next token is its own', async (_, data) => {
    const { gateway, upstream } = await startScripted(() => ({ json: { data, meta: { next_cursor: 'same' } } }), {
      contract: cursor,
    });
    const answer = await readCustomers(gateway, { first: 20 });
    expect(answer.data.list).toBeNull();
    expect(answer.errors).toMatchObject([
      { extensions: { code: 'UPSTREAM_INVALID_RESPONSE', row: 'lists.nextCursor' } },
    ]);
    expect(upstream.requests).toHaveLength(2);
  });

  it('repeats no record where its tokens go in a circle', async () => {
    const next: Readonly<Record<string, string>> = { '': 'a', a: 'b', b: 'a' };
    const { gateway, upstream } = await startScripted(
      ({ path }) => {
        const token = parametersOf(path).get('cursor') ?? '';
        return { json: { data: [{ id: `r${token}` }], meta: { next_cursor: next[token] } } };
      },
      { contract: cursor },
    );
    const { data } = await readCustomers(gateway, { first: 20 });
    const found = idsOf(data.list?.nodes ?? []);
    expect(found).toEqual([...new Set(found)]);
    expect(upstream.requests.length).toBeLessThan(5);
  });

  it('never says that a page follows without saying where, however many empty pages come', async () => {
    const { gateway, upstream } = await startScripted(
      ({ path }) => ({ json: { data: [], meta: { next_cursor: `${countOf(path, 'cursor') + 1}` } } }),
      { contract: cursor },
    );
    const { data } = await readCustomers(gateway, { first: 20 });
    expect(data.list?.pageInfo).not.toMatchObject({ hasNextPage: true, endCursor: null });
    expect(upstream.requests.length).toBeLessThanOrEqual(101);
  });

  it('is contradicted by more records than asked for', async () => {
    const { gateway } = await startScripted(() => ({ json: { data: recordsOf(6), meta: { next_cursor: null } } }), {
      contract: cursor,
    });
    const { data, errors } = await readCustomers(gateway, { first: 5 });
    expect(data.list).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE', row: 'lists.limit' } }]);
  });

  it('asks for no more than its contract allows whatever a forged cursor says', async () => {
    const script = tokenScript(recordsOf(23), () => 100);
    const starts = await startsOf(script, cursor);
    const { gateway, upstream } = await startScripted(script, { contract: cursor });
    const text = Buffer.from(starts[3] ?? '', 'base64url').toString('utf8');
    const forged = text.replace(/^(1:[\w-]{16}):\d+:/, '$1:999999999:');
    await readCustomers(gateway, { first: 5, after: Buffer.from(forged).toString('base64url') });
    expect(forged).not.toBe(text);
    expect(Math.max(0, ...upstream.requests.map(({ path }) => countOf(path, 'limit')))).toBeLessThanOrEqual(100);
  });
});

describe('a list that comes whole', () => {
  it.each(lengths)('gives every record once, one call a window and without parameters: %i records', async (length) => {
    const starts = await startsOf(wholeScript(recordsOf(length)), none);
    const { gateway, upstream } = await startScripted(wholeScript(recordsOf(length)), { contract: none });
    for (const first of firsts) {
      expect(await walkCustomers(gateway, () => first), `first ${first}`).toEqual(idsOf(recordsOf(length)));
      for (const [start, after] of starts.entries()) {
        const before = upstream.requests.length;
        const { data } = await readCustomers(gateway, { first, after });
        expect(idsOf(data.list.nodes)).toEqual(idsOf(recordsOf(length)).slice(start, start + first));
        expect(data.list.totalCount).toBe(length);
        expect(upstream.requests.length - before).toBe(1);
      }
    }
    expect(new Set(upstream.requests.map(({ path }) => path))).toEqual(new Set(['/api/v1/customers/']));
  });

  it('costs one call for all its windows in one request', async () => {
    const { gateway, upstream } = await startScripted(wholeScript(recordsOf(9)), { contract: none });
    const { data } = await query(gateway, '{ a: customers(first: 2) { nodes { id } } b: customers { totalCount } }');
    expect(data).toEqual({ a: { nodes: recordsOf(2) }, b: { totalCount: 9 } });
    expect(upstream.requests).toHaveLength(1);
  });

  it.each([22, 24])('is contradicted by a total of %i beside 23 records', async (total) => {
    const { gateway } = await startScripted(() => success({ data: recordsOf(23), total }), { contract: none });
    const { data, errors } = await readCustomers(gateway, { first: 5 });
    expect(data.list).toBeNull();
    expect(errors).toMatchObject([
      { extensions: { code: 'UPSTREAM_INVALID_RESPONSE', operation: 'listCustomers', row: 'listCustomers.pageStyle' } },
    ]);
  });
});

describe.each(styles)('each list by style %s', (style, contract, script) => {
  const answer: Script = (request) =>
    isList(request.path) ? script(request) : success({ id: request.path.split('/').at(-1) });

  it.each([
    ['settlementBanks', banksDocument, (data: { readonly list: unknown }) => data],
    ['transactions', below('transactions'), (data: { readonly customer: unknown }) => data.customer],
    ['virtualAccounts', below('virtualAccounts'), (data: { readonly customer: unknown }) => data.customer],
  ] as const)('gives every record of %s once', async (_, document, unwrap) => {
    const { gateway } = await startScripted(answer, { contract });
    const read = async (window: Window) => {
      const variables = { ...window, ...(document === banksDocument ? {} : { id: 'c1' }) };
      const given = await query(gateway, document, { variables });
      return { ...given, data: unwrap(given.data) };
    };
    expect((await walk(read, (step) => [5, 20, 3][step % 3] as number)).flat()).toEqual(idsOf(recordsOf(23)));
  });

  it('may be paged otherwise than another list', async () => {
    const mixed = { ...contract, 'listCustomers.pageStyle': 'none' };
    const { gateway, upstream } = await startScripted(
      (request) => (request.path.startsWith('/api/v1/customers/') ? success(recordsOf(23)) : script(request)),
      { contract: mixed },
    );
    const read = (window: Window) => query(gateway, banksDocument, { variables: window });
    expect((await walk(read, () => 5)).flat()).toEqual(idsOf(recordsOf(23)));
    expect(await walkCustomers(gateway, () => 5)).toEqual(idsOf(recordsOf(23)));
    expect(upstream.requests.at(-1)?.path).toBe('/api/v1/customers/');
  });

  it('refuses a cursor of another list, another parent or another filter without a call', async () => {
    const searchable = { ...contract, 'listCustomers.search': 'search', 'listCustomers.searchMatch': 'none' };
    const { gateway, upstream } = await startScripted(answer, { contract: searchable });
    const { data: banks } = await query(gateway, banksDocument, { variables: { first: 2 } });
    const { data: customers } = await readCustomers(gateway, { first: 2 });
    const { data: found } = await readCustomers(gateway, { first: 2, search: 'r' });
    const { data: ofOne } = await query(gateway, below('transactions'), { variables: { first: 2, id: 'c1' } });
    const ends = [banks.list, found.list, ofOne.customer.list].map((list) => list.pageInfo.endCursor as string);
    const before = upstream.requests.length;
    for (const after of ends) {
      expect(codes(await readCustomers(gateway, { after }))).toEqual(['INVALID_CURSOR']);
    }
    const searched = await readCustomers(gateway, { after: customers.list.pageInfo.endCursor, search: 'r' });
    expect(codes(searched)).toEqual(['INVALID_CURSOR']);
    expect(upstream.requests.length).toBe(before);
    const other = await query(gateway, below('transactions'), { variables: { id: 'c2', after: ends[2] } });
    expect(codes(other)).toEqual(['INVALID_CURSOR']);
    expect(upstream.requests.slice(before).map(({ path }) => path)).toEqual(['/api/v1/customers/c2']);
  });

  it('goes on behind a cursor on another gateway', async () => {
    const { gateway, upstream } = await startScripted(answer, { contract });
    const other = await startGateway({ upstream: upstream.url, contract });
    const { data } = await readCustomers(gateway, { first: 10 });
    const { data: next } = await readCustomers(other, { first: 3, after: data.list.pageInfo.endCursor });
    expect(idsOf(next.list.nodes)).toEqual(['r11', 'r12', 'r13']);
  });

  it('sends its filter with every page, and gives an error in the slot of each record that it cannot mean', async () => {
    const searchable = { ...contract, 'listCustomers.search': 'q' };
    const records = recordsOf(23).map((record, index) => ({ ...record, first_name: index === 12 ? 'Eve' : 'Ada' }));
    const scripts: Readonly<Record<string, Script>> = {
      offset: offsetScript(records, 7, 'a total'),
      cursor: tokenScript(records, () => 7),
      none: wholeScript(records),
    };
    const { gateway, upstream } = await startScripted(scripts[style] as Script, { contract: searchable });
    const document = 'query ($search: String) { customers(first: 20, search: $search) { nodes { id } } }';
    const { data, errors } = await query(gateway, document, { variables: { search: 'aDa' } });
    expect(data.customers.nodes).toEqual(recordsOf(20).with(12, null as never));
    expect(errors).toMatchObject([
      {
        path: ['customers', 'nodes', 12],
        extensions: {
          code: 'UPSTREAM_INVALID_RESPONSE',
          operation: 'listCustomers',
          row: 'listCustomers.search',
        },
      },
    ]);
    expect(upstream.requests.map(({ path }) => parametersOf(path).get('q'))).toEqual(
      upstream.requests.map(() => 'aDa'),
    );
  });
});

describe('a filter', () => {
  const filters = {
    'listCustomers.search': 'q',
    'listSettlementBanks.search': 'q',
    'listCustomerTransactions.type': 't',
  };

  it('by type gives an error in the slot of a transaction of another type', async () => {
    const records = [
      { id: 't1', type: 'Credit', amount: '1.00' },
      { id: 't2', type: 'debit', amount: '1.00' },
      { id: 't3', amount: '1.00' },
    ];
    const { gateway, upstream } = await startScripted(({ path }) => success(isList(path) ? records : { id: 'c1' }), {
      contract: filters,
    });
    const { data, errors } = await query(
      gateway,
      '{ customer(id: "c1") { transactions(type: "credit") { nodes { id } } } }',
    );
    const extensions = { code: 'UPSTREAM_INVALID_RESPONSE', row: 'listCustomerTransactions.type' };
    expect(data.customer.transactions.nodes).toEqual([{ id: 't1' }, null, null]);
    expect(errors).toMatchObject([
      { path: ['customer', 'transactions', 'nodes', 1], extensions },
      { path: ['customer', 'transactions', 'nodes', 2], extensions },
    ]);
    expect(parametersOf(upstream.requests.at(-1)?.path ?? '').get('t')).toBe('credit');
  });

  it('of settlement banks names its own row', async () => {
    const { gateway } = await startScripted(() => success([{ id: 'b1', name: 'Main' }]), { contract: filters });
    const { errors } = await query(gateway, '{ settlementBanks(search: "other") { nodes { id } } }');
    expect(errors).toMatchObject([{ extensions: { row: 'listSettlementBanks.search' } }]);
  });

  it.each([
    ['words that stand in two fields', 'Ada Lovelace'],
    ['a value deep inside', 'deep'],
    ['blanks around it', ' ada '],
  ])('by %s accepts the record', async (_, search) => {
    const record = { id: 'c1', first_name: 'Ada', last_name: 'Lovelace', profile: { notes: ['Deep inside'] } };
    const { gateway } = await startScripted(() => success([record]), { contract: filters });
    const { data, errors } = await readCustomers(gateway, { search });
    expect(errors).toEqual([]);
    expect(idsOf(data.list.nodes)).toEqual(['c1']);
  });

  it('is not checked where the contract says that the service searches its own way', async () => {
    const contract = { ...filters, 'listCustomers.searchMatch': 'none' };
    const { gateway } = await startScripted(() => success([{ id: 'c1', first_name: 'Ada' }]), { contract });
    const { data, errors } = await readCustomers(gateway, { search: 'countess' });
    expect(errors).toEqual([]);
    expect(idsOf(data.list.nodes)).toEqual(['c1']);
  });
});

describe('what a customer carries', () => {
  const embedded = { 'customer.balance': ['/wallet'], 'customer.virtualAccounts': ['/accounts'] };
  const accounts = recordsOf(3).map(({ id }) => ({ id, account_number: `000${id}` }));
  const carrier = { id: 'c1', first_name: 'Ada', wallet: { balance: '5.00' }, accounts };
  const selection = 'balance { value { amount } } virtualAccounts { totalCount nodes { id } }';

  it('costs no call of its own', async () => {
    const records = ['c1', 'c2', 'c3'].map((id) => ({ ...carrier, id }));
    const { gateway, upstream } = await startScripted(() => success(records), { contract: embedded });
    const { data, errors } = await query(gateway, `{ customers { nodes { ${selection} } } }`);
    const expected = {
      balance: { value: { amount: '5.00' } },
      virtualAccounts: { totalCount: 3, nodes: recordsOf(3) },
    };
    expect(errors).toEqual([]);
    expect(data.customers.nodes).toEqual([expected, expected, expected]);
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/api/v1/customers/?page=1&per_page=20']);
  });

  it('costs a call where a record does not carry it', async () => {
    const { gateway, upstream } = await startScripted(
      ({ path }) => success(path.endsWith('/balance') ? { balance: '7.00' } : [carrier, { id: 'c2' }]),
      { contract: embedded },
    );
    const { data } = await query(gateway, '{ customers { nodes { balance { value { amount } } } } }');
    expect(data.customers.nodes.map(({ balance }: { balance: { value: unknown } }) => balance.value)).toEqual([
      { amount: '5.00' },
      { amount: '7.00' },
    ]);
    expect(upstream.requests.map(({ path }) => path)).toEqual([
      '/api/v1/customers/?page=1&per_page=20',
      '/api/v1/customers/c2/balance',
    ]);
  });

  it('comes with the answer to a write', async () => {
    const { gateway, upstream } = await startScripted(() => success(carrier), { contract: embedded });
    const document = `mutation { updateCustomer(input: { id: "c1", lastName: "L" }) { customer { ${selection} } } }`;
    const { data, errors } = await query(gateway, document);
    expect(errors).toEqual([]);
    expect(data.updateCustomer.customer.balance.value.amount).toBe('5.00');
    expect(upstream.requests.map(({ method }) => method)).toEqual(['PATCH']);
  });

  it('is read with its record where a router gives only the identifier', async () => {
    const { gateway, upstream } = await startScripted(() => success(carrier), { contract: embedded });
    const document = `{ entities: _entities(representations: [{ __typename: "Customer", id: "c1" }]) {
      ... on Customer { ${selection} }
    } }`;
    const { data, errors } = await query(gateway, document);
    expect(errors).toEqual([]);
    expect(data.entities).toMatchObject([
      { balance: { value: { amount: '5.00' } }, virtualAccounts: { totalCount: 3 } },
    ]);
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/api/v1/customers/c1']);
  });

  it.each(['page', 'offset', 'cursor', 'none'])(
    'is paged as any list, whatever its style would be: %s',
    async (style) => {
      const contract = { ...embedded, 'listCustomerVirtualAccounts.pageStyle': style };
      const { gateway } = await startScripted(() => success(carrier), { contract });
      const read = async (window: Window) => {
        const answer = await query(gateway, below('virtualAccounts'), { variables: { ...window, id: 'c1' } });
        return { ...answer, data: answer.data.customer };
      };
      for (const first of [1, 2, 3, 20]) {
        expect((await walk(read, () => first)).flat(), `first ${first}`).toEqual(idsOf(recordsOf(3)));
      }
    },
  );

  it('holds an error only in the slot that cannot be read', async () => {
    const odd = { ...carrier, wallet: 'empty', accounts: [accounts[0], 7, accounts[2]] };
    const { gateway } = await startScripted(() => success(odd), { contract: embedded });
    const { data, errors } = await query(gateway, `{ customer(id: "c1") { firstName ${selection} } }`);
    expect(data.customer).toEqual({
      firstName: 'Ada',
      balance: null,
      virtualAccounts: { totalCount: 3, nodes: [{ id: 'r1' }, null, { id: 'r3' }] },
    });
    expect(errors).toHaveLength(2);
    expect(errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          path: ['customer', 'balance'],
          extensions: expect.objectContaining({ row: 'balance.value', jsonPath: '/data/wallet' }),
        }),
        expect.objectContaining({
          path: ['customer', 'virtualAccounts', 'nodes', 1],
          extensions: expect.objectContaining({ row: 'account.id', jsonPath: '/data/accounts/1' }),
        }),
      ]),
    );
  });

  it('leaves the name alone where the unit of its balance is undecided', async () => {
    const { gateway, upstream } = await startScripted(() => success(carrier), { contract: embedded, undecided: true });
    const { data, errors } = await query(gateway, `{ customer(id: "c1") { firstName balance { value { amount } } } }`);
    expect(data.customer).toEqual({ firstName: 'Ada', balance: null });
    expect(errors).toMatchObject([{ extensions: { code: 'CONTRACT_UNDECIDED', row: 'money.unit' } }]);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('a code in the body', () => {
  const contract = {
    'envelope.success': ['/responseCode'],
    'envelope.successValues': ['00', 0],
    'envelope.code': ['/responseCode'],
    'errors.statuses': { '14': 404, '29': 429, '41': 401, '43': 403, '94': 409, '96': 500 },
  };
  const coded = (responseCode: unknown, rest: object = {}): Reply => ({
    json: { responseCode, message: 'As you like.', ...rest },
  });
  const update = `mutation { updateCustomer(input: { id: "c1", lastName: "x" }) {
    customer { firstName } userErrors { code field }
  } }`;
  const create = `mutation { createCustomer(input: { reference: "x" }) { customer { firstName } userErrors { code field } } }`;

  it.each(['00', 0, '0'])('tells success: %j', async (code) => {
    const { gateway } = await startScripted(() => coded(code, { data: { id: 'c1', first_name: 'Ada' } }), { contract });
    const { data, errors } = await query(gateway, '{ customer(id: "c1") { firstName } }');
    expect(errors).toEqual([]);
    expect(data.customer).toEqual({ firstName: 'Ada' });
  });

  it('of an unknown record is null to a read', async () => {
    const { gateway } = await startScripted(() => coded('14'), { contract });
    expect(await query(gateway, '{ customer(id: "c1") { firstName } }')).toMatchObject({
      data: { customer: null },
      errors: [],
    });
  });

  it.each([
    ['41', 'UNAUTHENTICATED'],
    ['43', 'FORBIDDEN'],
    ['29', 'RATE_LIMITED'],
    ['96', 'UPSTREAM_UNAVAILABLE'],
    ['77', 'UPSTREAM_INVALID_RESPONSE'],
    [null, 'UPSTREAM_INVALID_RESPONSE'],
    [undefined, 'UPSTREAM_INVALID_RESPONSE'],
    [{}, 'UPSTREAM_INVALID_RESPONSE'],
  ])('of %j fails a read as %s', async (code, expected) => {
    const { gateway } = await startScripted(() => coded(code, { data: { id: 'c1' } }), { contract });
    expect(codes(await query(gateway, '{ customer(id: "c1") { firstName } }'))).toEqual([expected]);
  });

  it.each([
    ['94', [{ code: 'ALREADY_EXISTS', field: ['input', 'reference'] }]],
    ['77', [{ code: 'INVALID', field: ['input', 'reference'] }]],
  ])('of %s refuses a write', async (code, userErrors) => {
    const { gateway, upstream } = await startScripted(() => coded(code, { errors: { reference: ['No.'] } }), {
      contract,
    });
    const { data, errors } = await query(gateway, create);
    expect(errors).toEqual([]);
    expect(data.createCustomer).toEqual({ customer: null, userErrors });
    expect(upstream.requests).toHaveLength(1);
  });

  it.each([
    ['41', 'UNAUTHENTICATED', update],
    ['14', 'NOT_FOUND', update],
    ['96', 'OUTCOME_UNKNOWN', create],
    [undefined, 'OUTCOME_UNKNOWN', create],
  ])('of %s fails a write as %s', async (code, expected, document) => {
    const { gateway, upstream } = await startScripted(() => coded(code, { data: { id: 'c1' } }), { contract });
    expect(codes(await query(gateway, document))).toEqual([expected]);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('the form of a write', () => {
  const answer: Script = () => success({ id: 'c1', amount: '500' });
  const updateDocument = 'mutation { updateCustomer(input: { id: "c1", lastName: "L" }) { userErrors { code } } }';

  it('is PUT where the contract says so', async () => {
    const { gateway, upstream } = await startScripted(answer, {
      contract: { 'updateCustomer.method': 'PUT', 'updateSettlementBank.method': 'PUT' },
    });
    await query(gateway, updateDocument);
    await query(gateway, 'mutation { updateSettlementBank(input: { id: "b1", name: "N" }) { userErrors { code } } }');
    expect(upstream.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['PUT', '/api/v1/customers/c1', '{"last_name":"L"}'],
      ['PUT', '/api/v1/settlement-banks/b1', '{"name":"N"}'],
    ]);
  });

  it('holds the constants of its operation, and of no other', async () => {
    const { gateway, upstream } = await startScripted(answer, {
      contract: {
        'updateCustomer.constants': { channel: 'api', options: { notify: false } },
        'createCustomerVirtualAccount.constants': { bank: 'any' },
      },
    });
    await query(gateway, updateDocument);
    await query(gateway, 'mutation { createVirtualAccount(input: { customerId: "c1" }) { userErrors { code } } }');
    await query(gateway, 'mutation { createCustomer(input: { lastName: "L" }) { userErrors { code } } }');
    expect(upstream.requests.map(({ body }) => JSON.parse(body))).toEqual([
      { last_name: 'L', channel: 'api', options: { notify: false } },
      { bank: 'any' },
      { last_name: 'L' },
    ]);
  });

  it('is refused without a call where a required field is missing', async () => {
    const { gateway, upstream } = await startScripted(answer, {
      contract: { 'createCustomer.required': ['lastName', 'nin'] },
    });
    const document = `mutation { createCustomer(input: { lastName: "L", phone: "bad" }) {
      customer { id } userErrors { code field }
    } }`;
    const { data, errors } = await query(gateway, document);
    expect(errors).toEqual([]);
    expect(data.createCustomer.customer).toBeNull();
    expect(data.createCustomer.userErrors).toEqual([
      { code: 'INVALID', field: ['input', 'nin'] },
      { code: 'INVALID', field: ['input', 'phone'] },
    ]);
    expect(upstream.requests).toEqual([]);
  });

  it('is sent where every required field is given, if only as an empty text', async () => {
    const { gateway, upstream } = await startScripted(answer, { contract: { 'createCustomer.required': ['bvn'] } });
    await query(gateway, 'mutation { createCustomer(input: { bvn: "" }) { userErrors { code } } }');
    expect(upstream.requests.map(({ body }) => body)).toEqual(['{"bvn":""}']);
  });

  it('needs an amount where the contract requires one', async () => {
    const { gateway, upstream } = await startScripted(answer, {
      contract: { 'createCustomerOneTimeAccount.required': ['amount'] },
    });
    const document = 'mutation { createOneTimeAccount(input: { customerId: "c1" }) { userErrors { code field } } }';
    const { data } = await query(gateway, document);
    expect(data.createOneTimeAccount.userErrors).toEqual([{ code: 'INVALID', field: ['input', 'amount'] }]);
    expect(upstream.requests).toEqual([]);
  });

  it('goes to the path of the contract with the credentials of the contract', async () => {
    const { gateway, upstream } = await startScripted(answer, {
      contract: {
        'service.prefix': '/v2',
        'updateCustomer.path': '/people/{id}/record',
        'updateCustomer.credentials': ['bearer', 'privateKey'],
        'updateCustomer.body': { lastName: 'surname' },
      },
    });
    await query(gateway, updateDocument);
    const [request] = upstream.requests;
    expect([request?.path, request?.body]).toEqual(['/v2/people/c1/record', '{"surname":"L"}']);
    expect(request?.headers).toMatchObject({ authorization: ['Bearer test-token'], svcprivatekey: ['test-key'] });
  });

  it('finds the input field of a refusal by the name that the contract gave it', async () => {
    const { gateway } = await startScripted(() => failure(422, 'No.', { surname: ['No.'] }), {
      contract: { 'updateCustomer.body': { lastName: 'surname' } },
    });
    const { data } = await query(gateway, updateDocument.replace('{ code }', '{ code field }'));
    expect(data.updateCustomer.userErrors).toEqual([{ code: 'INVALID', field: ['input', 'lastName'] }]);
  });
});

describe('a unit of its own', () => {
  const document = `mutation { createOneTimeAccount(input: { customerId: "c1", amount: "12.34" }) {
    oneTimeAccount { amount { amount } }
  } }`;
  const reading = `{ customer(id: "c1") { balance { value { amount } } transactions { nodes { amount { amount } } } } }`;
  const answer: Script = ({ path }) => {
    const answers = { balance: { balance: 50_000 }, transactions: [{ id: 't1', amount: 1234 }] };
    const name = path.replace(/^.*\//, '').replace(/\?.*$/, '');
    return success(name in answers ? answers[name as keyof typeof answers] : { id: 'c1', amount: '1234' });
  };

  it.each([
    ['the service', {}, '50000.00', '1234.00'],
    ['balances', { 'balance.unit': 'minor' }, '500.00', '1234.00'],
    ['transactions', { 'transaction.unit': 'minor' }, '50000.00', '12.34'],
    ['accounts, which neither is', { 'account.unit': 'minor' }, '50000.00', '1234.00'],
  ])('is that of %s when read', async (_, contract, balance, amount) => {
    const { gateway } = await startScripted(answer, { contract });
    const { data, errors } = await query(gateway, reading);
    expect(errors).toEqual([]);
    expect(data.customer.balance.value.amount).toBe(balance);
    expect(data.customer.transactions.nodes).toEqual([{ amount: { amount } }]);
  });

  it.each([
    ['the service', {}, '12.34', '1234.00'],
    ['the write', { 'createCustomerOneTimeAccount.unit': 'minor' }, '1234', '1234.00'],
    ['the record', { 'account.unit': 'minor' }, '12.34', '12.34'],
    ['both', { 'createCustomerOneTimeAccount.unit': 'minor', 'account.unit': 'minor' }, '1234', '12.34'],
  ])('is that of %s when an account is opened', async (_, contract, sent, amount) => {
    const { gateway, upstream } = await startScripted(answer, { contract });
    const { data } = await query(gateway, document);
    expect(upstream.requests.map(({ body }) => JSON.parse(body))).toEqual([{ amount: sent }]);
    expect(data.createOneTimeAccount.oneTimeAccount.amount).toEqual({ amount });
  });

  it('decides its own record alone where the service has none', async () => {
    const { gateway, upstream } = await startScripted(answer, {
      contract: { 'money.currency': 'NGN', 'balance.unit': 'minor' },
      undecided: true,
    });
    const { data, errors } = await query(gateway, reading);
    expect(data.customer.balance.value.amount).toBe('500.00');
    expect(errors).toMatchObject([{ extensions: { code: 'CONTRACT_UNDECIDED', row: 'money.unit' } }]);
    const before = upstream.requests.length;
    expect(codes(await query(gateway, document))).toEqual(['CONTRACT_UNDECIDED']);
    expect(upstream.requests.length).toBe(before);
  });

  it('is enough for its write where the service has none', async () => {
    const { gateway, upstream } = await startScripted(answer, {
      contract: { 'money.currency': 'NGN', 'createCustomerOneTimeAccount.unit': 'minor', 'account.unit': 'minor' },
      undecided: true,
    });
    const { data, errors } = await query(gateway, document);
    expect(errors).toEqual([]);
    expect(data.createOneTimeAccount.oneTimeAccount.amount).toEqual({ amount: '12.34' });
    expect(upstream.requests).toHaveLength(1);
  });
});
