import { isDeepStrictEqual } from 'node:util';
import type { Lookup } from '../domain/errors.ts';
import { requireMoneyDecisions, type Contract, type UnitRow } from '../contract/contract.ts';
import { listSettings } from '../contract/list-rows.ts';
import type { Balance, Customer, VirtualAccount } from '../contract/records.ts';
import { recordRows } from '../contract/records.ts';
import { contradiction, isRecord, type Decoder, type PlacedField } from './decoding/field-decoders.ts';
import { compilePointers } from './decoding/json-pointer.ts';
import {
  createRecordDecoder,
  decodeFields,
  embeddedIn,
  fieldDecoders,
  listDecoder,
} from './decoding/record-decoder.ts';
import { compileIdentifiers, needsRecord, type PathSource } from './decoding/request-path.ts';
import type { Read } from './operation.ts';
import { isServed } from './paging/list.ts';
import { createSignReader, contradictionIn, saysMore } from './paging/page-signs.ts';
import { createRecordRead, type OwnCalls } from './record-operations.ts';

/**
 * The lookups of a customer of unknown outcome: the list, by a search or by paging through it; or the record, where the
 * deployment has stated that references identify customers. The row's default is no proof: a service that finds customers
 * by id alone would answer that the customer does not exist.
 */
export function customerLookups(contract: Contract): readonly Lookup[] {
  const row = 'customer.identifiedBy';
  const identifiers = isDeepStrictEqual(contract[row], recordRows[row].value) ? [] : contract[row];
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
export function ownCalls(contract: Contract): OwnCalls {
  const embedded = (['balance', 'virtualAccounts'] as const).filter(
    (field) => contract[`customer.${field}`].length > 0,
  );
  const reads = {
    balance: 'getCustomerBalance',
    transactions: 'listCustomerTransactions',
    virtualAccounts: 'listCustomerVirtualAccounts',
  } as const;
  const alone = Object.entries(reads).filter(([, operation]) => !needsRecord(contract, operation));
  const fields = new Set(alone.map(([field]) => field)).difference(new Set<string>(embedded));
  return { ownCalls: fields, prefetched: contract['customer.readsTogether'] ? fields : new Set() };
}

/** Decodes a customer, in whose record a balance and the virtual accounts may stand. */
export function createCustomerDecoder(contract: Contract): Decoder<Customer> {
  const accounts = listDecoder(
    'customer.virtualAccounts',
    createRecordDecoder<VirtualAccount>(contract, 'VirtualAccount'),
  );
  return createRecordDecoder<Customer>(contract, 'Customer', {
    embedded: {
      balance: embeddedIn(createBalanceDecoder(contract, 'customer.balance.unit')),
      virtualAccounts: (field) => wholeList(contract, field, embeddedIn(accounts)(field)),
    },
  });
}

/** A list in a customer's record. An error where the object round it says, as that of a page would, that more follow. */
function wholeList(contract: Contract, { row, at }: PlacedField, decode: Decoder<unknown>): Decoder<unknown> {
  const { holders, locate } = compilePointers(at);
  const name = 'listCustomerVirtualAccounts';
  const readSigns = createSignReader(listSettings(contract, name), contradictionIn(contract, name));
  const isPart = (object: unknown, length: number): boolean => {
    try {
      return saysMore(readSigns(object), length, 1) === true;
    } catch {
      return true; // a sign that no row explains
    }
  };
  return (source, location) => {
    const list = decode(source, location);
    const holder = holders(source).at(-1);
    if (!Array.isArray(list) || holder === source) return list;
    return isPart(holder, list.length) ? contradiction(location, row, locate(source)) : list;
  };
}

/** `GET /customers/{id}/balance`. Throws CONTRACT_UNDECIDED, before any call, while unit or currency is undecided. */
export function createBalanceRead(contract: Contract): Read<PathSource, Balance> {
  const name = 'getCustomerBalance';
  const read = createRecordRead(
    contract,
    name,
    compileIdentifiers(contract, name),
    createBalanceDecoder(contract, 'balance.unit'),
  );
  const request: typeof read.request = (customer) => {
    requireMoneyDecisions(contract, 'balance.unit', name);
    return read.request(customer);
  };
  return { ...read, request };
}

function createBalanceDecoder(contract: Contract, unit: UnitRow): Decoder<Balance> {
  const decoders = fieldDecoders(contract, 'Balance', { unit });
  const amount = compilePointers([...contract['balance.value'], ...contract['balance.valueMinor']]);
  return (source, location) => {
    // A balance may be the amount itself, or an entry of a list.
    if (!isRecord(source) && amount.read(source) === undefined) return contradiction(location, 'balance.value');
    return decodeFields(decoders, source, location) as unknown as Balance; // every field came from its own decoder
  };
}
