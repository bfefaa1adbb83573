import type { ValueOrError } from '../../domain/records.ts';
import { GatewayError } from '../../domain/errors.ts';
import { statusWords, type Contract, type OperationName, type RowId } from '../../contract/contract.ts';
import { isWrite } from '../../contract/operation-rows.ts';
import type { ExtraId } from '../../contract/extra-rows.ts';
import type { RecordKind } from '../../contract/records.ts';
import { numberText, textOrNumber } from './exact-json.ts';
import { isIdentifier } from './identifiers.ts';
import { compilePointers } from './json-pointer.ts';
import { epochTime, isZoneless, readDate, spellTime, toDateTime } from '../../contract/date-time.ts';

/** The position of a value in an answer, for error messages. */
export interface JsonLocation {
  readonly operation: OperationName;
  readonly path: string;
  /** The index of the record, where `path` is that of a list. */
  readonly index?: number;
}

/** Built only on demand: most records have no error. */
export function pathOf({ path, index }: JsonLocation): string {
  return index === undefined ? path : `${path}/${index}`;
}

/** Reads one domain value out of parsed JSON. A value that does not fit the contract is returned as an error, not thrown. */
export type Decoder<Value> = (source: unknown, location: JsonLocation) => ValueOrError<Value>;

/** The rows whose value is a list of JSON pointers. */
export type PointerRow = {
  [Id in RowId]: Contract[Id] extends readonly string[] ? Id : never;
}[RowId];

/** Where a field stands, and the row that says so: one of the contract's own, or one that the deployment adds. */
export interface PlacedField {
  readonly kind: RecordKind;
  readonly name: string;
  readonly row: PointerRow | ExtraId;
  readonly at: readonly string[];
}

/** The error of an answer that does not fit the contract: it names the row and the JSON path. */
export function contradiction(location: JsonLocation, row: string, pointer = ''): GatewayError {
  return new GatewayError('UPSTREAM_INVALID_RESPONSE', {
    operation: location.operation,
    row,
    jsonPath: pathOf(location) + pointer,
    retryable: false,
  });
}

/** The error of a value that cannot be read until a row is decided. In the answer of a write, the write was done. */
export function undecidedValue({ operation }: JsonLocation, row: RowId): GatewayError {
  return new GatewayError('CONTRACT_UNDECIDED', { operation, row, retryable: !isWrite(operation) });
}

export function isRecord(source: unknown): source is Readonly<Record<string, unknown>> {
  return typeof source === 'object' && source !== null && !Array.isArray(source);
}

type FormDecoder = (contract: Contract, field: PlacedField) => Decoder<unknown>;

/** An optional field. `convert` returns the value, null if it counts as absent, undefined if it does not fit. */
function optional({ row, at }: PlacedField, convert: (value: unknown) => unknown): Decoder<unknown> {
  const reader = compilePointers(at);
  return (source, location) => {
    const value = reader.read(source);
    if (value === undefined) return null;
    const converted = convert(value);
    return converted === undefined ? contradiction(location, row, reader.locate(source)) : converted;
  };
}

/** The decoders of plain values, by the form of their field. An absent value is null. */
export const plainForms = {
  identifier: (_, field) => {
    const decode = optional(field, toIdentifier);
    const { locate } = compilePointers(field.at);
    return (source, location) => decode(source, location) ?? contradiction(location, field.row, locate(source));
  },
  reference: (_, field) => optional(field, textOrNumber),
  text: plainText,
  phone: plainText,
  digits: (contract, field) => {
    const length = contract[`${field.name}.digits` as 'bankCode.digits']; // every field of this form has the row
    return optional(
      field,
      (value) => toText(value) ?? (length === null ? undefined : digitsOf(value)?.padStart(length, '0')),
    );
  },
  status: (contract, field) => {
    const words = statusWords(contract, field.kind);
    return optional(field, (value) => {
      const text = typeof value === 'boolean' ? String(value) : textOrNumber(value);
      return text === undefined ? undefined : (words.get(text) ?? toText(value));
    });
  },
  date: (contract, field) =>
    optional(
      field,
      whenText(contract, (text) => readDate(text, contract['dates.form'])),
    ),
  dateTime: (contract, field) => {
    const decode = optional(field, momentReader(contract));
    if (contract['times.zone'] !== 'undecided') return decode;
    const { read } = compilePointers(field.at);
    return (source, location) => {
      const value = read(source);
      const isUndecided = typeof value === 'string' && isZoneless(spellTime(value, contract['times.form']));
      return isUndecided ? undecidedValue(location, 'times.zone') : decode(source, location);
    };
  },
  boolean: (_, field) => optional(field, (value) => booleans.get(value)),
  int: (_, field) => optional(field, toInt),
  decimal: (_, field) => optional(field, toDecimal),
} as const satisfies Readonly<Record<string, FormDecoder>>;

function plainText(contract: Contract, field: PlacedField): Decoder<unknown> {
  return optional(field, contract['texts.numbers'].includes(field.name) ? textOrNumber : toText);
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Decodes texts with a format. An empty text, which clients may have written, counts as absent, as one of `times.none` does. */
function whenText(
  contract: Contract,
  convert: (text: string) => string | undefined,
): (value: unknown) => string | null | undefined {
  const none = new Set(['', ...contract['times.none']]);
  return (value) => {
    if (typeof value !== 'string') return undefined;
    return none.has(value) ? null : convert(value);
  };
}

/** The digits of a number that has neither a sign nor a fraction. */
function digitsOf(value: unknown): string | undefined {
  const text = numberText(value) ?? '';
  return /^\d+$/.test(text) ? text : undefined;
}

function toIdentifier(value: unknown): string | undefined {
  const text = textOrNumber(value);
  return text !== undefined && isIdentifier(text) ? text : undefined;
}

/** Reads a moment from a text, or from a number where the contract states its unit. */
function momentReader(contract: Contract): (value: unknown) => string | null | undefined {
  const { 'times.zone': zone, 'times.numbers': numbers, 'times.form': form } = contract;
  const ofNumber = (text: string): string | undefined => (numbers === 'refused' ? undefined : epochTime(text, numbers));
  const ofText = whenText(
    contract,
    (text) => toDateTime(text, zone) ?? toDateTime(spellTime(text, form), zone) ?? ofNumber(text),
  );
  return (value) => (typeof value === 'string' ? ofText(value) : ofNumber(numberText(value) ?? ''));
}

/** What services send for true and false: JSON's own words, 1 and 0, or the text of these. */
export const booleans: ReadonlyMap<unknown, boolean> = new Map(
  [true, false].flatMap((value) =>
    [value, Number(value)].flatMap((sent): [unknown, boolean][] => [
      [sent, value],
      [String(sent), value],
    ]),
  ),
);

/** A whole number of 32 bits, or its text. */
function toInt(value: unknown): number | undefined {
  const text = textOrNumber(value) ?? '';
  return /^-?\d{1,10}$/.test(text) && Number(text) === (Number(text) | 0) ? Number(text) : undefined;
}

/** A number or its text, with every digit that was sent. */
function toDecimal(value: unknown): string | undefined {
  const text = textOrNumber(value) ?? '';
  return /^-?\d{1,30}(?:\.\d{1,30})?$/.test(text) ? text : undefined;
}
