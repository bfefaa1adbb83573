import { useQuery } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { Failure } from './failure.tsx';
import { graphql } from './gql/index.ts';
import { ListHead } from './list-head.tsx';
import { Loading } from './loading.tsx';
import { Money } from './money.tsx';
import { More } from './more.tsx';
import { hrefs, routeOf, subscribe } from './route.ts';
import { useSettled } from './settled.ts';

/** One query: the page, and a balance for each of its customers. */
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
        balance {
          value {
            amount
            currency
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

interface CustomersProps {
  readonly initialSearch: string;
  /** Called with the address of the list that is shown. */
  readonly onShow: (href: string) => void;
}

export function Customers({ initialSearch, onShow }: CustomersProps) {
  const [typed, setTyped] = useState(initialSearch);
  const search = useSettled(typed.trim(), 250);
  // The address keeps the search for the way back from a customer.
  useEffect(() => {
    const href = hrefs.search(search);
    window.history.replaceState(null, '', href);
    onShow(href);
  }, [search]);
  // A link may lead from one search to another, or to the whole list.
  useEffect(
    () =>
      subscribe(() => {
        const route = routeOf(window.location.hash);
        if (route.page === 'customers') setTyped(route.search);
      }),
    [],
  );
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
  const retry = () => void refetch();
  if (list == null && loading) return <Loading what="customers" rows={12} />;
  if (list == null) return <Failure error={error} onRetry={retry} />;
  const { nodes, pageInfo, totalCount } = list;
  const { hasNextPage, endCursor } = pageInfo;
  return (
    <>
      {error !== undefined && <Failure what="Not everything could be loaded." error={error} onRetry={retry} />}
      <p role="status" className="fine">
        {nodes.length === 0 ? 'No customers match.' : `${nodes.length} of ${totalCount ?? 'more'} customers`}
      </p>
      {nodes.length > 0 && <ListHead names={['Customer', 'Reference', 'Status', 'Balance']} />}
      <ul className="rows customers" aria-label="Customers">
        {nodes.map((customer, index) => (
          <li key={customer?.id ?? index}>
            {customer === null ? (
              <span>This record cannot be read at the moment.</span>
            ) : (
              <a href={hrefs.customer(customer.id)}>
                <span>
                  <strong>
                    {customer.firstName} {customer.lastName}
                  </strong>{' '}
                  <span className="fine">{customer.email}</span>
                </span>
                <span className="fine">{customer.reference}</span>
                <span className="badge">{customer.status ?? 'unknown'}</span>
                <span className="number">
                  {customer.balance === null ? 'not loaded' : <Money money={customer.balance.value} />}
                </span>
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
          load={() => fetchMore({ variables: { after: endCursor }, errorPolicy: 'all' })}
        />
      )}
    </>
  );
}
