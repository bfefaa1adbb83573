import {
  addressedNames,
  fieldsForPaths,
  isAddressed,
  isWrite,
  listNames,
  operationNames,
  type AddressedName,
  type ListName,
  type OperationName,
  type WriteName,
  writeNames,
} from './operation-rows.ts';
import { extraFields, extraInputs, filtersOf, type ListFilter, type WithExtras } from './extra-rows.ts';
import { rowOfList } from './list-rows.ts';
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
export function findAddressFaults(values: Values & WithExtras): readonly RowsFault[] {
  return [
    ...addressedNames.flatMap((name) => findIdentifierFault(values, name) ?? []),
    ...operationNames.flatMap((name) => findPathFault(values, name) ?? []),
    ...listNames.flatMap((name) => findParameterFaults(values, name)),
    ...writeNames.flatMap((name) => findBodyFaults(values, name)),
  ];
}

/** The parts of a write's body, each with the row that places it, in the order in which they take precedence. */
function partsOfBody(values: Values & WithExtras, name: WriteName) {
  const id = values[`${name}.idInBody`];
  return [
    ...Object.values(values[`${name}.body`] ?? {}).map((at) => ({ row: `${name}.body`, at })),
    ...Object.keys(values[`${name}.constants`] ?? {}).map((at) => ({ row: `${name}.constants`, at })),
    ...(typeof id === 'string' ? [{ row: `${name}.idInBody`, at: toPointer(id) }] : []),
    ...extraInputs(values, name).map((extra) => ({ row: extra.id, at: extra.wire })),
  ].map(({ row, at }) => ({ row, place: placeInBody(values, name, String(at)) }));
}

/** One fault for each part of a body that would overwrite the wrapper or an earlier part, or stand inside its value. */
function findBodyFaults(values: Values & WithExtras, name: WriteName): readonly RowsFault[] {
  const parts = partsOfBody(values, name);
  const wrapper = wrapperPlace(values, name);
  return parts.flatMap(({ row, place }, index) => {
    // A constant may replace a field.
    const mayReplace = row === `${name}.constants`;
    const isTaken = parts
      .slice(0, index)
      .some((other) => isSameOrNested(place, other.place) && !(mayReplace && place === other.place));
    const allowed = `a place in the body that nothing else is sent at, above or below, unlike ${place}`;
    return isTaken || `${wrapper}/`.startsWith(`${place}/`) ? [{ id: row, allowed }] : [];
  });
}

/** The JSON pointer of the object that holds a write's fields; empty at the top of the body. */
export function wrapperPlace(values: Values, name: OperationName): string {
  const at = values[`${name}.wrapper`];
  return typeof at === 'string' ? toPointer(at) : '';
}

/** Where a name or a JSON pointer of a write's rows leads in its body: a name into the wrapper, a pointer from the top. */
export function placeInBody(values: Values, name: OperationName, at: string): string {
  return at.startsWith('/') ? at : wrapperPlace(values, name) + toPointer(at);
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
  return values[`${name}.method`] === 'GET' ? { id: row, allowed: `null, or ${name}.method: POST` } : undefined;
}

function isSameOrNested(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
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

/** Checks the names in a path: texts of the customer's record for a read, required texts of the input for a write. */
function findPathFault(values: Values & WithExtras, name: OperationName): RowsFault | undefined {
  const required = (values[`${name}.required`] ?? []) as readonly string[]; // by the row's schema
  const fields = isWrite(name) ? fieldsForPaths.filter((field) => required.includes(field)) : fieldsForPaths;
  const added = isWrite(name)
    ? extraInputs(values, name).filter((extra) => extra.required === true)
    : extraFields(values, 'Customer');
  const texts = added.filter(({ type }) => type === 'String' || type === 'ID').map((extra) => extra.name);
  const names = [...(isAddressed(name) ? ['id'] : []), ...fields, ...texts];
  const isAllowed = parametersIn(String(values[`${name}.path`])).every((field) => names.includes(field));
  const condition = isWrite(name) ? '; a field of the input must be required' : '';
  const allowed = `in braces ${[...names, 'an added field of type String or ID'].join(', ')}${condition}`;
  return isAllowed ? undefined : { id: `${name}.path`, allowed };
}

/** Names that a list would send twice, and pages that cannot be asked for so. */
function findParameterFaults(values: Values & WithExtras, name: ListName): readonly RowsFault[] {
  const id = rowOfList(values, name, 'lists.parametersIn');
  const isRefused = values[id] === 'body' && values[`${name}.method`] === 'GET';
  const [reserved, pages] = [reservedNames(values, name), pageNames(values, name)];
  const filters = filtersOf(values, name).filter(({ parameter }) => parameter !== null);
  const isTaken = ({ parameter }: ListFilter, index: number): boolean =>
    [...reserved, ...pages, ...filters.slice(0, index).map((filter) => filter.parameter)].includes(parameter);
  const cursor = rowOfList(values, name, 'lists.cursor');
  const isCounting = values[`${name}.pageStyle`] === 'cursor' && countingParameters.has(values[cursor]);
  const styles = `the parameter of a cursor, or ${name}.pageStyle: page or offset, since this one counts`;
  const names = 'names in its query that no page or filter is sent under';
  return [
    ...(isCounting ? [{ id: cursor, allowed: styles }] : []),
    ...(isRefused ? [{ id, allowed: `query, or ${name}.method: POST` }] : []),
    ...(reserved.some((each) => parameterNames(values, name).includes(each))
      ? [{ id: `${name}.path`, allowed: names }]
      : []),
    ...filters.filter(isTaken).map(({ row, parameter }) => ({
      id: row,
      allowed: `a name that nothing else is sent under, unlike ${parameter}`,
    })),
  ];
}

/** Names of parameters that count pages or records. A list read by them in the style `cursor` would lose some. */
const countingParameters: ReadonlySet<unknown> = new Set(['page', 'page[number]', 'offset', 'skip']);

function pageNames(values: Values, list: ListName): readonly unknown[] {
  return ['page', 'perPage', 'offset', 'limit', 'cursor'].map(
    (property) => values[`${list}.${property}`] ?? values[`lists.${property}`],
  );
}

/** The names of the parameters for page and filters of a list; null for a filter that the service does not support. */
export function parameterNames(values: Values & WithExtras, list: ListName): readonly unknown[] {
  return [...pageNames(values, list), ...filtersOf(values, list).map(({ parameter }) => parameter)];
}

/** The names that a list's requests use for the identifier or fixed query; no parameter may use them. */
export function reservedNames(values: Values, list: ListName): readonly string[] {
  const [, query = ''] = String(values[`${list}.path`]).split('?');
  const field = values[`${list}.idInBody`];
  const inBody = typeof field === 'string' ? (toPointer(field).split('/')[1] ?? '') : undefined;
  return [...new URLSearchParams(query).keys(), ...(inBody === undefined ? [] : [inBody])];
}
