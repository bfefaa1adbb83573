import { ApolloProvider } from '@apollo/client/react';
import { useEffect, useMemo, useState } from 'react';
import { createClient } from './apollo.ts';
import { CreateCustomer } from './create-customer.tsx';
import { Customer } from './customer.tsx';
import { Customers } from './customers.tsx';
import { hrefs, useRoute } from './route.ts';
import { readSession, signOut, type Session } from './session.ts';
import { SignIn } from './sign-in.tsx';

export function App() {
  const [session, setSession] = useState<Session>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    readSession().then(setSession, () => setFailed(true));
  }, []);
  if (failed) return <p role="alert">The application cannot be reached. Reload the page to try again.</p>;
  if (session === undefined) return <p role="status">Loading …</p>;
  const { merchant, merchants } = session;
  if (merchant === null)
    return <SignIn merchants={merchants} onSignIn={(merchant) => setSession({ merchant, merchants })} />;
  const leave = () => setSession({ merchant: null, merchants });
  return <SignedIn key={merchant} merchant={merchant} onLeave={leave} />;
}

interface SignedInProps {
  readonly merchant: string;
  readonly onLeave: () => void;
}

function SignedIn({ merchant, onLeave }: SignedInProps) {
  const client = useMemo(() => createClient(onLeave), []);
  const route = useRoute();
  const place = 'id' in route ? route.id : route.page;
  useEffect(() => {
    window.scrollTo(0, 0);
    document.getElementById('main')?.focus();
  }, [place]);
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
          <a href={hrefs.customers} aria-current={route.page === 'customers' ? 'page' : undefined}>
            Customers
          </a>
          <a href={hrefs.new} aria-current={route.page === 'new' ? 'page' : undefined}>
            New customer
          </a>
        </nav>
        <span className="who">{merchant}</span>
        <button type="button" className="quiet" onClick={() => void signOut().then(onLeave)}>
          Sign out
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        {route.page === 'customers' && <Customers />}
        {route.page === 'customer' && <Customer key={route.id} id={route.id} />}
        {route.page === 'new' && <CreateCustomer merchant={merchant} />}
      </main>
    </ApolloProvider>
  );
}

/** The address's hash is the route, so the link moves the focus itself. */
function focusMain(event: { readonly preventDefault: () => void }) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
