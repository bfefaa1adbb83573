import { epochUnit, isZoneless, readDate, spellTime } from '../../contract/date-time.ts';
import type { RecordKind } from '../../contract/records.ts';
import { recordKinds } from '../../contract/operation-rows.ts';
import { contractRows } from '../../contract/service-rows.ts';
import { statusWords, type Contract, type RowId } from '../../contract/contract.ts';
import { compilePointers, isRecord, recordsOf, textOrNumber, type PointerRow } from '../../upstream/index.ts';
import { findPlaces, hasKey } from './find-place.ts';
import { amountIn, dateFormsOf, formOf } from './forms.ts';
import { isResource, walk, type JsonNode } from './json-nodes.ts';
import { pointerRows } from '../operation-kinds.ts';
import { proposeInTurn, type Proposal } from './proposal.ts';
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
};

/** The records of the successes of one kind, as parsed JSON. */
export function recordsOfKind(kind: RecordKind, samples: readonly Sample[], contract: Contract): readonly unknown[] {
  return samples
    .filter((sample) => recordKinds[sample.operation] === kind && isSuccess(sample))
    .flatMap(({ operation, body }) => recordsOf(contract, operation, body))
    .filter((record) => isRecord(record) || kind === 'balance');
}

/** The rows of the fields of records, kind by kind. */
export function proposeFields(samples: readonly Sample[], contract: Contract): readonly Proposal[] {
  const steps = [...new Set(Object.values(recordKinds))].flatMap((kind) => {
    const records = recordsOfKind(kind, samples, contract);
    const rows = pointerRows.filter((row) => row.startsWith(`${kind}.`) && !unsearched.test(row));
    return rows.map((row) => (current: Contract) => (records.length === 0 ? [] : proposeField(row, records, current)));
  });
  return proposeInTurn(contract, steps);
}

function proposeField(row: PointerRow, records: readonly unknown[], contract: Contract): readonly Proposal[] {
  const pointers: readonly string[] = contract[row];
  // A row that maps nothing, though its default does, says so on purpose.
  if (pointers.length === 0 && contractRows[row].value.length > 0) return [];
  const accepts = formOf(row);
  const reader = compilePointers(pointers);
  const isKind = (record: unknown): boolean => isResource(record) && reader.locate(record) === '/type';
  const values = records.map((record) => (isKind(record) ? undefined : reader.read(record)));
  const present = values.filter((value) => value !== undefined && value !== '');
  const isRead = present.length > 0 && present.every(accepts);
  // The name of an id comes before a reference or a number that stands for one.
  const isStandIn = row === 'account.id' && /\/(?:reference|account_n\w+)$/.test(reader.locate(records[0]));
  if (isRead && !isStandIn) return [];
  const isNull = pointers.some((pointer) => records.some((record) => hasKey(record, pointer) && !isKind(record)));
  if (present.length === 0 && isNull) return [];
  const found = findPlaces(row, records);
  const [place, ...others] = found.pointers.filter((pointer) => !pointers.includes(pointer));
  if (place === undefined) return isRead ? [] : ask(row, records);
  const isNoText = row.endsWith('.status') && typeof compilePointers([place]).read(records[0]) !== 'string';
  if (isNoText) return [{ row, question: `[${place}], with status.words` }, wordsOfStatus];
  if (others.length === 0 && unsureNames[row]?.test(found.name) !== true) return [{ row, value: [place] }];
  return [{ row, question: `a pointer, if one of these is meant: ${[place, ...others].join(', ')}` }];
}

/** A question where amounts stand in a list by currency, or a record has no identifier under a usual name. */
function ask(row: PointerRow, records: readonly unknown[]): readonly Proposal[] {
  const nodes = records.slice(0, 1).flatMap(walk);
  const isAmounts = ({ value }: JsonNode): boolean => Array.isArray(value) && amountIn(value[0]) !== undefined;
  const list = /\.(?:value|amount)$/.test(row) ? nodes.find(isAmounts) : undefined;
  if (list !== undefined)
    return [{ row, question: `the entry of a currency, such as ['${list.pointer}/[currency=NGN]/amount']` }];
  if (!row.endsWith('.id')) return [];
  const isLikely = /(?:(?<!pa)id|code|ref|reference|number|handle)$/i;
  const likely = nodes.filter(({ name, value }) => isLikely.test(name) && formOf(row)(value));
  const choices = likely.map(({ pointer }) => pointer).join(', ') || 'no usual name';
  return [{ row, question: `a pointer to the identifier, which no usual name shows; such values stand at ${choices}` }];
}

/** The customer that records below it name: only an identifier that each of them has as it was asked for. */
export function proposeOwners(samples: readonly Sample[], contract: Contract): readonly Proposal[] {
  return (['balance', 'transaction', 'account'] as const).flatMap((kind): readonly Proposal[] => {
    const row = `${kind}.customerId` as const;
    const named = samples.filter(({ id }) => id !== undefined);
    const owned = named.flatMap((sample) =>
      recordsOfKind(kind, [sample], contract).map((record) => ({ record, id: sample.id })),
    );
    const [first] = owned;
    if (first === undefined || contract[row].length > 0) return [];
    // A short identifier may stand anywhere by chance.
    const isNamed = ({ pointer }: JsonNode): boolean =>
      String(first.id).length > 5 || /customer|client|owner|holder|user/i.test(pointer);
    const isOfEach = ({ pointer }: JsonNode): boolean =>
      owned.every(({ record, id }) => textOrNumber(compilePointers([pointer]).read(record)) === id);
    const node = walk(first.record).find((each) => isNamed(each) && isOfEach(each));
    if (node === undefined) return [];
    // One-time accounts, which no list shows, need not have it: each create would be OUTCOME_UNKNOWN.
    if (kind === 'account') return [{ row, question: `[${node.pointer}], if one-time accounts have it, too` }];
    return [{ row, value: [node.pointer] }];
  });
}

