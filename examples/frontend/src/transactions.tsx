import { useQuery } from '@apollo/client/react';
import { Failure } from './failure.tsx';
import { graphql } from './gql/index.ts';
import type { TransactionDirection } from './gql/graphql.ts';
import { Money } from './money.tsx';
import { More } from './more.tsx';

const TransactionsDocument = graphql(`
  query Transactions($id: ID!, $after: String) {
    customer(id: $id) {
      id
      transactions(first: 10, after: $after) {
        totalCount
        nodes {
          id
          narration
          direction
          createdAt
          amount {
            amount
            currency
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

const directions: Readonly<Record<TransactionDirection, string>> = { CREDIT: 'in', DEBIT: 'out', UNKNOWN: 'not told' };
const moments = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

export function Transactions({ id }: { readonly id: string }) {
  const { data, error, refetch, fetchMore } = useQuery(TransactionsDocument, { variables: { id } });
  const list = data?.customer?.transactions;
  return (
    <section aria-labelledby="transactions">
      <h2 id="transactions">Transactions</h2>
      {list == null && error !== undefined && <Failure error={error} onRetry={() => void refetch()} />}
      {list == null && error === undefined && <p role="status">Loading transactions …</p>}
      {list != null && (
        <>
          <p role="status" className="fine">
            {list.nodes.length} of {list.totalCount ?? 'more'}
          </p>
          <table>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">What</th>
                <th scope="col">Direction</th>
                <th scope="col" className="number">
                  Amount
                </th>
              </tr>
            </thead>
            <tbody>
              {list.nodes.map((transaction, index) =>
                transaction === null ? (
                  <tr key={index}>
                    <td colSpan={4}>This record cannot be read at the moment.</td>
                  </tr>
                ) : (
                  <tr key={transaction.id}>
                    <td>{transaction.createdAt !== null && moments.format(new Date(transaction.createdAt))}</td>
                    <td>{transaction.narration}</td>
                    <td>{directions[transaction.direction]}</td>
                    <td className="number">
                      <Money money={transaction.amount} />
                    </td>
                  </tr>
                ),
              )}
            </tbody>
          </table>
          {list.pageInfo.hasNextPage && (
            <More
              key={list.pageInfo.endCursor}
              label="Show more transactions"
              load={() => fetchMore({ variables: { after: list.pageInfo.endCursor } })}
            />
          )}
        </>
      )}
    </section>
  );
}
