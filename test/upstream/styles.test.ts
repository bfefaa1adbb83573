import { describe, expect, it } from 'vitest';
import type { GatewayServer } from '../../src/server.ts';
import { codes, query, startScripted } from '../support/gateway.ts';
import {
  countIn,
  idsOf,
  offsetScript,
  parametersOf,
  rawJson,
  readCustomers,
  readWindow,
  recordsOf,
  styleOf,
  contradiction,
  tokenScript,
  walk,
  walkCustomers,
  walkToError,
  type Rows,
  type Script,
  type Window,
} from '../support/upstream/paging.ts';
import { pageOf, success, type Reply } from '../support/upstream/upstream.ts';

const cursor = styleOf('cursor');
const none = styleOf('none');

/** One page of a list of tokens. */
const tokenPage = (data: readonly unknown[], next: unknown): Reply => ({ json: { data, meta: { next_cursor: next } } });

describe('a list paged by tokens', () => {
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

  it.each([
    ['a page that is empty', (): Reply => tokenPage([], 'b')],
    ['a token beside a flag of the end', (): Reply => ({ json: { data: [], next_cursor: 'b', has_more: false } })],
  ])('ends at %s, whatever its token', async (_, last) => {
    const { gateway, upstream } = await startScripted(
      ({ path }) => (parametersOf(path).has('cursor') ? last() : tokenPage(recordsOf(2), 'a')),
      { contract: cursor },
    );
    expect(await walkCustomers(gateway, 20)).toEqual(['r1', 'r2']);
    expect(upstream.requests).toHaveLength(2);
  });

  it('ends by the last record’s id where a page is empty, or a flag says so', async () => {
    const byRecord = { ...cursor, 'lists.cursorFrom': 'lastRecord', 'lists.cursor': 'after' };
    const rest = (path: string) => recordsOf(5).slice(Number(parametersOf(path).get('after')?.slice(1) ?? 0));
    const silent = await startScripted(({ path }) => ({ json: rest(path).slice(0, 2) }), { contract: byRecord });
    expect(await walkCustomers(silent.gateway, 2)).toEqual(idsOf(recordsOf(5)));
    expect(silent.upstream.requests).toHaveLength(4);
    const flagged = await startScripted(
      ({ path }) => ({ json: { data: rest(path).slice(0, 2), has_more: rest(path).length > 2 } }),
      { contract: byRecord },
    );
    expect(await walkCustomers(flagged.gateway, 2)).toEqual(idsOf(recordsOf(5)));
    expect(flagged.upstream.requests).toHaveLength(3);
  });

  it.each([
    ['null', null],
    ['nothing', undefined],
    ['the cursor of the last page', 'after-40'],
  ])('has its cursor at one place and more at another, both stated, and ends with %s there', async (_, last) => {
    // A lenient service takes every other text for the start of the list.
    const script: Script = ({ path }) => {
      const start = Number(/^after-(\d+)$/.exec(parametersOf(path).get('cursor') ?? '')?.[1] ?? 0);
      const end = start + countIn(path, 'limit');
      const isMore = end < 45;
      return {
        json: {
          items: recordsOf(45).slice(start, end),
          more: isMore,
          page: { token: isMore ? `after-${end}` : last },
        },
      };
    };
    const stated = { 'lists.records': ['/items'], 'lists.hasMore': ['/more'], 'lists.nextCursor': ['/page/token'] };
    const { gateway } = await startScripted(script, { contract: { ...cursor, ...stated, 'lists.maxPageSize': 20 } });
    for (const first of [7, 20, 100]) expect(await walkCustomers(gateway, first)).toEqual(idsOf(recordsOf(45)));
  });

  it.each([
    ['page', ({ start, size }: { readonly start: number; readonly size: number }) => `page=${start / size + 1}`],
    ['cursor', ({ start }: { readonly start: number }) => `cursor=after-${start}`],
  ])('ends in style %s where a Link header has no next, with its total in another', async (style, target) => {
    const script: Script = ({ path }) => {
      const size = countIn(path, 'limit') || countIn(path, 'per_page');
      const page = countIn(path, 'page') || 1;
      const start = Number(parametersOf(path).get('cursor')?.slice('after-'.length) ?? (page - 1) * size);
      const next = `<https://service.example/customers?${target({ start: start + size, size })}>; rel="next", `;
      const link = `${start + size < 6 ? next : ''}</customers>; rel="first"`;
      return { json: recordsOf(6).slice(start, start + size), headers: { Link: link, 'X-Total-Count': '6' } };
    };
    const placed = { 'lists.nextLink': ['header:link'], 'lists.total': ['header:x-total-count'] };
    const { gateway, upstream } = await startScripted(script, { contract: { ...styleOf(style), ...placed } });
    expect(await walkCustomers(gateway, 3)).toEqual(idsOf(recordsOf(6)));
    expect(upstream.requests).toHaveLength(2);
    expect((await readCustomers(gateway, { first: 2 })).data.list.totalCount).toBe(6);
  });

  const rawPage = (token: string) => rawJson(`{"data":[{"id":"r1"}],"meta":{"next_cursor":${token}}}`);

  it.each([
    ['a number', '7', '7'],
    ['Base64 with a slash before it', '"/9j/4AAQ=="', '/9j/4AAQ=='],
    ['text of 1,000 bytes', JSON.stringify('x'.repeat(1000)), 'x'.repeat(1000)],
  ])('takes a token that is %s', async (_, json, sent) => {
    const { gateway, upstream } = await startScripted(
      ({ path }) => (parametersOf(path).has('cursor') ? tokenPage([{ id: 'r2' }], null) : rawPage(json)),
      { contract: cursor },
    );
    expect(await walkCustomers(gateway, 1)).toEqual(['r1', 'r2']);
    expect(parametersOf(upstream.requests[1]?.path ?? '').get('cursor')).toBe(sent);
  });

  it.each<[name: string, contract: Rows, json: string]>([
    ['a token', cursor, 'false'],
    ['a token', cursor, '""'],
    ['a link', { ...cursor, 'lists.nextCursor': [], 'lists.nextLink': ['/meta/next_cursor'] }, '""'],
  ])('ends where, in place of %s, stands nothing (case %#)', async (_, contract, json) => {
    const { list, errors } = await readWindow(() => rawPage(json), contract, { first: 2 });
    expect([idsOf(list.nodes), list.pageInfo.hasNextPage, errors]).toEqual([['r1'], false, []]);
  });

  it.each([
    ['over 1,000 bytes', JSON.stringify('x'.repeat(1001))],
    ['over 1,000 bytes in fewer characters', JSON.stringify('é'.repeat(501))],
    ['an object', '{"page":2}'],
    ['a list', '["a"]'],
    ['a boolean', 'true'],
    ['half a character', String.raw`"\ud800"`],
    ['an address', '"https://payments.internal/customers?after=1"'],
    ['an address without its scheme', '"//payments.internal/customers"'],
    ['a path with a query', '"/next?after=1"'],
    ['the path of the list', '"/customers/after/1"'],
    ['the path of the list below its prefix', '"/api/v1/customers/after/1"'],
  ])('is contradicted by a token that is %s', async (_, json) => {
    const { list, errors } = await readWindow(() => rawPage(json), cursor, { first: 1 });
    expect(list).toBeNull();
    expect(errors).toMatchObject(contradiction('lists.nextCursor'));
  });

  const byLink = { ...cursor, 'lists.nextLink': ['/links/next'] };
  const byRecord = { ...cursor, 'lists.cursorFrom': 'lastRecord' };

  it.each([
    ['a next link without its parameter', byLink, { links: { next: '/x?page=2' } }, 'lists.nextLink', '/links/next'],
    ['no token beside a flag', cursor, { has_more: true }, 'lists.nextCursor', ''],
    ['a last record without an id', byRecord, { data: [{ id: 'r1' }, {}] }, 'customer.id', '/data/1/id'],
    ['no last record beside a flag', byRecord, { data: [], has_more: true }, 'lists.cursorFrom', ''],
  ])('is contradicted by the row in use: %s', async (_, contract, body, row, jsonPath) => {
    const { list, errors } = await readWindow(() => ({ json: { data: recordsOf(2), ...body } }), contract, {
      first: 2,
    });
    expect(list).toBeNull();
    expect(errors).toMatchObject([{ extensions: { row, jsonPath } }]);
  });

  it.each<[what: string, next: (start: number, limit: number) => number]>([
    ['pages', (start) => (start > 0 ? start : 1) + 1],
    ['records', (start, limit) => start + limit],
  ])('is contradicted by a link whose parameter counts %s, under whatever name', async (_, next) => {
    const script: Script = ({ path }) => {
      const start = countIn(path, 'p');
      const data = recordsOf(9).slice(start, start + 3);
      return { json: { data, links: { next: `/customers?p=${next(start, countIn(path, 'limit'))}` } } };
    };
    const { gateway } = await startScripted(script, { contract: { ...cursor, 'lists.cursor': 'p' } });
    const { errors } = await walkToError(gateway, 3);
    expect(errors).toMatchObject(contradiction('lists.nextLink'));
  });

  it('takes a link to the last record’s id for a cursor, though ids are consecutive', async () => {
    const records = recordsOf(9).map((_, index) => ({ id: `${index + 1}` }));
    const script: Script = ({ path }) => {
      const start = countIn(path, 'cursor');
      const end = start + countIn(path, 'limit');
      return { json: { data: records.slice(start, end), next: end < 9 ? `/customers?cursor=${end}` : null } };
    };
    for (const first of [1, 3]) {
      const { gateway } = await startScripted(script, { contract: cursor });
      expect(await walkCustomers(gateway, first)).toEqual(idsOf(records));
    }
  });

  it.each([
    ['its own', () => 'same'],
    ['one of those before', (token: string) => ({ '': 'a', a: 'b', b: 'a' })[token]],
  ])('repeats no record where the next token is %s', async (_, next) => {
    const script: Script = ({ path }) => {
      const token = parametersOf(path).get('cursor') ?? '';
      return tokenPage([{ id: `r${token}` }], next(token));
    };
    const { list, errors, calls } = await readWindow(script, cursor, { first: 20 });
    expect(list).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } }]);
    expect(calls).toBeLessThan(5);
  });
});

