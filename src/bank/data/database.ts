import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { columnsOf, customerCollection, settlementBankCollection, type Collection } from './records.ts';

const collectionTable = (collection: Collection): string => `
  CREATE TABLE IF NOT EXISTS ${collection.table} (
    sequence INTEGER PRIMARY KEY,
    merchant TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    ${columnsOf(collection)
      .map((column) => `${column} TEXT,`)
      .join('\n')}
    ${collection.internalFields.map((column) => `${column} TEXT NOT NULL DEFAULT 'active',`).join('\n')}
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (merchant, ${collection.unique})
  ) STRICT;`;

/** `sequence` is the order of creation, by which all lists are sorted. Amounts are whole kobo. */
const schema = `
  ${collectionTable(settlementBankCollection)}
  ${collectionTable(customerCollection)}
  CREATE TABLE IF NOT EXISTS accounts (
    sequence INTEGER PRIMARY KEY,
    customer TEXT NOT NULL REFERENCES customers (id),
    kind TEXT NOT NULL CHECK (kind IN ('virtual', 'one-time')),
    id TEXT NOT NULL UNIQUE,
    account_number TEXT NOT NULL UNIQUE,
    account_name TEXT NOT NULL,
    amount_kobo INTEGER CHECK (amount_kobo > 0),
    expires_at TEXT,
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS transactions (
    sequence INTEGER PRIMARY KEY,
    customer TEXT NOT NULL REFERENCES customers (id),
    id TEXT NOT NULL UNIQUE,
    reference TEXT NOT NULL,
    narration TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN ('credit', 'debit')),
    amount_kobo INTEGER NOT NULL CHECK (amount_kobo > 0),
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS settlement_banks_by_merchant ON settlement_banks (merchant);
  CREATE INDEX IF NOT EXISTS customers_by_merchant ON customers (merchant);
  CREATE INDEX IF NOT EXISTS accounts_by_customer ON accounts (customer, kind);
  CREATE INDEX IF NOT EXISTS transactions_by_customer ON transactions (customer);
`;

/** Opens the database and creates missing tables. `location` is `:memory:` or a file, whose folder is created too. */
export const openDatabase = (location: string): DatabaseSync => {
  if (location !== ':memory:') mkdirSync(dirname(location), { recursive: true });
  const database = new DatabaseSync(location, { timeout: 5000 });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  // SQLite's lower() folds ASCII only.
  database.function('folded', { deterministic: true }, (text) => String(text).toLowerCase());
  database.exec(schema);
  return database;
};

export const inTransaction = (database: DatabaseSync, work: () => void): void => {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
};
