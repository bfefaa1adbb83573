import { formatMoney, type MoneyValue } from 'settlement-graph/client';
import type { TransactionDirection } from './gql/graphql.ts';

interface MoneyProps {
  readonly money: MoneyValue;
  /** Of a transaction, whose amount is never negative: the direction carries the sign. */
  readonly direction?: TransactionDirection;
}

const signs: Readonly<Record<TransactionDirection, string>> = { CREDIT: '', DEBIT: '-', UNKNOWN: '' };

/** An amount exactly as it was given: never a number of JavaScript's on the way. */
export function Money({ money, direction }: MoneyProps) {
  const signed = direction === undefined ? money : { ...money, amount: `${signs[direction]}${money.amount}` };
  const isMovement = direction === 'CREDIT' || direction === 'DEBIT';
  return (
    <span className={`money ${direction?.toLowerCase() ?? ''}`}>
      {formatMoney(signed, document.documentElement.lang, isMovement ? 'always' : 'auto')}
    </span>
  );
}
