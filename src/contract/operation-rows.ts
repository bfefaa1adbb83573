import { z } from 'zod';
import type { CustomerInput, OneTimeAccountInput, SettlementBankInput } from '../domain/records.ts';
import {
  assumption,
  choice,
  collectionTarget,
  createPath,
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

const get = fact<Method>('4', 'GET', readMethod);
const assumedGet = assumption<Method>('reads are GET', 'GET', readMethod);
const post = fact<Method>('4', 'POST', writeMethod);
const byGroup = (name: CredentialName): Row<readonly CredentialName[]> =>
  assumption('the published operation of the same group uses it', [name], credentials);
/** The rows of a list at a published collection path. */
const collection = (path: string, credential: CredentialName) => ({
  path: assumption('the published collection path', path, collectionTarget),
  credentials: byGroup(credential),
});
/** The rows of a published create. */
const create = (path: string, credential: CredentialName) => ({
  method: post,
  path: fact('4', path, createPath),
  credentials: fact<readonly CredentialName[]>('5', [credential], credentials),
});
/** Which names in braces a path may contain beside `{id}`. */
const namedFields = {
  none: '',
  record: '; it may also contain {reference}, {collectionWalletId} or {an added field} of the customer',
  input: '; it may also contain {a required field of the input}, which is then not sent in the body',
};
/** The rows of an operation whose request names a record by its identifier. */
const below = <Path extends string>(path: Path, credential: CredentialName, fields: keyof typeof namedFields) => ({
  path: pathRow(
    `named after the operation, below the path of its record${namedFields[fields]}`,
    path,
    fields !== 'none',
  ),
  idInBody: assumption<string | null>(
    'null: the identifier replaces {id} in the path or its query; a name or a JSON pointer: it is sent there, in a JSON body',
    null,
    wireName.nullable(),
  ),
  credentials: byGroup(credential),
});

const operations = {
  getSettlementBank: { method: assumedGet, ...below('/settlement-banks/{id}', 'bearer', 'none') },
  listSettlementBanks: { method: assumedGet, ...collection('/settlement-banks/', 'bearer') },
  storeSettlementBank: create('/settlement-banks/', 'bearer'),
  updateSettlementBank: {
    method: assumption<Method>('the method of the customer update', 'PATCH', writeMethod),
    ...below('/settlement-banks/{id}', 'bearer', 'input'),
  },
  getCustomer: { method: get, ...below('/customers/{id}', 'privateKey', 'none') },
  listCustomers: { method: get, ...collection('/customers/', 'privateKey') },
  createCustomer: create('/customers/', 'privateKey'),
  updateCustomer: {
    method: fact<Method>('4', 'PATCH', writeMethod),
    ...below('/customers/{id}', 'privateKey', 'input'),
  },
  getCustomerBalance: { method: get, ...below('/customers/{id}/balance', 'privateKey', 'record') },
  listCustomerTransactions: { method: get, ...below('/customers/{id}/transactions', 'privateKey', 'record') },
  listCustomerVirtualAccounts: {
    method: get,
    ...below('/customers/{id}/virtual-accounts', 'privateKey', 'record'),
  },
  createCustomerVirtualAccount: { method: post, ...below('/customers/{id}/virtual-accounts', 'privateKey', 'input') },
  createCustomerOneTimeAccount: { method: post, ...below('/customers/{id}/one-time-accounts', 'privateKey', 'input') },
} as const;

export type OperationName = keyof typeof operations;
export type ListName = Extract<OperationName, `list${string}`>;
export const listNames = Object.keys(operations).filter((name): name is ListName => name.startsWith('list'));
export const addressedNames = Object.keys(operations).filter(
  (name): name is AddressedName => Object.hasOwn(operations[name as OperationName], 'idInBody'), // the keys of the table are the names
);
export type WriteName = Exclude<OperationName, `get${string}` | `list${string}`>;
export const writeNames = Object.keys(operations).filter(
  (name): name is WriteName => !name.startsWith('get') && !name.startsWith('list'),
);

/** Fields, beside those that a deployment adds, that may stand in a path: of a customer read before, or of an input. */
export const fieldsForPaths: readonly string[] = ['reference', 'collectionWalletId'];

/** The names of the identifiers that an operation's code gives for its path: the names in braces of the default path. */
export function identifiersOf(name: OperationName): readonly string[] {
  const { path } = operations[name];
  return 'parameters' in path ? path.parameters : [];
}

/** Whether an operation is a read whose identifier is the id of a record that was read before. */
export function isBelowRecord(name: OperationName): boolean {
  const { path } = operations[name];
  return 'mayNameFields' in path && path.mayNameFields && !writeNames.some((write) => write === name);
}

/** The names of the parameters in an operation's path; never for a collection's. */
type PathParameter<Name extends OperationName> = (typeof operations)[Name]['path'] extends infer Path
  ? Path extends PathRow<infer Parameter>
    ? Parameter
    : never
  : never;

/** Operations that name a record by an identifier. */
export type AddressedName = {
  [Name in OperationName]: PathParameter<Name> extends never ? never : Name;
}[OperationName];

/** The identifiers in an operation's path, by the names in its braces. */
export type PathIdentifiers<Name extends OperationName> = { readonly [Parameter in PathParameter<Name>]: string };

/** Operations whose path has no identifier but `{id}`. */
export type NameById = {
  [Name in OperationName]: PathParameter<Name> extends 'id' ? Name : never;
}[OperationName];

type OperationRows = { readonly [Key in `${OperationName}.method`]: Row<Method> } & {
  readonly [Key in `${OperationName}.path`]: Row<string>;
} & { readonly [Key in `${OperationName}.credentials`]: Row<readonly CredentialName[]> } & {
  readonly [Key in `${AddressedName}.idInBody`]: Row<string | null>;
};

/** One row per operation and property: `getCustomer.path`. */
export const operationRows = Object.fromEntries(
  Object.entries(operations).flatMap(([name, rows]) =>
    Object.entries(rows).map(([property, row]) => [`${name}.${property}`, row]),
  ),
) as unknown as OperationRows; // the type of fromEntries lacks the keys

type Names = Readonly<Record<string, string>>;

/** Wire names for input fields of an operation; only those that it has. */
const namesFor = (names: Names): z.ZodType<Names> => z.strictObject(shapeFor(names)) as unknown as z.ZodType<Names>; // optional keys are absent, not undefined
const shapeFor = (names: Names) => Object.fromEntries(Object.keys(names).map((field) => [field, wireName.optional()]));
const published = (names: Names): Row<Names> => fact('2', names, namesFor(names));
const namedAsCreate = (names: Names): Row<Names> =>
  assumption('the names of the create operation', names, namesFor(names));

/** The wire name of each field of an input; an `Identifier` stands in the path instead. */
type NamesOf<Input, Identifier = never> = Readonly<Record<Exclude<keyof Input, Identifier>, string>>;

const oneTimeAccountNames: NamesOf<OneTimeAccountInput, 'customerId'> = { amount: 'amount' };
const settlementBankNames: NamesOf<SettlementBankInput> = {
  name: 'name',
  accountNumber: 'account_no',
  accountName: 'account_name',
  bankCode: 'bank_code',
  bankSlug: 'bank_slug',
};
const customerNames: NamesOf<CustomerInput> = {
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
  assumption('which fields are required is not published', [], z.array(z.enum(Object.keys(names))));
const noConstants: Row<Readonly<Record<string, unknown>>> = assumption(
  'none are published; keys are names beside the fields, or JSON pointers into the body',
  {},
  z.record(wireName, z.json().meta({ description: 'a JSON value' })),
);
const wrapper = assumption<string | null>(
  'null: the fields are at the top of the body; a name or a JSON pointer: in an object there',
  null,
  wireName.nullable(),
);
/** Whether a 2xx without a body is the success of a write. Nothing is published. */
const emptySuccesses: Readonly<Record<WriteName, boolean>> = {
  storeSettlementBank: false,
  updateSettlementBank: false,
  createCustomer: false,
  updateCustomer: false,
  createCustomerVirtualAccount: false,
  createCustomerOneTimeAccount: false,
};
const emptySuccess = (name: WriteName): Row<boolean> =>
  assumption(
    'false: after a 2xx without a body the outcome is unknown; true: it is a success',
    emptySuccesses[name],
    z.boolean(),
  );
const emptyAllowed = (names: Names, fields: readonly string[]): Row<readonly string[]> =>
  assumption(
    'fields that may be sent as an empty text; section 2 allows it for bvn only',
    fields,
    z.array(z.enum(Object.keys(names))),
  );

type PerWrite<Property extends string, Value> = { readonly [Id in `${WriteName}.${Property}`]: Row<Value> };

/** A row of each write. */
const perWrite = <Property extends string, Value>(
  property: Property,
  rowOf: (name: WriteName) => Row<Value>,
): PerWrite<Property, Value> =>
  Object.fromEntries(writeNames.map((name) => [`${name}.${property}`, rowOf(name)])) as PerWrite<Property, Value>; // the type of fromEntries lacks the keys

export const bodyRows = {
  'storeSettlementBank.body': published(settlementBankNames),
  'storeSettlementBank.required': noneRequired(settlementBankNames),
  'updateSettlementBank.body': namedAsCreate(settlementBankNames),
  'updateSettlementBank.required': noneRequired(settlementBankNames),
  'createCustomer.body': published(customerNames),
  'createCustomer.required': noneRequired(customerNames),
  'updateCustomer.body': namedAsCreate(customerNames),
  'updateCustomer.required': noneRequired(customerNames),
  'createCustomerVirtualAccount.body': assumption('an empty object', {}, namesFor({})),
  'createCustomerVirtualAccount.required': noneRequired({}),
  'createCustomerOneTimeAccount.body': assumption('the usual name', oneTimeAccountNames, namesFor(oneTimeAccountNames)),
  'createCustomerOneTimeAccount.required': noneRequired(oneTimeAccountNames),
  ...perWrite('constants', () => noConstants),
  ...perWrite('emptySuccess', emptySuccess),
  ...perWrite('wrapper', () => wrapper),
  'createCustomerOneTimeAccount.amountAs': choice('an amount is sent as a text, which keeps its decimals', [
    'text',
    'number',
  ]),
  'settlementBank.emptyAllowed': emptyAllowed(settlementBankNames, []),
  'customer.emptyAllowed': emptyAllowed(customerNames, ['bvn']),
} as const;
