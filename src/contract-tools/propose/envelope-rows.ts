import type { Contract } from '../../contract/contract.ts';
import { isWrite } from '../../contract/operation-rows.ts';
import { normalizeName, usualNames } from '../usual-names.ts';
import { compilePointers, isRecord, scalarText } from '../../upstream/index.ts';
import { isSuccess, type Sample } from '../sample.ts';
import type { Draft } from './draft.ts';
import { findPlaces } from './find-place.ts';
import { walk, walkFirst } from './json-nodes.ts';

/** A flag stands at the top, or in an object there. */
const maxFlagSteps = 3;

/** Answers that are objects. The HTTP status of those `inside` does not tell what they mean. */
type Answers = Readonly<Record<'successes' | 'failures' | 'inside', readonly Sample[]>>;

/** How success is told from failure: by a flag, a code, or what stands where errors do. The HTTP status needs no row. */
export function proposeEnvelope(samples: readonly Sample[], draft: Draft): void {
  const ofObjects = samples.filter(({ body }) => isRecord(body));
  const failures = ofObjects.filter((sample) => !isSuccess(sample) && !saysSuccess(sample, draft.contract));
  const inside = failures.filter(({ status, meaning = status }) => status !== meaning);
  const answers: Answers = { successes: ofObjects.filter(isSuccess), failures, inside };
  for (const propose of [proposeFlag, proposeCode, proposeStatuses, proposeFailureKey, proposeMessage])
    propose(answers, draft);
}

/** The scheme that a service asks for where it refuses a bearer. */
export function proposeScheme(samples: readonly Sample[], { contract, ask }: Draft): void {
  for (const { operation, status, meaning, headers } of samples) {
    const isOfBearer = meaning === undefined && contract[`${operation}.credentials`].includes('bearer');
    const challenge = status === 401 && isOfBearer ? (headers['www-authenticate'] ?? '') : '';
    const [scheme] = /\bbearer\b/i.test(challenge) ? [] : (/^(?:token|basic)\b/i.exec(challenge) ?? []);
    if (scheme !== undefined) ask('service.bearerScheme', `${scheme}, which a 401 asks for, unless a proxy said so`);
  }
}

/** A create that is answered by 202, without a flag. */
export function proposeAccepted(samples: readonly Sample[], { contract, ask }: Draft): void {
  const isOpen = samples.some(
    (sample) => sample.status === 202 && isWrite(sample.operation) && !saysSuccess(sample, contract),
  );
  const row = 'writes.acceptedStatuses';
  if (isOpen && !contract[row].includes(202)) ask(row, '[202], if it means that a write is done or will be');
}

const textAt = (pointers: readonly string[], { body }: Sample): string =>
  scalarText(compilePointers(pointers).read(body));

const lower = (values: readonly unknown[]): readonly string[] => values.map((value) => String(value).toLowerCase());

/** Whether a 2xx has a flag of success by its rows, whatever its source says that it means. */
export function saysSuccess(sample: Sample, contract: Contract): boolean {
  const flag = textAt(contract['envelope.success'], sample).toLowerCase();
  return sample.status < 300 && lower(contract['envelope.successValues']).includes(flag);
}

/** A value at the top that every success has alike, and no failure. */
function proposeFlag({ successes, failures }: Answers, { contract, take, ask }: Draft): void {
  const row = 'envelope.success';
  const [first] = successes;
  if (first === undefined || contract[row].length === 0) return;
  const [yes, no] = [lower(contract['envelope.successValues']), lower(contract['envelope.failureValues'])];
  const flags = [...new Set(successes.map((sample) => textAt(contract[row], sample).toLowerCase()))];
  const [flag = ''] = flags;
  if (flags.length === 1 && isCode(flag) && ![...yes, ...no].includes(flag))
    ask('envelope.successValues', `add '${flag}', if it means success: every success has it`);
  if (flag !== '' || flags.length > 1) return;
  const isInData = (pointer: string): boolean =>
    contract['envelope.data'].some((data) => data !== '' && pointer.startsWith(`${data}/`));
  const scalars = walk(first.body).filter(
    ({ pointer, value }) => scalarText(value) !== '' && pointer.split('/').length <= maxFlagSteps && !isInData(pointer),
  );
  const at200 = failures.filter(({ status }) => status < 300);
  let question: string | undefined;
  for (const name of usualNames(row)) {
    const { pointer = '', value } = scalars.find((each) => normalizeName(each.name) === name) ?? {};
    const valueOf = (sample: Sample): string => textAt([pointer], sample).toLowerCase();
    const text = scalarText(value).toLowerCase();
    const refusals = failures.map(valueOf);
    if (text === '' || successes.some((each) => valueOf(each) !== text) || refusals.includes(text)) continue;
    const isKnown = yes.includes(text);
    const isFlag = isKnown && (typeof value === 'boolean' || refusals.some((refusal) => no.includes(refusal)));
    // A code that differs inside HTTP 200 is what tells success; beside another status it may be anything.
    const tells = at200.length > 0 && isCode(text) && at200.every((each) => valueOf(each) !== '');
    if (isFlag || tells) {
      take(row, [pointer]);
      if (!isKnown || /^\d+$/.test(text)) take('envelope.successValues', [scalarText(value)]);
      return;
    }
    const isStatus = successes.some(({ status }) => text === `${status}`);
    if (isCode(text) && successes.length > 1 && !isStatus)
      question ??= `[${pointer}], if it tells success; its value is the same in every success`;
  }
  if (question !== undefined) ask(row, question);
}

