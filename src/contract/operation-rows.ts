import { z } from 'zod';
import {
  assumption,
  collectionPath,
  credentials,
  fact,
  readMethod,
  pathRow,
  wireName,
  writeMethod,
  type Row,
  type CredentialName,
  type Method,
  type PathRow,
} from './row.ts';

const get = (kind: Row<Method>['kind']): Row<Method> => ({
  kind,
  source: kind === 'fact' ? 'section 4' : 'reads are GET',
  value: 'GET',
  schema: readMethod,
});
const below = <Path extends string>(path: Path) => pathRow('named after the operation, below its record', path);
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
export const listNames = Object.keys(operations).filter((name): name is ListName => name.startsWith('list'));
export type WriteName = Exclude<OperationName, `get${string}` | `list${string}`>;

/** The names of the parameters in an operation's path; never for a collection's. */
type PathParameter<Name extends OperationName> = (typeof operations)[Name]['path'] extends infer Path
  ? Path extends PathRow<infer Parameter>
    ? Parameter
    : never
  : never;

/** The identifiers in an operation's path, by the names in its braces. */
export type PathIdentifiers<Name extends OperationName> = { readonly [Parameter in PathParameter<Name>]: string };

type OperationRows = { readonly [Key in `${OperationName}.method`]: Row<Method> } & {
  readonly [Key in `${OperationName}.path`]: Row<string>;
} & { readonly [Key in `${OperationName}.credentials`]: Row<readonly CredentialName[]> };

/** One row per operation and property: `getCustomer.path`. */
export const operationRows = Object.fromEntries(
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
const wrapper = (): Row<string | null> =>
  assumption<string | null>('a body is its fields; a name: an object under that name', null, wireName.nullable());
const emptySuccess = (): Row<boolean> =>
  assumption('a 2xx without a body leaves open what happened; true: it is a success', false, z.boolean());
const emptyAllowed = (names: Names, fields: readonly string[]): Row<readonly string[]> =>
  assumption('section 2 grants an empty text to bvn alone', fields, z.array(z.enum(Object.keys(names))));

export const bodyRows = {
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
  'storeSettlementBank.emptySuccess': emptySuccess(),
  'updateSettlementBank.emptySuccess': emptySuccess(),
  'createCustomer.emptySuccess': emptySuccess(),
  'updateCustomer.emptySuccess': emptySuccess(),
  'createCustomerVirtualAccount.emptySuccess': emptySuccess(),
  'createCustomerOneTimeAccount.emptySuccess': emptySuccess(),
  'storeSettlementBank.wrapper': wrapper(),
  'updateSettlementBank.wrapper': wrapper(),
  'createCustomer.wrapper': wrapper(),
  'updateCustomer.wrapper': wrapper(),
  'createCustomerVirtualAccount.wrapper': wrapper(),
  'createCustomerOneTimeAccount.wrapper': wrapper(),
  'createCustomerOneTimeAccount.amountAs': assumption<'text' | 'number'>(
    'an amount is sent as a text, which keeps its decimals',
    'text',
    z.enum(['text', 'number']),
  ),
  'settlementBank.emptyAllowed': emptyAllowed(settlementBankNames, []),
  'customer.emptyAllowed': emptyAllowed(customerNames, ['bvn']),
} as const;
