import type { GatewayError } from '../../domain/errors.ts';
import type { Contract, OperationName } from '../../contract/contract.ts';
import { createEnvelope } from './envelope.ts';
import { textOrNumber } from './exact-json.ts';
import { contractSurprise, isRecord } from './field-decoders.ts';
import { compilePointers } from './json-pointer.ts';

export type IdentityRow = 'customer.identifiedBy' | 'settlementBank.identifiedBy';
export type ParentRow = 'balance.customerId' | 'transaction.customerId' | 'account.customerId';

/**
 * Finds out that an answer is not about what was asked: none of `accepted` stands in its record. Undefined where one
 * does, and where the contract switches the check off. The body has been decoded, so its record can be read.
 */
export type FindMismatch = (body: unknown, accepted: readonly string[]) => GatewayError | undefined;

const rows: ReadonlySet<string | undefined> = new Set<IdentityRow | ParentRow>([
  'customer.identifiedBy',
  'settlementBank.identifiedBy',
  'balance.customerId',
  'transaction.customerId',
  'account.customerId',
]);

/** Whether an error came from one of these checks. */
export function isMismatch({ details }: GatewayError): boolean {
  return rows.has(details.row);
}

/** A record carries the identifier it was asked by: at a pointer of the row, or as its own id. */
export function createIdentityCheck(contract: Contract, operation: OperationName, row: IdentityRow): FindMismatch {
  const pointers = contract[row];
  if (pointers === 'none' || pointers.length === 0) return noMismatch;
  const own = contract[row === 'customer.identifiedBy' ? 'customer.id' : 'settlementBank.id'];
  return createRecordCheck(contract, operation, row, [...pointers, ...own]);
}

/** A record below a customer names the customer it was asked by, where the contract says that it names one. */
export function createParentCheck(contract: Contract, operation: OperationName, row: ParentRow): FindMismatch {
  return contract[row].length === 0 ? noMismatch : createRecordCheck(contract, operation, row, contract[row]);
}

/** As `createParentCheck`, for every record of a page. */
export function createParentListCheck(contract: Contract, operation: OperationName, row: ParentRow): FindMismatch {
  if (contract[row].length === 0) return noMismatch;
  const carriesOne = createMatcher(contract[row]);
  const lists = contract['lists.records'].map((pointer) => ({ pointer, reader: compilePointers([pointer]) }));
  return (body, accepted) => {
    for (const { pointer, reader } of lists) {
      const records = reader.read(body);
      if (!Array.isArray(records)) continue;
      const index = records.findIndex((record) => isRecord(record) && !carriesOne(record, accepted));
      return index < 0 ? undefined : contractSurprise({ operation, path: pointer, index }, row);
    }
    return undefined;
  };
}

/** Identifiers are compared as text; e-mail addresses and UUIDs without regard to case. */
export function sameIdentifier(a: string, b: string): boolean {
  return a === b || foldCase(a) === foldCase(b);
}

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

function foldCase(text: string): string {
  return text.includes('@') || uuid.test(text) ? text.toLowerCase() : text;
}

function createRecordCheck(
  contract: Contract,
  operation: OperationName,
  row: IdentityRow | ParentRow,
  pointers: readonly string[],
): FindMismatch {
  const envelope = createEnvelope(contract);
  const carriesOne = createMatcher(pointers);
  return (body, accepted) => {
    const record = envelope.record(body);
    if (!isRecord(record) || carriesOne(record, accepted)) return undefined;
    return contractSurprise({ operation, path: envelope.recordPath(body) }, row);
  };
}

function createMatcher(pointers: readonly string[]): (record: unknown, accepted: readonly string[]) => boolean {
  const readers = pointers.map((pointer) => compilePointers([pointer]));
  return (record, accepted) =>
    readers.some(({ read }) => {
      const text = textOrNumber(read(record));
      return text !== undefined && accepted.some((identifier) => sameIdentifier(text, identifier));
    });
}

export const noMismatch: FindMismatch = () => undefined;