describe('a list that comes whole', () => {
  it('gives its total, by one call without parameters for all its windows in one request', async () => {
    const { gateway, upstream } = await startScripted(() => success(recordsOf(9)), { contract: none });
    const last = 'customers(first: 9) { totalCount pageInfo { hasNextPage } }';
    const { data } = await query(gateway, `{ a: customers(first: 2) { nodes { id } } b: ${last} }`);
    expect(data).toEqual({ a: { nodes: recordsOf(2) }, b: { totalCount: 9, pageInfo: { hasNextPage: false } } });
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/api/v1/customers/']);
  });

  it('may hold 50,000 records, and is refused with one more', async () => {
    let count = 50_000;
    const { gateway } = await startScripted(() => success(recordsOf(count)), { contract: none });
    const { data } = await readCustomers(gateway, { first: 2 });
    expect(data.list.totalCount).toBe(50_000);
    count += 1;
    const { errors } = await readCustomers(gateway, { first: 2 });
    expect(errors).toMatchObject(contradiction('lists.records'));
  });
});

const banksDocument = `query ($first: Int, $after: String) {
  list: settlementBanks(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } }
}`;
const below = (selection: string) => `query ($first: Int, $after: String) {
  customer(id: "c1") { list: ${selection}(first: $first, after: $after) {
    nodes { id } edges { cursor } pageInfo { hasNextPage endCursor }
  } }
}`;
/** A window of a list at the root or below a customer, under the name `list`. */
async function readList(gateway: Pick<GatewayServer, 'url'>, document: string, window: Window) {
  const answer = await query(gateway, document, { variables: window });
  return { ...answer, data: answer.data.customer ?? answer.data };
}
const isList = (path: string) =>
  /\/(?:customers\/|settlement-banks\/|transactions|virtual-accounts)(?:\?|$)/.test(path);

