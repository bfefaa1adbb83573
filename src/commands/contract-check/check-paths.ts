import { isDeepStrictEqual } from 'node:util';
import { fieldsInPath } from '../../contract/addressing.ts';
import type { CredentialName, Method, OperationName, RowId } from '../../contract/contract.ts';
import { createEnvelope } from '../../upstream/decoding/envelope.ts';
import { createSignReader, showsFailure } from '../../upstream/decoding/signs.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import type { WriteName } from '../../contract/operation-rows.ts';
import type { CheckRun } from './check-run.ts';
import type { Probe, ProbeAnswer } from './prober.ts';
import { holdsFaults } from './json-shape.ts';

/** Other usual last segments of a path. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  '/balance': ['/wallet/balance', '/balances', '/wallet'],
  '/transactions': ['/wallet/transactions', '/history'],
  '/virtual-accounts': ['/virtualAccounts', '/virtual_accounts', '/accounts'],
  '/one-time-accounts': ['/oneTimeAccounts', '/one_time_accounts', '/temporary-accounts'],
};

/** The question that a person must answer about an update by PUT. */
export const putHint = 'whether PUT empties what is not sent: the gateway sends the fields that were given';

export type ReadName = Extract<OperationName, `get${string}` | `list${string}`>;

/** Whether an answer is a success by the contract as corrected so far. */
export function isSuccess(run: CheckRun, { status = 0, body }: Pick<ProbeAnswer, 'status' | 'body'>): boolean {
  return status >= 200 && status < 300 && body !== undefined && readsAsSuccess(run, body);
}

/** Whether the body of a 2xx has no sign of failure. */
export function readsAsSuccess(run: CheckRun, body: unknown): boolean {
  return !showsFailure(createSignReader(run.contract())(200, body));
}

/**
 * Finds a read at its path or another usual one, with its credentials or, after a 401 or 403, other ones. Records the
 * findings for method, path and credentials; undefined where no probe succeeded. `others` are identifiers that may be
 * meant where the first one finds nothing.
 */
export async function findRead(
  run: CheckRun,
  name: ReadName,
  identifier: string | undefined,
  query: string,
  others: readonly string[] = [],
): Promise<ProbeAnswer | undefined> {
  const contracted = run.contract()[`${name}.credentials`].join(', ');
  let candidates = listCredentials(run, name);
  if (candidates.length === 0) return skipOperation(run, name, `no credential was given: ${contracted}`);
  const paths = listPaths(run.contract()[`${name}.path`]);
  const [path = ''] = paths;
  const targets = [...paths.map((each) => [each, identifier] as const), ...others.map((id) => [path, id] as const)];
  const statuses = new Set<number>();
  for (const [path, id] of targets) {
    const { answer, credentials } = await readAs(run, { operation: name, path, identifier: id, query }, candidates);
    statuses.add(answer.status ?? 0);
    // Those that were not refused come first at the next path.
    candidates = [credentials, ...candidates.filter((each) => each !== credentials)];
    if (isSuccess(run, answer)) {
      confirmRead(run, name, path, credentials);
      return answer;
    }
    if (isInconclusive(run, answer)) return skipOperation(run, name, answer.missing ?? `HTTP ${answer.status}`);
    if (isDenied(answer)) {
      run.contradict(`${name}.credentials`, `HTTP ${answer.status} with every credential given`);
      return undefined;
    }
  }
  leavePath(run, name, `HTTP ${[...statuses].join(', ')}`);
  await proposePost(run, name, identifier);
  return undefined;
}

/** Reads with the first credentials, and with the others while those are refused. */
async function readAs(
  run: CheckRun,
  probe: Omit<Probe, 'credentials'>,
  [credentials = [], ...others]: Credentials,
): Promise<{ readonly answer: ProbeAnswer; readonly credentials: readonly CredentialName[] }> {
  const answer = await readWithout(run, { ...probe, credentials });
  return isDenied(answer) && others.length > 0 ? readAs(run, probe, others) : { answer, credentials };
}

function isDenied({ status }: ProbeAnswer): boolean {
  return status === 401 || status === 403;
}

