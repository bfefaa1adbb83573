import { z } from 'zod';
import { inputNames, type Contract, type ListName, type OperationName } from '../contract/contract.ts';
import { extraInputs, type ExtraType } from '../contract/extra-rows.ts';
import { addressedBy, isWrite, recordKinds } from '../contract/operation-rows.ts';
import { listSettings } from '../contract/list-rows.ts';
import { places, pointers } from '../contract/row.ts';
import { contractRows } from '../contract/service-rows.ts';
import type { PointerRow } from '../upstream/index.ts';

type Address = readonly [field: string, row: 'settlementBank.id' | 'customer.id' | 'account.id' | 'account.customerId'];

/** The input field that gives the identifier in a write's path, and the row at which an answer shows it. */
export function addressFields(name: OperationName): readonly Address[] {
  const field = isWrite(name) ? addressedBy(name) : undefined;
  if (field === undefined) return [];
  return [[field, field === 'id' ? (`${recordKinds[name]}.id` as 'customer.id') : 'account.customerId']];
}

/** The rows that say where a value stands in an answer or in its records. */
export const pointerRows = Object.entries(contractRows).flatMap(
  ([id, { schema }]) => (schema === pointers || schema === places ? [id as PointerRow] : []), // by its schema
);

/** The input of a write, by the graph's names. */
export type Input = Readonly<Record<string, string | number | boolean | null>>;

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

/** The contract as one list sees it: its own rows in place of those that all lists have in common. */
export function contractOfList(contract: Contract, list: ListName): Contract {
  const settings = Object.entries(listSettings(contract, list));
  return { ...contract, ...Object.fromEntries(settings.map(([name, value]) => [`lists.${name}`, value])) };
}

/** The contract with a unit and a currency: what else there is to read needs no decision about money. */
export function withMoney(contract: Contract): Contract {
  return {
    ...contract,
    'money.unit': contract['money.unit'] ?? 'major',
    'money.currency': contract['money.currency'] ?? 'NGN',
  };
}
