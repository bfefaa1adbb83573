import { useQuery } from '@apollo/client/react';
import { BalanceDocument } from './balance.tsx';
import type { TransactionDirection } from './gql/graphql.ts';

interface Movement {
  readonly amount: { readonly amount: string };
  readonly direction: TransactionDirection;
}

interface BalanceCurveProps {
  readonly id: string;
  /** All of them, oldest first. */
  readonly transactions: readonly Movement[];
}

const width = 600;
const height = 90;

/** The balance after each transaction, back from the present one. A picture: numbers of JavaScript's are exact enough. */
export function BalanceCurve({ id, transactions }: BalanceCurveProps) {
  const { data } = useQuery(BalanceDocument, { variables: { id }, fetchPolicy: 'cache-only' });
  const value = data?.customer?.balance?.value;
  const isUnsigned = transactions.some(({ direction }) => direction === 'UNKNOWN');
  if (value === undefined || isUnsigned || transactions.length < 2) return null;
  const changes = transactions.map(({ amount, direction }) => Number(amount.amount) * (direction === 'DEBIT' ? -1 : 1));
  let balance = Number(value.amount) - changes.reduce((sum, change) => sum + change, 0);
  const balances = [balance, ...changes.map((change) => (balance += change))];
  const [low, high] = [Math.min(0, ...balances), Math.max(...balances)];
  const x = (index: number) => (index / (balances.length - 1)) * width;
  const y = (amount: number) => height - ((amount - low) / (high - low || 1)) * height;
  const line = balances.map((amount, index) => `${x(index).toFixed(1)},${y(amount).toFixed(1)}`).join(' L');
  return (
    <svg
      className="curve"
      viewBox={`0 -2 ${width} ${height + 4}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`The balance over ${transactions.length} transactions`}
    >
      <path className="area" d={`M0,${height} L${line} L${width},${height}Z`} />
      <path className="line" d={`M${line}`} />
    </svg>
  );
}
