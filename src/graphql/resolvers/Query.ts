import type { QueryResolvers } from '../schema.generated.ts';
import { readField, type OperationResolvers } from './operation-resolvers.ts';

export const Query = {
  settlementBank: readField('getSettlementBank', (_, { id }, { load }, operation) => load(operation, id)),
  settlementBanks: readField('listSettlementBanks', (_, { first, after, search }, { list }, operation) =>
    list(operation, { first, after, filter: search }),
  ),
  customer: readField('getCustomer', (_, { id }, { load }, operation) => load(operation, id)),
  customers: readField('listCustomers', (_, { first, after, search }, { list }, operation) =>
    list(operation, { first, after, filter: search }),
  ),
} satisfies OperationResolvers<Required<QueryResolvers>>;
