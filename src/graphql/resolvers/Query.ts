import type { QueryResolvers } from '../schema.generated.ts';
import { calls, type Calling } from './operation-resolvers.ts';

export const Query: Calling<Required<QueryResolvers>> = {
  settlementBank: calls('getSettlementBank', (_, { id }, { load }, operation) => load(operation, id)),
  settlementBanks: calls('listSettlementBanks', (_, { first, after, search }, { list }, operation) =>
    list(operation, { first, after, filter: search }),
  ),
  customer: calls('getCustomer', (_, { id }, { load }, operation) => load(operation, id)),
  customers: calls('listCustomers', (_, { first, after, search }, { list }, operation) =>
    list(operation, { first, after, filter: search }),
  ),
};
