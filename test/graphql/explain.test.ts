import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { embeddedContract } from '../../src/bank/contract.ts';
import { explainCommand } from '../../src/commands/explain.ts';
import { readCommandLine } from '../../src/commands/usage.ts';
import { readConfig } from '../../src/config/config.ts';
import { createContract } from '../../src/contract/contract.ts';
import { createExplain, type Explain } from '../../src/graphql/explain/explain-operation.ts';
import { createOperations } from '../../src/upstream/operations.ts';
import { writeCursor } from '../../src/upstream/paging/cursor.ts';
import { demo, startExplained } from './explained.ts';
import { temporaryFolder } from '../support/folder.ts';
import { capture } from '../support/stdout.ts';

const explainWith = (rows: object): Explain => {
  const contract = createContract({ ...embeddedContract, ...rows });
  const settings = { typePrefix: '', maxUpstreamCalls: 200, maxRepresentations: 200 };
  return createExplain(settings, contract, createOperations(contract)).explain;
};
const explain = explainWith({});
const balance = 'balance { value { amount } }';
const list = (args: string, more = balance) => `customers(${args}) { nodes { ${more} } }`;
const entities = (of: string, selection: string) => `_entities(representations: ${of}) { ${selection} }`;

it('an explained operation shows calls by field and wave, and the credentials that they need', () => {
  const document = `{ customers(first: 3) { nodes { b: ${balance} } edges { node { ${balance} } } }
    customer(id: "c") { email ${balance} } settlementBank(id: "s") { name } }`;
  const explanation = explain({ document, variables: {} });
  expect(explanation.fields.map(({ field, calls, wave }) => [field, calls, wave])).toEqual([
    ['customers', 1, 1],
    ['customers.nodes.balance', 3, 2],
    ['customers.edges.node.balance', 3, 2],
    ['customer', 1, 1],
    ['customer.balance', 1, 1],
    ['settlementBank', 1, 1],
  ]);
  expect(explanation).toMatchObject({ calls: 10, maximum: 200, waves: [4, 6], credentials: ['privateKey', 'bearer'] });
  const inTurn = explainWith({ 'customer.readsTogether': false });
  expect(inTurn({ document: `{ customer(id: "c") { email ${balance} } }`, variables: {} }).waves).toEqual([1, 1]);
  const write = `createVirtualAccount(input: { customerId: "c" }) { virtualAccount { id } }`;
  const update = `updateCustomer(input: { id: "c" }) { customer { ${balance} } }`;
  expect(explain({ document: `mutation { a: ${write} ${update} b: ${write} }`, variables: {} }).waves).toEqual([
    1, 2, 1, 1,
  ]);
});

const both = `... on SettlementBank { name } ... on Customer { email ${balance} }`;
const conditional = list(
  'first: 2',
  'email balance @skip(if: $on) { available { amount } } transactions @include(if: $on) { totalCount }',
);
const named = entities('[{ __typename: $name, id: "a" }, { __typename: $name, id: "b" }]', both);
const after5 = writeCursor('-'.repeat(10), { key: { at: '1', before: 0 }, skip: 5, asked: 20 });

it.each<[calls: number, parameters: string, selection: string, variables?: Readonly<Record<string, unknown>>]>([
  [101, '$n: Int', list('first: $n')],
  [5, '$n: Int = 4', list('first: $n')],
  [21, '$at: String', list('first: 10, after: $at')],
  [6, '$n: Int', list(`first: $n, after: "${after5}"`, 'id')],
  [5, '$on: Boolean!', conditional],
  [3, '$on: Boolean!', conditional, { on: true }],
  [2, '$id: ID!', 'a: customer(id: $id) { email } b: customer(id: "b") { email }'],
  [400, '$of: [_Any!]!', entities('$of', both)],
  [4, '$of: _Any!', entities('[$of, $of]', both)],
  [4, '$name: String!', named],
  [105, '$name: String!, $n: Int', `${named} ${list('first: $n')}`],
])(
  '%i calls are the most where a variable has no value: (%s) { %s }',
  (calls, parameters, selection, variables = {}) => {
    expect(explain({ document: `query (${parameters}) { ${selection} }`, variables }).calls).toBe(calls);
  },
);

it.each([
  ['text for a number', '$n: Int!', 'customers(first: $n) { totalCount }', { n: '7' }, '$n must be of type Int!.'],
  ['null', '$n: Int!', 'customers(first: $n) { totalCount }', { n: null }, '$n must be of type Int!.'],
  ['a condition of null', '$n: Boolean = true', '__typename @skip(if: $n)', { n: null }, '"$n" must not be null'],
  [
    'more references than the gateway takes',
    '$n: [_Any!]!',
    entities('$n', '__typename'),
    { n: Array.from({ length: 201 }, () => ({ __typename: 'Customer', id: 'c' })) },
    'limit of 200 for representations',
  ],
])('there is no estimate for %s, which the gateway refuses', async (_, parameters, selection, variables, message) => {
  const read = async () => explain({ document: `query (${parameters}) { ${selection} }`, variables });
  const told = await read().then(String, (error: AggregateError) => [error, ...(error.errors ?? [])].join());
  expect(told).toContain(message);
});

it('an estimate is answered to a developer’s page without a call', async () => {
  const { gateway, journal } = await startExplained();
  const ask = async (body: unknown) => {
    const request = { method: 'POST', headers: { 'content-type': 'application/json', ...demo } };
    const answer = await fetch(`${gateway.url}/explorer/explain`, { ...request, body: JSON.stringify(body) });
    return [answer.status, await answer.json()];
  };
  const document = `query P { __typename } query Q($first: Int) { ${list('first: $first')} }`;
  const question = { query: document, operationName: 'Q', variables: { first: 2 } };
  expect(await ask(question)).toMatchObject([200, { calls: 3, waves: [1, 2] }]);
  for (const [body, message] of [
    [{ query: '{ customers { nothing } }' }, 'nothing'],
    [null, 'Syntax Error'],
  ] as const)
    expect(await ask(body)).toMatchObject([400, { errors: [{ message: expect.stringContaining(message) as string }] }]);
  expect(await journal()).toEqual([]);
});

it('settlement-graph explain prints a tree or JSON, and fails where the operation would be refused', async () => {
  const run = (...args: readonly string[]) =>
    capture(() =>
      explainCommand(readCommandLine(['explain', ...args]), () => readConfig({ MAX_UPSTREAM_CALLS: '20' })),
    );
  const file = join(await temporaryFolder(), 'query.graphql');
  await writeFile(file, `query Q($first: Int) { ${list('first: $first')} }`);
  expect(await run(file)).toEqual([
    1,
    expect.stringMatching(
      /^101 of 20 calls, in 2 waves\n +1 {2}customers {2}listCustomers, wave 1\n +100 {4}nodes\.balance/,
    ),
  ]);
  const [code, json] = await run(file, '--json', '--variables', '{"first":2}');
  const estimate = { calls: 3, maximum: 20, waves: [1, 2], credentials: ['privateKey'] };
  expect([code, JSON.parse(json)]).toMatchObject([0, estimate]);
  await expect(run(file, '--variables', '[]')).rejects.toThrow('--variables must be a JSON object.');
});
