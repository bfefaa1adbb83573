import { isList } from '../../contract/operation-rows.ts';
import { createContract } from '../../contract/contract.ts';
import { toWritten } from '../../contract/overrides-file.ts';
import { isContradiction, toAnswer } from '../../upstream/index.ts';
import { countRead, judge, toPlain, type Verdict } from '../judge.ts';
import { proposeRows } from '../propose.ts';
import { withMoney } from '../operation-kinds.ts';
import type { Sample } from '../sample.ts';

/** The report of `contract try`. */
export type Trial = Awaited<ReturnType<typeof tryAnswer>>;

/** Rows without which a value that is there cannot be read. */
const decidesAValue = /^dates\.form$|\.digits$|^status\.words$/;

/** Judges one sample, and says what of it was read by which row. */
export async function tryAnswer(overrides: Readonly<Record<string, unknown>>, sample: Sample, showsValues: boolean) {
  const contract = createContract(overrides);
  const { reading, errors, findings } = await judge(sample, contract);
  const { error, value, sources, body } = reading;
  // An undecided unit hides no amount here.
  const proposals = proposeRows([sample], withMoney(contract)).filter(({ row }) => !Object.hasOwn(overrides, row));
  const rows = Object.fromEntries(proposals.flatMap((each) => ('value' in each ? [[each.row, each.value]] : [])));
  const questions = proposals.flatMap((each) =>
    'question' in each && decidesAValue.test(each.row) ? [[each.row, each.question] as const] : [],
  );
  const isOpen = errors.some(isContradiction);
  const isEmpty = error === undefined && sources.length > 0 && countRead(value) === 0;
  const undecidedRows = errors
    .filter(({ code }) => code === 'CONTRACT_UNDECIDED')
    .map(({ details }) => details.row ?? '');
  const bytes = sample.bytes ?? Buffer.alloc(0);
  const isRefused = toAnswer({ status: sample.status, headers: sample.headers, body: bytes }) === undefined;
  const notJson = body === undefined ? 'The body is not JSON, or not in UTF-8.' : undefined;
  const noRecord = bytes.length === 0 ? 'The body is empty.' : notJson;
  return {
    /** 0: read; 1: contradicted, or nothing was found. */
    exitCode: isOpen || Object.keys(rows).length > 0 || isEmpty ? 1 : 0,
    operation: sample.operation,
    status: sample.status,
    /** The code that a client gets in place of a value; undefined where there is a value. */
    error: error && toPlain(error),
    write: writeOf(reading, showsValues),
    fields: showsValues ? findings : findings.map((finding) => ({ ...finding, values: [] })),
    /** Values that could not be read, by row and place. */
    contradicted: errors.filter(({ code }) => code === 'UPSTREAM_INVALID_RESPONSE').map(toPlain),
    /** Overrides under which more can be read. */
    rows,
    /** Undecided rows that this answer needs. */
    undecided: [...new Set([...undecidedRows, ...questions.map(([row]) => row)])],
    questions: Object.fromEntries(questions),
    records: sources.length,
    /** Why the answer as a whole is not read, or has no record to look at. */
    unreadable: isRefused ? 'The gateway reads neither a part of an answer (HTTP 206) nor one above 4 MiB.' : noRecord,
  };
}

/** A refusal's message is the service's own sentence, which may hold values. */
function writeOf({ write }: Verdict['reading'], showsValues: boolean) {
  if (write === undefined) return undefined;
  const { request: _, userErrors, ...shown } = write;
  return { ...shown, userErrors: showsValues ? userErrors : userErrors.map((one) => ({ ...one, message: '…' })) };
}

const flagWords = {
  yes: 'a flag of success',
  no: 'a flag or code of failure',
  silent: 'no flag of success or failure',
} as const;

const evidenceWords = {
  proven: 'a record that proves itself: its id, and one more value that belongs to it',
  unproven: 'a record that proves nothing: it lacks an id, or a value beside it that was sent (--input says what was)',
  failed: 'a record whose status is a word of failure',
  foreign: 'another record: its identifier, reference, e-mail or account number differs',
  absent: 'no record',
} as const;

