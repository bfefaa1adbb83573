import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { hasContent } from '../../upstream/decoding/signs.ts';
import { readsAsSuccess } from './check-paths.ts';
import type { CheckRun } from './check-run.ts';
import type { ProbeAnswer } from './prober.ts';
import { describeType, failureNames, isPlainName, normalizeName, walk, type JsonNode } from './json-shape.ts';

const codeNames =
  /^(?:code|statuscode|responsecode|resultcode|success|status|(?:request|is)?success(?:ful)?|succeeded|ok)$/;
/** Usual names of a sentence about a failure, normalized. */
export const messageNames = [
  'message',
  'error',
  'msg',
  'description',
  'desc',
  'detail',
  'responsemessage',
  'errormessage',
  'errordescription',
  'text',
  'reason',
  'title',
];

/** An answer to a failed probe, and the HTTP status that such a failure should have. */
type ExpectedFailure = readonly [answer: Pick<ProbeAnswer, 'status' | 'body'>, status: number];

/**
 * Finds out how the service distinguishes success from failure: by the HTTP status, by the rows of the contract, or by
 * a code at the top of the body that differs between the two.
 */
export function checkEnvelope(run: CheckRun, success: unknown, answers: readonly ExpectedFailure[]): void {
  const failures = answers.filter(([{ body }]) => isRecord(body));
  const [firstFailure] = failures;
  if (!isRecord(success) || firstFailure === undefined) return skipEnvelope(run);
  const [{ body: failure }] = firstFailure;
  const inside = failures.filter(([{ status = 0 }]) => status < 400);
  if (inside.length === 0) {
    confirmByStatus(run, success, failure);
    const refused = failures.filter((expected) => needsCode(run, expected));
    if (refused.length > 0) checkStatuses(run, refused);
  } else checkCode(run, success, inside);
  checkMessage(run, failure);
  if (run.read('envelope.data', success) !== undefined) run.confirm('envelope.data');
  else run.skip('envelope.data', 'answers are bare');
  if (!readsAsSuccess(run, success)) run.contradict('envelope.success', 'a success that reads as a failure');
}

function confirmByStatus(run: CheckRun, success: unknown, failure: unknown): void {
  const flag = findFlag(run, success, failure);
  if (flag !== undefined) run.contradict('envelope.success', `the flag stands at ${flag}`, [flag]);
  else if (run.read('envelope.success', success) === undefined)
    run.skip('envelope.success', 'the HTTP status alone tells it');
  else if (readsAsSuccess(run, failure)) run.skip('envelope.success', 'the failure does not carry it');
  else run.confirm('envelope.success');
  findFailureCode(run, failure);
  for (const row of ['envelope.code', 'errors.statuses', 'envelope.successValues'] as const)
    run.skip(row, 'the HTTP status tells it');
}

/** Where a flag stands that no row reads: a value of success in the one body, of failure in the other. Writes need it. */
function findFlag(run: CheckRun, success: unknown, failure: unknown): string | undefined {
  if (run.read('envelope.success', success) !== undefined) return undefined;
  return walk(success).find(({ pointer, name }) => {
    const isOf = (row: 'envelope.successValues' | 'envelope.failureValues', body: unknown): boolean =>
      run.contract()[row].some((value) => String(value) === codeAt(body, pointer)?.toLowerCase());
    const isPlace = codeNames.test(normalizeName(name)) && pointer.split('/').length === 2;
    return isPlace && isOf('envelope.successValues', success) && isOf('envelope.failureValues', failure);
  })?.pointer;
}

/** A code in the error that a failure describes. */
function findFailureCode(run: CheckRun, failure: unknown): void {
  const node = walkFailure(failure).find(({ pointer, name, value }) => {
    const [, parent = ''] = pointer.split('/');
    return (
      failureNames.test(normalizeName(parent)) && normalizeName(name).endsWith('code') && toCode(value) !== undefined
    );
  });
  if (node !== undefined && run.read('envelope.code', failure) === undefined)
    run.contradict('envelope.code', `the failure's code stands at ${node.pointer}`, [node.pointer]);
}

/** Whether only a code shows that the record is unknown: the status is not 404, and the code is not of malformed input. */
function needsCode(run: CheckRun, [{ status, body }, meant]: ExpectedFailure): boolean {
  const code = toCode(run.read('envelope.code', body));
  return (
    meant === 404 && status !== meant && code !== undefined && !/valid|bad|malformed|format|param|^400$/i.test(code)
  );
}

/** Failures that came as HTTP 200: a code at the top of the body must distinguish them from success. */
function checkCode(
  run: CheckRun,
  success: Readonly<Record<string, unknown>>,
  failures: readonly ExpectedFailure[],
): void {
  const areRecognised = failures.every(([{ body }]) => !readsAsSuccess(run, body));
  if (areRecognised && readsAsSuccess(run, success)) {
    run.confirm('envelope.success');
    findFailureCode(run, failures[0]?.[0].body);
  } else {
    const key = findFailureKey(success, failures);
    if (key !== undefined) return contradictByKey(run, key, failures);
    const code = findCode(success, failures);
    if (code === undefined) return skipEnvelope(run);
    const { pointer, value } = code;
    const seen = `failures come as HTTP 200 and are told by ${pointer} (${describeType(value)})`;
    run.contradict('envelope.success', seen, [pointer]);
    run.contradict('envelope.successValues', 'one value of it means success', [toCode(value)]);
    if (failures.every(([{ body }]) => toCode(run.read('envelope.code', body)) === codeAt(body, pointer)))
      run.confirm('envelope.code');
    else run.contradict('envelope.code', `the failure's code is at ${pointer}`, [pointer]);
  }
  checkStatuses(run, failures);
}

