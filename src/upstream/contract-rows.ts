import { z } from 'zod';
import {
  assumption,
  collectionPath,
  credentials,
  decision,
  fact,
  filter,
  pointers,
  readMethod,
  recordPath,
  typeWords,
  wireName,
  words,
  writeMethod,
  type Row,
  type CredentialName,
  type Method,
  type MoneyUnit,
  type PageStyle,
} from './contract-row.ts';
import { currencyDigits } from './money.ts';

const get = (kind: Row<Method>['kind']): Row<Method> => ({
  kind,
  source: kind === 'fact' ? 'section 4' : 'reads are GET',
  value: 'GET',
  schema: readMethod,
});
const below = (path: string): Row<string> =>
  assumption('named after the operation, below its record', path, recordPath);
const byGroup = (name: CredentialName): Row<readonly CredentialName[]> =>
  assumption('the published operation of the same group takes it', [name], credentials);

const operations = {
  getSettlementBank: {
    method: get('assumption'),
    path: below('/settlement-banks/{id}'),
    credentials: byGroup('bearer'),
  },
  listSettlementBanks: {
    method: get('assumption'),
    path: assumption('the published collection path', '/settlement-banks/', collectionPath),
    credentials: byGroup('bearer'),
  },
  storeSettlementBank: {
    method: fact<Method>('4', 'POST', writeMethod),
    path: fact('4', '/settlement-banks/', collectionPath),
    credentials: fact<readonly CredentialName[]>('5', ['bearer'], credentials),
  },
  updateSettlementBank: {
    method: assumption<Method>('as the customer update', 'PATCH', writeMethod),
    path: below('/settlement-banks/{id}'),
    credentials: byGroup('bearer'),
  },
  getCustomer: { method: get('fact'), path: below('/customers/{id}'), credentials: byGroup('privateKey') },
  listCustomers: {
    method: get('fact'),
    path: assumption('the published collection path', '/customers/', collectionPath),
    credentials: byGroup('privateKey'),
  },
  createCustomer: {
    method: fact<Method>('4', 'POST', writeMethod),
    path: fact('4', '/customers/', collectionPath),
    credentials: fact<readonly CredentialName[]>('5', ['privateKey'], credentials),
  },
  updateCustomer: {
    method: fact<Method>('4', 'PATCH', writeMethod),
    path: below('/customers/{id}'),
    credentials: byGroup('privateKey'),
  },
  getCustomerBalance: {
    method: get('fact'),
    path: below('/customers/{id}/balance'),
    credentials: byGroup('privateKey'),
  },
  listCustomerTransactions: {
    method: get('fact'),
    path: below('/customers/{id}/transactions'),
    credentials: byGroup('privateKey'),
  },
  listCustomerVirtualAccounts: {
    method: get('fact'),
    path: below('/customers/{id}/virtual-accounts'),
    credentials: byGroup('privateKey'),
  },
  createCustomerVirtualAccount: {
    method: fact<Method>('4', 'POST', writeMethod),
    path: below('/customers/{id}/virtual-accounts'),
    credentials: byGroup('privateKey'),
  },
  createCustomerOneTimeAccount: {
    method: fact<Method>('4', 'POST', writeMethod),
    path: below('/customers/{id}/one-time-accounts'),
    credentials: byGroup('privateKey'),
  },
} as const;

export type OperationName = keyof typeof operations;
export type ListName = Extract<OperationName, `list${string}`>;

type OperationRows = { readonly [Key in `${OperationName}.method`]: Row<Method> } & {
  readonly [Key in `${OperationName}.path`]: Row<string>;
} & { readonly [Key in `${OperationName}.credentials`]: Row<readonly CredentialName[]> };

/** One row per operation and property: `getCustomer.path`. */
const operationRows = Object.fromEntries(
  Object.entries(operations).flatMap(([name, rows]) =>
    Object.entries(rows).map(([property, row]) => [`${name}.${property}`, row]),
  ),
) as unknown as OperationRows; // fromEntries forgets the keys that the table above just gave it

type Names = Readonly<Record<string, string>>;

/** Wire names for input fields of an operation; only those that it has. */
const namesFor = (names: Names): z.ZodType<Names> => z.strictObject(shapeFor(names)) as unknown as z.ZodType<Names>; // optional keys are absent, not undefined
const shapeFor = (names: Names) => Object.fromEntries(Object.keys(names).map((field) => [field, wireName.optional()]));
const published = (names: Names): Row<Names> => fact('2', names, namesFor(names));
const alike = (names: Names): Row<Names> => assumption('the names of the create operation', names, namesFor(names));

