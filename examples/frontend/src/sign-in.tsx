import { useState } from 'react';
import { signIn } from './session.ts';

interface SignInProps {
  readonly merchants: readonly string[];
  readonly hasExpired: boolean;
  readonly onSignIn: (merchant: string) => void;
}

/** A demo: it asks for no password. Put your own sign-in here and in bff.ts. */
export function SignIn({ merchants, hasExpired, onSignIn }: SignInProps) {
  const [failed, setFailed] = useState(false);
  const enter = async (merchant: string) => {
    await signIn(merchant).then(
      () => onSignIn(merchant),
      () => setFailed(true),
    );
  };
  return (
    <main className="sign-in">
      <title>Sign in · Settlement</title>
      <h1>Sign in</h1>
      {hasExpired && (
        <p role="alert">
          Your session has ended. Nothing was sent, and what you typed is still there when you are back.
        </p>
      )}
      <p>This demo has a merchant behind each button, and no passwords.</p>
      {merchants.map((merchant) => (
        <button key={merchant} type="button" onClick={() => void enter(merchant)}>
          {merchant}
        </button>
      ))}
      {failed && <p role="alert">Signing in did not work. Try again.</p>}
    </main>
  );
}
