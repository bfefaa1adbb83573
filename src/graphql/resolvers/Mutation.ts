import type { MutationResolvers } from '../schema.generated.ts';
import { writeField, type OperationResolvers } from './operation-resolvers.ts';

export const Mutation = {
  createSettlementBank: writeField('storeSettlementBank', 'settlementBank'),
  updateSettlementBank: writeField('updateSettlementBank', 'settlementBank'),
  createCustomer: writeField('createCustomer', 'customer'),
  updateCustomer: writeField('updateCustomer', 'customer'),
  createVirtualAccount: writeField('createCustomerVirtualAccount', 'virtualAccount'),
  createOneTimeAccount: writeField('createCustomerOneTimeAccount', 'oneTimeAccount'),
} satisfies OperationResolvers<Required<MutationResolvers>>;