const oneTimeAccountNames = { amount: 'amount' };
const settlementBankNames = {
  name: 'name',
  accountNumber: 'account_no',
  accountName: 'account_name',
  bankCode: 'bank_code',
  bankSlug: 'bank_slug',
};
const customerNames = {
  firstName: 'first_name',
  lastName: 'last_name',
  nin: 'nin',
  dateOfBirth: 'dob',
  bvn: 'bvn',
  phone: 'phone',
  email: 'email',
  reference: 'reference',
  type: 'type',
  collectionWalletId: 'collection_wallet',
};

const noneRequired = (names: Names): Row<readonly string[]> =>
  assumption('required or optional: not shown', [], z.array(z.enum(Object.keys(names))));
const noConstants = (): Row<Readonly<Record<string, unknown>>> =>
  assumption('none are shown', {}, z.record(wireName, z.json()));

const bodyRows = {
  'storeSettlementBank.body': published(settlementBankNames),
  'storeSettlementBank.required': noneRequired(settlementBankNames),
  'storeSettlementBank.constants': noConstants(),
  'updateSettlementBank.body': alike(settlementBankNames),
  'updateSettlementBank.required': noneRequired(settlementBankNames),
  'updateSettlementBank.constants': noConstants(),
  'createCustomer.body': published(customerNames),
  'createCustomer.required': noneRequired(customerNames),
  'createCustomer.constants': noConstants(),
  'updateCustomer.body': alike(customerNames),
  'updateCustomer.required': noneRequired(customerNames),
  'updateCustomer.constants': noConstants(),
  'createCustomerVirtualAccount.body': assumption('an empty object', {}, namesFor({})),
  'createCustomerVirtualAccount.required': noneRequired({}),
  'createCustomerVirtualAccount.constants': noConstants(),
  'createCustomerOneTimeAccount.body': assumption('the usual name', oneTimeAccountNames, namesFor(oneTimeAccountNames)),
  'createCustomerOneTimeAccount.required': noneRequired(oneTimeAccountNames),
  'createCustomerOneTimeAccount.constants': noConstants(),
} as const;

const at = (...list: string[]): Row<readonly string[]> =>
  assumption('the first of these that is present and not null', list, pointers);
const unmapped = (): Row<readonly string[]> => assumption('no answer is known to carry it', [], pointers);

const recordRows = {
  'settlementBank.id': at('/id'),
  'settlementBank.name': at('/name'),
  'settlementBank.accountNumber': at('/account_no'),
  'settlementBank.accountName': at('/account_name'),
  'settlementBank.bankCode': at('/bank_code'),
  'settlementBank.bankSlug': at('/bank_slug'),
  'settlementBank.createdAt': at('/created_at'),
  'settlementBank.updatedAt': at('/updated_at'),
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
  'balance.value': at('/balance', '/available_balance', '/available'),
  'balance.valueMinor': at('/balanceKobo', '/balance_kobo'),
  'balance.available': unmapped(),
  'balance.availableMinor': unmapped(),
  'balance.ledger': unmapped(),
  'balance.ledgerMinor': unmapped(),
  'balance.currency': at('/currency'),
  'transaction.id': at('/id', '/uuid'),
  'transaction.reference': at('/reference'),
  'transaction.narration': at('/narration', '/description'),
  'transaction.type': at('/type'),
  'transaction.status': at('/status'),
  'transaction.amount': at('/amount'),
  'transaction.amountMinor': at('/amount_kobo', '/amountKobo'),
  'transaction.currency': at('/currency'),
  'transaction.createdAt': at('/created_at'),
  'transaction.creditWords': assumption('direction is told by the words of `type`', ['credit', 'deposit'], typeWords),
  'transaction.debitWords': assumption('direction is told by the words of `type`', ['debit', 'withdrawal'], typeWords),
  'account.id': at('/id', '/code', '/reference', '/account_number', '/account_no'),
  'account.accountNumber': at('/account_number', '/account_no'),
  'account.accountName': at('/account_name'),
  'account.bankName': at('/bank_name'),
  'account.bankCode': at('/bank_code'),
  'account.status': at('/status'),
  'account.amount': at('/amount'),
  'account.amountMinor': at('/amount_kobo', '/amountKobo'),
  'account.currency': at('/currency'),
  'account.expiresAt': at('/expires_at', '/expiry_date'),
  'account.createdAt': at('/created_at'),
} as const;

const pageStyle = (): Row<PageStyle> =>
  assumption<PageStyle>('pages are numbered', 'page', z.enum(['page', 'offset', 'cursor', 'none']));