const decisions: Readonly<Record<string, string>> = {
  'money.unit': 'major or minor',
  'money.currency': 'an ISO 4217 code such as NGN',
};

export function printTrial(trial: Trial, source: string): string {
  const { operation, status, fields, rows, undecided, records } = trial;
  const width = Math.max(0, ...fields.map(({ row }) => row.length));
  const places = fields.map(({ pointers }) => pointers.join(', '));
  const place = Math.min(40, Math.max(0, ...places.map(({ length }) => length)));
  const lines = fields.map(({ row, shapes, count, state, values }, index) => {
    const isOfBody = /^(?:envelope|errors|lists)\./.test(row);
    const share = records > 1 && !isOfBody && count > 0 ? ` (${count} of ${records})` : '';
    const valueText = values.length > 0 ? `  ${values.map((value) => JSON.stringify(value)).join(', ')}` : '';
    const what = state === 'nothing' ? 'nothing there' : shapes.join(' or ') + share;
    const mark = state === 'contradicted' ? '  CONTRADICTED' : '';
    return `${row.padEnd(width)}  ${(places[index] ?? '').padEnd(place)}  ${what}${mark}${valueText}`.trimEnd();
  });
  const copied = [
    ...Object.entries(rows).map(([row, value]) => `  ${row}: ${JSON.stringify(toWritten(row, value))}`),
    ...undecided.map(
      (row) => `  # ${row}:  # to decide: ${trial.questions[row] ?? decisions[row] ?? 'see docs/contract.md'}`,
    ),
  ];
  return [
    `${operation}, HTTP ${status}, under ${source}`,
    ...(lines.length === 0 ? [] : ['', ...lines]),
    '',
    ...printOutcome(trial),
    ...(copied.length === 0 ? [] : ['', 'These rows of a contract file would read more of it:', ...copied]),
    '',
  ].join('\n');
}

function printOutcome(trial: Trial): readonly string[] {
  const { write, error, contradicted, status, unreadable } = trial;
  const lines = unreadable === undefined ? [] : [unreadable];
  if (write !== undefined) {
    const by = [`HTTP ${status}`, write.flag && flagWords[write.flag], write.evidence && evidenceWords[write.evidence]];
    const reasons = write.outcome === 'not sent' ? '' : `, by ${by.filter((each) => each !== undefined).join('; ')}`;
    lines.push(`Outcome: ${write.outcome}${reasons}`);
    for (const { code, field, message } of write.userErrors)
      lines.push(`A client gets: userErrors ${code}${field === null ? '' : ` at ${field.join('.')}`}: ${message}`);
  }
  if (error !== undefined) return [...lines, `A client gets: ${describePlain(error)}`];
  if (write !== undefined && write.userErrors.length > 0) return lines;
  lines.push(`A client gets: ${describeValue(trial)}`);
  const faults = Map.groupBy(contradicted, (fault) => (fault as { row?: string }).row); // as toPlain makes it
  for (const { length, 0: fault } of faults.values())
    lines.push(`  but in ${length === 1 ? 'one place' : `${length} places`} ${describePlain(fault)}`);
  return lines;
}

function describeValue({ operation, records, write }: Trial): string {
  if (isList(operation)) return `a list of ${records} record${records === 1 ? '' : 's'}`;
  if (records > 0) return 'the record';
  const isUpdate = operation.startsWith('update');
  return write === undefined ? 'null' : `no record${isUpdate ? ', until the gateway has read it again' : ''}`;
}

function describePlain(error: unknown): string {
  const { error: code, row, jsonPath } = error as { error: string; row?: string; jsonPath?: string }; // as toPlain makes it
  return `${code}${row === undefined ? '' : `, row ${row}`}${jsonPath === undefined ? '' : `, at ${jsonPath || 'the top'}`}`;
}
