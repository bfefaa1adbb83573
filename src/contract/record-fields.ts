import type { Money, TransactionDirection, ValueOrError } from '../domain/records.ts';
import { assumption, pointers, type Row } from './row.ts';

type Text = ValueOrError<string | null>;

/** The forms of fields, each with what the graph gets of it. An absent value is null. */
interface FormValues {
  /** The identifier of the record itself. A record without one is an error. */
  readonly identifier: string;
  /** An identifier that is never part of a path. */
  readonly reference: Text;
  readonly text: Text;
  /** Digits. A number gets its leading zeros back where the row `NAME.digits` has their count. */
  readonly digits: Text;
  readonly phone: Text;
  readonly status: Text;
  readonly date: Text;
  readonly dateTime: Text;
  readonly money: ValueOrError<Money>;
  readonly optionalMoney: ValueOrError<Money | null>;
  readonly optionalUnsignedMoney: ValueOrError<Money | null>;
  /** The absolute amount of a transaction. */
  readonly magnitude: ValueOrError<Money>;
  readonly direction: ValueOrError<TransactionDirection>;
}

/** `embedded`: another record, or a list of records. */
export type Form = keyof FormValues | 'embedded';

/** What an input must look like, with the sentence that refuses it. */
interface Format {
  readonly pattern: RegExp;
  readonly message: string;
}

interface Options {
  /** The name in the bodies of writes. A field without one is not written. */
  readonly write?: string;
  readonly format?: Format;
  /** Whether it may be sent as an empty text. */
  readonly mayBeEmpty?: true;
  /** Whether another value in the answer to a create shows that the record is another one. */
  readonly names?: true;
  /** Where a second amount stands, in the minor unit. */
  readonly minor?: readonly string[];
  /** Whether it tells something about a person: the schema tags it `pii`. */
  readonly pii?: true;
  readonly reason?: string;
}

/** One field of a record: its form in the graph (null: it is not shown) and its places in an answer (null: it is not read). */
export interface Field extends Options {
  readonly form: Form | null;
  readonly at: readonly string[] | null;
}

export type Fields = Readonly<Record<string, Field>>;

/** A field that is read. `form`: null for what the gateway reads in a record, but does not show. */
export const field = <const Name extends Form | null, const Given extends Options = object>(
  form: Name,
  at: string | readonly string[],
  options = {} as Given,
) => ({ form, at: [at].flat(), ...options });

/** An input that is never read back. */
export function writeOnly<const Given extends Options>(options: Given) {
  return { form: 'text', at: null, ...options } as const;
}

/** The record of a table: its fields that are read, as the graph gets them. */
export type RecordOf<Table> = {
  readonly [
    Name in keyof Table as Table[Name] extends { readonly form: keyof FormValues; readonly at: readonly string[] }
      ? Name
      : never
  ]: Table[Name] extends { readonly form: infer Name extends keyof FormValues } ? FormValues[Name] : never;
};

/** The input of a write: an absent field is not sent, null is absent in a create and refused in an update. */
export type InputOf<Table> = {
  readonly [Name in keyof Table as Table[Name] extends { readonly write: string } ? Name : never]?: string | null;
};

/** The rows of a table: where each of its fields stands, `customer.firstName`, and a second amount, `balance.valueMinor`. */
export type PlaceRows<Kind extends string, Table> = {
  readonly [
    Name in keyof Table & string as Table[Name] extends { readonly at: readonly string[] } ? `${Kind}.${Name}` : never
  ]: Row<readonly string[]>;
} & {
  readonly [
    Name in keyof Table & string as Table[Name] extends { readonly minor: readonly string[] }
      ? `${Kind}.${Name}Minor`
      : never
  ]: Row<readonly string[]>;
};

export function placeRows<const Kind extends string, Table extends Fields>(
  kind: Kind,
  table: Table,
): PlaceRows<Kind, Table> {
  const rows = Object.entries<Field>(table).flatMap(([name, { at, minor, reason }]) => [
    ...(at === null ? [] : [[`${kind}.${name}`, placeRow(at, reason)] as const]),
    ...(minor === undefined ? [] : [[`${kind}.${name}Minor`, placeRow(minor)] as const]),
  ]);
  return Object.fromEntries(rows) as PlaceRows<Kind, Table>; // the type of fromEntries lacks the keys
}

function placeRow(list: readonly string[], reason?: string): Row<readonly string[]> {
  const first = 'the first of these that is present and not null';
  return assumption(reason ?? (list.length === 0 ? 'no known answer contains it' : first), list, pointers);
}

/** The name in a body of each field that writes send. */
export function writeNamesOf(table: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, { write }]) => (write === undefined ? [] : [[name, write]])),
  );
}
