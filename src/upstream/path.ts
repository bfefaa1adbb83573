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
  if (
    identifier === '' ||
    Buffer.byteLength(identifier) > maxIdentifierBytes ||
    dotSegment.test(identifier) ||
    controlCharacter.test(identifier) ||
    !identifier.isWellFormed()
  ) {
    throw new GatewayError('BAD_USER_INPUT', {}, { message: identifierRule });
  }
  return template.replace('{id}', () => encodeURIComponent(identifier));
}

const identifierRule =
  'An identifier must be 1 to 255 bytes of text without control characters, and not a dot segment.';
