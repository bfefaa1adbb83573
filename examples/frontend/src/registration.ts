import { useMutation } from '@apollo/client/react';
import { useState } from 'react';
import type { CreateCustomerInput } from './gql/graphql.ts';
import { graphql } from './gql/index.ts';
import { outcomeOf, type Outcome } from './outcome.ts';
import { pendingReferenceOf } from './pending-reference.ts';
import { hrefs } from './route.ts';

const CreateCustomerDocument = graphql(`
  mutation CreateCustomer($input: CreateCustomerInput!) {
    createCustomer(input: $input) {
      customer {
        id
        firstName
        lastName
        email
        phone
        dateOfBirth
        reference
        status
      }
      userErrors {
        field
        message
      }
    }
  }
`);

type Sent = CreateCustomerInput & { readonly reference: string };

/** The registration of one customer, from the first press of the button until its outcome is known. */
export function useRegistration(merchant: string) {
  const [create, { client, loading }] = useMutation(CreateCustomerDocument);
  const [pending] = useState(() => pendingReferenceOf(merchant));
  const [reference, setReference] = useState(() => pending.read() ?? `web-${crypto.randomUUID().slice(0, 8)}`);
  const [outcome, setOutcome] = useState<Outcome | undefined>(pending.read() === null ? undefined : { is: 'unknown' });
  // What was sent, with its key: a repeat is the same registration, and the gateway carries that out once.
  const [sent, setSent] = useState<Sent>();

  const open = (id: string) => {
    pending.clear();
    client.cache.evict({ id: 'ROOT_QUERY', fieldName: 'customers' }); // every list may have one more now
    window.location.hash = hrefs.customer(id);
  };
  const send = async (input: Sent) => {
    setSent(input);
    setReference(input.reference);
    pending.write(input.reference);
    const { data, error } = await create({ variables: { input } });
    const next = outcomeOf(data?.createCustomer, error);
    setOutcome(next);
    if (next.is === 'created') open(next.id);
    if (next.is === 'refused' || next.is === 'failed') pending.clear();
  };
  return {
    outcome,
    reference,
    isSending: loading,
    open,
    /** Registers a customer, under a key of its own. */
    register: (values: Readonly<Record<string, string>>) =>
      void send({ reference, ...values, type: 'wallet', idempotencyKey: crypto.randomUUID() }),
    /** Sends the same once more, under the same key. */
    repeat: () => void (sent !== undefined && send(sent)),
    /** After a lookup that found nothing: what is registered next has a key of its own. */
    startAnew: () => {
      pending.clear();
      setOutcome(undefined);
    },
  };
}
