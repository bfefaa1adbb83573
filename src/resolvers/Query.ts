import type { QueryResolvers } from '../schema.generated.ts';

export const Query: QueryResolvers = {
  settlementBank: (_, { id }, { load, operations }) => load(operations.getSettlementBank, id),
  settlementBanks: (_, { first, after, search }, { list, operations }) =>
    list(operations.listSettlementBanks, { first, after, filter: search }),
  customer: (_, { id }, { load, operations }) => load(operations.getCustomer, id),
  customers: (_, { first, after, search }, { list, operations }) =>
    list(operations.listCustomers, { first, after, filter: search }),
};
