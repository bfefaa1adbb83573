import {
  addressedNames,
  fieldsForPaths,
  inputTypes,
  isAddressed,
  isWrite,
  listNames,
  type AddressedName,
  type ListName,
  type OperationName,
  type WriteName,
  writeNames,
} from './operation-rows.ts';
import { extraFields, extraInputs, type Extra, type ExtraType } from './extra-rows.ts';
import { parametersIn } from './row.ts';

type Values = Readonly<Record<string, unknown>>;

/** A fault of a row's value that only the values of other rows reveal. */
interface RowsFault {
  readonly id: string;
  readonly allowed: string;
}

/** The fields that an operation's path names beside the identifiers: of the customer's record, or of a write's input. */
export function fieldsInPath(operation: OperationName, path: string): readonly string[] {
  return parametersIn(path).filter((name) => name !== 'id' || !isAddressed(operation));
}

/** Faults of rows that say where identifiers, fields and list parameters are sent: each at one place, in no body of a GET. */
export function findAddressFaults(values: Values): readonly RowsFault[] {
  return [
    ...addressedNames.flatMap((name) => findIdentifierFault(values, name) ?? []),
    ...addressedNames.filter((name) => !isWrite(name)).flatMap((name) => findFieldFault(values, name) ?? []),
    ...writeNames.flatMap((name) => findInputFault(values, name) ?? []),
    ...findParameterFaults(values),
    ...writeNames.flatMap((name) => findBodyFaults(values, name)),
  ];
}

/** Fields and constants whose places in the body overlap, so that one would overwrite another or stand inside a value. */
function findBodyFaults(values: Values, name: WriteName): readonly RowsFault[] {
  const { fields, constants } = placesInBody(values, name);
  const wrapper = wrapperPlace(values, name);
  const isAtWrapper = (place: string): boolean => `${wrapper}/`.startsWith(`${place}/`);
  const overlaps = (place: string, index: number): boolean =>
    isAtWrapper(place) || fields.slice(index + 1).some((other) => isSameOrNested(place, other));
  const isMisplaced = constants.some(
    (place) => isAtWrapper(place) || fields.some((field) => field !== place && isSameOrNested(field, place)),
  );
  const allowed = 'pointers beside the wrapper and the fields, not to them, above them or below a field';
  return [
    ...(fields.some(overlaps) ? [{ id: `${name}.body`, allowed: 'a different place for each field' }] : []),
    ...(isMisplaced ? [{ id: `${name}.constants`, allowed }] : []),
  ];
}

/** The JSON pointer of the object that holds a write's fields; empty at the top of the body. */
export function wrapperPlace(values: Values, name: OperationName): string {
  return pointerIn(values, `${name}.wrapper`) ?? '';
}

/** Where a name or a JSON pointer of a write's rows leads in its body: a name into the wrapper, a pointer from the top. */
export function placeInBody(values: Values, name: OperationName, at: string): string {
  return at.startsWith('/') ? at : wrapperPlace(values, name) + toPointer(at);
}

function placesInBody(values: Values, name: OperationName) {
  const placeOf = (at: unknown): string => placeInBody(values, name, String(at));
  return {
    fields: Object.values(values[`${name}.body`] ?? {}).map(placeOf),
    constants: Object.keys(values[`${name}.constants`] ?? {}).map(placeOf),
  };
}

/** Whether the place of an added input field overlaps with anything else in the body. `others`: other added fields. */
export function isPlaceTaken(values: Values, name: WriteName, wire: string, others: readonly string[]): boolean {
  const { fields, constants } = placesInBody(values, name);
  const id = pointerIn(values, `${name}.idInBody`);
  const added = others.map((other) => placeInBody(values, name, other));
  const place = placeInBody(values, name, wire);
  return [...fields, ...constants, ...added, ...(id === undefined ? [] : [id])].some((other) =>
    isSameOrNested(place, other),
  );
}

function findIdentifierFault(values: Values, name: AddressedName): RowsFault | undefined {
  const row = `${name}.idInBody`;
  const field = values[row];
  const parameters = parametersIn(String(values[`${name}.path`]));
  const isInPath = parameters.includes('id');
  if (field === null) {
    const allowed = `a path with exactly one {id}, or none where ${row} names a field`;
    // The path of a read may name the record below it by another field, which is then read from the customer first.
    const isNamed = isWrite(name) ? isInPath : parameters.length > 0;
    return isNamed ? undefined : { id: `${name}.path`, allowed };
  }
  if (isInPath && !isWrite(name)) return { id: row, allowed: `null, since ${name}.path has {id}` };
  if (values[`${name}.method`] === 'GET') return { id: row, allowed: `null, or ${name}.method: POST` };
  const pointer = pointerIn(values, row) ?? '';
  const isTaken = placesSent(values, name, pointer).some((place) => isSameOrNested(place, pointer));
  return isTaken ? { id: row, allowed: 'a name that nothing else is sent under' } : undefined;
}

