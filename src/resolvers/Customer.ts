import type { CustomerResolvers } from '../schema.generated.ts';
import { resolveReference } from './reference.ts';
import { valueIn } from './slot.ts';

export const Customer: CustomerResolvers = {
  __resolveReference: (reference, { load, operations }, info) =>
    resolveReference(reference, operations.getCustomer, load, info, operations.customerOwnCalls),
  balance: ({ id, balance }, _, { load, operations }) => valueIn(balance) ?? load(operations.getCustomerBalance, id),
  transactions: ({ id }, { first, after, type }, { list, operations }) =>
    list(operations.listCustomerTransactions, { id, first, after, filter: type }),
  virtualAccounts: ({ id, virtualAccounts }, { first, after }, { list, operations }) =>
    list(operations.listCustomerVirtualAccounts, { id, first, after, embedded: valueIn(virtualAccounts) }),
};
