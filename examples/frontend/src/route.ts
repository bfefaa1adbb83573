import { useSyncExternalStore } from 'react';

export type Route =
  | { readonly page: 'customers'; readonly search: string }
  | { readonly page: 'customer' | 'edit'; readonly id: string }
  | { readonly page: 'new' | 'banks' | 'nowhere' };

export const hrefs = {
  customers: '#/',
  search: (text: string) => (text === '' ? '#/' : `#/?search=${encodeURIComponent(text)}`),
  customer: (id: string) => `#/customers/${encodeURIComponent(id)}`,
  edit: (id: string) => `#/customers/${encodeURIComponent(id)}/edit`,
  new: '#/new',
  banks: '#/banks',
} as const;

/** The page that the address names. */
export function useRoute(): Route {
  return routeOf(useSyncExternalStore(subscribe, () => window.location.hash));
}

export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?');
  if (path === '') return { page: 'customers', search: new URLSearchParams(query).get('search') ?? '' };
  if (path === 'new' || path === 'banks') return { page: path };
  const [, encoded = '', edit] = /^customers\/([^/]+)(\/edit)?$/.exec(path) ?? [];
  const id = decode(encoded);
  return id === '' ? { page: 'nowhere' } : { page: edit === undefined ? 'customer' : 'edit', id };
}

/** Empty for what nobody encoded, such as `%`. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Calls back where a person or a link changes the address; `replaceState` does not. */
export function subscribe(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
}
