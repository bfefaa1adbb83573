import { useSyncExternalStore } from 'react';

export type Route =
  | { readonly page: 'customers' }
  | { readonly page: 'customer'; readonly id: string }
  | { readonly page: 'new' };

export const hrefs = {
  customers: '#/',
  customer: (id: string) => `#/customers/${encodeURIComponent(id)}`,
  new: '#/new',
} as const;

/** The page that the address names. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash);
  const [, id] = /^#\/customers\/(.+)$/.exec(hash) ?? [];
  if (id !== undefined) return { page: 'customer', id: decodeURIComponent(id) };
  return { page: hash === hrefs.new ? 'new' : 'customers' };
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
}
