import type { UserError } from '../../domain/records.ts';
import type { Contract } from '../../contract/contract.ts';
import type { WriteName } from '../../contract/operation-rows.ts';
import { isDate } from './date-time.ts';
import { recordKinds } from './record-evidence.ts';

export interface EncodedInput {
  /** The JSON text to send. */
  readonly body: string;
  /** The faults of the input; nothing is sent unless this is empty. */
  readonly userErrors: readonly UserError[];
}

interface Format {
  readonly accepts: (text: string) => boolean;
  readonly message: string;
}

const digits: Format = { accepts: (text) => /^\d+$/.test(text), message: 'Must be digits.' };

/** Each part of an address is bounded by the class before it, so the test takes time linear in the text. */
const email: Format = {
  accepts: (text) => text.length <= 254 && /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text),
  message: 'Must be an e-mail address.',
};

/** The formats that the interface document states (section 2), and the general form of an e-mail address. */
const formats: Readonly<Record<string, Format>> = {
  nin: { accepts: (text) => /^\d{11}$/.test(text), message: 'Must be 11 digits.' },
  dateOfBirth: { accepts: isDate, message: 'Must be a date that exists, as YYYY-MM-DD.' },
  email,
  phone: { accepts: (text) => /^\+\d+$/.test(text), message: 'Must be a + and digits.' },
  accountNumber: digits,
  bankCode: digits,
  bankSlug: {
    accepts: (text) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text),
    message: 'Must be lower-case words of letters and digits, joined by hyphens.',
  },
};

/**
 * Compiles how an input becomes a request body. Absent fields are not sent. Null, bad formats, and empty texts where the
 * contract does not allow them are refused with the path of the field.
 */
export function createEncoder(contract: Contract, name: WriteName) {
  const fields = Object.entries(contract[`${name}.body`]);
  const required = new Set(contract[`${name}.required`]);
  const emptyAllowed = new Set(emptyAllowedIn(contract, name));
  const constants = contract[`${name}.constants`];
  const wrapper = contract[`${name}.wrapper`];
  const isNumber = (field: string): boolean =>
    name === 'createCustomerOneTimeAccount' && field === 'amount' && contract[`${name}.amountAs`] === 'number';
  const encode = (input: Readonly<Record<string, unknown>>): EncodedInput => {
    const body: Record<string, unknown> = {};
    const userErrors: UserError[] = [];
    for (const [field, wireName] of fields) {
      const value = Object.hasOwn(input, field) ? input[field] : undefined;
      const fault = findFault(field, value, required.has(field), emptyAllowed.has(field));
      if (fault !== undefined) userErrors.push({ code: 'INVALID', field: ['input', field], message: fault });
      else if (value !== undefined) body[wireName] = isNumber(field) ? rawNumber(value as string) : value; // a Decimal is a text
    }
    const fieldsSent = { ...body, ...constants };
    return { body: JSON.stringify(wrapper === null ? fieldsSent : { [wrapper]: fieldsSent }), userErrors };
  };
  return { encode, inputPaths: new Map(fields.map(([field, wireName]) => [wireName, ['input', field]])) };
}

/** A JSON number with exactly these digits. */
function rawNumber(text: string): unknown {
  return (JSON as typeof JSON & { rawJSON: (json: string) => unknown }).rawJSON(text); // which TypeScript's library lacks
}

function emptyAllowedIn(contract: Contract, name: WriteName): readonly string[] {
  const kind = recordKinds[name];
  return kind === 'account' ? [] : contract[`${kind}.emptyAllowed`];
}

function findFault(field: string, value: unknown, isRequired: boolean, mayBeEmpty: boolean): string | undefined {
  if (value === undefined) return isRequired ? 'Is required.' : undefined;
  if (value === null) return 'Must not be null; leave the field out instead.';
  if (value === '') return mayBeEmpty ? undefined : 'Must not be empty; leave the field out instead.';
  const format = formats[field];
  if (format === undefined || typeof value !== 'string') return undefined;
  return format.accepts(value) ? undefined : format.message;
}
