import type { ValueOrError, WriteResult } from '../../domain/records.ts';
import type { MutationResolvers } from '../schema.generated.ts';
import { writeField, type OperationResolvers } from './operation-resolvers.ts';

export const Mutation = {
  createSettlementBank: writeField('storeSettlementBank', async ({ input }, { send }, info, operation) =>
    toPayload('settlementBank', await send(operation, input, info)),
  ),
  updateSettlementBank: writeField('updateSettlementBank', async ({ input }, { send }, info, operation) =>
    toPayload('settlementBank', await send(operation, input, info)),
  ),
  createCustomer: writeField('createCustomer', async ({ input }, { send }, info, operation) =>
    toPayload('customer', await send(operation, input, info)),
  ),
  updateCustomer: writeField('updateCustomer', async ({ input }, { send }, info, operation) =>
    toPayload('customer', await send(operation, input, info)),
  ),
  createVirtualAccount: writeField('createCustomerVirtualAccount', async ({ input }, { send }, info, operation) =>
    toPayload('virtualAccount', await send(operation, input, info)),
  ),
  createOneTimeAccount: writeField('createCustomerOneTimeAccount', async ({ input }, { send }, info, operation) =>
    toPayload('oneTimeAccount', await send(operation, input, info)),
  ),
} satisfies OperationResolvers<Required<MutationResolvers>>;

function toPayload<Name extends string, Value>(name: Name, { record, userErrors }: WriteResult<Value>) {
  return { [name]: record, userErrors } as {
    // A computed key widens to string; an error in the record's slot is reported there by graphql-js.
    readonly [Key in Name]: Exclude<ValueOrError<Value>, Error> | null;
  } & Pick<WriteResult<Value>, 'userErrors'>;
}
