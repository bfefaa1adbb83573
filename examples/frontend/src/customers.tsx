import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { Failure } from './failure.tsx';
import { graphql } from './gql/index.ts';
import { More } from './more.tsx';
import { hrefs } from './route.ts';
import { useSettled } from './settled.ts';

const CustomersDocument = graphql(`
  query Customers($after: String, $search: String) {
    customers(first: 20, after: $after, search: $search) {
      totalCount
      nodes {
        id
        firstName
        lastName
        email
        reference
        status
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export function Customers() {
  const [typed, setTyped] = useState('');
  const search = useSettled(typed.trim(), 250);
  return (
    <>
      <title>Customers · Settlement</title>
      <h1>Customers</h1>
      <search>
        <label htmlFor="search">Search by name, e-mail or reference</label>
        <input id="search" type="search" value={typed} onChange={(event) => setTyped(event.target.value)} />
      </search>
      <CustomerList key={search} search={search} />
    </>
  );
}

function CustomerList({ search }: { readonly search: string }) {
  const variables = search === '' ? {} : { search };
  const { data, error, loading, refetch, fetchMore } = useQuery(CustomersDocument, { variables });
  const list = data?.customers;
  if (list == null && error !== undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  if (list == null) return <p role="status">{loading ? 'Loading customers …' : 'There is no answer.'}</p>;
  const { nodes, pageInfo, totalCount } = list;
  const { hasNextPage, endCursor } = pageInfo;
  return (
    <>
      <p role="status" className="fine">
        {nodes.length === 0 ? 'No customers match.' : `${nodes.length} of ${totalCount ?? 'more'} customers`}
      </p>
      <ul className="rows" aria-label="Customers">
        {nodes.map((customer, index) => (
          <li key={customer?.id ?? index}>
            {customer === null ? (
              <span>This record cannot be read at the moment.</span>
            ) : (
              <a href={hrefs.customer(customer.id)}>
                <strong>
                  {customer.firstName} {customer.lastName}
                </strong>
                <span>{customer.email}</span>
                <span className="fine">{customer.reference}</span>
              </a>
            )}
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <More
          key={endCursor}
          label="Show more customers"
          isAutomatic
          load={() => fetchMore({ variables: { after: endCursor } })}
        />
      )}
    </>
  );
}
