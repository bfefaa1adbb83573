import { describe, expect, it } from 'vitest';
import { codes, query, startScripted } from '../support/gateway.ts';
import { routed } from '../support/script.ts';
import { failure, identifierIn, pageOf, success, type SeenRequest } from '../support/upstream.ts';

const entities = (selection: string, rest = '', variables = '') =>
  `query ($representations: [_Any!]!${variables}) {
    _entities(representations: $representations) { __typename ${selection} }
  } ${rest}`;
const customer = (id: unknown) => ({ __typename: 'Customer', id });
const settlementBank = (id: unknown) => ({ __typename: 'SettlementBank', id });
const answerAll = ({ path }: SeenRequest) =>
  path.includes('?')
    ? pageOf([{ id: 'n1' }], path)
    : success({ id: identifierIn(path), first_name: 'Ada', name: 'Main', balance: '1.00' });
const targets = (requests: readonly SeenRequest[]) =>
  requests.map(({ path }) => path.replace('/api/v1', '').replace(/\?.*/, ''));

/** What was answered for each representation, in order. */
const entitiesOf = (data: { readonly _entities: readonly unknown[] }) => {
  const { _entities: found } = data;
  return found;
};

const record = '/customers/c1';
const balance = '/customers/c1/balance';

/** What is selected of a customer reference, and exactly the calls that this costs. */
const selections: readonly [name: string, selection: string, calls: readonly string[], fragments?: string][] = [
  ['the id', '... on Customer { id }', []],
  ['the type name', '... on Customer { __typename }', []],
  ['the id under another name', '... on Customer { firstName: id }', []],
  ['nothing of a customer', '... on SettlementBank { name }', []],
  ['the balance', '... on Customer { balance { value { amount } } }', [balance]],
  ['the transactions', '... on Customer { transactions { totalCount } }', ['/customers/c1/transactions']],
  ['the accounts', '... on Customer { virtualAccounts { totalCount } }', ['/customers/c1/virtual-accounts']],
  ['a field of the record', '... on Customer { firstName }', [record]],
  ['a field under the name of another', '... on Customer { id: reference }', [record]],
  ['a record field and the balance', '... on Customer { firstName balance { value { amount } } }', [record, balance]],
  ['a nested inline fragment', '... on Customer { ... { ... on Customer { firstName } } }', [record]],
  ['a nested inline fragment of the id', '... on Customer { ... { ... on Customer { id } } }', []],
  ['a fragment', '...Named', [record], 'fragment Named on Customer { email }'],
  ['a fragment of the union', '...Named', [record], 'fragment Named on _Entity { ... on Customer { email } }'],
  [
    'a fragment in a fragment',
    '... on Customer { ...Outer }',
    [record],
    'fragment Outer on Customer { id ...Inner } fragment Inner on Customer { status }',
  ],
  ['a fragment of another type', '...Named', [], 'fragment Named on SettlementBank { name }'],
  ['a second fragment', '... on Customer { id } ... on Customer { firstName }', [record]],
];

