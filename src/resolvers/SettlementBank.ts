import type { SettlementBankResolvers } from '../schema.generated.ts';
import { resolveReference } from './reference.ts';

export const SettlementBank: SettlementBankResolvers = {
  __resolveReference: (reference, { load, operations }, info) =>
    resolveReference(reference, operations.getSettlementBank, load, info),
};
