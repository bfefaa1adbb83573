import { nameOfStep } from '../../contract/addressing.ts';
import { isRecord, type PointerRow } from '../../upstream/decoding/field-decoders.ts';
import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { isZoneless, readDate } from '../../contract/date-time.ts';
import { pointerRows } from '../operation-kinds.ts';
import { checkForm, checkTimes } from './check-forms.ts';
import type { CheckRun } from './check-run.ts';
import {
  findPointer,
  formsByField,
  isAmount,
  isText,
  plainTextForm,
  acceptsByField,
  type Accepts,
} from './find-field.ts';
import { findAmounts, isMainAmount } from './find-amount.ts';
import { isPlainName, namesOfMoney, describeType, isResource, walk, walkEntries, type JsonNode } from './json-shape.ts';

const maxRecords = 20;
export const notCarried = 'no record carried it';
/** Rows that no comment proposes: another row decides them, or records of a list never have their field. */
const unaskedRows = /\.(?:id|currency|expiresAt|available|ledger|\w+Minor)$|^account\.amount$|^settlementBank\.status$/;
/** A name that is no amount's; `amountPaid` ends in `paid`, not in `id`. */
const noAmountName = /^(?:date|is_?paid)|(?:(?<!pa)id|code|no|number|count|phone|at|time|date|percentage|rate)$/i;

/** Rows for which no other place is searched: further balances, and a status that the graph does not have. */
const fixedRows = /\.(?:available|ledger)(?:Minor)?$|^settlementBank\.status$/;

/** Fields in which an empty text counts as absent, as the gateway reads them. */
const emptyFields = /^(?:dateOfBirth|(?:created|updated|expires)At)$/;

/** Rows that are no field of a record; other steps check them. */
const otherRows = /^customer\.(?:balance|virtualAccounts)$|\.customerId$/;

/** Compares the rows of a kind of record, such as `customer`, with records of the service. */
export function checkFields(run: CheckRun, kind: string, records: readonly unknown[]): void {
  for (const row of rowsOf(kind)) checkField(run, row, records.slice(0, maxRecords));
}

/**
 * Adds the pointer of a field that a single record has elsewhere than listed records: a list may wrap its records, or
 * spell their names otherwise.
 */
export function checkSingle(run: CheckRun, kind: string, single: unknown, listed: readonly unknown[]): void {
  for (const row of rowsOf(kind)) {
    const pointers: readonly string[] = run.contract()[row];
    const { read, locate } = compilePointers(pointers);
    const sample = listed.slice(0, maxRecords).find((record) => read(record) !== undefined);
    if (sample === undefined || fixedRows.test(row) || pointers.some((pointer) => hasKey(single, pointer))) continue;
    const record = isResource(single) ? withoutKind(single) : single;
    const pointer = findPointer(row, [record], false);
    if (pointer === undefined) continue;
    const seen = `listed records have it at ${locate(sample)}, the single one at ${pointer}`;
    run.contradict(row, seen, [...pointers, pointer]);
  }
}

function rowsOf(kind: string): readonly PointerRow[] {
  return pointerRows.filter((id) => id.startsWith(`${kind}.`) && !otherRows.test(id));
}

function checkField(run: CheckRun, row: PointerRow, records: readonly unknown[]): void {
  const field = row.split('.')[1] ?? '';
  const accepts = acceptsByField[field] ?? isText;
  const values = records
    .map((record) => run.read(row, record))
    .filter((value) => value !== undefined && (value !== '' || !emptyFields.test(field)));
  const isKind =
    field === 'type' && run.contract()[row].some((pointer) => pointer === '/type') && records.some(isResource);
  if (values.length > 0 && values.every(accepts) && !isKind && !hasOtherId(run, row, records)) {
    run.confirm(row);
    return checkForm(run, row, values);
  }
  if (run.isOverridden(row) && run.contract()[row].length === 0) return run.skip(row, 'the row maps nothing');
  const isPresent = records.some((record) => run.contract()[row].some((pointer) => hasKey(record, pointer)));
  if (values.length === 0 && isPresent) return run.confirm(row);
  const amounts =
    values.length === 0 && /^(?:balance\.value|transaction\.amount)$/.test(row) ? findAmounts(records) : [];
  const pointer = fixedRows.test(row)
    ? undefined
    : (findPointer(row, isKind ? records.map(withoutKind) : records, !run.isOverridden(row)) ??
      amounts.find((amount) => amounts.length === 1 && isMainAmount(row, amount)));
  if (pointer !== undefined) {
    const pointers: readonly string[] = run.contract()[row];
    run.contradict(row, `it stands at ${pointer}`, pointers.includes(pointer) ? undefined : [pointer]);
    const movedValues = records.map((record) => run.read(row, record)).filter((value) => value !== undefined);
    return checkForm(run, row, movedValues.filter(accepts));
  }
  const ofKind = '/type names the kind of every record';
  if (isKind) return run.leave(row, ofKind, `pointers, or [] where there is none: ${ofKind}`);
  const places = amounts.join(', ');
  const seen = `amounts with their currency stand at ${places}`;
  if (amounts.length > 1) return run.leave(row, seen, `a pointer to the amount that is meant: there are ${places}`);
  if (amounts.length === 1) proposePlaces(run, row, records);
  const unreadable = values.find((value) => !accepts(value));
  if (isRecord(unreadable)) return contradictObjects(run, row, records, accepts);
  if (unreadable !== undefined)
    return run.contradict(row, `a value of type ${describeType(unreadable)} that cannot be read`);
  if (field === 'currency') suggestCurrency(run, row, records);
  run.skip(row, records.length === 0 ? 'no record was seen' : notCarried);
}