/** A key of every failure, such as `error`, that a success does not have, or has empty. */
function findFailureKey(
  success: Readonly<Record<string, unknown>>,
  failures: readonly ExpectedFailure[],
): string | undefined {
  const keys = failures.flatMap(([{ body }]) => (isRecord(body) ? Object.keys(body) : []));
  return keys.find(
    (key) =>
      isPlainName(key) &&
      failureNames.test(normalizeName(key)) &&
      !hasContent(success[key]) &&
      failures.every(([{ body }]) => isRecord(body) && hasContent(body[key])),
  );
}

function contradictByKey(run: CheckRun, key: string, failures: readonly ExpectedFailure[]): void {
  run.contradict('envelope.failureKeys', `failures come as HTTP 200 and are told by the key ${key}`, [`/${key}`]);
  run.skip('envelope.success', 'a key tells a failure');
  findFailureCode(run, failures[0]?.[0].body);
  checkStatuses(run, failures);
}

/** A code at most two objects deep that every failure has with another value than a success. */
function findCode(success: unknown, failures: readonly ExpectedFailure[]): JsonNode | undefined {
  return walk(success).find(({ pointer, name, value }) => {
    const code = toCode(value);
    if (pointer.split('/').length > 4 || !codeNames.test(normalizeName(name)) || code === undefined) return false;
    const codes = failures.map(([{ body }]) => codeAt(body, pointer));
    return codes.every((each) => each !== undefined && each !== code);
  });
}

/** Finds the codes that differ from the HTTP status they stand for. A code that came for several statuses has none. */
function checkStatuses(run: CheckRun, failures: readonly ExpectedFailure[]): void {
  const row = 'errors.statuses';
  const contracted = run.contract()[row];
  const codes = failures.flatMap(([{ body }, status]) => {
    const code = toCode(run.read('envelope.code', body));
    return code === undefined ? [] : [[code, status] as const];
  });
  const sharedCode = codes.find(([code, status]) =>
    codes.some(([other, otherStatus]) => other === code && otherStatus !== status),
  )?.[0];
  const statuses = Object.fromEntries(
    codes.filter(([code, status]) => code !== sharedCode && code !== String(status) && contracted[code] !== status),
  );
  const count = Object.keys(statuses).length;
  if (count > 0) run.contradict(row, `${count} codes of its own`, { ...contracted, ...statuses });
  else if (sharedCode !== undefined) run.skip(row, 'one code came for failures of several statuses');
  else if (Object.keys(contracted).length > 0) return run.confirm(row);
  const exception = sharedCode === undefined ? '' : `; no entry for '${sharedCode}': it came with several statuses`;
  if (count > 0 || sharedCode !== undefined)
    run.proposals.set(row, `the codes of refused writes, too, of which a check sees none${exception}`);
}

function checkMessage(run: CheckRun, failure: unknown): void {
  if (typeof run.read('errors.message', failure) === 'string') return run.confirm('errors.message');
  const texts = walkFailure(failure).filter(({ value }) => typeof value === 'string');
  // Sentences come first: a single word may be a code.
  const ordered = [...texts.filter(({ value }) => toCode(value) === undefined), ...texts];
  const node = messageNames
    .map((wanted) => ordered.find(({ name }) => normalizeName(name) === wanted))
    .find((found) => found !== undefined);
  if (node === undefined) return;
  // A pointer that the file states may be that of refused writes, of which a check sees none.
  const stated = run.isOverridden('errors.message') ? run.contract()['errors.message'] : [];
  // Behind one that reads an object here, the text would not be found.
  const absent = stated.filter((pointer) => compilePointers([pointer]).read(failure) === undefined);
  const pointers = [...new Set([...absent, node.pointer, ...stated])];
  run.contradict('errors.message', `it stands at ${node.pointer}`, pointers);
}

/** The values of a failure, and those of the first entry where it is a list of errors. */
function walkFailure(failure: unknown): readonly JsonNode[] {
  const isList = ({ name, value }: JsonNode): boolean => failureNames.test(normalizeName(name)) && Array.isArray(value);
  const list = walk(failure).find(isList);
  if (list === undefined) return walk(failure);
  const [entry] = list.value as readonly unknown[]; // just proved
  const below = walk(entry).map((node) => ({ ...node, pointer: `${list.pointer}/0${node.pointer}` }));
  return [...walk(failure), ...below];
}

function skipEnvelope(run: CheckRun): void {
  for (const row of ['envelope.success', 'envelope.code', 'errors.message', 'errors.statuses'] as const)
    run.skip(row, 'no failure with a readable body was seen');
}

function codeAt(body: unknown, pointer: string): string | undefined {
  return toCode(compilePointers([pointer]).read(body));
}

/** A short code as text; undefined for a sentence. */
function toCode(value: unknown): string | undefined {
  const text = typeof value === 'boolean' ? String(value) : textOrNumber(value);
  return text !== undefined && /^[\w-]{1,20}$/.test(text) ? text : undefined;
}
