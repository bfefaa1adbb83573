import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { embeddedContract } from '../../src/bank/contract.ts';
import { explainCommand } from '../../src/commands/explain.ts';
import { readConfig } from '../../src/config/config.ts';
import { createContract } from '../../src/contract/contract.ts';
import { createExplain, type Explain, type Explanation } from '../../src/graphql/explain/explain-operation.ts';
import { createOperations } from '../../src/upstream/operations.ts';
import { writeCursor } from '../../src/upstream/paging/cursor.ts';
import { demo, startExplained } from '../support/explained.ts';
import { temporaryFolder } from '../support/folder.ts';
import { capture } from '../support/stdout.ts';

const explainWith = (rows: object): Explain => {
  const contract = createContract({ ...embeddedContract, ...rows });
  const settings = { typePrefix: '', maxUpstreamCalls: 200, maxRepresentations: 200 };
  return createExplain(settings, contract, createOperations(contract)).explain;
};
const explain = explainWith({});
const shown = ({ fields }: Explanation) => fields.map(({ field, calls, wave }) => [field, calls, wave]);
const balance = 'balance { value { amount } }';

describe('an explained operation', () => {
  it('shows calls by field and wave, and the credentials that they need', () => {
    const document = `{ customers(first: 3) { nodes { b: ${balance} } edges { node { ${balance} } } }
      customer(id: "c") { email ${balance} } settlementBank(id: "s") { name } }`;
    const explanation = explain({ document, variables: {} });
    expect(shown(explanation)).toEqual([
      ['customers', 1, 1],
      ['customers.nodes.balance', 3, 2],
      ['customers.edges.node.balance', 3, 2],
      ['customer', 1, 1],
      ['customer.balance', 1, 1],
      ['settlementBank', 1, 1],
    ]);
    expect(explanation).toMatchObject({
      calls: 10,
      maximum: 200,
      waves: [4, 6],
      credentials: ['privateKey', 'bearer'],
    });
    const inTurn = explainWith({ 'customer.readsTogether': false });
    expect(inTurn({ document: `{ customer(id: "c") { email ${balance} } }`, variables: {} }).waves).toEqual([1, 1]);
  });

  it('sends writes one after the other, and entities without a record in one wave', () => {
    const write = `createVirtualAccount(input: { customerId: "c" }) { virtualAccount { id } }`;
    const update = `updateCustomer(input: { id: "c" }) { customer { ${balance} } }`;
    expect(explain({ document: `mutation { a: ${write} ${update} b: ${write} }`, variables: {} }).waves).toEqual([
      1, 2, 1, 1,
    ]);
    const entities = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on Customer { ${balance} } } }`;
    const of = [{ __typename: 'Customer', id: 'c' }];
    expect(explainWith({ 'customer.readsTogether': false })({ document: entities, variables: { of } }).waves).toEqual([
      1,
    ]);
  });

  it('counts a variable without a value at its greatest', () => {
    const open = (parameters: string, selection: string) =>
      explain({ document: `query (${parameters}) { ${selection} }`, variables: {} }).calls;
    const list = (args: string, more = balance) => `customers(${args}) { nodes { ${more} } }`;
    expect(open('$n: Int', list('first: $n'))).toBe(101);
    expect(open('$n: Int = 4', list('first: $n'))).toBe(5);
    expect(open('$at: String', list('first: 10, after: $at'))).toBe(21);
    const conditional = list(
      'first: 2',
      'balance @skip(if: $on) { available { amount } } transactions @include(if: $on) { totalCount }',
    );
    expect(open('$on: Boolean!', conditional)).toBe(5);
    // A field counts under each of its names.
    expect(open('$id: ID!', '_1: customer(id: $id) { email } _2: customer(id: "b") { email }')).toBe(2);
    // One with a value counts by that.
    const document = `query ($on: Boolean!) { ${conditional} }`;
    expect(explain({ document, variables: { on: true } }).calls).toBe(3);
    const both = `... on SettlementBank { name } ... on Customer { email ${balance} }`;
    expect(open('$of: [_Any!]!', `_entities(representations: $of) { ${both} }`)).toBe(400);
    const named = `_entities(representations: [{ __typename: $name, id: "a" }, { __typename: $name, id: "b" }]) { ${both} }`;
    for (const type of ['String', 'String!', 'ID!', '_Any!']) expect(open(`$name: ${type}`, named)).toBe(4);
    expect(open('$name: String!, $n: Int', `${named} ${list('first: $n')}`)).toBe(105);
    expect(open('$of: _Any!', `_entities(representations: [$of, $of]) { ${both} }`)).toBe(4);
    const bankOrList = `... on SettlementBank { name } ... on Customer { transactions(after: $after) { totalCount } }`;
    const twice = `a: _entities(representations: [$of]) { ${bankOrList} } b: _entities(representations: [$of]) { ... on SettlementBank { name } }`;
    expect(open('$of: _Any!, $after: String', twice)).toBe(21);
    const after5 = writeCursor('-'.repeat(10), { key: { at: '1', before: 0 }, skip: 5, asked: 20 });
    expect(open('$n: Int', list(`first: $n, after: "${after5}"`, 'id'))).toBe(6);
  });

  const byNumber = 'query ($n: Int!) { customers(first: $n) { totalCount } }';
  const open = 'mutation ($i: CreateVirtualAccountInput!) { createVirtualAccount(input: $i) { userErrors { code } } }';
  const unknownField = { i: { customerId: 'c1', planted: 1 } };
  it.each([
    ['text for a number', byNumber, { n: '7' }, '$n must be of type Int!'],
    ['null where none may be', byNumber, { n: null }, '$n must be of type Int!'],
    ['a field that its input does not have', open, unknownField, '$i must be of type CreateVirtualAccountInput!'],
  ])('has no estimate for %s, which the gateway refuses', (_, document, variables, misfit) => {
    expect(() => explain({ document, variables })).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ message: `${misfit}.` })] }),
    );
  });

  it('has no estimate for a condition that is null, which the gateway refuses', () => {
    const document = 'query ($on: Boolean = true) { customer(id: "c1") { id email @include(if: $on) } }';
    expect(() => explain({ document, variables: { on: null } })).toThrow('"$on" must not be null');
  });

  it('has no estimate for more references than the gateway takes, however little they cost', () => {
    const document = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Customer { id } } }';
    const of = Array.from({ length: 201 }, (_, index) => ({ __typename: 'Customer', id: `c${index}` }));
    expect(() => explain({ document, variables: { of } })).toThrow('limit of 200 for representations');
    expect(explain({ document, variables: { of: of.slice(1) } }).calls).toBe(0);
    const twice = document
      .replace('$of: [_Any!]!', '$of: [_Any!]!, $more: [_Any!]!')
      .replace(/}$/, 'more: _entities(representations: $more) { __typename } }');
    expect(explain({ document: twice, variables: {} }).calls).toBe(0);
    expect(() => explain({ document: twice, variables: { of: of.slice(1), more: of.slice(200) } })).toThrow(
      'limit of 200',
    );
  });

  it('is answered to a developer’s page without a call', async () => {
    const { gateway, journal } = await startExplained();
    const ask = async (body: unknown) => {
      const request = { method: 'POST', headers: { 'content-type': 'application/json', ...demo } };
      const answer = await fetch(`${gateway.url}/explorer/explain`, { ...request, body: JSON.stringify(body) });
      return [answer.status, await answer.json()];
    };
    const document = `{ __typename } query Q($first: Int) { customers(first: $first) { nodes { ${balance} } } }`;
    const question = { query: document.replace('{', 'query P {'), operationName: 'Q', variables: { first: 2 } };
    expect(await ask(question)).toMatchObject([200, { calls: 3, waves: [1, 2] }]);
    expect(await ask({ query: '{ customers { nothing } }' })).toMatchObject([
      400,
      { errors: [{ message: expect.stringContaining('nothing') as string }] },
    ]);
    expect(await ask(null)).toMatchObject([
      400,
      { errors: [{ message: expect.stringContaining('Syntax Error') as string }] },
    ]);
    expect(await journal()).toEqual([]);
  });
});

describe('settlement-graph explain', () => {
  const run = (...args: readonly string[]) =>
    capture(() => explainCommand(args, () => readConfig({ MAX_UPSTREAM_CALLS: '20' })));

  it('prints a tree or JSON, and fails where the operation would be refused', async () => {
    const file = join(await temporaryFolder(), 'query.graphql');
    await writeFile(file, `query Q($first: Int) { customers(first: $first) { nodes { ${balance} } } }`);
    const [tooDear, tree] = await run(file);
    expect(tooDear).toBe(1);
    expect(tree).toMatch(
      /^101 of 20 calls, in 2 waves\n +1 {2}customers {2}listCustomers, wave 1\n +100 {4}nodes\.balance/,
    );
    const [code, json] = await run(file, '--json', '--variables', '{"first":2}');
    expect([code, JSON.parse(json)]).toMatchObject([
      0,
      { calls: 3, maximum: 20, waves: [1, 2], credentials: ['privateKey'] },
    ]);
    await expect(run(file, '--variables', '[]')).rejects.toThrow('--variables must be a JSON object.');
    await expect(run(file, '--variables', '{"first":"2"}')).rejects.toThrow('$first must be of type Int.');
  });
});
