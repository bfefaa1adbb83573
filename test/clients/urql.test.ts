import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, fetchExchange, gql, type CombinedError } from '@urql/core';
import { findGatewayError, isGatewayError } from 'settlement-graph/client';
import { expect, it, onTestFinished } from 'vitest';
import { control, demoHeaders, startBankGateway } from './bank-gateway.ts';
import { createCache } from './urql-cache.ts';

/** A client, and what graphcache complains of. */
function connect(endpoint: string) {
  const { cache, complaints } = createCache();
  const fetchOptions = { headers: demoHeaders };
  const exchanges = [cache, fetchExchange];
  return { client: new Client({ url: endpoint, exchanges, fetchOptions, preferGetMethod: false }), complaints };
}

interface Page {
  readonly customers: {
    readonly nodes: readonly { readonly id: string; readonly balance: { readonly value: object } }[];
    readonly pageInfo: { readonly endCursor: string };
  };
}

const customers = gql<Page, { readonly after?: string }>(`query ($after: String) {
  customers(first: 5, after: $after) {
    totalCount
    edges { cursor node { id } }
    nodes { id balance { value { amount currency } } transactions(first: 2) { nodes { id amount { amount } } } }
    pageInfo { hasNextPage endCursor }
  }
}`);

it('keeps two pages in the cache of urql and reads them again without asking', async () => {
  const { endpoint, calls } = await startBankGateway();
  const { client, complaints } = connect(endpoint);
  const first = await client.query(customers, {});
  await client.query(customers, { after: first.data?.customers.pageInfo.endCursor ?? '' });
  const asked = await calls('listCustomers');
  const again = await client.query(customers, {}, { requestPolicy: 'cache-only' });
  expect(again.data?.customers.nodes.map(({ id }) => id)).toEqual(
    Array.from({ length: 10 }, (_, index) => `cus_${String(index + 1).padStart(4, '0')}`),
  );
  expect(again.data?.customers.nodes[0]?.balance.value).toMatchObject({ amount: '146363.63', currency: 'NGN' });
  expect(await calls('listCustomers')).toBe(asked);
  expect(complaints).toEqual([]);
});

it('must be kept from GET, which is refused, as the guide says', async () => {
  const { endpoint } = await startBankGateway();
  const client = new Client({ url: endpoint, exchanges: [fetchExchange], fetchOptions: { headers: demoHeaders } });
  const { error } = await client.query(customers, {});
  expect(isGatewayError(error, 'BAD_REQUEST')).toBe(true);
  expect(await readFile(join(import.meta.dirname, '../../docs/urql.md'), 'utf8')).toContain('preferGetMethod: false');
});

it('asks again for a list on the screen after a create', async () => {
  const { endpoint, calls } = await startBankGateway();
  const { client } = connect(endpoint);
  let isShown = false;
  onTestFinished(client.query(customers, {}).subscribe(() => (isShown = true)).unsubscribe);
  await expect.poll(() => isShown).toBe(true);
  await client.mutation(gql(`mutation { createCustomer(input: {}) { customer { id } } }`), {});
  await expect.poll(() => calls('listCustomers')).toBe(2);
});

it('tells the gateway’s errors apart in what urql hands over', async () => {
  const { endpoint, bankUrl } = await startBankGateway();
  await control(bankUrl, 'faults', { operation: 'createCustomerVirtualAccount', cut: 'after' });
  const mutation = gql(`mutation {
    createVirtualAccount(input: { customerId: "cus_0001", idempotencyKey: "urql-1" }) {
      virtualAccount { id } userErrors { message }
    }
  }`);
  const { error } = await connect(endpoint).client.mutation(mutation, {});
  const found = findGatewayError(error satisfies CombinedError | undefined, 'OUTCOME_UNKNOWN');
  expect(found?.extensions.lookup).toEqual({ field: 'customer.virtualAccounts', by: ['customerId'] });
});
