import { useQuery } from '@apollo/client/react';
import { Failure } from './failure.tsx';
import { graphql } from './gql/index.ts';
import { Loading } from './loading.tsx';
import { Money } from './money.tsx';

export const BalanceDocument = graphql(`
  query Balance($id: ID!) {
    customer(id: $id) {
      id
      balance {
        value {
          amount
          currency
        }
        available {
          amount
          currency
        }
      }
    }
  }
`);

export function Balance({ id }: { readonly id: string }) {
  // A balance is of one moment: it is asked for whenever it is shown.
  const options = { variables: { id }, fetchPolicy: 'cache-and-network' } as const;
  const { data, error, loading, refetch } = useQuery(BalanceDocument, options);
  const balance = data?.customer?.balance;
  return (
    <section aria-labelledby="balance" aria-busy={loading} className="balances">
      <h2 id="balance">Balance</h2>
      {error !== undefined && <Failure error={error} onRetry={() => void refetch()} />}
      {error === undefined && balance == null && loading && <Loading what="the balance" />}
      {error === undefined && balance == null && !loading && <Failure onRetry={() => void refetch()} />}
      {error === undefined && balance != null && (
        <>
          <p className="balance" role="status">
            <Money money={balance.value} />
            {balance.available !== null && (
              <span className="fine">
                of it available: <Money money={balance.available} />
              </span>
            )}
          </p>
          <button type="button" className="quiet" disabled={loading} onClick={() => void refetch()}>
            Refresh balance
          </button>
        </>
      )}
    </section>
  );
}
