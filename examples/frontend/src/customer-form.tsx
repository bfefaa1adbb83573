import { useEffect, useRef, type ReactNode } from 'react';
import { fieldErrors, type UserError } from 'settlement-graph/client';
import { Field } from './field.tsx';

/** Every input of a customer; those that a person can change later, first. */
export const fields = [
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

interface CustomerFormProps {
  readonly names: readonly (typeof fields)[number][];
  readonly defaults: Readonly<Record<string, string>>;
  readonly userErrors: readonly UserError[];
  readonly isDisabled: boolean;
  readonly button: string;
  readonly onSubmit: (values: Readonly<Record<string, string>>) => void;
  readonly children?: ReactNode;
}

/** A form with each refusal at its input; the first of them gets the focus. */
export function CustomerForm({
  names,
  defaults,
  userErrors,
  isDisabled,
  button,
  onSubmit,
  children,
}: CustomerFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (userErrors.length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [userErrors]);
  const errors = fieldErrors(
    userErrors,
    names.map(({ name }) => name),
  );
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const values = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]);
        onSubmit(Object.fromEntries(values) as Readonly<Record<string, string>>); // just made so
      }}
    >
      <fieldset disabled={isDisabled}>
        <legend className="hidden">Who is it?</legend>
        {names.map((field) => (
          <Field key={field.name} {...field} defaults={defaults} error={errors.fields[field.name]} />
        ))}
        <button type="submit">{button}</button>
      </fieldset>
      <div role="alert">
        {userErrors.length > 0 && <p className="error">Nothing was changed. Please correct what is marked.</p>}
        {errors.others.map((message) => (
          <p key={message} className="error">
            {message}
          </p>
        ))}
      </div>
      {children}
    </form>
  );
}
