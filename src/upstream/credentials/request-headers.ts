import { randomUUID } from 'node:crypto';
import { sendsForms, type Contract, type CredentialName, type OperationName } from '../../contract/contract.ts';
import type { UpstreamRequest } from '../operation.ts';

/** The constant headers of the contract, without those that have the name of a credential header (`credentials`). */
export function constantHeaders(
  contract: Contract,
  credentials: readonly string[],
): readonly (readonly [name: string, value: string])[] {
  const credentialNames = new Set(credentials.map((name) => name.toLowerCase()));
  return Object.entries(contract['service.headers']).filter(([name]) => !credentialNames.has(name.toLowerCase()));
}

/** Compiles the value that a credential is sent as: the bearer, `Bearer <token>`, by the scheme of the contract. */
export function createCredentialWriter(contract: Contract): (name: CredentialName, value: string) => string {
  const scheme = contract['service.bearerScheme'];
  const encode = /^basic$/i.test(scheme) ? toBasic : (token: string) => token;
  return (name, value) => (name === 'bearer' ? `${scheme} ${encode(value.slice('Bearer '.length))}` : value);
}

/** A token in the form of HTTP Basic: `user:password`, or a user without a password. */
export function toBasic(token: string): string {
  return Buffer.from(token.includes(':') ? token : `${token}:`).toString('base64');
}

/** What calls accept, and what their bodies are. */
export function mediaTypes(contract: Contract) {
  const contentType = contract['service.contentType'];
  return { accept: sendsForms(contract) ? 'application/json' : contentType, contentType };
}

/** Compiles the headers that all calls have: names and values, alternating. */
export function createCommonHeaders(
  contract: Contract,
  credentials: readonly string[] = [],
): (hasBody: boolean) => readonly string[] {
  const { accept, contentType } = mediaTypes(contract);
  const constants = constantHeaders(contract, credentials).flat();
  const withoutBody = ['accept', accept, 'accept-encoding', 'identity', 'user-agent', 'settlement-graph', ...constants];
  const withBody = [...withoutBody, 'content-type', contentType];
  return (hasBody) => (hasBody ? withBody : withoutBody);
}

/**
 * The header with the idempotency key that the service gets for one write: a UUID, since services limit the form of a key.
 * With a client's key it is derived by `hmac` from that key and the whole request: a repetition has the same one, a
 * corrected input or another caller has another one, and the key does not reveal whether a guessed input is right.
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
