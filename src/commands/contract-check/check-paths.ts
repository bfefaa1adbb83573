import type { CredentialName, Method, OperationName } from '../../contract/contract.ts';
import { createEnvelope } from '../../upstream/decoding/envelope.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import type { CheckRun, ProbeAnswer } from './check-run.ts';

/** Other usual last segments of a path. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  '/balance': ['/wallet/balance', '/balances', '/wallet'],
  '/transactions': ['/wallet/transactions', '/history'],
  '/virtual-accounts': ['/virtualAccounts', '/virtual_accounts', '/accounts'],
  '/one-time-accounts': ['/oneTimeAccounts', '/one_time_accounts', '/temporary-accounts'],
};

export type ReadName = Extract<OperationName, `get${string}` | `list${string}`>;

/** Whether an answer is a success by the contract as corrected so far. */
export function isSuccess(run: CheckRun, { status = 0, body }: ProbeAnswer): boolean {
  if (status < 200 || status >= 300 || body === undefined) return false;
  return createEnvelope(run.contract()).verdict(body) !== 'failure';
}

/**
 * Finds a read at its path or another usual one, with its credentials or, after a 401 or 403, other ones. Records the
 * findings for method, path and credentials; undefined where no probe succeeded.
 */
export async function findRead(
  run: CheckRun,
  name: ReadName,
  identifier: string | undefined,
  query: string,
): Promise<ProbeAnswer | undefined> {
  const contracted = run.contract()[`${name}.credentials`];
  const candidates = listCredentials(run, contracted);
  if (candidates.length === 0) return skipOperation(run, name, `no credential was given: ${contracted.join(', ')}`);
  let denied: ProbeAnswer | undefined;
  for (const path of listPaths(run.contract()[`${name}.path`])) {
    for (const credentials of candidates) {
      const answer = await run.probe({ method: 'GET', path, identifier, query, credentials });
      if (isSuccess(run, answer)) {
        run.confirm(`${name}.method`);
        run.compare(`${name}.path`, path, 'it answers at another path');
        run.compare(`${name}.credentials`, credentials, `it takes ${credentials.join(' and ')}`);
        return answer;
      }
      if (isInconclusive(run, answer)) return skipOperation(run, name, answer.missing ?? `HTTP ${answer.status}`);
      if (answer.status !== 401 && answer.status !== 403) break;
      denied = answer;
    }
    if (denied !== undefined) break;
  }
  if (denied !== undefined) run.contradict(`${name}.credentials`, `HTTP ${denied.status} with every credential given`);
  else run.contradict(`${name}.path`, 'no success there, nor at its other spellings');
  return undefined;
}

/** Whether an answer is no evidence about the path: none, too many calls, or a failure of the service itself. */
export function isInconclusive(run: CheckRun, { status = 500, body }: ProbeAnswer): boolean {
  const bodyStatus = createEnvelope(run.contract()).bodyStatus(body) ?? 0;
  return [status, bodyStatus].some((code) => code === 408 || code === 429 || code >= 500);
}

/** The available ones of: the contract's credentials, each one alone, both. */
function listCredentials(run: CheckRun, contracted: readonly CredentialName[]): readonly (readonly CredentialName[])[] {
  const all: readonly (readonly CredentialName[])[] = [
    contracted,
    ['bearer'],
    ['privateKey'],
    ['bearer', 'privateKey'],
  ];
  const candidates = all.filter((names) => names.every(run.hasCredential));
  return [...new Map(candidates.map((names) => [names.join(), names])).values()];
}

export function skipOperation(run: CheckRun, name: OperationName, why: string): undefined {
  for (const property of ['method', 'path', 'credentials'] as const) run.skip(`${name}.${property}`, why);
}

/** A path, then the same with or without a trailing slash, or with other usual last segments. */
function listPaths(template: string): readonly string[] {
  const tail = Object.keys(otherNames).find((name) => template.endsWith(name));
  if (tail !== undefined) {
    const stem = template.slice(0, -tail.length);
    return [template, ...(otherNames[tail] ?? []).map((name) => stem + name)];
  }
  if (template.endsWith('}')) return [template];
  return [template, template.endsWith('/') ? template.slice(0, -1) : `${template}/`];
}

/** Checks method and path of a write by OPTIONS, since a check never writes. */
export async function checkWrite(
  run: CheckRun,
  name: Exclude<OperationName, ReadName>,
  identifier?: string,
): Promise<void> {
  const credentials = run.contract()[`${name}.credentials`].filter(run.hasCredential);
  for (const path of listPaths(run.contract()[`${name}.path`])) {
    const { status = 0, allow } = await run.probe({ method: 'OPTIONS', path, identifier, credentials });
    const method = status < 400 ? findMethod(run.contract()[`${name}.method`], allow) : undefined;
    if (method === undefined) continue;
    run.compare(`${name}.path`, path, 'OPTIONS finds it at another path');
    run.compare(`${name}.method`, method, `OPTIONS allows ${method}`);
    break;
  }
  skipOperation(run, name, 'a check never writes, and OPTIONS does not tell');
}

/** The contract's method if it is allowed; of PUT and PATCH also the other one. */
function findMethod(method: Method, allow: readonly string[]): Method | undefined {
  const isUpdate = method === 'PATCH' || method === 'PUT';
  const candidates: readonly Method[] = isUpdate ? [method, 'PUT', 'PATCH'] : [method];
  return candidates.find((candidate) => allow.includes(candidate));
}

/** The record of a successful answer. */
export function readRecord(run: CheckRun, { body }: ProbeAnswer): unknown {
  const record = createEnvelope(run.contract()).record(body);
  return isRecord(record) ? record : undefined;
}
