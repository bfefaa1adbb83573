/** `apollo-standalone PORT UPSTREAM`: Apollo Server alone, with a RESTDataSource for each request. */
import { RESTDataSource } from '@apollo/datasource-rest';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { dataOf, forwarded, resolvers, typeDefs } from './schema.js';

const [port, upstream] = process.argv.slice(2);

class PaymentsAPI extends RESTDataSource {
  baseURL = `${upstream}/api/v1/`;

  constructor(headers, cache) {
    super({ cache });
    this.headers = headers;
  }

  willSendRequest(_path, request) {
    Object.assign(request.headers, this.headers);
  }

  async read(path) {
    return dataOf(await this.get(path.slice(1)));
  }
}

const apollo = new ApolloServer({ typeDefs, resolvers });
process.once('SIGINT', () => process.exit(0));
await startStandaloneServer(apollo, {
  listen: { port: Number(port), host: '127.0.0.1' },
  context: async ({ req }) => {
    const payments = new PaymentsAPI(forwarded(req.headers), apollo.cache);
    return { get: (path) => payments.read(path) };
  },
});
