import { describe, expect, it } from 'vitest';
import { codes, query, startScripted } from '../support/gateway.ts';
import { routed } from '../support/upstream/script.ts';
import { failure, identifierIn, pageOf, success, type SeenRequest } from '../support/upstream/upstream.ts';

const entities = (selection: string, rest = '', variables = '') =>
  `query ($representations: [_Any!]!${variables}) {
    entities: _entities(representations: $representations) { __typename ${selection} }
  } ${rest}`;
const customer = <Id>(id: Id) => ({ __typename: 'Customer', id });
const settlementBank = <Id>(id: Id) => ({ __typename: 'SettlementBank', id });
const answerAll = ({ path }: SeenRequest) =>
  path.includes('?')
    ? pageOf([{ id: 'n1' }], path)
    : success({ id: identifierIn(path), first_name: 'Ada', name: 'Main', balance: '1.00' });
const targets = (requests: readonly SeenRequest[]) =>
  requests.map(({ path }) => path.replace('/api/v1', '').replace(/\?.*/, '')).toSorted();

const record = '/customers/c1';
/** What is selected of a customer reference, and exactly the calls that this costs. */
const selections: readonly (readonly [selection: string, calls: readonly string[], fragments?: string])[] = [
  ['... on Customer { id __typename }', []],
  ['... on Customer { firstName: id }', []],
  ['... on SettlementBank { name }', []],
  ['... on Customer { transactions { totalCount } }', [`${record}/transactions`]],
  ['... on Customer { virtualAccounts { totalCount } }', [`${record}/virtual-accounts`]],
  ['... on Customer { id: reference }', [record]],
  ['... on Customer { firstName balance { value { amount } } }', [record, `${record}/balance`]],
  ['... on Customer { ... { ... on Customer { firstName } } }', [record]],
  ['...Named', [record], 'fragment Named on _Entity { ... on Customer { email } }'],
  ['...Named', [], 'fragment Named on SettlementBank { name }'],
  ['... on Customer { firstName @skip(if: $on) }', []],
  ['... on Customer { firstName @include(if: $on) }', [record]],
  ['...Named @skip(if: $on)', [], 'fragment Named on Customer { firstName }'],
  ['... on Customer { firstName @include(if: true) @skip(if: $on) }', []],
];

/** A variable that is not used is a fault of the document. */
const usesOn = '... on Customer { __typename @include(if: $on) }';

describe('a reference', () => {
  it('costs exactly the calls for what is selected', async () => {
    const { gateway, upstream } = await startScripted(answerAll);
    for (const [selection, calls, fragments] of selections) {
      const before = upstream.requests.length;
      const document = entities(`${selection} ${usesOn}`, fragments, ', $on: Boolean = true');
      const { data, errors } = await query(gateway, document, { variables: { representations: [customer('c1')] } });
      expect([errors, data.entities], `for ${selection}`).toMatchObject([[], [{ __typename: 'Customer' }]]);
      expect(targets(upstream.requests.slice(before)), `for ${selection}`).toEqual(calls.toSorted());
    }
  });

  it('fails alone, and is null alone without an error where the record is unknown', async () => {
    const { gateway } = await startScripted(
      routed({
        'GET /customers/c1': success({ id: 'c1', first_name: 'Ada' }),
        'GET /customers/nobody': failure(404),
        'GET /customers/c2': failure(500),
        'GET /settlement-banks/b1': failure(403),
      }),
    );
    const representations = [...['c1', 'nobody', 'c2'].map(customer), settlementBank('b1'), customer('c1')];
    const document = entities('... on Customer { firstName } ... on SettlementBank { name }');
    const answer = await query(gateway, document, { variables: { representations } });
    const ada = { __typename: 'Customer', firstName: 'Ada' };
    expect(answer.data.entities).toEqual([ada, null, null, null, ada]);
    expect(answer.errors.map(({ path, extensions }) => [path?.at(-1), extensions['code']])).toEqual([
      [2, 'UPSTREAM_UNAVAILABLE'],
      [3, 'FORBIDDEN'],
    ]);
  });

  it('that names no record of this graph is BAD_USER_INPUT alone, without a call', async () => {
    const { gateway, upstream } = await startScripted(answerAll);
    const ids = [undefined, null, '', '..', '%2e', 'a\u0000b', 'x'.repeat(256), 1.5, 2 ** 53, true, {}, ['c1']];
    const names = ['Nope', '__proto__', 'toString', 'Money', 'Query', 'VirtualAccount', ['Customer'], undefined];
    const odd = [...ids.map(customer), ...names.map((name) => ({ __typename: name, id: 'planted-id' })), 'x'];
    const representations = [...odd, customer('c1'), customer(7)];
    const answer = await query(gateway, entities('... on Customer { id }'), { variables: { representations } });
    expect(codes(answer)).toEqual(odd.map(() => 'BAD_USER_INPUT'));
    const found = ['c1', '7'].map((id) => ({ __typename: 'Customer', id }));
    expect(answer.data.entities).toEqual([...odd.map(() => null), ...found]);
    expect(JSON.stringify(answer.errors)).not.toMatch(/planted-id|resolver/);
    expect(upstream.requests).toEqual([]);
  });

  it('carries nothing but its id over from the representation', async () => {
    const { gateway, upstream } = await startScripted(answerAll);
    const representations = [{ ...customer('c1'), firstName: 'Forged', email: 'forged@example.com' }];
    const document = entities('... on Customer { id firstName email }');
    const { data } = await query(gateway, document, { variables: { representations } });
    expect(data.entities).toEqual([{ __typename: 'Customer', id: 'c1', firstName: 'Ada', email: null }]);
    expect(upstream.requests).toHaveLength(1);
  });

  it('among a hundred of two types costs a read for each record that its selection needs, and keeps its place', async () => {
    const { gateway, upstream } = await startScripted(answerAll);
    const distinct = Array.from({ length: 40 }, (_, at) => (at < 25 ? customer(`c${at}`) : settlementBank(`b${at}`)));
    const representations = Array.from({ length: 100 }, (_, index) => distinct[(index * 7) % 40]);
    const document = entities('... on Customer { id firstName } ... on SettlementBank { id }');
    const { data } = await query(gateway, document, { variables: { representations } });
    expect(data.entities).toMatchObject(representations);
    expect(targets(upstream.requests)).toEqual(
      distinct
        .slice(0, 25)
        .map(({ id }) => `/customers/${id}`)
        .toSorted(),
    );
  });
});

