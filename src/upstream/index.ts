/**
 * What the contract's tools may use of this room: running an operation over a given answer, walking a list with a given
 * `send`, and reading values as decoders do.
 */
export {
  isContradiction,
  readAnswer,
  readRequest,
  recordsOf,
  toAnswer,
  walkList,
  type GivenAnswer,
  type Reading,
  type Use,
  type Walk,
} from './given-answer.ts';
export { createCommonHeaders, createCredentialWriter } from './credentials/request-headers.ts';
export { scalarText } from './decoding/envelope.ts';
export { numberText, textOrNumber, writeJson } from './decoding/exact-json.ts';
export { isRecord, type PointerRow } from './decoding/field-decoders.ts';
export { parseBody } from './decoding/interpret-answer.ts';
export { compilePointers } from './decoding/json-pointer.ts';
export { isIdentifier, isPathIdentifier } from './decoding/identifiers.ts';
export { createHttpClient, maxResponseBytes, type HttpClient } from './wire/http-client.ts';