/** Whether a value is a word or a code that may be printed. */
function isCode(value: string): boolean {
  return /^[\w.-]{1,20}$/.test(value);
}

/** Where failures have their code, unless it repeats the HTTP status, which tells nothing. */
function proposeCode({ failures, inside }: Answers, { contract, take }: Draft): void {
  const row = 'envelope.code';
  const unread = failures.filter((sample) => textAt(contract[row], sample) === '');
  if (unread.length === 0 || contract[row].length === 0) return;
  const flags = contract['envelope.success'];
  const found = findPlaces(row, bodiesOf(unread), walkFirst).pointers.find((pointer) => !flags.includes(pointer));
  // A flag that is one of the values of failure says no more.
  const known = new Set(['', ...lower(contract['envelope.failureValues'])]);
  const isInEach = (flag: string): boolean =>
    inside.length > 0 && inside.every((each) => !known.has(textAt([flag], each).toLowerCase()));
  const place = found ?? flags.find(isInEach);
  const tells = (sample: Sample): boolean =>
    place !== undefined && !['', String(sample.status)].includes(textAt([place], sample));
  if (unread.some(tells)) take(row, [place]);
}

/** The codes of failures inside another HTTP status, by the status that each of them means. */
function proposeStatuses({ inside }: Answers, { contract, take, ask }: Draft): void {
  const row = 'errors.statuses';
  // A bare status is a person's to refine: it may mean more than what was provoked.
  const bare = inside.filter((sample) => textAt(contract['envelope.code'], sample) === '' && sample.status >= 400);
  const words = bare.map(({ status, meaning }) => `'${status}': ${meaning}`);
  const asked = [...new Set(words)].filter((word) => contract[row][word.slice(1, 4)] === undefined);
  const codes = inside
    .map((sample) => [textAt(contract['envelope.code'], sample), sample.meaning] as const)
    .filter(([code, meaning]) => code !== '' && Number(code) !== meaning && contract[row][code] === undefined);
  const statuses = Object.fromEntries(codes);
  if (codes.length === 0) {
    if (asked.length > 0) ask(row, `{ ${asked.join(', ')} }, if the status always means that`);
    return;
  }
  if (codes.some(([code, meaning]) => statuses[code] !== meaning))
    return ask(row, 'a status for each code: one code stands for failures of several kinds');
  take(row, { ...contract[row], ...statuses });
  ask(row, 'the statuses of the other codes, which no read shows');
}

/** What a failure has at its top under a usual name, where no row tells it from a success. */
function proposeFailureKey({ inside, successes }: Answers, { contract, take }: Draft): void {
  const row = 'envelope.failureKeys';
  const told = compilePointers([...contract['envelope.success'], ...contract['envelope.failure'], ...contract[row]]);
  if (inside.every(({ body }) => told.read(body) !== undefined)) return;
  const names = usualNames(row);
  const keys = Object.keys(inside[0]?.body ?? {}).filter((key) => names.includes(normalizeName(key)));
  const place = keys.map((key) => `/${key}`).find((pointer) => !isOfData(pointer, successes, contract));
  if (place !== undefined) take(row, [...contract[row], place]);
}

function proposeMessage({ failures, successes }: Answers, { contract, take, ask }: Draft): void {
  const row = 'errors.message';
  const isRead = ({ body }: Sample): boolean => typeof compilePointers(contract[row]).read(body) === 'string';
  if (failures.length === 0 || failures.some(isRead) || contract[row].length === 0) return;
  const { pointers } = findPlaces(row, bodiesOf(failures), walkFirst);
  const place = pointers.find((pointer) => !isOfData(pointer, successes, contract));
  if (place !== undefined) take(row, [place]);
  else ask(row, 'a pointer to the sentence of a refusal, which no usual name shows');
}

const bodiesOf = (samples: readonly Sample[]): readonly unknown[] => samples.map(({ body }) => body);

/** Whether successes have their record there. */
function isOfData(pointer: string, successes: readonly Sample[], contract: Contract): boolean {
  const { read } = compilePointers([pointer]);
  return contract['envelope.data'].includes(pointer) || successes.some(({ body }) => typeof read(body) === 'object');
}
