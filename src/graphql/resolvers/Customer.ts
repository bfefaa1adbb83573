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
  transactions: readField('listCustomerTransactions', ({ id }, { first, after, type }, { list }, operation) =>
    list(operation, { id, first, after, filter: type }),
  ),
  virtualAccounts: readField(
    'listCustomerVirtualAccounts',
    ({ id, virtualAccounts }, { first, after }, { list }, operation) =>
      list(operation, { id, first, after, embedded: unwrap(virtualAccounts) }),
  ),
} satisfies OperationResolvers<CustomerResolvers>;
