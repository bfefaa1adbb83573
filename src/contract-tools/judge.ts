import { isList, isWrite, recordKinds } from '../contract/operation-rows.ts';
import type { Contract, OperationName } from '../contract/contract.ts';
import { GatewayError } from '../domain/errors.ts';
import {
  compilePointers,
  isPathIdentifier,
  isRecord,
  readAnswer,
  recordsOf,
  textOrNumber,
  writeJson,
  type PointerRow,
  type Reading,
} from '../upstream/index.ts';
import { contractOfList, addressFields, pointerRows } from './operation-kinds.ts';
import type { Sample } from './sample.ts';

const maxShapes = 3;
const maxValues = 5;
const maxValueLength = 60;

/** The values that one row selects in a sample: their pointers, their kinds, and the number of records with one. */
interface FieldFinding {
  readonly row: string;
  readonly pointers: readonly string[];
  readonly shapes: readonly string[];
  readonly count: number;
  readonly state: 'read' | 'nothing' | 'contradicted';
  /** The first few texts and numbers. */
  readonly values: readonly string[];
}

/** What the gateway makes of a sample, and by which rows. */
export interface Verdict {
  readonly reading: Reading;
  readonly findings: readonly FieldFinding[];
  /** Every error in what was read, that of the whole answer first. */
  readonly errors: readonly GatewayError[];
}

/** Runs the gateway's own operation over a sample. `first`: how many records of a list are asked for. */
export async function judge(sample: Sample, contract: Contract, first?: number): Promise<Verdict> {
  const { operation, status, headers, id } = sample;
  const body = sample.bytes ?? (sample.body === undefined ? Buffer.alloc(0) : Buffer.from(toJson(sample.body)));
  const input = isWrite(operation) ? withAddress(sample, contract) : undefined;
  const reading = await readAnswer(
    contract,
    { operation, id, input, first, isWhole: sample.input !== undefined },
    { status, headers, body },
  );
  const errors = errorsIn(reading.error ?? reading.value);
  return { reading, errors, findings: findFields(contract, operation, reading, errors) };
}

function toJson(body: unknown): string {
  return typeof body === 'object' && body !== null ? writeJson(body) : JSON.stringify(body);
}

/** The input of a write with the identifiers that it is addressed by: its own, else the answer's. */
function withAddress({ operation, body, input }: Sample, contract: Contract): object {
  const [source] = recordsOf(contract, operation, body);
  const identifiers = addressFields(operation).map(([field, row]) => {
    const text = textOrNumber(compilePointers(contract[row]).read(source)) ?? '';
    return [field, isPathIdentifier(text, contract['identifiers.allow']) ? text : 'any'] as const;
  });
  return { ...Object.fromEntries(identifiers), ...input };
}

/** Rows whose value may be absent from a record. They are listed only if it is present. */
const optional = /(?:Minor|\.currency|\.customerId|\.status)$/;
/** Rows of the whole body. They are listed only if their value is present, but for the place of the records. */
const bodyRows = /^(?:envelope\.(?:success|data|code|failure)|errors\.(?:message|fields)|lists\.)/;

/** Lists the rows of an operation's body, then of its records, in the order of the table. */
function findFields(
  whole: Contract,
  operation: OperationName,
  reading: Reading,
  errors: readonly GatewayError[],
): readonly FieldFinding[] {
  const contract = isList(operation) ? contractOfList(whole, operation) : whole;
  const kind = recordKinds[operation];
  const decoded = decodedRecords(reading.value).find(isRecord);
  const isShown = (row: string): boolean =>
    decoded === undefined ? !optional.test(row) : Object.hasOwn(decoded, row.slice(kind.length + 1));
  const isOfRecord = (row: string): boolean => row.startsWith(`${kind}.`) && reading.sources.length > 0;
  const isOfBody = (row: string): boolean => bodyRows.test(row) && (isList(operation) || !row.startsWith('lists.'));
  const rows = pointerRows.filter((row) => contract[row].length > 0);
  const findings = [
    ...rows.filter(isOfBody).map((row) => findRow(contract, row, [reading.body], errors)),
    ...rows.filter(isOfRecord).map((row) => findRow(contract, row, reading.sources, errors)),
  ];
  return findings.filter(
    ({ row, state }) => state !== 'nothing' || row === 'lists.records' || (isOfRecord(row) && isShown(row)),
  );
}

function findRow(
  contract: Contract,
  row: PointerRow,
  sources: readonly unknown[],
  errors: readonly GatewayError[],
): FieldFinding {
  const reader = compilePointers(contract[row]);
  const carriers = sources.filter((source) => reader.read(source) !== undefined);
  const values = carriers.map((source) => reader.read(source));
  const pointers = new Set((carriers.length === 0 ? [undefined] : carriers).map((source) => reader.locate(source)));
  const shapes = [...new Set(values.map(shapeOf))];
  const isContradicted = errors.some(({ code, details }) => code !== 'OUTCOME_UNKNOWN' && details.row === row);
  return {
    row,
    pointers: [...pointers].map((pointer) => pointer || 'the whole body'),
    shapes: shapes.length > maxShapes ? [...shapes.slice(0, maxShapes), '…'] : shapes,
    count: carriers.length,
    state: isContradicted ? 'contradicted' : carriers.length === 0 ? 'nothing' : 'read',
    values: values.slice(0, maxValues).flatMap((value) => textOrNumber(value)?.slice(0, maxValueLength) ?? []),
  };
}

/** The records of a decoded value: the nodes of a list, or the record itself. */
function decodedRecords(value: unknown): readonly unknown[] {
  const nodes: unknown = isRecord(value) && !(value instanceof GatewayError) ? (value['nodes'] ?? value) : [];
  return (Array.isArray(nodes) ? nodes : [nodes]).filter((record) => !(record instanceof GatewayError));
}

/** All errors inside a decoded value; each replaces a value that could not be read. */
export function errorsIn(value: unknown): readonly GatewayError[] {
  if (value instanceof GatewayError) return [value, ...(value.cause instanceof GatewayError ? [value.cause] : [])];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(errorsIn) : [];
}

/** A value as JSON: an error is `{error: code, …its details}`. */
export function toPlain(value: unknown): unknown {
  if (value instanceof GatewayError) return { error: value.code, ...value.details };
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(toPlain);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toPlain(inner)]));
}

/** How many values of a decoded value were read. */
export function countRead(value: unknown): number {
  if (value === null || value === undefined || value instanceof GatewayError) return 0;
  return typeof value === 'object' ? Object.values(value).reduce<number>((sum, each) => sum + countRead(each), 0) : 1;
}

/** The form of a value without the value: its kind, or its text with each letter as x and each digit as 0. */
function shapeOf(value: unknown): string {
  const text = textOrNumber(value);
  const mask = text === undefined ? '' : `${maskOf(text)}${text.length > maxMaskLength ? '…' : ''}`;
  if (text !== undefined) return typeof value === 'string' ? JSON.stringify(mask) : mask;
  if (Array.isArray(value)) return `list of ${value.length}`;
  if (isRecord(value)) return 'object';
  return typeof value === 'symbol' ? 'text that is not Unicode' : typeof value;
}

const maxMaskLength = 40;

/** A text of the same form: digits of any script as 0, letters as x, no invisible character. */
export function maskOf(text: string): string {
  const plain = text.slice(0, maxMaskLength).replaceAll(/[\p{L}\p{M}]/gu, 'x');
  return plain.replaceAll(/\p{N}/gu, '0').replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ');
}