function confirmRead(run: CheckRun, name: ReadName, path: string, credentials: readonly CredentialName[]): void {
  run.confirm(`${name}.method`);
  run.compare(`${name}.path`, path, 'it answers at another path');
  run.compare(`${name}.credentials`, credentials, `it takes ${credentials.join(' and ')}`);
}

/**
 * Leaves a path to a person, since a check guesses none. The written file comments only on rows that the overrides do not
 * state. Where no customer was read, a read below one contradicts nothing: the identifier may be wrong.
 */
function leavePath(run: CheckRun, name: ReadName, seen: string): void {
  const row = `${name}.path` as const;
  const source = `${row} or service.prefix must be given from the service's documentation`;
  if (!run.isOverridden(row)) run.proposals.set(row, `the address: ${source}`);
  if (isUnproven(run, name)) return skipOperation(run, name, 'no identifier of the record is proven');
  run.contradict(row, `${seen}: no success there, nor at its other spellings: ${source}`);
}

function isUnproven(run: CheckRun, name: ReadName): boolean {
  if (name === 'listCustomers' || name === 'listSettlementBanks') return false;
  const above: readonly RowId[] = name === 'getCustomer' ? [] : ['getCustomer.path'];
  const rows: readonly RowId[] = name === 'getSettlementBank' ? ['settlementBank.id'] : ['customer.id', ...above];
  return rows.some((id) => run.findings.get(id)?.state === 'contradicted' && !run.corrections.has(id));
}

/**
 * Retries a refused media type (406, 415) with the refusal's media type, or with any. Any other status shows the media
 * type that the service uses.
 */
async function readIn(run: CheckRun, probe: Probe): Promise<ProbeAnswer> {
  const isRefused = ({ status }: ProbeAnswer): boolean => status === 406 || status === 415;
  const answer = await run.probe(probe);
  if (!isRefused(answer)) return answer;
  const row = 'service.contentType';
  const [contracted = ''] = run.contract()[row].split(';');
  const isOther = answer.mediaType?.endsWith('json') === true && answer.mediaType !== contracted;
  const other = await run.probe({ ...probe, accept: isOther ? answer.mediaType : '*/*' });
  if (isRefused(other) || !other.mediaType?.endsWith('json')) return answer;
  run.contradict(row, `HTTP ${answer.status} to ${contracted}; answers are ${other.mediaType}`, other.mediaType);
  return other;
}

/** The answer without the query where the service refuses it with one: it may not support the parameters. */
async function readWithout(run: CheckRun, probe: Probe): Promise<ProbeAnswer> {
  const answer = await readIn(run, probe);
  const isRefusedInside = isSuccess(run, answer) && holdsFaults(run.contract(), answer.body);
  const isRefused = answer.status === 400 || answer.status === 422 || isRefusedInside;
  return isRefused && probe.query !== '' ? run.probe({ ...probe, query: '' }) : answer;
}

/**
 * Reads, at its contracted path only, what a customer's record carries as well: a refusal contradicts nothing. `isNone`
 * is unknown without an answer.
 */
export async function readContracted(run: CheckRun, name: ReadName, id: string) {
  const path = run.contract()[`${name}.path`];
  const { answer, credentials } = await readAs(
    run,
    { operation: name, path, identifier: id },
    listCredentials(run, name),
  );
  const isFound = isSuccess(run, answer);
  const isNone = !isFound && !isInconclusive(run, answer);
  if (isFound) confirmRead(run, name, path, credentials);
  else
    skipOperation(run, name, isNone ? "the customer's record carries it" : (answer.missing ?? `HTTP ${answer.status}`));
  return { answer: isFound ? answer : undefined, isNone };
}

/** Leaves a read by POST to a person where OPTIONS allows no other method: a check never sends a POST that may write. */
async function proposePost(run: CheckRun, name: ReadName, identifier: string | undefined): Promise<void> {
  const answer = await sendOptions(run, name, run.contract()[`${name}.path`], identifier);
  const { status = 500, allow } = answer;
  if (status >= 400 || allow.includes('GET') || !allow.includes('POST')) return;
  if ((await findDoubt(run, answer)) !== undefined) return;
  const how = `POST, if it only reads, with ${name}.path and, for an identifier in the body, ${name}.idInBody`;
  run.proposals.set(`${name}.method`, `${how}: OPTIONS allows POST and not GET`);
}

