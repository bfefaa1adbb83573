import { z } from 'zod';

import { refuseFields, type Answer } from './answer.ts';

/** Answers from a valid body or query; refuses others with messages by field, `body` for the whole of it. */
export const withValid = <Value>(
  schema: z.ZodType<Value>,
  value: unknown,
  respond: (valid: Value) => Answer,
): Answer => {
  const result = schema.safeParse(value);
  if (result.success) return respond(result.data);
  const { formErrors, fieldErrors } = z.flattenError(result.error);
  return refuseFields(formErrors.length === 0 ? fieldErrors : { ...fieldErrors, body: formErrors });
};

/** Options of the schema at the root of a body. */
export const objectMessage = {
  error: (issue: { readonly code: string }) => (issue.code === 'invalid_type' ? 'Must be a JSON object.' : undefined),
};

const text = z.string({ error: ({ input }) => (input === undefined ? 'Is required.' : 'Must be text.') });
const nonEmptyText = text.min(1, 'Must not be empty.');
const elevenDigits = text.regex(/^\d{11}$/, 'Must be 11 digits.');
const digits = text.regex(/^\d+$/, 'Must be digits.');

export const settlementBankInput = z.object(
  {
    name: nonEmptyText,
    account_no: digits,
    account_name: nonEmptyText,
    bank_code: digits,
    bank_slug: text.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Must be lower-case words joined by hyphens.'),
  },
  objectMessage,
);

export const customerInput = z.object(
  {
    first_name: nonEmptyText,
    last_name: nonEmptyText,
    nin: elevenDigits,
    dob: text.pipe(z.iso.date('Must be a date as YYYY-MM-DD.')),
    bvn: text.regex(/^(?:\d{11})?$/, 'Must be 11 digits or empty.').optional(),
    phone: text.regex(/^\+\d+$/, 'Must be a plus sign and digits.'),
    email: text.includes('@', 'Must have an @.'),
    reference: nonEmptyText,
    type: nonEmptyText,
    collection_wallet: nonEmptyText,
  },
  objectMessage,
);

const toKobo = (amount: string): bigint => {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(2, '0'));
};

/** Text in major units with at most 18 digits; parsed to kobo. */
export const amountInput = text
  .regex(/^(?:0|[1-9]\d{0,15})(?:\.\d{1,2})?$/, 'Must be a plain amount such as 1250.50.')
  .transform(toKobo)
  .refine((kobo) => kobo > 0n, 'Must be more than zero.');

export const virtualAccountInput = z.object({}, objectMessage);

export const oneTimeAccountInput = z.object({ amount: amountInput.optional() }, objectMessage);

const singleValue = z.string('Must be given once.');
const positiveInteger = singleValue.regex(/^[1-9]\d{0,14}$/, 'Must be a positive whole number.').transform(Number);

const maxPerPage = 100;

/** The query of every list; a list ignores the filters that it does not support. */
export const listQuery = z.object({
  page: positiveInteger.default(1),
  per_page: positiveInteger.transform((size) => Math.min(size, maxPerPage)).default(20),
  search: singleValue.optional(),
  type: singleValue.optional(),
});