/** The JSON pointers of all parts of a body but the identifier `field`, which may also stand inside the wrapper. */
function placesSent(values: Values, name: AddressedName, field: string): readonly string[] {
  const { fields, constants } = placesInBody(values, name);
  const wrapper = wrapperPlace(values, name);
  return [...fields, ...constants, ...(field.startsWith(`${wrapper}/`) ? [] : [wrapper])];
}

function isSameOrNested(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

/** A row's name or JSON pointer as a JSON pointer; undefined where it is null. */
function pointerIn(values: Values, row: string): string | undefined {
  const at = values[row];
  return typeof at === 'string' ? toPointer(at) : undefined;
}

/** A name or a JSON pointer as a JSON pointer. */
export function toPointer(at: string): string {
  return at.startsWith('/') ? at : toStep(at);
}

/** A name as a step of a JSON pointer: `a/b` is `/a~1b`. */
export function toStep(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The name of a step of a JSON pointer, which is given without its slash. */
export function nameOfStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Checks the fields in the path of a read: they are read from the customer's record first, so they must be its texts. */
function findFieldFault(values: Values, name: AddressedName): RowsFault | undefined {
  const extras = (values['extras'] ?? []) as readonly Extra[]; // the contract's own, checked before
  const added = extraFields({ extras }, 'Customer').filter(({ type }) => isText(type));
  const allowedNames = ['id', ...fieldsForPaths, ...added.map((field) => field.name)];
  const isAllowed = parametersIn(String(values[`${name}.path`])).every((field) => allowedNames.includes(field));
  const allowed = `in braces ${allowedNames.join(', ')}, or a field of type String or ID that an extra.Customer row adds`;
  return isAllowed ? undefined : { id: `${name}.path`, allowed };
}

/** Checks the fields in the path of a write: they must be required texts of its input. */
function findInputFault(values: Values, name: WriteName): RowsFault | undefined {
  const extras = (values['extras'] ?? []) as readonly Extra[]; // the contract's own, checked before
  const required = (values[`${name}.required`] ?? []) as readonly string[]; // by the row's schema
  const pathFields = fieldsForPaths.filter((field) => Object.hasOwn(values[`${name}.body`] ?? {}, field));
  const added = extraInputs({ extras }, name).filter((extra) => isText(extra.type) && extra.required === true);
  const identifiers = isAddressed(name) ? ['id'] : [];
  const requiredFields = [
    ...pathFields.filter((field) => required.includes(field)),
    ...added.map((extra) => extra.name),
  ];
  const allowedNames = new Set([...identifiers, ...requiredFields]);
  const isAllowed = parametersIn(String(values[`${name}.path`])).every((field) => allowedNames.has(field));
  const forms = [
    ...identifiers,
    ...pathFields.map((field) => `${field} where ${name}.required has it`),
    `a field of type String or ID that an extra.${inputTypes[name]} row adds with required: true`,
  ];
  const allowed = `in braces ${forms.join(', or ')}`;
  return isAllowed ? undefined : { id: `${name}.path`, allowed };
}

function isText(type: ExtraType): boolean {
  return type === 'String' || type === 'ID';
}

function findParameterFaults(values: Values): readonly RowsFault[] {
  return listNames.flatMap((name) => {
    const id = (values[`${name}.parametersIn`] ?? null) === null ? 'lists.parametersIn' : `${name}.parametersIn`;
    const isRefused = values[id] === 'body' && values[`${name}.method`] === 'GET';
    const isTaken = reservedNames(values, name).some((reserved) => parameterNames(values, name).includes(reserved));
    const cursor = (values[`${name}.cursor`] ?? null) === null ? 'lists.cursor' : `${name}.cursor`;
    const isCounting = values[`${name}.pageStyle`] === 'cursor' && countingParameters.has(values[cursor]);
    const styles = `the parameter of a cursor, or ${name}.pageStyle: page or offset, since this one counts`;
    return [
      ...(isCounting ? [{ id: cursor, allowed: styles }] : []),
      ...(isRefused ? [{ id, allowed: `query, or ${name}.method: POST` }] : []),
      ...(isTaken ? [{ id: `${name}.path`, allowed: 'names in its query that no page or filter is sent under' }] : []),
    ];
  });
}

/** Names of parameters that count pages or records. A list read by them in the style `cursor` would lose some. */
const countingParameters: ReadonlySet<unknown> = new Set(['page', 'page[number]', 'offset', 'skip']);

const listParameters = ['page', 'perPage', 'offset', 'limit', 'cursor', 'search', 'type'];

/** The names of the parameters for page and filters of a list; null for a filter that the service does not support. */
export function parameterNames(values: Values, list: ListName): readonly unknown[] {
  return listParameters.map((property) => values[`${list}.${property}`] ?? values[`lists.${property}`]);
}

/** The names that a list's requests use for the identifier or fixed query; no parameter may use them. */
export function reservedNames(values: Values, list: ListName): readonly string[] {
  const [, query = ''] = String(values[`${list}.path`]).split('?');
  const field = values[`${list}.idInBody`];
  const inBody = typeof field === 'string' ? (toPointer(field).split('/')[1] ?? '') : undefined;
  return [...new URLSearchParams(query).keys(), ...(inBody === undefined ? [] : [inBody])];
}
