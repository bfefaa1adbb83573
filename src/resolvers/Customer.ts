import type { CustomerResolvers } from '../schema.generated.ts';
import { resolveReference } from './reference.ts';

/** Fields that need no more of a customer than its id. */
const ownCalls: ReadonlySet<string> = new Set(['balance', 'transactions', 'virtualAccounts']);

export const Customer: CustomerResolvers = {
  __resolveReference: (reference, { load, operations }, info) =>
    resolveReference(reference, operations.getCustomer, load, info, ownCalls),
  balance: ({ id }, _, { load, operations }) => load(operations.getCustomerBalance, id),
  transactions: ({ id }, { first, after, type }, { list, operations }) =>
    list(operations.listCustomerTransactions, { id, first, after, filter: type }),
  virtualAccounts: ({ id }, { first, after }, { list, operations }) =>
    list(operations.listCustomerVirtualAccounts, { id, first, after }),
};
