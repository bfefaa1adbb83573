/** Apollo's test suite for integrations, over the Fastify handler as it is compiled into dist/. */
import { ApolloServer } from '@apollo/server';
import { defineIntegrationTestSuite } from '@apollo/server-integration-testsuite';
import Fastify from 'fastify';
import { graphqlHandler } from '../../dist/http/graphql-route.js';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
/** No document is on a manifest, and any is accepted. */
const documents = { isTrusted: () => false, resolve: (asked) => asked };

defineIntegrationTestSuite(
  async (options, { context = async () => ({}) } = {}) => {
    const server = new ApolloServer(options);
    await server.start();
    const app = Fastify();
    const handling = { apollo: server, contextOf: context, documents };
    app.route({ method: methods, url: '/', exposeHeadRoute: false, handler: graphqlHandler(handling) });
    return { server, url: await app.listen({ host: '127.0.0.1', port: 0 }), extraCleanup: () => app.close() };
  },
  { noIncrementalDelivery: true },
);