const scriptOf = {
  page: (records) => (request) => pageOf(records, request.path, 7),
  offset: (records) => offsetScript(records, 7),
  cursor: (records) => tokenScript(records, () => 7),
  none: (records) => () => success(records),
} satisfies Record<string, (records: readonly unknown[]) => Script>;

describe('each list', () => {
  it.each<[list: string, style: keyof typeof scriptOf, document: string]>([
    ['settlementBanks', 'offset', banksDocument],
    ['transactions', 'cursor', below('transactions')],
    ['virtualAccounts', 'none', below('virtualAccounts')],
  ])('gives every record once: %s by style %s', async (_, style, document) => {
    const script = scriptOf[style](recordsOf(23, { amount: '1.00' }));
    const answer: Script = (request) =>
      isList(request.path) ? script(request) : success({ id: request.path.split('/').at(-1) });
    const { gateway } = await startScripted(answer, { contract: styleOf(style) });
    const read = (window: Window) => readList(gateway, document, window);
    expect((await walk(read, (step) => [5, 20, 3][step % 3] ?? 1)).flat()).toEqual(idsOf(recordsOf(23)));
  });

  it.each(Object.entries(scriptOf))(
    'sends its filter with every page, and gives an error in the slot of each record that it cannot mean: style %s',
    async (style, scriptOfStyle) => {
      const records = recordsOf(23, { last_name: 'Lovelace' }).map((record, index) => {
        return { ...record, first_name: index === 12 ? 'Eve' : 'Ada' };
      });
      const { gateway, upstream } = await startScripted(scriptOfStyle(records), {
        contract: { ...styleOf(style), 'listCustomers.search': 'q' },
      });
      const document = 'query ($search: String) { customers(first: 20, search: $search) { nodes { id } } }';
      const { data, errors } = await query(gateway, document, { variables: { search: 'aDa love' } });
      expect(data.customers.nodes).toEqual(recordsOf(20).with(12, null as never));
      expect(errors).toMatchObject(contradiction('listCustomers.search'));
      expect(errors).toMatchObject([{ path: ['customers', 'nodes', 12], extensions: { operation: 'listCustomers' } }]);
      expect(new Set(upstream.requests.map(({ path }) => parametersOf(path).get('q')))).toEqual(new Set(['aDa love']));
    },
  );
});

