import { stringify } from 'yaml';
import { epochUnit, isZoneless, readDate, spellTime } from '../../contract/date-time.ts';
import { textNames, type RecordKind } from '../../contract/records.ts';
import { toWritten } from '../../contract/overrides-file.ts';
import { recordKinds } from '../../contract/operation-rows.ts';
import { contractRows } from '../../contract/service-rows.ts';
import { statusWords, type Contract, type RowId } from '../../contract/contract.ts';
import {
  compilePointers,
  isRecord,
  numberText,
  recordsOf,
  textOrNumber,
  type PointerRow,
} from '../../upstream/index.ts';
import { findPlaces, hasKey } from './find-place.ts';
import { amountIn, dateFormsOf, formOf } from './forms.ts';
import { isResource, walk, type JsonNode } from './json-nodes.ts';
import { pointerRows } from '../operation-kinds.ts';
import type { Draft } from './draft.ts';
import { isSuccess, type Sample } from '../sample.ts';

/** Rows for which nothing is searched: further amounts, and what other steps find. */
const unsearched =
  /\.(?:available|ledger)(?:Minor)?$|^settlementBank\.status$|^customer\.(?:balance|virtualAccounts)$|\.(?:customerId|currency)$/;
/**
 * Names that may mean another thing of the same kind: a customer's own wallet is not the one that it is tied to, and what
 * is available is not the balance where the current one stands beside it.
 */
const unsureNames: Partial<Readonly<Record<RowId, RegExp>>> = {
  'customer.collectionWalletId': /^wallet/,
  'balance.value': /^available$/,
  'settlementBank.deleted': /./,
  'customer.deleted': /./,
};

/** The records of the successes of one kind, as parsed JSON. */
export function recordsOfKind(kind: RecordKind, samples: readonly Sample[], contract: Contract): readonly unknown[] {
  return samples
    .filter((sample) => recordKinds[sample.operation] === kind && isSuccess(sample))
    .flatMap(({ operation, body }) => recordsOf(contract, operation, body))
    .filter((record) => isRecord(record) || kind === 'balance');
}

/** The rows of the fields of records, kind by kind. */
export function proposeFields(samples: readonly Sample[], draft: Draft): void {
  for (const kind of new Set(Object.values(recordKinds))) {
    const records = recordsOfKind(kind, samples, draft.contract);
    const rows = pointerRows.filter((row) => row.startsWith(`${kind}.`) && !unsearched.test(row));
    for (const row of records.length === 0 ? [] : rows) proposeField(row, records, draft);
  }
}

function proposeField(row: PointerRow, records: readonly unknown[], draft: Draft): void {
  const pointers: readonly string[] = draft.contract[row];
  // A row that maps nothing, though its default does, says so on purpose.
  if (pointers.length === 0 && contractRows[row].value.length > 0) return;
  const reader = compilePointers(pointers);
  const isKind = (record: unknown): boolean => isResource(record) && reader.locate(record) === '/type';
  const values = records.map((record) => (isKind(record) ? undefined : reader.read(record)));
  const present = values.filter((value) => value !== undefined && value !== '');
  const isRead = present.length > 0 && present.every(formOf(row));
  // The name of an id comes before a reference or a number that stands for one.
  const isStandIn = row === 'account.id' && /\/(?:reference|account_n\w+)$/.test(reader.locate(records[0]));
  const isNull = pointers.some((pointer) => records.some((record) => hasKey(record, pointer) && !isKind(record)));
  if ((isRead && !isStandIn) || (present.length === 0 && isNull)) return;
  const found = findPlaces(row, records);
  const [place, ...others] = found.pointers.filter((pointer) => !pointers.includes(pointer));
  const isNoText = row.endsWith('.status') && typeof compilePointers([place ?? '']).read(records[0]) !== 'string';
  if (place === undefined) {
    if (!isRead) askForField(row, records, draft);
  } else if (isNoText) {
    draft.ask(row, `[${place}], with status.words`);
    draft.ask('status.words', wordsOfStatus);
  } else if (others.length === 0 && unsureNames[row]?.test(found.name) !== true) draft.take(row, [place]);
  else draft.ask(row, `a pointer, if one of these is meant: ${[place, ...others].join(', ')}`);
}