const searchMatch = (): Row<'contains' | 'none'> =>
  assumption<'contains' | 'none'>(
    'a record found holds the text searched for',
    'contains',
    z.enum(['contains', 'none']),
  );

const unitOf = (what: string): Row<MoneyUnit | null> =>
  decision<MoneyUnit>(`of ${what}, where it differs from money.unit`, z.enum(['major', 'minor']).nullable());

const noFilter = (): Row<string | null> =>
  assumption('filters are not shown; a service that ignores one would answer unfiltered', null, filter);

const serviceRows = {
  'service.prefix': fact('1', '/api/v1', collectionPath),
  'service.contentType': fact('4', 'application/json', z.string().regex(/^[\w.+-]+\/[\w.+-]+$/, 'a media type')),
  'envelope.success': assumption('`{success, message, data}`', ['/success', '/status'], pointers),
  'envelope.data': assumption('`{success, message, data}`', ['/data'], pointers),
  'envelope.code': assumption('a status in the body of a failure', ['/code', '/status_code'], pointers),
  'envelope.successValues': assumption(
    'success is whatever does not say failure',
    [],
    z.array(z.union([z.string(), z.number(), z.boolean()])),
  ),
  'errors.statuses': assumption(
    'codes in the body are HTTP statuses',
    {},
    z.record(z.string(), z.number().int().min(400).max(599)),
  ),
  'errors.message': at('/message', '/error'),
  'errors.fields': at('/errors'),
  'errors.duplicateStatuses': assumption('409 Conflict', [409], z.array(z.number().int().min(400).max(599))),
  'errors.duplicateTexts': assumption(
    'the usual words',
    ['already exists', 'already been taken', 'already registered', 'already in use', 'duplicate'],
    words,
  ),
  'listSettlementBanks.pageStyle': pageStyle(),
  'listCustomers.pageStyle': pageStyle(),
  'listCustomerTransactions.pageStyle': pageStyle(),
  'listCustomerVirtualAccounts.pageStyle': pageStyle(),
  'lists.page': assumption('the usual name', 'page', wireName),
  'lists.perPage': assumption('the usual name', 'per_page', wireName),
  'lists.offset': assumption('the usual name; page style `offset`', 'offset', wireName),
  'lists.limit': assumption('the usual name; page styles `offset` and `cursor`', 'limit', wireName),
  'lists.cursor': assumption('the usual name; page style `cursor`', 'cursor', wireName),
  'lists.maxPageSize': assumption('the usual cap', 100, z.number().int().min(1).max(1000)),
  'lists.records': at('/data/data', '/data', ''),
  'lists.currentPage': at('/data/current_page', '/meta/current_page', '/data/meta/current_page'),
  'lists.pageSize': at('/data/per_page', '/meta/per_page', '/data/meta/per_page'),
  'lists.lastPage': at('/data/last_page', '/meta/last_page', '/data/meta/last_page'),
  'lists.total': at('/data/total', '/meta/total', '/data/meta/total'),
  'lists.nextCursor': at('/meta/next_cursor', '/data/next_cursor', '/next_cursor'),
  'listSettlementBanks.search': noFilter(),
  'listSettlementBanks.searchMatch': searchMatch(),
  'listCustomers.search': noFilter(),
  'listCustomers.searchMatch': searchMatch(),
  'listCustomerTransactions.type': noFilter(),
  'money.unit': decision<MoneyUnit>('whether 500 is five hundred or five', z.enum(['major', 'minor']).nullable()),
  'money.currency': decision<string>(
    'ISO 4217; no currency is shown',
    z
      .string()
      .regex(/^[A-Z]{3}$/, 'an ISO 4217 code such as NGN')
      .refine((code) => currencyDigits(code) !== undefined, 'an ISO 4217 code such as NGN')
      .nullable(),
  ),
  'balance.unit': unitOf('balances'),
  'transaction.unit': unitOf('transactions'),
  'account.unit': unitOf('one-time accounts'),
  'createCustomerOneTimeAccount.unit': unitOf('the amount sent'),
  'times.zone': assumption(
    'times without a zone are UTC',
    'UTC',
    z.string().regex(/^(?:UTC|[+-](?:0\d|1[0-4]):[0-5]\d)$/, 'UTC or an offset such as +01:00'),
  ),
} as const;

/**
 * Everything that this gateway believes about the payments service. Nothing else in it knows a path, a method or a wire
 * name.
 */
export const contractRows = { ...operationRows, ...bodyRows, ...recordRows, ...serviceRows };
