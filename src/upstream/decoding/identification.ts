import type { GatewayError } from '../../domain/errors.ts';
import { undecidedError, type Contract, type OperationName } from '../../contract/contract.ts';
import { isAddressed, recordKinds } from '../../contract/operation-rows.ts';
import { textOrNumber } from './exact-json.ts';
import { contractSurprise, isRecord, type JsonLocation } from './field-decoders.ts';
import { compilePointers } from './json-pointer.ts';

/**
 * Checks that a record is the one that was named, or belongs to it: it must contain one of `accepted`. Returns the error if
 * it contains none; undefined if it contains one, or if the contract switches the check off.
 */
export type FindMismatch = (
  source: unknown,
  accepted: readonly string[],
  location: JsonLocation,
) => GatewayError | undefined;

export const noMismatch: FindMismatch = () => undefined;

/** Whether an error came from one of these checks. */
export function isMismatch({ details: { row = '' } }: GatewayError): boolean {
  return row.endsWith('.identifiedBy') || row.endsWith('.customerId');
}

/** Throws CONTRACT_UNDECIDED, before any call, while the row that identifies the operation's record is undecided. */
export function requireIdentity(contract: Contract, operation: OperationName): void {
  const row = `${recordKinds[operation]}.identifiedBy` as 'customer.identifiedBy'; // undefined for other records
  if (isAddressed(operation) && contract[row] === 'undecided') throw undecidedError(operation, row);
}

/**
 * Compiles the check of an operation's records. That of a settlement bank or customer finds the identifier at a pointer of
 * `identifiedBy`, or as the record's own id; that of a record below a customer finds the customer's at `customerId`.
 */
export function createMismatchCheck(contract: Contract, operation: OperationName): FindMismatch {
  if (!isAddressed(operation)) return noMismatch;
  const kind = recordKinds[operation];
  const isOwn = kind === 'settlementBank' || kind === 'customer';
  const row = isOwn ? (`${kind}.identifiedBy` as const) : (`${kind}.customerId` as const);
  const pointers = contract[row];
  if (typeof pointers === 'string' || pointers.length === 0) return noMismatch;
  const readers = [...pointers, ...(isOwn ? contract[`${kind}.id`] : [])].map((pointer) => compilePointers([pointer]));
  return (source, accepted, location) => {
    const carriesOne = readers.some(({ read }) => {
      const text = textOrNumber(read(source));
      return text !== undefined && accepted.some((identifier) => sameIdentifier(text, identifier));
    });
    return carriesOne || !isRecord(source) ? undefined : contractSurprise(location, row);
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
