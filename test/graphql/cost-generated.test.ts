import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { embeddedContract } from '../../src/bank/contract.ts';
import { createContract } from '../../src/contract/contract.ts';
import { createExplain } from '../../src/graphql/explain/explain-operation.ts';
import { createOperations } from '../../src/upstream/operations.ts';
import { asking, startExplained, type ExplainedCall } from './explained.ts';
import { codes, query } from '../support/gateway.ts';

/** After how many customers a window may begin. */
const positions = [0, 5, 10, 20];

const contract = createContract(embeddedContract);
const settings = { typePrefix: '', maxUpstreamCalls: 10_000, maxRepresentations: 200 };
const { explain } = createExplain(settings, contract, createOperations(contract));

/** A gateway before a bank, which lets everything pass. */
async function startMeasured() {
  const { gateway, journal } = await startExplained({ MAX_UPSTREAM_CALLS: '10000' });
  const ask = (document: string, variables: object = {}) => query(gateway, document, { variables, headers: asking });
  const cursorAt = async (first: number): Promise<string> =>
    (await ask(`{ customers(first: ${first}) { pageInfo { endCursor } } }`)).data.customers.pageInfo.endCursor;
  const cursors = await Promise.all(positions.slice(1).map(cursorAt));
  await journal();
  return {
    cursors: Object.fromEntries(cursors.map((cursor, index) => [`after${positions[index + 1]}`, cursor])),
    /** What an operation was explained and estimated at, the calls that it made, and those that its answer shows. */
    measure: async (document: string, variables: object) => {
      const answer = await ask(document, variables);
      const shown: readonly ExplainedCall[] = answer.extensions.calls;
      return {
        answer,
        explained: explain({ document, variables: { ...variables } }).calls,
        estimated: answer.extensions.cost.estimated as number,
        calls: (await journal()).length,
        shown: shown.reduce((sum, { tries }) => sum + tries, 0),
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

it(
  'an operation never needs more calls than was estimated, for 50 generated queries',
  { timeout: 60_000 },
  async () => {
    const { cursors, measure } = await startMeasured();
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(anyQuestion, variants, async (document, given) => {
        const { answer, explained, estimated, calls, shown } = await measure(document, { ...cursors, ...given });
        asked += calls;
        expect(codes(answer)).not.toContain('GRAPHQL_VALIDATION_FAILED');
        expect(calls).toBeLessThanOrEqual(estimated);
        expect(explained).toBeGreaterThanOrEqual(calls);
        expect(shown).toBe(calls);
      }),
      { seed: 20_250_101, endOnFailure: true, numRuns: 50 },
    );
    expect(asked).toBeGreaterThan(500);
  },
);
