/** Apollo's test suite for integrations, over the Fastify handler as it is compiled into dist/. */
import { ApolloServer } from '@apollo/server';
import { defineIntegrationTestSuite } from '@apollo/server-integration-testsuite';
import Fastify from 'fastify';
import { graphqlHandler } from '../../dist/http/graphql-route.js';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
/** The default ones, and those of features that the suite switches on and the gateway does not. */
const headers = [
  'content-type',
  'accept',
  'apollo-require-preflight',
  'x-apollo-operation-name',
  'apollo-federation-include-trace',
  'xxx',
  'yyy',
];

defineIntegrationTestSuite(
  async (options, { context = async () => ({}) } = {}) => {
    const server = new ApolloServer(options);
    await server.start();
    const app = Fastify();
    const handling = { apollo: server, contextOf: context, isTrusted: () => false, headerNames: headers };
    app.route({ method: methods, url: '/', exposeHeadRoute: false, handler: graphqlHandler(handling) });
    return { server, url: await app.listen({ host: '127.0.0.1', port: 0 }), extraCleanup: () => app.close() };
  },
  { noIncrementalDelivery: true },
);
