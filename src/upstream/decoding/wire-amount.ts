import { requireMoneyDecisions, type Contract, type OperationName, type UnitRow } from '../../contract/contract.ts';
import { fromAmount } from '../../contract/money.ts';
import { GatewayError } from '../../domain/errors.ts';

/** A client's amount as text in the service's unit. Throws CONTRACT_UNDECIDED, and BAD_USER_INPUT for too many decimals. */
export function toWireAmount(contract: Contract, operation: OperationName, row: UnitRow, amount: string): string {
  const { unit, currency, places } = requireMoneyDecisions(contract, row, operation);
  const fraction = amount.split('.')[1] ?? '';
  if (fraction.length > places) {
    const message = `An amount in ${currency} has at most ${places} decimals.`;
    throw new GatewayError('BAD_USER_INPUT', { operation }, { message });
  }
  return fromAmount(amount, unit, places);
}
