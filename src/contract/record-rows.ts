import { z } from 'zod';
import { assumption, at, pointers, unmapped, words, type Row } from './row.ts';

const identifiedBy = (...list: string[]): Row<readonly string[] | 'none' | 'undecided'> =>
  assumption(
    'the record must have the identifier of the read at one of these; none: this is not checked; undecided: no single record is read',
    list,
    z.union([pointers, z.enum(['none', 'undecided'])]),
  );

const directionWords =
  'these texts of `direction`, else of `type`, decide, whatever their case; another text says nothing';

/** The usual names, in the record or in an object round the amount. */
const currency = at(
  '/currency',
  '/Currency',
  '/CURRENCY',
  '/currency_code',
  '/currencyCode',
  '/currency_iso',
  '/currencyIso',
  '/iso_currency',
  '/isoCurrency',
  '/ccy',
);

/** Where each field stands in its record. */
export const recordRows = {
  'settlementBank.id': at('/id'),
  'settlementBank.name': at('/name'),
  'settlementBank.accountNumber': at('/account_no'),
  'settlementBank.accountName': at('/account_name'),
  'settlementBank.bankCode': at('/bank_code'),
  'settlementBank.bankSlug': at('/bank_slug'),
  'settlementBank.createdAt': at('/created_at'),
  'settlementBank.updatedAt': at('/updated_at'),
  'settlementBank.status': at('/status'),
  'settlementBank.identifiedBy': identifiedBy('/id'),
  'customer.id': at('/id'),
  'customer.reference': at('/reference'),
  'customer.firstName': at('/first_name'),
  'customer.lastName': at('/last_name'),
  'customer.email': at('/email'),
  'customer.phone': at('/phone'),
  'customer.dateOfBirth': at('/dob'),
  'customer.type': at('/type'),
  'customer.status': at('/status'),
  'customer.collectionWalletId': at('/collection_wallet'),
  'customer.createdAt': at('/created_at'),
  'customer.updatedAt': at('/updated_at'),
  'customer.balance': unmapped(),
  'customer.virtualAccounts': unmapped(),
  'customer.identifiedBy': identifiedBy('/id', '/code', '/reference', '/email'),
  'customer.readsTogether': assumption(
    'true: reads below a customer are sent together with the read of its record, by the same identifier; false: after it',
    true,
    z.boolean(),
  ),
  'balance.value': at('/balance', '/available_balance', '/available'),
  'balance.valueMinor': at('/balanceKobo', '/balance_kobo'),
  'balance.available': unmapped(),
  'balance.availableMinor': unmapped(),
  'balance.ledger': unmapped(),
  'balance.ledgerMinor': unmapped(),
  'balance.currency': currency,
  'balance.customerId': unmapped(),
  'transaction.id': at('/id', '/uuid'),
  'transaction.reference': at('/reference'),
  'transaction.narration': at('/narration', '/description'),
  'transaction.type': at('/type'),
  'transaction.direction': assumption('its words decide the direction, before those of `type`', [], pointers),
  'transaction.status': at('/status'),
  'transaction.amount': at('/amount'),
  'transaction.amountMinor': at('/amount_kobo', '/amountKobo'),
  'transaction.currency': currency,
  'transaction.createdAt': at('/created_at'),
  'transaction.customerId': unmapped(),
  'transaction.creditWords': assumption(directionWords, ['credit', 'deposit'], words),
  'transaction.debitWords': assumption(directionWords, ['debit', 'withdrawal'], words),
  'account.id': at('/id', '/code', '/reference', '/account_number', '/account_no'),
  'account.accountNumber': at('/account_number', '/account_no'),
  'account.accountName': at('/account_name'),
  'account.bankName': at('/bank_name'),
  'account.bankCode': at('/bank_code'),
  'account.status': at('/status'),
  'account.amount': at('/amount'),
  'account.amountMinor': at('/amount_kobo', '/amountKobo'),
  'account.currency': currency,
  'account.expiresAt': at('/expires_at', '/expiry_date'),
  'account.createdAt': at('/created_at'),
  'account.customerId': unmapped(),
} as const;
