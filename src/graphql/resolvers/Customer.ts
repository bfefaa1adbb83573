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
    ({ id, balance }, _, { load }, operation) => unwrap(balance) ?? load(operation, id),
  ),
  transactions: readField('listCustomerTransactions', ({ id }, args, { list }, operation) =>
    list(operation, { id, first: args.first, after: args.after, filters: args }),
  ),
  virtualAccounts: readField('listCustomerVirtualAccounts', ({ id, virtualAccounts }, args, { list }, operation) =>
    list(operation, { id, first: args.first, after: args.after, filters: args, embedded: unwrap(virtualAccounts) }),
  ),
} satisfies OperationResolvers<CustomerResolvers>;
