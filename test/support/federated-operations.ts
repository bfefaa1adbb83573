import type { GraphQLAnswer } from './gateway.ts';

/** Asks one service with the operation's own headers. */
export type Ask = (document: string, variables?: unknown) => Promise<GraphQLAnswer>;

/** The two subgraphs, asked without a gateway. */
interface Alone {
  readonly settlement: Ask;
  readonly orders: Ask;
}

interface Expected {
  readonly data: unknown;
  /** The errors of our part, wherever a gateway puts them. */
  readonly errors?: GraphQLAnswer['errors'];
}

export interface FederatedOperation {
  readonly name: string;
  readonly document: string;
  /** What the client sends, by default both of the first demo merchant's credentials; several are sent at once. */
  readonly callers?: readonly Headers[];
  /** What the bank is told to do wrong before. */
  readonly fault?: object;
  /** The answer put together by hand; it asks settlement-graph once, with all that the operation wants of it. */
  readonly alone: (subgraphs: Alone) => Promise<Expected>;
  /** Calls of the bank: behind a gateway as many as alone. */
  readonly calls: number;
  /** Where the errors must stand. */
  readonly errorsAt?: string;
}

type Headers = Readonly<Record<string, string>>;

export const merchant: Headers = { authorization: 'Bearer demo-token', svcprivatekey: 'demo-key' };
const secondMerchant: Headers = { authorization: 'Bearer demo-token-2', svcprivatekey: 'demo-key-2' };

const entitiesDocument = (selection: string) =>
  `query ($references: [_Any!]!) { entities: _entities(representations: $references) { ${selection} } }`;

/** References to records of one type, as a gateway sends them. */
const referencesTo = (typeName: string, ids: readonly string[]) => ({
  references: ids.map((id) => ({ __typename: typeName, id })),
});

export const readEntities = (ask: Ask, typeName: string, ids: readonly string[], selection: string) =>
  ask(entitiesDocument(`... on ${typeName} { ${selection} }`), referencesTo(typeName, ids));

/** A customer whose record is unknown to us: of it the neighbour still knows the id, and nothing else is there. */
const unknownCustomer = { firstName: null };

export const operations: readonly FederatedOperation[] = [
  {
    name: 'a customer of ours and the neighbour’s orders of it',
    document:
      '{ customer(id: "cus_0001") { firstName balance { value { amount currency } } orders { id total { amount currency } } } }',
    calls: 2,
    alone: async ({ settlement, orders }) => {
      const ours = await settlement('{ customer(id: "cus_0001") { firstName balance { value { amount currency } } } }');
      const theirs = await readEntities(orders, 'Customer', ['cus_0001'], 'orders { id total { amount currency } }');
      return { data: { customer: { ...ours.data.customer, ...theirs.data.entities[0] } } };
    },
  },
  {
    name: 'an order of the neighbour’s and our customer with all that costs calls',
    document: `{ order(id: "ord_0002") { item customer {
      firstName balance { value { amount } } transactions(first: 2) { nodes { narration amount { amount } } pageInfo { hasNextPage } }
    } } }`,
    calls: 3,
    alone: async ({ settlement, orders }) => {
      const { data } = await orders('{ order(id: "ord_0002") { item customer { id } } }');
      const selection = `firstName balance { value { amount } }
        transactions(first: 2) { nodes { narration amount { amount } } pageInfo { hasNextPage } }`;
      const ours = await readEntities(settlement, 'Customer', [data.order.customer.id], selection);
      return { data: { order: { item: data.order.item, customer: ours.data.entities[0] } } };
    },
  },
  {
    name: 'a customer and a settlement bank, each by its own credential',
    document: '{ order(id: "ord_0003") { customer { lastName } settledTo { name orderCount } } }',
    calls: 2,
    alone: async ({ settlement, orders }) => {
      const { data } = await orders('{ order(id: "ord_0003") { customer { id } settledTo { id orderCount } } }');
      const { customer, settledTo } = data.order;
      const ours = await settlement(entitiesDocument('... on Customer { lastName } ... on SettlementBank { name }'), {
        references: [
          { __typename: 'Customer', ...customer },
          { __typename: 'SettlementBank', id: settledTo.id },
        ],
      });
      const [person, bank] = ours.data.entities;
      return { data: { order: { customer: person, settledTo: { ...bank, orderCount: settledTo.orderCount } } } };
    },
  },
  {
    name: 'a refused create, with its userErrors',
    document: 'mutation { createCustomer(input: { nin: "1" }) { customer { id } userErrors { code field message } } }',
    calls: 0,
    alone: ({ settlement }) =>
      settlement(
        'mutation { createCustomer(input: { nin: "1" }) { customer { id } userErrors { code field message } } }',
      ),
  },
  {
    name: 'an answer of the service that cannot be read',
    document: '{ order(id: "ord_0001") { item customer { firstName balance { value { amount } } } } }',
    fault: { operation: 'getCustomerBalance', status: 200, body: 'planted' },
    calls: 2,
    errorsAt: 'order.customer',
    alone: async ({ settlement, orders }) => {
      const { data } = await orders('{ order(id: "ord_0001") { item customer { id } } }');
      const ours = await readEntities(
        settlement,
        'Customer',
        [data.order.customer.id],
        'firstName balance { value { amount } }',
      );
      return { data: { order: { item: data.order.item, customer: ours.data.entities[0] } }, errors: ours.errors };
    },
  },
  {
    name: 'a missing credential',
    document: '{ order(id: "ord_0005") { item customer { firstName } settledTo { name } } }',
    callers: [{ authorization: 'Bearer demo-token' }],
    calls: 1,
    errorsAt: 'order.customer',
    alone: async ({ settlement, orders }) => {
      const { data } = await orders('{ order(id: "ord_0005") { item customer { id } settledTo { id } } }');
      const { item, customer, settledTo } = data.order;
      const ours = await settlement(entitiesDocument('... on Customer { firstName } ... on SettlementBank { name }'), {
        references: [
          { __typename: 'Customer', ...customer },
          { __typename: 'SettlementBank', ...settledTo },
        ],
      });
      const [person, bank] = ours.data.entities;
      return { data: { order: { item, customer: person ?? unknownCustomer, settledTo: bank } }, errors: ours.errors };
    },
  },
  {
    name: 'two merchants interleaved, ten requests of each at once',
    document: '{ customers(first: 3) { nodes { email balance { value { amount } } orders { id } } totalCount } }',
    callers: Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? merchant : secondMerchant)),
    calls: 80,
    alone: async ({ settlement, orders }) => {
      const { data } = await settlement(
        '{ customers(first: 3) { nodes { id email balance { value { amount } } } totalCount } }',
      );
      const nodes: readonly { readonly id: string; readonly email: string; readonly balance: unknown }[] =
        data.customers.nodes;
      const theirs = await readEntities(
        orders,
        'Customer',
        nodes.map(({ id }) => id),
        'orders { id }',
      );
      const joined = nodes.map(({ email, balance }, index) => ({ email, balance, ...theirs.data.entities[index] }));
      return { data: { customers: { ...data.customers, nodes: joined } } };
    },
  },
];
