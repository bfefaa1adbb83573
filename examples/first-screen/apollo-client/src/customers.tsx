import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { formatMoney } from 'settlement-graph-client';
import { CustomersDocument } from './customers-document';
import { Failure } from './failure';

export function Customers() {
  // A field that failed is null beside those that did not: show what there is.
  const { data, error, loading, fetchMore, refetch } = useQuery(CustomersDocument, { errorPolicy: 'all' });
  const [pageError, setPageError] = useState<unknown>();
  const list = data?.customers;
  if (!list && loading) return <p role="status">Loading …</p>;
  // Null without an error: it failed before, and was read again from the cache.
  if (!list) return <Failure error={error} onRetry={() => void refetch()} />;
  const { nodes, pageInfo, totalCount } = list;
  const more = async () => {
    const next = await fetchMore({ variables: { after: pageInfo.endCursor }, errorPolicy: 'all' }).catch((error) => ({
      error,
    }));
    setPageError(next.error);
  };
  return (
    <>
      <h1>
        {nodes.length} of {totalCount} customers
      </h1>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      <ul>
        {nodes.map((customer, index) => (
          <li key={customer?.id ?? index}>
            {customer?.firstName} {customer?.lastName}:{' '}
            {customer?.balance ? formatMoney(customer.balance.value, navigator.language) : 'balance not loaded'}
          </li>
        ))}
      </ul>
      {pageError ? <Failure error={pageError} onRetry={() => void more()} /> : null}
      {pageInfo.hasNextPage && <button onClick={() => void more()}>Show more</button>}
    </>
  );
}
