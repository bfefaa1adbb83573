import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { printSubgraphSchema } from '@apollo/subgraph';
import { createSchema } from '../../src/graphql/schema.ts';
import { compose, composers, proofsFolder, type Subgraph } from '../support/federation.ts';
import { record } from './evidence.ts';

const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@requires", "@provides", "@override", "@interfaceObject"])';
const subgraph = (name: string, sdl: string): Subgraph => ({ name, url: `http://127.0.0.1:1/${name}`, sdl });
const settlement = subgraph('settlement', printSubgraphSchema(createSchema('')));

/** What docs/federation.md says of each directive, and how many of the composers take it. */
it.each([
  [
    'a key with a field of ours',
    3,
    [
      `type CustomerTransaction @key(fields: "id narration") { id: ID! narration: String @external category: String }
      type VirtualAccount @key(fields: "id bankName") { id: ID! bankName: String @external logo: String }`,
    ],
  ],
  [
    '@requires of a transaction by its id',
    1,
    [
      'type CustomerTransaction @key(fields: "id") { id: ID! narration: String @external category: String @requires(fields: "narration") }',
    ],
  ],
  [
    'a transaction returned by its id, of which nobody can fetch the rest',
    0,
    ['type Query { paid: CustomerTransaction } type CustomerTransaction @key(fields: "id") { id: ID! }'],
  ],
  ['a Customer of another id space, without a word', 3, [readFileSync(`${proofsFolder}/silent.graphql`, 'utf8')]],
  [
    '@requires of a customer',
    3,
    ['type Customer @key(fields: "id") { id: ID! email: String @external avatar: String @requires(fields: "email") }'],
  ],
  ['@override', 3, ['type Customer @key(fields: "id") { id: ID! reference: String @override(from: "settlement") }']],
  [
    '@interfaceObject',
    3,
    [
      `interface Party @key(fields: "id") { id: ID! }
      type Customer implements Party @key(fields: "id") { id: ID! } type Query { parties: [Party!]! }`,
      'type Party @key(fields: "id") @interfaceObject { id: ID! rating: Int }',
    ],
  ],
  [
    '@provides',
    2,
    [
      `type Query { order: Order } type Order { id: ID! customer: Customer @provides(fields: "firstName") }
      type Customer @key(fields: "id") { id: ID! firstName: String @external }`,
    ],
  ],
])('%s of a neighbour is taken by %i composers', async (name, expected, neighbours) => {
  const beside = neighbours.map((sdl, index) =>
    subgraph(`neighbour${index}`, sdl.includes('@link') ? sdl : `${link}\n${sdl}`),
  );
  const compositions = await Promise.all(composers.map((composer) => compose(composer, [settlement, ...beside])));
  const taken = compositions.filter(({ errors }) => errors.length === 0).length;
  record(`Composers that take ${name}`, `${taken}/${composers.length}`);
  expect(taken).toBe(expected);
});
