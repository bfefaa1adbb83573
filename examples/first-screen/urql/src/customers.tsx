import { useState } from 'react';
import { formatMoney } from 'settlement-graph-client';
import { useQuery } from 'urql';
import { CustomersDocument } from './customers-document';
import { Failure } from './failure';

export function Customers() {
  const [after, setAfter] = useState<string | null>(null);
  const [{ data, error, fetching }, refetch] = useQuery({ query: CustomersDocument, variables: { after } });
  const list = data?.customers;
  // A page that failed has no total: the one before stays.
  const [total, setTotal] = useState<number | null>(null);
  if (list?.totalCount != null && list.totalCount !== total) setTotal(list.totalCount);
  const retry = () => refetch({ requestPolicy: 'network-only' });
  if (!list && fetching) return <p role="status">Loading …</p>;
  if (!list) return <Failure error={error} onRetry={retry} />;
  return (
    <>
      <h1>
        {list.nodes.length} of {total} customers
      </h1>
      <ul>
        {list.nodes.map((customer, index) => (
          <li key={customer?.id ?? index}>
            {customer?.firstName} {customer?.lastName}:{' '}
            {customer?.balance ? formatMoney(customer.balance.value, navigator.language) : 'balance not loaded'}
          </li>
        ))}
      </ul>
      {error && <Failure error={error} onRetry={retry} />}
      {list.pageInfo.hasNextPage && (
        <button disabled={fetching} onClick={() => setAfter(list.pageInfo.endCursor)}>
          Show more
        </button>
      )}
    </>
  );
}