describe('a reference to a customer', () => {
  it('costs exactly the calls for what is selected', async () => {
    const { gateway, upstream } = await startScripted(answerAll);
    for (const [name, selection, calls, fragments] of selections) {
      const before = upstream.requests.length;
      const { data, errors } = await query(gateway, entities(selection, fragments), {
        variables: { representations: [customer('c1')] },
      });
      expect(errors, `for ${name}`).toEqual([]);
      expect(entitiesOf(data)).toMatchObject([{ __typename: 'Customer' }]);
      expect(targets(upstream.requests.slice(before)).toSorted(), `for ${name}`).toEqual(calls.toSorted());
    }
  });

  const conditions: readonly [selection: string, on: boolean, calls: readonly string[]][] = [
    ['... on Customer { firstName @skip(if: $on) }', true, []],
    ['... on Customer { firstName @skip(if: $on) }', false, [record]],
    ['... on Customer { firstName @include(if: $on) }', true, [record]],
    ['... on Customer { firstName @include(if: $on) }', false, []],
    ['... on Customer @include(if: $on) { firstName }', true, [record]],
    ['... on Customer @include(if: $on) { firstName }', false, []],
    ['...Named @skip(if: $on)', true, []],
    ['...Named @skip(if: $on)', false, [record]],
    ['... on Customer { ... @include(if: $on) { firstName } }', false, []],
    ['... on Customer { firstName @include(if: true) @skip(if: $on) }', true, []],
    ['... on Customer { firstName @include(if: true) @skip(if: $on) }', false, [record]],
  ];

  it('follows conditions', async () => {
    const { gateway, upstream } = await startScripted(answerAll);
    for (const [selection, on, calls] of conditions) {
      const before = upstream.requests.length;
      const { errors } = await query(gateway, entities(selection, namedWhereUsed(selection), ', $on: Boolean!'), {
        variables: { representations: [customer('c1')], on },
      });
      expect(errors).toEqual([]);
      expect(targets(upstream.requests.slice(before)), `${selection} when ${on}`).toEqual(calls);
    }
  });

  it('is null alone, without an error, where the record is unknown', async () => {
    const { gateway } = await startScripted(
      routed({
        'GET /customers/c1': success({ id: 'c1', first_name: 'Ada' }),
        'GET /customers/nobody': failure(404),
        'GET /customers/c3': success({ id: 'c3', first_name: 'Obi' }),
      }),
    );
    const { data, errors } = await query(gateway, entities('... on Customer { firstName }'), {
      variables: { representations: ['c1', 'nobody', 'c3'].map(customer) },
    });
    expect(errors).toEqual([]);
    expect(entitiesOf(data)).toEqual([
      { __typename: 'Customer', firstName: 'Ada' },
      null,
      { __typename: 'Customer', firstName: 'Obi' },
    ]);
  });

  it('does not take the others along when it fails', async () => {
    const { gateway } = await startScripted(
      routed({
        'GET /customers/c1': success({ id: 'c1', first_name: 'Ada' }),
        'GET /customers/c2': failure(500),
        'GET /customers/c3': success({ id: 'c3', first_name: 'Obi' }),
        'GET /settlement-banks/b1': failure(403),
      }),
    );
    const answer = await query(gateway, entities('... on Customer { firstName } ... on SettlementBank { name }'), {
      variables: { representations: [customer('c1'), customer('c2'), settlementBank('b1'), customer('c3')] },
    });
    expect(entitiesOf(answer.data)).toEqual([
      { __typename: 'Customer', firstName: 'Ada' },
      null,
      null,
      { __typename: 'Customer', firstName: 'Obi' },
    ]);
    expect(answer.errors.map(({ path, extensions }) => [path, extensions['code']])).toEqual([
      [['_entities', 1], 'UPSTREAM_UNAVAILABLE'],
      [['_entities', 2], 'FORBIDDEN'],
    ]);
  });

  it('is BAD_USER_INPUT alone, without a call, where its id is none', async () => {
    const { gateway, upstream } = await startScripted(answerAll);
    const odd = [undefined, null, '', '..', '%2e', 'a\u0000b', 'x'.repeat(256), 1.5, 2 ** 53, true, {}, ['c1']];
    const answer = await query(gateway, entities('... on Customer { id firstName }'), {
      variables: { representations: [...odd, 'c1'].map(customer) },
    });
    expect(answer.errors.map(({ path, extensions }) => [path, extensions['code']])).toEqual(
      odd.map((_, index) => [['_entities', index], 'BAD_USER_INPUT']),
    );
    expect(entitiesOf(answer.data)).toEqual([
      ...odd.map(() => null),
      { __typename: 'Customer', id: 'c1', firstName: 'Ada' },
    ]);
    expect(targets(upstream.requests)).toEqual([record]);
  });

  it('is BAD_USER_INPUT where its id is bad and no record is needed', async () => {
    const { gateway, upstream } = await startScripted(answerAll);
    const answer = await query(gateway, entities('... on Customer { id }'), {
      variables: { representations: [customer('..'), customer('c1')] },
    });
    expect(codes(answer)).toEqual(['BAD_USER_INPUT']);
    expect(entitiesOf(answer.data)).toEqual([null, { __typename: 'Customer', id: 'c1' }]);
    expect(upstream.requests).toEqual([]);
  });

  it('may have a whole number as its id', async () => {
    const { gateway, upstream } = await startScripted(answerAll);
    const { data, errors } = await query(gateway, entities('... on Customer { id firstName }'), {
      variables: { representations: [customer(7)] },
    });
    expect(errors).toEqual([]);
    expect(entitiesOf(data)).toEqual([{ __typename: 'Customer', id: '7', firstName: 'Ada' }]);
    expect(targets(upstream.requests)).toEqual(['/customers/7']);
  });

  it('is UNAUTHENTICATED without the private key, while a settlement bank is answered', async () => {
    const { gateway, upstream } = await startScripted(answerAll);
    const answer = await query(gateway, entities('... on Customer { firstName } ... on SettlementBank { name }'), {
      variables: { representations: [customer('c1'), settlementBank('b1')] },
      headers: { authorization: 'Bearer test-token' },
    });
    expect(codes(answer)).toEqual(['UNAUTHENTICATED']);
    expect(entitiesOf(answer.data)).toEqual([null, { __typename: 'SettlementBank', name: 'Main' }]);
    expect(targets(upstream.requests)).toEqual(['/settlement-banks/b1']);
  });

  it('carries nothing but its id over from the representation', async () => {
    const { gateway, upstream } = await startScripted(answerAll);
    const { data } = await query(gateway, entities('... on Customer { id firstName email }'), {
      variables: { representations: [{ ...customer('c1'), firstName: 'Forged', email: 'forged@example.com' }] },
    });
    expect(entitiesOf(data)).toEqual([{ __typename: 'Customer', id: 'c1', firstName: 'Ada', email: null }]);
    expect(upstream.requests).toHaveLength(1);
  });
});

