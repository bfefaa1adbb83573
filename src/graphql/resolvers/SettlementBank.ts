import type { SettlementBankResolvers } from '../schema.generated.ts';
import { refers, type Calling } from './operation-resolvers.ts';
import { resolveReference } from './resolve-reference.ts';

export const SettlementBank: Calling<SettlementBankResolvers> = {
  __resolveReference: refers('getSettlementBank', (reference, { load }, info, operation) =>
    resolveReference(reference, operation, load, info),
  ),
};
