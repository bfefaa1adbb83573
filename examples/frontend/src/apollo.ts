import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { ErrorLink } from '@apollo/client/link/error';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import type { DocumentNode } from 'graphql';
import { possibleTypes, typePolicies } from 'settlement-graph/client';
import { isSessionExpired } from './session.ts';

declare module '@apollo/client' {
  namespace ApolloClient {
    namespace DeclareDefaultOptions {
      interface WatchQuery {
        errorPolicy: 'all';
      }
      interface Query {
        errorPolicy: 'all';
      }
      interface Mutate {
        errorPolicy: 'all';
      }
    }
  }
}

/**
 * One client per session: its cache goes with the merchant whose data it holds. Each request names the merchant, because
 * another tab may have signed in for another one.
 */
export function createClient(merchant: string, onSessionExpired: () => void): ApolloClient {
  return new ApolloClient({
    cache: new InMemoryCache({ possibleTypes, typePolicies }),
    link: ApolloLink.from([
      new ErrorLink(({ error }) => {
        if (isSessionExpired(error)) onSessionExpired();
      }),
      // Documents travel as their hash; the backend-for-frontend knows the texts, and accepts no others.
      new PersistedQueryLink({ generateHash, retry: () => false, disable: () => false }),
      new HttpLink({ uri: '/api/graphql', headers: { 'x-merchant': encodeURIComponent(merchant) } }),
    ]),
    // One field's failure is that field's: what was answered beside it is shown.
    defaultOptions: {
      watchQuery: { errorPolicy: 'all' },
      query: { errorPolicy: 'all' },
      mutate: { errorPolicy: 'all' },
    },
  });
}

function generateHash(document: DocumentNode): string {
  const { __meta__: meta } = document as { readonly __meta__?: { readonly hash?: string } }; // codegen puts it there
  if (meta?.hash === undefined) throw new Error('Write the document with graphql() and run `npm run codegen`.');
  return meta.hash;
}
