import {
  ApolloClient,
  CombinedGraphQLErrors,
  gql,
  HttpLink,
  InMemoryCache,
  type TypedDocumentNode,
} from '@apollo/client';
import { findGatewayError, isGatewayError, possibleTypes, typePolicies } from 'settlement-graph/client';
import { describe, expect, it } from 'vitest';
import { startScripted } from '../support/gateway.ts';
import { control, demoHeaders, startBankGateway } from './bank-gateway.ts';

interface Page {
  readonly customers: {
    readonly totalCount: number;
    readonly nodes: readonly { readonly id: string }[];
    readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly startCursor: string; readonly endCursor: string };
  };
}

interface Variables {
  readonly first?: number;
  readonly after?: string;
  readonly search?: string;
}

const fields = 'totalCount nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
const customers: TypedDocumentNode<Page, Variables> = gql(`query ($first: Int = 10, $after: String, $search: String) {
  customers(first: $first, after: $after, search: $search) { ${fields} edges { cursor node { id } } }
}`);

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `cus_${String(from + index).padStart(4, '0')}`);

function connect(endpoint: string): ApolloClient {
  const link = new HttpLink({ uri: endpoint, headers: demoHeaders });
  return new ApolloClient({ link, cache: new InMemoryCache({ possibleTypes, typePolicies }) });
}

/** A client whose cache holds the first page. */
async function openList() {
  const { endpoint, bankUrl } = await startBankGateway();
  const client = connect(endpoint);
  const observed = client.watchQuery({ query: customers, errorPolicy: 'all' });
  await observed.refetch();
  return { client, observed, bankUrl };
}

/** The list as the cache holds it, by both of its faces. */
function cached(client: ApolloClient, search?: string) {
  const list = client.readQuery({ query: customers, variables: search === undefined ? {} : { search } })?.customers;
  return {
    nodes: list?.nodes.map(({ id }) => id),
    edges: list?.edges.map(({ node }) => node.id),
    pageInfo: list?.pageInfo,
  };
}

async function endOf(client: ApolloClient): Promise<string> {
  const { data } = await client.query({ query: customers, fetchPolicy: 'cache-only' });
  return data?.customers.pageInfo.endCursor ?? '';
}

describe('a connection in the cache of Apollo Client', () => {
  it('has every record once however its pages are cut and repeated', async () => {
    const { client, observed } = await openList();
    const firstEnd = await endOf(client);
    await observed.fetchMore({ variables: { after: firstEnd, first: 7 } });
    const secondEnd = await endOf(client);
    await observed.fetchMore({ variables: { after: firstEnd, first: 7 } });
    await observed.fetchMore({ variables: { after: secondEnd, first: 100 } });
    expect(cached(client)).toMatchObject({ nodes: range(1, 64), edges: range(1, 64) });
    expect(cached(client).pageInfo?.hasNextPage).toBe(false);
  });

  it('starts anew when it is fetched again, without a gap before a late page', async () => {
    const { client, observed } = await openList();
    await observed.fetchMore({ variables: { after: await endOf(client) } });
    const secondEnd = await endOf(client);
    await observed.refetch();
    expect(cached(client)).toMatchObject({ nodes: range(1, 10), edges: range(1, 10) });
    await observed.fetchMore({ variables: { after: secondEnd } });
    expect(cached(client)).toMatchObject({ nodes: range(21, 30), edges: range(21, 30) });
    expect(cached(client).pageInfo).toMatchObject({ hasPreviousPage: true });
  });

  it('keeps what is there over a page and a refetch that fail', async () => {
    const { client, observed, bankUrl } = await openList();
    for (const more of [{ after: await endOf(client) }, {}]) {
      await control(bankUrl, 'faults', { operation: 'listCustomers', status: 503, count: 3 });
      const { error } = await observed.fetchMore({ variables: more, errorPolicy: 'all' });
      expect(isGatewayError(error, 'UPSTREAM_UNAVAILABLE')).toBe(true);
      expect(cached(client)).toMatchObject({ nodes: range(1, 10), edges: range(1, 10) });
    }
    await observed.fetchMore({ variables: { after: await endOf(client) } });
    expect(cached(client).nodes).toEqual(range(1, 20));
  });

  it('is kept apart from the same list under another filter', async () => {
    const { client } = await openList();
    await client.query({ query: customers, variables: { search: 'customer-0064' } });
    expect(cached(client).nodes).toEqual(range(1, 10));
    expect(cached(client, 'customer-0064').nodes).toEqual(range(64, 64));
  });

  it('asks again rather than show a list of which one page lacks the edges', async () => {
    const { client } = await openList();
    const nodesOnly = gql(`query ($after: String) { customers(first: 10, after: $after) { ${fields} } }`);
    const variables = { after: await endOf(client) };
    await client.query({ query: nodesOnly, variables, fetchPolicy: 'network-only' });
    expect(client.readQuery<Pick<Page, 'customers'>>({ query: nodesOnly })?.customers.nodes).toHaveLength(20);
    expect(client.readQuery({ query: customers })).toBeNull();
  });
});

