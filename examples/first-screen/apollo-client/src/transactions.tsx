import { useQuery } from '@apollo/client/react';
import { graphql } from './gql';

const TransactionsDocument = graphql(`
  query Transactions($id: ID!, $after: String) {
    customer(id: $id) {
      id
      transactions(first: 20, after: $after) {
        nodes {
          id
          narration
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

const BalanceDocument = graphql(`
  query Balance($id: ID!) {
    customer(id: $id) {
      id
      balance {
        value {
          amount
          currency
        }
      }
    }
  }
`);

export function Transactions({ id }: { id: string }) {
  const { data, fetchMore } = useQuery(TransactionsDocument, { variables: { id }, errorPolicy: 'all' });
  // No polls while the page is hidden.
  const balance = useQuery(BalanceDocument, {
    variables: { id },
    errorPolicy: 'all',
    pollInterval: 10_000,
    skipPollAttempt: () => document.hidden,
  });
  const list = data?.customer?.transactions;
  const after = list?.pageInfo.hasNextPage ? list.pageInfo.endCursor : null;
  return (
    <>
      <output>{balance.data?.customer?.balance?.value.amount}</output>
      <ol>
        {list?.nodes.map((transaction, index) => (
          <li key={index}>{transaction?.narration}</li>
        ))}
      </ol>
      {after && <button onClick={() => void fetchMore({ variables: { after }, errorPolicy: 'all' })}>Show more</button>}
    </>
  );
}
