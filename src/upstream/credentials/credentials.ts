import { hash, randomBytes } from 'node:crypto';
import { GatewayError } from '../../domain/errors.ts';
import type { CredentialName, OperationName } from '../../contract/contract.ts';
import { createFingerprint } from './fingerprint.ts';
import { createLatest } from '../../runtime/bounded-cache.ts';

/** A caller's credential as it goes upstream, or what is wrong with what the caller sent. */
export interface Credential {
  /** The inbound header that carries it, for messages. */
  readonly header: string;
  readonly value: string | undefined;
  readonly fault: 'missing' | 'malformed' | undefined;
}

export type Credentials = Readonly<Record<CredentialName, Credential>>;

/** The headers' names towards the service. */
export type CredentialHeaders = Readonly<Record<CredentialName, string>>;

/** The credentials of one request, and which of them the service has already turned away in it. */
export interface Wallet {
  readonly credentials: Credentials;
  /** Of the identity that they are of. */
  readonly callers: Identity['callers'];
  readonly rejected: CredentialName[];
  /** By the names of the credentials they stand for, made at first use. */
  readonly passes: Map<CredentialNames, Pass>;
}

/** Whose credentials they are, told without them. */
export interface Identity {
  /** In the log: 12 characters that say nothing of the credentials to whoever has not the secret. */
  readonly name: string;
  /** For this process's own book-keeping, by the names of the credentials that they stand for, made at first use. */
  readonly callers: Map<CredentialNames, string>;
}

/** Names of credentials; of equal ones there is one list. */
export type CredentialNames = readonly CredentialName[];

const allNames = new Map<string, CredentialNames>();

/** The one list of these names: what hangs on names is found by it, without comparing them at each call. */
export function sameNames(names: CredentialNames): CredentialNames {
  const all = names.join();
  const same = allNames.get(all) ?? names;
  allNames.set(all, same);
  return same;
}

/** What calls that send the same credentials of one request have in common. */
export interface Pass {
  /** Who calls, for this process's own book-keeping. */
  readonly caller: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** All that a call without a body sends, once there was one. */
  readHeaders: readonly string[] | undefined;
}

const secret = randomBytes(32).toString('base64');
const allCredentials: CredentialNames = ['bearer', 'privateKey'];
/** A thousand callers. */
const maxCharactersOfCallers = 44_000;

/**
 * The pass for exactly the credentials that an operation names, all of which are there by now. Its caller is a
 * fingerprint of them alone, so that no other header makes one caller look like many.
 */
export function passFor(wallet: Wallet, names: CredentialNames, headers: CredentialHeaders): Pass {
  const { credentials, passes } = wallet;
  const known = passes.get(names);
  if (known !== undefined) return known;
  const caller = knownCallerOf(wallet, names);
  const own: string[] = [];
  for (const name of names) own.push(headers[name], credentials[name].value ?? '');
  const made: Pass = { caller, headers: own, readHeaders: undefined };
  passes.set(names, made);
  return made;
}

/** Hashed once for all requests of an identity that is remembered. */
function knownCallerOf({ credentials, callers }: Wallet, names: CredentialNames): string {
  const known = callers.get(names);
  if (known !== undefined) return known;
  const caller = callerOf(credentials, names);
  callers.set(names, caller);
  return caller;
}

/**
 * Whoever has these credentials. It never leaves the process, so that a hash under a secret is enough. Credentials are
 * visible characters, of which a line break is none.
 */
function callerOf(credentials: Credentials, names: CredentialNames): string {
  let text = secret;
  for (const name of names) text += `\n${name}\n${credentials[name].value ?? ''}`;
  return hash('sha256', text, 'base64');
}

/**
 * Who sends such credentials. It is remembered by a fingerprint of all of them: so a request takes one hash, and nothing
 * that is kept holds a credential.
 */
export function identities(secret: Uint8Array): (credentials: Credentials) => Identity {
  const fingerprint = createFingerprint(secret);
  const known = createLatest<Identity>(maxCharactersOfCallers);
  return (credentials) => {
    const caller = callerOf(credentials, allCredentials);
    const found = known.get(caller);
    if (found !== undefined) return found;
    const { bearer, privateKey } = credentials;
    const name = fingerprint(JSON.stringify([bearer.value, privateKey.value])).slice(0, 12);
    const made: Identity = { name, callers: new Map() };
    known.add(caller, made);
    return made;
  };
}

/** Throws UNAUTHENTICATED where a credential is missing, malformed or already rejected in this request. */
export function requireCredentials(wallet: Wallet, names: CredentialNames, operation: OperationName): void {
  for (const name of names) {
    const { header, value, fault } = wallet.credentials[name];
    if (value === undefined) {
      const message = `The header ${header} is ${fault ?? 'missing'}.`;
      throw new GatewayError('UNAUTHENTICATED', { operation, header, retryable: false }, { message });
    }
    if (wallet.rejected.includes(name)) throw rejected(wallet, [name], operation);
  }
}

/** Remembers that the service said 401, so nothing more is sent with these credentials in this request. */
export function rejectCredentials(wallet: Wallet, names: CredentialNames, operation: OperationName): GatewayError {
  for (const name of names) if (!wallet.rejected.includes(name)) wallet.rejected.push(name);
  return rejected(wallet, names, operation);
}

function rejected(wallet: Wallet, names: CredentialNames, operation: OperationName): GatewayError {
  const header = names.map((name) => wallet.credentials[name].header).join(', ');
  const message = `The payments service does not accept the credential in ${header}.`;
  return new GatewayError('UNAUTHENTICATED', { operation, header, upstreamStatus: 401, retryable: false }, { message });
}
