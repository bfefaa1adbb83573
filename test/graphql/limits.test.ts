import { getIntrospectionQuery, parse, type OperationDefinitionNode } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createContract } from '../../src/contract/contract.ts';
import { createCostReader } from '../../src/graphql/limits/operation-cost.ts';
import { createGate } from '../../src/graphql/limits/operation-gate.ts';
import type { ResolvedOperation } from '../../src/graphql/operation-listener.ts';
import { createFieldCosts } from '../../src/graphql/resolvers/field-costs.ts';
import { createSchema, resolversUnder } from '../../src/graphql/schema.ts';
import { createOperations } from '../../src/upstream/operations.ts';
import { codes, query, startScripted } from '../support/gateway.ts';
import { pageOf, success, type SeenRequest } from '../support/upstream/upstream.ts';

const answerAll = ({ path }: SeenRequest) =>
  path.includes('?') ? pageOf([{ id: 'n1' }], path) : success({ id: 'c1', first_name: 'Ada', balance: '1.00' });
const start = () => startScripted(answerAll);

const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ');
const nest = (depth: number) => `{ ${'a { '.repeat(depth - 1)} a ${'} '.repeat(depth - 1)} }`;
const customer = (selection: string) => `{ customer(id: "c1") { ${selection} } }`;
const referencesTo = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ __typename: 'Customer', id: `c${index}` }));
const literalsTo = (count: number) => times(count, (index) => `{ __typename: "Customer", id: "c${index}" }`);
const idOf = '{ ... on Customer { id } }';
const invalid = ['GRAPHQL_VALIDATION_FAILED'];

/** Ten aliases, each with four more in a fragment that all ten share, and `count - 50` further ones. */
const ofSharedAliases = (count: number) =>
  `{ ${times(10, (index) => `a${index}: customer(id: "c1") { ...Four }`)} ${times(count - 50, (index) => `b${index}: __typename`)} }
    fragment Four on Customer { a: id b: id c: id d: id }`;
/** 29 tokens, and one for each number in the list. */
const ofTokens = (count: number) =>
  `{ _entities(representations: [{ __typename: "Customer", id: "c1", x: [${'1 '.repeat(count - 29)}] }]) ${idOf} }`;
/** Ten spreads with a directive each, of a fragment with one, and `count - 20` further ones. */
const ofSharedDirectives = (count: number) =>
  `${customer(`${'...One @include(if: true) '.repeat(10)} ${'id @skip(if: false) '.repeat(count - 20)}`)}
    fragment One on Customer { id @include(if: true) }`;
const ofReferences = `query ($of: [_Any!]!) { _entities(representations: [${literalsTo(50)}]) ${idOf} b: _entities(representations: $of) ${idOf} }`;

type Row = readonly [limit: string, most: number, where: string, of: (count: number) => string, faults?: string[]];
/** Each limit at each place where it counts: a request of exactly so many, and what else is wrong with it. */
const rows: readonly Row[] = [
  ['length', 32_768, 'a comment', (count) => `{ __typename } #${'x'.repeat(count - 16)}`],
  ['tokens', 1000, 'a literal', ofTokens],
  ['lines', 4000, 'before an operation', (count) => `${'\n'.repeat(count - 1)}{ __typename }`],
  ['depth', 12, 'fields', nest, invalid],
  ['depth', 12, 'fragments', (count) => `{ a { ...Rest } } fragment Rest on Customer ${nest(count - 1)}`, invalid],
  ['aliases', 50, 'a fragment used ten times', ofSharedAliases],
  ['rootFields', 20, 'the operation', (count) => `{ ${'customer(id: "c1") { id } '.repeat(count)} }`],
  [
    'rootFields',
    20,
    'a fragment',
    (count) => `{ ${'...Root '.repeat(count)} } fragment Root on Query { customer(id: "c1") { id } }`,
  ],
  ['directives', 20, 'spreads of one fragment', ofSharedDirectives],
  [
    'directives',
    20,
    'the operation and its variables',
    (count) =>
      `query ($a: Int ${'@include(if: true) '.repeat(10)}) ${'@skip(if: false) '.repeat(count - 10)} { __typename }`,
    invalid,
  ],
  ['representations', 200, 'a literal and a variable', () => ofReferences],
];