/** A question where amounts stand in a list by currency, or a record has no identifier under a usual name. */
function askForField(row: PointerRow, records: readonly unknown[], { ask }: Draft): void {
  const nodes = records.slice(0, 1).flatMap(walk);
  const isAmounts = ({ value }: JsonNode): boolean => Array.isArray(value) && amountIn(value[0]) !== undefined;
  const list = /\.(?:value|amount)$/.test(row) ? nodes.find(isAmounts) : undefined;
  if (list !== undefined) ask(row, `the entry of a currency, such as ['${list.pointer}/[currency=NGN]/amount']`);
  if (!row.endsWith('.id')) return;
  const isLikely = /(?:(?<!pa)id|code|ref|reference|number|handle)$/i;
  const likely = nodes.filter(({ name, value }) => isLikely.test(name) && formOf(row)(value));
  const choices = likely.map(({ pointer }) => pointer).join(', ') || 'no usual name';
  ask(row, `a pointer to the identifier, which no usual name shows; such values stand at ${choices}`);
}

/** The customer that records below it name: only an identifier that each of them has as it was asked for. */
export function proposeOwners(samples: readonly Sample[], { contract, take, ask }: Draft): void {
  for (const kind of ['balance', 'transaction', 'account'] as const) {
    const row = `${kind}.customerId` as const;
    const owned = samples
      .filter(({ id }) => id !== undefined)
      .flatMap((sample) => recordsOfKind(kind, [sample], contract).map((record) => ({ record, id: sample.id })));
    const [first] = owned;
    if (first === undefined || contract[row].length > 0) continue;
    // A short identifier may stand anywhere by chance.
    const isNamed = ({ pointer }: JsonNode): boolean =>
      String(first.id).length > 5 || /customer|client|owner|holder|user/i.test(pointer);
    const isOfEach = ({ pointer }: JsonNode): boolean =>
      owned.every(({ record, id }) => textOrNumber(compilePointers([pointer]).read(record)) === id);
    const node = walk(first.record).find((each) => isNamed(each) && isOfEach(each));
    if (node === undefined) continue;
    // One-time accounts, which no list shows, need not have it: each create would be OUTCOME_UNKNOWN.
    if (kind === 'account') ask(row, `[${node.pointer}], if one-time accounts have it, too`);
    else take(row, [node.pointer]);
  }
}

/** What a column of amounts has: an amount, a sign without one, or nothing. */
const columnForm = /^-?(?:(?:0|[1-9][\d,]*)(?:\.\d+)?)?$/;

/** The columns of a statement, one for each direction, in place of an amount under any other usual name. */
export function proposeColumns(samples: readonly Sample[], { contract, take }: Draft): void {
  const row = 'transaction.amount';
  const records = recordsOfKind('transaction', samples, contract);
  const nodes = records.slice(0, 1).flatMap(walk);
  const isRead = records.some((record) => compilePointers(contract[row]).read(record) !== undefined);
  const columns = (['transaction.debitWords', 'transaction.creditWords'] as const).map(
    (words) => nodes.find(({ name }) => contract[words].includes(name.toLowerCase()))?.pointer ?? '',
  );
  if (isRead || columns.includes('') || findPlaces(row, records).pointers.length > 0) return;
  const readers = columns.map((column) => compilePointers([column]));
  // Flags, and the accounts of a double entry, have such names, too.
  const isStatement = records.every((record) => {
    const texts = readers.map(({ read }) => textOrNumber(read(record) ?? '') ?? 'no amount');
    return texts.every((text) => columnForm.test(text)) && texts.filter((text) => /[1-9]/.test(text)).length < 2;
  });
  if (isStatement) take(row, columns);
}

/** Fields of texts, but for those whose numbers other rows read. */
const textFields = textNames.filter((name) => !/^(?:accountNumber|bankCode|\w+Id)$/.test(name));
const wordsOfStatus = "words for the statuses that are no texts, such as { 'true': ACTIVE, 'false': BLOCKED }";

