import { useInfiniteQuery } from '@tanstack/react-query';
import { formatMoney } from 'settlement-graph-client';
import { ask } from './ask';
import { CustomersDocument } from './customers-document';
import { Failure } from './failure';

export function Customers() {
  const { data, error, isPending, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ['customers'],
    queryFn: async ({ pageParam }) => {
      const { data, error } = await ask(CustomersDocument, { after: pageParam });
      // A list that failed is null: the pages before it stay.
      if (!data.customers) throw error;
      return { ...data.customers, error };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : undefined),
  });
  if (isPending) return <p role="status">Loading …</p>;
  if (!data) return <Failure error={error} onRetry={() => void refetch()} />;
  const nodes = data.pages.flatMap(({ nodes }) => nodes);
  const fieldError = data.pages.find(({ error }) => error)?.error;
  return (
    <>
      <h1>
        {nodes.length} of {data.pages[0].totalCount} customers
      </h1>
      {fieldError && <Failure error={fieldError} onRetry={() => void refetch()} />}
      <ul>
        {nodes.map((customer, index) => (
          <li key={customer?.id ?? index}>
            {customer?.firstName} {customer?.lastName}:{' '}
            {customer?.balance ? formatMoney(customer.balance.value, navigator.language) : 'balance not loaded'}
          </li>
        ))}
      </ul>
      {error && <Failure error={error} onRetry={() => void fetchNextPage()} />}
      {hasNextPage && <button onClick={() => void fetchNextPage()}>Show more</button>}
    </>
  );
}
