import type { Ledger } from './ledger.ts';
import { demoMerchants } from '../merchants.ts';
import type { Records } from './records.ts';

export interface Tables {
  readonly settlementBanks: Records;
  readonly customers: Records;
  readonly ledger: Ledger;
}

interface Plan {
  readonly merchant: string;
  /** Distinguishes the identifiers of the merchants. */
  readonly mark: string;
  readonly customers: number;
  readonly settlementBanks: number;
  /** Sizes of the first customer; the others have 3 to 25 transactions and one account. */
  readonly first: { readonly transactions?: number; readonly virtualAccounts: number };
}

const [{ name: first }, { name: second }] = demoMerchants;
const plans: readonly Plan[] = [
  { merchant: first, mark: '', customers: 64, settlementBanks: 7, first: { transactions: 130, virtualAccounts: 2 } },
  { merchant: second, mark: '2_', customers: 12, settlementBanks: 3, first: { virtualAccounts: 1 } },
];

const firstNames = ['Ada', 'Bola', 'Chidi', 'Dayo', 'Efe', 'Femi', 'Gozie', 'Halima', 'Ibrahim', 'Jumoke', 'Kemi'];
const lastNames = ['Example', 'Sample', 'Specimen', 'Placeholder', 'Testcase', 'Demo', 'Fixture'];
const narrations = {
  credit: ['Transfer in', 'Card payment', 'Refund', 'Salary'],
  debit: ['Transfer out', 'Airtime', 'Bill payment', 'Service fee'],
} as const;

const firstDay = Date.UTC(2025, 0, 1, 8);
const hour = 3_600_000;

/** Integers from 0 to below `limit`, the same on every run (a linear congruential generator). */
const createRandom = () => {
  let state = 20250101;
  return (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
};

type Random = ReturnType<typeof createRandom>;

const pick = (random: Random, from: readonly string[]): string => from[random(from.length)] ?? '';

const padDigits = (value: number, length: number): string => String(value).padStart(length, '0');

const toTime = (hours: number): string => new Date(firstDay + hours * hour).toISOString();

const toCustomer = (mark: string, index: number, random: Random) => {
  const code = `${mark}${padDigits(index, 4)}`.replace('_', '-');
  return {
    first_name: pick(random, firstNames),
    last_name: pick(random, lastNames),
    dob: `${1960 + random(45)}-${padDigits(1 + random(12), 2)}-${padDigits(1 + random(28), 2)}`,
    phone: `+2340000000${padDigits(mark === '' ? index : 500 + index, 3)}`,
    email: `customer-${code}@example.com`,
    reference: `demo-customer-${code}`,
    type: 'wallet',
    collection_wallet: `wal_${mark}0001`,
  };
};

/** A random walk that starts with a credit and never overdraws the balance. */
const seedTransactions = (ledger: Ledger, customer: string, count: number, random: Random, nextId: () => string) => {
  let balanceKobo = 0;
  for (let index = 1; index <= count; index += 1) {
    const amountKobo = 100 + random(5_000_000);
    const type = amountKobo <= balanceKobo && random(2) === 0 ? 'debit' : 'credit';
    balanceKobo += type === 'credit' ? amountKobo : -amountKobo;
    const id = nextId();
    const narration = pick(random, narrations[type]);
    const reference = `demo-${id.replaceAll('_', '-')}`;
    const now = toTime(200 + index);
    ledger.insertTransaction({ customer, id, reference, narration, type, amountKobo: BigInt(amountKobo), now });
  }
};

const seedSettlementBanks = (records: Records, { merchant, mark, settlementBanks }: Plan): void => {
  for (let index = 1; index <= settlementBanks; index += 1) {
    const fields = {
      name: `Example settlement ${index}`,
      account_no: padDigits(index, 10),
      account_name: merchant,
      bank_code: padDigits(900 + index, 3),
      bank_slug: `example-bank-${index}`,
    };
    records.insert(merchant, `stb_${mark}${padDigits(index, 4)}`, fields, toTime(index));
  }
};

const seedCustomers = ({ customers, ledger }: Tables, plan: Plan, random: Random): void => {
  const { merchant, mark, first } = plan;
  const createIds = (prefix: string) => {
    let count = 0;
    return () => `${prefix}_${mark}${padDigits((count += 1), 4)}`;
  };
  const nextAccountId = createIds('acc');
  const nextTransactionId = createIds('txn');
  for (let index = 1; index <= plan.customers; index += 1) {
    const customer = `cus_${mark}${padDigits(index, 4)}`;
    const fields = toCustomer(mark, index, random);
    const accountName = `${fields.first_name} ${fields.last_name}`;
    const now = toTime(index);
    const usualCount = 3 + random(23);
    customers.insert(merchant, customer, fields, now);
    for (let account = 0; account < (index === 1 ? first.virtualAccounts : 1); account += 1)
      ledger.insertVirtualAccount({ customer, id: nextAccountId(), accountName, now });
    const count = index === 1 ? (first.transactions ?? usualCount) : usualCount;
    seedTransactions(ledger, customer, count, random, nextTransactionId);
  }
};

/** Fills empty tables with invented data, the same every time. */
export const seed = (tables: Tables): void => {
  const random = createRandom();
  for (const plan of plans) {
    seedSettlementBanks(tables.settlementBanks, plan);
    seedCustomers(tables, plan, random);
  }
};
