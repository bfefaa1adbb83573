import { randomBytes } from 'node:crypto';

import { inTransaction, openDatabase } from './database.ts';
import { prepareLedger, type Ledger } from './ledger.ts';
import { customerCollection, prepareRecords, settlementBankCollection, type Records } from './records.ts';
import { seed } from './seed.ts';

/** All that the embedded bank remembers. */
export interface Store {
  readonly settlementBanks: Records;
  readonly customers: Records;
  readonly ledger: Ledger;
  /** Back to the seed data. */
  readonly reset: () => void;
  readonly close: () => void;
}

/** An identifier that nobody guesses; seeded records have readable ones of their own. */
export const createId = (prefix: string): string => `${prefix}_${randomBytes(8).toString('hex')}`;

/** Opens the store over a file or `:memory:`; an empty one is filled with the seed data. */
export const openStore = (location: string): Store => {
  const database = openDatabase(location);
  const tables = {
    settlementBanks: prepareRecords(database, settlementBankCollection),
    customers: prepareRecords(database, customerCollection),
    ledger: prepareLedger(database),
  };
  const isEmpty = database.prepare('SELECT NOT EXISTS (SELECT 1 FROM customers) AS empty');
  inTransaction(database, () => {
    if (isEmpty.get()?.['empty'] === 1) seed(tables);
  });
  return {
    ...tables,
    reset: () =>
      inTransaction(database, () => {
        database.exec('DELETE FROM transactions; DELETE FROM accounts;');
        database.exec('DELETE FROM customers; DELETE FROM settlement_banks;');
        seed(tables);
      }),
    close: () => database.close(),
  };
};
