import { pathTemplate, type Contract, type OperationName } from '../../contract/contract.ts';
import { GatewayError } from '../../domain/errors.ts';

export const maxTextBytes = 255;
const controlCharacter = /\p{Cc}/u;
/** A regular expression that counts takes half as long again. */
const unusualCharacter = /[^A-Za-z0-9_-]/;
const dotSegment = /^(?:\.|%2e){1,2}$/i;

/**
 * Compiles a path template with one `{id}`: an identifier is put there as exactly one escaped segment. Throws
 * BAD_USER_INPUT for one that could not name a record or could walk out of its segment: empty, over 255 bytes, a dot
 * segment in any spelling, control characters, lone surrogates.
 */
export function compilePath(template: string): (identifier: string) => string {
  const [before = '', after = ''] = template.split('{id}');
  return (identifier) => {
    if (isPlainIdentifier(identifier)) return before + identifier + after;
    if (!isIdentifier(identifier)) throw new GatewayError('BAD_USER_INPUT', {}, { message: identifierRule });
    return before + encodeURIComponent(identifier) + after;
  };
}

/** An operation's method, path and credentials as the contract names them; `path` puts an identifier into the template. */
export function operationBasics(contract: Contract, name: OperationName) {
  const template = pathTemplate(contract, name);
  return {
    name,
    method: contract[`${name}.method`],
    credentials: contract[`${name}.credentials`],
    path: compilePath(template),
    collectionPath: template,
  };
}

/** Whether a text can name a record, in a request as in an answer. */
export function isIdentifier(text: string): boolean {
  return isPlainIdentifier(text) || isOtherIdentifier(text);
}

/** As most are: nothing in it to escape. */
function isPlainIdentifier(text: string): boolean {
  return text !== '' && text.length <= maxTextBytes && !unusualCharacter.test(text);
}

function isOtherIdentifier(text: string): boolean {
  return text !== '' && isPlainText(text) && !dotSegment.test(text);
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

const identifierRule =
  'An identifier must be 1 to 255 bytes of text without control characters, and not a dot segment.';
