import { randomUUID } from 'node:crypto';
import type { Contract, OperationName } from '../../contract/contract.ts';
import type { UpstreamRequest } from '../operation.ts';

/**
 * Compiles the headers that all calls have, as names and values, alternating. `credentials`: names of the headers of
 * credentials, which a constant header never takes the place of.
 */
export function createCommonHeaders(
  contract: Contract,
  credentials: readonly string[] = [],
): (hasBody: boolean) => readonly string[] {
  const mediaType = contract['service.contentType'];
  const taken = new Set(credentials.map((name) => name.toLowerCase()));
  const constants = Object.entries(contract['service.headers']).filter(([name]) => !taken.has(name.toLowerCase()));
  const withoutBody = ['accept', mediaType, 'user-agent', 'settlement-graph', ...constants.flat()];
  const withBody = [...withoutBody, 'content-type', mediaType];
  return (hasBody) => (hasBody ? withBody : withoutBody);
}

/**
 * The header with the service's own idempotency key of one write: a UUID, since services limit what a key may be. With a
 * client's key, `hmac` makes it of that and of the whole request: a repetition has the same one, a corrected input or
 * another caller another, and nobody can test a guess of the input by it.
 */
export function idempotencyHeader(
  contract: Contract,
  operation: OperationName,
  { method, path, body }: UpstreamRequest,
  key: string | undefined,
  hmac: (text: string) => Buffer,
): readonly string[] {
  const name = contract['writes.idempotencyHeader'];
  if (name === null) return [];
  return [name, key === undefined ? randomUUID() : uuidOf(hmac(JSON.stringify([operation, key, method, path, body])))];
}

/** A UUID of version 8, which is made of a hash. */
function uuidOf(hash: Buffer): string {
  const digits = hash.toString('hex');
  const variant = '89ab'[Number.parseInt(digits[16] ?? '0', 16) % 4];
  return digits.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, `$1-$2-8$3-${variant}$4-$5`);
}
