import { describe, expect, it } from 'vitest';
import { codes, query, startScripted } from '../support/gateway.ts';
import { routed } from '../support/script.ts';
import { failure, identifierIn, pageOf, success, type SeenRequest } from '../support/upstream.ts';

const entities = (selection: string, rest = '', variables = '') =>
  `query ($representations: [_Any!]!${variables}) {
    _entities(representations: $representations) { __typename ${selection} }
  } ${rest}`;
const customer = <Id>(id: Id) => ({ __typename: 'Customer', id });
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
const selections: readonly (readonly [selection: string, calls: readonly string[], fragments?: string])[] = [
  ['... on Customer { id __typename }', []],
  ['... on Customer { firstName: id }', []],
  ['... on SettlementBank { name }', []],
  ['... on Customer { transactions { totalCount } }', ['/customers/c1/transactions']],
  ['... on Customer { virtualAccounts { totalCount } }', ['/customers/c1/virtual-accounts']],
  ['... on Customer { id: reference }', [record]],
  ['... on Customer { firstName balance { value { amount } } }', [record, balance]],
  ['... on Customer { ... { ... on Customer { firstName } } }', [record]],
  ['... on Customer { ... { ... on Customer { id } } }', []],
  ['...Named', [record], 'fragment Named on _Entity { ... on Customer { email } }'],
  ['...Named', [], 'fragment Named on SettlementBank { name }'],
  ['...Outer', [record], 'fragment Outer on Customer { id ...Inner } fragment Inner on Customer { status }'],
  ['... on Customer { id } ... on Customer { firstName }', [record]],
  ['... on Customer { firstName @skip(if: $on) }', []],
  ['... on Customer { firstName @include(if: $on) }', [record]],
  ['... on Customer @skip(if: $on) { firstName }', []],
  ['...Named @skip(if: $on)', [], 'fragment Named on Customer { firstName }'],
  ['...Named @include(if: $on)', [record], 'fragment Named on Customer { firstName }'],
  ['... on Customer { ... @skip(if: $on) { firstName } }', []],
  ['... on Customer { firstName @include(if: true) @skip(if: $on) }', []],
];

/** A variable that is not used is a fault of the document. */
const usesOn = '... on Customer { __typename @include(if: $on) }';