describe('a filter', () => {
  const filters = {
    'listCustomers.search': 'q',
    'listCustomerTransactions.type': 't',
  };

  it('by type gives an error in the slot of a transaction of another type', async () => {
    const types = [{ type: 'Credit' }, { type: 'debit' }, {}, { type: { toString: 1, valueOf: 2 } }];
    const records = types.map((more, index) => ({ id: `t${index}`, amount: '1.00', ...more }));
    const { gateway, upstream } = await startScripted(({ path }) => success(isList(path) ? records : { id: 'c1' }), {
      contract: filters,
    });
    const document = '{ customer(id: "c1") { transactions(type: "credit") { nodes { id } } } }';
    const { data, errors } = await query(gateway, document);
    const extensions = { code: 'UPSTREAM_INVALID_RESPONSE', row: 'listCustomerTransactions.type' };
    expect(data.customer.transactions.nodes).toEqual([{ id: 't0' }, null, null, null]);
    expect(errors).toMatchObject(
      [1, 2, 3].map((index) => ({ path: ['customer', 'transactions', 'nodes', index], extensions })),
    );
    expect(parametersOf(upstream.requests.at(-1)?.path ?? '').get('t')).toBe('credit');
  });

  it('of settlement banks names its own row', async () => {
    const contract = { ...filters, 'listSettlementBanks.search': 'find' };
    const { gateway, upstream } = await startScripted(() => success([{ id: 'b1', name: 'Main' }]), { contract });
    const { errors } = await query(gateway, '{ settlementBanks(search: "other") { nodes { id } } }');
    expect(errors).toMatchObject([{ extensions: { row: 'listSettlementBanks.search' } }]);
    expect(parametersOf(upstream.requests[0]?.path ?? '').get('find')).toBe('other');
  });

  it.each([
    ['words that stand in two fields', 'Ada Lovelace', {}],
    ['a value deep inside', 'deep', {}],
    ['a part of a number', '234', {}],
    ['a number of many digits', '12345678901234567', {}],
    ['an account number with its leading zeros', '0012345678', { 'accountNumber.digits': 10 }],
    ['a bank code with its leading zeros', '044', { 'bankCode.digits': 3 }],
    ['blanks around it', ' ada ', {}],
    ['other words, where the service searches its own way', 'countess', { 'listCustomers.searchMatch': 'none' }],
  ])('by %s accepts the record', async (_, search, rows) => {
    const record = { id: 'c1', first_name: 'Ada', last_name: 'Lovelace', profile: { notes: ['Deep inside'] } };
    const numbers = '"account_number":12345678,"bank_code":44,"wallet":12345678901234567';
    const answer = rawJson(`[${JSON.stringify(record).replace('}}', `},${numbers}}`)}]`);
    const { list, errors } = await readWindow(() => answer, { ...filters, ...rows }, { search });
    expect(errors).toEqual([]);
    expect(idsOf(list.nodes)).toEqual(['c1']);
  });

  it.each(['', ' '])('without a word leaves a record that holds no text its own error: %j', async (search) => {
    const { errors } = await readWindow(() => success([{}]), filters, { search });
    expect(new Set(errors.map(({ extensions }) => extensions['row']))).toEqual(new Set(['customer.id']));
  });
});

