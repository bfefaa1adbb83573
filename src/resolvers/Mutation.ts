import type { Slot, WriteResult } from '../domain.ts';
import type { MutationResolvers } from '../schema.generated.ts';

export const Mutation: MutationResolvers = {
  createSettlementBank: async (_, { input }, { send, operations }, info) =>
    toPayload('settlementBank', await send(operations.storeSettlementBank, input, info)),
  updateSettlementBank: async (_, { input }, { send, operations }, info) =>
    toPayload('settlementBank', await send(operations.updateSettlementBank, input, info)),
  createCustomer: async (_, { input }, { send, operations }, info) =>
    toPayload('customer', await send(operations.createCustomer, input, info)),
  updateCustomer: async (_, { input }, { send, operations }, info) =>
    toPayload('customer', await send(operations.updateCustomer, input, info)),
  createVirtualAccount: async (_, { input }, { send, operations }, info) =>
    toPayload('virtualAccount', await send(operations.createCustomerVirtualAccount, input, info)),
  createOneTimeAccount: async (_, { input }, { send, operations }, info) =>
    toPayload('oneTimeAccount', await send(operations.createCustomerOneTimeAccount, input, info)),
};

function toPayload<Name extends string, Value>(name: Name, { record, userErrors }: WriteResult<Value>) {
  return { [name]: record, userErrors } as {
    // A computed key widens to string; an error in the record's slot is reported there by graphql-js.
    readonly [Key in Name]: Exclude<Slot<Value>, Error> | null;
  } & Pick<WriteResult<Value>, 'userErrors'>;
}
