import { isDeepStrictEqual } from 'node:util';
import type { Balance, Customer, CustomerInput, CustomerTransaction } from '../domain/records.ts';
import type { Lookup } from '../domain/errors.ts';
import { contractOfList, requireMoneyDecisions, type Contract, type UnitRow } from '../contract/contract.ts';
import { contractRows } from '../contract/service-rows.ts';
import { createVirtualAccountDecoder } from './accounts.ts';
import {
  createDecoders,
  isRecord,
  contractSurprise,
  listDecoder,
  recordDecoder,
  type Decoder,
} from './decoding/field-decoders.ts';
import { createExtraDecoders } from './decoding/extra-fields.ts';
import { createIdentityCheck, createParentCheck } from './decoding/identification.ts';
import { compilePointers } from './decoding/json-pointer.ts';
import { createMoneyDecoders, directionDecoder } from './decoding/wire-money.ts';
import { compileIdentifiers, needsRecord, type PathSource } from './decoding/request-path.ts';
import type { Read } from './operation.ts';
import { searchFilter, typeFilter } from './paging/filter.ts';
import { createList, isServed } from './paging/list.ts';
import { createSignReader, listSurprise, saysMore } from './paging/page-signs.ts';
import { createEntityRead, createRecordRead, createRecordWrite } from './record-operations.ts';

/** The operations on customers, their balance and their transactions. Paths are the contract's defaults. */
export function createCustomerOperations(contract: Contract) {
  const decode = customerDecoder(contract);
  const fields = ownCalls(contract);
  const readAhead = contract['customer.readsTogether'] ? fields : new Set<string>();
  const findMismatch = createIdentityCheck(contract, 'customer.identifiedBy');

  /** `GET /customers/{id}` */
  const getCustomer = createEntityRead(contract, 'getCustomer', decode, findMismatch, fields, readAhead);

  /** `GET /customers/` */
  const listCustomers = createList(contract, 'listCustomers', decode, searchFilter(contract, 'listCustomers'));

  /** `POST /customers/` */
  const createCustomer = createRecordWrite<CustomerInput, Customer, 'createCustomer'>(contract, 'createCustomer', {
    decode,
    creates: true,
    identifiers: () => ({}),
    lookups: customerLookups(contract),
  });

  /** `PATCH /customers/{id}` */
  const updateCustomer = createRecordWrite(contract, 'updateCustomer', {
    decode,
    lookups: [{ field: 'customer', by: ['id'] }],
    creates: false,
    identifiers: ({ id }: CustomerInput & { readonly id: string }) => ({ id }),
    readBack: getCustomer,
    findMismatch,
  });

  /** `GET /customers/{id}/transactions` */
  const listCustomerTransactions = createList(
    contract,
    'listCustomerTransactions',
    transactionDecoder(contract),
    typeFilter(contract),
    createParentCheck(contract, 'transaction.customerId'),
  );

  const getCustomerBalance = createBalanceRead(contract);
  return {
    getCustomer,
    listCustomers,
    createCustomer,
    updateCustomer,
    getCustomerBalance,
    listCustomerTransactions,
  };
}

/**
 * The lookups of a customer of unknown outcome: the list, by a search or by paging through it; or the record, where the
 * deployment has stated that references identify customers. The row's default is no proof: a service that finds customers
 * by id alone would answer that the customer does not exist.
 */
function customerLookups(contract: Contract): readonly Lookup[] {
  const row = 'customer.identifiedBy';
  const identifiers = isDeepStrictEqual(contract[row], contractRows[row].value) ? [] : contract[row];
  const identifies = contract['customer.reference'].some((pointer) => identifiers.includes(pointer));
  const isListed = isServed(contract, 'listCustomers');
  const isReadAlone = identifies && (contract['listCustomers.search'] === null || !isListed);
  const lookups: readonly Lookup[] = [
    { field: isReadAlone ? 'customer' : 'customers', by: ['reference'] },
    { field: 'customers', by: ['email'] },
    { field: 'customers', by: ['phone'] },
  ];
  return lookups.filter(({ field }) => isListed || field === 'customer');
}

/** Fields that need a call of their own, whose path needs only the customer's id: the record does not contain them. */
function ownCalls(contract: Contract): ReadonlySet<string> {
  const embedded = (['balance', 'virtualAccounts'] as const).filter(
    (field) => contract[`customer.${field}`].length > 0,
  );
  const reads = {
    balance: 'getCustomerBalance',
    transactions: 'listCustomerTransactions',
    virtualAccounts: 'listCustomerVirtualAccounts',
  } as const;
  const alone = Object.entries(reads).filter(([, operation]) => !needsRecord(contract, operation));
  return new Set(alone.map(([field]) => field)).difference(new Set<string>(embedded));
}

