import type { TransactionsQueryVariables } from './gql/graphql.ts';
import { hrefs, type Filters } from './route.ts';
import type { Transaction } from './transactions.tsx';

/** The filters as the graph takes them: whole days of the person's own zone. */
export function toVariables(id: string, { from, to, direction }: Filters): TransactionsQueryVariables {
  const midnight = (date: string, plusDays: number) => {
    const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
    return new Date(year, month - 1, day + plusDays).toISOString();
  };
  return {
    id,
    ...(from !== '' && { createdFrom: midnight(from, 0) }),
    ...(to !== '' && { createdBefore: midnight(to, 1) }),
    ...((direction === 'CREDIT' || direction === 'DEBIT') && { direction }),
  };
}

/** Chooses days and a direction. The address keeps them. */
export function StatementFilters({ id, filters }: { readonly id: string; readonly filters: Filters }) {
  const choose = (changed: Partial<Filters>) => window.location.replace(hrefs.customer(id, { ...filters, ...changed }));
  return (
    <search className="filters" aria-label="Transactions">
      <label>
        From
        <input
          type="date"
          value={filters.from}
          max={filters.to}
          onChange={(event) => choose({ from: event.target.value })}
        />
      </label>
      <label>
        To
        <input
          type="date"
          value={filters.to}
          min={filters.from}
          onChange={(event) => choose({ to: event.target.value })}
        />
      </label>
      <label>
        Direction
        <select value={filters.direction} onChange={(event) => choose({ direction: event.target.value })}>
          <option value="">In and out</option>
          <option value="CREDIT">In</option>
          <option value="DEBIT">Out</option>
        </select>
      </label>
    </search>
  );
}

/** Downloads what is shown. */
export function Download({ transactions }: { readonly transactions: readonly Transaction[] }) {
  const lines = transactions.map(({ createdAt, narration, direction, amount }) =>
    [createdAt, narration, direction, amount.amount, amount.currency].map((value) => toCell(value ?? '')).join(','),
  );
  const text = ['date,narration,direction,amount,currency', ...lines, ''].join('\r\n');
  return (
    <a href={`data:text/csv;charset=utf-8,${encodeURIComponent(text)}`} download="statement.csv">
      Download statement
    </a>
  );
}

/** A text that a spreadsheet would take for a formula has an apostrophe in front. */
function toCell(text: string): string {
  const plain = /^\s*[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
