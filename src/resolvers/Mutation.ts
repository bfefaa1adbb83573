import type { Slot, WriteResult } from '../domain.ts';
import type { MutationResolvers } from '../schema.generated.ts';
import { calls, type Calling } from './calls.ts';

export const Mutation: Calling<Required<MutationResolvers>> = {
  createSettlementBank: calls('storeSettlementBank', async (_, { input }, { send }, operation, info) =>
    toPayload('settlementBank', await send(operation, input, info)),
  ),
  updateSettlementBank: calls('updateSettlementBank', async (_, { input }, { send }, operation, info) =>
    toPayload('settlementBank', await send(operation, input, info)),
  ),
  createCustomer: calls('createCustomer', async (_, { input }, { send }, operation, info) =>
    toPayload('customer', await send(operation, input, info)),
  ),
  updateCustomer: calls('updateCustomer', async (_, { input }, { send }, operation, info) =>
    toPayload('customer', await send(operation, input, info)),
  ),
  createVirtualAccount: calls('createCustomerVirtualAccount', async (_, { input }, { send }, operation, info) =>
    toPayload('virtualAccount', await send(operation, input, info)),
  ),
  createOneTimeAccount: calls('createCustomerOneTimeAccount', async (_, { input }, { send }, operation, info) =>
    toPayload('oneTimeAccount', await send(operation, input, info)),
  ),
};

function toPayload<Name extends string, Value>(name: Name, { record, userErrors }: WriteResult<Value>) {
  return { [name]: record, userErrors } as {
    // A computed key widens to string; an error in the record's slot is reported there by graphql-js.
    readonly [Key in Name]: Exclude<Slot<Value>, Error> | null;
  } & Pick<WriteResult<Value>, 'userErrors'>;
}
