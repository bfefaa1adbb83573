import type { ValueOrError } from '../../domain/records.ts';
import { GatewayError } from '../../domain/errors.ts';
import { statusWords, type Contract, type OperationName, type RowId } from '../../contract/contract.ts';
import { writeNames } from '../../contract/operation-rows.ts';
import { isExtraId, type ExtraId } from '../../contract/extra-rows.ts';
import { numberText, textOrNumber } from './exact-json.ts';
import { isIdentifier } from './request-path.ts';
import { compilePointers, type PointerReader } from './json-pointer.ts';
import { epochTime, isZoneless, readDate, toDateTime } from './date-time.ts';

/** The position of a value in an answer, for error messages. */
export interface JsonLocation {
  readonly operation: OperationName;
  readonly path: string;
  /** The index of the record, where `path` is that of a list. */
  readonly index?: number;
}

/** Built only on demand: most records have no error. */
function pathOf({ path, index }: JsonLocation): string {
  return index === undefined ? path : `${path}/${index}`;
}

/** Reads one domain value out of parsed JSON. A value that does not fit the contract is returned as an error, not thrown. */
export type Decoder<Value> = (source: unknown, location: JsonLocation) => ValueOrError<Value>;

/** The rows whose value is a list of JSON pointers. */
export type PointerRow = {
  [Id in RowId]: Contract[Id] extends readonly string[] ? Id : never;
}[RowId];

/** The row of a field: one of the contract's own, or one that the deployment adds. */
export type FieldRow = PointerRow | ExtraId;

/** The reader of a field's row; without a row it finds nothing. */
export function readerOf(contract: Contract, row: FieldRow | undefined): PointerReader {
  if (row === undefined) return compilePointers([]);
  if (!isExtraId(row)) return compilePointers(contract[row]);
  const extra = contract.extras.find(({ id }) => id === row);
  return compilePointers(extra?.kind === 'field' ? extra.at : []);
}

/** The error of an answer that does not fit the contract: it names the row and the JSON path. */
export function contractSurprise(location: JsonLocation, row: string, pointer = ''): GatewayError {
  return new GatewayError('UPSTREAM_INVALID_RESPONSE', {
    operation: location.operation,
    row,
    jsonPath: pathOf(location) + pointer,
    retryable: false,
  });
}

const writes: ReadonlySet<OperationName> = new Set(writeNames);

/** The error of a value that cannot be read until a row is decided. In the answer of a write, the write was done. */
export function undecidedValue({ operation }: JsonLocation, row: RowId): GatewayError {
  return new GatewayError('CONTRACT_UNDECIDED', { operation, row, retryable: !writes.has(operation) });
}

/**
 * Combines the decoders of a record's fields. A field that cannot be read holds its error; a record whose `id` cannot be
 * read is an error itself. `extras` are of fields that the deployment adds.
 */
export function recordDecoder<Value extends { readonly id: string }>(
  row: string,
  fields: { readonly [Key in keyof Value]-?: Decoder<Value[Key]> },
  extras: Readonly<Record<string, Decoder<unknown>>>,
): Decoder<Value> {
  const decoders = Object.entries<Decoder<unknown>>({ ...fields, ...extras }).map(([field, decode]) => ({
    field,
    decode,
  }));
  return (source, location) => {
    if (!isRecord(source)) return contractSurprise(location, row);
    const record: Record<string, unknown> = {};
    for (const { field, decode } of decoders) record[field] = decode(source, location);
    const { id } = record;
    return id instanceof GatewayError ? id : (record as unknown as Value); // every field came from its own decoder
  };
}

export function isRecord(source: unknown): source is Readonly<Record<string, unknown>> {
  return typeof source === 'object' && source !== null && !Array.isArray(source);
}

/** Decodes a list inside another record. A record that cannot be read is an error at its index. */
export function listDecoder<Value>(row: string, decode: Decoder<Value>): Decoder<readonly ValueOrError<Value>[]> {
  return (source, location) => {
    if (!Array.isArray(source)) return contractSurprise(location, row);
    const { operation } = location;
    const path = pathOf(location);
    return source.map((record: unknown, index) => decode(record, { operation, path, index }));
  };
}

