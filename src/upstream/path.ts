import { GatewayError } from '../errors.ts';

export const maxTextBytes = 255;
const controlCharacter = /\p{Cc}/u;
/** Most identifiers: nothing in them to escape, nor a sign that `replace` gives a meaning to. */
const plainIdentifier = /^[A-Za-z0-9_-]{1,255}$/;
const dotSegment = /^(?:\.|%2e){1,2}$/i;

/**
 * Puts an identifier into a path template as exactly one escaped segment. Throws BAD_USER_INPUT for one that could not
 * name a record or could walk out of its segment: empty, over 255 bytes, a dot segment in any spelling, control
 * characters, lone surrogates.
 */
export function fillPath(template: string, identifier: string): string {
  if (plainIdentifier.test(identifier)) return template.replace('{id}', identifier);
  if (!isIdentifier(identifier)) throw new GatewayError('BAD_USER_INPUT', {}, { message: identifierRule });
  return template.replace('{id}', () => encodeURIComponent(identifier));
}

/** Whether a text can name a record, in a request as in an answer. */
export function isIdentifier(text: string): boolean {
  return plainIdentifier.test(text) || isOtherIdentifier(text);
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
  for (const name of Object.keys(parameters)) {
    const pair = `${encodeURIComponent(name)}=${encodeURIComponent(parameters[name] ?? '')}`;
    query += query === '' ? `?${pair}` : `&${pair}`;
  }
  return query;
}

const identifierRule =
  'An identifier must be 1 to 255 bytes of text without control characters, and not a dot segment.';