const balanceOf = (fields: string) => gql`
  { customer(id: "cus_0001") { id balance { ${fields} } } }
`;

describe('a balance in the cache of Apollo Client', () => {
  it('is never mixed out of two moments by a refetch', async () => {
    const answers = ['{"balance":"1.00","available_balance":"1.00"}', '{"balance":"2.00","available_balance":"2.00"}'];
    const { gateway } = await startScripted(
      ({ path }) => ({
        text: `{"success":true,"data":${path.endsWith('/balance') ? answers.shift() : '{"id":"cus_0001"}'}}`,
      }),
      { contract: { 'balance.available': ['/available_balance'] } },
    );
    const client = connect(`${gateway.url}/graphql`);
    const whole = balanceOf('value { amount currency } available { amount }');
    const { data: before } = await client.query({ query: whole });
    expect(before).toMatchObject({
      customer: { balance: { value: { amount: '1.00' }, available: { amount: '1.00' } } },
    });

    const refetched = balanceOf('value { amount } available { amount }');
    await client.query({ query: refetched, fetchPolicy: 'network-only' });
    expect(client.readQuery({ query: refetched })).toMatchObject({
      customer: { balance: { value: { amount: '2.00' }, available: { amount: '2.00' } } },
    });
    // The second answer did not say the currency: the first one's must not stand beside the new amount.
    expect(client.readQuery({ query: whole })).toBeNull();
  });
});

describe('the errors that Apollo Client hands over', () => {
  const create = gql(`mutation ($input: CreateCustomerInput!) {
    createCustomer(input: $input) { customer { id } userErrors { message } }
  }`);

  it('are told apart by their codes, with what they carry', async () => {
    const { endpoint, bankUrl } = await startBankGateway();
    await control(bankUrl, 'faults', { operation: 'createCustomer', cut: 'after' });
    const person = { firstName: 'Ada', lastName: 'Example', nin: '00000000000', dateOfBirth: '1990-01-31' };
    const contact = {
      phone: '+2340000000000',
      email: 'ada@example.com',
      type: 'wallet',
      collectionWalletId: 'wal_0001',
    };
    const input = { ...person, ...contact, reference: 'apollo-1', idempotencyKey: 'apollo-1' };
    const attempt = connect(endpoint).mutate({ mutation: create, variables: { input } });
    const error: unknown = await attempt.catch((reason: unknown) => reason);
    expect(CombinedGraphQLErrors.is(error)).toBe(true);
    expect(isGatewayError(error, 'OUTCOME_UNKNOWN')).toBe(true);
    expect(isGatewayError(error, 'UPSTREAM_TIMEOUT')).toBe(false);
    expect(findGatewayError(error, 'OUTCOME_UNKNOWN')?.extensions).toMatchObject({
      lookup: { field: 'customers', by: ['reference'] },
      retryable: false,
    });
  });
});
