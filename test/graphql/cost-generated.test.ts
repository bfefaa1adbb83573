import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { embeddedContract } from '../../src/bank/contract.ts';
import { createContract } from '../../src/contract/contract.ts';
import { createExplain, type Explanation } from '../../src/graphql/explain/explain-operation.ts';
import { createOperations } from '../../src/upstream/operations.ts';
import { startCountedBank } from '../support/counted-bank.ts';
import { query, startGateway } from '../support/gateway.ts';

const demo = { authorization: 'Bearer demo-token', svcprivatekey: 'demo-key', 'x-explain': 'calls' };
/** After how many customers a window may begin. */
const positions = [0, 5, 10, 20];

interface Question {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const contract = createContract(embeddedContract);
const operations = createOperations(contract);
const settings = { typePrefix: '', maxUpstreamCalls: 200, maxRepresentations: 200 };
const { explain } = createExplain(settings, contract, operations);

/** A gateway before a bank, which lets everything pass and tells what each operation was estimated at. */
async function startMeasured() {
  const bank = await startCountedBank();
  const environment = { MAX_UPSTREAM_CALLS: '10000', INTROSPECTION: 'on' };
  const gateway = await startGateway({ upstream: bank.url, contract: embeddedContract, environment });
  const cursorAt = async (first: number) => {
    const { data } = await query(gateway, `{ customers(first: ${first}) { pageInfo { endCursor } } }`, {
      headers: demo,
    });
    return data.customers.pageInfo.endCursor as string;
  };
  const explained = async (question: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${gateway.url}/explorer/explain`, {
      method: 'POST',
      headers,
      body: JSON.stringify(question),
    });
    return (await answer.json()) as Explanation;
  };
  const cursors = await Promise.all(positions.slice(1).map((first) => cursorAt(first)));
  return {
    cursors: Object.fromEntries(cursors.map((cursor, index) => [`after${positions[index + 1]}`, cursor])),
    /** What an operation was explained and estimated at, the calls that it made, and those that its answer shows. */
    measure: async ({ document, variables }: Question) => {
      const atMost = await explained({ query: document, variables });
      const before = bank.requests.length;
      const { errors, extensions } = await query(gateway, document, { variables, headers: demo });
      return {
        explained: [atMost.calls, atMost.waves.reduce((sum, calls) => sum + calls, 0)],
        alone: explain({ document, variables }).calls,
        estimated: extensions.cost.estimated,
        calls: bank.requests.length - before,
        shown: extensions.calls.reduce((sum: number, { tries }: { readonly tries: number }) => sum + tries, 0),
        errors,
      };
    },
  };
}

const size = fc.integer({ min: 1, max: 12 });
const position = fc.constantFrom(...positions);
const shape = fc.constantFrom('nodes { # }', 'edges { node { # } }');
const fill = (template: string, selection: string) => template.replace('#', selection);
const windowOf = (first: number, from: number) => `first: ${first}, after: ${from === 0 ? 'null' : `$after${from}`}`;
const variables = [
  ['$after5', 'String'],
  ['$after10', 'String'],
  ['$after20', 'String'],
  ['$on', 'Boolean! = true'],
  ['$size', 'Int = 3'],
] as const;
/** An operation with the variables that it uses. */
const operation = (body: string) => {
  const used = variables.filter(([name]) => body.split(/[ (),}]/).includes(name));
  return `query Q(${['$id: ID = "stb_0002"', ...used.map(([name, type]) => `${name}: ${type}`)].join(' ')}) ${body}`;
};
const idOf = (number: number) => `"cus_${String(number).padStart(4, '0')}"`;

const condition = fc.constantFrom('', '@include(if: $on)', '@skip(if: $on)', '@skip(if: true)');

/** Any fields of a customer, the same again among them, some left out, some refused. */
const anyFields = fc
  .array(
    fc.tuple(
      fc.constantFrom('a: ', 'b: ', ''),
      fc.constantFrom(
        'balance # { value { amount } }',
        'transactions(first: 4) # { totalCount }',
        'transactions(first: 4, after: $after5) # { totalCount }',
        'transactions(first: $size) # { nodes { id } edges { cursor } }',
        'virtualAccounts # { nodes { id } }',
        'virtualAccounts(first: 101) # { nodes { id } }',
      ),
      condition,
    ),
    { maxLength: 4 },
  )
  .map((fields) => {
    const byName = new Map(
      fields.map(([alias, field, on]) => [alias || field.split(/[ (]/)[0], alias + fill(field, on)]),
    );
    return ['id', '...Part', ...byName.values()].join(' ');
  });

const anyQuestion = fc
  .array(
    fc.oneof(
      fc
        .tuple(size, position, shape, shape, anyFields)
        .map(
          ([first, from, one, other, fields]) =>
            `customers(${windowOf(first, from)}) { ${fill(one, fields)} ${fill(other, '...Part')} }`,
        ),
      fc
        .tuple(fc.integer({ min: 1, max: 70 }), anyFields)
        .map(([number, fields]) => `customer(id: ${idOf(number)}) { ${fields} }`),
      fc.tuple(fc.array(fc.integer({ min: 1, max: 70 }), { maxLength: 6 }), anyFields).map(([numbers, fields]) => {
        const references = numbers.map((number) => `{ __typename: "Customer", id: ${idOf(number)} }`).join(' ');
        return `_entities(representations: [${references}]) { ... on Customer { ${fields} } }`;
      }),
      fc.constantFrom('settlementBanks(first: 100) { nodes { name } }', 'settlementBank(id: "nobody") { name }'),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => {
    const named = parts.map((part, index) => `r${index}: ${part}`).join(' ');
    return operation(
      `{ bank: settlementBank(id: $id) { id } part: customer(id: $id) { ...Part } ${named} } fragment Part on Customer { email x: balance { value { currency } } }`,
    );
  });

const variants = fc.record({ on: fc.boolean(), size: fc.constantFrom(1, 9, null, 100) });
const runs = { seed: 20_250_101, endOnFailure: true };

describe('the calls of an operation to the embedded bank', () => {
  it('are never more than was estimated, for 100 generated queries', { timeout: 120_000 }, async () => {
    const { cursors, measure } = await startMeasured();
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(anyQuestion, variants, async (document, given) => {
        const { explained, estimated, alone, calls, shown, errors } = await measure({
          document,
          variables: { ...cursors, ...given },
        });
        asked += calls;
        expect(errors.map(({ extensions }) => extensions['code'])).not.toContain('GRAPHQL_VALIDATION_FAILED');
        expect(calls).toBeLessThanOrEqual(estimated);
        expect([...explained, shown]).toEqual([estimated, estimated, calls]);
        expect(alone).toBeGreaterThanOrEqual(calls);
      }),
      { ...runs, numRuns: 100 },
    );
    expect(asked).toBeGreaterThan(1_000);
  });

  it('are never explained as fewer where a variable has no value', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(anyQuestion, variants, fc.subarray(['on', 'size', 'after5', 'after10']), (document, given, left) => {
        const variables: Record<string, unknown> = { ...given, after5: null, after10: null, after20: null };
        const { calls } = explain({ document, variables });
        for (const name of left) delete variables[name];
        // A variable with a default has a value.
        const open = document.replaceAll(/ = (?:true|3)/g, '');
        expect(explain({ document: open, variables }).calls).toBeGreaterThanOrEqual(calls);
      }),
      { ...runs, numRuns: 100 },
    );
  });
});
