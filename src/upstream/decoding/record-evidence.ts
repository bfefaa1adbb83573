import { inputNames, type Contract, type RowId } from '../../contract/contract.ts';
import { toPointer } from '../../contract/addressing.ts';
import type { WriteName } from '../../contract/operation-rows.ts';
import { scalarText } from './envelope.ts';
import { textOrNumber } from './exact-json.ts';
import type { RecordEvidence, WrittenRecord } from '../operation.ts';
import type { PointerRow } from './field-decoders.ts';
import { sameIdentifier } from './identification.ts';
import { compilePointers, type PointerReader } from './json-pointer.ts';
import { createFailureStatusCheck } from './success-flag.ts';

export type RecordKind = 'settlementBank' | 'customer' | 'account';

/** The kind of record that each write answers with. */
export const recordKinds: Readonly<Record<WriteName, RecordKind>> = {
  storeSettlementBank: 'settlementBank',
  updateSettlementBank: 'settlementBank',
  createCustomer: 'customer',
  updateCustomer: 'customer',
  createCustomerVirtualAccount: 'account',
  createCustomerOneTimeAccount: 'account',
};

/** Input fields that name a create's record. If all of them that the answer has differ, it shows another record. */
const namingFields: Readonly<Record<WriteName, readonly string[]>> = {
  storeSettlementBank: ['accountNumber'],
  updateSettlementBank: [],
  createCustomer: ['reference', 'email'],
  updateCustomer: [],
  createCustomerVirtualAccount: [],
  createCustomerOneTimeAccount: [],
};

type Values = Readonly<Record<string, unknown>>;

/**
 * Compiles what the records of one write prove. `sent`: the input by its field names; `wire`: the same in the form of the
 * wire, as with a phone number without its plus. Services answer with either.
 */
export function createRecordEvidence(
  contract: Contract,
  name: WriteName,
): (source: unknown, path: string, sent: Values, wire: Values) => WrittenRecord {
  const kind = recordKinds[name];
  const [idPointer = ''] = contract[`${kind}.id`];
  const id = compilePointers([idPointer]);
  const status = compilePointers(contract[`${kind}.status`]);
  const isFailureStatus = createFailureStatusCheck(contract, [kind]);
  // Where a service uses account numbers as ids, the id does not count as the second value.
  const numberPointers = contract['account.accountNumber'].filter((pointer) => pointer !== idPointer);
  const accountNumber = compilePointers(kind === 'account' ? numberPointers : []);
  const sentFields = createSentFields(contract, name, idPointer);
  const isChecked = kind === 'account' || contract[`${kind}.identifiedBy`] !== 'none';
  const naming = sentFields.filter(({ field }) => isChecked && namingFields[name].includes(field));

  const carries = (record: unknown, values: Values): boolean =>
    sentFields.some(({ field, readers }) => {
      const value = textOrNumber(values[field]);
      return value !== undefined && value !== '' && readers.some(({ read }) => isEqual(read(record), value));
    });

  const isForeign = (record: unknown, sent: Values): boolean => {
    const matches = naming.flatMap(({ field, readers }) => {
      const value = textOrNumber(sent[field]) ?? '';
      const found = readers.map((reader) => textAt(reader, record)).filter(isComparable);
      return value === '' || found.length === 0 ? [] : [found.some((text) => bare(text) === bare(value))];
    });
    return matches.length > 0 && !matches.includes(true);
  };

  const evidenceOf = (source: unknown, sent: Values, wire: Values, hasOwnId: boolean): RecordEvidence => {
    if (source === undefined) return 'absent';
    if (isFailureStatus(scalarText(status.read(source)))) return 'failed';
    if (isForeign(source, sent)) return 'foreign';
    const hasMore = isAccountNumber(textAt(accountNumber, source)) || carries(source, sent) || carries(source, wire);
    return hasOwnId && hasMore ? 'proven' : 'unproven';
  };

  return (source, path, sent, wire) => {
    const hasOwnId = textAt(id, source) !== '';
    return { source, path, evidence: evidenceOf(source, sent, wire, hasOwnId), hasOwnId };
  };
}

/** The text or number that a pointer finds; empty where it finds neither. */
function textAt({ read }: PointerReader, source: unknown): string {
  return textOrNumber(read(source)) ?? '';
}

/**
 * Whether an update's record carries a new identifier that was sent: in a field that identifies records, as far as it has
 * the form of the identifier that the update was addressed to. An update may change the very value that addressed it.
 */
export function createNewIdentifierCheck(
  contract: Contract,
  name: WriteName,
): (record: unknown, sent: Values, addressed: readonly string[]) => boolean {
  const kind = recordKinds[name];
  const identifiedBy = kind === 'account' ? [] : contract[`${kind}.identifiedBy`];
  const fields = fieldPointers(contract, name).map(({ field, pointers }) => {
    const identifying = pointers.filter((pointer) => identifiedBy.includes(pointer));
    return { field, readers: identifying.map((pointer) => compilePointers([pointer])) };
  });
  return (record, sent, addressed) =>
    fields.some(({ field, readers }) => {
      const value = textOrNumber(sent[field]) ?? '';
      const isAlike = addressed.some((identifier) => identifier.includes('@') === value.includes('@'));
      return value !== '' && isAlike && readers.some((reader) => sameIdentifier(textAt(reader, record), value));
    });
}

/** Where each input field may come back: at the pointers of its record row, or under its wire name. Never as the id. */
function createSentFields(contract: Contract, name: WriteName, idPointer: string) {
  return fieldPointers(contract, name).map(({ field, pointers }) => {
    const readers = pointers.filter((pointer) => pointer !== idPointer).map((pointer) => compilePointers([pointer]));
    return { field, readers };
  });
}

function fieldPointers(contract: Contract, name: WriteName) {
  return inputNames(contract, name).map(([field, wireName]) => {
    const row = `${recordKinds[name]}.${field}`;
    return { field, pointers: [...(isPointerRow(contract, row) ? contract[row] : []), toPointer(wireName)] };
  });
}

function isPointerRow(contract: Contract, row: string): row is PointerRow {
  return Object.hasOwn(contract, row) && Array.isArray(contract[row as RowId]); // hasOwn has proved it a row's id
}

function isEqual(value: unknown, sent: string): boolean {
  const text = textOrNumber(value);
  return text !== undefined && sameIdentifier(withoutFinalZeros(text), withoutFinalZeros(sent));
}

/** An amount may come back with other zeros at its end. */
function withoutFinalZeros(text: string): string {
  return /^\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}

/** Masked values such as `******1234` cannot be compared. */
function isComparable(text: string): boolean {
  return text !== '' && !/[*•]/.test(text);
}

/** Letters and digits in lower case, without leading zeros: services change the rest, and the zeros of JSON numbers. */
export function bare(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/^0+/, '');
}

/** An account's number has at least five digits, whatever stands between them. */
function isAccountNumber(text: string): boolean {
  return text.replaceAll(/\D/g, '').length >= 5;
}
