import { z } from 'zod';
import type { ValueOrError } from '../domain/records.ts';
import { field, placeRows, writeOnly, type Fields, type InputOf, type RecordOf } from './record-fields.ts';
import { assumption, choice, pointers, spelt, words, type Row } from './row.ts';

/** The usual names, in the record or in an object round the amount. */
const currency = field(
  null,
  spelt('currency', 'Currency', 'CURRENCY', 'currency_code', 'currency_iso', 'iso_currency', 'ccy'),
);

const deleted = field(null, [], {
  reason:
    'anything there but an empty value, false or 0: the record is gone; a read of it is null, and lists leave it out, of whose `lists.total` it is a part',
});

const onlyDigits = { pattern: /^\d+$/, message: 'Must be digits.' };
const elevenDigits = { pattern: /^\d{11}$/, message: 'Must be 11 digits.' };
const slug = {
  pattern: /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  message: 'Must be lower-case words of letters and digits, joined by hyphens.',
};
const plusAndDigits = { pattern: /^\+\d+$/, message: 'Must be a + and digits.' };
// Each part of an address is bounded by the class before it, so the test takes time linear in the text.
const emailAddress = {
  pattern: /^(?=.{1,254}$)[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/,
  message: 'Must be an e-mail address.',
};
const pii = true;

/**
 * The records of the service, a line a field. From these tables follow the types, the decoders, the encoders with their
 * checks, the rows of the contract and the embedded bank's columns. Formats are those of section 2 of the interface
 * document, and the general form of an e-mail address.
 */
export const records = {
  settlementBank: {
    id: field('identifier', '/id'),
    name: field('text', '/name', { write: 'name' }),
    accountNumber: field('digits', '/account_no', { write: 'account_no', format: onlyDigits, names: true }),
    accountName: field('text', '/account_name', { write: 'account_name' }),
    bankCode: field('digits', '/bank_code', { write: 'bank_code', format: onlyDigits }),
    bankSlug: field('text', '/bank_slug', { write: 'bank_slug', format: slug }),
    createdAt: field('dateTime', '/created_at'),
    updatedAt: field('dateTime', '/updated_at'),
    status: field(null, '/status'),
    deleted,
  },
  customer: {
    id: field('identifier', '/id'),
    firstName: field('text', '/first_name', { write: 'first_name', pii }),
    lastName: field('text', '/last_name', { write: 'last_name', pii }),
    nin: writeOnly({ write: 'nin', format: elevenDigits, pii }),
    dateOfBirth: field('date', '/dob', { write: 'dob', pii }),
    bvn: writeOnly({ write: 'bvn', mayBeEmpty: true, pii }),
    phone: field('phone', '/phone', { write: 'phone', format: plusAndDigits, pii }),
    email: field('text', '/email', { write: 'email', format: emailAddress, names: true, pii }),
    reference: field('text', '/reference', { write: 'reference', names: true }),
    type: field('text', '/type', { write: 'type' }),
    collectionWalletId: field('reference', '/collection_wallet', { write: 'collection_wallet' }),
    status: field('status', '/status'),
    createdAt: field('dateTime', '/created_at'),
    updatedAt: field('dateTime', '/updated_at'),
    deleted,
    balance: field('embedded', []),
    virtualAccounts: field('embedded', []),
  },
  balance: {
    value: field('money', ['/balance', '/available_balance', '/available'], {
      minor: ['/balanceKobo', '/balance_kobo'],
    }),
    available: field('optionalMoney', [], { minor: [] }),
    ledger: field('optionalMoney', [], { minor: [] }),
    currency,
    customerId: field(null, []),
  },
  transaction: {
    id: field('identifier', ['/id', '/uuid']),
    reference: field('text', '/reference'),
    narration: field('text', ['/narration', '/description']),
    type: field('text', '/type'),
    direction: field('direction', [], { reason: 'its words decide the direction, before those of `type`' }),
    status: field('status', '/status'),
    amount: field('magnitude', '/amount', { minor: ['/amount_kobo', '/amountKobo'] }),
    currency,
    createdAt: field('dateTime', '/created_at'),
    customerId: field(null, []),
  },
  /** A one-time account; a virtual account has neither `amount` nor `expiresAt`. */
  account: {
    id: field('identifier', ['/id', '/code', '/reference', '/account_number', '/account_no']),
    accountNumber: field('digits', ['/account_number', '/account_no'], { pii }),
    accountName: field('text', '/account_name', { pii }),
    bankName: field('text', '/bank_name'),
    bankCode: field('digits', '/bank_code'),
    status: field('status', '/status'),
    amount: field('optionalUnsignedMoney', '/amount', { write: 'amount', minor: ['/amount_kobo', '/amountKobo'] }),
    currency,
    expiresAt: field('dateTime', ['/expires_at', '/expiry_date']),
    createdAt: field('dateTime', '/created_at'),
    customerId: field(null, []),
  },
} as const;

export type RecordKind = keyof typeof records;

/** The types of the graph that are read from a record of the service, each with its table. */
export const recordTypes = {
  SettlementBank: 'settlementBank',
  Customer: 'customer',
  Balance: 'balance',
  CustomerTransaction: 'transaction',
  VirtualAccount: 'account',
  OneTimeAccount: 'account',
} as const satisfies Readonly<Record<string, RecordKind>>;

/** The fields whose texts may be numbers at the service. */
export const textNames = Object.values<Fields>(records)
  .flatMap((table) => Object.entries(table))
  .flatMap(([name, { form }]) => (/^(?:text|phone|digits|reference)$/.test(form ?? '') ? [name] : []));

/** The fields of accounts that virtual ones do not have. */
export const oneTimeFields = ['amount', 'expiresAt'] as const;

export type SettlementBank = RecordOf<typeof records.settlementBank>;
export type Balance = RecordOf<typeof records.balance>;
export type CustomerTransaction = RecordOf<typeof records.transaction>;
export type OneTimeAccount = RecordOf<typeof records.account>;
export type VirtualAccount = Omit<OneTimeAccount, (typeof oneTimeFields)[number]>;

/** `balance` and `virtualAccounts` are null where the service's record does not contain them; they then need a call. */
export type Customer = RecordOf<typeof records.customer> & {
  readonly balance: ValueOrError<Balance | null>;
  readonly virtualAccounts: ValueOrError<readonly ValueOrError<VirtualAccount>[] | null>;
};

export type SettlementBankInput = InputOf<typeof records.settlementBank>;
export type CustomerInput = InputOf<typeof records.customer>;
export interface VirtualAccountInput {
  readonly customerId: string;
}
export type OneTimeAccountInput = VirtualAccountInput & InputOf<typeof records.account>;

const identifiedBy = (...list: string[]): Row<readonly string[] | 'none' | 'undecided'> =>
  assumption(
    'the record must have the identifier of the read at one of these; none: this is not checked; undecided: no single record is read',
    list,
    z.union([pointers, z.enum(['none', 'undecided'])]),
  );
const directionWords =
  'these texts of `direction`, else of `type`, decide, whatever their case; another text says nothing. So does the name of the column of the amount: of /debit and /credit the one above zero';

/** Where each field stands in its record, and what else is to be known of the record. */
export const recordRows = {
  ...placeRows('settlementBank', records.settlementBank),
  'settlementBank.identifiedBy': identifiedBy('/id'),
  ...placeRows('customer', records.customer),
  'customer.identifiedBy': identifiedBy('/id', '/code', '/reference', '/email'),
  'customer.readsTogether': assumption(
    'true: reads below a customer are sent together with the read of its record, by the same identifier; false: after it',
    true,
    z.boolean(),
  ),
  ...placeRows('balance', records.balance),
  ...placeRows('transaction', records.transaction),
  'transaction.creditWords': assumption(directionWords, ['credit', 'deposit'], words),
  'transaction.debitWords': assumption(directionWords, ['debit', 'withdrawal'], words),
  'transaction.sign': choice(
    'debit: a negative amount is a DEBIT, a positive one alone says nothing; both: that is a CREDIT',
    ['debit', 'both'],
  ),
  ...placeRows('account', records.account),
} as const;
