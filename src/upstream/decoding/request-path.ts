import { pathTemplate, type Contract, type OperationName } from '../../contract/contract.ts';
import type { PathIdentifiers } from '../../contract/operation-rows.ts';
import type { PathCharacter } from '../../contract/row.ts';
import { GatewayError } from '../../domain/errors.ts';

export const maxTextBytes = 255;
const controlCharacter = /\p{Cc}/u;
/** A regular expression that counts takes half as long again. */
const unusualCharacter = /[^A-Za-z0-9_-]/;
const dotSegment = /^(?:\.|%2e){1,2}$/i;
/** Characters that end or divide a path segment where a proxy decodes the path before it routes. */
const pathCharacters: readonly PathCharacter[] = ['/', '\\', '%', '?', '#', ';'];

/** Operations whose identifier is the id of a record that was read before, or of a reference checked before. */
const operationsBelowRecord: ReadonlySet<OperationName> = new Set([
  'getCustomerBalance',
  'listCustomerTransactions',
  'listCustomerVirtualAccounts',
]);

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

/** An operation's method, path and credentials as the contract names them; `path` puts identifiers into the template. */
export function operationBasics<Name extends OperationName>(contract: Contract, name: Name) {
  const template = pathTemplate(contract, name);
  const allowed = contract['identifiers.allow'];
  const refuse = operationsBelowRecord.has(name) ? () => recordRefusal(name) : () => identifierRefusal(allowed);
  return {
    name,
    method: contract[`${name}.method`],
    credentials: contract[`${name}.credentials`],
    path: compilePath(template, allowed, refuse) as (
      identifiers: PathIdentifiers<Name>, // the row's schema has checked the template's names
    ) => string,
    collectionPath: template,
  };
}

/** Whether a text can be a record's id in an answer: 1 to 255 bytes, no control character, not a dot segment. */
export function isIdentifier(text: string): boolean {
  return isPlainIdentifier(text) || (text !== '' && isPlainText(text) && !dotSegment.test(text));
}

/**
 * Whether an identifier may travel in a path. Refused are `/ \ % ? # ;` unless the row `identifiers.allow` names them, and
 * dot segments in any spelling, also between allowed separators: a proxy that decodes the path and resolves its dots
 * (nginx with a path in `proxy_pass`) would send the credential to another resource.
 */
export function isPathIdentifier(identifier: string, allowed: readonly PathCharacter[]): boolean {
  if (isPlainIdentifier(identifier)) return true;
  if (!isIdentifier(identifier)) return false;
  const decoded = decodeAscii(identifier);
  const isRefused = (text: string): boolean =>
    pathCharacters.some((character) => text.includes(character) && !allowed.includes(character));
  if (isRefused(identifier) || isRefused(decoded) || controlCharacter.test(decoded)) return false;
  return !decoded.split(/[/\\?#;]/).some((segment) => dotSegment.test(segment));
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
  let query = '';
  for (const name of Object.keys(parameters)) query = withParameter(query, name, parameters[name] ?? '');
  return query;
}

/** A query with one parameter more. */
export function withParameter(query: string, name: string, value: string): string {
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  return query === '' ? `?${pair}` : `${query}&${pair}`;
}

/** The error for an identifier that a client gave. */
function identifierRefusal(allowed: readonly PathCharacter[]): GatewayError {
  const refused = pathCharacters.filter((character) => !allowed.includes(character));
  const listed = refused.length === 0 ? '' : ` and without the characters ${refused.join(' ')}`;
  const message = `An identifier must be 1 to ${maxTextBytes} bytes of text without control characters${listed}, and not a dot segment.`;
  return new GatewayError('BAD_USER_INPUT', {}, { message });
}

/** The error for a record's own id that the service gave: no argument of the client is wrong. */
function recordRefusal(operation: OperationName): GatewayError {
  return new GatewayError('UPSTREAM_INVALID_RESPONSE', { operation, row: 'identifiers.allow', retryable: false });
}