/** The field decoders, compiled from the contract once at start. */
export function createDecoders(contract: Contract) {
  const pointers = (row: FieldRow): PointerReader => readerOf(contract, row);
  const toMoment = momentReader(contract);

  /** An optional field. `convert` returns the value, null if it counts as absent, undefined if it does not fit. */
  const optional = <Value = string>(
    row: FieldRow,
    convert: (value: unknown) => Value | null | undefined,
  ): Decoder<Value | null> => {
    const reader = pointers(row);
    return (source, location) => {
      const value = reader.read(source);
      if (value === undefined) return null;
      const converted = convert(value);
      return converted === undefined ? contractSurprise(location, row, reader.locate(source)) : converted;
    };
  };

  const identifier = (row: PointerRow): Decoder<string> => {
    const decode = optional(row, toIdentifier);
    const reader = pointers(row);
    return (source, location) => decode(source, location) ?? contractSurprise(location, row, reader.locate(source));
  };

  return {
    identifier,
    optional,
    /** An identifier that is never part of a path, so any text is allowed. */
    optionalIdentifier: (row: FieldRow) => optional(row, textOrNumber),
    text: (row: FieldRow) => optional(row, toText),
    /** A text of digits. A JSON number gets its leading zeros back where a row states the number of digits. */
    digits: (row: PointerRow, length: number | null) =>
      optional(row, (value) => toText(value) ?? (length === null ? undefined : digitsOf(value)?.padStart(length, '0'))),
    /** A text, or what the rows `status.words` have for a boolean, a number or a text. */
    status: (row: PointerRow) => optional(row, statusReader(statusWords(contract, row.split('.')[0] ?? ''))),
    date: (row: FieldRow) =>
      optional(
        row,
        whenText((text) => readDate(text, contract['dates.form'])),
      ),
    /** An optional value embedded in another record. */
    embedded: <Value>(row: PointerRow, decode: Decoder<Value>): Decoder<Value | null> => {
      const reader = pointers(row);
      return (source, location) => {
        const value = reader.read(source);
        if (value === undefined) return null;
        if (reader.isOneOfSeveral(source)) return contractSurprise(location, row, reader.locate(source));
        return decode(value, { operation: location.operation, path: pathOf(location) + reader.locate(source) });
      };
    },
    /** A moment; one without a zone is CONTRACT_UNDECIDED while the zone is. */
    dateTime: (row: FieldRow): Decoder<string | null> => {
      const decode = optional(row, toMoment);
      if (contract['times.zone'] !== 'undecided') return decode;
      const { read } = pointers(row);
      return (source, location) => {
        const value = read(source);
        const isUndecided = typeof value === 'string' && isZoneless(value);
        return isUndecided ? undecidedValue(location, 'times.zone') : decode(source, location);
      };
    },
  };
}

function statusReader(words: ReadonlyMap<string, string>): (value: unknown) => string | undefined {
  return (value) => {
    const text = typeof value === 'boolean' ? String(value) : textOrNumber(value);
    return text === undefined ? undefined : (words.get(text) ?? toText(value));
  };
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Decodes texts with a format. An empty text, which clients may have written, counts as absent. */
function whenText(convert: (text: string) => string | undefined): (value: unknown) => string | null | undefined {
  return (value) => {
    if (typeof value !== 'string') return undefined;
    return value === '' ? null : convert(value);
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
function momentReader(contract: Contract): ReturnType<typeof whenText> {
  const { 'times.zone': zone, 'times.numbers': numbers } = contract;
  const ofNumber = (text: string): string | undefined => (numbers === 'refused' ? undefined : epochTime(text, numbers));
  const ofText = whenText((text) => toDateTime(text, zone) ?? ofNumber(text));
  return (value) => (typeof value === 'string' ? ofText(value) : ofNumber(numberText(value) ?? ''));
}
