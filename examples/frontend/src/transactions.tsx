import { useQuery } from '@apollo/client/react';
import { Failure } from './failure.tsx';
import type { TransactionsQuery } from './gql/graphql.ts';
import { graphql } from './gql/index.ts';
import { Loading } from './loading.tsx';
import { Money } from './money.tsx';
import { More } from './more.tsx';
import type { Filters } from './route.ts';
import { Download, StatementFilters, toVariables } from './statement.tsx';

export const TransactionsDocument = graphql(`
  query Transactions(
    $id: ID!
    $after: String
    $createdFrom: DateTime
    $createdBefore: DateTime
    $direction: TransactionDirection
  ) {
    customer(id: $id) {
      id
      transactions(
        first: 100
        after: $after
        createdFrom: $createdFrom
        createdBefore: $createdBefore
        direction: $direction
      ) {
        totalCount
        nodes {
          id
          narration
          direction
          createdAt
          amount {
            amount
            currency
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

type List = NonNullable<NonNullable<TransactionsQuery['customer']>['transactions']>;
export type Transaction = NonNullable<List['nodes'][number]>;

/** Pages that are loaded without being asked for, for the curve. */
const automaticPages = 5;
const days = new Intl.DateTimeFormat('en', { dateStyle: 'full' });
const times = new Intl.DateTimeFormat('en', { timeStyle: 'short' });

interface TransactionsProps {
  readonly id: string;
  readonly filters: Filters;
}

export function Transactions({ id, filters }: TransactionsProps) {
  const variables = toVariables(id, filters);
  const { data, error, loading, refetch, fetchMore } = useQuery(TransactionsDocument, { variables });
  const list = data?.customer?.transactions;
  const after = list?.pageInfo.hasNextPage === true ? list.pageInfo.endCursor : null;
  const load = () => fetchMore({ variables: { after }, errorPolicy: 'all' });
  const isAutomatic = after !== null && (list?.nodes.length ?? 0) < automaticPages * 100;
  const isEmpty = list?.nodes.length === 0;
  const isLoading = list == null ? loading : isAutomatic && error === undefined;
  return (
    <section aria-labelledby="transactions" aria-busy={isLoading} className="transactions">
      <h2 id="transactions">Transactions</h2>
      <StatementFilters id={id} filters={filters} />
      {list == null && loading && <Loading what="transactions" rows={12} />}
      {list == null && !loading && <Failure error={error} onRetry={() => void refetch()} />}
      {list != null && error !== undefined && <Failure error={error} onRetry={() => void refetch()} />}
      {list != null && (
        <>
          <p role="status" className="fine">
            {isEmpty ? 'There are none.' : `${list.nodes.length} of ${list.totalCount ?? 'more'}`}
          </p>
          {!isEmpty && <Download transactions={readable(list)} />}
          {(isLoading ? [] : byDay(readable(list))).map(([day, transactions]) => (
            <div key={day}>
              <h3>{day}</h3>
              <ul className="movements">
                {transactions.map((transaction) => (
                  <li key={transaction.id}>
                    <span>
                      {transaction.narration ?? 'No narration'}{' '}
                      <time className="fine" dateTime={transaction.createdAt ?? undefined}>
                        {transaction.createdAt !== null && times.format(new Date(transaction.createdAt))}
                      </time>
                    </span>
                    <Money money={transaction.amount} direction={transaction.direction} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
          {readable(list).length < list.nodes.length && <p>Some records cannot be read at the moment.</p>}
          {after !== null && <More key={after} label="Show more transactions" isImmediate={isAutomatic} load={load} />}
        </>
      )}
    </section>
  );
}

/** The transactions that could be read, newest first, whatever the order of the service. */
function readable({ nodes }: List): readonly Transaction[] {
  const known = nodes.filter((transaction) => transaction !== null);
  return known.toSorted((a, b) => (b.createdAt ?? '').localeCompare(a.createdAt ?? ''));
}

function byDay(transactions: readonly Transaction[]): readonly (readonly [string, readonly Transaction[]])[] {
  const dayOf = ({ createdAt }: Transaction) => (createdAt === null ? 'No date' : days.format(new Date(createdAt)));
  return [...Map.groupBy(transactions, dayOf)];
}
