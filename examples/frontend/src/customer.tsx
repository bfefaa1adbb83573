import { useQuery } from '@apollo/client/react';
import { Accounts } from './accounts.tsx';
import { Balance } from './balance.tsx';
import { Failure } from './failure.tsx';
import { graphql } from './gql/index.ts';
import { Loading } from './loading.tsx';
import { OneTimeAccount } from './one-time-account.tsx';
import { hrefs, type Filters } from './route.ts';
import { Transactions } from './transactions.tsx';

const CustomerDocument = graphql(`
  query Customer($id: ID!) {
    customer(id: $id) {
      id
      firstName
      lastName
      email
      phone
      dateOfBirth
      reference
      status
    }
  }
`);

/** The record is asked for whenever it is shown: a null in the cache may be a failure of before. */
export function useCustomer(id: string) {
  return useQuery(CustomerDocument, { variables: { id }, fetchPolicy: 'cache-and-network' });
}

interface CustomerProps {
  readonly id: string;
  readonly filters: Filters;
  readonly merchant: string;
  /** The list as it was shown last, with its search. */
  readonly listHref: string;
  /** Whether this person has just changed it. */
  readonly isSaved: boolean;
}

/** Each part asks for itself: one that is slow or fails leaves the others alone. */
export function Customer({ id, filters, merchant, listHref, isSaved }: CustomerProps) {
  const { data, error, loading, refetch } = useCustomer(id);
  const customer = data?.customer;
  if (customer == null && loading) return <Loading what="the customer" rows={5} />;
  if (customer == null && error !== undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  if (customer == null) return <NoSuchCustomer />;
  const name = `${customer.firstName ?? ''} ${customer.lastName ?? ''}`.trim();
  return (
    <>
      <title>{`${name} · Settlement`}</title>
      <p>
        <a href={listHref}>← Customers</a>
      </p>
      <h1>{name}</h1>
      {isSaved && (
        <p role="status" className="saved">
          Saved
        </p>
      )}
      {error !== undefined && <Failure error={error} onRetry={() => void refetch()} />}
      <dl className="facts">
        <Fact name="Reference" value={customer.reference} />
        <Fact name="E-mail" value={customer.email} />
        <Fact name="Phone" value={customer.phone} />
        <Fact name="Date of birth" value={customer.dateOfBirth} />
        <Fact name="Status" value={customer.status} />
      </dl>
      <p>
        <a href={hrefs.edit(customer.id)}>Edit customer</a>
      </p>
      <Balance id={customer.id} />
      <Accounts id={customer.id} merchant={merchant} />
      <OneTimeAccount id={customer.id} merchant={merchant} />
      <Transactions id={customer.id} filters={filters} />
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string | null }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value ?? '–'}</dd>
    </div>
  );
}

export function NoSuchCustomer() {
  return (
    <>
      <title>No such customer · Settlement</title>
      <h1>There is no such customer</h1>
      <p>
        <a href={hrefs.customers}>← Customers</a>
      </p>
    </>
  );
}
