/** The part of the graph that the questions need, and resolvers that a team would write for it over `get(path)`. */
export const typeDefs = `#graphql
  type Money { amount: String! currency: String! }
  type Balance { value: Money! }
  type PageInfo { hasNextPage: Boolean! }
  type Transaction { id: ID! narration: String type: String direction: String! amount: Money! createdAt: String }
  type TransactionConnection { nodes: [Transaction!]! totalCount: Int }
  type VirtualAccount { id: ID! accountNumber: String accountName: String bankName: String status: String }
  type VirtualAccountConnection { nodes: [VirtualAccount!]! }
  type Customer {
    id: ID!
    firstName: String
    lastName: String
    email: String
    phone: String
    status: String
    createdAt: String
    balance: Balance
    transactions(first: Int!): TransactionConnection
    virtualAccounts(first: Int!): VirtualAccountConnection
  }
  type CustomerConnection { nodes: [Customer!]! totalCount: Int pageInfo: PageInfo! }
  type SettlementBank {
    id: ID!
    name: String
    accountNumber: String
    accountName: String
    bankCode: String
    bankSlug: String
    createdAt: String
    updatedAt: String
  }
  type SettlementBankConnection { nodes: [SettlementBank!]! totalCount: Int pageInfo: PageInfo! }
  type Query {
    customer(id: ID!): Customer
    customers(first: Int!): CustomerConnection
    settlementBanks(first: Int!): SettlementBankConnection
  }
`;

function toMoney(amount) {
  const [whole, fraction = ''] = String(amount).split('.');
  return { amount: `${whole}.${fraction.padEnd(2, '0')}`, currency: 'NGN' };
}

function toTime(text) {
  return text === null || text === undefined ? null : new Date(text).toISOString();
}

function toConnection({ data, total, current_page, last_page }) {
  return { nodes: data, totalCount: total, pageInfo: { hasNextPage: current_page < last_page } };
}

const directions = { credit: 'CREDIT', debit: 'DEBIT' };
const customerPath = (id) => `/customers/${encodeURIComponent(id)}`;
const page = (first) => `page=1&per_page=${first}`;

/** `get` of the context takes a path and answers with what the envelope holds. */
export const resolvers = {
  Query: {
    customer: (_, { id }, { get }) => get(customerPath(id)),
    customers: async (_, { first }, { get }) => toConnection(await get(`/customers/?${page(first)}`)),
    settlementBanks: async (_, { first }, { get }) => toConnection(await get(`/settlement-banks/?${page(first)}`)),
  },
  Customer: {
    firstName: ({ first_name }) => first_name,
    lastName: ({ last_name }) => last_name,
    createdAt: ({ created_at }) => toTime(created_at),
    balance: async ({ id }, _, { get }) => ({ value: toMoney((await get(`${customerPath(id)}/balance`)).balance) }),
    transactions: async ({ id }, { first }, { get }) =>
      toConnection(await get(`${customerPath(id)}/transactions?${page(first)}`)),
    virtualAccounts: async ({ id }, { first }, { get }) =>
      toConnection(await get(`${customerPath(id)}/virtual-accounts?${page(first)}`)),
  },
  Transaction: {
    direction: ({ type }) => directions[type] ?? 'UNKNOWN',
    amount: ({ amount }) => toMoney(amount),
    createdAt: ({ created_at }) => toTime(created_at),
  },
  VirtualAccount: {
    accountNumber: ({ account_number }) => account_number,
    accountName: ({ account_name }) => account_name,
    bankName: ({ bank_name }) => bank_name,
  },
  SettlementBank: {
    accountNumber: ({ account_no }) => account_no,
    accountName: ({ account_name }) => account_name,
    bankCode: ({ bank_code }) => bank_code,
    bankSlug: ({ bank_slug }) => bank_slug,
    createdAt: ({ created_at }) => toTime(created_at),
    updatedAt: ({ updated_at }) => toTime(updated_at),
  },
};

/** The caller's credentials, as the service takes them. */
export function forwarded(headers) {
  return { authorization: headers.authorization ?? '', SVCPRIVATEKEY: headers.svcprivatekey ?? '' };
}

/** What the service's envelope holds. */
export function dataOf({ success, data }) {
  if (!success) throw new Error('the service has failed');
  return data;
}
