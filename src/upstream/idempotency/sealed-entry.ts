import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { CredentialName } from '../../contract/contract.ts';
import type { RequestCredentials } from '../credentials/credentials.ts';
import type { Answer } from '../wire/http-client.ts';
import type { Entry } from './store.ts';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Ids and encryption of one caller's entries in the idempotency store. All keys derive from the caller's credential and
 * the deployment's secret: the store alone reveals neither an answer nor whether a guessed input is right.
 */
export interface Seal {
  /** The id of an entry: an HMAC. */
  readonly id: (operation: string, key: string) => string;
  /** HMAC of a write, of which the service's own idempotency key is made. */
  readonly write: (text: string) => Buffer;
  /** HMAC of an input; the order of its fields does not matter. */
  readonly inputOf: (input: object) => string;
  readonly close: (id: string, content: Uint8Array) => Uint8Array;
  /** Throws where the content was changed. */
  readonly open: (id: string, sealed: Uint8Array) => Uint8Array;
}

/** `names`: the credentials that the operation uses. */
export function createSeal(secret: Uint8Array, { values }: RequestCredentials, names: readonly CredentialName[]): Seal {
  const identity = JSON.stringify(names.map((name) => [name, values[name].value]));
  const keyFor = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', identity, secret, purpose, 32));
  const digest = (purpose: string, text: string): Buffer => createHmac('sha256', keyFor(purpose)).update(text).digest();
  const hmac = (purpose: string, text: string): string => digest(purpose, text).toString('base64url');
  return {
    id: (operation, key) => hmac('id', JSON.stringify([operation, key])),
    write: (text) => digest('write', text),
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

type StoredAnswer = Pick<Answer, 'status' | 'body'>;

/** The result that a key keeps after its use. */
export type Recorded =
  /** Sent, with an unclear answer: the key blocks any further attempt. `status`: the answer's, if there was one. */
  | { readonly as: 'unknown'; readonly status?: number | undefined }
  /** The answer is replayed from now on. */
  | { readonly as: 'answer'; readonly answer: StoredAnswer };

export function sealAnswer(answer: StoredAnswer, id: string, seal: Seal): Uint8Array {
  return seal.close(id, pack(answer));
}

/** The status of an unknown outcome is sealed under an id of its own, so that it cannot be passed off as an answer. */
export function sealUnknown(status: number, id: string, seal: Seal): Uint8Array {
  return seal.close(`${id} unknown`, pack({ status, body: Buffer.alloc(0) }));
}

/** What an entry holds. One that was changed from outside is unknown: all that is certain is that something was sent. */
export function unseal({ state, sealed }: Entry, id: string, seal: Seal): Recorded {
  if (sealed === undefined) return { as: 'unknown' };
  try {
    if (state === 'answered') return { as: 'answer', answer: unpack(seal.open(id, sealed)) };
    return { as: 'unknown', status: unpack(seal.open(`${id} unknown`, sealed)).status };
  } catch {
    return { as: 'unknown' };
  }
}

/** The status in two bytes, then the body as it came. */
function pack({ status, body }: StoredAnswer): Uint8Array {
  const packed = Buffer.alloc(2 + body.length);
  packed.writeUInt16BE(status);
  body.copy(packed, 2);
  return packed;
}

function unpack(content: Uint8Array): StoredAnswer {
  const packed = Buffer.from(content);
  return { status: packed.readUInt16BE(), body: packed.subarray(2) };
}
