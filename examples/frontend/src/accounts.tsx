import { useApolloClient, useQuery } from '@apollo/client/react';
import { useWriter } from 'settlement-graph/client/react';
import { CopyButton } from './copy-button.tsx';
import { Deposit } from './deposit.tsx';
import { Failure } from './failure.tsx';
import type { CreateVirtualAccountInput, OpenAccountMutation } from './gql/graphql.ts';
import { graphql } from './gql/index.ts';
import { Loading } from './loading.tsx';
import { More } from './more.tsx';
import { ListHead } from './list-head.tsx';
import { ofSession } from './session.ts';
import { acceptedUnseen, UnknownOutcome } from './unknown-outcome.tsx';

const AccountsDocument = graphql(`
  query Accounts($id: ID!, $after: String) {
    customer(id: $id) {
      id
      virtualAccounts(first: 10, after: $after) {
        nodes {
          id
          accountNumber
          accountName
          bankName
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

const OpenAccountDocument = graphql(`
  mutation OpenAccount($input: CreateVirtualAccountInput!) {
    createVirtualAccount(input: $input) {
      virtualAccount {
        id
        accountNumber
      }
      userErrors {
        field
        message
      }
    }
  }
`);

type Payload = NonNullable<OpenAccountMutation['createVirtualAccount']>;

export function Accounts({ id, merchant }: { readonly id: string; readonly merchant: string }) {
  const { mutate } = useApolloClient();
  const { data, error, loading, refetch, fetchMore } = useQuery(AccountsDocument, { variables: { id } });
  const { result, isSending, write, repeat, settle } = useWriter<CreateVirtualAccountInput, Payload>({
    ...ofSession,
    name: `virtual account ${merchant} ${id}`,
    remember: ['customerId'],
    send: async (input, idempotencyKey) => {
      const variables = { input: { ...input, idempotencyKey } };
      const { data, error } = await mutate({ mutation: OpenAccountDocument, variables });
      if (data?.createVirtualAccount != null) void refetch(); // the list may have one more now
      return { payload: data?.createVirtualAccount, error };
    },
  });
  const list = data?.customer?.virtualAccounts;
  const number = result?.is === 'done' ? result.payload.virtualAccount?.accountNumber : undefined;
  return (
    <section aria-labelledby="accounts">
      <h2 id="accounts">Accounts to pay into</h2>
      {list == null && loading && <Loading what="accounts" rows={2} />}
      {list == null && !loading && <Failure error={error} onRetry={() => void refetch()} />}
      {list != null && list.nodes.length === 0 && <p>There are none yet.</p>}
      {list != null && list.nodes.length > 0 && <ListHead names={['Name', 'Bank', 'Number']} />}
      <ul className="rows" aria-label="Accounts">
        {list?.nodes.map((account, index) => (
          <li key={account?.id ?? index}>
            <span>{account?.accountName ?? 'This record cannot be read at the moment.'}</span>
            <span className="fine">{account?.bankName}</span>
            {account?.accountNumber != null && <CopyButton text={account.accountNumber} />}
          </li>
        ))}
      </ul>
      {list?.pageInfo.hasNextPage === true && (
        <More
          key={list.pageInfo.endCursor}
          label="Show more accounts"
          load={() => fetchMore({ variables: { after: list.pageInfo.endCursor }, errorPolicy: 'all' })}
        />
      )}
      {result?.is === 'unknown' && (
        <UnknownOutcome
          title="We do not know yet whether the account was opened"
          error={result.error}
          isSending={isSending}
          onRepeat={repeat}
        >
          <p>Load the accounts again, and see whether there is one that was not there before.</p>
          <button type="button" onClick={() => void refetch()}>
            Load the accounts again
          </button>
          <button type="button" className="quiet" onClick={settle}>
            I have looked
          </button>
        </UnknownOutcome>
      )}
      {result?.is === 'notSent' && <Failure what="No account was opened." error={result.error} />}
      {result?.is === 'refused' && <p className="error">{result.userErrors.map(({ message }) => message).join(' ')}</p>}
      {result?.is === 'done' && result.payload.virtualAccount === null && (
        <p role="status">{acceptedUnseen} Load the page again in a minute, and look for it in this list.</p>
      )}
      {number != null && <Deposit key={number} id={id} accountNumber={number} />}
      {result?.is !== 'unknown' && (
        <p>
          <button type="button" className="quiet" disabled={isSending} onClick={() => void write({ customerId: id })}>
            {isSending ? 'Opening …' : 'Open an account'}
          </button>
        </p>
      )}
    </section>
  );
}
