import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { unkeyedTypes } from 'settlement-graph-client';
import { Client, fetchExchange, Provider } from 'urql';
import { Customers } from './customers';
import schema from './schema.json';

const pages = relayPagination();
const cache = cacheExchange({
  schema,
  keys: Object.fromEntries(unkeyedTypes.map((type) => [type, () => null])),
  resolvers: {
    Query: { customers: pages, settlementBanks: pages },
    Customer: { transactions: pages, virtualAccounts: pages },
  },
  updates: {
    Mutation: {
      // Lists may have one more now. Start them without `after`.
      createCustomer: (_result, _arguments, cache) => {
        for (const { fieldName, fieldKey } of cache.inspectFields('Query'))
          if (fieldName === 'customers') cache.invalidate('Query', fieldKey);
      },
    },
  },
});
// The gateway refuses GET.
const client = new Client({ url: '/api/graphql', exchanges: [cache, fetchExchange], preferGetMethod: false });

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Provider value={client}>
      <Customers />
    </Provider>
  </StrictMode>,
);