/** Rows of the form of values: times, dates, digits, words of statuses and directions. */
export function proposeForms(samples: readonly Sample[], contract: Contract): readonly Proposal[] {
  const valuesAt = (rows: RegExp) =>
    pointerRows
      .filter((row) => rows.test(row))
      .flatMap((row) => {
        const kind = row.split('.')[0] as RecordKind; // the form of these rows
        const { read } = compilePointers(contract[row]);
        return recordsOfKind(kind, samples, contract).map((record) => ({ kind, value: read(record) }));
      })
      .filter(({ value }) => value !== undefined);
  const times = valuesAt(/\.(?:createdAt|updatedAt|expiresAt)$/).map(({ value }) => value);
  const dates = valuesAt(/\.dateOfBirth$/).map(({ value }) => value);
  const isOpenTime = (value: unknown): boolean =>
    typeof value === 'string' && isZoneless(spellTime(value, contract['times.form']));
  const isOpenStatus = ({ kind, value }: { readonly kind: RecordKind; readonly value: unknown }): boolean =>
    typeof value !== 'string' &&
    formOf('customer.status')(value) &&
    !statusWords(contract, kind).has(textOrNumber(value) ?? String(value));
  const numbers = (['accountNumber', 'bankCode'] as const).filter(
    (field) =>
      contract[`${field}.digits`] === null &&
      valuesAt(new RegExp(`\\.${field}$`)).some(({ value }) => typeof value !== 'string'),
  );
  const isZoneOpen = contract['times.zone'] === 'UTC' && times.some(isOpenTime);
  return [
    ...(isZoneOpen
      ? [{ row: 'times.zone', question: 'UTC or an offset such as +01:00: times have no zone' } as const]
      : []),
    ...numbers.map((field) => ({ row: `${field}.digits` as const, question: 'how many digits, with zeros in front?' })),
    ...(valuesAt(/^(?!settlementBank).*\.status$/).some(isOpenStatus) ? [wordsOfStatus] : []),
    ...proposeEpoch(times, contract),
    ...proposeDates('dates.form', dates, contract),
    ...proposeDates('times.form', times.flatMap(dayOf), contract),
    ...proposeNone([...times, ...dates], contract),
    ...proposeDirections(samples, contract),
  ];
}

const wordsOfStatus = {
  row: 'status.words',
  question: "words for the statuses that are no texts, such as { 'true': ACTIVE, 'false': BLOCKED }",
} as const;

function proposeEpoch(values: readonly unknown[], contract: Contract): readonly Proposal[] {
  const units = [...new Set(values.flatMap((time) => epochUnit(textOrNumber(time)) ?? []))];
  return units.some((unit) => unit === contract['times.numbers']) ? [] : proposeForm('times.numbers', units);
}

/** The date in a time that could be read in two ways. */
function dayOf(time: unknown): readonly string[] {
  return /^\d\d([/-])\d\d\1\d{4}(?=[T ]\d)/.exec(String(time))?.slice(0, 1) ?? [];
}

/** Texts that stand for no date in databases and languages. */
function proposeNone(values: readonly unknown[], contract: Contract): readonly Proposal[] {
  const row = 'times.none';
  const texts = values.map(String).filter((text) => /^(?:0000-00-00|0001-01-01T00:00:00)/.test(text));
  const found = [...new Set(texts)].filter((text) => !contract[row].includes(text));
  return found.length === 0 ? [] : [{ row, value: [...contract[row], ...found] }];
}

function proposeDates(
  row: 'dates.form' | 'times.form',
  dates: readonly unknown[],
  contract: Contract,
): readonly Proposal[] {
  const texts = dates.filter((date): date is string => typeof date === 'string' && /[1-9]/.test(date));
  const isRead = texts.every((date) => readDate(date, contract[row]) !== undefined);
  return isRead ? [] : proposeForm(row, dateFormsOf(texts));
}

/** The only form that values fit; a question where they fit several. */
function proposeForm(row: RowId, forms: readonly string[]): readonly Proposal[] {
  if (forms.length < 2) return forms.map((value) => ({ row, value }));
  return [{ row, question: `${forms.join(' or ')}: what was seen may be either` }];
}

/** A type without any of the words is no contradiction: its direction is UNKNOWN. */
function proposeDirections(samples: readonly Sample[], contract: Contract): readonly Proposal[] {
  const records = recordsOfKind('transaction', samples, contract);
  const { read } = compilePointers([...contract['transaction.direction'], ...contract['transaction.type']]);
  const types = new Set(records.flatMap((record) => textOrNumber(read(record))?.toLowerCase() ?? []));
  const ways = { 'transaction.creditWords': 'in', 'transaction.debitWords': 'out' } as const;
  return (['transaction.creditWords', 'transaction.debitWords'] as const)
    .filter((row) => types.size > 0 && !contract[row].some((word) => types.has(word.toLowerCase())))
    .map((row) => ({
      row,
      question: `words of the types that mean money ${ways[row]}: no type seen has one of the contract's`,
    }));
}
