import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { createEnvelope } from '../../upstream/decoding/envelope.ts';
import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import type { Seen, Session } from './check-session.ts';
import { bare, isPlainName, typeOf } from './json-shape.ts';

const codeNames: ReadonlySet<string> = new Set([
  'code',
  'statuscode',
  'responsecode',
  'resultcode',
  'success',
  'status',
]);
const messageNames: ReadonlySet<string> = new Set([
  'message',
  'error',
  'msg',
  'description',
  'detail',
  'responsemessage',
]);

/**
 * Learns how the service tells success from failure by holding an answer of each beside the other: by the status, by
 * what the contract already reads, or by a code at the top of both bodies that differs.
 */
export function checkEnvelope(session: Session, success: Seen, failures: readonly (readonly [Seen, number])[]): void {
  const told = failures.filter(([{ body }]) => isRecord(body));
  if (!isRecord(success.body) || told.length === 0) return leaveEnvelope(session);
  if (told.every(([{ status = 0 }]) => status >= 400)) confirmByStatus(session, success, told[0]?.[0]);
  else learnCode(session, success.body, told);
  checkMessage(session, told[0]?.[0].body);
  const envelope = createEnvelope(session.contract());
  const place = session.contract()['envelope.data'];
  if (compilePointers(place).read(success.body) !== undefined) session.confirm('envelope.data');
  else session.leave('envelope.data', 'answers are bare');
  if (envelope.verdict(success.body) !== 'success')
    session.contradict('envelope.success', 'a success that reads as a failure');
}

function confirmByStatus(session: Session, { body }: Seen, failure: Seen | undefined): void {
  const envelope = createEnvelope(session.contract());
  const reader = compilePointers(session.contract()['envelope.success']);
  if (reader.read(body) === undefined) session.leave('envelope.success', 'the HTTP status alone tells it');
  else if (envelope.verdict(failure?.body) === 'success')
    session.leave('envelope.success', 'the failure does not carry it');
  else session.confirm('envelope.success');
  session.leave('envelope.code', 'the HTTP status tells it');
  session.leave('errors.statuses', 'the HTTP status tells it');
  session.leave('envelope.successValues', 'the HTTP status tells it');
}

/** A failure came as HTTP 200: some code at the top must tell it from the success. */
function learnCode(
  session: Session,
  success: Readonly<Record<string, unknown>>,
  failures: readonly (readonly [Seen, number])[],
): void {
  const envelope = createEnvelope(session.contract());
  if (failures.every(([{ body }]) => envelope.verdict(body) === 'failure') && envelope.verdict(success) === 'success') {
    session.confirm('envelope.success');
  } else {
    const name = Object.keys(success).find(
      (key) =>
        isPlainName(key) &&
        codeNames.has(bare(key)) &&
        scalar(success[key]) !== undefined &&
        failures.every(([{ body }]) => isRecord(body) && isOther(scalar(body[key]), scalar(success[key]))),
    );
    if (name === undefined) return leaveEnvelope(session);
    const seen = `failures come as HTTP 200 and are told by ${name} (${typeOf(success[name])})`;
    session.contradict('envelope.success', seen, [`/${name}`]);
    session.contradict('envelope.successValues', 'one value of it means success', [scalar(success[name])]);
    session.contradict('envelope.code', `the failure's code is ${name}`, [`/${name}`]);
  }
  const code = compilePointers(session.contract()['envelope.code']);
  const known = session.contract()['errors.statuses'];
  const statuses = Object.fromEntries(
    failures.flatMap(([{ body }, status]) => {
      const text = scalar(code.read(body));
      return text === undefined || text === String(status) || known[text] === status ? [] : [[text, status]];
    }),
  );
  if (Object.keys(statuses).length > 0) {
    session.contradict('errors.statuses', `${Object.keys(statuses).length} codes of its own`, {
      ...known,
      ...statuses,
    });
  } else if (Object.keys(known).length > 0) session.confirm('errors.statuses');
}

function checkMessage(session: Session, failure: unknown): void {
  if (!isRecord(failure)) return;
  if (typeof compilePointers(session.contract()['errors.message']).read(failure) === 'string') {
    return session.confirm('errors.message');
  }
  const name = Object.keys(failure).find(
    (key) => isPlainName(key) && messageNames.has(bare(key)) && typeof failure[key] === 'string',
  );
  if (name !== undefined) session.contradict('errors.message', `it stands at /${name}`, [`/${name}`]);
}

function leaveEnvelope(session: Session): void {
  for (const row of ['envelope.success', 'envelope.code', 'errors.message', 'errors.statuses'] as const) {
    session.leave(row, 'no failure with a readable body was seen');
  }
}

function isOther(code: string | undefined, success: string | undefined): boolean {
  return code !== undefined && code !== success;
}

/** A short code as text; a sentence is no code. */
function scalar(value: unknown): string | undefined {
  const text = typeof value === 'boolean' ? String(value) : textOrNumber(value);
  return text !== undefined && /^[\w-]{1,20}$/.test(text) ? text : undefined;
}
