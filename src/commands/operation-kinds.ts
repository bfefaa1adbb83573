import { z } from 'zod';
import { inputNames, type Contract, type ListName, type OperationName } from '../contract/contract.ts';
import { extraInputs, type ExtraType } from '../contract/extra-rows.ts';
import type { AddressedName, PathIdentifiers, WriteName } from '../contract/operation-rows.ts';
import { pointers } from '../contract/row.ts';
import { contractRows } from '../contract/service-rows.ts';
import type { PointerRow } from '../upstream/decoding/field-decoders.ts';
import { recordKinds, type RecordKind } from '../upstream/decoding/record-evidence.ts';

/** The kind of record that each operation answers with. */
export const kindsOf: Readonly<Record<OperationName, RecordKind | 'balance' | 'transaction'>> = {
  ...recordKinds,
  getSettlementBank: 'settlementBank',
  listSettlementBanks: 'settlementBank',
  getCustomer: 'customer',
  listCustomers: 'customer',
  getCustomerBalance: 'balance',
  listCustomerTransactions: 'transaction',
  listCustomerVirtualAccounts: 'account',
};

export const operationNames = Object.keys(kindsOf) as [OperationName, ...OperationName[]]; // the table's keys

type Address = readonly [field: string, row: 'settlementBank.id' | 'customer.id' | 'account.id' | 'account.customerId'];
type Addressed = Extract<WriteName, AddressedName>;

/** For each identifier in a write's path the input field that gives it, and the row at which an answer shows it. */
const addresses: { readonly [Name in Addressed]: Readonly<Record<keyof PathIdentifiers<Name>, Address>> } = {
  updateSettlementBank: { id: ['id', 'settlementBank.id'] },
  updateCustomer: { id: ['id', 'customer.id'] },
  createCustomerVirtualAccount: { id: ['customerId', 'account.customerId'] },
  createCustomerOneTimeAccount: { id: ['customerId', 'account.customerId'] },
};

/** The same for any operation; empty for reads, and for writes whose path has no identifier. */
export function addressFields(name: OperationName): readonly Address[] {
  return Object.hasOwn(addresses, name) ? Object.values<Address>(addresses[name as Addressed]) : []; // hasOwn has proved it
}

/** The rows that say where a value stands in an answer or in its records. */
export const pointerRows = Object.entries(contractRows).flatMap(
  ([id, { schema }]) => (schema === pointers ? [id as PointerRow] : []), // by its schema
);

/** The input of a write, by the graph's names. */
export type Input = Readonly<Record<string, string | number | boolean | null>>;

export function isList(name: OperationName): name is ListName {
  return name.startsWith('list');
}

export function isWrite(name: OperationName): name is WriteName {
  return Object.hasOwn(recordKinds, name);
}

/** The first fault of an input: its field (undefined where the operation takes no input), and what is allowed there. */
export function findInputFault(
  contract: Contract,
  name: OperationName,
  input: object | undefined,
): { readonly field?: string; readonly allowed: string } | undefined {
  if (input === undefined) return undefined;
  if (!isWrite(name)) return { allowed: `nothing, since ${name} is no write` };
  const fields = [...addressFields(name), ...inputNames(contract, name)].map(([field]) => field);
  const unknown = Object.keys(input).find((field) => !fields.includes(field));
  if (unknown !== undefined) return { field: unknown, allowed: `only the fields ${fields.join(', ')}` };
  const types = new Map(extraInputs(contract, name).map((extra) => [extra.name, extra.type]));
  for (const [field, value] of Object.entries(input)) {
    const form = valueForms[types.get(field) ?? 'String'] ?? z.string('a text');
    const allowed = form.nullable().safeParse(value).error?.issues[0]?.message;
    if (allowed !== undefined) return { field, allowed };
  }
  return undefined;
}

/** The JSON values of inputs that are no texts. */
const valueForms: Readonly<Partial<Record<ExtraType, z.ZodType>>> = {
  Boolean: z.boolean('true or false'),
  Int: z.int('a whole number'),
};
