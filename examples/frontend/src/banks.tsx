import { useQuery } from '@apollo/client/react';
import { CopyButton } from './copy-button.tsx';
import { Failure } from './failure.tsx';
import { graphql } from './gql/index.ts';
import { ListHead } from './list-head.tsx';
import { Loading } from './loading.tsx';
import { More } from './more.tsx';

const BanksDocument = graphql(`
  query Banks($after: String) {
    settlementBanks(first: 20, after: $after) {
      nodes {
        id
        name
        accountName
        accountNumber
        bankSlug
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export function Banks() {
  const { data, error, loading, refetch, fetchMore } = useQuery(BanksDocument);
  const list = data?.settlementBanks;
  return (
    <>
      <title>Settlement banks · Settlement</title>
      <h1>Settlement banks</h1>
      {list == null && loading && <Loading what="settlement banks" rows={6} />}
      {list == null && !loading && <Failure error={error} onRetry={() => void refetch()} />}
      {list != null && list.nodes.length > 0 && <ListHead names={['Bank', 'Account', 'Number']} />}
      <ul className="rows" aria-label="Settlement banks">
        {list?.nodes.map((bank, index) => (
          <li key={bank?.id ?? index}>
            <strong>{bank?.name ?? 'This record cannot be read at the moment.'}</strong>
            <span>
              {bank?.accountName} <span className="fine">{bank?.bankSlug}</span>
            </span>
            {bank?.accountNumber != null && <CopyButton text={bank.accountNumber} />}
          </li>
        ))}
      </ul>
      {list?.pageInfo.hasNextPage === true && (
        <More
          key={list.pageInfo.endCursor}
          label="Show more settlement banks"
          load={() => fetchMore({ variables: { after: list.pageInfo.endCursor }, errorPolicy: 'all' })}
        />
      )}
    </>
  );
}
