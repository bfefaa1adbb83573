import type { Balance, Customer, CustomerInput, CustomerTransaction } from '../domain/records.ts';
import type { Contract } from '../contract/contract.ts';
import { createVirtualAccountDecoder } from './accounts.ts';
import { requireMoneyDecisions } from '../contract/contract.ts';
import {
  createDecoders,
  isRecord,
  contractSurprise,
  listDecoder,
  recordDecoder,
  type Decoder,
} from './decoding/field-decoders.ts';
import { compilePointers } from './decoding/json-pointer.ts';
import type { Read } from './operation.ts';
import { searchFilter, typeFilter } from './paging/filter.ts';
import { createList } from './paging/list.ts';
import { createEntityRead, createRecordRead, createRecordWrite } from './record-operations.ts';

/** The operations on customers, their balance and their transactions. Paths are the contract's defaults. */
export function createCustomerOperations(contract: Contract) {
  const decode = customerDecoder(contract);

  /** `GET /customers/{id}` */
  const getCustomer = createEntityRead(contract, 'getCustomer', decode, ownCalls(contract));

  /** `GET /customers/` */
  const listCustomers = createList(contract, 'listCustomers', decode, searchFilter(contract, 'listCustomers'));

  /** `POST /customers/` */
  const createCustomer = createRecordWrite<CustomerInput, Customer>(contract, 'createCustomer', {
    decode,
    lookup: { field: 'customers', by: ['reference'] },
  });

  /** `PATCH /customers/{id}` */
  const updateCustomer = createRecordWrite<CustomerInput & { readonly id: string }, Customer>(
    contract,
    'updateCustomer',
    {
      decode,
      lookup: { field: 'customer', by: ['id'] },
      identifier: ({ id }) => id,
      readBack: getCustomer,
    },
  );

  /** `GET /customers/{id}/transactions` */
  const listCustomerTransactions = createList(
    contract,
    'listCustomerTransactions',
    transactionDecoder(contract),
    typeFilter(contract),
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

/** Fields that need no more of a customer than its id: those that its record does not carry. */
function ownCalls(contract: Contract): ReadonlySet<string> {
  const carried = (['balance', 'virtualAccounts'] as const).filter((field) => contract[`customer.${field}`].length > 0);
  return new Set(['balance', 'transactions', 'virtualAccounts']).difference(new Set<string>(carried));
}

function customerDecoder(contract: Contract): Decoder<Customer> {
  const { identifier, optionalIdentifier, text, date, dateTime, embedded } = createDecoders(contract);
  const accounts = listDecoder('customer.virtualAccounts', createVirtualAccountDecoder(contract));
  return recordDecoder<Customer>('customer.id', {
    id: identifier('customer.id'),
    reference: text('customer.reference'),
    firstName: text('customer.firstName'),
    lastName: text('customer.lastName'),
    email: text('customer.email'),
    phone: text('customer.phone'),
    dateOfBirth: date('customer.dateOfBirth'),
    type: text('customer.type'),
    status: text('customer.status'),
    collectionWalletId: optionalIdentifier('customer.collectionWalletId'),
    createdAt: dateTime('customer.createdAt'),
    updatedAt: dateTime('customer.updatedAt'),
    balance: embedded('customer.balance', createBalanceDecoder(contract)),
    virtualAccounts: embedded('customer.virtualAccounts', accounts),
  });
}

function transactionDecoder(contract: Contract): Decoder<CustomerTransaction> {
  const { identifier, text, dateTime, direction, magnitude } = createDecoders(contract);
  return recordDecoder<CustomerTransaction>('transaction.id', {
    id: identifier('transaction.id'),
    reference: text('transaction.reference'),
    narration: text('transaction.narration'),
    type: text('transaction.type'),
    status: text('transaction.status'),
    direction,
    amount: magnitude({
      major: 'transaction.amount',
      minor: 'transaction.amountMinor',
      currency: 'transaction.currency',
      unit: 'transaction.unit',
    }),
    createdAt: dateTime('transaction.createdAt'),
  });
}

/**
 * `GET /customers/{id}/balance`; not asked while the unit or the currency of money is undecided. A balance that the
 * envelope takes from a list of several is a surprise: they may be in different currencies.
 */
function createBalanceRead(contract: Contract): Read<string, Balance> {
  const read = createRecordRead(contract, 'getCustomerBalance', createBalanceDecoder(contract));
  const request: typeof read.request = (identifier) => {
    requireMoneyDecisions(contract, 'balance.unit', read.name);
    return read.request(identifier);
  };
  const wrapper = compilePointers(contract['envelope.data']);
  const decode: typeof read.decode = (body) => {
    if (!wrapper.isOneOfSeveral(body)) return read.decode(body);
    throw contractSurprise({ operation: read.name, path: wrapper.locate(body) }, 'envelope.data');
  };
  return { ...read, request, decode };
}

function createBalanceDecoder(contract: Contract): Decoder<Balance> {
  const { signedMoney, optionalSignedMoney } = createDecoders(contract);
  const shared = { currency: 'balance.currency', unit: 'balance.unit' } as const;
  const value = signedMoney({ major: 'balance.value', minor: 'balance.valueMinor', ...shared });
  const available = optionalSignedMoney({ major: 'balance.available', minor: 'balance.availableMinor', ...shared });
  const ledger = optionalSignedMoney({ major: 'balance.ledger', minor: 'balance.ledgerMinor', ...shared });
  return (source, location) =>
    isRecord(source)
      ? { value: value(source, location), available: available(source, location), ledger: ledger(source, location) }
      : contractSurprise(location, 'balance.value');
}
