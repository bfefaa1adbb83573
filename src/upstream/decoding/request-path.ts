import { fieldsInPath } from '../../contract/addressing.ts';
import {
  idField,
  pathTemplate,
  sendsForms,
  type Contract,
  type OperationName,
  type RowId,
} from '../../contract/contract.ts';
import { listSettings } from '../../contract/list-rows.ts';
import { isBelowRecord, isList } from '../../contract/operation-rows.ts';
import { GatewayError } from '../../domain/errors.ts';
import { scalarText } from './envelope.ts';
import { writeJson } from './exact-json.ts';
import { isRecord } from './field-decoders.ts';
import { identifierForm, isPathIdentifier, isUnreserved } from './identifiers.ts';
import { bareObject, placeAt } from './json-pointer.ts';
import type { UpstreamRequest } from '../operation.ts';

/** Identifiers by their names in the path template. */
export type Identifiers = Readonly<Record<string, string>>;

/** Parameters of a read, for its query or its body: counts are numbers. */
export type Parameters = Readonly<Record<string, string | number>>;

/** Parts of a body by their name or JSON pointer. */
export type BodyParts = Readonly<Record<string, unknown>>;

/**
 * Compiles what the requests of an operation are made with, as the contract names it. `template`: its full path, perhaps
 * with a query. An identifier becomes exactly one escaped segment; the functions throw for one that may not travel in a path.
 */
export function operationBasics(contract: Contract, name: OperationName, template = pathTemplate(contract, name)) {
  const method = contract[`${name}.method`];
  const allowed = contract['identifiers.allow'];
  const field = idField(contract, name);
  const check = (identifier: string): string => {
    if (isPathIdentifier(identifier, allowed)) return identifier;
    // The id of a record that the service gave is no wrong argument of the client.
    if (isBelowRecord(name)) throw recordRefusal(name, 'identifiers.allow');
    const message = `An identifier must be ${identifierForm(allowed)}.`;
    throw new GatewayError('BAD_USER_INPUT', {}, { message });
  };
  // Text and names of parameters, alternating.
  const parts = template.split(/\{(\w+)\}/);
  const path = (identifiers: Identifiers): string =>
    parts.reduce((target, part, index) => {
      const identifier = identifiers[part] ?? '';
      if (index % 2 === 0) return target + part;
      return target + (isUnreserved(identifier) ? identifier : encodeURIComponent(check(identifier)));
    }, '');
  /** The part of a body that names the record; empty where the path does. */
  const idFields = (identifiers: Identifiers): BodyParts =>
    field === null
      ? noFields
      : { [field]: identifierAs(check(identifiers['id'] ?? ''), contract['identifiers.inBody']) };
  const write = createBodyWriter(contract);
  const areInBody = isList(name) && listSettings(contract, name).parametersIn === 'body';
  const readRequest = (identifiers: Identifiers, parameters: Parameters): UpstreamRequest => {
    const target = path(identifiers);
    const query = toQuery(parameters);
    const whole = query === '' ? target : `${target}${template.includes('?') ? '&' : '?'}${query}`;
    if (method === 'GET') return { method, path: whole };
    const body = Object.assign(bareObject(), areInBody ? parameters : noFields);
    for (const [at, identifier] of Object.entries(idFields(identifiers))) placeAt(body, at, identifier);
    return { method, path: areInBody ? target : whole, body: write(body) };
  };
  return { method, credentials: contract[`${name}.credentials`], path, idFields, readRequest };
}

const noFields = {};

/** Compiles how bodies are written: as JSON, or as forms, in which a value inside an object has a name of both. */
export function createBodyWriter(contract: Contract): (body: object) => string {
  if (!sendsForms(contract)) return writeJson;
  const hasDots = contract['service.formNames'] === 'dots';
  const below = (name: string, key: string): string => {
    if (name === '') return key;
    return hasDots ? `${name}.${key}` : `${name}[${key}]`;
  };
  const pairsOf = (value: unknown, name: string): [string, string][] => {
    const text = scalarText(value);
    if (text !== '' || !isRecord(value)) return [[name, text]];
    return Object.entries(value).flatMap(([key, inner]) => pairsOf(inner, below(name, key)));
  };
  return (body) => String(new URLSearchParams(pairsOf(body, '')));
}

/** An identifier as the service wants it in bodies. Only what a JSON number can carry becomes one. */
export function identifierAs(identifier: string, form: Contract['identifiers.inBody']): unknown {
  return form === 'number' && /^(?:0|[1-9]\d{0,14})$/.test(identifier) ? Number(identifier) : identifier;
}

/** The customer above a read: its id. At run time it also has the fields that the read's path names. */
export interface PathSource {
  readonly id: string;
}

/** Whether requests of an operation need more of the customer's record than its id. */
export function needsRecord(contract: Contract, name: OperationName): boolean {
  return fieldsInPath(name, contract[`${name}.path`]).length > 0;
}

/**
 * Compiles what a read below a customer takes from its record for the path. Throws the field's own error, or
 * UPSTREAM_INVALID_RESPONSE where the record has no such value.
 */
export function compileIdentifiers(contract: Contract, name: OperationName): (source: PathSource) => Identifiers {
  const row = `${name}.path` as const;
  const fields = fieldsInPath(name, contract[row]);
  return (source) => {
    const identifiers: Record<string, string> = { id: source.id };
    for (const field of fields) {
      const value: unknown = Reflect.get(source, field);
      if (value instanceof GatewayError) throw value;
      if (typeof value !== 'string') throw recordRefusal(name, row);
      identifiers[field] = value;
    }
    return identifiers;
  };
}

/** The error of a value of a record that cannot be part of a path. */
function recordRefusal(operation: OperationName, row: RowId): GatewayError {
  return new GatewayError('UPSTREAM_INVALID_RESPONSE', { operation, row, retryable: false });
}

function toQuery(parameters: Parameters): string {
  return Object.entries(parameters)
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&');
}