describe('a request', () => {
  /** What is left of so many references; for those who do not declare it, few. */
  const variablesOf = (count: number) => ({ of: referencesTo(Math.min(count - 50, 151)) });

  const each = rows.map(([limit, most, where, of, faults = []]) => ({ limit, most, where, of, faults }));
  it.each(each)('may have $most of $limit in $where', async ({ most, of, faults }) => {
    const { gateway } = await start();
    const answer = await query(gateway, of(most), { variables: variablesOf(most) });
    expect([...new Set(codes(answer))]).toEqual(faults);
  });

  it('with one more of any is refused without a call, for that alone', async () => {
    const { gateway, upstream } = await start();
    for (const [limit, maximum, where, of] of rows) {
      const answer = await query(gateway, of(maximum + 1), { variables: variablesOf(maximum + 1) });
      const message = expect.stringContaining(String(maximum)) as string;
      const refusal = { message, extensions: { code: 'LIMIT_EXCEEDED', limit, maximum } };
      expect(answer, `${limit} in ${where}`).toMatchObject({ status: 400, data: null, errors: [refusal] });
    }
    expect(upstream.requests).toEqual([]);
  });

  it('is refused as fast where its fragments would unfold to billions of aliases, and again when it comes again', async () => {
    const { gateway, upstream } = await start();
    const chain = times(40, (index) => `fragment F${index} on Customer { ...F${index + 1} ...F${index + 1} }`);
    const document = `{ customer(id: "c1") { ...F0 } } ${chain} fragment F40 on Customer { a: id }`;
    for (const _ of ['first', 'second'])
      expect((await query(gateway, document)).errors).toMatchObject([{ extensions: { limit: 'aliases' } }]);
    expect(upstream.requests).toEqual([]);
  });

  it('may select a field 707 times, and is told so beyond', async () => {
    const { gateway, upstream } = await start();
    const refused = await query(gateway, customer('id '.repeat(708)));
    expect([codes(refused), upstream.requests]).toEqual([invalid, []]);
    expect(refused.errors[0]?.message).toMatch(/too often to compare them\. Select each field once/);
    expect(codes(await query(gateway, customer('id '.repeat(707))))).toEqual([]);
  });

  it('is told of ten faults in its document with their places, or five in its variables, and that there are more', async () => {
    const { gateway, upstream } = await start();
    const refused = await query(gateway, customer(times(200, (index) => `unknown${index}`)));
    expect([refused.status, refused.errors.length]).toEqual([400, 11]);
    expect(refused.errors[0]).toMatchObject({ locations: [{ line: 1, column: 24 }] });
    expect(refused.errors.at(-1)?.message).toMatch(/^Too many/);
    const input = { id: 'c1', ...Object.fromEntries(Array.from({ length: 8_000 }, (_, index) => [`x${index}`, 0])) };
    const update = 'mutation ($input: UpdateCustomerInput!) { updateCustomer(input: $input) { userErrors { code } } }';
    const answer = await query(gateway, update, { variables: { input } });
    expect([answer.status, codes(answer)]).toEqual([400, Array.from({ length: 6 }, () => 'BAD_USER_INPUT')]);
    const longName = await query(gateway, `{ ${'a'.repeat(32_000)} }`);
    expect(longName.errors[0]?.message.length).toBeLessThanOrEqual(300);
    expect(upstream.requests).toEqual([]);
  });
});