describe('a reference to a customer', () => {
  it('costs exactly the calls for what is selected', async () => {
    const { gateway, upstream } = await startScripted(answerAll);
    for (const [selection, calls, fragments] of selections) {
      const before = upstream.requests.length;
      const document = entities(`${selection} ${usesOn}`, fragments, ', $on: Boolean = true');
      const { data, errors } = await query(gateway, document, { variables: { representations: [customer('c1')] } });
      expect(errors, `for ${selection}`).toEqual([]);
      expect(entitiesOf(data)).toMatchObject([{ __typename: 'Customer' }]);
      expect(targets(upstream.requests.slice(before)).toSorted(), `for ${selection}`).toEqual(calls.toSorted());
    }
  });

  it('fails alone, and is null alone without an error where the record is unknown', async () => {
    const { gateway } = await startScripted(
      routed({
        'GET /customers/c1': success({ id: 'c1', first_name: 'Ada' }),
        'GET /customers/nobody': failure(404),
        'GET /customers/c2': failure(500),
        'GET /customers/c3': success({ id: 'c3', first_name: 'Obi' }),
        'GET /settlement-banks/b1': failure(403),
      }),
    );
    const references = [...['c1', 'nobody', 'c2'].map(customer), settlementBank('b1'), customer('c3')];
    const answer = await query(gateway, entities('... on Customer { firstName } ... on SettlementBank { name }'), {
      variables: { representations: references },
    });
    const [ada, obi] = ['Ada', 'Obi'].map((firstName) => ({ __typename: 'Customer', firstName }));
    expect(entitiesOf(answer.data)).toEqual([ada, null, null, null, obi]);
    expect(answer.errors.map(({ path, extensions }) => [path, extensions['code']])).toEqual([
      [['_entities', 2], 'UPSTREAM_UNAVAILABLE'],
      [['_entities', 3], 'FORBIDDEN'],
    ]);
  });

  it('is BAD_USER_INPUT alone, without a call, where its id is none', async () => {
    const { gateway, upstream } = await startScripted(answerAll);
    const odd = [undefined, null, '', '..', '%2e', 'a\u0000b', 'x'.repeat(256), 1.5, 2 ** 53, true, {}, ['c1']];
    const answer = await query(gateway, entities('... on Customer { id firstName }'), {
      variables: { representations: [...odd, 'c1', 7].map(customer) },
    });
    expect(answer.errors.map(({ path, extensions }) => [path, extensions['code']])).toEqual(
      odd.map((_, index) => [['_entities', index], 'BAD_USER_INPUT']),
    );
    expect(entitiesOf(answer.data)).toEqual([
      ...odd.map(() => null),
      ...['c1', '7'].map((id) => ({ __typename: 'Customer', id, firstName: 'Ada' })),
    ]);
    expect(targets(upstream.requests)).toEqual([record, '/customers/7']);
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

describe('references', () => {
  it('of two types, a hundred in any order, cost a read for each record that its selection needs, and keep their places', async () => {
    const { gateway, upstream } = await startScripted(({ path }) => {
      const id = path.split('/').at(-1) ?? '';
      return success({ id, first_name: `Name of ${id}` });
    });
    const customers = Array.from({ length: 25 }, (_, index) => customer(`c${index}`));
    const banks = Array.from({ length: 15 }, (_, index) => settlementBank(`b${index}`));
    const distinct = [...customers, ...banks];
    const answers = [...customers.map((each) => ({ ...each, name: `Name of ${each.id}` })), ...banks];
    const order = Array.from({ length: 100 }, (_, index) => (index * 7) % distinct.length);
    const representations = order.map((at) => distinct[at]);
    const { data, errors } = await query(
      gateway,
      entities('... on Customer { id name: firstName } ... on SettlementBank { id }'),
      { variables: { representations } },
    );
    expect(errors).toEqual([]);
    expect(entitiesOf(data)).toEqual(order.map((at) => answers[at]));
    expect(targets(upstream.requests).toSorted()).toEqual(customers.map(({ id }) => `/customers/${id}`).toSorted());
  });

  it.each([
    ['id', []],
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
    expect(data.service.sdl.match(/@cost\(weight: 1\)/g)).toHaveLength(13);
    // Routers written in Rust refuse a supergraph whose schema definition is described.
    expect(data.service.sdl).not.toMatch(/"\s*schema\b/);
  });

  it('is not told where INTROSPECTION is off, however it is asked for', async () => {
    const { gateway, upstream } = await startScripted(answerAll, off);
    for (const document of [
      '{ _service { sdl } }',
      '{ s: _service { sdl } }',
      '{ _service @include(if: true) { sdl } }',
      '{ ... { ... on Query { _service { sdl } } } }',
      '{ ...Named } fragment Named on Query { _service { sdl } }',
      '{ __schema { types { name } } }',
      '{ __type(name: "Customer") { name } }',
      '{ ...Named } fragment Named on Query { __schema { types { name } } }',
    ]) {
      const answer = await query(gateway, document);
      expect(codes(answer), `for ${document}`).toEqual(['GRAPHQL_VALIDATION_FAILED']);
      expect([answer.status, answer.errors[0]?.message]).toEqual([400, 'Introspection is switched off.']);
      expect(answer.data).toBeNull();
    }
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    [{}, ['GRAPHQL_VALIDATION_FAILED']],
    [{ INTROSPECTION: '1' }, []],
  ])('is not told in production, unless INTROSPECTION is on: %j', async (more, expected) => {
    const { gateway } = await startScripted(answerAll, { environment: { NODE_ENV: 'production', ...more } });
    const answer = await query(gateway, '{ service: _service { sdl } schema: __schema { queryType { name } } }');
    expect([...new Set(codes(answer))]).toEqual(expected);
    expect(answer.data === null).toBe(expected.length > 0);
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