function sendOptions(run: CheckRun, operation: OperationName, path: string, identifier?: string): Promise<ProbeAnswer> {
  const credentials = run.contract()[`${operation}.credentials`].filter(run.hasCredential);
  return run.probe({ operation, isOptions: true, path, identifier, credentials });
}

/** Whether an answer is no evidence about the path: none, too many calls, or a failure of the service itself. */
export function isInconclusive(run: CheckRun, { status = 500, body }: ProbeAnswer): boolean {
  const bodyStatus = createSignReader(run.contract())(status, body).status;
  return [status, bodyStatus].some((code) => code === 408 || code === 429 || code >= 500);
}

type Credentials = readonly (readonly CredentialName[])[];

/** The credentials to try, of those given: the contract's, those that another read takes, each one alone, both. */
function listCredentials(run: CheckRun, name: ReadName): Credentials {
  const otherCredentials = [...run.corrections].flatMap(([id, value]) => (id.endsWith('.credentials') ? [value] : []));
  const all: Credentials = [
    run.contract()[`${name}.credentials`],
    ...(otherCredentials as Credentials), // by the schema of such rows
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

/** A path, then the same with or without a trailing slash, and with other usual last segments. */
function listPaths(template: string): readonly string[] {
  const [tail = '', names = []] = Object.entries(otherNames).find(([name]) => template.endsWith(name)) ?? [];
  const slashed = template.endsWith('/') ? template.slice(0, -1) : `${template}/`;
  return [template, slashed, ...names.map((name) => template.slice(0, -tail.length) + name)];
}

/** Checks method and path of a write by OPTIONS, since a check never writes. */
export async function checkWrite(run: CheckRun, name: WriteName, identifier: string): Promise<void> {
  const template = run.contract()[`${name}.path`];
  if (!run.contract()[`${name}.credentials`].some(run.hasCredential)) return;
  if (fieldsInPath(name, template).length > 0) return skipOperation(run, name, 'its path needs a value of the input');
  for (const path of listPaths(template)) {
    const answer = await sendOptions(run, name, path, identifier);
    const { status = 0, allow } = answer;
    const method = status < 400 ? findMethod(run.contract()[`${name}.method`], allow) : undefined;
    if (method === undefined) continue;
    const doubt = await findDoubt(run, answer);
    if (doubt !== undefined) return skipOperation(run, name, doubt);
    run.compare(`${name}.path`, path, 'OPTIONS finds it at another path');
    const row = `${name}.method` as const;
    if (method === 'PUT' && run.contract()[row] === 'PATCH') run.proposals.set(row, putHint);
    run.compare(row, method, `OPTIONS allows ${method}`);
    break;
  }
  skipOperation(run, name, 'a check never writes, and OPTIONS does not tell');
}

/** Why an answer to OPTIONS is no evidence: the service gives the same one where nothing is. */
async function findDoubt(run: CheckRun, answer: ProbeAnswer): Promise<string | undefined> {
  const elsewhere = await run.optionsElsewhere();
  if (elsewhere.missing !== undefined) return elsewhere.missing;
  const isAlike =
    elsewhere.status === answer.status && isDeepStrictEqual(new Set(elsewhere.allow), new Set(answer.allow));
  return isAlike ? 'OPTIONS answers alike everywhere' : undefined;
}

/** The contract's method if it is allowed; of an update also another one, POST where a record can be read, too. */
function findMethod(method: Method, allow: readonly string[]): Method | undefined {
  const isUpdate = method === 'PATCH' || method === 'PUT';
  const byPost: readonly Method[] = allow.includes('GET') ? ['POST'] : [];
  const candidates: readonly Method[] = isUpdate ? [method, 'PUT', 'PATCH', ...byPost] : [method];
  return candidates.find((candidate) => allow.includes(candidate));
}

/** The record of a successful answer. */
export function readRecord(run: CheckRun, { body }: ProbeAnswer): unknown {
  const record = createEnvelope(run.contract()).record(body);
  return isRecord(record) ? record : undefined;
}
