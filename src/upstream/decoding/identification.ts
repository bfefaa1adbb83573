import type { GatewayError } from '../../domain/errors.ts';
import { undecidedError, type Contract, type OperationName } from '../../contract/contract.ts';
import { isAddressed, isBelowRecord, isCreate, isWrite, recordKinds } from '../../contract/operation-rows.ts';
import { textOrNumber } from './exact-json.ts';
import { contradiction, isRecord, type JsonLocation } from './field-decoders.ts';
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
 * Compiles the check of an operation's records. A record below a customer has the customer's identifier at `customerId`;
 * every other one has its own at a pointer of `identifiedBy`, or as its id.
 */
export function createMismatchCheck(contract: Contract, operation: OperationName): FindMismatch {
  if (!isAddressed(operation)) return noMismatch;
  const kind = recordKinds[operation];
  const isBelow = isBelowRecord(operation) || (isWrite(operation) && isCreate(operation));
  const row = `${kind}.${isBelow ? 'customerId' : 'identifiedBy'}` as 'customer.identifiedBy'; // undefined for some kinds
  const pointers: Contract[typeof row] | undefined = contract[row];
  if (pointers === undefined || typeof pointers === 'string' || pointers.length === 0) return noMismatch;
  const ids = isBelow ? [] : contract[`${kind}.id` as 'customer.id']; // every such kind has one
  const readers = [...pointers, ...ids].map((pointer) => compilePointers([pointer]));
  return (source, accepted, location) => {
    const carriesOne = readers.some(({ read }) => {
      const text = textOrNumber(read(source));
      return text !== undefined && accepted.some((identifier) => sameIdentifier(text, identifier));
    });
    return carriesOne || !isRecord(source) ? undefined : contradiction(location, row);
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