/** A list in a customer's record. An error where the object round it says, as that of a page would, that more follow. */
function wholeList<Value>(
  contract: Contract,
  decode: Decoder<readonly Value[] | null>,
): Decoder<readonly Value[] | null> {
  const row = 'customer.virtualAccounts';
  const { holder, locate } = compilePointers(contract[row]);
  const name = 'listCustomerVirtualAccounts';
  const readSigns = createSignReader(contractOfList(contract, name), listSurprise(contract, name));
  const isPart = (object: unknown, length: number): boolean => {
    try {
      return saysMore(readSigns(object), length, 1) === true;
    } catch {
      return true; // a sign that no row explains
    }
  };
  return (source, location) => {
    const list = decode(source, location);
    const object = holder(source);
    if (!Array.isArray(list) || object === source) return list;
    return isPart(object, list.length) ? contractSurprise(location, row, locate(source)) : list;
  };
}

function customerDecoder(contract: Contract): Decoder<Customer> {
  const { identifier, optionalIdentifier, text, status, date, dateTime, embedded } = createDecoders(contract);
  const accounts = listDecoder('customer.virtualAccounts', createVirtualAccountDecoder(contract));
  const fields = {
    id: identifier('customer.id'),
    reference: text('customer.reference'),
    firstName: text('customer.firstName'),
    lastName: text('customer.lastName'),
    email: text('customer.email'),
    phone: text('customer.phone'),
    dateOfBirth: date('customer.dateOfBirth'),
    type: text('customer.type'),
    status: status('customer.status'),
    collectionWalletId: optionalIdentifier('customer.collectionWalletId'),
    createdAt: dateTime('customer.createdAt'),
    updatedAt: dateTime('customer.updatedAt'),
    balance: embedded('customer.balance', createBalanceDecoder(contract, 'customer.balance.unit')),
    virtualAccounts: wholeList(contract, embedded('customer.virtualAccounts', accounts)),
  };
  return recordDecoder<Customer>('customer.id', fields, createExtraDecoders(contract, 'Customer'));
}

function transactionDecoder(contract: Contract): Decoder<CustomerTransaction> {
  const { identifier, text, status, dateTime } = createDecoders(contract);
  const { magnitude } = createMoneyDecoders(contract);
  const fields = {
    id: identifier('transaction.id'),
    reference: text('transaction.reference'),
    narration: text('transaction.narration'),
    type: text('transaction.type'),
    status: status('transaction.status'),
    direction: directionDecoder(contract),
    amount: magnitude({
      major: 'transaction.amount',
      minor: 'transaction.amountMinor',
      currency: 'transaction.currency',
      unit: 'transaction.unit',
    }),
    createdAt: dateTime('transaction.createdAt'),
  };
  const extras = createExtraDecoders(contract, 'CustomerTransaction');
  return recordDecoder<CustomerTransaction>('transaction.id', fields, extras);
}

/**
 * `GET /customers/{id}/balance`. Throws CONTRACT_UNDECIDED, before any call, while unit or currency is undecided. A
 * balance that the envelope takes from a list of several is a surprise: they may be in different currencies.
 */
function createBalanceRead(contract: Contract): Read<PathSource, Balance> {
  const name = 'getCustomerBalance';
  const findMismatch = createParentCheck(contract, 'balance.customerId');
  const read = createRecordRead(
    contract,
    name,
    compileIdentifiers(contract, name),
    createBalanceDecoder(contract),
    findMismatch,
  );
  const request: typeof read.request = (customer) => {
    requireMoneyDecisions(contract, 'balance.unit', read.name);
    return read.request(customer);
  };
  const wrapper = compilePointers(contract['envelope.data']);
  const decode: typeof read.decode = (body, identifier) => {
    if (!wrapper.isOneOfSeveral(body)) return read.decode(body, identifier);
    throw contractSurprise({ operation: read.name, path: wrapper.locate(body) }, 'envelope.data');
  };
  return { ...read, request, decode };
}

function createBalanceDecoder(contract: Contract, unit: UnitRow = 'balance.unit'): Decoder<Balance> {
  const { signedMoney, optionalSignedMoney } = createMoneyDecoders(contract);
  const shared = { currency: 'balance.currency', unit } as const;
  const value = signedMoney({ major: 'balance.value', minor: 'balance.valueMinor', ...shared });
  const available = optionalSignedMoney({ major: 'balance.available', minor: 'balance.availableMinor', ...shared });
  const ledger = optionalSignedMoney({ major: 'balance.ledger', minor: 'balance.ledgerMinor', ...shared });
  const extras = Object.entries(createExtraDecoders(contract, 'Balance', unit));
  const amount = compilePointers([...contract['balance.value'], ...contract['balance.valueMinor']]);
  return (source, location) => {
    // A balance may be the amount itself, or an entry of a list.
    if (!isRecord(source) && amount.read(source) === undefined) return contractSurprise(location, 'balance.value');
    const balance: Balance & Record<string, unknown> = {
      value: value(source, location),
      available: available(source, location),
      ledger: ledger(source, location),
    };
    for (const [field, decode] of extras) balance[field] = decode(source, location);
    return balance;
  };
}
