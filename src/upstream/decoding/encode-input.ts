import type { UserError } from '../../domain/records.ts';
import { mostDecimals, type Contract, type UnitRow } from '../../contract/contract.ts';
import { isCreate, recordKinds, type WriteName } from '../../contract/operation-rows.ts';
import { extraForms, extraInputs } from '../../contract/extra-rows.ts';
import { fieldsInPath, placeInBody, wrapperPlace } from '../../contract/addressing.ts';
import type { Field } from '../../contract/record-fields.ts';
import { records } from '../../contract/records.ts';
import { isDate, isZoneless, toDateTime, writeDate } from '../../contract/date-time.ts';
import { exactNumber } from './exact-json.ts';
import { lastName } from './user-errors.ts';
import { bareObject, placeAt } from './json-pointer.ts';
import { identifierForm, isPathIdentifier } from './identifiers.ts';
import { createBodyWriter, identifierAs, type BodyParts } from './request-path.ts';
import { amountFault, toWireAmount } from './wire-money.ts';
import type { InputPaths } from '../operation.ts';

interface EncodedInput {
  /** The text to send. */
  readonly body: string;
  /** The fields that the path names, each with its value, or with a placeholder where the value is faulty. */
  readonly inPath: Readonly<Record<string, string>>;
  /** The faults of the input; nothing is sent unless this is empty. */
  readonly userErrors: readonly UserError[];
}

/** The sentence that refuses a text; undefined where it can be sent. */
type Format = (text: string) => string | undefined;

