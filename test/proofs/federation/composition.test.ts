import { readFileSync } from 'node:fs';
import { printSubgraphSchema } from '@apollo/subgraph';
import { expect, it } from 'vitest';
import { createSchema } from '../../../src/graphql/schema.ts';
import { startCommand } from '../../support/process.ts';
import { record } from '../evidence.ts';
import { compose, composers, exampleFolder, proofsFolder, readToldSchema, type Subgraph } from './federation.ts';

const subgraph = (name: string, sdl: string): Subgraph => ({ name, url: `http://127.0.0.1:1/${name}`, sdl });

/** How many of the composers take our schema beside others. */
async function acceptance(ours: string, ...neighbours: readonly string[]): Promise<number> {
  const beside = neighbours.map((sdl, index) => subgraph(`neighbour${index}`, sdl));
  const all = composers.map((composer) => compose(composer, [subgraph('settlement', ours), ...beside]));
  return (await Promise.all(all)).filter(({ errors }) => errors.length === 0).length;
}

it.each([
  ['', `${exampleFolder}/orders.graphql`, 3],
  ['Settlement', `${proofsFolder}/hostile.graphql`, 3],
  ['', `${proofsFolder}/hostile.graphql`, 0],
])(
  'under the prefix “%s” the schema, printed and told by a gateway, beside %s is taken by %i composers',
  async (prefix, file, expected) => {
    const environment = { TYPE_PREFIX: prefix, IDEMPOTENCY_STORE: 'sqlite::memory:' };
    const printing = startCommand('node', ['src/cli.ts', 'schema'], { environment });
    const running = startCommand('node', ['src/cli.ts', 'serve'], { environment });
    const [, url = ''] = await running.printed(/GraphQL\s+(http:\S+)\/graphql/);
    expect(await printing.exited).toBe(0);
    for (const ours of [printing.output(), await readToldSchema(url)])
      expect(await acceptance(ours, readFileSync(file, 'utf8'))).toBe(expected);
  },
);

const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@requires", "@provides", "@override", "@interfaceObject"])';

/** What docs/federation.md says of a neighbour, and how many of the composers take it. */
it.each<[what: string, taken: number, ...neighbours: string[]]>([
  ['a Customer of another id space, without a word', 3, readFileSync(`${proofsFolder}/silent.graphql`, 'utf8')],
  [
    'a transaction returned by its id, of which nobody can fetch the rest',
    0,
    `${link} type Query { paid: CustomerTransaction } type CustomerTransaction @key(fields: "id") { id: ID! }`,
  ],
  [
    'a key with a field of ours',
    3,
    `${link} type CustomerTransaction @key(fields: "id narration") { id: ID! narration: String @external category: String }`,
  ],
  [
    '@requires of a transaction by its id',
    1,
    `${link} type CustomerTransaction @key(fields: "id") { id: ID! narration: String @external category: String @requires(fields: "narration") }`,
  ],
  [
    '@requires of a customer',
    3,
    `${link} type Customer @key(fields: "id") { id: ID! email: String @external avatar: String @requires(fields: "email") }`,
  ],
  [
    '@override',
    3,
    `${link} type Customer @key(fields: "id") { id: ID! reference: String @override(from: "settlement") }`,
  ],
  [
    '@interfaceObject',
    3,
    `${link} interface Party @key(fields: "id") { id: ID! }
      type Customer implements Party @key(fields: "id") { id: ID! } type Query { parties: [Party!]! }`,
    `${link} type Party @key(fields: "id") @interfaceObject { id: ID! rating: Int }`,
  ],
  [
    '@provides',
    2,
    `${link} type Query { order: Order } type Order { id: ID! customer: Customer @provides(fields: "firstName") }
      type Customer @key(fields: "id") { id: ID! firstName: String @external }`,
  ],
])('%s is taken by %i composers', async (name, expected, ...neighbours) => {
  const taken = await acceptance(printSubgraphSchema(createSchema('')), ...neighbours);
  record(`Composers that take ${name}`, `${taken}/${composers.length}`);
  expect(taken).toBe(expected);
});
