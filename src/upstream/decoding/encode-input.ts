import type { CustomerInput, OneTimeAccountInput, SettlementBankInput, UserError } from '../../domain/records.ts';
import type { Contract, UnitRow } from '../../contract/contract.ts';
import type { WriteName } from '../../contract/operation-rows.ts';
import { extraInputs, type ExtraInput, type ExtraType } from '../../contract/extra-rows.ts';
import { fieldsInPath, placeInBody, wrapperPlace } from '../../contract/addressing.ts';
import { isDate, isZoneless, toDateTime, writeDate } from './date-time.ts';
import { exactNumber, writeJson } from './exact-json.ts';
import { recordKinds } from './record-evidence.ts';
import { lastName } from './user-errors.ts';
import { bareObject, placeAt } from './json-pointer.ts';
import { identifierAs, identifierForm, isPathIdentifier, type BodyParts } from './request-path.ts';
import { toWireAmount } from './wire-money.ts';
import type { InputPaths } from '../operation.ts';

interface EncodedInput {
  /** The JSON text to send. */
  readonly body: string;
  /** The fields that the path names, each with its value, or with a placeholder where the value is faulty. */
  readonly inPath: Readonly<Record<string, string>>;
  /** The faults of the input; nothing is sent unless this is empty. */
  readonly userErrors: readonly UserError[];
}

interface Format {
  readonly accepts: (text: string) => boolean;
  readonly message: string;
}

const matches = (pattern: RegExp, message: string): Format => ({ accepts: (text) => pattern.test(text), message });

/** How a field is checked, and brought into the form of the wire: all of them are texts in the graph. */
interface FieldForm {
  readonly format?: Format;
  /** Brings a valid value into the form of the wire. Throws BAD_USER_INPUT or CONTRACT_UNDECIDED. */
  readonly toWire?: (value: unknown) => unknown;
}

/** A field of an input, as it is checked and sent. */
interface InputField extends FieldForm {
  readonly field: string;
  /** The JSON pointer of its place in the body. */
  readonly place: string;
  readonly isInPath: boolean;
  readonly isRequired: boolean;
  readonly mayBeEmpty: boolean;
}

/**
 * Compiles how an input becomes a request body. Absent fields are not sent. Null, bad formats, and empty texts where the
 * contract does not allow them are refused with the path of the field.
 */
