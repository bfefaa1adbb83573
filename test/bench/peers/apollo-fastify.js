/** `apollo-fastify PORT UPSTREAM`: Apollo Server behind Fastify, a DataLoader for each request, one undici pool. */
import { ApolloServer } from '@apollo/server';
import fastifyApollo, { fastifyApolloDrainPlugin } from '@as-integrations/fastify';
import DataLoader from 'dataloader';
import Fastify from 'fastify';
import { Pool } from 'undici';
import { dataOf, forwarded, resolvers, typeDefs } from './schema.js';

const [port, upstream] = process.argv.slice(2);
const pool = new Pool(upstream, { connections: 64 });

async function read(path, headers) {
  const { statusCode, body } = await pool.request({ method: 'GET', path: `/api/v1${path}`, headers });
  if (statusCode !== 200) {
    await body.dump();
    throw new Error(`the service answered ${statusCode}`);
  }
  return dataOf(await body.json());
}

const fastify = Fastify();
const apollo = new ApolloServer({ typeDefs, resolvers, plugins: [fastifyApolloDrainPlugin(fastify)] });
await apollo.start();
await fastify.register(fastifyApollo(apollo), {
  context: async ({ headers }) => {
    const sent = forwarded(headers);
    const loader = new DataLoader(async (paths) =>
      Promise.all(paths.map((path) => read(path, sent).catch((error) => error))),
    );
    return { get: (path) => loader.load(path) };
  },
});
process.once('SIGINT', () => process.exit(0));
await fastify.listen({ port: Number(port), host: '127.0.0.1' });