/** Rows of the form of values: times, dates, digits, words of statuses and directions. */
export function proposeForms(samples: readonly Sample[], draft: Draft): void {
  const { contract, take, ask } = draft;
  const valuesAt = (rows: RegExp, isOpen: (value: unknown, kind: RecordKind) => boolean = () => true) =>
    pointerRows
      .filter((row) => rows.test(row))
      .flatMap((row) => {
        const kind = row.split('.')[0] as RecordKind; // the form of these rows
        const { read } = compilePointers(contract[row]);
        const values = recordsOfKind(kind, samples, contract).map((record) => read(record));
        return values.filter((value) => value !== undefined && isOpen(value, kind));
      });
  const times = valuesAt(/\.(?:createdAt|updatedAt|expiresAt)$/);
  const dates = valuesAt(/\.dateOfBirth$/);
  const isZoneOpen = (time: unknown): boolean =>
    typeof time === 'string' && isZoneless(spellTime(time, contract['times.form']));
  if (contract['times.zone'] === 'UTC' && times.some(isZoneOpen))
    ask('times.zone', 'UTC or an offset such as +01:00: times have no zone');
  if (valuesAt(new RegExp(`\\.(?:${textFields.join('|')})$`), (value) => numberText(value) !== undefined).length > 0)
    ask('texts.numbers', 'the fields that the service has as numbers, such as [reference]');
  for (const field of ['accountNumber', 'bankCode'] as const) {
    const numbers = valuesAt(new RegExp(`\\.${field}$`), (value) => typeof value !== 'string');
    if (contract[`${field}.digits`] === null && numbers.length > 0)
      ask(`${field}.digits`, 'how many digits have they with their zeros in front?');
  }
  const hasNoWord = (value: unknown, kind: RecordKind): boolean =>
    typeof value !== 'string' &&
    formOf('customer.status')(value) &&
    !statusWords(contract, kind).has(textOrNumber(value) ?? String(value));
  if (valuesAt(/^(?!settlementBank).*\.status$/, hasNoWord).length > 0) ask('status.words', wordsOfStatus);
  const units = [...new Set(times.flatMap((time) => epochUnit(textOrNumber(time)) ?? []))];
  if (!units.some((unit) => unit === contract['times.numbers'])) proposeForm('times.numbers', units, draft);
  proposeDates('dates.form', dates, draft);
  // The date in a time that could be read in two ways.
  proposeDates(
    'times.form',
    times.flatMap((time) => /^\d\d([/-])\d\d\1\d{4}(?=[T ]\d)/.exec(String(time))?.[0] ?? []),
    draft,
  );
  // Texts that stand for no date in databases and languages.
  const none = [...times, ...dates].map(String).filter((text) => /^(?:0000-00-00|0001-01-01T00:00:00)/.test(text));
  take('times.none', [...new Set([...contract['times.none'], ...none])]);
  proposeDirections(samples, draft);
}

function proposeDates(row: 'dates.form' | 'times.form', dates: readonly unknown[], draft: Draft): void {
  const texts = dates.filter((date): date is string => typeof date === 'string' && /[1-9]/.test(date));
  const isRead = texts.every((date) => readDate(date, draft.contract[row]) !== undefined);
  if (!isRead) proposeForm(row, dateFormsOf(texts), draft);
}

/** The only form that values fit; a question where they fit several. */
function proposeForm(row: RowId, [form, ...others]: readonly string[], { take, ask }: Draft): void {
  if (form === undefined) return;
  if (others.length === 0) take(row, form);
  else {
    const choices = [form, ...others].map((each) =>
      stringify(toWritten(row, each), { collectionStyle: 'flow' }).trim(),
    );
    ask(row, `${choices.join(' or ')}: what was seen may be either`);
  }
}

/** A type without any of the words is no contradiction: its direction is UNKNOWN. */
function proposeDirections(samples: readonly Sample[], { contract, ask }: Draft): void {
  const records = recordsOfKind('transaction', samples, contract);
  const { read } = compilePointers([...contract['transaction.direction'], ...contract['transaction.type']]);
  const types = new Set(records.flatMap((record) => textOrNumber(read(record))?.toLowerCase() ?? []));
  for (const [row, way] of [
    ['transaction.creditWords', 'in'],
    ['transaction.debitWords', 'out'],
  ] as const)
    if (types.size > 0 && !contract[row].some((word) => types.has(word.toLowerCase())))
      ask(row, `words of the types that mean money ${way}: no type seen has one of the contract's`);
}
