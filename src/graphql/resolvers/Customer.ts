import { GatewayError } from '../../domain/errors.ts';
import type { ValueOrError } from '../../domain/records.ts';
import type { CustomerResolvers } from '../schema.generated.ts';
import { readField, referenceResolver, type OperationResolvers } from './operation-resolvers.ts';
import { resolveReference } from './resolve-reference.ts';

export const Customer = {
  __resolveReference: referenceResolver('getCustomer', resolveReference),
  balance: readField(
    'getCustomerBalance',
    (customer, _, { load }, operation) => unwrap(customer.balance) ?? load(operation, customer),
  ),
  transactions: readField('listCustomerTransactions', (customer, args, { list }, operation) =>
    list(operation, { parent: customer, first: args.first, after: args.after, filters: args }),
  ),
  virtualAccounts: readField('listCustomerVirtualAccounts', (customer, args, { list }, operation) =>
    list(operation, {
      parent: customer,
      first: args.first,
      after: args.after,
      filters: args,
      embedded: unwrap(customer.virtualAccounts),
    }),
  ),
} satisfies OperationResolvers<CustomerResolvers>;

/** Returns the value, or throws the error in its place. */
function unwrap<Value>(value: ValueOrError<Value>): Value {
  if (value instanceof GatewayError) throw value;
  return value;
}
