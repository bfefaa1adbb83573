/** The second subgraph: a shop's orders, a hundred and one of them, made up. `PORT=4002 node orders.js` */
import { readFileSync } from 'node:fs';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';

const typeDefs = parse(readFileSync(new URL('orders.graphql', import.meta.url), 'utf8'));
const digits = (number) => String(number).padStart(4, '0');

/** A hundred orders of forty customers, and one of a customer that settlement-graph does not know. */
const orders = Array.from({ length: 101 }, (_, index) => ({
  id: `ord_${digits(index + 1)}`,
  item: ['Lamp', 'Chair', 'Kettle'][index % 3],
  total: { amount: `${10 + index}.50`, currency: 'NGN' },
  customer: { id: index === 100 ? 'cus_9999' : `cus_${digits((index % 40) + 1)}` },
  transactionId: `txn_${digits(index + 1)}`,
  settledTo: { id: `stb_${digits((index % 7) + 1)}` },
}));

const resolvers = {
  Query: {
    order: (_, { id }) => orders.find((order) => order.id === id) ?? null,
    orders: (_, { first, skip }) => ({
      nodes: orders.slice(skip, skip + first),
      pageInfo: { hasNextPage: skip + first < orders.length, hasPreviousPage: skip > 0 },
    }),
  },
  // What the router asks for by key: `{ __typename, id }`. Without a resolver of its own a reference stands for itself.
  Order: { __resolveReference: ({ id }) => orders.find((order) => order.id === id) ?? null },
  Customer: { orders: ({ id }) => orders.filter(({ customer }) => customer.id === id) },
  SettlementBank: { orderCount: ({ id }) => orders.filter(({ settledTo }) => settledTo.id === id).length },
  CustomerTransaction: { order: ({ id }) => orders.find(({ transactionId }) => transactionId === id) ?? null },
  VirtualAccount: { orderCount: ({ id }) => Number(id.replace(/\D/g, '')) % 5 },
};

const server = new ApolloServer({ schema: buildSubgraphSchema([{ typeDefs, resolvers }]), introspection: true });
const { url } = await startStandaloneServer(server, {
  listen: { host: '127.0.0.1', port: Number(process.env.PORT ?? 4002) },
});
console.log(`Orders     ${url}graphql`);
