import {
  addressedNames,
  fieldsForPaths,
  listNames,
  type AddressedName,
  type ListName,
  type OperationName,
  type WriteName,
  writeNames,
} from './operation-rows.ts';
import { extraFields, extraInputs, inputTypes, type Extra, type ExtraType } from './extra-rows.ts';
import { parametersIn } from './row.ts';

type Values = Readonly<Record<string, unknown>>;

/** A fault that a row has only beside others. */
interface RowsFault {
  readonly id: string;
  readonly allowed: string;
}

/** Whether an operation names a record by an identifier, in its path or in its body. */
export function isAddressed(name: OperationName): name is AddressedName {
  return addressedNames.some((addressed) => addressed === name);
}

/** The fields that an operation's path names beside the identifier: of the customer's record, or of a write's input. */
export function fieldsInPath(path: string): readonly string[] {
  return parametersIn(path).filter((name) => name !== 'id');
}

/** Faults of where identifiers and list parameters stand: each in exactly one place, and in a body only with POST. */
export function findAddressFaults(values: Values): readonly RowsFault[] {
  return [
    ...addressedNames.flatMap((name) => findIdentifierFault(values, name) ?? []),
    ...addressedNames.filter((name) => !isWrite(name)).flatMap((name) => findFieldFault(values, name) ?? []),
    ...writeNames.flatMap((name) => findInputFault(values, name) ?? []),
    ...findParameterFaults(values),
    ...findConstantFaults(values),
  ];
}

/** A constant at or above the wrapper would be sent in place of the fields. */
function findConstantFaults(values: Values): readonly RowsFault[] {
  const writes = Object.keys(values).flatMap((id) =>
    id.endsWith('.wrapper') ? [id.slice(0, -'.wrapper'.length)] : [],
  );
  return writes.flatMap((write) => {
    const wrapper = values[`${write}.wrapper`];
    if (typeof wrapper !== 'string') return [];
    const steps = `${wrapper.startsWith('/') ? wrapper : `/${wrapper}`}/`;
    const isAbove = Object.keys(values[`${write}.constants`] ?? {}).some(
      (at) => at.startsWith('/') && steps.startsWith(`${at}/`),
    );
    return isAbove ? [{ id: `${write}.constants`, allowed: 'pointers beside the wrapper, not to it or above it' }] : [];
  });
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
  if (isInPath) return { id: row, allowed: `null, since ${name}.path has {id}` };
  if (values[`${name}.method`] === 'GET') return { id: row, allowed: `null, or ${name}.method: POST` };
  const pointer = pointerIn(values, row) ?? '';
  const isTaken = placesSent(values, name, pointer).some((place) => isSameOrAbove(place, pointer));
  return isTaken ? { id: row, allowed: 'a name that nothing else is sent under' } : undefined;
}

/** The JSON pointers of all that a body holds beside the identifier `field`. The object of the fields may hold it, too. */
function placesSent(values: Values, name: AddressedName, field: string): readonly string[] {
  const around = pointerIn(values, `${name}.wrapper`) ?? '';
  const fields = Object.values(values[`${name}.body`] ?? {}).map((wire) => around + toPointer(String(wire)));
  const constants = Object.keys(values[`${name}.constants`] ?? {});
  const beside = constants.map((at) => (at.startsWith('/') ? at : around + toPointer(at)));
  const isInside = field.startsWith(`${around}/`);
  return [...fields, ...beside, ...(isInside ? [] : [around])];
}

