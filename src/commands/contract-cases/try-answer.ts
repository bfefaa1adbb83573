import { createContract, type OperationName } from '../../contract/contract.ts';
import { toWritten } from '../../contract/overrides-file.ts';
import type { GatewayError } from '../../domain/errors.ts';
import { countRead, errorsIn, findFields, type FieldFinding } from './field-findings.ts';
import { formsOf } from '../contract-check/find-field.ts';
import { proposeRows } from './propose-rows.ts';
import { isList } from './operation-kinds.ts';
import { contradictions, createRunner, toPlain, type Question, type Reading } from './run-answer.ts';

/** The report of `contract try`. `exitCode` 0: read; 1: contradicted, or nothing was found. */
export interface Trial {
  readonly exitCode: 0 | 1;
  readonly status: number;
  readonly operation: OperationName;
  /** The code that a client gets in place of a value; undefined where there is a value. */
  readonly error: unknown;
  readonly write: Omit<NonNullable<Reading['write']>, 'request'> | undefined;
  readonly fields: readonly FieldFinding[];
  /** Values that could not be read, by row and place. */
  readonly contradicted: readonly unknown[];
  /** Overrides under which more can be read. */
  readonly rows: Readonly<Record<string, unknown>>;
  /** Undecided rows that this answer needs. */
  readonly undecided: readonly string[];
  readonly records: number;
  /** Why there is no record to look at. */
  readonly unreadable: string | undefined;
}

/** Runs an operation over one answer, and says what of it was read by which row. */
export async function tryAnswer(
  overrides: Readonly<Record<string, unknown>>,
  question: Question,
  showsValues: boolean,
): Promise<Trial> {
  const contract = createContract(overrides);
  const reading = await createRunner(contract)(question);
  const { error, value, sources } = reading;
  const errors = errorsIn(value);
  const rows = sources.length > 0 || error !== undefined ? await proposeRows(overrides, question) : {};
  const isContradicted = errors.some(({ code }) => contradictions.has(code)) || Object.keys(rows).length > 0;
  const isEmpty = error === undefined && sources.length > 0 && countRead(value) === 0;
  const fields = findFields(contract, question.operation, reading);
  return {
    exitCode: isContradicted || isEmpty ? 1 : 0,
    operation: question.operation,
    status: question.answer.status,
    error: error && toPlain(error),
    write: writeOf(reading, showsValues),
    fields: showsValues ? fields : fields.map((field) => ({ ...field, values: [] })),
    contradicted: errors.filter(({ code }) => code === 'UPSTREAM_INVALID_RESPONSE').map(toPlain),
    rows,
    undecided: [
      ...new Set([...errors.filter(isUndecided).map(({ details }) => details.row ?? ''), ...openDates(fields)]),
    ],
    records: sources.length,
    unreadable: unreadable(question, reading),
  };
}

function unreadable({ answer: { body } }: Question, reading: Reading): string | undefined {
  if (body.length === 0) return 'The body is empty.';
  return reading.body === undefined ? 'The body is not JSON, or not in UTF-8.' : undefined;
}

function isUndecided({ code }: GatewayError): boolean {
  return code === 'CONTRACT_UNDECIDED';
}

/** The row of the form of dates, where those that cannot be read have several: 01/02/1990. */
function openDates(fields: readonly FieldFinding[]): readonly string[] {
  const isOpen = ({ row, state, values }: FieldFinding): boolean =>
    row.endsWith('.dateOfBirth') && state === 'contradicted' && formsOf(values).length > 1;
  return fields.some(isOpen) ? ['dates.form'] : [];
}

/** A refusal's message is the service's own sentence, which may hold values. */
function writeOf({ write }: Reading, showsValues: boolean): Trial['write'] {
  if (write === undefined) return undefined;
  const { request: _, userErrors, ...shown } = write;
  return { ...shown, userErrors: showsValues ? userErrors : userErrors.map((one) => ({ ...one, message: '…' })) };
}

const flagWords = {
  positive: 'a flag of success',
  negative: 'a flag of failure',
  contradictory: 'flags of success and of failure, which contradict each other',
  none: 'no flag of success or failure',
} as const;

const evidenceWords = {
  proven: 'a record that proves itself: its id, and one more value that belongs to it',
  unproven: 'a record that proves nothing: it lacks an id, or a value beside it that was sent (--input says what was)',
  failed: 'a record whose status is a word of failure',
  foreign: 'another record: its reference, e-mail or account number differs',
  absent: 'no record',
} as const;

const decisions: Readonly<Record<string, string>> = {
  'money.unit': 'major or minor',
  'money.currency': 'an ISO 4217 code such as NGN',
  'dates.form': '{ value: DD/MM/YYYY, acknowledge: true } or MM/DD/YYYY; the dates seen may be either',
};

/** The report as text. */
export function printTrial(trial: Trial, source: string): string {
  const { operation, status, fields, rows, undecided, records } = trial;
  const width = Math.max(0, ...fields.map(({ row }) => row.length));
  const places = fields.map(({ pointers }) => pointers.join(', '));
  const place = Math.min(40, Math.max(0, ...places.map(({ length }) => length)));
  const lines = fields.map(({ row, shapes, count, state, values }, index) => {
    const isOfBody = /^(?:envelope|errors|lists)\./.test(row);
    const share = records > 1 && !isOfBody && count > 0 ? ` (${count} of ${records})` : '';
    const shown = values.length > 0 ? `  ${values.map((value) => JSON.stringify(value)).join(', ')}` : '';
    const what = state === 'nothing' ? 'nothing there' : shapes.join(' or ') + share;
    const mark = state === 'contradicted' ? '  CONTRADICTED' : '';
    return `${row.padEnd(width)}  ${(places[index] ?? '').padEnd(place)}  ${what}${mark}${shown}`.trimEnd();
  });
  const copied = [
    ...Object.entries(rows).map(([row, value]) => `  ${row}: ${JSON.stringify(toWritten(row, value))}`),
    ...undecided.map((row) => `  # ${row}:  # to decide: ${decisions[row] ?? 'see docs/contract.md'}`),
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
    const { flag, evidence } = write;
    const by = [
      ...(flag === undefined ? [] : [flagWords[flag]]),
      ...(evidence === undefined ? [] : [evidenceWords[evidence]]),
    ];
    const reasons = write.outcome === 'not sent' ? '' : `, by ${[`HTTP ${status}`, ...by].join('; ')}`;
    lines.push(`Outcome: ${write.outcome}${reasons}`);
    for (const { code, field, message } of write.userErrors) {
      lines.push(`A client gets: userErrors ${code}${field === null ? '' : ` at ${field.join('.')}`}: ${message}`);
    }
  }
  if (error !== undefined) lines.push(`A client gets: ${describePlain(error)}`);
  else if ((write?.userErrors ?? []).length === 0) {
    lines.push(`A client gets: ${describeValue(trial)}`);
    const faults = Map.groupBy(contradicted, (fault) => (fault as { row?: string }).row); // as toPlain makes it
    for (const [fault, ...others] of faults.values()) {
      lines.push(
        `  but in ${others.length === 0 ? 'one place' : `${others.length + 1} places`} ${describePlain(fault)}`,
      );
    }
  }
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
