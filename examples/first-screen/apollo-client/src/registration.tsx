import { useApolloClient } from '@apollo/client/react';
import { fieldErrors } from 'settlement-graph-client';
import { useWriter } from 'settlement-graph-client/react';
import { Failure } from './failure';
import { graphql } from './gql';
import type { CreateCustomerInput, RegisterMutation } from './gql/graphql';
import { registration } from './register';

const FindDocument = graphql(`
  query Find($reference: String, $after: String) {
    customers(first: 100, search: $reference, after: $after) {
      nodes {
        id
        reference
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

type Payload = NonNullable<RegisterMutation['createCustomer']>;

export function Registration() {
  const client = useApolloClient();
  const { result, isSending, write, repeat, lookUp, lookedUp, settle } = useWriter<
    CreateCustomerInput,
    Payload,
    { id: string }
  >({
    ...registration(client),
    readPage: async ({ reference }, after) => {
      const variables = { reference, after };
      const { data, error } = await client.query({
        query: FindDocument,
        variables,
        fetchPolicy: 'network-only',
        errorPolicy: 'all',
      });
      return { list: data?.customers ?? null, error };
    },
  });
  const { fields, others } = fieldErrors(result?.is === 'refused' ? result.userErrors : [], ['reference']);
  if (lookedUp?.is === 'found') return <p>It was registered: {lookedUp.record.id}</p>;
  if (result?.is === 'done') return <p>Registered: {result.payload.customer?.id ?? 'the service shows no record'}</p>;
  if (result?.is === 'unknown')
    return (
      <section>
        <h1>We do not know yet whether this customer was registered</h1>
        {lookedUp?.is === 'missing' && (
          <p>
            There is none so far. <button onClick={settle}>Start again</button>
          </p>
        )}
        {lookedUp?.is === 'unclear' && <Failure error={lookedUp.error} />}
        <button onClick={() => void (repeat ?? lookUp)?.()}>{repeat ? 'Send once more' : 'Look it up'}</button>
      </section>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void write({ reference: String(new FormData(event.currentTarget).get('reference')) });
      }}
    >
      <input name="reference" aria-label="Reference" aria-invalid={fields.reference !== undefined} />
      {[fields.reference ?? [], others].flat().map((sentence) => (
        <p key={sentence} role="alert">
          {sentence}
        </p>
      ))}
      {result?.is === 'notSent' && <Failure error={result.error} />}
      <button disabled={isSending}>Register</button>
    </form>
  );
}
