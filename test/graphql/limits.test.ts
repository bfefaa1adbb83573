import { getIntrospectionQuery, parse, type OperationDefinitionNode } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createContract } from '../../src/contract/contract.ts';
import type { ResolvedOperation } from '../../src/graphql/operation-listener.ts';
import { createCostReader } from '../../src/graphql/limits/operation-cost.ts';
import { createGate } from '../../src/graphql/limits/operation-gate.ts';
import { createFieldCosts } from '../../src/graphql/resolvers/field-costs.ts';
import { createSchema, resolversUnder } from '../../src/graphql/schema.ts';
import { createLogger } from '../../src/runtime/log.ts';
import { createOperations } from '../../src/upstream/operations.ts';
import { codes, query, startScripted } from '../support/gateway.ts';
import { pageOf, success, type SeenRequest } from '../support/upstream.ts';

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

interface Asked {
  readonly document: string;
  readonly variables?: unknown;
}

/** 29 tokens, and one for each number in the list. */
const ofTokens = (count: number): Asked => ({
  document: `{ _entities(representations: [{ __typename: "Customer", id: "c1", x: [${'1 '.repeat(count - 29)}] }]) ${idOf} }`,
});

/** Ten aliases, each with four more in a fragment that all ten share, and `count - 50` further ones. */
const ofSharedAliases = (count: number): Asked => ({
  document: `{ ${times(10, (index) => `a${index}: customer(id: "c1") { ...Four }`)} ${times(count - 50, (index) => `b${index}: __typename`)} }
    fragment Four on Customer { a: id b: id c: id d: id }`,
});

/** Ten spreads with a directive each, of a fragment with one, and `count - 20` further ones. */
const ofSharedDirectives = (count: number): Asked => ({
  document: `${customer(`${'...One @include(if: true) '.repeat(10)} ${'id @skip(if: false) '.repeat(count - 20)}`)}
    fragment One on Customer { id @include(if: true) }`,
});

const invalid = ['GRAPHQL_VALIDATION_FAILED'];

/** Each limit at each place where it counts: a request of exactly so many, and what else is wrong with it. */
const rows: readonly [limit: string, most: number, where: string, of: (count: number) => Asked, faults?: string[]][] = [
  ['length', 32_768, 'a comment', (count) => ({ document: `{ __typename } #${'x'.repeat(count - 16)}` })],
  ['tokens', 1000, 'a literal', ofTokens],
  ['lines', 4000, 'before an operation', (count) => ({ document: `${'\n'.repeat(count - 1)}{ __typename }` })],
  ['lines', 4000, 'behind an operation', (count) => ({ document: `{ __typename }${'\r\n'.repeat(count - 1)}` })],
  ['depth', 12, 'fields', (count) => ({ document: nest(count) }), invalid],
  [
    'depth',
    12,
    'fragments',
    (count) => ({ document: `{ a { ...Rest } } fragment Rest on Customer ${nest(count - 1)}` }),
    invalid,
  ],
  ['depth', 12, 'the first of two fields', (count) => ({ document: `{ a ${nest(count - 1)} b }` }), invalid],
  ['aliases', 50, 'one selection', (count) => ({ document: customer(times(count, (index) => `a${index}: id`)) })],
  ['aliases', 50, 'a fragment used ten times', ofSharedAliases],
  ['rootFields', 20, 'the operation', (count) => ({ document: `{ ${'customer(id: "c1") { id } '.repeat(count)} }` })],
  [
    'rootFields',
    20,
    'a fragment used again and again',
    (count) => ({ document: `{ ${'...Root '.repeat(count)} } fragment Root on Query { customer(id: "c1") { id } }` }),
  ],
  ['directives', 20, 'fields', (count) => ({ document: customer('id @include(if: true) '.repeat(count)) })],
  ['directives', 20, 'spreads of one fragment', ofSharedDirectives],
  [
    'directives',
    20,
    'the operation and its variables',
    (count) => ({
      document: `query ($a: Int ${'@include(if: true) '.repeat(10)}) ${'@skip(if: false) '.repeat(count - 10)} { __typename }`,
    }),
    invalid,
  ],
  [
    'representations',
    200,
    'a variable',
    (count) => ({
      document: `query ($of: [_Any!]!) { _entities(representations: $of) ${idOf} }`,
      variables: { of: referencesTo(count) },
    }),
  ],
  [
    'representations',
    200,
    'a literal and a variable',
    (count) => ({
      document: `query ($of: [_Any!]!) { _entities(representations: [${literalsTo(50)}]) ${idOf} b: _entities(representations: $of) ${idOf} }`,
      variables: { of: referencesTo(count - 50) },
    }),
  ],
];

