import { useLazyQuery } from '@apollo/client/react';
import { Failure } from './failure.tsx';
import { graphql } from './gql/index.ts';

const FindCustomerDocument = graphql(`
  query FindCustomer($reference: String!) {
    customers(first: 100, search: $reference) {
      nodes {
        id
        reference
      }
      pageInfo {
        hasNextPage
      }
    }
  }
`);

interface FindCustomerProps {
  readonly reference: string;
  readonly onFound: (id: string) => void;
  readonly onStartAnew: () => void;
}

/** The lookup of a registration: the error names the field (customers) and by what (reference). */
export function FindCustomer({ reference, onFound, onStartAnew }: FindCustomerProps) {
  const [find, { data, error, loading, called }] = useLazyQuery(FindCustomerDocument, { fetchPolicy: 'network-only' });
  // A search finds similar ones too: only the very same reference is the one.
  const found = data?.customers?.nodes.find((customer) => customer?.reference === reference);
  const isLookedUp = called && !loading && error === undefined && found == null;
  const isMissing = isLookedUp && data?.customers?.pageInfo.hasNextPage === false;
  return (
    <>
      <p>
        The registration <code>{reference}</code> was sent. Please do not register the customer again before looking it
        up.
      </p>
      {error !== undefined && <Failure error={error} />}
      <div role="status">
        {loading && <p>Looking …</p>}
        {found != null && <p>It was registered.</p>}
        {isLookedUp && !isMissing && (
          <p>Too many customers match this reference: it is not among the first 100. Ask the service’s support.</p>
        )}
        {isMissing && (
          <p>
            There is no customer with this reference so far. It may still be on its way: look again in a minute. If it
            is still missing then, register it again under the same reference, which the service accepts only once.
          </p>
        )}
      </div>
      {found != null ? (
        <button type="button" onClick={() => onFound(found.id)}>
          Open the customer
        </button>
      ) : (
        <button type="button" disabled={loading} onClick={() => void find({ variables: { reference } })}>
          {called ? 'Look again' : 'Look it up'}
        </button>
      )}
      {isMissing && (
        <button type="button" className="quiet" onClick={onStartAnew}>
          Back to the form
        </button>
      )}
    </>
  );
}
