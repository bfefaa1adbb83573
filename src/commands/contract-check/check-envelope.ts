import { createEnvelope } from '../../upstream/decoding/envelope.ts';
import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import type { CheckRun, ProbeAnswer } from './check-run.ts';
import { isPlainName, normalizeName, describeType } from './json-shape.ts';

const codeNames = /^(?:code|statuscode|responsecode|resultcode|success|status)$/;
const messageNames = /^(?:message|error|msg|description|detail|responsemessage)$/;

/** An answer to a failed probe, and the HTTP status that such a failure should have. */
type ExpectedFailure = readonly [answer: ProbeAnswer, status: number];

/**
 * Finds out how the service distinguishes success from failure: by the HTTP status, by the rows of the contract, or by
 * a code at the top of the body that differs between the two.
 */
export function checkEnvelope(
  run: CheckRun,
  { body: success }: ProbeAnswer,
  answers: readonly ExpectedFailure[],
): void {
  const failures = answers.filter(([{ body }]) => isRecord(body));
  const [firstFailure] = failures;
  if (!isRecord(success) || firstFailure === undefined) return skipEnvelope(run);
  const [{ body: failure }] = firstFailure;
  if (failures.every(([{ status = 0 }]) => status >= 400)) confirmByStatus(run, success, failure);
  else checkCode(run, success, failures);
  checkMessage(run, failure);
  if (run.read('envelope.data', success) !== undefined) run.confirm('envelope.data');
  else run.skip('envelope.data', 'answers are bare');
  if (createEnvelope(run.contract()).verdict(success) !== 'success')
    run.contradict('envelope.success', 'a success that reads as a failure');
}

function confirmByStatus(run: CheckRun, success: unknown, failure: unknown): void {
  if (run.read('envelope.success', success) === undefined)
    run.skip('envelope.success', 'the HTTP status alone tells it');
  else if (createEnvelope(run.contract()).verdict(failure) === 'success')
    run.skip('envelope.success', 'the failure does not carry it');
  else run.confirm('envelope.success');
  for (const row of ['envelope.code', 'errors.statuses', 'envelope.successValues'] as const)
    run.skip(row, 'the HTTP status tells it');
}

/** Some failures came as HTTP 200, so a code at the top of the body must distinguish them from success. */
function checkCode(
  run: CheckRun,
  success: Readonly<Record<string, unknown>>,
  failures: readonly ExpectedFailure[],
): void {
  const envelope = createEnvelope(run.contract());
  if (failures.every(([{ body }]) => envelope.verdict(body) === 'failure') && envelope.verdict(success) === 'success') {
    run.confirm('envelope.success');
  } else {
    const name = findCodeName(success, failures);
    if (name === undefined) return skipEnvelope(run);
    const seen = `failures come as HTTP 200 and are told by ${name} (${describeType(success[name])})`;
    run.contradict('envelope.success', seen, [`/${name}`]);
    run.contradict('envelope.successValues', 'one value of it means success', [toCode(success[name])]);
    run.contradict('envelope.code', `the failure's code is ${name}`, [`/${name}`]);
  }
  checkStatuses(run, failures);
}

function findCodeName(
  success: Readonly<Record<string, unknown>>,
  failures: readonly ExpectedFailure[],
): string | undefined {
  return Object.keys(success).find((name) => {
    const successCode = toCode(success[name]);
    if (!isPlainName(name) || !codeNames.test(normalizeName(name)) || successCode === undefined) return false;
    const codes = failures.map(([{ body }]) => (isRecord(body) ? toCode(body[name]) : undefined));
    return codes.every((code) => code !== undefined && code !== successCode);
  });
}

/** Finds the codes that do not equal the HTTP status they stand for. */
function checkStatuses(run: CheckRun, failures: readonly ExpectedFailure[]): void {
  const contracted = run.contract()['errors.statuses'];
  const statuses = Object.fromEntries(
    failures.flatMap(([{ body }, status]) => {
      const code = toCode(run.read('envelope.code', body));
      return code === undefined || code === String(status) || contracted[code] === status ? [] : [[code, status]];
    }),
  );
  const count = Object.keys(statuses).length;
  if (count > 0) run.contradict('errors.statuses', `${count} codes of its own`, { ...contracted, ...statuses });
  else if (Object.keys(contracted).length > 0) run.confirm('errors.statuses');
}

function checkMessage(run: CheckRun, failure: unknown): void {
  if (!isRecord(failure)) return;
  if (typeof run.read('errors.message', failure) === 'string') return run.confirm('errors.message');
  const name = Object.keys(failure).find(
    (key) => isPlainName(key) && messageNames.test(normalizeName(key)) && typeof failure[key] === 'string',
  );
  if (name !== undefined) run.contradict('errors.message', `it stands at /${name}`, [`/${name}`]);
}

function skipEnvelope(run: CheckRun): void {
  for (const row of ['envelope.success', 'envelope.code', 'errors.message', 'errors.statuses'] as const)
    run.skip(row, 'no failure with a readable body was seen');
}

/** A short code as text; undefined for a sentence. */
function toCode(value: unknown): string | undefined {
  const text = typeof value === 'boolean' ? String(value) : textOrNumber(value);
  return text !== undefined && /^[\w-]{1,20}$/.test(text) ? text : undefined;
}
