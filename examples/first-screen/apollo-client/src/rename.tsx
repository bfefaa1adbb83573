import { useMutation } from '@apollo/client/react';
import { Failure } from './failure';
import { graphql } from './gql';

const RenameDocument = graphql(`
  mutation Rename($input: UpdateCustomerInput!) {
    updateCustomer(input: $input) {
      customer {
        id
        lastName
      }
      userErrors {
        field
        message
      }
    }
  }
`);

export function Rename({ id }: { id: string }) {
  const [rename, { data, error }] = useMutation(RenameDocument, { errorPolicy: 'all' });
  const send = (lastName: string) =>
    rename({
      variables: { input: { id, lastName } },
      optimisticResponse: {
        __typename: 'Mutation',
        updateCustomer: {
          __typename: 'UpdateCustomerPayload',
          customer: { __typename: 'Customer', id, lastName },
          userErrors: [],
        },
      },
    });
  return (
    <form action={(form) => void send(String(form.get('lastName')))}>
      <input name="lastName" aria-label="Family name" />
      {data?.updateCustomer?.userErrors.map(({ message }) => (
        <p key={message} role="alert">
          {message}
        </p>
      ))}
      {error && <Failure error={error} />}
    </form>
  );
}
