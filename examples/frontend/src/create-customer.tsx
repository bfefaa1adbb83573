import { useEffect, useRef, type SubmitEvent } from 'react';
import { Failure } from './failure.tsx';
import { Field } from './field.tsx';
import { useRegistration } from './registration.ts';
import { UnknownOutcome } from './unknown-outcome.tsx';

const fields = [
  { name: 'firstName', label: 'Given name', autoComplete: 'given-name' },
  { name: 'lastName', label: 'Family name', autoComplete: 'family-name' },
  { name: 'dateOfBirth', label: 'Date of birth', hint: 'Year-month-day, such as 1990-01-31.', autoComplete: 'bday' },
  { name: 'email', label: 'E-mail', type: 'email', autoComplete: 'email' },
  { name: 'phone', label: 'Phone', hint: 'With a leading + and the country.', type: 'tel', autoComplete: 'tel' },
  { name: 'nin', label: 'National identity number', hint: '11 digits. It can never be read again.' },
  { name: 'bvn', label: 'Bank verification number', hint: '11 digits, or empty. It can never be read again.' },
  { name: 'collectionWalletId', label: 'Collection wallet' },
  { name: 'reference', label: 'Reference', hint: 'Yours, and unique: this is how the customer is found again.' },
] as const;

const isField = (name: unknown) => fields.some((field) => field.name === name);

export function CreateCustomer({ merchant }: { readonly merchant: string }) {
  const { outcome, reference, isSending, open, register, repeat, startAnew } = useRegistration(merchant);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (outcome?.is === 'refused') form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [outcome]);

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = [...new FormData(event.currentTarget)].flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as const] : [],
    );
    register(Object.fromEntries(values));
  };
  const userErrors = outcome?.is === 'refused' ? outcome.userErrors : [];
  const errorsOf = (name: string) => userErrors.flatMap(({ field, message }) => (field?.[1] === name ? message : []));
  const otherErrors = userErrors.filter(({ field }) => !isField(field?.[1]));
  const isOpen = outcome?.is === 'unknown' || outcome?.is === 'interrupted';
  const defaults = { reference, collectionWalletId: 'wal_0001' };
  return (
    <>
      <title>New customer · Settlement</title>
      <h1>New customer</h1>
      {outcome?.is === 'interrupted' && <Interrupted isSending={isSending} onRepeat={repeat} />}
      {outcome?.is === 'unknown' && <UnknownOutcome reference={reference} onFound={open} onStartAnew={startAnew} />}
      <form ref={form} noValidate onSubmit={submit}>
        <fieldset disabled={isSending || isOpen}>
          <legend className="hidden">Who is it?</legend>
          {fields.map((field) => (
            <Field key={field.name} {...field} defaults={defaults} errors={errorsOf(field.name)} />
          ))}
          <button type="submit">{isSending ? 'Registering …' : 'Register customer'}</button>
        </fieldset>
        <div role="alert">
          {userErrors.length > 0 && <p className="error">Nothing was registered. Please correct what is marked.</p>}
          {otherErrors.map(({ message }) => (
            <p key={message} className="error">
              {message}
            </p>
          ))}
        </div>
        {outcome?.is === 'failed' && <Failure error={outcome.error} onRetry={repeat} />}
      </form>
    </>
  );
}

interface InterruptedProps {
  readonly isSending: boolean;
  readonly onRepeat: () => void;
}

function Interrupted({ isSending, onRepeat }: InterruptedProps) {
  return (
    <section className="unknown" role="alert">
      <h2>The connection was interrupted before an answer came</h2>
      <p>You can safely send it once more: it is the same registration, and cannot happen twice.</p>
      <button type="button" disabled={isSending} onClick={onRepeat}>
        Send once more
      </button>
    </section>
  );
}
