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
import { proposeInTurn, type SeenProposal } from './proposal.ts';
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
export function proposeFields(samples: readonly Sample[], contract: Contract): readonly SeenProposal[] {
  const steps = [...new Set(Object.values(recordKinds))].flatMap((kind) => {
    const records = recordsOfKind(kind, samples, contract);
    const rows = pointerRows.filter((row) => row.startsWith(`${kind}.`) && !unsearched.test(row));
    return rows.map((row) => (current: Contract) => (records.length === 0 ? [] : proposeField(row, records, current)));
  });
  return proposeInTurn(contract, steps);
}

function proposeField(row: PointerRow, records: readonly unknown[], contract: Contract): readonly SeenProposal[] {
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
  const seen = `it stands at ${place}`;
  const isNoText = row.endsWith('.status') && typeof compilePointers([place]).read(records[0]) !== 'string';
  if (isNoText) return [{ row, question: `[${place}], with status.words`, seen }, wordsOfStatus];
  if (others.length === 0 && unsureNames[row]?.test(found.name) !== true) return [{ row, value: [place], seen }];
  return [{ row, question: `a pointer, if one of these is meant: ${[place, ...others].join(', ')}`, seen }];
}

/** A question where amounts stand in a list by currency, or a record has no identifier under a usual name. */
function ask(row: PointerRow, records: readonly unknown[]): readonly SeenProposal[] {
  const nodes = records.slice(0, 1).flatMap(walk);
  const isAmounts = ({ value }: JsonNode): boolean => Array.isArray(value) && amountIn(value[0]) !== undefined;
  const list = /\.(?:value|amount)$/.test(row) ? nodes.find(isAmounts) : undefined;
  if (list !== undefined) {
    const question = `the entry of a currency, such as ['${list.pointer}/[currency=NGN]/amount']`;
    return [{ row, question, seen: `a list of amounts by currency stands at ${list.pointer}` }];
  }
  if (!row.endsWith('.id')) return [];
  const isLikely = /(?:(?<!pa)id|code|ref|reference|number|handle)$/i;
  const likely = nodes.filter(({ name, value }) => isLikely.test(name) && formOf(row)(value));
  const choices = likely.map(({ pointer }) => pointer).join(', ') || 'no usual name';
  const question = `a pointer to the identifier; such values stand at ${choices}`;
  return [{ row, question, seen: 'records have no identifier under a usual name' }];
}

