import { fieldsInPath } from '../../contract/addressing.ts';
import { idField, pathTemplate, type Contract, type OperationName, type RowId } from '../../contract/contract.ts';
import { isBelowRecord, type NameById, type PathIdentifiers } from '../../contract/operation-rows.ts';
import { pathCharacters, type PathCharacter } from '../../contract/row.ts';
import { GatewayError } from '../../domain/errors.ts';
import { bareObject, placeAt } from './json-pointer.ts';
import type { UpstreamRequest } from '../operation.ts';

export const maxTextBytes = 255;
const controlCharacter = /\p{Cc}/u;
/** The pattern does not test the length: with a quantifier for it, the test takes half as long again. */
const unusualCharacter = /[^A-Za-z0-9_-]/;
/** Spaces and invisible characters are removed, and other forms of the dot normalized, as a lenient service may do it. */
const isDotSegment = (segment: string): boolean =>
  /^(?:\.|%2e){1,2}$/i.test(segment.normalize('NFKC').replaceAll(/[\s\p{Cf}]/gu, ''));

/**
 * Compiles a path template. Each identifier becomes exactly one escaped segment. Throws `refuse()` for one that may not
 * travel in a path; see `isPathIdentifier`.
 */
export function compilePath(
  template: string,
  allowed: readonly PathCharacter[] = [],
  refuse: () => GatewayError = () => identifierRefusal(allowed),
): (identifiers: Readonly<Record<string, string>>) => string {
  // Text and names of parameters, alternating.
  const parts = template.split(/\{(\w+)\}/);
  const escape = (identifier: string): string => {
    if (isPlainIdentifier(identifier)) return identifier;
    if (!isPathIdentifier(identifier, allowed)) throw refuse();
    return encodeURIComponent(identifier);
  };
  return (identifiers) =>
    parts.reduce((path, part, index) => path + (index % 2 === 0 ? part : escape(identifiers[part] ?? '')), '');
}

/** Identifiers by their names in the path template. */
export type Identifiers = Readonly<Record<string, string>>;

/**
 * Compiles the requests of a read. `template`: its full path, perhaps with a query. `query` is empty, or begins with `?`.
 * Throws for an identifier that may not travel in a path.
 */
export function compileReadRequest(
  contract: Contract,
  name: OperationName,
  template = pathTemplate(contract, name),
): (identifiers: Identifiers, query: string) => UpstreamRequest {
  const method = contract[`${name}.method`];
  const path = compilePath(template, contract['identifiers.allow'], refusalOf(contract, name));
  const idFields = compileIdFields(contract, name);
  const hasQuery = template.includes('?');
  const areInBody = contract['lists.parametersIn'] === 'body';
  const numbers = new Set((['page', 'perPage', 'offset', 'limit'] as const).map((row) => contract[`lists.${row}`]));
  return (identifiers, query) => {
    const target = path(identifiers);
    const whole = hasQuery ? target + query.replace('?', '&') : target + query;
    if (method === 'GET') return { method, path: whole };
    if (!areInBody) return { method, path: whole, body: toBody(idFields(identifiers), {}) };
    const inBody = [...new URLSearchParams(query)].map(([name, text]) => [
      name,
      numbers.has(name) && /^\d{1,15}$/.test(text) ? Number(text) : text,
    ]);
    return { method, path: target, body: toBody(idFields(identifiers), Object.fromEntries(inBody)) };
  };
}

function toBody(idFields: BodyParts, parameters: Readonly<Record<string, unknown>>): string {
  const body = Object.assign(bareObject(), parameters);
  for (const [at, identifier] of Object.entries(idFields)) placeAt(body, at, identifier);
  return JSON.stringify(body);
}

/** Compiles the part of a body that names the record, by name or JSON pointer; empty where the path does. */
function compileIdFields(contract: Contract, name: OperationName): (identifiers: Identifiers) => BodyParts {
  const field = idField(contract, name);
  if (field === null) return () => noFields;
  const allowed = contract['identifiers.allow'];
  const refuse = refusalOf(contract, name);
  return (identifiers) => {
    const identifier = identifiers['id'] ?? '';
    if (!isPathIdentifier(identifier, allowed)) throw refuse();
    return { [field]: identifierAs(identifier, contract['identifiers.inBody']) };
  };
}

const noFields = {};

/** Parts of a body by their name or JSON pointer. */
export type BodyParts = Readonly<Record<string, unknown>>;

/** An identifier as the service wants it in bodies. Only what a JSON number can carry becomes one. */
export function identifierAs(identifier: string, form: Contract['identifiers.inBody']): unknown {
  return form === 'number' && /^(?:0|[1-9]\d{0,14})$/.test(identifier) ? Number(identifier) : identifier;
}