describe('what a customer carries', () => {
  const embedded = { 'customer.balance': ['/wallet'], 'customer.virtualAccounts': ['/accounts'] };
  const accounts = recordsOf(3).map(({ id }) => ({ id, account_number: `000${id}` }));
  const carrier = { id: 'c1', first_name: 'Ada', wallet: { balance: '5.00' }, total_count: 9, accounts };
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

  const inObject = { 'customer.virtualAccounts': ['/accounts/data'] };
  const unmapped = { ...inObject, 'lists.hasMore': ['/elsewhere'] };
  it.each<readonly [name: string, signs: object, contract: object, isPart: boolean]>([
    ['a flag that more follow', { has_more: true }, inObject, true],
    ['a larger total', { total_count: 4 }, inObject, true],
    ['further pages', { last_page: 2 }, inObject, true],
    ['signs that it is whole', { has_more: false, total_count: 3, last_page: 1 }, inObject, false],
    ['a sign of another type', { total: 'many' }, inObject, true],
    ['a flag that no row reads', { has_more: true }, unmapped, false],
  ])('is an error, and no part of a list, beside %s', async (_, signs, contract, isPart) => {
    const record = { ...carrier, accounts: { data: accounts, ...signs } };
    const { gateway } = await startScripted(() => success(record), { contract: { ...contract } });
    const { data, errors } = await query(
      gateway,
      '{ customer(id: "c1") { firstName virtualAccounts { totalCount } } }',
    );
    expect(data.customer).toEqual({ firstName: 'Ada', virtualAccounts: isPart ? null : { totalCount: 3 } });
    expect(errors.map(({ extensions: { code, row, jsonPath } }) => [code, row, jsonPath])).toEqual(
      isPart ? [['UPSTREAM_INVALID_RESPONSE', 'customer.virtualAccounts', '/data/accounts/data']] : [],
    );
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

  const update = `mutation { found: updateCustomer(input: { id: "c1", lastName: "L" }) { customer { ${selection} } } }`;
  const reference = `_entities(representations: [{ __typename: "Customer", id: "c1" }])`;
  it.each([
    ['the answer to a write', update],
    [
      'its record where a router gives only the identifier',
      `{ found: ${reference} { ... on Customer { ${selection} } } }`,
    ],
  ])('comes with %s', async (_, document) => {
    const { gateway, upstream } = await startScripted(() => success({ ...carrier, last_name: 'L' }), {
      contract: embedded,
    });
    const { data, errors } = await query(gateway, document);
    expect(errors).toEqual([]);
    expect(data.found.customer ?? data.found[0]).toMatchObject({
      balance: { value: { amount: '5.00' } },
      virtualAccounts: { totalCount: 3 },
    });
    expect(upstream.requests).toHaveLength(1);
  });

  it.each(['page', 'cursor'])('is paged as any list, whatever its style would be: %s', async (style) => {
    const contract = { ...embedded, 'listCustomerVirtualAccounts.pageStyle': style };
    const { gateway } = await startScripted(() => success(carrier), { contract });
    const read = (window: Window) => readList(gateway, below('virtualAccounts'), window);
    for (const first of [1, 2, 3, 20]) {
      expect((await walk(read, () => first)).flat(), `first ${first}`).toEqual(idsOf(recordsOf(3)));
    }
  });

  it('holds an error only in the slot that cannot be read', async () => {
    const odd = { ...carrier, wallet: 'empty', accounts: [accounts[0], 7, accounts[2]] };
    const { gateway } = await startScripted(() => success(odd), { contract: embedded });
    const { data, errors } = await query(gateway, `{ customer(id: "c1") { firstName ${selection} } }`);
    expect(data.customer).toEqual({
      firstName: 'Ada',
      balance: null,
      virtualAccounts: { totalCount: 3, nodes: [{ id: 'r1' }, null, { id: 'r3' }] },
    });
    const told = errors.map(({ path, extensions }) => [path?.slice(1), extensions['row'], extensions['jsonPath']]);
    expect(new Set(told)).toEqual(
      new Set([
        [['balance'], 'balance.value', '/data/wallet'],
        [['virtualAccounts', 'nodes', 1], 'account.id', '/data/accounts/1'],
      ]),
    );
  });
});

describe('the form of a write', () => {
  const answer: Script = () => success({ id: 'c1', amount: '500' });
  const updateDocument = 'mutation { updateCustomer(input: { id: "c1", lastName: "L" }) { userErrors { code } } }';

  it('is sent where every required field is given, if only as an empty text', async () => {
    const { gateway, upstream } = await startScripted(answer, { contract: { 'createCustomer.required': ['bvn'] } });
    await query(gateway, 'mutation { createCustomer(input: { bvn: "" }) { userErrors { code } } }');
    expect(upstream.requests.map(({ body }) => body)).toEqual(['{"bvn":""}']);
  });

  it('goes by the method and to the path of the contract, with the credentials of the contract', async () => {
    const { gateway, upstream } = await startScripted(answer, {
      contract: {
        'service.prefix': '/v2',
        'updateCustomer.method': 'PUT',
        'updateCustomer.path': '/people/{id}/record',
        'updateCustomer.credentials': ['bearer', 'privateKey'],
        'updateCustomer.body': { lastName: 'surname' },
      },
    });
    await query(gateway, updateDocument);
    const [request] = upstream.requests;
    expect([request?.method, request?.path, request?.body]).toEqual(['PUT', '/v2/people/c1/record', '{"surname":"L"}']);
    expect(request?.headers).toMatchObject({ authorization: ['Bearer test-token'], svcprivatekey: ['test-key'] });
  });
});

describe('a unit of its own', () => {
  const document = `mutation { createOneTimeAccount(input: { customerId: "c1", amount: "12.34" }) {
    oneTimeAccount { amount { amount } }
  } }`;
  const reading = `{ customer(id: "c1") { balance { value { amount } } transactions { nodes { amount { amount } } } } }`;
  const answer: Script = ({ path }) => {
    const answers = {
      balance: { balance: 50_000 },
      transactions: [{ id: 't1', amount: 1234 }],
      'one-time-accounts': { id: 'a1', amount: '1234' },
    };
    const name = path.replace(/^.*\//, '').replace(/\?.*$/, '');
    return success(name in answers ? answers[name as keyof typeof answers] : { id: 'c1' });
  };

  it.each([
    ['the service', {}, '50000.00', '1234.00'],
    ['balances', { 'balance.unit': 'minor' }, '500.00', '1234.00'],
    ['transactions', { 'transaction.unit': 'minor' }, '50000.00', '12.34'],
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
});
