import type { GatewayError } from '../../domain/errors.ts';
import { undecidedError, type Contract, type OperationName } from '../../contract/contract.ts';
import { textOrNumber } from './exact-json.ts';
import { contractSurprise, isRecord, type JsonLocation } from './field-decoders.ts';
import { compilePointers } from './json-pointer.ts';

type IdentityRow = 'customer.identifiedBy' | 'settlementBank.identifiedBy';
type ParentRow = 'balance.customerId' | 'transaction.customerId' | 'account.customerId';

/**
 * Checks that a record is the requested one: it must contain one of `accepted`. Returns the error if it contains none;
 * undefined if it contains one, or if the contract switches the check off.
 */
export type FindMismatch = (
  source: unknown,
  accepted: readonly string[],
  location: JsonLocation,
) => GatewayError | undefined;

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

const identityRows: Partial<Readonly<Record<OperationName, IdentityRow>>> = {
  getCustomer: 'customer.identifiedBy',
  updateCustomer: 'customer.identifiedBy',
  getSettlementBank: 'settlementBank.identifiedBy',
  updateSettlementBank: 'settlementBank.identifiedBy',
};

/** Throws CONTRACT_UNDECIDED, before any call, while the row that identifies the operation's record is undecided. */
export function requireIdentity(contract: Contract, operation: OperationName): void {
  const row = identityRows[operation];
  if (row === undefined || contract[row] !== 'undecided') return;
  throw undecidedError(operation, row);
}

/** Checks that a record has the identifier of its read: at a pointer of the row, or as its own id. */
export function createIdentityCheck(contract: Contract, row: IdentityRow): FindMismatch {
  const pointers = contract[row];
  if (typeof pointers === 'string' || pointers.length === 0) return noMismatch;
  const ids = contract[row === 'customer.identifiedBy' ? 'customer.id' : 'settlementBank.id'];
  return createRecordCheck(row, [...pointers, ...ids]);
}

/** Checks that a record below a customer names the requested customer, if the contract has a pointer to it. */
export function createParentCheck(contract: Contract, row: ParentRow): FindMismatch {
  return contract[row].length === 0 ? noMismatch : createRecordCheck(row, contract[row]);
}

/** Identifiers are compared as text; e-mail addresses and UUIDs without regard to case. */
export function sameIdentifier(a: string, b: string): boolean {
  return a === b || foldCase(a) === foldCase(b);
}

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

function foldCase(text: string): string {
  return text.includes('@') || uuid.test(text) ? text.toLowerCase() : text;
}

function createRecordCheck(row: IdentityRow | ParentRow, pointers: readonly string[]): FindMismatch {
  const readers = pointers.map((pointer) => compilePointers([pointer]));
  return (source, accepted, location) => {
    const carriesOne = readers.some(({ read }) => {
      const text = textOrNumber(read(source));
      return text !== undefined && accepted.some((identifier) => sameIdentifier(text, identifier));
    });
    return carriesOne || !isRecord(source) ? undefined : contractSurprise(location, row);
  };
}

export const noMismatch: FindMismatch = () => undefined;
