import { createHmac, hash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CredentialName } from '../../contract/contract.ts';
import { GatewayError } from '../../domain/errors.ts';
import type { Operation } from '../operation.ts';

/** One inbound credential in its canonical spelling, or the fault of what the client sent. */
export interface Credential {
  /** The inbound header that carries it, for messages. */
  readonly header: string;
  readonly value: string | undefined;
  readonly fault: 'missing' | 'malformed' | undefined;
}

export type Credentials = Readonly<Record<CredentialName, Credential>>;

/** The names of the credential headers towards the service. */
export type CredentialHeaders = Readonly<Record<CredentialName, string>>;

/** The credentials of one request, and the names of those that the service answered 401 for during this request. */
export interface RequestCredentials {
  readonly values: Credentials;
  readonly identity: Identity;
  readonly rejected: CredentialName[];
  /** Whether the service has answered a call of the sender with success. */
  isProven: boolean;
}

/** The sender of a request: its credentials, and the identity derived from them. */
export interface Sender {
  readonly credentials: Credentials;
  readonly identity: Identity;
}

/** The identity of a caller, without its credentials. */
export interface Identity {
  /** For the log: 12 characters of an HMAC under FINGERPRINT_SECRET. */
  readonly fingerprint: string;
  /** The caller of operations that use this credential, for fairness. Hashes that never leave the process. */
  readonly callers: Readonly<Record<CredentialName, string>>;
}

const maxIdentities = 2_000;
const secret = randomBytes(32).toString('base64');

export function createRequestCredentials(values: Credentials, identity: Identity): RequestCredentials {
  return { values, identity, rejected: [], isProven: false };
}

/** The caller of an operation that uses these credentials: the private key's, wherever one is used. */
export function callerOf({ identity: { callers } }: RequestCredentials, names: readonly CredentialName[]): string {
  return names.includes('privateKey') ? callers.privateKey : callers.bearer;
}

/** The caller in whose queue a request waits, before its document is parsed. */
export function waitingCaller({ credentials, identity: { callers } }: Sender): string {
  return credentials.privateKey.value === undefined ? callers.bearer : callers.privateKey;
}

/** Notes that the service has answered this operation with success: the caller that waited for it is no made-up one. */
export function prove(credentials: RequestCredentials, operation: Operation): void {
  if (credentials.isProven) return;
  const sender = { credentials: credentials.values, identity: credentials.identity };
  credentials.isProven = callerOf(credentials, operation.credentials) === waitingCaller(sender);
}

/**
 * Identifies callers. A merchant that sends both credentials is one caller: a bearer token belongs to the private key
 * with which it was first seen, so that neither can be varied to make one caller look like many. Nothing that is kept
 * holds a credential.
 */
export function createIdentify(fingerprintSecret: Uint8Array): (credentials: Credentials) => Identity {
  const identities = new LRUCache<string, Identity>({ max: maxIdentities });
  const keyOfBearer = new LRUCache<string, string>({ max: maxIdentities });
  const toCallers = (privateKey: string | undefined, bearer: string | undefined): Identity['callers'] => {
    const [key, token] = [digest(privateKey ?? ''), digest(`Bearer ${bearer ?? ''}`)];
    if (privateKey !== undefined && bearer !== undefined && !keyOfBearer.has(token)) keyOfBearer.set(token, key);
    return { privateKey: key, bearer: keyOfBearer.get(token) ?? token };
  };
  return ({ privateKey: { value: privateKey }, bearer: { value: bearer } }) => {
    const id = digest(JSON.stringify([privateKey, bearer]));
    const cachedIdentity = identities.get(id);
    if (cachedIdentity !== undefined) return cachedIdentity;
    const text = JSON.stringify([bearer, privateKey]);
    const fingerprint = createHmac('sha256', fingerprintSecret).update(text).digest('base64url').slice(0, 12);
    const identity: Identity = { fingerprint, callers: toCallers(privateKey, bearer) };
    // A token seen alone may still turn out to belong to a key.
    if (bearer === undefined || identity.callers.bearer === identity.callers.privateKey) identities.set(id, identity);
    return identity;
  };
}

/** A hash under the secret of this process, since the result never leaves it. */
function digest(text: string): string {
  return hash('sha256', `${secret}\n${text}`, 'base64');
}

/** Throws UNAUTHENTICATED where an operation's credential is missing, malformed or already rejected in this request. */
export function requireCredentials(credentials: RequestCredentials, operation: Operation): void {
  for (const name of operation.credentials) {
    const { header, value, fault } = credentials.values[name];
    if (value === undefined) {
      const remedy = name === 'bearer' ? 'Its value must read `Bearer <token>`.' : 'Send one credential in it.';
      const message = `The header ${header} is ${fault ?? 'missing'}. ${remedy}`;
      throw new GatewayError('UNAUTHENTICATED', { operation: operation.name, header, retryable: false }, { message });
    }
    if (credentials.rejected.includes(name)) throw rejectionError(credentials, operation, [name]);
  }
}

/** Whether the service has answered 401 for one of an operation's credentials during this request. */
export function isRejected({ rejected }: RequestCredentials, { credentials: names }: Operation): boolean {
  return rejected.length > 0 && names.some((name) => rejected.includes(name));
}

/**
 * The error of a 401, after which the operation's credentials are not sent again in this request. It names only those that
 * were rejected before, where there are any: the others may be valid. The 401 of a prefetch does not block them, since
 * its value may never be needed.
 */
export function rejection(credentials: RequestCredentials, operation: Operation, isPrefetch = false): GatewayError {
  const { credentials: names } = operation;
  const rejectedNames = names.filter((name) => credentials.rejected.includes(name));
  if (rejectedNames.length > 0) return rejectionError(credentials, operation, rejectedNames);
  if (!isPrefetch) credentials.rejected.push(...names);
  return rejectionError(credentials, operation, names);
}

function rejectionError(
  { values }: RequestCredentials,
  operation: Operation,
  names: readonly CredentialName[],
): GatewayError {
  const header = names.map((name) => values[name].header).join(', ');
  const message = `The payments service does not accept the credential in ${header}. Send a valid one.`;
  const details = { operation: operation.name, header, upstreamStatus: 401, retryable: false };
  return new GatewayError('UNAUTHENTICATED', details, { message });
}
