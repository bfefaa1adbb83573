import { readFileSync } from 'node:fs';
import { Kind, parse, type ObjectTypeDefinitionNode } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createFieldCosts } from '../../src/graphql/resolvers/field-costs.ts';
import { valuesOf } from '../../src/graphql/limits/operation-cost.ts';
import { resolversUnder } from '../../src/graphql/schema.ts';
import { createContract } from '../../src/contract/contract.ts';
import { createOperations } from '../../src/upstream/operations.ts';
import { codes, query, startScripted, type GatewayOptions } from '../support/gateway.ts';
import { recordsOf } from '../support/paging.ts';
import { identifierIn, pageOf, success, type SeenRequest } from '../support/upstream.ts';

const answerAll = ({ path }: SeenRequest) =>
  path.includes('?')
    ? pageOf(recordsOf(150), path)
    : success({ id: identifierIn(path), first_name: 'Ada', balance: '1.00' });
const start = (most: number, options: Omit<GatewayOptions, 'upstream'> = {}) =>
  startScripted(answerAll, { environment: { MAX_UPSTREAM_CALLS: String(most) }, ...options });

const balance = 'balance { value { amount } }';
const entities = (selection: string) => `query ($of: [_Any!]!) { _entities(representations: $of) { ${selection} } }`;
const references = { of: [...customersOf(3), { __typename: 'SettlementBank', id: 's1' }] };

function customersOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({ __typename: 'Customer', id: `c${index}` }));
}

/** Operations with the calls that they can need at worst. */
const rows: readonly [calls: number, document: string, variables?: object][] = [
  [2, `{ customer(id: "c1") { firstName ${balance} } }`],
  [4, `{ customer(id: "c1") { ${balance} transactions { totalCount } virtualAccounts { nodes { id } } } }`],
  [51, `{ customers(first: 50) { nodes { ${balance} } } }`],
  [
    151,
    `{ customers(first: 50) { nodes { ${balance} transactions(first: 10) { nodes { id } } virtualAccounts { nodes { id } } } } }`,
  ],
  [21, `{ customers { nodes { ${balance} } } }`],
  [31, `query ($first: Int) { customers(first: $first) { nodes { ${balance} } } }`, { first: 30 }],
  [21, `query ($first: Int) { customers(first: $first) { nodes { ${balance} } } }`],
  [21, `query ($first: Int = 30) { customers(first: $first) { nodes { ${balance} } } }`, { first: null }],
  [31, `query ($first: Int = 30) { customers(first: $first) { nodes { ${balance} } } }`],
  [31, `query ($__proto__: Int = 30) { customers(first: $__proto__) { nodes { ${balance} } } }`],
  [6, `{ customers(first: 5) { nodes { ${balance} } nodes { balance { value { currency } } } } }`],
  [11, `{ customers(first: 5) { nodes { ${balance} } nodes { transactions { totalCount } } } }`],
  [11, `{ customers(first: 5) { nodes { a: ${balance} b: ${balance} } } }`],
  [6, `{ customers(first: 5) { nodes { ...A ...A ... on Customer { ...A } } } } fragment A on Customer { ${balance} }`],
  [6, `{ customers(first: 5) { nodes { ${balance} transactions @skip(if: true) { totalCount } } } }`],
  [
    11,
    `query ($on: Boolean = true) { customers(first: 5) { nodes { ${balance} ... @include(if: $on) { transactions { totalCount } } } } }`,
  ],
  [2, 'mutation { updateCustomer(input: { id: "c1", firstName: "A" }) { customer { id } } }'],
  [
    4,
    `mutation { a: createCustomer(input: {}) { customer { ${balance} } } b: createCustomer(input: {}) { customer { ${balance} } } }`,
  ],
  [4, entities('... on Customer { firstName } ... on SettlementBank { name }'), references],
  [3, entities(`... on Customer { id ${balance} } ... on SettlementBank { id }`), references],
  [6, entities(`... on Customer { firstName ${balance} }`), references],
  [3, `${entities('...A')} fragment A on _Entity { ... on Customer { email } }`, references],
  [
    4,
    `query ($of: _Any!, $id: ID = "c3", $type: String = "Customer") {
      _entities(representations: [$of, { __typename: "Customer", id: "c2" }, { __typename: $type, id: $id }]) { ... on Customer { email } }
      b: _entities(representations: { __typename: "Customer", id: "c4" }) { ... on Customer { email } }
    }`,
    { of: { __typename: 'Customer', id: 'c1' } },
  ],
];

