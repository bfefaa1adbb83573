import { CombinedGraphQLErrors } from '@apollo/client';

/** Who is signed in. The session itself is a cookie that no script can read. */
export interface Session {
  readonly merchant: string | null;
  readonly merchants: readonly string[];
}

export async function readSession(): Promise<Session> {
  return (await call('GET')) as Session; // the backend-for-frontend's own answer
}

export async function signIn(merchant: string): Promise<void> {
  await call('POST', { merchant });
}

export async function signOut(): Promise<void> {
  await call('DELETE');
}

/** Whether the backend-for-frontend refused a request because nobody is signed in: it has sent nothing on. */
export function isSessionExpired(error: unknown): boolean {
  const errors = CombinedGraphQLErrors.is(error) ? error.errors : [];
  return errors.some(({ extensions }) => extensions?.['code'] === 'SESSION_EXPIRED');
}

/** What every write of a page has in common: its key is kept for the tab, and nothing is sent without a session. */
export const ofSession = { storage: sessionStorage, isNotSent: isSessionExpired } as const;

async function call(method: string, body?: object): Promise<unknown> {
  const json =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch('/api/session', { method, ...json });
  if (!response.ok) throw new Error(`The session answered ${response.status}.`);
  return response.json();
}
