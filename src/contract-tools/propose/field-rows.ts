import { epochUnit, isZoneless, readDate } from '../../contract/date-time.ts';
import type { RecordKind } from '../../contract/records.ts';
import { recordKinds } from '../../contract/operation-rows.ts';
import { contractRows } from '../../contract/service-rows.ts';
import type { Contract, RowId } from '../../contract/contract.ts';
import { compilePointers, isRecord, recordsOf, textOrNumber, type PointerRow } from '../../upstream/index.ts';
import { findPlaces, hasKey } from './find-place.ts';
import { amountIn, dateFormsOf, formOf } from './forms.ts';
import { isResource, walk } from './json-nodes.ts';
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

/** The rows of the fields of one kind of record. */
export function proposeFields(kind: RecordKind, samples: readonly Sample[], contract: Contract): readonly Proposal[] {
  const records = recordsOfKind(kind, samples, contract);
  if (records.length === 0) return [];
  const rows = pointerRows.filter((row) => row.startsWith(`${kind}.`) && !unsearched.test(row));
  return proposeInTurn(
    contract,
    rows.map((row) => (current) => proposeField(row, records, current)),
  );
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
  if (present.length > 0 && present.every(accepts) && !isStandIn(row, reader.locate(records[0]))) return [];
  const isNull = pointers.some((pointer) => records.some((record) => hasKey(record, pointer) && !isKind(record)));
  if (present.length === 0 && isNull) return [];
  const found = findPlaces(row, records);
  const places = found.pointers.filter((pointer) => !pointers.includes(pointer));
  const [place] = places;
  if (
    place !== undefined &&
    (present.length === 0 || !present.every(accepts) || /\/(?:\w*id|uuid|code)$/i.test(place))
  ) {
    const seen = `it stands at ${place}`;
    if (places.length === 1 && unsureNames[row]?.test(found.name) !== true)
      return [{ row, value: [place, ...usefulPlaces(row, pointers, place, records)], seen }];
    return [{ row, question: `a pointer, if one of these is meant: ${places.join(', ')}`, seen }];
  }
  if (present.length > 0 && present.every(accepts)) return [];
  return ask(row, records);
}

/** Places in force that read records which a new one does not: a list may spell or wrap its records otherwise. */
function usefulPlaces(
  row: PointerRow,
  pointers: readonly string[],
  place: string,
  records: readonly unknown[],
): readonly string[] {
  const accepts = formOf(row);
  const others = records.filter((record) => compilePointers([place]).read(record) === undefined);
  return pointers.filter((pointer) => others.some((record) => accepts(compilePointers([pointer]).read(record))));
}

/** Whether a reference or a number stands for an id; a name of an id comes before them. */
function isStandIn(row: PointerRow, pointer: string): boolean {
  return row === 'account.id' && /\/(?:reference|account_n\w+)$/.test(pointer);
}

/** A question where amounts stand in a list by currency, or a record has no identifier under a usual name. */
function ask(row: PointerRow, records: readonly unknown[]): readonly Proposal[] {
  const lists = /\.(?:value|amount)$/.test(row) ? amountLists(records) : [];
  if (lists.length > 0) {
    const example = `${lists[0]}/[currency=NGN]/amount`;
    return [
      {
        row,
        question: `the entry of a currency, such as ['${example}']`,
        seen: `a list of amounts by currency stands at ${lists.join(', ')}`,
      },
    ];
  }
  if (row.endsWith('.id')) {
    const likely = walk(records[0]).filter(
      ({ name, value }) => /(?:(?<!pa)id|code|ref|reference|number|handle)$/i.test(name) && formOf(row)(value),
    );
    const choices = likely.map(({ pointer }) => pointer).join(', ') || 'no usual name';
    return [
      {
        row,
        question: `a pointer to the identifier; such values stand at ${choices}`,
        seen: 'records have no identifier under a usual name',
      },
    ];
  }
  return [];
}

/** Lists of amounts beside their currencies. */
function amountLists(records: readonly unknown[]): readonly string[] {
  const nodes = records.slice(0, 1).flatMap(walk);
  return nodes.flatMap(({ pointer, value }) =>
    Array.isArray(value) && amountIn(value[0]) !== undefined ? [pointer] : [],
  );
}

/** The customer that records below it name: only an identifier that each of them has as it was asked for. */
export function proposeOwner(
  kind: 'balance' | 'transaction' | 'account',
  samples: readonly Sample[],
  contract: Contract,
): readonly Proposal[] {
  const row = `${kind}.customerId` as const;
  if (contract[row].length > 0) return [];
  const owned = samples.flatMap((sample) =>
    sample.id === undefined || recordKinds[sample.operation] !== kind
      ? []
      : recordsOfKind(kind, [sample], contract).map((record) => ({ record, id: sample.id })),
  );
  const [first] = owned;
  if (first === undefined) return [];
  // A short identifier may stand anywhere by chance.
  const node = walk(first.record).find(
    ({ pointer }) =>
      (String(first.id).length > 5 || /customer|client|owner|holder|user/i.test(pointer)) &&
      owned.every(({ record, id }) => textOrNumber(compilePointers([pointer]).read(record)) === id),
  );
  if (node === undefined) return [];
  const seen = `it stands at ${node.pointer}`;
  // One-time accounts, which no list shows, need not have it: each create would be OUTCOME_UNKNOWN.
  if (kind === 'account') return [{ row, question: `[${node.pointer}], if one-time accounts have it, too`, seen }];
  return [{ row, value: [node.pointer], seen }];
}

