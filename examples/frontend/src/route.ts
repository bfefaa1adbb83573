import { useSyncExternalStore } from 'react';

/** What is shown of a customer's transactions; an empty text is no filter. */
export interface Filters {
  readonly from: string;
  readonly to: string;
  readonly direction: string;
}

export type Route =
  | { readonly page: 'customers'; readonly search: string }
  | { readonly page: 'customer'; readonly id: string; readonly filters: Filters }
  | { readonly page: 'edit'; readonly id: string }
  | { readonly page: 'new' | 'banks' | 'nowhere' };

export const hrefs = {
  customers: '#/',
  search: (text: string) => (text === '' ? '#/' : `#/?search=${encodeURIComponent(text)}`),
  customer: (id: string, filters: Partial<Filters> = {}) => {
    const chosen = Object.entries(filters).filter(([, value]) => value !== '');
    const query = new URLSearchParams(Object.fromEntries(chosen)).toString();
    return `#/customers/${encodeURIComponent(id)}${query === '' ? '' : `?${query}`}`;
  },
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
  const valueOf = (name: string) => new URLSearchParams(query).get(name) ?? '';
  if (path === '') return { page: 'customers', search: valueOf('search') };
  if (path === 'new' || path === 'banks') return { page: path };
  const [, encoded = '', edit] = /^customers\/([^/]+)(\/edit)?$/.exec(path) ?? [];
  const id = decode(encoded);
  if (id === '') return { page: 'nowhere' };
  if (edit !== undefined) return { page: 'edit', id };
  const dateOf = (name: string) => /^\d{4}-\d{2}-\d{2}$/.exec(valueOf(name))?.[0] ?? '';
  return { page: 'customer', id, filters: { from: dateOf('from'), to: dateOf('to'), direction: valueOf('direction') } };
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
