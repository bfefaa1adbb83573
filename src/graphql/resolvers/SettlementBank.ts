import type { SettlementBankResolvers } from '../schema.generated.ts';
import { referenceResolver, type OperationResolvers } from './operation-resolvers.ts';
import { resolveReference } from './resolve-reference.ts';

export const SettlementBank = {
  __resolveReference: referenceResolver('getSettlementBank', resolveReference),
} satisfies OperationResolvers<SettlementBankResolvers>;