/** Rows of the form of values: times, dates, digits, words of statuses and directions. */
export function proposeForms(samples: readonly Sample[], contract: Contract): readonly Proposal[] {
  const kinds = ['customer', 'settlementBank', 'transaction', 'account'] as const;
  const read = (field: string) =>
    kinds.flatMap((kind) => {
      const row = `${kind}.${field}` as PointerRow;
      if (!Object.hasOwn(contractRows, row)) return [];
      const reader = compilePointers(contract[row]);
      return recordsOfKind(kind, samples, contract).flatMap((record) => reader.read(record) ?? []);
    });
  const times = [...read('createdAt'), ...read('updatedAt'), ...read('expiresAt')];
  const found: (Proposal | undefined)[] = [
    proposeZone(times, contract),
    proposeEpoch(times, contract),
    proposeDates(read('dateOfBirth'), contract),
    ...(['accountNumber', 'bankCode'] as const).map((field) => proposeDigits(field, read(field), contract)),
    ...kinds.map((kind) => proposeWords(kind, samples, contract)),
    ...proposeDirections(samples, contract),
  ];
  return found.filter((proposal) => proposal !== undefined);
}

function proposeZone(times: readonly unknown[], contract: Contract): Proposal | undefined {
  const isDecided = contract['times.zone'] !== 'UTC';
  if (isDecided || !times.some((time) => typeof time === 'string' && isZoneless(time))) return undefined;
  return {
    row: 'times.zone',
    question: 'UTC or an offset such as +01:00: times have no zone',
    seen: 'times without a zone',
  };
}

function proposeEpoch(times: readonly unknown[], contract: Contract): Proposal | undefined {
  const units = new Set(times.flatMap((time) => epochUnit(textOrNumber(time)) ?? []));
  const [unit] = units;
  if (unit === undefined || units.has(contract['times.numbers'] as 'seconds')) return undefined;
  if (units.size > 1)
    return {
      row: 'times.numbers',
      question: 'seconds or milliseconds: times are numbers of both sizes',
      seen: 'times are numbers',
    };
  return { row: 'times.numbers', value: unit, seen: `times are numbers of ${unit}` };
}

function proposeDates(dates: readonly unknown[], contract: Contract): Proposal | undefined {
  const texts = dates.filter((date): date is string => typeof date === 'string' && date !== '');
  const row = 'dates.form';
  if (texts.every((date) => readDate(date, contract[row]) !== undefined)) return undefined;
  const [form, ...others] = dateFormsOf(texts);
  if (form === undefined) return undefined;
  const seen = `dates are written as ${[form, ...others].join(' or ')}`;
  if (others.length === 0) return { row, value: form, seen };
  return {
    row,
    question: `{ value: ${form}, acknowledge: true } or ${others.join(', ')}; the dates seen may be either`,
    seen,
  };
}

function proposeDigits(
  field: 'accountNumber' | 'bankCode',
  values: readonly unknown[],
  contract: Contract,
): Proposal | undefined {
  const row = `${field}.digits` as const;
  const lengths = values.filter((value) => typeof value !== 'string').map((value) => textOrNumber(value)?.length ?? 0);
  if (lengths.length === 0 || contract[row] !== null) return undefined;
  const seen = 'they are JSON numbers, without leading zeros';
  return {
    row,
    question: `how many digits have they with their zeros in front? The longest seen has ${Math.max(...lengths)}`,
    seen,
  };
}

/** Statuses that are no texts have no words: true and false, 1 and 0. */
function proposeWords(kind: RecordKind, samples: readonly Sample[], contract: Contract): Proposal | undefined {
  const status = `${kind}.status` as 'customer.status';
  if (kind === 'settlementBank') return undefined;
  const values = recordsOfKind(kind, samples, contract).map((record) => compilePointers(contract[status]).read(record));
  const words = { ...contract['status.words'], ...contract[`${status}.words`] };
  const texts = values.flatMap((value) =>
    typeof value === 'boolean'
      ? String(value)
      : typeof value === 'string' || value === undefined
        ? []
        : (textOrNumber(value) ?? []),
  );
  const isOpen = texts.some((text) => !Object.hasOwn(words, text));
  if (!isOpen) return undefined;
  const shown = [...new Set(texts)]
    .filter((text) => /^(?:true|false|\d{1,2})$/.test(text))
    .map((text) => `'${text}': …`);
  const row = Object.keys(contract['status.words']).length > 0 ? (`${status}.words` as const) : 'status.words';
  return {
    row,
    question: `words for the statuses of ${kind}s, such as { ${shown.join(', ')} }`,
    seen: `statuses of ${kind}s are no texts`,
  };
}

/** A type without any of the words is no contradiction: its direction is UNKNOWN. */
function proposeDirections(samples: readonly Sample[], contract: Contract): readonly Proposal[] {
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