/** A field of an input, as it is checked and sent. */
interface InputField {
  readonly field: string;
  /** The JSON pointer of its place in the body. */
  readonly place: string;
  readonly isInPath: boolean;
  readonly isRequired: boolean;
  readonly mayBeEmpty: boolean;
  readonly format: Format | undefined;
  /** Brings a valid value into the form of the wire. Throws CONTRACT_UNDECIDED. */
  readonly toWire: (value: unknown) => unknown;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Compiles how an input becomes a request body. Absent fields are not sent, nor null of a create. Null, bad formats, and empty texts where the
 * contract does not allow them are refused with the path of the field.
 */
export function createEncoder(contract: Contract, name: WriteName) {
  const fields = fieldsOf(contract, name);
  const wrapper = wrapperPlace(contract, name);
  const write = createBodyWriter(contract);
  const isInside = ({ place }: { readonly place: string }): boolean => place.startsWith(`${wrapper}/`);
  const constants = Object.entries(contract[`${name}.constants`]).map(([at, value]) => ({
    place: placeInBody(contract, name, at),
    value,
  }));
  /** Constants inside a wrapper are sent only with a field beside them, if the operation has fields of its own. */
  const needsField = Object.keys(contract[`${name}.body`]).length > 0 && constants.some(isInside);
  /** `idFields` name the record, beside the path or in its stead. */
  const encode = (input: Values, idFields: BodyParts): EncodedInput => {
    const values: { readonly place: string; readonly value: unknown }[] = [];
    const inPath: Record<string, string> = {};
    const userErrors: UserError[] = [];
    for (const inputField of fields) {
      const { field, place, isInPath, toWire } = inputField;
      const given = Object.hasOwn(input, field) ? input[field] : undefined;
      // A new record has no value that null could empty: pages send null for a field that was not filled in.
      const value = isCreate(name) ? (given ?? undefined) : given;
      const fault = findFault(inputField, value);
      if (fault !== undefined) userErrors.push({ code: 'INVALID', field: ['input', field], message: fault });
      if (isInPath) inPath[field] = fault === undefined ? String(value) : neverSent;
      else if (fault === undefined && value !== undefined) values.push({ place, value: toWire(value) });
    }
    const body = bareObject();
    const isLeftOut = wrapper !== '' && needsField && !values.some(isInside);
    if (wrapper !== '') placeAt(body, wrapper, isLeftOut ? undefined : bareObject());
    const sent = isLeftOut ? constants.filter((constant) => !isInside(constant)) : constants;
    for (const { place, value } of [...values, ...sent]) placeAt(body, place, value);
    // Last: nothing that a client or a constant sends may name another record.
    for (const [at, identifier] of Object.entries(idFields)) placeAt(body, at, identifier);
    return { body: write(body), inPath, userErrors };
  };
  /** The values of an input without faults, in the form of the wire, by field. */
  const wireValues = (input: Values): Values =>
    Object.fromEntries(
      fields.flatMap(({ field, toWire }) => {
        const value = Object.hasOwn(input, field) ? input[field] : undefined;
        return value === undefined || value === null ? [] : [[field, toWire(value)]];
      }),
    );
  return { encode, wireValues, inputPaths: inputPathsOf(fields) };
}

/** The path of each input field by its last wire name in lower case; null where that is the name of two. */
function inputPathsOf(fields: readonly InputField[]): InputPaths {
  const paths = new Map<string, readonly string[] | null>();
  for (const { field, place } of fields) {
    const name = lastName(place).toLowerCase();
    paths.set(name, paths.has(name) ? null : ['input', field]);
  }
  return paths;
}

/** Placeholder of a faulty value; its request is not sent. */
const neverSent = 'faulty';

/** The fields of a write: those of its record's table, and those that the deployment adds. */
function fieldsOf(contract: Contract, name: WriteName): readonly InputField[] {
  const kind = recordKinds[name];
  const table: Readonly<Record<string, Field>> = records[kind];
  const emptyAllowed = kind === 'settlementBank' || kind === 'customer' ? contract[`${kind}.emptyAllowed`] : [];
  const own = Object.entries(contract[`${name}.body`]).map(([field, wire]) => ({
    field,
    wire,
    form: table[field]?.form ?? 'text',
    pattern: table[field]?.format,
    isRequired: contract[`${name}.required`].includes(field),
    mayBeEmpty: emptyAllowed.includes(field),
  }));
  const added = extraInputs(contract, name).map(({ name: field, wire, type, required = false }) => {
    const form = extraForms[type];
    return { field, wire, form, pattern: undefined, isRequired: required, mayBeEmpty: false };
  });
  const inPath = new Set(fieldsInPath(name, contract[`${name}.path`]));
  const allowed = contract['identifiers.allow'];
  // A field that the path names must be a valid path identifier, and is left out of the body.
  const pathFormat = requires((text) => isPathIdentifier(text, allowed), `Must be ${identifierForm(allowed)}.`);
  const formats = formatsOf(contract, name);
  return [...own, ...added].map(({ field, wire, form, pattern, isRequired, mayBeEmpty }) => {
    const isInPath = inPath.has(field);
    const toWire = wireForm(contract, name, form);
    const ownFormat = pattern && requires((text) => pattern.pattern.test(text), pattern.message);
    return {
      field,
      place: placeInBody(contract, name, wire),
      isInPath,
      isRequired,
      mayBeEmpty: mayBeEmpty && !isInPath,
      format: isInPath ? pathFormat : (ownFormat ?? formats[form]),
      toWire: contract['texts.numbers'].includes(field)
        ? (value) => identifierAs(String(toWire(value)), 'number')
        : toWire,
    };
  });
}

function requires(accepts: (text: string) => boolean, message: string): Format {
  return (text) => (accepts(text) ? undefined : message);
}

/** The row of the unit in which a write sends amounts. */
function unitOf(name: WriteName): UnitRow {
  return name === 'createCustomerOneTimeAccount' ? `${name}.unit` : 'money.unit';
}

function formatsOf(contract: Contract, name: WriteName): Readonly<Record<string, Format>> {
  const money: Format = (text) => amountFault(text, mostDecimals(contract, unitOf(name)));
  return {
    date: requires(isDate, 'Must be a date that exists, as YYYY-MM-DD.'),
    dateTime: requires(
      (text) => !isZoneless(text) && toDateTime(text, 'UTC') !== undefined,
      'Must be a moment that exists, with its zone, such as 2026-01-31T09:30:00Z.',
    ),
    decimal: (text) => amountFault(text, Infinity),
    optionalMoney: money,
    optionalUnsignedMoney: money,
  };
}

/** Compiles how a value of a form is written. Its scalar or its format has checked the value. */
function wireForm(contract: Contract, name: WriteName, form: string): InputField['toWire'] {
  const toAmount = (value: unknown): string => toWireAmount(contract, name, unitOf(name), value as string);
  const isNumber = contract['createCustomerOneTimeAccount.amountAs'] === 'number';
  const forms: Readonly<Record<string, InputField['toWire']>> = {
    date: (value) => (value === '' ? value : writeDate(value as string, contract['dates.form'])),
    phone: (value) => (contract['phone.form'] === 'digits' ? (value as string).replace('+', '') : value),
    reference: (value) => identifierAs(value as string, contract['identifiers.inBody']),
    optionalMoney: toAmount,
    optionalUnsignedMoney: (value) => (isNumber ? exactNumber(toAmount(value)) : toAmount(value)),
  };
  return forms[form] ?? ((value) => value);
}

function findFault({ isRequired, mayBeEmpty, format }: InputField, value: unknown): string | undefined {
  if (value === '' ? mayBeEmpty : value === undefined && !isRequired) return undefined;
  if (value === undefined || value === null || value === '')
    return isRequired
      ? 'Is required.'
      : `Must not be ${value === null ? 'null' : 'empty'}; leave the field out instead.`;
  return typeof value === 'string' ? format?.(value) : undefined;
}