/** The customer that records below it name: only an identifier that each of them has as it was asked for. */
export function proposeOwners(samples: readonly Sample[], contract: Contract): readonly SeenProposal[] {
  return (['balance', 'transaction', 'account'] as const).flatMap((kind): readonly SeenProposal[] => {
    const row = `${kind}.customerId` as const;
    const owned = samples.flatMap((sample) =>
      sample.id === undefined
        ? []
        : recordsOfKind(kind, [sample], contract).map((record) => ({ record, id: sample.id })),
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
    const seen = `it stands at ${node.pointer}`;
    // One-time accounts, which no list shows, need not have it: each create would be OUTCOME_UNKNOWN.
    if (kind === 'account') return [{ row, question: `[${node.pointer}], if one-time accounts have it, too`, seen }];
    return [{ row, value: [node.pointer], seen }];
  });
}

/** The columns of a statement, one for each direction, in place of an amount. */
export function proposeColumns(samples: readonly Sample[], contract: Contract): readonly SeenProposal[] {
  const row = 'transaction.amount';
  const records = recordsOfKind('transaction', samples, contract);
  const nodes = records.slice(0, 1).flatMap(walk);
  const isRead = records.some((record) => compilePointers(contract[row]).read(record) !== undefined);
  const columns = (['transaction.debitWords', 'transaction.creditWords'] as const).map(
    (words) => nodes.find(({ name }) => contract[words].includes(name.toLowerCase()))?.pointer,
  );
  if (isRead || columns.includes(undefined)) return [];
  return [{ row, value: columns, seen: `it stands at ${columns.join(' or ')}` }];
}

/** Rows of the form of values: times, dates, digits, words of statuses and directions. */
export function proposeForms(samples: readonly Sample[], contract: Contract): readonly SeenProposal[] {
  const valuesAt = (rows: RegExp, isOpen: IsOpen = () => true): readonly unknown[] =>
    pointerRows
      .filter((row) => rows.test(row))
      .flatMap((row) => {
        const kind = row.split('.')[0] as RecordKind; // the form of these rows
        const reader = compilePointers(contract[row]);
        const values = recordsOfKind(kind, samples, contract).flatMap((record) => reader.read(record) ?? []);
        return values.filter((value) => isOpen(value, contract, kind));
      });
  const open = openForms.filter(({ places, isOpen }) => valuesAt(places, isOpen).length > 0);
  return [
    ...open.map(({ row, question, seen }) => ({ row, question, seen })),
    ...proposeEpoch(valuesAt(times), contract),
    ...proposeDates('dates.form', valuesAt(/\.dateOfBirth$/), contract),
    ...proposeDates('times.form', valuesAt(times).flatMap(dayOf), contract),
    ...proposeNone([...valuesAt(times), ...valuesAt(/\.dateOfBirth$/)], contract),
    ...proposeDirections(samples, contract),
  ];
}

type IsOpen = (value: unknown, contract: Contract, kind: RecordKind) => boolean;
const times = /\.(?:createdAt|updatedAt|expiresAt)$/;
const digitsOf = (field: 'accountNumber' | 'bankCode') => ({
  row: `${field}.digits` as const,
  places: new RegExp(`\\.${field}$`),
  isOpen: (value: unknown, contract: Contract) => contract[`${field}.digits`] === null && typeof value !== 'string',
  question: 'how many digits have they with their zeros in front?',
  seen: 'they are JSON numbers, without leading zeros',
});
const wordsOfStatus = {
  row: 'status.words',
  question: "words for the statuses that are no texts, such as { 'true': ACTIVE, 'false': BLOCKED }",
  seen: 'statuses are no texts',
} as const;

/** Values in a form that a person has to decide about, by the rows at which they stand. */
const openForms = [
  {
    row: 'times.zone',
    places: times,
    isOpen: (value, contract) =>
      contract['times.zone'] === 'UTC' &&
      typeof value === 'string' &&
      isZoneless(spellTime(value, contract['times.form'])),
    question: 'UTC or an offset such as +01:00: times have no zone',
    seen: 'times without a zone',
  },
  {
    row: 'texts.numbers',
    places: new RegExp(
      `\\.(?:${textNames.filter((name) => !/^(?:accountNumber|bankCode|\w+Id)$/.test(name)).join('|')})$`,
    ),
    isOpen: (value) => numberText(value) !== undefined,
    question: 'the fields that the service has as numbers, such as [reference]',
    seen: 'texts are JSON numbers',
  },
  digitsOf('accountNumber'),
  digitsOf('bankCode'),
  {
    ...wordsOfStatus,
    places: /^(?!settlementBank).*\.status$/,
    isOpen: (value, contract, kind) =>
      typeof value !== 'string' &&
      formOf('customer.status')(value) &&
      !statusWords(contract, kind).has(textOrNumber(value) ?? String(value)),
  },
] as const satisfies readonly { row: RowId; places: RegExp; isOpen: IsOpen; question: string; seen: string }[];

function proposeEpoch(values: readonly unknown[], contract: Contract): readonly SeenProposal[] {
  const units = new Set(values.flatMap((time) => epochUnit(textOrNumber(time)) ?? []));
  const isRead = [...units].some((unit) => unit === contract['times.numbers']);
  return isRead ? [] : proposeForm('times.numbers', [...units], 'times are numbers of');
}

/** The date in a time that could be read in two ways. */
function dayOf(time: unknown): readonly string[] {
  return /^\d\d([/-])\d\d\1\d{4}(?=[T ]\d)/.exec(String(time))?.slice(0, 1) ?? [];
}

/** Texts that stand for no date in databases and languages. */
function proposeNone(values: readonly unknown[], contract: Contract): readonly SeenProposal[] {
  const row = 'times.none';
  const texts = values.filter((value) => /^(?:0000-00-00|0001-01-01T00:00:00)/.test(String(value))).map(String);
  const found = [...new Set(texts)].filter((text) => !contract[row].includes(text));
  return found.length === 0 ? [] : [{ row, value: [...contract[row], ...found], seen: 'dates of the year 0 or 1' }];
}

function proposeDates(
  row: 'dates.form' | 'times.form',
  dates: readonly unknown[],
  contract: Contract,
): readonly SeenProposal[] {
  const texts = dates.filter((date): date is string => typeof date === 'string' && /[1-9]/.test(date));
  const isRead = texts.every((date) => readDate(date, contract[row]) !== undefined);
  return isRead ? [] : proposeForm(row, dateFormsOf(texts), 'dates are written as');
}

/** The only form that values fit; a question where they fit several. */
function proposeForm(row: RowId, forms: readonly string[], what: string): readonly SeenProposal[] {
  const seen = `${what} ${forms.join(' or ')}`;
  if (forms.length < 2) return forms.map((value) => ({ row, value, seen }));
  const choices = forms.map((form) => stringify(toWritten(row, form), { collectionStyle: 'flow' }).trim());
  return [{ row, question: `${choices.join(' or ')}: what was seen may be either`, seen }];
}

/** A type without any of the words is no contradiction: its direction is UNKNOWN. */
function proposeDirections(samples: readonly Sample[], contract: Contract): readonly SeenProposal[] {
  const records = recordsOfKind('transaction', samples, contract);
  const reader = compilePointers([...contract['transaction.direction'], ...contract['transaction.type']]);
  const types = new Set(records.flatMap((record) => textOrNumber(reader.read(record))?.toLowerCase() ?? []));
  return (['transaction.creditWords', 'transaction.debitWords'] as const).flatMap((row) => {
    if (types.size === 0 || contract[row].some((word) => types.has(word.toLowerCase()))) return [];
    const way = row === 'transaction.creditWords' ? 'in' : 'out';
    const question = `words of the types that mean money ${way}: no type seen has one of the contract's`;
    return [{ row, question, seen: 'no type seen has one of these words' }];
  });
}
