import type { DatabaseSync } from 'node:sqlite';

import type { Filters } from '../validate.ts';
import { preparePages, type PageRequest } from './records.ts';

interface Transaction {
  readonly customer: string;
  readonly id: string;
  readonly reference: string;
  readonly narration: string;
  readonly type: 'credit' | 'debit';
  readonly amountKobo: bigint;
  readonly now: string;
}

interface Account {
  readonly customer: string;
  readonly id: string;
  readonly accountName: string;
  readonly now: string;
}

interface OneTimeAccount extends Account {
  /** The only amount that the account accepts; null for any. */
  readonly amountKobo: bigint | null;
  readonly expiresAt: string;
}

/** Transactions, accounts, and the balances that follow from them. `customer` is always an id. */
export type Ledger = ReturnType<typeof prepareLedger>;

/** SQL for kobo in the wire format: text in major units with two decimals. SQLite computes in 64-bit integers. */
const amountText = "iif(amount_kobo IS NULL, NULL, format('%d.%02d', amount_kobo / 100, amount_kobo % 100)) AS amount";
const transactionColumns = `id, reference, narration, type, 'successful' AS status, ${amountText}, created_at`;
const accountColumns = `id, account_number, account_name, 'Example Bank' AS bank_name, '999' AS bank_code,
  'active' AS status, created_at`;
const oneTimeAccountColumns = `${accountColumns}, ${amountText}, expires_at`;

const prepareTransactions = (database: DatabaseSync) => {
  const balance = database.prepare(
    `SELECT amount_kobo, ${amountText} FROM (
       SELECT coalesce(sum(iif(type = 'credit', amount_kobo, -amount_kobo)), 0) AS amount_kobo
       FROM transactions WHERE customer = :customer)`,
  );
  balance.setReadBigInts(true);
  const insert = database.prepare(
    `INSERT INTO transactions (customer, id, reference, narration, type, amount_kobo, created_at)
     VALUES (:customer, :id, :reference, :narration, :type, :amountKobo, :now) RETURNING ${transactionColumns}`,
  );
  const pages = preparePages(database, {
    columns: transactionColumns,
    table: 'transactions',
    where: `customer = :customer
      AND type = coalesce(:type, type) AND type = coalesce(:direction, type)
      AND 'successful' = coalesce(:status, 'successful') AND reference = coalesce(:reference, reference)
      AND instr(folded(narration), folded(coalesce(:search, ''))) > 0
      AND created_at >= coalesce(:from, '') AND created_at < coalesce(:before, '9999')`,
    order: 'DESC',
  });
  return {
    balance: (customer: string) => {
      const row = balance.get({ customer });
      // setReadBigInts makes every integer a bigint.
      return { kobo: row?.['amount_kobo'] as bigint, amount: String(row?.['amount']) };
    },
    insertTransaction: (transaction: Transaction) => insert.get({ ...transaction }),
    listTransactions: (customer: string, filters: Filters, page: PageRequest) => pages({ customer, ...filters }, page),
  };
};

const prepareAccounts = (database: DatabaseSync) => {
  // Account numbers are shared by all merchants and start at 9000000001.
  const prepareInsert = (columns: string) =>
    database.prepare(
      `INSERT INTO accounts (customer, kind, id, account_number, account_name, amount_kobo, expires_at, created_at)
       VALUES (:customer, :kind, :id,
         (SELECT CAST(9000000001 + coalesce(max(sequence), 0) AS TEXT) FROM accounts),
         :accountName, :amountKobo, :expiresAt, :now) RETURNING ${columns}`,
    );
  const insertVirtual = prepareInsert(accountColumns);
  const insertOneTime = prepareInsert(oneTimeAccountColumns);
  const payee = database.prepare('SELECT customer, amount_kobo FROM accounts WHERE account_number = :accountNumber');
  payee.setReadBigInts(true);
  const pages = preparePages(database, {
    columns: accountColumns,
    table: 'accounts',
    where: "customer = :customer AND kind = 'virtual'",
  });
  return {
    listVirtualAccounts: (customer: string, page: PageRequest) => pages({ customer }, page),
    insertVirtualAccount: (account: Account) =>
      insertVirtual.get({ ...account, kind: 'virtual', amountKobo: null, expiresAt: null }),
    insertOneTimeAccount: (account: OneTimeAccount) => insertOneTime.get({ ...account, kind: 'one-time' }),
    findPayee: (accountNumber: string) => {
      const row = payee.get({ accountNumber });
      // The same, or null where the account accepts any amount.
      return row && { customer: String(row['customer']), amountKobo: row['amount_kobo'] as bigint | null };
    },
  };
};

export const prepareLedger = (database: DatabaseSync) => ({
  ...prepareTransactions(database),
  ...prepareAccounts(database),
});