export function createEncoder(contract: Contract, name: WriteName) {
  const fields = [
    ...ownFields(contract, name),
    ...extraInputs(contract, name).map((extra) => toField(contract, name, extra)),
  ].map((field) => placeField(contract, name, field));
  const wrapper = wrapperPlace(contract, name);
  const isInside = ({ place }: { readonly place: string }): boolean => place.startsWith(`${wrapper}/`);
  const constants = Object.entries(contract[`${name}.constants`]).map(([at, value]) => ({
    place: placeInBody(contract, name, at),
    value,
  }));
  /** Constants inside a wrapper are sent only with a field beside them, if the operation has fields of its own. */
  const needsField = Object.keys(contract[`${name}.body`]).length > 0 && constants.some(isInside);
  /** `idFields` name the record, beside the path or in its stead. */
  const encode = (input: Readonly<Record<string, unknown>>, idFields: BodyParts): EncodedInput => {
    const values: { readonly place: string; readonly value: unknown }[] = [];
    const inPath: Record<string, string> = {};
    const userErrors: UserError[] = [];
    for (const inputField of fields) {
      const { field, place, isInPath, toWire = unchanged } = inputField;
      const value = Object.hasOwn(input, field) ? input[field] : undefined;
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
    return { body: writeJson(body), inPath, userErrors };
  };
  /** The values of an input without faults, in the form of the wire, by field. */
  const wireValues = (input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      fields.flatMap(({ field, toWire = unchanged }) => {
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

/** A field that the path names must be a valid path identifier, and is left out of the body. */
function placeField(contract: Contract, name: WriteName, field: Omit<InputField, 'isInPath'>): InputField {
  if (!fieldsInPath(name, contract[`${name}.path`]).includes(field.field)) return { ...field, isInPath: false };
  const allowed = contract['identifiers.allow'];
  const accepts = (text: string): boolean => isPathIdentifier(text, allowed);
  const format = { accepts, message: `Must be ${identifierForm(allowed)}.` };
  return { ...field, isInPath: true, mayBeEmpty: false, format };
}

function ownFields(contract: Contract, name: WriteName): readonly Omit<InputField, 'isInPath'>[] {
  const required = new Set(contract[`${name}.required`]);
  const emptyAllowed = new Set(emptyAllowedIn(contract, name));
  const forms = formsOf(contract, name);
  const names = Object.entries(contract[`${name}.body`]) as [FieldName, string][]; // the row's schema allows no other names
  return names.map(([field, wireName]) => ({
    ...forms[field],
    field,
    place: placeInBody(contract, name, wireName),
    isRequired: required.has(field),
    mayBeEmpty: emptyAllowed.has(field),
  }));
}

/** A field that the deployment adds: a date is checked by its type, an amount of money goes out in the service's unit. */
function toField(contract: Contract, name: WriteName, extra: ExtraInput): Omit<InputField, 'isInPath'> {
  return {
    ...extraForms(contract, name)[extra.type],
    field: extra.name,
    place: placeInBody(contract, name, extra.wire),
    isRequired: extra.required === true,
    mayBeEmpty: false,
  };
}

/** A field of the graph's inputs, but for those that name a record. */
type FieldName = keyof SettlementBankInput | keyof CustomerInput | Exclude<keyof OneTimeAccountInput, 'customerId'>;

/** The formats that the interface document states (section 2), and the general form of an e-mail address. */
function formsOf(contract: Contract, name: WriteName): Readonly<Record<FieldName, FieldForm>> {
  const toAmount = amountForm(contract, name);
  const isNumber = contract['createCustomerOneTimeAccount.amountAs'] === 'number';
  const anyText: FieldForm = {};
  const digits: FieldForm = { format: matches(/^\d+$/, 'Must be digits.') };
  return {
    name: anyText,
    accountNumber: digits,
    accountName: anyText,
    bankCode: digits,
    bankSlug: {
      format: matches(
        /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
        'Must be lower-case words of letters and digits, joined by hyphens.',
      ),
    },
    firstName: anyText,
    lastName: anyText,
    nin: { format: matches(/^\d{11}$/, 'Must be 11 digits.') },
    dateOfBirth: dateForm(contract),
    bvn: anyText,
    phone: {
      format: matches(/^\+\d+$/, 'Must be a + and digits.'),
      toWire: contract['phone.form'] === 'digits' ? (value) => (value as string).replace('+', '') : unchanged,
    },
    // Each part of an address is bounded by the class before it, so the test takes time linear in the text.
    email: { format: matches(/^(?=.{1,254}$)[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, 'Must be an e-mail address.') },
    reference: anyText,
    type: anyText,
    collectionWalletId: anyText,
    amount: { toWire: isNumber ? (value) => exactNumber(toAmount(value)) : toAmount },
  };
}

function extraForms(contract: Contract, name: WriteName): Readonly<Partial<Record<ExtraType, FieldForm>>> {
  return {
    Date: dateForm(contract),
    DateTime: {
      format: {
        accepts: (text) => !isZoneless(text) && toDateTime(text, 'UTC') !== undefined,
        message: 'Must be a moment that exists, with its zone, such as 2026-01-31T09:30:00Z.',
      },
    },
    ID: { toWire: (value) => identifierAs(value as string, contract['identifiers.inBody']) },
    Money: { toWire: amountForm(contract, name) },
  };
}

function dateForm(contract: Contract): FieldForm {
  return {
    format: { accepts: isDate, message: 'Must be a date that exists, as YYYY-MM-DD.' },
    toWire: (value) => (value === '' ? value : writeDate(value as string, contract['dates.form'])),
  };
}

/** A Decimal of the graph as text in the service's unit. */
function amountForm(contract: Contract, name: WriteName): (value: unknown) => string {
  const unit: UnitRow = name === 'createCustomerOneTimeAccount' ? `${name}.unit` : 'money.unit';
  return (value) => toWireAmount(contract, name, unit, value as string); // its scalar has checked that it is text
}

function unchanged(value: unknown): unknown {
  return value;
}

function emptyAllowedIn(contract: Contract, name: WriteName): readonly string[] {
  const kind = recordKinds[name];
  return kind === 'account' ? [] : contract[`${kind}.emptyAllowed`];
}

function findFault({ isRequired, mayBeEmpty, format }: InputField, value: unknown): string | undefined {
  if (value === undefined) return isRequired ? 'Is required.' : undefined;
  if (value === null) return 'Must not be null; leave the field out instead.';
  if (value === '') return mayBeEmpty ? undefined : 'Must not be empty; leave the field out instead.';
  if (format === undefined || typeof value !== 'string') return undefined;
  return format.accepts(value) ? undefined : format.message;
}
