import { createAccountOperations } from './accounts.ts';
import type { Contract } from '../contract/contract.ts';
import { createCustomerOperations } from './customers.ts';
import { createSettlementBankOperations } from './settlement-banks.ts';

export type Operations = ReturnType<typeof createOperations>;

/** All thirteen operations of the service, compiled from the contract once at start. */
export function createOperations(contract: Contract) {
  return {
    ...createSettlementBankOperations(contract),
    ...createCustomerOperations(contract),
    ...createAccountOperations(contract),
  };
}