/** Named, where the selection spreads it: an unused fragment is a fault of the document. */
const namedWhereUsed = (selection: string): string =>
  ['fragment Named on Customer { firstName }'].filter(() => selection.includes('...Named')).join('');

describe('references', () => {
  it('that are equal are read once', async () => {
    const { gateway, upstream } = await startScripted(answerAll);
    const { data, errors } = await query(
      gateway,
      entities('... on Customer { firstName balance { value { amount } } } ... on SettlementBank { name }'),
      { variables: { representations: [customer('c1'), settlementBank('b1'), customer('c1'), settlementBank('b1')] } },
    );
    expect(errors).toEqual([]);
    const [first, , third, ...rest] = entitiesOf(data);
    expect(third).toEqual(first);
    expect(rest).toHaveLength(1);
    expect(targets(upstream.requests).toSorted()).toEqual([record, balance, '/settlement-banks/b1'].toSorted());
  });

  it('of two types, a hundred to forty records in any order, cost forty reads and keep their places', async () => {
    const { gateway, upstream } = await startScripted(({ path }) => {
      const id = path.split('/').at(-1) ?? '';
      return success({ id, first_name: `Name of ${id}`, name: `Name of ${id}` });
    });
    const customers = Array.from({ length: 25 }, (_, index) => customer(`c${index}`));
    const banks = Array.from({ length: 15 }, (_, index) => settlementBank(`b${index}`));
    const distinct = [...customers, ...banks];
    const representations = Array.from({ length: 100 }, (_, index) => distinct[(index * 7) % distinct.length]);
    const { data, errors } = await query(
      gateway,
      entities('... on Customer { id name: firstName } ... on SettlementBank { id name }'),
      { variables: { representations } },
    );
    expect(errors).toEqual([]);
    expect(entitiesOf(data)).toEqual(
      representations.map((reference) => ({ ...reference, name: `Name of ${String(reference?.id)}` })),
    );
    expect(new Set(targets(upstream.requests)).size).toBe(40);
    expect(upstream.requests).toHaveLength(40);
  });

  it.each([
    ['id', []],
    ['__typename', []],
    ['name', ['/settlement-banks/b1']],
    ['id createdAt', ['/settlement-banks/b1']],
  ])('to a settlement bank cost exactly the calls for { %s }', async (selection, calls) => {
    const { gateway, upstream } = await startScripted(answerAll);
    const { data, errors } = await query(gateway, entities(`... on SettlementBank { ${selection} }`), {
      variables: { representations: [settlementBank('b1')] },
    });
    expect(errors).toEqual([]);
    expect(entitiesOf(data)).toMatchObject([{ __typename: 'SettlementBank' }]);
    expect(targets(upstream.requests)).toEqual(calls);
  });
});

