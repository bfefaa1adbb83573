import { inputNames, type Contract, type RowId } from '../../contract/contract.ts';
import { toPointer } from '../../contract/addressing.ts';
import type { WriteName } from '../../contract/operation-rows.ts';
import { scalarText } from './envelope.ts';
import { textOrNumber } from './exact-json.ts';
import type { RecordEvidence, WrittenRecord } from '../operation.ts';
import type { PointerRow } from './field-decoders.ts';
import { sameIdentifier } from './identification.ts';
import { compileEach, compilePointers, type PointerReader } from './json-pointer.ts';
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
const namingFields: Readonly<Partial<Record<WriteName, readonly string[]>>> = {
  storeSettlementBank: ['accountNumber'],
  createCustomer: ['reference', 'email'],
};

type Values = Readonly<Record<string, unknown>>;

/**
 * Compiles what the records of one write prove. `sent`: the input by its field names, without amounts; `wire`: the whole
 * input in the form of the wire, as with a phone number without its plus. Services answer with either.
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
  const sentFields = fieldReaders(contract, name, (pointer) => pointer !== idPointer);
  const isChecked = kind === 'account' || contract[`${kind}.identifiedBy`] !== 'none';
  const naming = sentFields.filter(({ field }) => isChecked && namingFields[name]?.includes(field));

  const carries = (record: unknown, values: Values): boolean =>
    sentFields.some(({ field, textsIn }) => {
      const value = textOrNumber(values[field]) ?? '';
      return value !== '' && textsIn(record).some((text) => isEqual(text, value));
    });

  const isForeign = (record: unknown, sent: Values): boolean => {
    const matches = naming.flatMap(({ field, textsIn }) => {
      const value = textOrNumber(sent[field]) ?? '';
      const texts = textsIn(record).filter(isComparable);
      return value === '' || texts.length === 0
        ? []
        : [texts.some((text) => toComparable(text) === toComparable(value))];
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
  const fields = fieldReaders(contract, name, (pointer) => identifiedBy.includes(pointer));
  return (record, sent, addressed) =>
    fields.some(({ field, textsIn }) => {
      const value = textOrNumber(sent[field]) ?? '';
      const isAlike = addressed.some((identifier) => identifier.includes('@') === value.includes('@'));
      return value !== '' && isAlike && textsIn(record).some((text) => sameIdentifier(text, value));
    });
}

/**
 * The input fields, each with the reader of the texts and numbers of a record that may repeat it: at the pointers of its
 * record row, or under its wire name, as far as they are `isWanted`.
 */
function fieldReaders(contract: Contract, name: WriteName, isWanted: (pointer: string) => boolean) {
  return inputNames(contract, name).map(([field, wireName]) => {
    const row = `${recordKinds[name]}.${field}`;
    const pointers = [...(isPointerRow(contract, row) ? contract[row] : []), toPointer(wireName)];
    const readEach = compileEach(pointers.filter(isWanted));
    return { field, textsIn: (record: unknown) => readEach(record).flatMap((value) => textOrNumber(value) ?? []) };
  });
}

function isPointerRow(contract: Contract, row: string): row is PointerRow {
  return Object.hasOwn(contract, row) && Array.isArray(contract[row as RowId]); // hasOwn has proved it a row's id
}

function isEqual(text: string, sent: string): boolean {
  return sameIdentifier(withoutFinalZeros(text), withoutFinalZeros(sent));
}

/** An amount may come back with other zeros at its end. */
function withoutFinalZeros(text: string): string {
  return text.replace(/^(\d+)(?:(\.\d*[1-9])0*|\.0+)$/, '$1$2');
}

/** Masked values such as `******1234` cannot be compared. */
function isComparable(text: string): boolean {
  return text !== '' && !/[*•]/.test(text);
}

/** Letters and digits in lower case, without leading zeros: services change the rest, and the zeros of JSON numbers. */
export function toComparable(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/^0+/, '');
}

/** An account's number has at least five digits, whatever stands between them. */
function isAccountNumber(text: string): boolean {
  return text.replaceAll(/\D/g, '').length >= 5;
}