describe('an operation', () => {
  it('is refused, before anything is sent, where it can need more calls than are allowed', async () => {
    const { gateway, upstream } = await start(1);
    for (const [calls, document, variables] of rows) {
      const { status, data, errors } = await query(gateway, document, { variables });
      expect([status, data], `for ${document}`).toEqual([400, null]);
      expect(errors, `for ${document}`).toMatchObject([
        { extensions: { code: 'COST_ESTIMATED_TOO_EXPENSIVE', estimated: calls, maximum: 1 } },
      ]);
    }
    expect(upstream.requests).toEqual([]);
  });

  it('may need as many calls as are allowed, and not one more', async () => {
    const document = `query ($first: Int) { customers(first: $first) { nodes { ${balance} } } }`;
    const { gateway, upstream } = await start(6);
    expect((await query(gateway, document, { variables: { first: 5 } })).errors).toEqual([]);
    expect(upstream.requests).toHaveLength(6);
    const { errors } = await query(gateway, document, { variables: { first: 6 } });
    expect(errors).toMatchObject([{ extensions: { estimated: 7, maximum: 6 } }]);
    expect(upstream.requests).toHaveLength(6);
  });

  it.each([
    ['... on Customer { firstName }', 10, 10],
    [`... on Customer { firstName ${balance} } ... on SettlementBank { name }`, 10, 5],
    [`... on Customer { firstName ${balance} }`, 1, undefined],
  ])('that reads too many references by %s is told how many of them would pass', async (selection, most, passing) => {
    const { gateway } = await start(most);
    const ask = (count: number) => query(gateway, entities(selection), { variables: { of: customersOf(count) } });
    const refused = await ask(11);
    expect(codes(refused)).toEqual(['COST_ESTIMATED_TOO_EXPENSIVE']);
    expect(/At most (\d+) references/.exec(refused.errors[0]?.message ?? '')?.[1]).toBe(passing?.toString());
    expect(codes(await ask(passing ?? 0))).toEqual([]);
    expect(codes(await ask((passing ?? 0) + 1))).toEqual(['COST_ESTIMATED_TOO_EXPENSIVE']);
  });

  it('is told no number of references above MAX_REPRESENTATIONS, nor where it reads none', async () => {
    const environment = { MAX_UPSTREAM_CALLS: '10', MAX_REPRESENTATIONS: '3' };
    const { gateway } = await startScripted(answerAll, { environment });
    const others = [1, 2, 3, 4, 5].map((at) => `c${at}: customer(id: "c") { email }`).join(' ');
    const references = '_entities(representations: $of) { ... on Customer { firstName balance { value { amount } } } }';
    const { errors } = await query(gateway, `query ($of: [_Any!]!) { ${references} ${others} }`, {
      variables: { of: customersOf(3) },
    });
    expect(errors[0]?.message).toMatch(/ 11 calls .* At most 2 references/);
    const tooMany = Array.from({ length: 11 }, (_, at) => `c${at}: customer(id: "c") { email }`).join(' ');
    for (const document of [
      `{ customers(first: 50) { nodes { ${balance} } } }`,
      `query ($of: [_Any!]!) { ${references} ${tooMany} }`,
    ]) {
      const refused = await query(gateway, document, { variables: { of: customersOf(1) } });
      expect(refused.errors[0]?.message).toMatch(/10 are allowed\. Ask for smaller pages or fewer fields\.$/);
    }
  });

  it('may need 200 calls where nothing else is said', async () => {
    const { gateway, upstream } = await startScripted(answerAll);
    const list = (first: number) => `customers(first: ${first}) { nodes { ${balance} } }`;
    const { errors } = await query(gateway, `{ a: ${list(100)} b: ${list(99)} }`);
    expect(errors).toMatchObject([{ extensions: { estimated: 201, maximum: 200 } }]);
    expect(upstream.requests).toEqual([]);
  });

  it('is refused by each request’s own variables and conditions, though its document is known', async () => {
    const { gateway } = await start(31);
    const document = `query ($first: Int, $on: Boolean!) { customers(first: $first) { nodes { ${balance} transactions @include(if: $on) { totalCount } } } }`;
    const ask = async (first: number, on = false) =>
      codes(await query(gateway, document, { variables: { first, on } }));
    const refused = ['COST_ESTIMATED_TOO_EXPENSIVE'];
    expect([await ask(30), await ask(31), await ask(30, true), await ask(30)]).toEqual([[], refused, refused, []]);
  });

  it('has the conditions of the fragments that it spreads, and none of another operation’s', async () => {
    const { gateway } = await start(1);
    const document = `
      query Count($name: Boolean!) { ...Count }
      query Find($name: String) { customers(after: $name, first: 1) { nodes { id } } }
      fragment Count on Query { customers { totalCount @skip(if: $name) } }`;
    const ask = (operationName: string, name: boolean | null) =>
      query(gateway, document, { operationName, variables: { name } });
    expect(await ask('Find', null)).toMatchObject({ status: 200, data: { customers: { nodes: [{ id: 'r1' }] } } });
    expect((await ask('Count', true)).data).toEqual({ customers: {} });
    expect((await ask('Count', false)).data).toEqual({ customers: { totalCount: 150 } });
  });

  it.each([
    [{ first: 0 }, 'BAD_USER_INPUT'],
    [{ first: 101 }, 'BAD_USER_INPUT'],
    [{ after: '' }, 'INVALID_CURSOR'],
    [{ after: 'MTo6' }, 'INVALID_CURSOR'],
    [{ after: 7 }, 'BAD_USER_INPUT'],
  ])('whose argument is wrong is told so, whatever it would cost: %j', async (variables, code) => {
    const { gateway, upstream } = await start(1);
    const document = `query ($first: Int, $after: String) { customers(first: $first, after: $after) { nodes { ${balance} } } }`;
    expect(codes(await query(gateway, document, { variables }))).toEqual([code]);
    expect(upstream.requests).toEqual([]);
  });
});

