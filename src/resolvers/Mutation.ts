import type { Slot, WriteResult } from '../domain.ts';
import type { MutationResolvers } from '../schema.generated.ts';

export const Mutation: MutationResolvers = {
  createSettlementBank: async (_, { input }, { send, operations }) =>
    toPayload('settlementBank', await send(operations.storeSettlementBank, input)),
  updateSettlementBank: async (_, { input }, { send, operations }) =>
    toPayload('settlementBank', await send(operations.updateSettlementBank, input)),
  createCustomer: async (_, { input }, { send, operations }) =>
    toPayload('customer', await send(operations.createCustomer, input)),
  updateCustomer: async (_, { input }, { send, operations }) =>
    toPayload('customer', await send(operations.updateCustomer, input)),
  createVirtualAccount: async (_, { input }, { send, operations }) =>
    toPayload('virtualAccount', await send(operations.createCustomerVirtualAccount, input)),
  createOneTimeAccount: async (_, { input }, { send, operations }) =>
    toPayload('oneTimeAccount', await send(operations.createCustomerOneTimeAccount, input)),
};

function toPayload<Name extends string, Value>(name: Name, { record, userErrors }: WriteResult<Value>) {
  return { [name]: record, userErrors } as {
    // A computed key widens to string; an error in the record's slot is reported there by graphql-js.
    readonly [Key in Name]: Exclude<Slot<Value>, Error> | null;
  } & Pick<WriteResult<Value>, 'userErrors'>;
}