function isSameOrAbove(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

/** A row's name or JSON pointer as a JSON pointer; undefined where it is null. */
function pointerIn(values: Values, row: string): string | undefined {
  const at = values[row];
  return typeof at === 'string' ? toPointer(at) : undefined;
}

function toPointer(at: string): string {
  return at.startsWith('/') ? at : `/${at.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The name among a write's fields that its identifier takes; undefined where it stands elsewhere. */
export function idAmongFields(values: Values, name: AddressedName): string | undefined {
  const around = `${pointerIn(values, `${name}.wrapper`) ?? ''}/`;
  const field = pointerIn(values, `${name}.idInBody`) ?? '';
  return field.startsWith(around) ? field.slice(around.length).split('/')[0] : undefined;
}

/** Checks the fields in the path of a read: they are read from the customer's record first, so they must be its texts. */
function findFieldFault(values: Values, name: AddressedName): RowsFault | undefined {
  const extras = (values['extras'] ?? []) as readonly Extra[]; // the contract's own, checked before
  const added = extraFields({ extras }, 'Customer').filter(({ type }) => isText(type));
  const known = [...fieldsForPaths, ...added.map((field) => field.name)];
  const isKnown = fieldsInPath(String(values[`${name}.path`])).every((field) => known.includes(field));
  const allowed = `in braces id, ${known.join(', ')}, or a field of type String or ID that an extra.Customer row adds`;
  return isKnown ? undefined : { id: `${name}.path`, allowed };
}

/** Checks the fields in the path of a write: they must be required texts of its input. */
function findInputFault(values: Values, name: WriteName): RowsFault | undefined {
  const extras = (values['extras'] ?? []) as readonly Extra[]; // the contract's own, checked before
  const required = (values[`${name}.required`] ?? []) as readonly string[]; // by the row's schema
  const own = fieldsForPaths.filter((field) => Object.hasOwn(values[`${name}.body`] ?? {}, field));
  const added = extraInputs({ extras }, name).filter((extra) => isText(extra.type) && extra.required === true);
  const known = new Set([...own.filter((field) => required.includes(field)), ...added.map((extra) => extra.name)]);
  const path = String(values[`${name}.path`]);
  const isKnown = (isAddressed(name) ? fieldsInPath(path) : parametersIn(path)).every((field) => known.has(field));
  const listed = [
    ...(isAddressed(name) ? ['id'] : []),
    ...own.map((field) => `${field} where ${name}.required has it`),
    `a field of type String or ID that an extra.${inputTypes[name]} row adds with required: true`,
  ];
  const allowed = `in braces ${listed.join(', or ')}`;
  return isKnown ? undefined : { id: `${name}.path`, allowed };
}

function isWrite(name: OperationName): name is WriteName {
  return writeNames.some((write) => write === name);
}

function isText(type: ExtraType): boolean {
  return type === 'String' || type === 'ID';
}

function findParameterFaults(values: Values): readonly RowsFault[] {
  return listNames.flatMap((name) => {
    const id = (values[`${name}.parametersIn`] ?? null) === null ? 'lists.parametersIn' : `${name}.parametersIn`;
    const isRefused = values[id] === 'body' && values[`${name}.method`] === 'GET';
    const isTaken = reservedNames(values, name).some((reserved) => parameterNames(values, name).includes(reserved));
    return [
      ...(isRefused ? [{ id, allowed: `query, or ${name}.method: POST` }] : []),
      ...(isTaken ? [{ id: `${name}.path`, allowed: 'names in its query that no page or filter is sent under' }] : []),
    ];
  });
}

const listParameters = ['page', 'perPage', 'offset', 'limit', 'cursor', 'search', 'type'];

/** The names under which page and filters of a list are sent; null for a filter that it has not. */
export function parameterNames(values: Values, list: ListName): readonly unknown[] {
  return listParameters.map((property) => values[`${list}.${property}`] ?? values[`lists.${property}`]);
}

/** The names under which a list's requests say whose list it is, which nothing else may be sent under. */
export function reservedNames(values: Values, list: ListName): readonly string[] {
  const [, query = ''] = String(values[`${list}.path`]).split('?');
  const field = values[`${list}.idInBody`];
  const inBody = typeof field === 'string' ? (toPointer(field).split('/')[1] ?? '') : undefined;
  return [...new URLSearchParams(query).keys(), ...(inBody === undefined ? [] : [inBody])];
}
