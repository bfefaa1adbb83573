import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { CredentialName } from '../../contract/contract.ts';
import type { Wallet } from '../credentials/credentials.ts';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * The names and the seal of one caller's entries in the idempotency store. All three need the caller's credential and
 * the deployment's secret: whoever has only the store can neither read an answer nor try out inputs against it.
 */
export interface Seal {
  /** What an entry is filed under. */
  readonly id: (operation: string, key: string) => string;
  /** The same for inputs that are equal but for the order of their fields. */
  readonly inputOf: (input: object) => string;
  readonly close: (id: string, content: Uint8Array) => Uint8Array;
  /** Throws where the seal is broken. */
  readonly open: (id: string, sealed: Uint8Array) => Uint8Array;
}

/** The seal of the caller whose credentials, of these names, the wallet holds. */
export function createSeal(secret: Uint8Array, { credentials }: Wallet, names: readonly CredentialName[]): Seal {
  const identity = JSON.stringify(names.map((name) => [name, credentials[name].value]));
  const keyFor = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', identity, secret, purpose, 32));
  const hmac = (purpose: string, text: string): string =>
    createHmac('sha256', keyFor(purpose)).update(text).digest('base64url');
  return {
    id: (operation, key) => hmac('id', JSON.stringify([operation, key])),
    inputOf: (input) => hmac('input', JSON.stringify(Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1)))),
    close: (id, content) => {
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, keyFor('answer'), nonce).setAAD(Buffer.from(id));
      const sealed = Buffer.concat([sealing.update(content), sealing.final()]);
      return Buffer.concat([nonce, sealing.getAuthTag(), sealed]);
    },
    open: (id, sealed) => {
      const bytes = Buffer.from(sealed);
      const nonce = bytes.subarray(0, nonceBytes);
      const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
      const opening = createDecipheriv(cipher, keyFor('answer'), nonce, { authTagLength: tagBytes })
        .setAAD(Buffer.from(id))
        .setAuthTag(tag);
      return Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]);
    },
  };
}
