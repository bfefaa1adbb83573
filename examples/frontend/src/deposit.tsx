import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { BalanceDocument } from './balance.tsx';
import { TransactionsDocument } from './transactions.tsx';

interface DepositProps {
  readonly id: string;
  readonly accountNumber: string;
  /** The one amount that the account takes. */
  readonly amount?: string | undefined;
}

/** Demo: the embedded bank plays a payer. In production money comes from outside, and this component goes. */
export function Deposit({ id, accountNumber, amount = '2500.00' }: DepositProps) {
  const client = useApolloClient();
  const [said, setSaid] = useState('');
  const deposit = async () => {
    const body = JSON.stringify({ accountNumber, amount, narration: 'Demo deposit' });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch('/demo/deposits', { method: 'POST', headers, body }).catch(() => undefined);
    setSaid(response?.ok === true ? 'The money has arrived.' : 'The bank did not take it.');
    await Promise.all([
      client.query({ query: BalanceDocument, variables: { id }, fetchPolicy: 'network-only' }),
      // The list begins with its newest transaction.
      client.refetchQueries({ include: [TransactionsDocument] }),
    ]);
  };
  return (
    <div className="guide" role="group" aria-label="Try a deposit">
      <p>
        The account <code>{accountNumber}</code> is open. Pay into it as a customer’s payer would:
      </p>
      <button type="button" onClick={() => void deposit()}>
        Deposit {amount}
      </button>
      <p role="status">{said}</p>
    </div>
  );
}
