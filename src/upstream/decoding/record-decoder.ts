import { GatewayError } from '../../domain/errors.ts';
import type { ValueOrError } from '../../domain/records.ts';
import type { Contract, UnitRow } from '../../contract/contract.ts';
import { extraFields, extraForms, type RecordType } from '../../contract/extra-rows.ts';
import type { Field } from '../../contract/record-fields.ts';
import { oneTimeFields, recordTypes, records } from '../../contract/records.ts';
import {
  contradiction,
  isRecord,
  pathOf,
  plainForms,
  type Decoder,
  type JsonLocation,
  type PlacedField,
  type PointerRow,
} from './field-decoders.ts';
import { compilePointers } from './json-pointer.ts';
import { directionDecoder, moneyDecoder, moneyForms, type MoneyField } from './wire-money.ts';

interface Options {
  /** The unit row of amounts, where it is not that of the kind of record. */
  readonly unit?: UnitRow;
  /** Decoders of fields that are records themselves. */
  readonly embedded?: Readonly<Record<string, (field: PlacedField) => Decoder<unknown>>>;
}

/**
 * Compiles the decoders of a record's fields, those that the deployment adds among them. The added ones are read by the
 * same functions as the contract's own.
 */
export function fieldDecoders(
  contract: Contract,
  type: RecordType,
  { unit, embedded = {} }: Options = {},
): readonly (readonly [name: string, decode: Decoder<unknown>])[] {
  const kind = recordTypes[type];
  const table = Object.entries<Field>(records[kind]);
  const decoderOf = (field: MoneyField, form: string): Decoder<unknown> => {
    if (form === 'direction') return directionDecoder(contract);
    if (form in moneyForms) return moneyDecoder(contract, field, moneyForms[form as keyof typeof moneyForms]);
    // Every other form is one of these.
    return embedded[field.name]?.(field) ?? plainForms[form as keyof typeof plainForms](contract, field);
  };
  const own = table.flatMap(([name, { form, at, minor }]): [string, Decoder<unknown>][] => {
    const isOther = type === 'VirtualAccount' && oneTimeFields.some((other) => other === name);
    if (form === null || at === null || isOther) return [];
    const row = `${kind}.${name}` as PointerRow; // the tables make these rows
    const minorRow = `${row}Minor` as PointerRow;
    const second = minor === undefined ? {} : { minor: { row: minorRow, at: contract[minorRow] } };
    return [[name, decoderOf({ kind, name, row, at: contract[row], unit, ...second }, form)]];
  });
  const added = extraFields(contract, type).map(({ id, name, at, type: extraType, unit: ownUnit }) => {
    const field = { kind, name, row: id, at, unit, ownUnit };
    return [name, decoderOf(field, extraForms[extraType])] as const;
  });
  return [...own, ...added];
}

/**
 * Compiles the decoder of a record. A field that cannot be read holds its error; a record whose `id` cannot be read is an
 * error itself.
 */
export function createRecordDecoder<Value extends { readonly id: string }>(
  contract: Contract,
  type: RecordType,
  options?: Options,
): Decoder<Value> {
  const row = `${recordTypes[type]}.id`;
  const decoders = fieldDecoders(contract, type, options);
  return (source, location) => {
    if (!isRecord(source)) return contradiction(location, row);
    const record = decodeFields(decoders, source, location);
    const { id } = record;
    return id instanceof GatewayError ? id : (record as Value & typeof record); // every field came from its own decoder
  };
}

export function decodeFields(
  decoders: ReturnType<typeof fieldDecoders>,
  source: unknown,
  location: JsonLocation,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const [field, decode] of decoders) values[field] = decode(source, location);
  return values;
}

/** The form of a record, or a list of records, inside another one. */
export function embeddedIn(decode: Decoder<unknown>) {
  return ({ row, at }: PlacedField): Decoder<unknown> => {
    const reader = compilePointers(at);
    return (source, location) => {
      const value = reader.read(source);
      if (value === undefined) return null;
      if (reader.isOneOfSeveral(source)) return contradiction(location, row, reader.locate(source));
      return decode(value, { operation: location.operation, path: pathOf(location) + reader.locate(source) });
    };
  };
}

/** Decodes a list inside another record. A record that cannot be read is an error at its index. */
export function listDecoder<Value>(row: string, decode: Decoder<Value>): Decoder<readonly ValueOrError<Value>[]> {
  return (source, location) => {
    if (!Array.isArray(source)) return contradiction(location, row);
    const { operation } = location;
    const path = pathOf(location);
    return source.map((record: unknown, index) => decode(record, { operation, path, index }));
  };
}