describe('an answer', () => {
  const text = 'x'.repeat(40_000);
  const listOf = (record: object) => Array.from({ length: 100 }, (_, index) => ({ id: `n${index}`, ...record }));
  const [customers, transactions] = [listOf({ first_name: text }), listOf({ amount: '1.00', narration: text })];
  const startLong = () =>
    startScripted(({ method, path }) =>
      method === 'POST'
        ? success({ id: 'c1' })
        : pageOf(path.includes('transactions') ? transactions : customers, path),
    );
  const tooLong = { extensions: { code: 'LIMIT_EXCEEDED', limit: 'answerLength', maximum: 16_777_216 } };

  it('may have 16 MiB; a longer one of a query has no data, by graphql-js too', async () => {
    const { gateway, upstream } = await startLong();
    const list = (aliases: number) =>
      `customers(first: 100) { nodes { ${times(aliases, (index) => `a${index}: firstName`)} } }`;
    const within = await query(gateway, `{ ${list(4)} }`);
    expect([within.errors, within.data.customers.nodes.length]).toEqual([[], 100]);
    // The planned executor leaves a query beside introspection to graphql-js.
    for (const beside of ['', '__schema { description }'])
      expect(await query(gateway, `{ ${list(5)} ${beside} }`)).toMatchObject({
        status: 200,
        data: null,
        errors: [tooLong],
      });
    expect(upstream.requests).toHaveLength(3);
  });

  it('of a mutation that is longer keeps its outcomes and loses its lists', async () => {
    const { gateway } = await startLong();
    const list = `transactions(first: 100) { nodes { ${times(5, (index) => `a${index}: narration`)} } }`;
    const document = `mutation { createCustomer(input: { type: "w" }) { customer { id ${list} } userErrors { code } } }`;
    const { data, errors } = await query(gateway, document);
    expect(data).toEqual({ createCustomer: { customer: { id: 'c1', transactions: null }, userErrors: [] } });
    expect(errors).toMatchObject([tooLong]);
  });

  it('of a query may have 10,000 errors, and with more has no data and a hundred of them', async () => {
    const misread = listOf({ narration: 1 });
    const { gateway } = await startScripted(({ path }) => pageOf(misread, path));
    const ask = (fields: number) => {
      const list = `transactions(first: 100) { nodes { ${times(fields, (index) => `a${index}: narration`)} } }`;
      return query(gateway, `{ customers(first: 5) { nodes { ${list} } } }`);
    };
    const within = await ask(20);
    expect([within.data.customers.nodes.length, within.errors.length]).toEqual([5, 10_000]);
    const above = await ask(21);
    expect([above.status, above.data, above.errors.length]).toEqual([200, null, 101]);
    expect(above.errors[0]).toMatchObject({ extensions: { code: 'LIMIT_EXCEEDED', limit: 'errors', maximum: 10_000 } });
  });
});

it.each([
  ['for its missing secret', ['x'.repeat(32)], /needs the router's secret/],
  ['for their number', undefined, /limit of 200 for representations/],
])('a list of references that twenty fields share is refused %s, none of them read', (_, routerSecret, message) => {
  const contract = createContract();
  const schema = createSchema('', contract);
  const readCost = createCostReader(createFieldCosts(createOperations(contract), resolversUnder('')));
  const document = parse(
    `query ($of: [_Any!]!) { ${times(20, (index) => `a${index}: _entities(representations: $of) ${idOf}`)} }`,
  );
  const [operation] = document.definitions as [OperationDefinitionNode];
  let reads = 0;
  const of = new Proxy(referencesTo(11), {
    get: (list, name) => {
      reads += typeof name === 'string' && /^\d+$/.test(name) ? 1 : 0;
      return Reflect.get(list, name) as unknown;
    },
  });
  const settings = { maxUpstreamCalls: 200, maxRepresentations: 200, introspection: false, routerSecret };
  const context = { isRouter: false, recorder: undefined } as ResolvedOperation['context']; // what the gate reads of it
  const resolved = { schema, source: '', document, operation, variables: { of }, context };
  expect(() => createGate(readCost, settings).onOperation?.(resolved)).toThrow(message);
  expect(reads).toBe(0);
});

it.each([
  // What Sandbox, GraphiQL, code generators and Relay's tools send has at most all of these options.
  getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  }),
  `{ __type(name: "Customer") { fields { name type { ${'ofType { '.repeat(9)} name ${'} '.repeat(9)} } } } }`,
])('introspection passes every limit: case %#', async (document) => {
  const { gateway } = await start();
  expect((await query(gateway, document)).errors).toEqual([]);
});
