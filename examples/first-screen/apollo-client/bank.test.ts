import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { findGatewayError, typePolicies } from 'settlement-graph-client';
import { startGateway } from 'settlement-graph/testing';

test('a list says what failed', async () => {
  await using gateway = await startGateway();
  await gateway.bank?.fault({ operation: 'listCustomers', status: 503, count: 3 });
  const link = new HttpLink({ uri: gateway.graphqlUrl, headers: gateway.headers });
  const client = new ApolloClient({ link, cache: new InMemoryCache({ typePolicies }) });
  const query = gql`
    {
      customers {
        totalCount
      }
    }
  `;
  const { data, error } = await client.query({ query, errorPolicy: 'all' });
  assert.deepEqual(data, { customers: null });
  assert.ok(findGatewayError(error, 'UPSTREAM_UNAVAILABLE'));
});
