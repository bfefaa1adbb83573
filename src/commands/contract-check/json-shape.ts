import type { Contract } from '../../contract/contract.ts';
import { numberText } from '../../upstream/decoding/exact-json.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';

const maxDepth = 4;
const maxNodes = 2_000;

const plainName = /^[A-Za-z_][A-Za-z_-]{0,39}$/;

/** A value inside parsed JSON, with its JSON pointer. */
export interface JsonNode {
  readonly pointer: string;
  readonly name: string;
  readonly value: unknown;
}

/** All values inside a body, breadth first, at most 4 levels deep and 2,000 in all; arrays are not entered. */
export function walk(body: unknown): readonly JsonNode[] {
  const nodes: JsonNode[] = [];
  let level: readonly JsonNode[] = [{ pointer: '', name: '', value: body }];
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth += 1) {
    nodes.push(...level);
    level = level.flatMap(({ pointer, value }) => (isRecord(value) ? listChildren(pointer, value) : []));
    if (nodes.length + level.length > maxNodes) break;
  }
  return nodes;
}

/** The nearest value with one of these normalized names that `accepts` allows. */
export function findNode(
  body: unknown,
  names: readonly string[],
  accepts: (value: unknown) => boolean,
): JsonNode | undefined {
  return walk(body).find(({ name, value }) => names.includes(normalizeName(name)) && accepts(value));
}

/** Whether a key is a name. Any other may be a value, such as an account number, and is neither followed nor printed. */
export function isPlainName(key: string): boolean {
  return plainName.test(key);
}

function listChildren(pointer: string, record: Readonly<Record<string, unknown>>): readonly JsonNode[] {
  return Object.entries(record)
    .slice(0, 500)
    .filter(([name]) => isPlainName(name))
    .map(([name, value]) => ({ pointer: `${pointer}/${name}`, name, value }));
}

/** Whether a record's fields stand beside its kind, as in JSON:API: `{type, id, attributes}`. */
export function isResource(record: unknown): boolean {
  return isRecord(record) && isRecord(record['attributes']) && typeof record['type'] === 'string';
}

export function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (numberText(value) !== undefined) return 'number';
  return typeof value === 'symbol' ? 'broken string' : typeof value;
}

/** The names at the top of a value with their types: `{id: number, name: string}`. */
export function describeShape(value: unknown): string {
  if (!isRecord(value)) return describeType(value);
  const names = listChildren('', value).map(({ name, value: inner }) => `${name}: ${describeType(inner)}`);
  return `{${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''}}`;
}

/** Removes case, hyphens and underscores: `first_name` and `firstName` are one name. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

const currencyName = /^(?:currency|currency_?code|ccy)$/i;
const amountName = /^(?:amount|value|balance)$/i;
const kindName = /^(?:type|kind|scheme)$/i;

/** The names of an amount and of its currency, where an object holds one of each. */
export function namesOfMoney(value: unknown): { readonly amount: string; readonly currency: string } | undefined {
  const [amount, currency] = [findName(value, amountName), findName(value, currencyName)];
  return amount === undefined || currency === undefined ? undefined : { amount, currency };
}

export const nameOfCurrency = (value: unknown): string | undefined => findName(value, currencyName);
export const isAmountName = (name: string): boolean => amountName.test(name);

function findName(value: unknown, wanted: RegExp): string | undefined {
  return isRecord(value) ? Object.keys(value).find((name) => wanted.test(name)) : undefined;
}

/**
 * The values in the entries of lists whose entries are told apart by the text of a member: `/numbers/[type=IBAN]/value`.
 * The pointers have an ellipsis in place of the text, which may be a value of a record.
 */
export function walkEntries(body: unknown): readonly JsonNode[] {
  return walk(body).flatMap(({ pointer, value }) => {
    const entries: readonly unknown[] = Array.isArray(value) ? value : [];
    const member = findName(entries[0], kindName);
    return member === undefined
      ? []
      : entries.flatMap((entry) =>
          walk(entry).map((node) => ({ ...node, pointer: `${pointer}/[${member}=…]${node.pointer}` })),
        );
  });
}

/** Usual names of what describes a failure, normalized. */
export const failureNames = /^(?:errors?|faults?|failures?|problems?|exceptions?)$/;

/** Usual names of arrays beside the records, normalized. */
const sideNames = /^(?:messages?|warnings?|notices?|links?|meta(?:data)?|included)$/;

/**
 * The arrays of a body that may be its list of records, the nearest first: of objects, or empty. An array that describes
 * a failure is none, and one such as `messages` only where there is no other.
 */
export function findRecordArrays(
  contract: Contract,
  body: unknown,
): readonly { readonly pointer: string; readonly records: readonly unknown[] }[] {
  const arrays = walk(body).flatMap(({ pointer, name, value: records }) =>
    Array.isArray(records) && (records.length === 0 || holdsRecords(records)) && !isOfFailure(contract, pointer)
      ? [{ pointer, name, records }]
      : [],
  );
  const others = arrays.filter(({ name }) => !sideNames.test(normalizeName(name)));
  return others.length > 0 ? others : arrays;
}

/** Whether an array stands at a pointer at which the contract or a usual name says that failures are described. */
export function isOfFailure(contract: Contract, pointer: string): boolean {
  const places = [...contract['envelope.failureKeys'], ...contract['errors.fields']];
  const isBelow = places.some((place) => place !== '' && `${pointer}/`.startsWith(`${place}/`));
  return isBelow || failureNames.test(normalizeName(pointer.split('/').at(-1) ?? ''));
}

/** Whether the body of a 2xx lists faults, which makes it a refusal where it has no records. */
export function holdsFaults(contract: Contract, body: unknown): boolean {
  return walk(body).some(
    ({ pointer, value }) => Array.isArray(value) && value.length > 0 && isOfFailure(contract, pointer),
  );
}

export function holdsRecords(list: readonly unknown[]): boolean {
  return isRecord(list[0]);
}
