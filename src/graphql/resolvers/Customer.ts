import type { CustomerResolvers } from '../schema.generated.ts';
import { readField, referenceResolver, type OperationResolvers } from './operation-resolvers.ts';
import { resolveReference } from './resolve-reference.ts';
import { unwrap } from './unwrap.ts';

export const Customer = {
  __resolveReference: referenceResolver('getCustomer', (reference, context, info, operation) =>
    resolveReference(reference, operation, context, info),
  ),
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
