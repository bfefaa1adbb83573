import type { CustomerResolvers } from '../schema.generated.ts';
import { calls, refers, type Calling } from './operation-resolvers.ts';
import { resolveReference } from './resolve-reference.ts';
import { valueIn } from './unwrap-slot.ts';

export const Customer: Calling<CustomerResolvers> = {
  __resolveReference: refers('getCustomer', (reference, { load }, info, operation) =>
    resolveReference(reference, operation, load, info),
  ),
  balance: calls(
    'getCustomerBalance',
    ({ id, balance }, _, { load }, operation) => valueIn(balance) ?? load(operation, id),
  ),
  transactions: calls('listCustomerTransactions', ({ id }, { first, after, type }, { list }, operation) =>
    list(operation, { id, first, after, filter: type }),
  ),
  virtualAccounts: calls(
    'listCustomerVirtualAccounts',
    ({ id, virtualAccounts }, { first, after }, { list }, operation) =>
      list(operation, { id, first, after, embedded: valueIn(virtualAccounts) }),
  ),
};
