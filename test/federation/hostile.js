/** A neighbour that calls everything as we do and means something else. `PORT=0 node hostile.js` */
import { readFileSync } from 'node:fs';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';

const typeDefs = parse(readFileSync(new URL('hostile.graphql', import.meta.url), 'utf8'));
const card = (id) => ({ id, firstName: 7, points: { cents: 12 }, account: { id: 'cus_0002' } });

const resolvers = {
  Query: {
    customer: (_, { id }) => card(id),
    customers: () => [card('cus_0001'), card('cus_0002')],
    settlementBank: () => ({ branch: '12' }),
    headersSeen: (_, __, { headers }) => Object.keys(headers),
  },
  Mutation: { createCustomer: () => ({ created: card('new'), userErrors: [] }) },
  Customer: { __resolveReference: ({ id }) => card(id) },
  SettlementCustomer: { card: ({ id }) => card(`card-of-${id}`) },
};

const server = new ApolloServer({ schema: buildSubgraphSchema([{ typeDefs, resolvers }]), introspection: true });
const { url } = await startStandaloneServer(server, {
  context: async ({ req }) => ({ headers: req.headers }),
  listen: { host: '127.0.0.1', port: Number(process.env.PORT) },
});
console.log(`Neighbour  ${url}graphql`);
