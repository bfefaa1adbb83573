import type { QueryResolvers } from '../schema.generated.ts';
import { readField, type OperationResolvers } from './operation-resolvers.ts';
import { readEntity } from './read-entity.ts';

export const Query = {
  settlementBank: readField('getSettlementBank', (_, { id }, context, operation, info) =>
    readEntity(operation, id, context, info),
  ),
  settlementBanks: readField('listSettlementBanks', (_, args, { list }, operation) =>
    list(operation, { first: args.first, after: args.after, filters: args }),
  ),
  customer: readField('getCustomer', (_, { id }, context, operation, info) => readEntity(operation, id, context, info)),
  customers: readField('listCustomers', (_, args, { list }, operation) =>
    list(operation, { first: args.first, after: args.after, filters: args }),
  ),
} satisfies OperationResolvers<Required<QueryResolvers>>;
