import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { useWriter } from 'settlement-graph/client/react';
import { CustomerForm, fields } from './customer-form.tsx';
import { Failure } from './failure.tsx';
import type { CreateCustomerInput, CreateCustomerMutation } from './gql/graphql.ts';
import { graphql } from './gql/index.ts';
import { hrefs } from './route.ts';
import { ofSession } from './session.ts';
import { UnknownOutcome } from './unknown-outcome.tsx';

const CreateCustomerDocument = graphql(`
  mutation CreateCustomer($input: CreateCustomerInput!) {
    createCustomer(input: $input) {
      customer {
        id
      }
      userErrors {
        field
        message
      }
    }
  }
`);

const FindCustomerDocument = graphql(`
  query FindCustomer($reference: String!, $after: String) {
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

type Payload = NonNullable<CreateCustomerMutation['createCustomer']>;

export function CreateCustomer({ merchant }: { readonly merchant: string }) {
  const { cache, mutate, query } = useApolloClient();
  const [reference] = useState(() => `web-${crypto.randomUUID().slice(0, 8)}`);
  const writer = useWriter<CreateCustomerInput, Payload, { readonly id: string }>({
    ...ofSession,
    name: `registration ${merchant}`,
    remember: ['reference'],
    send: async (input, idempotencyKey) => {
      const variables = { input: { ...input, idempotencyKey } };
      const { data, error } = await mutate({ mutation: CreateCustomerDocument, variables });
      return { payload: data?.createCustomer, error };
    },
    readPage: async ({ reference = '' }, after) => {
      const variables = { reference, after };
      const { data, error } = await query({ query: FindCustomerDocument, variables, fetchPolicy: 'network-only' });
      return { list: data?.customers ?? null, error };
    },
  });
  const { result, isSending, write, repeat, lookUp, isLookingUp, lookedUp, settle } = writer;
  const open = (id: string) => {
    settle();
    cache.evict({ id: 'ROOT_QUERY', fieldName: 'customers' }); // every list may have one more now
    window.location.hash = hrefs.customer(id);
  };
  const send = async (attempt: ReturnType<typeof write>) => {
    const { is, payload } = { payload: undefined, ...(await attempt) };
    if (is === 'done' && payload?.customer != null) open(payload.customer.id);
  };
  // Accepted without saying more: the record is found in the same way as one of unknown outcome.
  const isAccepted = result?.is === 'done' && result.payload.customer === null;
  const isOpen = result?.is === 'unknown' || isAccepted;
  const sentReference = (result?.is === 'unknown' ? result.values['reference'] : undefined) ?? reference;
  return (
    <>
      <title>New customer · Settlement</title>
      <h1>New customer</h1>
      {lookedUp?.is === 'found' && (
        <UnknownOutcome title="It was registered.">
          <button type="button" onClick={() => open(lookedUp.record.id)}>
            Open the customer
          </button>
        </UnknownOutcome>
      )}
      {isOpen && (
        <UnknownOutcome
          title={
            isAccepted
              ? 'The service has accepted this customer, and has not shown the record'
              : 'We do not know yet whether this customer was registered'
          }
          error={result.error}
          isSending={isSending}
          onRepeat={repeat && (() => send(repeat()))}
        >
          <div role="status">
            {isLookingUp && <p>Looking …</p>}
            {!isLookingUp && lookedUp === undefined && (
              <p>
                The registration <code>{sentReference}</code> was sent. Please do not register the customer again before
                looking it up.
              </p>
            )}
            {lookedUp?.is === 'missing' && (
              <p>
                There is no customer with the reference <code>{sentReference}</code> so far. It may still be on its way:
                look again in a minute. If it is still missing then, register it again under the same reference, which
                the service accepts only once.
              </p>
            )}
            {lookedUp?.is === 'unclear' && (
              <Failure what="Not all customers could be looked through." error={lookedUp.error} />
            )}
          </div>
          <button type="button" disabled={isLookingUp} onClick={() => void lookUp?.()}>
            {lookedUp === undefined ? 'Look it up' : 'Look again'}
          </button>
          {lookedUp?.is === 'missing' && (
            <button type="button" className="quiet" onClick={settle}>
              Back to the form
            </button>
          )}
        </UnknownOutcome>
      )}
      <div hidden={isOpen || lookedUp?.is === 'found'}>
        <CustomerForm
          names={fields}
          defaults={{ reference, collectionWalletId: 'wal_0001' }}
          userErrors={result?.is === 'refused' ? result.userErrors : none}
          isDisabled={isSending || isOpen}
          button={isSending ? 'Registering …' : 'Register customer'}
          onSubmit={(values) => void send(write({ ...values, type: 'wallet' }))}
        >
          {result?.is === 'notSent' && <Failure what="Nothing was sent." error={result.error} />}
        </CustomerForm>
      </div>
    </>
  );
}

const none = [] as const;