describe('the schema itself', () => {
  const both = '{ service: _service { sdl } schema: __schema { queryType { name } } }';
  const invalid = ['GRAPHQL_VALIDATION_FAILED'];

  it('is told in development', async () => {
    const { gateway } = await startScripted(answerAll);
    const { data, errors } = await query(gateway, both);
    expect([errors, data.schema.queryType.name]).toEqual([[], 'Query']);
    expect(data.service.sdl).toContain('type SettlementBank @key(fields: "id")');
    expect(data.service.sdl).toContain('https://specs.apollo.dev/federation/v2.9');
    expect(data.service.sdl.match(/@cost\(weight: 1\)/g)).toHaveLength(13);
    // Routers written in Rust refuse a supergraph whose schema definition is described.
    expect(data.service.sdl).not.toMatch(/"\s*schema\b/);
  });

  it('is not told where INTROSPECTION is off, however it is asked for, while entities are', async () => {
    const { gateway, upstream } = await startScripted(answerAll, { environment: { INTROSPECTION: '0' } });
    for (const document of [
      '{ s: _service @include(if: true) { sdl } }',
      '{ ... { ... on Query { _service { sdl } } } }',
      '{ ...Named } fragment Named on Query { _service { sdl } }',
      '{ __type(name: "Customer") { name } }',
      '{ ...Named } fragment Named on Query { __schema { types { name } } }',
    ]) {
      const answer = await query(gateway, document);
      expect([answer.status, answer.data, codes(answer)], `for ${document}`).toEqual([400, null, invalid]);
      expect(answer.errors[0]?.message).toBe('Introspection is switched off.');
    }
    expect(upstream.requests).toEqual([]);
    const variables = { representations: [customer('c1')] };
    expect((await query(gateway, entities('... on Customer { firstName }'), { variables })).errors).toEqual([]);
  });

  it('is told in production where INTROSPECTION is on, or its text to the router by its secret', async () => {
    const environment = { NODE_ENV: 'production', ROUTER_SECRET: 'r'.repeat(32) };
    const [{ gateway }, on] = [
      await startScripted(answerAll, { environment }),
      await startScripted(answerAll, { environment: { NODE_ENV: 'production', INTROSPECTION: '1' } }),
    ];
    const ask = async (document: string, secret: string) =>
      codes(await query(gateway, document, { headers: { 'x-router-secret': secret } }));
    expect(codes(await query(on.gateway, both))).toEqual([]);
    expect(await ask('{ _service { sdl } }', environment.ROUTER_SECRET)).toEqual([]);
    expect(await ask('{ _service { sdl } }', 'of-somebody-else')).toEqual(invalid);
    expect(await ask('{ __schema { types { name } } }', environment.ROUTER_SECRET)).toEqual(invalid);
  });
});