describe('the schema itself', () => {
  const off = { environment: { INTROSPECTION: '0' } };

  it('is told in development', async () => {
    const { gateway } = await startScripted(answerAll);
    const { data, errors } = await query(
      gateway,
      '{ service: _service { sdl } schema: __schema { queryType { name } } }',
    );
    expect(errors).toEqual([]);
    expect(data.schema.queryType.name).toBe('Query');
    expect(data.service.sdl).toContain('type SettlementBank @key(fields: "id")');
    expect(data.service.sdl).toContain('https://specs.apollo.dev/federation/v2.9');
    // Routers written in Rust refuse a supergraph whose schema definition is described.
    expect(data.service.sdl).not.toMatch(/"\s*schema\b/);
  });

  it('is told with costs that composers take: whole numbers', async () => {
    const { gateway } = await startScripted(answerAll);
    const { data } = await query(gateway, '{ service: _service { sdl } }');
    expect(data.service.sdl.match(/@cost\(weight: 1\)/g)).toHaveLength(13);
    expect(data.service.sdl).not.toMatch(/@cost\(weight: "/);
  });

  it('is not told where INTROSPECTION is off, however it is asked for', async () => {
    const { gateway, upstream } = await startScripted(answerAll, off);
    for (const document of [
      '{ _service { sdl } }',
      '{ s: _service { sdl } }',
      '{ ... { ... on Query { _service { sdl } } } }',
      '{ ...Named } fragment Named on Query { _service { sdl } }',
      '{ __schema { types { name } } }',
      '{ __type(name: "Customer") { name } }',
      '{ ...Named } fragment Named on Query { __schema { types { name } } }',
    ]) {
      const answer = await query(gateway, document);
      expect(codes(answer), `for ${document}`).toEqual(['GRAPHQL_VALIDATION_FAILED']);
      expect(answer.data).toBeNull();
    }
    expect(upstream.requests).toEqual([]);
  });

  it('is not told in production, unless INTROSPECTION is on', async () => {
    const production = { NODE_ENV: 'production' };
    const { gateway: closed } = await startScripted(answerAll, { environment: production });
    const { gateway: open } = await startScripted(answerAll, { environment: { ...production, INTROSPECTION: '1' } });
    const document = '{ service: _service { sdl } schema: __schema { queryType { name } } }';
    const refused = await query(closed, document);
    const told = await query(open, document);
    expect(refused.data).toBeNull();
    expect(new Set(codes(refused))).toEqual(new Set(['GRAPHQL_VALIDATION_FAILED']));
    expect(told.errors).toEqual([]);
    expect(told.data.service.sdl).toContain('type Customer');
  });

  it('is told to the router by its secret in production, and to nobody after it', async () => {
    const environment = { NODE_ENV: 'production', ROUTER_SECRET: 'r'.repeat(32) };
    const { gateway } = await startScripted(answerAll, { environment });
    const ask = (document: string, secret: string) =>
      query(gateway, document, { headers: { 'x-router-secret': secret } });
    const told = await ask('{ _service { sdl } }', environment.ROUTER_SECRET);
    expect(told.errors).toEqual([]);
    expect(JSON.stringify(told.data)).toContain('type Customer');
    expect(codes(await ask('{ _service { sdl } }', 'of-somebody-else'))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    expect(codes(await ask('{ __schema { types { name } } }', environment.ROUTER_SECRET))).toEqual([
      'GRAPHQL_VALIDATION_FAILED',
    ]);
  });

  it('keeps entities and type names answerable where INTROSPECTION is off', async () => {
    const { gateway } = await startScripted(answerAll, off);
    const { data, errors } = await query(gateway, entities('... on Customer { firstName }'), {
      variables: { representations: [customer('c1')] },
    });
    expect(errors).toEqual([]);
    expect(entitiesOf(data)).toEqual([{ __typename: 'Customer', firstName: 'Ada' }]);
  });
});
