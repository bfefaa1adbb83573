import { pathCharacters, type PathCharacter } from '../../contract/row.ts';

export const maxTextBytes = 255;
const controlCharacter = /\p{Cc}/u;

/** Whether a text from outside may become part of a request's target: bounded, without control characters, encodable. */
export function isPlainText(text: string): boolean {
  return Buffer.byteLength(text) <= maxTextBytes && !controlCharacter.test(text) && text.isWellFormed();
}

/** Whether a text can be a record's id in an answer: 1 to 255 bytes, no control character, not a dot segment. */
export function isIdentifier(text: string): boolean {
  return isUnreserved(text) || (text !== '' && isPlainText(text) && !isDotSegment(text));
}

/**
 * Whether an identifier may travel in a path. Refused are `/ \ % ? # ;` unless the row `identifiers.allow` names them, and
 * dot segments, both in any spelling, also between allowed separators: a proxy that decodes the path and resolves its dots
 * (nginx with a path in `proxy_pass`) would send the credential to another resource, a service that applies NFKC read it.
 */
export function isPathIdentifier(identifier: string, allowed: readonly PathCharacter[]): boolean {
  if (isUnreserved(identifier)) return true;
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

/** Describes the identifiers that `isPathIdentifier` accepts. */
export function identifierForm(allowed: readonly PathCharacter[]): string {
  const refused = pathCharacters.filter((character) => !allowed.includes(character));
  const exclusion = refused.length === 0 ? '' : ` and without the characters ${refused.join(' ')}`;
  return `1 to ${maxTextBytes} bytes of text without control characters${exclusion}, and not a dot segment`;
}

/** Whether an identifier needs no escaping, which most do not. */
export function isUnreserved(text: string): boolean {
  // The pattern does not test the length: with a quantifier for it, the test takes half as long again.
  return text !== '' && text.length <= maxTextBytes && !/[^A-Za-z0-9_-]/.test(text);
}

/** Spaces and invisible characters are removed, and other forms of the dot normalized, as a lenient service may do it. */
function isDotSegment(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment.normalize('NFKC').replaceAll(/[\s\p{Cf}]/gu, ''));
}

/** The text after as many rounds of percent-decoding as a chain of proxies could do. Each round shortens it. */
function decodeAscii(text: string): string {
  const decoded = text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decoded === text ? text : decodeAscii(decoded);
}
