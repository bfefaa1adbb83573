import { useApolloClient } from '@apollo/client/react';
import { fieldErrors } from 'settlement-graph/client';
import { useWriter } from 'settlement-graph/client/react';
import { CopyButton } from './copy-button.tsx';
import { Deposit } from './deposit.tsx';
import { Failure } from './failure.tsx';
import { Field } from './field.tsx';
import type { CreateOneTimeAccountInput, OpenOneTimeAccountMutation } from './gql/graphql.ts';
import { graphql } from './gql/index.ts';
import { Money } from './money.tsx';
import { ofSession } from './session.ts';
import { acceptedUnseen, UnknownOutcome } from './unknown-outcome.tsx';

const OpenOneTimeAccountDocument = graphql(`
  mutation OpenOneTimeAccount($input: CreateOneTimeAccountInput!) {
    createOneTimeAccount(input: $input) {
      oneTimeAccount {
        id
        accountNumber
        bankName
        amount {
          amount
          currency
        }
        expiresAt
      }
      userErrors {
        field
        message
      }
    }
  }
`);

type Payload = NonNullable<OpenOneTimeAccountMutation['createOneTimeAccount']>;

const moments = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** An account for one deposit. The service has no way to read it again: it is shown once. */
export function OneTimeAccount({ id, merchant }: { readonly id: string; readonly merchant: string }) {
  const { mutate } = useApolloClient();
  const { result, isSending, write, repeat, settle } = useWriter<CreateOneTimeAccountInput, Payload>({
    ...ofSession,
    name: `one-time account ${merchant} ${id}`,
    remember: [],
    send: async (input, idempotencyKey) => {
      const variables = { input: { ...input, idempotencyKey } };
      const { data, error } = await mutate({ mutation: OpenOneTimeAccountDocument, variables });
      return { payload: data?.createOneTimeAccount, error };
    },
  });
  const account = result?.is === 'done' ? result.payload.oneTimeAccount : undefined;
  const { fields, others } = fieldErrors(result?.is === 'refused' ? result.userErrors : [], ['amount']);
  return (
    <section aria-labelledby="one-time">
      <h2 id="one-time">Account for one deposit</h2>
      {result?.is === 'unknown' ? (
        <UnknownOutcome
          title="We do not know yet whether this account was opened"
          error={result.error}
          isSending={isSending}
          onRepeat={repeat}
        >
          <p>The service has no way to read it again. If it was opened, it ends by itself, unused.</p>
          <button type="button" onClick={settle}>
            Open another one
          </button>
        </UnknownOutcome>
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            const amount = String(new FormData(event.currentTarget).get('amount')).trim();
            void write({ customerId: id, ...(amount === '' ? {} : { amount }) });
          }}
        >
          <Field
            name="amount"
            label="Amount"
            hint="Such as 500.00; empty for any."
            defaults={{}}
            error={fields.amount}
          />
          <button type="submit" className="quiet" disabled={isSending}>
            {isSending ? 'Opening …' : 'Open for one deposit'}
          </button>
        </form>
      )}
      {others.length > 0 && (
        <p role="alert" className="error">
          {others.join(' ')}
        </p>
      )}
      {result?.is === 'notSent' && <Failure what="No account was opened." error={result.error} />}
      {account === null && (
        <p role="status">{acceptedUnseen} There is no way to read it again. Unused, it ends by itself.</p>
      )}
      {account != null && (
        <div role="status">
          <p>
            {account.bankName} {account.accountNumber !== null && <CopyButton text={account.accountNumber} />}
          </p>
          <p>
            Takes {account.amount === null ? 'any amount' : <Money money={account.amount} />} once, until{' '}
            <time dateTime={account.expiresAt ?? undefined}>
              {account.expiresAt === null ? 'the service ends it' : moments.format(new Date(account.expiresAt))}
            </time>
            . Write it down: it cannot be shown again.
          </p>
        </div>
      )}
      {account?.accountNumber != null && (
        <Deposit
          key={account.accountNumber}
          id={id}
          accountNumber={account.accountNumber}
          amount={account.amount?.amount}
        />
      )}
    </section>
  );
}
