import { useQuery } from '@apollo/client/react';
import { Failure } from './failure.tsx';
import { graphql } from './gql/index.ts';
import { More } from './more.tsx';

const AccountsDocument = graphql(`
  query Accounts($id: ID!, $after: String) {
    customer(id: $id) {
      id
      virtualAccounts(first: 10, after: $after) {
        nodes {
          id
          accountNumber
          accountName
          bankName
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

export function Accounts({ id }: { readonly id: string }) {
  const { data, error, refetch, fetchMore } = useQuery(AccountsDocument, { variables: { id } });
  const list = data?.customer?.virtualAccounts;
  return (
    <section aria-labelledby="accounts">
      <h2 id="accounts">Accounts to pay into</h2>
      {list == null && error !== undefined && <Failure error={error} onRetry={() => void refetch()} />}
      {list == null && error === undefined && <p role="status">Loading accounts …</p>}
      {list != null && list.nodes.length === 0 && <p>There are none yet.</p>}
      {list != null && (
        <ul className="rows" aria-label="Accounts">
          {list.nodes.map((account, index) => (
            <li key={account?.id ?? index}>
              {account === null ? (
                <span>This record cannot be read at the moment.</span>
              ) : (
                <>
                  <strong className="money">{account.accountNumber}</strong>
                  <span>{account.accountName}</span>
                  <span className="fine">{account.bankName}</span>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {list?.pageInfo.hasNextPage === true && (
        <More
          key={list.pageInfo.endCursor}
          label="Show more accounts"
          load={() => fetchMore({ variables: { after: list.pageInfo.endCursor } })}
        />
      )}
    </section>
  );
}