describe('a request', () => {
  it('may have as much as each limit says, wherever it counts', async () => {
    const { gateway } = await start();
    for (const [limit, most, where, of, faults = []] of rows) {
      const { document, variables } = of(most);
      const answer = await query(gateway, document, { variables });
      expect([...new Set(codes(answer))], `${limit} in ${where}`).toEqual(faults);
    }
  });

  it('with one more is refused without a call', async () => {
    const { gateway, upstream } = await start();
    for (const [limit, maximum, where, of] of rows) {
      const { document, variables } = of(maximum + 1);
      const { status, data, errors } = await query(gateway, document, { variables });
      expect([status, data], `${limit} in ${where}`).toEqual([400, null]);
      expect(errors).toContainEqual(
        expect.objectContaining({
          message: expect.stringContaining(String(maximum)) as string,
          extensions: { code: 'LIMIT_EXCEEDED', limit, maximum, requestId: expect.any(String) as string },
        }),
      );
    }
    expect(upstream.requests).toEqual([]);
  });

  it('may have an answer of 16 MiB, and with a longer one has no data', async () => {
    const firstName = 'x'.repeat(40_000);
    const records = Array.from({ length: 100 }, (_, index) => ({ id: `n${index}`, first_name: firstName }));
    const { gateway, upstream } = await startScripted(({ method, path }) =>
      method === 'POST' ? success({ id: 'c1', first_name: firstName }) : pageOf(records, path),
    );
    const list = (aliases: number) =>
      `customers(first: 100) { nodes { ${times(aliases, (index) => `a${index}: firstName`)} } }`;
    const within = await query(gateway, `{ ${list(4)} }`);
    expect([within.errors, within.data.customers.nodes.length]).toEqual([[], 100]);
    const refusal = { extensions: { code: 'LIMIT_EXCEEDED', limit: 'answerLength', maximum: 16_777_216 } };
    // The planned executor leaves a query beside introspection to graphql-js.
    for (const beside of ['', '__schema { description }']) {
      const { status, data, errors } = await query(gateway, `{ ${list(5)} ${beside} }`);
      expect([status, data, errors]).toMatchObject([200, null, [refusal]]);
    }
    expect(upstream.requests).toHaveLength(3);
  });

  it('that writes keeps its outcomes where its answer is too long, and loses its lists', async () => {
    const narration = 'x'.repeat(40_000);
    const records = Array.from({ length: 100 }, (_, index) => ({ id: `t${index}`, amount: '1.00', narration }));
    const { gateway } = await startScripted(({ method, path }) =>
      method === 'POST' ? success({ id: 'c1' }) : pageOf(records, path),
    );
    const list = `transactions(first: 100) { nodes { ${times(5, (index) => `a${index}: narration`)} } }`;
    const document = `mutation { createCustomer(input: { type: "w" }) { customer { id ${list} } userErrors { code } } }`;
    const { data, errors } = await query(gateway, document);
    expect(data).toEqual({ createCustomer: { customer: { id: 'c1', transactions: null }, userErrors: [] } });
    expect(errors).toMatchObject([{ extensions: { code: 'LIMIT_EXCEEDED', limit: 'answerLength' } }]);
  });

  it('may have 10,000 errors in its answer, and with more of them has no data', { timeout: 60_000 }, async () => {
    const misread = (path: string) =>
      path.includes('transactions') ? { narration: 1, reference: 1, created_at: 1 } : {};
    const records = Array.from({ length: 100 }, (_, index) => ({ id: `n${index}` }));
    const { gateway } = await startScripted(({ method, path }) =>
      method === 'POST'
        ? success({ id: 'c1' })
        : pageOf(
            records.map((record) => ({ ...record, ...misread(path) })),
            path,
          ),
    );
    const ask = (fields: string, beside = '') =>
      query(
        gateway,
        `{ customers(first: 100) { nodes { transactions(first: 100) { nodes { id ${fields} } } } } ${beside} }`,
      );
    const within = await ask('narration');
    expect([within.data.customers.nodes.length, within.errors.length]).toEqual([100, 10_000]);
    const above = await ask('narration reference');
    const { status, data, errors } = above;
    expect([status, data, errors.length]).toEqual([200, null, 101]);
    expect(errors[0]).toMatchObject({ extensions: { code: 'LIMIT_EXCEEDED', limit: 'errors', maximum: 10_000 } });
    expect(errors[1]).toMatchObject({ path: ['customers', 'nodes', 0, 'transactions', 'nodes', 0, 'narration'] });
    // The planned executor leaves a query beside introspection to graphql-js.
    const beside = await ask('narration reference', '__schema { description }');
    expect([beside.status, beside.data, codes(beside)]).toEqual([status, data, codes(above)]);
    // A mutation keeps its data, which tells what was done.
    const fields = '{ narration reference createdAt }';
    const list = `transactions(first: 100) { nodes ${fields} edges { node ${fields} } }`;
    const create = `createCustomer(input: { type: "w" }) { customer { id ${list} } }`;
    const { data: done, errors: all } = await query(
      gateway,
      `mutation { ${times(20, (index) => `a${index}: ${create}`)} }`,
    );
    expect([done?.a0.customer.id, all.length]).toEqual(['c1', 12_000]);
  });

  it('whose fragments would unfold to billions of aliases is refused as fast as another', async () => {
    const { gateway, upstream } = await start();
    const chain = times(40, (index) => `fragment F${index} on Customer { ...F${index + 1} ...F${index + 1} }`);
    const document = `{ customer(id: "c1") { ...F0 } } ${chain} fragment F40 on Customer { a: id }`;
    expect((await query(gateway, document)).errors[0]?.extensions).toMatchObject({ limit: 'aliases' });
    expect(upstream.requests).toEqual([]);
  });

  it('is measured again when it comes again', async () => {
    const { gateway, upstream } = await start();
    const { document } = ofSharedAliases(51);
    const answers = [await query(gateway, document), await query(gateway, document)];
    expect(answers.map(codes)).toEqual([['LIMIT_EXCEEDED'], ['LIMIT_EXCEEDED']]);
    expect(upstream.requests).toEqual([]);
  });

  it('that selects a field more than 707 times is told so', async () => {
    const { gateway, upstream } = await start();
    const message = /too often to compare them\. Select each field once/;
    const refused = await query(gateway, customer('id '.repeat(708)));
    expect([codes(refused), refused.errors[0]?.message]).toEqual([invalid, expect.stringMatching(message)]);
    expect(upstream.requests).toEqual([]);
    expect(codes(await query(gateway, customer('id '.repeat(707))))).toEqual([]);
  });

  it('over a limit is told of that alone, and any other of the places of its faults', async () => {
    const { gateway } = await start();
    const aliases = times(51, (index) => `a${index}: nothing`);
    const refused = await query(gateway, `{ ${aliases} }`);
    expect(refused.errors.map(({ extensions }) => extensions['limit'])).toEqual(['aliases']);
    const { errors } = await query(gateway, '{ __typename\r\n\n  nothing customer(id: 1) { id nowhere } }');
    expect(errors).toMatchObject([{ locations: [{ line: 3, column: 3 }] }, { locations: [{ line: 3, column: 32 }] }]);
  });

  it('with dozens of faults is told of ten, and that there are more', async () => {
    const { gateway, upstream } = await start();
    const { status, errors } = await query(gateway, customer(times(200, (index) => `unknown${index}`)));
    expect([status, errors.length, errors.at(-1)?.message]).toEqual([400, 11, expect.stringMatching(/^Too many/)]);
    const { errors: few } = await query(gateway, `{ ${times(10, (index) => `unknown${index}`)} }`);
    expect(few.map(({ message }) => message)).toEqual(
      Array.from({ length: 10 }, (_, index) => expect.stringContaining(`"unknown${index}"`) as string),
    );
    for (const { extensions } of [...errors, ...few]) {
      expect(extensions).toMatchObject({ requestId: expect.any(String) as string });
    }
    expect(upstream.requests).toEqual([]);
  });

  it('whose input has thousands of unknown fields is told of five, and that there are more', async () => {
    const lines: string[] = [];
    const { gateway } = await startScripted(answerAll, {
      log: createLogger('warn', { write: (line) => void lines.push(line) }),
    });
    const document =
      'mutation ($input: UpdateCustomerInput!) { updateCustomer(input: $input) { userErrors { code } } }';
    const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`x${index}`, 0]));
    const answer = await query(gateway, document, { variables: { input: { id: 'c1', ...unknown } } });
    expect([answer.status, answer.errors.at(-1)?.message]).toEqual([400, expect.stringMatching(/^Too many/)]);
    expect(codes(answer)).toEqual(Array.from({ length: 6 }, () => 'BAD_USER_INPUT'));
    expect(lines).toEqual([]);
  });

  it('whose fragment is within itself is refused as such', async () => {
    const { gateway } = await start();
    const answer = await query(gateway, '{ ...F } fragment F on Query { ...G } fragment G on Query { ...F }');
    expect(codes(answer)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
  });

  it('that is misspelt is no matter of a limit, however long', async () => {
    const { gateway } = await start();
    const answer = await query(gateway, `{ customer(id: "c1") { id ) ${'id '.repeat(3000)} } }`);
    expect(codes(answer)).toEqual(['GRAPHQL_PARSE_FAILED']);
  });
});

