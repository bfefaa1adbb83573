import { fieldsInPath } from '../../contract/addressing.ts';
import type { Contract, RowId } from '../../contract/contract.ts';
import { extraFields } from '../../contract/extra-rows.ts';
import { createEnvelope } from '../../upstream/decoding/envelope.ts';
import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';

/**
 * What a path names of the customer's record beside its id, out of an answer with that record: texts by name, an empty
 * one where the record has none.
 */
export function readPathFields(contract: Contract, path: string, body: unknown): Readonly<Record<string, string>> {
  const record = createEnvelope(contract).record(body);
  const read = (field: string): string => {
    const added = extraFields(contract, 'Customer').find(({ name }) => name === field)?.at;
    const pointers = added ?? (contract[`customer.${field}` as RowId] as readonly string[]); // the contract allows no other
    return textOrNumber(compilePointers(pointers).read(record)) ?? '';
  };
  return Object.fromEntries(fieldsInPath(path).map((field) => [field, read(field)]));
}
