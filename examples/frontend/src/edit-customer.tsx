import { useMutation } from '@apollo/client/react';
import { useState } from 'react';
import { isGatewayError } from 'settlement-graph/client';
import { CustomerForm, fields } from './customer-form.tsx';
import { NoSuchCustomer, useCustomer } from './customer.tsx';
import { Failure } from './failure.tsx';
import { graphql } from './gql/index.ts';
import { Loading } from './loading.tsx';
import { hrefs } from './route.ts';

const UpdateCustomerDocument = graphql(`
  mutation UpdateCustomer($input: UpdateCustomerInput!) {
    updateCustomer(input: $input) {
      customer {
        id
        firstName
        lastName
        email
        phone
        dateOfBirth
      }
      userErrors {
        field
        message
      }
    }
  }
`);

const names = fields.slice(0, 5);

type Values = Readonly<Record<string, string>>;

interface EditCustomerProps {
  readonly id: string;
  readonly onSaved: () => void;
}

/** Sends only what was changed. */
export function EditCustomer({ id, onSaved }: EditCustomerProps) {
  const { data, error, loading, refetch } = useCustomer(id);
  const [update, sent] = useMutation(UpdateCustomerDocument);
  const [changes, setChanges] = useState<Values>({});
  const [isReadAgain, setReadAgain] = useState(false);
  const customer = data?.customer;
  if (customer == null && loading) return <Loading what="the customer" rows={5} />;
  if (customer == null && error !== undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  if (customer == null) return <NoSuchCustomer />;
  const defaults = Object.fromEntries(
    names.map(({ name }) => [name, String(customer[name as keyof typeof customer] ?? '')]),
  );
  const save = async (values: Values) => {
    setReadAgain(false);
    const changes = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== defaults[name]));
    setChanges(changes);
    const result = await update({ variables: { input: { id, ...changes } } });
    if (result.data?.updateCustomer?.userErrors.length !== 0) return;
    onSaved();
    window.location.hash = hrefs.customer(id);
  };
  // The record's own values are the evidence: they come back with it.
  const isSaved = isReadAgain && Object.entries(changes).every(([name, value]) => value === defaults[name]);
  const readAgain = async () => setReadAgain((await refetch()).error === undefined);
  const isUnknown = isGatewayError(sent.error, 'OUTCOME_UNKNOWN');
  return (
    <>
      <title>Edit · Settlement</title>
      <p>
        <a href={hrefs.customer(id)}>← Back</a>
      </p>
      <h1>
        Edit {customer.firstName} {customer.lastName}
      </h1>
      <CustomerForm
        names={names}
        defaults={defaults}
        userErrors={sent.data?.updateCustomer?.userErrors ?? none}
        isDisabled={sent.loading}
        button={sent.loading ? 'Saving …' : 'Save changes'}
        onSubmit={(values) => void save(values)}
      >
        {sent.error !== undefined && !isSaved && <Failure what="Your changes are still here." error={sent.error} />}
        {isUnknown && (
          <>
            <button type="button" onClick={() => void readAgain()}>
              Read the customer again
            </button>
            {error !== undefined && <Failure error={error} />}
            <p role="status">{isSaved ? 'Your changes have been saved.' : isReadAgain && notSaved}</p>
          </>
        )}
      </CustomerForm>
    </>
  );
}

const none = [] as const;
const notSaved = 'These changes have not been saved so far. They may still be on their way: read again in a minute.';