describe('a list of references that twenty fields share', () => {
  const contract = createContract();
  const schema = createSchema('', contract);
  const readCost = createCostReader(createFieldCosts(createOperations(contract), resolversUnder('')));
  const document = parse(
    `query ($of: [_Any!]!) { ${times(20, (index) => `a${index}: _entities(representations: $of) ${idOf}`)} }`,
  );
  const [operation] = document.definitions as [OperationDefinitionNode];
  const settings = { maxUpstreamCalls: 200, maxRepresentations: 200, introspection: false };

  it.each([
    ['for its missing secret', 'x'.repeat(32), /needs the router's secret/],
    ['for their number', undefined, /limit of 200 for representations/],
  ])('is refused %s, none of them read', (_, routerSecret, message) => {
    let reads = 0;
    const of = new Proxy(referencesTo(11), {
      get: (list, name) => {
        reads += typeof name === 'string' && /^\d+$/.test(name) ? 1 : 0;
        return Reflect.get(list, name) as unknown;
      },
    });
    const { onOperation } = createGate(readCost, { ...settings, routerSecret });
    const context = { isRouter: false, recorder: undefined } as ResolvedOperation['context']; // what the gate reads of it
    const resolved = { schema, source: '', document, operation, variables: { of }, context };
    expect(() => onOperation?.(resolved)).toThrow(message);
    expect(reads).toBe(0);
  });
});

describe('introspection', () => {
  const everything = {
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  };
  // What Sandbox, GraphiQL, code generators and Relay's tools send differs in these options only, and has at most all.
  const documents: readonly [name: string, document: string][] = [
    ['with everything', getIntrospectionQuery(everything)],
    ['of a router', 'query SubgraphIntrospectQuery { _service { sdl } }'],
    [
      'of one type',
      `{ __type(name: "Customer") { fields { name type { ${'ofType { '.repeat(9)} name ${'} '.repeat(9)} } } } }`,
    ],
  ];

  it('of every kind passes', async () => {
    const { gateway } = await start();
    for (const [name, document] of documents)
      expect((await query(gateway, document)).errors, `for ${name}`).toEqual([]);
  });
});