/** Whether accounts have an id of their own, where the contract reads a reference or a number in its place. */
function hasOtherId(run: CheckRun, row: PointerRow, records: readonly unknown[]): boolean {
  if (row !== 'account.id' || run.isOverridden(row)) return false;
  const contract = run.contract();
  const pointers: readonly string[] = contract[row];
  const isCode = /^\/(?:id|code)$/.test(compilePointers(pointers).locate(records[0]));
  const other = findPointer(row, records, true) ?? '/id';
  if (isCode || [...pointers, ...contract['account.customerId']].includes(other)) return false;
  return tellsApart(records, other, pointers);
}

/** Whether a place tells records apart as well as these do: the id of a wallet is that of several accounts. */
export function tellsApart(records: readonly unknown[], place: string, others: readonly string[]): boolean {
  const countIds = (places: readonly string[]): number =>
    new Set(records.map((record) => textOrNumber(compilePointers(places).read(record)))).size;
  return countIds([place]) >= countIds(others);
}

/** Objects in place of a value: their only amount is taken for the value; any other member a person must choose. */
function contradictObjects(run: CheckRun, row: PointerRow, records: readonly unknown[], accepts: Accepts): void {
  const reader = compilePointers(run.contract()[row]);
  const present = records.filter((record) => reader.read(record) !== undefined);
  const pointers = present.map((record) => {
    const value = reader.read(record);
    const money = accepts === isAmount ? namesOfMoney(value)?.amount : undefined;
    const members = isRecord(value) ? Object.keys(value).filter((name) => accepts(value[name])) : [];
    const names = members.filter((name) => money === undefined || name === money);
    return names.length === 1 && isPlainName(names.join()) ? `${reader.locate(record)}/${names.join()}` : undefined;
  });
  const [pointer] = pointers;
  if (accepts === isAmount && pointer !== undefined && pointers.every((each) => each === pointer))
    return run.contradict(row, `it stands at ${pointer}`, [pointer]);
  const place = reader.locate(present.find((record) => isRecord(reader.read(record))));
  const seen = `a value of type object stands at ${place}; a pointer into it could be read`;
  run.leave(row, seen, `a pointer into the object at ${place}, to the member that is meant`);
}

function withoutKind(record: unknown): unknown {
  return isRecord(record) ? Object.fromEntries(Object.entries(record).filter(([name]) => name !== 'type')) : record;
}

/**
 * The currency beside an amount that stands in an object. Unmapped it contradicts nothing: the gateway compares it with
 * the decided one. An entry of a list was chosen by its own.
 */
function suggestCurrency(run: CheckRun, row: PointerRow, records: readonly unknown[]): void {
  const amountRow = row.replace(/^balance.currency$/, 'balance.value').replace('currency', 'amount') as PointerRow; // of the same kind
  const [amount = ''] = run.contract()[amountRow];
  const parent = amount.slice(0, amount.lastIndexOf('/'));
  const money = parent === '' || parent.includes('[') ? [] : records.map(compilePointers([parent]).read);
  const name = money.map(namesOfMoney).find((names) => names !== undefined)?.currency;
  if (name === undefined) return;
  run.correct(row, [`${parent}/${name}`]);
  run.skip(row, `it stands beside the amount, at ${parent}/${name}`);
}

