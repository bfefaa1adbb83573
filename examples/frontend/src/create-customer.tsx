import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { CustomerForm, fields } from './customer-form.tsx';
import { Failure } from './failure.tsx';
import { FindCustomer } from './find-customer.tsx';
import type { CreateCustomerInput, CreateCustomerMutation } from './gql/graphql.ts';
import { graphql } from './gql/index.ts';
import { hrefs } from './route.ts';
import { UnknownOutcome } from './unknown-outcome.tsx';
import { useWriter } from './use-writer.ts';

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

type Payload = NonNullable<CreateCustomerMutation['createCustomer']>;

export function CreateCustomer({ merchant }: { readonly merchant: string }) {
  const { cache, mutate } = useApolloClient();
  const [reference] = useState(() => `web-${crypto.randomUUID().slice(0, 8)}`);
  const { result, isSending, write, repeat, settle } = useWriter<CreateCustomerInput, Payload>({
    name: `registration ${merchant}`,
    remember: ['reference'],
    send: async (input, idempotencyKey) => {
      const variables = { input: { ...input, idempotencyKey } };
      const { data, error } = await mutate({ mutation: CreateCustomerDocument, variables });
      return { payload: data?.createCustomer, error };
    },
  });
  const open = (id: string) => {
    settle();
    cache.evict({ id: 'ROOT_QUERY', fieldName: 'customers' }); // every list may have one more now
    window.location.hash = hrefs.customer(id);
  };
  const send = async (attempt: Promise<Awaited<ReturnType<typeof write>>>) => {
    const { is, payload } = { payload: undefined, ...(await attempt) };
    if (is === 'done' && payload?.customer != null) open(payload.customer.id);
  };
  const defaults = { reference, collectionWalletId: 'wal_0001' };
  // Accepted without saying more: the record is found in the same way as one of unknown outcome.
  const isOpen = result?.is === 'unknown' || (result?.is === 'done' && result.payload.customer === null);
  const sentReference = (result?.is === 'unknown' ? result.values['reference'] : undefined) ?? reference;
  return (
    <>
      <title>New customer · Settlement</title>
      <h1>New customer</h1>
      {isOpen && (
        <UnknownOutcome
          title="We do not know yet whether this customer was registered"
          error={result.error}
          isSending={isSending}
          onRepeat={result.is === 'unknown' && result.canRepeat && repeat ? () => send(repeat()) : undefined}
        >
          <FindCustomer reference={sentReference} onFound={open} onStartAnew={settle} />
        </UnknownOutcome>
      )}
      <CustomerForm
        names={fields}
        defaults={defaults}
        userErrors={result?.is === 'refused' ? result.userErrors : none}
        isDisabled={isSending || isOpen}
        button={isSending ? 'Registering …' : 'Register customer'}
        onSubmit={(values) => void send(write({ ...values, type: 'wallet' }))}
      >
        {result?.is === 'notSent' && <Failure what="Nothing was sent." error={result.error} />}
      </CustomerForm>
    </>
  );
}

const none = [] as const;
