import { readFileSync } from 'node:fs';
import { Kind, parse, type ObjectTypeDefinitionNode } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createContract } from '../../src/contract/contract.ts';
import { createFieldCosts } from '../../src/graphql/resolvers/field-costs.ts';
import { resolversUnder } from '../../src/graphql/schema.ts';
import { createOperations } from '../../src/upstream/operations.ts';
import { codes, query, startScripted } from '../support/gateway.ts';
import { recordsOf } from '../support/upstream/paging.ts';
import { identifierIn, pageOf, success, type SeenRequest } from '../support/upstream/upstream.ts';

const answerAll = ({ path }: SeenRequest) =>
  path.includes('?')
    ? pageOf(recordsOf(150), path)
    : success({ id: identifierIn(path), first_name: 'Ada', balance: '1.00' });
const start = (most: number, script = answerAll) =>
  startScripted(script, { environment: { MAX_UPSTREAM_CALLS: String(most) } });
const tooExpensive = (estimated: number, maximum: number) => [
  { extensions: { code: 'COST_ESTIMATED_TOO_EXPENSIVE', estimated, maximum } },
];

const balance = 'balance { value { amount } }';
const byFirst = `query ($first: Int, $after: String) { customers(first: $first, after: $after) { nodes { ${balance} } pageInfo { endCursor } } }`;
const entities = (selection: string) => `query ($of: [_Any!]!) { _entities(representations: $of) { ${selection} } }`;
const customersOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ __typename: 'Customer', id: `c${index}` }));
const references = { of: [...customersOf(3), { __typename: 'SettlementBank', id: 's1' }] };

/** Operations with the calls that they can need at worst. */
const rows: readonly [calls: number, document: string, variables?: object][] = [
  [4, `{ customer(id: "c1") { ${balance} transactions { totalCount } virtualAccounts { nodes { id } } } }`],
  [
    151,
    `{ customers(first: 50) { nodes { ${balance} transactions(first: 10) { nodes { id } } virtualAccounts { nodes { id } } } } }`,
  ],
  [21, `{ customers { nodes { ${balance} } } }`],
  [31, byFirst, { first: 30 }],
  [21, byFirst],
  [21, byFirst.replace('Int', 'Int = 30'), { first: null }],
  [31, byFirst.replace('Int', 'Int = 30')],
  [31, byFirst.replace('Int', 'Int = 30').replaceAll('$first', '$__proto__')],
  [6, `{ customers(first: 5) { nodes { ${balance} } nodes { balance { value { currency } } } } }`],
  [11, `{ customers(first: 5) { nodes { a: ${balance} b: ${balance} } } }`],
  [6, `{ customers(first: 5) { nodes { ...A ...A ... on Customer { ...A } } } } fragment A on Customer { ${balance} }`],
  [6, `{ customers(first: 5) { nodes { ${balance} transactions @skip(if: true) { totalCount } } } }`],
  [2, 'mutation { updateCustomer(input: { id: "c1", firstName: "A" }) { customer { id } } }'],
  [
    4,
    `mutation { a: createCustomer(input: {}) { customer { ${balance} } } b: createCustomer(input: {}) { customer { ${balance} } } }`,
  ],
  [4, entities('... on Customer { firstName } ... on SettlementBank { name }'), references],
  [3, entities(`... on Customer { id ${balance} } ... on SettlementBank { id }`), references],
  [
    4,
    `query ($of: _Any!, $id: ID = "c3", $type: String = "Customer") {
      _entities(representations: [$of, { __typename: "Customer", id: "c2" }, { __typename: $type, id: $id }]) { ... on Customer { email } }
      b: _entities(representations: { __typename: "Customer", id: "c4" }) { ... on Customer { email } }
    }`,
    { of: { __typename: 'Customer', id: 'c1' } },
  ],
];

