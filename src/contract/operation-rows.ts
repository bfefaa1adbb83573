import { z } from 'zod';
import { writeNamesOf, type Fields } from './record-fields.ts';
import { records } from './records.ts';
import {
  assumption,
  choice,
  collectionTarget,
  createPath,
  credentials,
  fact,
  pathSchema,
  readMethod,
  wireName,
  writeMethod,
  type CredentialName,
  type Method,
  type Row,
} from './row.ts';

type Names = Readonly<Record<string, string>>;

const get = fact<Method>('4', 'GET', readMethod);
const assumedGet = assumption<Method>('reads are GET', 'GET', readMethod);
const post = fact<Method>('4', 'POST', writeMethod);
const patch = fact<Method>('4', 'PATCH', writeMethod);
const assumedPatch = assumption<Method>('the method of the customer update', 'PATCH', writeMethod);

const byGroup = (name: CredentialName): Row<readonly CredentialName[]> =>
  assumption('the published operation of the same group uses it', [name], credentials);

/** The rows of a list at a published collection path. */
const collection = (method: Row<Method>, path: string, credential: CredentialName) => ({
  method,
  path: assumption('the published collection path', path, collectionTarget),
  credentials: byGroup(credential),
});

/** The rows of a published create. */
const publishedCreate = (path: string, credential: CredentialName) => ({
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
const addressed = (method: Row<Method>, path: string, credential: CredentialName, named: keyof typeof namedFields) => ({
  method,
  path: assumption(
    `named after the operation, below the path of its record${namedFields[named]}`,
    path,
    pathSchema(['id'], named !== 'none'),
  ),
  idInBody: assumption<string | null>(
    'null: the identifier replaces {id} in the path or its query; a name or a JSON pointer: it is sent there, in a JSON body',
    null,
    wireName.nullable(),
  ),
  credentials: byGroup(credential),
});

const namesSchema = (names: Names): z.ZodType<Names> =>
  z.strictObject(Object.fromEntries(Object.keys(names).map((field) => [field, wireName.optional()]))) as never; // optional keys are absent, not undefined
const noConstants: Row<Readonly<Record<string, unknown>>> = assumption(
  'none are published; keys are names beside the fields, or JSON pointers into the body',
  {},
  z.record(wireName, z.json().meta({ description: 'a JSON value' })),
);

/** The rows of the body of a write. `source`: of its names; `fact` where they are published. */
const bodyOf = (table: Fields, source: string) => {
  const names = writeNamesOf(table);
  return {
    body: source === 'fact' ? fact('2', names, namesSchema(names)) : assumption(source, names, namesSchema(names)),
    required: assumption<readonly string[]>(
      'which fields are required is not published',
      [],
      z.array(z.enum(Object.keys(names))),
    ),
    constants: noConstants,
    emptySuccess: assumption(
      'false: after a 2xx without a body the outcome is unknown; true: it is a success',
      false,
      z.boolean(),
    ),
    wrapper: assumption<string | null>(
      'null: the fields are at the top of the body; a name or a JSON pointer: in an object there',
      null,
      wireName.nullable(),
    ),
  };
};
const { settlementBank, customer, account } = records;
const asCreate = 'the names of the create operation';

/** The record that an operation answers with. Of a list also its field in the graph; of a write what it does. */
const operations = {
  getSettlementBank: {
    record: 'settlementBank',
    rows: addressed(assumedGet, '/settlement-banks/{id}', 'bearer', 'none'),
  },
  listSettlementBanks: {
    record: 'settlementBank',
    field: 'Query.settlementBanks',
    rows: collection(assumedGet, '/settlement-banks/', 'bearer'),
  },
  storeSettlementBank: {
    record: 'settlementBank',
    input: 'CreateSettlementBankInput',
    rows: { ...publishedCreate('/settlement-banks/', 'bearer'), ...bodyOf(settlementBank, 'fact') },
  },
  updateSettlementBank: {
    record: 'settlementBank',
    input: 'UpdateSettlementBankInput',
    addressedBy: 'id',
    rows: {
      ...addressed(assumedPatch, '/settlement-banks/{id}', 'bearer', 'input'),
      ...bodyOf(settlementBank, asCreate),
    },
  },
  getCustomer: { record: 'customer', rows: addressed(get, '/customers/{id}', 'privateKey', 'none') },
  listCustomers: {
    record: 'customer',
    field: 'Query.customers',
    rows: collection(get, '/customers/', 'privateKey'),
  },
  createCustomer: {
    record: 'customer',
    input: 'CreateCustomerInput',
    rows: { ...publishedCreate('/customers/', 'privateKey'), ...bodyOf(customer, 'fact') },
  },
  updateCustomer: {
    record: 'customer',
    input: 'UpdateCustomerInput',
    addressedBy: 'id',
    rows: { ...addressed(patch, '/customers/{id}', 'privateKey', 'input'), ...bodyOf(customer, asCreate) },
  },
  getCustomerBalance: {
    record: 'balance',
    below: 'customer',
    rows: addressed(get, '/customers/{id}/balance', 'privateKey', 'record'),
  },
  listCustomerTransactions: {
    record: 'transaction',
    field: 'Customer.transactions',
    below: 'customer',
    rows: addressed(get, '/customers/{id}/transactions', 'privateKey', 'record'),
  },
  listCustomerVirtualAccounts: {
    record: 'account',
    field: 'Customer.virtualAccounts',
    below: 'customer',
    rows: addressed(get, '/customers/{id}/virtual-accounts', 'privateKey', 'record'),
  },
  createCustomerVirtualAccount: {
    record: 'account',
    input: 'CreateVirtualAccountInput',
    addressedBy: 'customerId',
    rows: {
      ...addressed(post, '/customers/{id}/virtual-accounts', 'privateKey', 'input'),
      ...bodyOf({}, 'an empty object'),
    },
  },
  createCustomerOneTimeAccount: {
    record: 'account',
    input: 'CreateOneTimeAccountInput',
    addressedBy: 'customerId',
    rows: {
      ...addressed(post, '/customers/{id}/one-time-accounts', 'privateKey', 'input'),
      ...bodyOf(account, 'the usual name'),
      amountAs: choice('an amount is sent as a text, which keeps its decimals', ['text', 'number']),
    },
  },
} as const;

type Operations = typeof operations;
export type OperationName = keyof Operations;
export type ListName = Extract<OperationName, `list${string}`>;
export type WriteName = Exclude<OperationName, `get${string}` | `list${string}`>;
/** Operations that name a record by its identifier. */
export type AddressedName = {
  [Name in OperationName]: Operations[Name]['rows'] extends { readonly idInBody: unknown } ? Name : never;
}[OperationName];

// The keys of the table are the names.
export const operationNames = Object.keys(operations) as [OperationName, ...OperationName[]];
export const listNames = operationNames.filter(isList);
export const writeNames = operationNames.filter(isWrite);
export const addressedNames = operationNames.filter(isAddressed);

export function isList(name: OperationName): name is ListName {
  return 'field' in operations[name];
}

export function isWrite(name: OperationName): name is WriteName {
  return 'input' in operations[name];
}

/** Whether an operation names a record by its identifier, in its path or in its body. */
export function isAddressed(name: OperationName): name is AddressedName {
  return 'idInBody' in operations[name].rows;
}

/** Whether an operation is a read below a customer that was read before, whose path may name fields of its record. */
export function isBelowRecord(name: OperationName): boolean {
  return 'below' in operations[name];
}

/** Whether a write makes a new record, and so takes idempotency keys. */
export function isCreate(name: WriteName): boolean {
  return addressedBy(name) !== 'id';
}

/** The input field with the identifier of the record that a write is addressed to; undefined where there is none. */
export function addressedBy(name: WriteName): 'id' | 'customerId' | undefined {
  const operation = operations[name];
  return 'addressedBy' in operation ? operation.addressedBy : undefined;
}

type Column<Names extends OperationName, Property extends string> = {
  readonly [Name in Names]: Operations[Name] extends Readonly<Record<Property, infer Value>> ? Value : never;
};
const column = <Names extends OperationName, Property extends string>(names: readonly Names[], property: Property) =>
  Object.fromEntries(names.map((name) => [name, Reflect.get(operations[name], property) as unknown])) as Column<
    Names,
    Property
  >; // fromEntries lacks the keys

/** The kind of record that each operation answers with. */
export const recordKinds = column(operationNames, 'record');
/** The input type of each write. */
export const inputTypes = column(writeNames, 'input');
/** The field of the graph that returns each list. */
export const listFields = column(listNames, 'field');

/** Fields, beside those that a deployment adds, that may stand in a path: of a customer read before, or of an input. */
export const fieldsForPaths: readonly string[] = ['reference', 'collectionWalletId'];

type WriteRows = ReturnType<typeof bodyOf>;
type OperationRows = {
  readonly [Id in `${OperationName}.method`]: Row<Method>;
} & { readonly [Id in `${OperationName}.path`]: Row<string> } & {
  readonly [Id in `${OperationName}.credentials`]: Row<readonly CredentialName[]>;
} & { readonly [Id in `${AddressedName}.idInBody`]: Row<string | null> } & {
  readonly [Property in keyof WriteRows as `${WriteName}.${Property}`]: WriteRows[Property];
} & { readonly 'createCustomerOneTimeAccount.amountAs': Row<'text' | 'number'> };

/** One row per operation and property: `getCustomer.path`. */
export const operationRows = Object.fromEntries(
  operationNames.flatMap((name) =>
    Object.entries(operations[name].rows).map(([property, row]) => [`${name}.${property}`, row]),
  ),
) as OperationRows; // the type of fromEntries lacks the keys

const emptyAllowed = (table: Fields): Row<readonly string[]> =>
  assumption(
    'fields that may be sent as an empty text; section 2 allows it for bvn only',
    Object.keys(table).filter((name) => table[name]?.mayBeEmpty),
    z.array(z.enum(Object.keys(writeNamesOf(table)))),
  );

export const emptyAllowedRows = {
  'settlementBank.emptyAllowed': emptyAllowed(settlementBank),
  'customer.emptyAllowed': emptyAllowed(customer),
} as const;
