/**
 * `SUPERGRAPH=supergraph.graphql PORT=0 node apollo-gateway.js`: the supergraph behind `@apollo/gateway`, with the headers of the
 * client's request forwarded to settlement-graph alone, which also gets ROUTER_SECRET.
 */
import { readFileSync } from 'node:fs';
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';

const forwarded = ['authorization', 'svcprivatekey', 'idempotency-key', 'x-request-id', 'traceparent'];

class Forwarding extends RemoteGraphQLDataSource {
  willSendRequest({ request, context: { headers = {} } }) {
    for (const name of forwarded) if (headers[name] !== undefined) request.http.headers.set(name, headers[name]);
    request.http.headers.set('x-router-secret', process.env.ROUTER_SECRET ?? '');
  }
}

const gateway = new ApolloGateway({
  supergraphSdl: readFileSync(process.env.SUPERGRAPH, 'utf8'),
  buildService: ({ name, url }) =>
    name === 'settlement' ? new Forwarding({ url }) : new RemoteGraphQLDataSource({ url }),
});
const { url } = await startStandaloneServer(new ApolloServer({ gateway, includeStacktraceInErrorResponses: false }), {
  context: async ({ req }) => ({ headers: req.headers }),
  listen: { host: '127.0.0.1', port: Number(process.env.PORT) },
});
console.log(`Listening on ${url}`);