/** An operation's method and credentials, and what its requests are made with, as the contract names them. */
export function operationBasics<Name extends OperationName>(contract: Contract, name: Name) {
  const path = compilePath(pathTemplate(contract, name), contract['identifiers.allow'], refusalOf(contract, name));
  return {
    method: contract[`${name}.method`],
    credentials: contract[`${name}.credentials`],
    // The row's schema has checked the template's names.
    path: path as (identifiers: PathIdentifiers<Name> & Identifiers) => string,
    idFields: compileIdFields(contract, name),
    readRequest: compileReadRequest(contract, name),
  };
}

/** Creates the error of an identifier that may not travel in an operation's path. */
function refusalOf(contract: Contract, name: OperationName): () => GatewayError {
  if (isBelowRecord(name)) return () => recordRefusal(name);
  return () => identifierRefusal(contract['identifiers.allow']);
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
export function compileIdentifiers(
  contract: Contract,
  name: NameById,
): (source: PathSource) => Identifiers & { readonly id: string } {
  const row = `${name}.path` as const;
  const fields = fieldsInPath(name, contract[row]);
  if (fields.length === 0) return ({ id }) => ({ id });
  return (source) => {
    const identifiers: Record<string, string> & { id: string } = { id: source.id };
    for (const field of fields) {
      const value: unknown = Reflect.get(source, field);
      if (value instanceof GatewayError) throw value;
      if (typeof value !== 'string') throw recordRefusal(name, row);
      identifiers[field] = value;
    }
    return identifiers;
  };
}

/** Whether a text can be a record's id in an answer: 1 to 255 bytes, no control character, not a dot segment. */
export function isIdentifier(text: string): boolean {
  return isPlainIdentifier(text) || (text !== '' && isPlainText(text) && !isDotSegment(text));
}

/**
 * Whether an identifier may travel in a path. Refused are `/ \ % ? # ;` unless the row `identifiers.allow` names them, and
 * dot segments, both in any spelling, also between allowed separators: a proxy that decodes the path and resolves its dots
 * (nginx with a path in `proxy_pass`) would send the credential to another resource, a service that applies NFKC read it.
 */
export function isPathIdentifier(identifier: string, allowed: readonly PathCharacter[]): boolean {
  if (isPlainIdentifier(identifier)) return true;
  if (!isIdentifier(identifier)) return false;
  const isRefused = (text: string): boolean =>
    pathCharacters.some((character) => text.includes(character) && !allowed.includes(character));
  const staysInPath = (text: string): boolean => {
    const decoded = decodeAscii(text);
    if (isRefused(text) || isRefused(decoded) || controlCharacter.test(decoded)) return false;
    return !decoded.split(/[/\\?#;]/).some(isDotSegment);
  };
  return staysInPath(identifier) && staysInPath(identifier.normalize('NFKC'));
}

/** The text after as many rounds of percent-decoding as a chain of proxies could do. Each round shortens it. */
function decodeAscii(text: string): string {
  const decoded = text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decoded === text ? text : decodeAscii(decoded);
}

/** Whether an identifier needs no escaping, which most do not. */
function isPlainIdentifier(text: string): boolean {
  return text !== '' && text.length <= maxTextBytes && !unusualCharacter.test(text);
}

/** Whether a text from outside may become part of a request's target: bounded, without control characters, encodable. */
export function isPlainText(text: string): boolean {
  return Buffer.byteLength(text) <= maxTextBytes && !controlCharacter.test(text) && text.isWellFormed();
}

/** Parameters as a query with its question mark; empty where there are none. */
export function toQuery(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters).reduce((query, [name, value]) => withParameter(query, name, value), '');
}

/** A query with one parameter more. */
export function withParameter(query: string, name: string, value: string): string {
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  return query === '' ? `?${pair}` : `${query}&${pair}`;
}

/** The error for an identifier that a client gave. */
function identifierRefusal(allowed: readonly PathCharacter[]): GatewayError {
  return new GatewayError('BAD_USER_INPUT', {}, { message: `An identifier must be ${identifierForm(allowed)}.` });
}

/** Describes the identifiers that `isPathIdentifier` accepts. */
export function identifierForm(allowed: readonly PathCharacter[]): string {
  const refused = pathCharacters.filter((character) => !allowed.includes(character));
  const exclusion = refused.length === 0 ? '' : ` and without the characters ${refused.join(' ')}`;
  return `1 to ${maxTextBytes} bytes of text without control characters${exclusion}, and not a dot segment`;
}

/** The error for a record's own id that the service gave: no argument of the client is wrong. */
function recordRefusal(operation: OperationName, row: RowId = 'identifiers.allow'): GatewayError {
  return new GatewayError('UPSTREAM_INVALID_RESPONSE', { operation, row, retryable: false });
}
