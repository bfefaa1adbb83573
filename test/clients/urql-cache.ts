import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { unkeyedTypes } from 'settlement-graph/client';

const schema = buildSchema(
  readFileSync(fileURLToPath(import.meta.resolve('settlement-graph/client/schema.graphql')), 'utf8'),
);
const introspection = introspectionFromSchema(schema);
const pages = relayPagination();

/** A graphcache as docs/urql.md sets it up, and what it complains of. */
export function createCache() {
  const complaints: string[] = [];
  const cache = cacheExchange({
    schema: introspection,
    keys: Object.fromEntries(unkeyedTypes.map((type) => [type, () => null])),
    resolvers: {
      Query: { customers: pages, settlementBanks: pages },
      Customer: { transactions: pages, virtualAccounts: pages },
    },
    updates: {
      Mutation: {
        createCustomer: (_result, _input, cache) => {
          const lists = cache.inspectFields('Query').filter(({ fieldName }) => fieldName === 'customers');
          for (const { fieldKey } of lists) cache.invalidate('Query', fieldKey);
        },
      },
    },
    logger: (_, message) => void complaints.push(message),
  });
  return { cache, complaints };
}
