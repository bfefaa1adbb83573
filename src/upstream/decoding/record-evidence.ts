import { inputNames, statusWords, type Contract } from '../../contract/contract.ts';
import { toPointer } from '../../contract/addressing.ts';
import { isCreate, recordKinds, type WriteName } from '../../contract/operation-rows.ts';
import type { Field } from '../../contract/record-fields.ts';
import { records } from '../../contract/records.ts';
import { createEnvelope, scalarText } from './envelope.ts';
import { textOrNumber } from './exact-json.ts';
import type { RecordEvidence, WrittenRecord } from '../operation.ts';
import { sameIdentifier } from './identification.ts';
import { compileEach, compilePointers } from './json-pointer.ts';

/** An account's number has at least five digits, whatever stands between them. */
const minAccountDigits = 5;

type WrittenKind = (typeof recordKinds)[WriteName];
type Values = Readonly<Record<string, unknown>>;

/**
 * Compiles how the record in a write's answer is found, with what it proves. `sent`: the input by its field names, in the
 * form of the wire.
 */
export function createRecordFinder(
  contract: Contract,
  name: WriteName,
): (body: unknown, sent: Values) => WrittenRecord {
  const { findRecord } = createEnvelope(contract);
  const kind = recordKinds[name];
  const [idPointer = ''] = contract[`${kind}.id`];
  const id = compilePointers([idPointer]);
  const isFailed = createFailureStatusCheck(contract, kind);
  // Where a service uses account numbers as ids, the id does not count as the second value.
  const numberPointers = contract['account.accountNumber'].filter((pointer) => pointer !== idPointer);
  const accountNumber = compilePointers(kind === 'account' ? numberPointers : []);
  const sentFields = fieldReaders(contract, name, idPointer);
  const table: Readonly<Record<string, Field>> = records[kind];
  const isChecked = isCreate(name) && contract[`${kind}.identifiedBy` as 'customer.identifiedBy'] !== 'none';
  const naming = sentFields.filter(({ field }) => isChecked && table[field]?.names);

  const carries = (record: unknown, sent: Values): boolean =>
    sentFields.some(({ field, textsIn }) => {
      const value = textOrNumber(sent[field]) ?? '';
      return value !== '' && textsIn(record).some((text) => sameIdentifier(text, value));
    });

  const isForeign = (record: unknown, sent: Values): boolean => {
    const matches = naming.flatMap(({ field, textsIn }) => {
      const value = toComparable(textOrNumber(sent[field]) ?? '');
      const texts = textsIn(record).filter(isComparable).map(toComparable);
      return value === '' || texts.length === 0 ? [] : [texts.includes(value)];
    });
    return matches.length > 0 && !matches.includes(true);
  };

  const evidenceOf = (source: unknown, sent: Values, hasOwnId: boolean): RecordEvidence => {
    if (source === undefined) return 'absent';
    if (isFailed(source)) return 'failed';
    if (isForeign(source, sent)) return 'foreign';
    const digits = (textOrNumber(accountNumber.read(source)) ?? '').replaceAll(/\D/g, '');
    const hasMore = digits.length >= minAccountDigits || carries(source, sent);
    return hasOwnId && hasMore ? 'proven' : 'unproven';
  };

  return (body, sent) => {
    const { source, path, isBesideFlag } = findRecord(body);
    const hasOwnId = (textOrNumber(id.read(source)) ?? '') !== '';
    const evidence = evidenceOf(source, sent, hasOwnId);
    // What stands beside a flag is a record only if it shows that.
    const isNone = isBesideFlag && evidence === 'unproven';
    return isNone
      ? { source: undefined, path, evidence: 'absent', hasOwnId: false }
      : { source, path, evidence, hasOwnId };
  };
}

/** Whether the status of a record, as the service sends it or as `status.words` maps it, means that a write failed. */
function createFailureStatusCheck(contract: Contract, kind: WrittenKind): (record: unknown) => boolean {
  const failures = new Set(contract['writes.failureStatuses'].map((word) => word.toLowerCase()));
  const words = statusWords(contract, kind);
  const { read } = compilePointers(contract[`${kind}.status`]);
  return (record) => {
    const status = scalarText(read(record));
    return [status, words.get(status) ?? ''].some((text) => failures.has(text.trim().toLowerCase()));
  };
}

/**
 * The input fields, each with the reader of the texts and numbers of a record that may repeat it: at the pointers of its
 * record row, or under its wire name, but never at the record's id.
 */
function fieldReaders(contract: Contract, name: WriteName, idPointer: string) {
  const kind = recordKinds[name];
  const table: Readonly<Record<string, Field>> = records[kind];
  return inputNames(contract, name).map(([field, wireName]) => {
    const isRead = (table[field]?.at ?? null) !== null;
    const pointers = isRead ? contract[`${kind}.${field}` as 'customer.reference'] : []; // the table makes these rows
    const readEach = compileEach([...pointers, toPointer(wireName)].filter((pointer) => pointer !== idPointer));
    return { field, textsIn: (record: unknown) => readEach(record).flatMap((value) => textOrNumber(value) ?? []) };
  });
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
