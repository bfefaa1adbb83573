import { randomBytes } from 'node:crypto';

import { inTransaction, openDatabase } from './database.ts';
import { prepareLedger } from './ledger.ts';
import { customerCollection, prepareRecords, settlementBankCollection } from './records.ts';
import { seed, type Tables } from './seed.ts';

export type Store = ReturnType<typeof open>;

/** A random identifier; those of the seed data are readable instead. */
export const createId = (prefix: string): string => `${prefix}_${randomBytes(8).toString('hex')}`;

/** Opens the store over a file or `:memory:`, and fills an empty one with the seed data. Throws where it cannot. */
export const openStore = (location: string): Store => {
  try {
    return open(location);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new Error(
      `BANK_DATABASE: ${location} could not be opened (${reason}); allowed: \`:memory:\`, or a file that this process may write, in a folder that it may write.`,
      { cause: error },
    );
  }
};

const open = (location: string) => {
  const database = openDatabase(location);
  const tables: Tables = {
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
    /** Deletes everything and inserts the seed data again. */
    reset: (): void =>
      inTransaction(database, () => {
        database.exec('DELETE FROM transactions; DELETE FROM accounts;');
        database.exec('DELETE FROM customers; DELETE FROM settlement_banks;');
        seed(tables);
      }),
    close: (): void => database.close(),
  };
};