it('an operation is refused, before anything is sent, where it can need more calls than are allowed', async () => {
  const { gateway, upstream } = await start(1);
  for (const [calls, document, variables] of rows) {
    const answer = await query(gateway, document, { variables });
    expect(answer, `for ${document}`).toMatchObject({ status: 400, data: null, errors: tooExpensive(calls, 1) });
  }
  expect(upstream.requests).toEqual([]);
});

it('an operation may need as many calls as are allowed, by each request’s own variables, and not one more', async () => {
  const { gateway, upstream } = await start(6);
  const ask = async (first: number) => codes(await query(gateway, byFirst, { variables: { first } }));
  expect([await ask(5), upstream.requests.length]).toEqual([[], 6]);
  expect([await ask(6), upstream.requests.length]).toEqual([['COST_ESTIMATED_TOO_EXPENSIVE'], 6]);
  expect(await ask(0)).toEqual(['BAD_USER_INPUT']);
  expect(upstream.requests).toHaveLength(6);
});

it('an operation that reads too many references is told how many of them would pass', async () => {
  const { gateway } = await start(10);
  const document = entities(`... on Customer { firstName ${balance} }`);
  const ask = (count: number) => query(gateway, document, { variables: { of: customersOf(count) } });
  expect((await ask(11)).errors[0]?.message).toContain('At most 5 references');
  expect([codes(await ask(5)), codes(await ask(6))]).toEqual([[], ['COST_ESTIMATED_TOO_EXPENSIVE']]);
});

it('an operation has the conditions of the fragments that it spreads, and none of another operation’s', async () => {
  const { gateway } = await start(1);
  const document = `
    query Count($name: Boolean!) { ...Count }
    query Find($name: String) { customers(after: $name, first: 1) { nodes { id } } }
    fragment Count on Query { customers { totalCount @skip(if: $name) } }`;
  const ask = async (operationName: string, name: boolean | null) =>
    (await query(gateway, document, { operationName, variables: { name } })).data;
  expect(await ask('Find', null)).toEqual({ customers: { nodes: [{ id: 'r1' }] } });
  expect(await ask('Count', true)).toEqual({ customers: {} });
});

it('a service with smaller pages than its contract says gets no more calls than are allowed', async () => {
  const { gateway, upstream } = await start(50, ({ path, ...request }) =>
    path.includes('?') ? pageOf(recordsOf(150), path, 10) : answerAll({ path, ...request }),
  );
  const document = '{ customers(first: 20) { nodes { transactions(first: 100) { nodes { id } } } } }';
  const answer = await query(gateway, document);
  // A list is refused at once, while a call for another of its pages may still be on its way.
  await expect.poll(() => upstream.requests.length).toBeGreaterThanOrEqual(50);
  await gateway.close();
  expect(upstream.requests).toHaveLength(50);
  expect(new Set(codes(answer))).toEqual(new Set(['COST_ESTIMATED_TOO_EXPENSIVE']));
  expect(answer.data.customers.nodes).toHaveLength(20);
});

describe('the schema', () => {
  const definitions = parse(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8')).definitions;
  const types = definitions.filter(
    (node): node is ObjectTypeDefinitionNode => node.kind === Kind.OBJECT_TYPE_DEFINITION,
  );
  const known = createFieldCosts(createOperations(createContract()), resolversUnder(''));
  type Marked = Pick<ObjectTypeDefinitionNode, 'name' | 'directives'>;
  const isMarked =
    (mark: string, most: number) =>
    ({ directives = [] }: Marked) =>
      directives.some((directive) => directive.name.value === mark && (directive.arguments?.length ?? 0) <= most);

  it('gives a cost to exactly the fields whose calls are known before, and a key to the entities', () => {
    const priced = types.flatMap(({ name, fields = [] }) =>
      fields.filter(isMarked('cost', 1)).map((field) => `${name.value}.${field.name.value}`),
    );
    const keyed = types.filter(isMarked('key', 1)).map(({ name }) => name.value);
    expect([[...known.fields.keys()].sort(), [...known.entities.keys()].sort()]).toEqual([priced.sort(), keyed.sort()]);
  });
});