/** Whether a record has the key that a pointer names, whatever its value: a field that is null has no other name. */
export function hasKey(record: unknown, pointer: string): boolean {
  const end = pointer.lastIndexOf('/');
  const parent = end > 0 ? compilePointers([pointer.slice(0, end)]).read(record) : record;
  return end >= 0 && isRecord(parent) && Object.hasOwn(parent, nameOfStep(pointer.slice(end + 1)));
}

/**
 * Proposes pointers for the fields of a kind that no usual name has shown, to unused values of their form, and a zone for
 * times without one.
 */
export function proposeFields(run: CheckRun, kind: string, records: readonly unknown[]): void {
  const values = records.slice(0, maxRecords).flatMap((record) => walk(record).map(({ value }) => value));
  // Midnight is how some services send a date.
  const isDate = (text: string): boolean => readDate(text, 'YYYY-MM-DD') !== undefined;
  checkTimes(
    run,
    values.filter((value) => typeof value === 'string' && isZoneless(value) && !isDate(value)),
  );
  for (const row of rowsOf(kind)) {
    if (unaskedRows.test(row) || run.findings.get(row)?.why !== notCarried) continue;
    proposePlaces(run, row, records);
  }
}

function proposePlaces(run: CheckRun, row: PointerRow, records: readonly unknown[]): void {
  const places = findUnused(run, row, records);
  if (places.length > 0) run.proposals.set(row, `a pointer, if one of these is meant: ${places.join(', ')}`);
}

/** Proposes other pointers for a reference that was found at its customer's identifier: creates may send another value. */
export function proposeReference(run: CheckRun, customers: readonly unknown[]): void {
  const row = 'customer.reference';
  const placeOf = (id: PointerRow): string => compilePointers(run.contract()[id]).locate(customers[0]);
  if (!run.corrections.has(row) || placeOf(row) !== placeOf('customer.id')) return;
  const others = findUnused(run, row, customers).filter((pointer) => /ref(?:erence)?$/i.test(pointer));
  if (others.length > 0) run.proposals.set(row, `a pointer, if creates send another reference: ${others.join(', ')}`);
}

/** Pointers of at most eight values that no row of the record's kind reads and that have the form of a row's field. */
export function findUnused(run: CheckRun, row: PointerRow, records: readonly unknown[]): readonly string[] {
  const [kind = '', field = ''] = row.split('.');
  const sample = records.slice(0, maxRecords);
  const usedPointers = new Set(
    rowsOf(kind).flatMap((each) => sample.map(compilePointers(run.contract()[each]).locate)),
  );
  const fits = formsByField[field] ?? plainTextForm;
  const nodes = sample.flatMap((record) => [
    ...walk(record).filter(({ name }) => name !== 'type' || !isResource(record)),
    ...walkEntries(record),
  ]);
  const free = nodes.filter(
    ({ pointer, name, value }) =>
      fits(value) && !usedPointers.has(pointer) && (fits !== isAmount || !noAmountName.test(name)),
  );
  return [...new Set(free.map(({ pointer }) => pointer))].slice(0, 8);
}

/** Finds where records that were read below a customer name it: at the identifier that was sent. */
export function checkOwner(
  run: CheckRun,
  kind: 'balance' | 'transaction' | 'account',
  id: string,
  records: readonly unknown[],
): void {
  const row = `${kind}.customerId` as const;
  const identifiersAt = (pointers: readonly string[]) =>
    records.map((each) => textOrNumber(compilePointers(pointers).read(each)));
  const isNamed = (pointers: readonly string[]): boolean => identifiersAt(pointers).every((value) => value === id);
  if (run.contract()[row].length > 0 && identifiersAt(run.contract()[row]).some((value) => value !== undefined)) {
    if (isNamed(run.contract()[row])) return run.confirm(row);
    return run.contradict(row, 'it is another value than the identifier that the customer was read by');
  }
  // A short identifier may stand anywhere by chance.
  const isOfCustomer = ({ pointer }: JsonNode): boolean =>
    id.length > 5 || /customer|client|owner|holder|user/i.test(pointer);
  const node = walk(records[0]).find((each) => isOfCustomer(each) && isNamed([each.pointer]));
  if (node === undefined || run.isOverridden(row)) return run.skip(row, notCarried);
  run.correct(row, [node.pointer]);
  run.skip(row, `it stands at ${node.pointer}`);
}
