import { ApolloProvider } from '@apollo/client/react';
import { useEffect, useMemo, useState } from 'react';
import { createClient } from './apollo.ts';
import { Banks } from './banks.tsx';
import { CreateCustomer } from './create-customer.tsx';
import { Customer } from './customer.tsx';
import { Customers } from './customers.tsx';
import { EditCustomer } from './edit-customer.tsx';
import { hrefs, useRoute, type Route } from './route.ts';
import { readSession, signOut, type Session } from './session.ts';
import { SignIn } from './sign-in.tsx';

export function App() {
  const [session, setSession] = useState<Session>();
  const [hasExpired, setExpired] = useState(false);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    readSession().then(setSession, () => setFailed(true));
  }, []);
  if (failed) return <p role="alert">The application cannot be reached. Reload the page to try again.</p>;
  if (session === undefined) return <p role="status">Loading …</p>;
  const { merchant, merchants } = session;
  const enter = (merchant: string) => {
    setExpired(false);
    setSession({ merchant, merchants });
  };
  const leave = () =>
    void signOut().then(
      () => setSession({ merchant: null, merchants }),
      () => setFailed(true),
    );
  return (
    <>
      {(merchant === null || hasExpired) && <SignIn merchants={merchants} hasExpired={hasExpired} onSignIn={enter} />}
      {merchant !== null && (
        // A session that ends hides the page and keeps it, with all that was typed, for the same merchant.
        <div key={merchant} hidden={hasExpired}>
          <SignedIn merchant={merchant} isActive={!hasExpired} onExpire={() => setExpired(true)} onLeave={leave} />
        </div>
      )}
    </>
  );
}

interface SignedInProps {
  readonly merchant: string;
  readonly isActive: boolean;
  readonly onExpire: () => void;
  readonly onLeave: () => void;
}

function SignedIn({ merchant, isActive, onExpire, onLeave }: SignedInProps) {
  const client = useMemo(() => createClient(merchant, onExpire), []);
  const route = useRoute();
  const place = 'id' in route ? `${route.page} ${route.id}` : route.page;
  useEffect(() => {
    window.scrollTo(0, 0);
    document.getElementById('main')?.focus();
  }, [place]);
  useEffect(() => {
    // What failed while nobody was signed in. A query that is left meanwhile is aborted.
    if (isActive) client.reFetchObservableQueries().catch(() => {});
  }, [isActive]);
  const links = [
    ['Customers', hrefs.customers, 'customers'],
    ['New customer', hrefs.new, 'new'],
    ['Banks', hrefs.banks, 'banks'],
  ] as const;
  return (
    <ApolloProvider client={client}>
      <a className="skip" href="#main" onClick={focusMain}>
        Skip to content
      </a>
      <header className="bar">
        <a className="brand" href={hrefs.customers}>
          Settlement
        </a>
        <nav aria-label="Main">
          {links.map(([name, href, page]) => (
            <a key={page} href={href} aria-current={route.page === page ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <span className="who">{merchant}</span>
        <button type="button" className="quiet" onClick={onLeave}>
          Sign out
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        <Page route={route} merchant={merchant} />
      </main>
    </ApolloProvider>
  );
}

function Page({ route, merchant }: { readonly route: Route; readonly merchant: string }) {
  const [listHref, setListHref] = useState<string>(hrefs.customers);
  const [savedId, setSavedId] = useState<string>();
  useEffect(() => {
    if (route.page !== 'customer') setSavedId(undefined);
  }, [route.page]);
  if (route.page === 'customers') return <Customers initialSearch={route.search} onShow={setListHref} />;
  if (route.page === 'customer')
    return (
      <Customer
        key={route.id}
        id={route.id}
        filters={route.filters}
        merchant={merchant}
        listHref={listHref}
        isSaved={savedId === route.id}
      />
    );
  if (route.page === 'edit') return <EditCustomer key={route.id} id={route.id} onSaved={() => setSavedId(route.id)} />;
  if (route.page === 'new') return <CreateCustomer merchant={merchant} />;
  if (route.page === 'banks') return <Banks />;
  return (
    <>
      <title>Nothing here · Settlement</title>
      <h1>There is nothing at this address</h1>
      <a href={hrefs.customers}>← Customers</a>
    </>
  );
}

/** The address's hash is the route, so the link moves the focus itself. */
function focusMain(event: { readonly preventDefault: () => void }) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
