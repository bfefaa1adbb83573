import type { DatabaseSync } from 'node:sqlite';

import { preparePages, type Page, type Row, type Window } from './records.ts';

interface Transaction {
  readonly customer: string;
  readonly id: string;
  readonly reference: string;
  readonly narration: string;
  readonly type: 'credit' | 'debit';
  readonly amountKobo: bigint;
  readonly now: string;
}

interface Balance {
  readonly kobo: bigint;
  readonly amount: string;
}

interface Account {
  readonly customer: string;
  readonly id: string;
  readonly accountName: string;
  readonly now: string;
}

interface OneTimeAccount extends Account {
  /** The only amount that the account takes; null for any. */
  readonly amountKobo: bigint | null;
  readonly expiresAt: string;
}

/** The account that a deposit goes to. */
interface Payee {
  readonly customer: string;
  readonly amountKobo: bigint | null;
}

/** Transactions, accounts, and the balance that follows from them. Customers are named by id. */
export interface Ledger {
  readonly balance: (customer: string) => Balance;
  readonly listTransactions: (customer: string, type: string | null, window: Window) => Page;
  readonly insertTransaction: (transaction: Transaction) => Row | undefined;
  readonly listVirtualAccounts: (customer: string, window: Window) => Page;
  readonly insertVirtualAccount: (account: Account) => Row | undefined;
  readonly insertOneTimeAccount: (account: OneTimeAccount) => Row | undefined;
  readonly findPayee: (accountNumber: string) => Payee | undefined;
}

/** SQL for kobo as the wire has them: text in major units with two digits. SQLite counts in 64-bit integers here. */
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
    where: 'customer = :customer AND (:type IS NULL OR type = :type)',
  });
  return {
    balance: (customer: string) => {
      const row = balance.get({ customer });
      // An integer is read as a bigint here.
      return { kobo: row?.['amount_kobo'] as bigint, amount: String(row?.['amount']) };
    },
    insertTransaction: (transaction: Transaction) => insert.get({ ...transaction }),
    listTransactions: (customer: string, type: string | null, window: Window) => pages({ customer, type }, window),
  };
};

const prepareAccounts = (database: DatabaseSync) => {
  // Account numbers count up over all merchants, from 9000000001.
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
    listVirtualAccounts: (customer: string, window: Window) => pages({ customer }, window),
    insertVirtualAccount: (account: Account) =>
      insertVirtual.get({ ...account, kind: 'virtual', amountKobo: null, expiresAt: null }),
    insertOneTimeAccount: (account: OneTimeAccount) => insertOneTime.get({ ...account, kind: 'one-time' }),
    findPayee: (accountNumber: string) => {
      const found = payee.get({ accountNumber });
      // As above: a bigint, or null where the account takes any amount.
      return found && { customer: String(found['customer']), amountKobo: found['amount_kobo'] as bigint | null };
    },
  };
};

export const prepareLedger = (database: DatabaseSync): Ledger => ({
  ...prepareTransactions(database),
  ...prepareAccounts(database),
});
