import type { CredentialName, Method, OperationName } from '../../contract/contract.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { createEnvelope } from '../../upstream/decoding/envelope.ts';
import type { Seen, Session } from './check-session.ts';

/** Last segments that other services give the same thing. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  '/balance': ['/wallet/balance', '/balances', '/wallet'],
  '/transactions': ['/wallet/transactions', '/history'],
  '/virtual-accounts': ['/virtualAccounts', '/virtual_accounts', '/accounts'],
  '/one-time-accounts': ['/oneTimeAccounts', '/one_time_accounts', '/temporary-accounts'],
};

export type ReadName = Extract<OperationName, `get${string}` | `list${string}`>;

/** Whether an answer is a success by the contract as corrected so far. */
export function isSuccess(session: Session, { status = 0, body }: Seen): boolean {
  if (status < 200 || status >= 300 || body === undefined) return false;
  return createEnvelope(session.contract()).verdict(body) !== 'failure';
}

/**
 * Asks for a read at its path, then at the other spellings of it, and with the other credential where the first one is
 * turned away. Records what that says of method, path and credentials; undefined where nothing answered.
 */
export async function findRead(
  session: Session,
  name: ReadName,
  identifier: string | undefined,
  query: string,
): Promise<Seen | undefined> {
  const template = session.contract()[`${name}.path`];
  const usual = session.contract()[`${name}.credentials`];
  const ways = credentialsToTry(session, usual);
  if (ways.length === 0) {
    leaveOperation(session, name, `no credential was given: ${usual.join(', ')}`);
    return undefined;
  }
  let denied: Seen | undefined;
  for (const path of spellings(template)) {
    for (const as of ways) {
      const seen = await session.probe({ method: 'GET', path, identifier, query, as });
      if (isSuccess(session, seen)) {
        confirmRead(session, name, path, as);
        return seen;
      }
      if (isUndecided(session, seen)) {
        leaveOperation(session, name, seen.missing ?? `HTTP ${seen.status}`);
        return undefined;
      }
      if (seen.status !== 401 && seen.status !== 403) break;
      denied = seen;
    }
    if (denied !== undefined) break;
  }
  if (denied !== undefined)
    session.contradict(`${name}.credentials`, `HTTP ${denied.status} with every credential given`);
  else session.contradict(`${name}.path`, 'no success there, nor at its other spellings');
  return undefined;
}

/** An answer that says nothing of the path: none, too many calls, or a failure of the service's own. */
function isUndecided(session: Session, { status, body }: Seen): boolean {
  const told = createEnvelope(session.contract()).bodyStatus(body);
  return [status ?? 500, told ?? 0].some((code) => code === 408 || code === 429 || code >= 500);
}

function confirmRead(session: Session, name: ReadName, path: string, as: readonly CredentialName[]): void {
  const contract = session.contract();
  session.confirm(`${name}.method`);
  if (path === contract[`${name}.path`]) session.confirm(`${name}.path`);
  else session.contradict(`${name}.path`, 'it answers at another path', path);
  if (as.join() === contract[`${name}.credentials`].join()) session.confirm(`${name}.credentials`);
  else session.contradict(`${name}.credentials`, `it takes ${as.join(' and ')}`, as);
}

/** The contract's own credentials first, then the other one, then both: of those that were given. */
function credentialsToTry(session: Session, usual: readonly CredentialName[]): readonly (readonly CredentialName[])[] {
  const all: readonly (readonly CredentialName[])[] = [usual, ['bearer'], ['privateKey'], ['bearer', 'privateKey']];
  const given = all.filter((names) => names.every(session.has));
  return given.filter((names, index) => given.findIndex((other) => other.join() === names.join()) === index);
}

export function leaveOperation(session: Session, name: OperationName, why: string): void {
  for (const property of ['method', 'path', 'credentials'] as const) session.leave(`${name}.${property}`, why);
}

/** A path, with and without the slash at its end, and under its other names. */
function spellings(template: string): readonly string[] {
  const tail = Object.keys(otherNames).find((name) => template.endsWith(name));
  if (tail !== undefined) {
    const stem = template.slice(0, -tail.length);
    return [template, ...(otherNames[tail] ?? []).map((name) => stem + name)];
  }
  if (template.endsWith('}')) return [template];
  return [template, template.endsWith('/') ? template.slice(0, -1) : `${template}/`];
}

/**
 * Looks at what a write's path allows by OPTIONS, since a check never writes: its method is confirmed, or the other of
 * PUT and PATCH found. A service that does not say leaves it open.
 */
export async function checkWrite(
  session: Session,
  name: Exclude<OperationName, ReadName>,
  identifier: string | undefined,
): Promise<void> {
  const why = 'a check never writes, and OPTIONS does not tell';
  const usual = session.contract()[`${name}.credentials`];
  const method = session.contract()[`${name}.method`];
  for (const path of spellings(session.contract()[`${name}.path`])) {
    const as = usual.filter(session.has);
    const { status = 0, allow } = await session.probe({ method: 'OPTIONS', path, identifier, as });
    const found = status < 400 ? allowedMethod(method, allow) : undefined;
    if (found === undefined) continue;
    if (path === session.contract()[`${name}.path`]) session.confirm(`${name}.path`);
    else session.contradict(`${name}.path`, 'OPTIONS finds it at another path', path);
    if (found === method) session.confirm(`${name}.method`);
    else session.contradict(`${name}.method`, `OPTIONS allows ${found}`, found);
    break;
  }
  leaveOperation(session, name, why);
}

function allowedMethod(method: Method, allow: readonly Method[]): Method | undefined {
  if (allow.includes(method)) return method;
  const isUpdate = method === 'PATCH' || method === 'PUT';
  return isUpdate ? allow.find((other) => other === 'PUT' || other === 'PATCH') : undefined;
}

/** The record of a success, as the gateway would find it. */
export function recordIn(session: Session, { body }: Seen): unknown {
  const record = createEnvelope(session.contract()).record(body);
  return isRecord(record) ? record : undefined;
}
