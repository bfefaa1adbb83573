import { GatewayError } from '../errors.ts';

const maxIdentifierBytes = 255;
const controlCharacter = /\p{Cc}/u;
const dotSegment = /^(?:\.|%2e){1,2}$/i;

/**
 * Puts an identifier into a path template as exactly one escaped segment. Throws BAD_USER_INPUT for one that could not
 * name a record or could walk out of its segment: empty, over 255 bytes, a dot segment in any spelling, control
 * characters, lone surrogates.
 */
export function fillPath(template: string, identifier: string): string {
  if (!isIdentifier(identifier)) throw new GatewayError('BAD_USER_INPUT', {}, { message: identifierRule });
  return template.replace('{id}', () => encodeURIComponent(identifier));
}

/** Whether a text can name a record, in a request as in an answer. */
export function isIdentifier(text: string): boolean {
  return (
    text !== '' &&
    Buffer.byteLength(text) <= maxIdentifierBytes &&
    !dotSegment.test(text) &&
    !controlCharacter.test(text) &&
    text.isWellFormed()
  );
}

const identifierRule =
  'An identifier must be 1 to 255 bytes of text without control characters, and not a dot segment.';
