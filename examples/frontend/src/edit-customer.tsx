import { useMutation, useQuery } from '@apollo/client/react';
import { isGatewayError } from 'settlement-graph/client';
import { CustomerForm, fields } from './customer-form.tsx';
import { CustomerDocument } from './customer.tsx';
import { Failure } from './failure.tsx';
import { graphql } from './gql/index.ts';
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

/** Sends only what was changed. */
export function EditCustomer({ id }: { readonly id: string }) {
  const { data, error, loading, refetch } = useQuery(CustomerDocument, { variables: { id } });
  const [update, sent] = useMutation(UpdateCustomerDocument);
  const customer = data?.customer;
  if (customer == null && loading) return <p role="status">Loading the customer …</p>;
  if (customer == null) return <Failure error={error} onRetry={() => void refetch()} />;
  const defaults = Object.fromEntries(
    names.map(({ name }) => [name, String(customer[name as keyof typeof customer] ?? '')]),
  );
  const save = async (values: Readonly<Record<string, string>>) => {
    const changes = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== defaults[name]));
    const result = await update({ variables: { input: { id, ...changes } } });
    if (result.data?.updateCustomer?.userErrors.length === 0) window.location.hash = hrefs.customer(id);
  };
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
        {sent.error !== undefined && <Failure what="Your changes are still here." error={sent.error} />}
        {isUnknown && (
          <button type="button" onClick={() => void refetch()}>
            Read the customer again
          </button>
        )}
      </CustomerForm>
    </>
  );
}

const none = [] as const;
