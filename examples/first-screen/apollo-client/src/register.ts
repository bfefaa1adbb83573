import type { ApolloClient } from '@apollo/client';
import { createWriter, type WriterOptions } from 'settlement-graph-client';
import { graphql } from './gql';
import type { CreateCustomerInput, RegisterMutation } from './gql/graphql';

type Payload = NonNullable<RegisterMutation['createCustomer']>;

const RegisterDocument = graphql(`
  mutation Register($input: CreateCustomerInput!) {
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

export function registration(client: ApolloClient): WriterOptions<CreateCustomerInput, Payload> {
  return {
    name: 'registration',
    storage: sessionStorage,
    remember: ['reference'],
    send: async (input, idempotencyKey) => {
      const { data, error } = await client.mutate({
        mutation: RegisterDocument,
        variables: { input: { ...input, idempotencyKey } },
        errorPolicy: 'all',
        // Lists may have one more now: those shown are asked for again.
        update: (cache) => void cache.evict({ id: 'ROOT_QUERY', fieldName: 'customers' }),
      });
      return { payload: data?.createCustomer, error };
    },
  };
}

export const createRegistration = (client: ApolloClient) => createWriter(registration(client));