describe('a window behind a cursor', () => {
  const document = `query ($first: Int, $after: String) { customers(first: $first, after: $after) { nodes { ${balance} } pageInfo { endCursor } } }`;
  const cursorAfter = async (url: string, first: number): Promise<string> => {
    const { data } = await query(
      { url },
      'query ($first: Int) { customers(first: $first) { pageInfo { endCursor } } }',
      {
        variables: { first },
      },
    );
    return data.customers.pageInfo.endCursor as string;
  };

  it.each([
    [11, 10, 10],
    [12, 5, 10],
    [6, 10, 5],
  ])('can need %i calls behind %i records for %i more', async (calls, before, first) => {
    const { gateway, upstream } = await start(calls);
    const after = await cursorAfter(gateway.url, before);
    const { errors } = await query(gateway, document, { variables: { first, after } });
    expect(errors).toEqual([]);
    expect(upstream.requests).toHaveLength(1 + calls);
    const tight = await start(calls - 1);
    await cursorAfter(tight.gateway.url, 1);
    const refused = await query(tight.gateway, document, { variables: { first, after } });
    expect(refused.errors).toMatchObject([{ extensions: { estimated: calls } }]);
    expect(tight.upstream.requests).toHaveLength(1);
  });
});

describe('a service with smaller pages than its contract says', () => {
  const small = ({ path }: SeenRequest) =>
    path.includes('?') ? pageOf(recordsOf(150), path, 10) : answerAll({ path } as SeenRequest);
  it('gets no more calls than are allowed', async () => {
    const { gateway, upstream } = await startScripted(small, { environment: { MAX_UPSTREAM_CALLS: '50' } });
    const answer = await query(
      gateway,
      '{ customers(first: 20) { nodes { transactions(first: 100) { nodes { id } } } } }',
    );
    // A list is refused at once, while a call for another of its pages may still be on its way.
    await expect.poll(() => upstream.requests.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(50);
    await gateway.close();
    expect(upstream.requests).toHaveLength(50);
    expect(new Set(codes(answer))).toEqual(new Set(['COST_ESTIMATED_TOO_EXPENSIVE']));
    expect(answer.data.customers.nodes).toHaveLength(20);
  });

  it.each([
    [20, []],
    [30, ['COST_ESTIMATED_TOO_EXPENSIVE']],
  ])('gets none of the calls that a write has used: %i records', async (first, expected) => {
    const { gateway } = await startScripted(small, { environment: { MAX_UPSTREAM_CALLS: '3' } });
    const answer = await query(
      gateway,
      `mutation { updateCustomer(input: { id: "c1" }) {
        customer { transactions(first: ${first}) { nodes { id } } }
      } }`,
    );
    expect(codes(answer)).toEqual(expected);
  });

  it('whose end only an empty page shows can need that page too, for each list', async () => {
    const records = recordsOf(3);
    const script = ({ path }: SeenRequest) => {
      const after = new URL(path, 'http://service').searchParams.get('cursor');
      return { json: { data: records.slice(after === null ? 0 : records.findIndex(({ id }) => id === after) + 1) } };
    };
    const contract = {
      'listCustomers.pageStyle': 'cursor',
      'listCustomerTransactions.pageStyle': 'cursor',
      'lists.cursorFrom': 'lastRecord',
      'lists.maxPageSize': 4,
    };
    const nested = '{ customers(first: 4) { nodes { transactions(first: 5) { totalCount } } } }';
    const { gateway, upstream } = await startScripted(script, { contract, environment: { MAX_UPSTREAM_CALLS: '10' } });
    expect((await query(gateway, nested)).errors).toEqual([]);
    expect(upstream.requests).toHaveLength(8);
    const tight = await startScripted(script, { contract, environment: { MAX_UPSTREAM_CALLS: '7' } });
    expect((await query(tight.gateway, nested)).errors).toMatchObject([{ extensions: { estimated: 10, maximum: 7 } }]);
    expect(tight.upstream.requests).toEqual([]);
  });
});

it('copies no variable that the operation does not have, since a request may carry tens of thousands', () => {
  const other = (): never => {
    throw new Error('It was read.');
  };
  const variables = Object.defineProperty({ first: 30 }, 'other', { get: other, enumerable: true });
  expect(valuesOf({ first: 20, after: undefined }, variables)).toEqual({ first: 30, after: undefined });
});

describe('the schema', () => {
  const definitions = parse(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8')).definitions;
  const types = definitions.filter(
    (node): node is ObjectTypeDefinitionNode => node.kind === Kind.OBJECT_TYPE_DEFINITION,
  );
  const { fields, entities: known } = createFieldCosts(createOperations(createContract()), resolversUnder(''));

  it('gives a cost to exactly the fields whose calls are known before', () => {
    const priced = types.flatMap(({ name, fields: own = [] }) =>
      own
        .filter(({ directives = [] }) => directives.some((directive) => directive.name.value === 'cost'))
        .map((field) => `${name.value}.${field.name.value}`),
    );
    expect([...fields.keys()].sort()).toEqual(priced.sort());
  });

  it('has exactly the entities whose references have a cost', () => {
    const keyed = types.filter(({ directives = [] }) =>
      directives.some(({ name, arguments: args = [] }) => name.value === 'key' && args.length === 1),
    );
    expect([...known.keys()].sort()).toEqual(keyed.map(({ name }) => name.value).sort());
  });
});
