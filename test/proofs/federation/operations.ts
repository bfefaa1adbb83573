import type { GraphQLAnswer } from '../../support/gateway.ts';

/** Asks one service with the operation's own headers. */
export type Ask = (document: string, variables?: unknown) => Promise<GraphQLAnswer>;

type Headers = Readonly<Record<string, string>>;

export interface FederatedOperation {
  readonly name: string;
  readonly document: string;
  /** What the client sends, by default both of the first demo merchant's credentials; several are sent at once. */
  readonly callers?: readonly Headers[];
  /** What the bank is told to do wrong before. */
  readonly fault?: object;
  /** The answer put together by hand from the two subgraphs; it asks settlement-graph once, for all that is wanted of it. */
  readonly alone: (subgraphs: Readonly<Record<'settlement' | 'orders', Ask>>) => Promise<{
    readonly data: unknown;
    readonly errors?: GraphQLAnswer['errors'];
  }>;
  /** Calls of the bank: behind a gateway as many as alone. */
  readonly calls: number;
  /** Where the errors must stand. */
  readonly errorsAt?: string;
}

export const merchant: Headers = { authorization: 'Bearer demo-token', svcprivatekey: 'demo-key' };
const secondMerchant: Headers = { authorization: 'Bearer demo-token-2', svcprivatekey: 'demo-key-2' };

const readReferences = (ask: Ask, references: readonly object[], selection: string) =>
  ask(`query ($of: [_Any!]!) { entities: _entities(representations: $of) { ${selection} } }`, { of: references });

export const readEntities = (ask: Ask, typeName: string, ids: readonly string[], selection: string) =>
  readReferences(
    ask,
    ids.map((id) => ({ __typename: typeName, id })),
    `... on ${typeName} { ${selection} }`,
  );

/** An order of the neighbour's with a selection of its customer, which is ours. */
const orderOf = (id: string, selection: string): Pick<FederatedOperation, 'document' | 'alone'> => ({
  document: `{ order(id: "${id}") { item customer { ${selection} } } }`,
  alone: async ({ settlement, orders }) => {
    const { data } = await orders(`{ order(id: "${id}") { item customer { id } } }`);
    const ours = await readEntities(settlement, 'Customer', [data.order.customer.id], selection);
    return { data: { order: { item: data.order.item, customer: ours.data.entities[0] } }, errors: ours.errors };
  },
});

const ownFields = 'firstName balance { value { amount currency } }';
const refusedCreate =
  'mutation { createCustomer(input: { nin: "1" }) { customer { id } userErrors { code field message } } }';

export const operations: readonly FederatedOperation[] = [
  {
    name: 'a customer of ours and the neighbour’s orders of it',
    document: `{ customer(id: "cus_0001") { ${ownFields} orders { id total { amount currency } } } }`,
    calls: 2,
    alone: async ({ settlement, orders }) => {
      const ours = await settlement(`{ customer(id: "cus_0001") { ${ownFields} } }`);
      const theirs = await readEntities(orders, 'Customer', ['cus_0001'], 'orders { id total { amount currency } }');
      return { data: { customer: { ...ours.data.customer, ...theirs.data.entities[0] } } };
    },
  },
  {
    name: 'an order of the neighbour’s and our customer with all that costs calls',
    calls: 3,
    ...orderOf(
      'ord_0002',
      `firstName balance { value { amount } }
      transactions(first: 2, direction: CREDIT, createdFrom: "2025-01-12T00:00:00Z", createdBefore: "2025-01-15T00:00:00Z") {
        nodes { narration direction createdAt amount { amount } } pageInfo { hasNextPage }
      }`,
    ),
  },
  {
    name: 'an answer of the service that cannot be read',
    fault: { operation: 'getCustomerBalance', status: 200, body: 'planted' },
    calls: 2,
    errorsAt: 'order.customer',
    ...orderOf('ord_0001', 'firstName balance { value { amount } }'),
  },
  ...[merchant, { authorization: 'Bearer demo-token' }].map((headers): FederatedOperation => ({
    name: `a customer and a settlement bank by ${Object.keys(headers).join(' and ')}`,
    document: '{ order(id: "ord_0003") { item customer { firstName } settledTo { name orderCount } } }',
    callers: [headers],
    calls: Object.keys(headers).length,
    errorsAt: 'order.customer',
    alone: async ({ settlement, orders }) => {
      const { data } = await orders('{ order(id: "ord_0003") { item customer { id } settledTo { id orderCount } } }');
      const { item, customer, settledTo } = data.order;
      const references = [
        { __typename: 'Customer', ...customer },
        { __typename: 'SettlementBank', id: settledTo.id },
      ];
      const selection = '... on Customer { firstName } ... on SettlementBank { name }';
      const { data: found, errors } = await readReferences(settlement, references, selection);
      const [person, bank] = found.entities;
      // Of an unknown customer the neighbour still knows the id, and nothing else is there.
      const joined = {
        item,
        customer: person ?? { firstName: null },
        settledTo: { ...bank, orderCount: settledTo.orderCount },
      };
      return { data: { order: joined }, errors };
    },
  })),
  {
    name: 'a refused create, with its userErrors',
    document: refusedCreate,
    calls: 0,
    alone: ({ settlement }) => settlement(refusedCreate),
  },
  {
    name: 'two merchants interleaved, ten requests of each at once',
    document: '{ customers(first: 3) { nodes { id email balance { value { amount } } orders { id } } totalCount } }',
    callers: Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? merchant : secondMerchant)),
    calls: 80,
    alone: async ({ settlement, orders }) => {
      const { data } = await settlement(
        '{ customers(first: 3) { nodes { id email balance { value { amount } } } totalCount } }',
      );
      const nodes: readonly { readonly id: string }[] = data.customers.nodes;
      const ids = nodes.map(({ id }) => id);
      const theirs = await readEntities(orders, 'Customer', ids, 'orders { id }');
      const joined = nodes.map((node, index) => ({ ...node, ...theirs.data.entities[index] }));
      return { data: { customers: { ...data.customers, nodes: joined } } };
    },
  },
];
