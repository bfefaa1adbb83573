import { z } from 'zod';

import type { FieldErrors } from './answer.ts';

type Checked<Value> = { readonly value: Value } | { readonly errors: FieldErrors };

/** A value that fits the schema, or what is wrong by field; what concerns the whole body stands under `body`. */
export const check = <Value>(schema: z.ZodType<Value>, given: unknown): Checked<Value> => {
  const result = schema.safeParse(given);
  if (result.success) return { value: result.data };
  const { formErrors, fieldErrors } = z.flattenError(result.error);
  return { errors: formErrors.length === 0 ? fieldErrors : { ...fieldErrors, body: formErrors } };
};

/** For the object at the root of a body. */
export const objectMessage = {
  error: (issue: { readonly code: string }) => (issue.code === 'invalid_type' ? 'Must be a JSON object.' : undefined),
};

const text = z.string({ error: ({ input }) => (input === undefined ? 'Is required.' : 'Must be text.') });
const filled = text.min(1, 'Must not be empty.');
const number11 = text.regex(/^\d{11}$/, 'Must be 11 digits.');
const digits = text.regex(/^\d+$/, 'Must be digits.');

export const settlementBankInput = z.object(
  {
    name: filled,
    account_no: digits,
    account_name: filled,
    bank_code: digits,
    bank_slug: text.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Must be lower-case words joined by hyphens.'),
  },
  objectMessage,
);

export const customerInput = z.object(
  {
    first_name: filled,
    last_name: filled,
    nin: number11,
    dob: text.pipe(z.iso.date('Must be a date as YYYY-MM-DD.')),
    bvn: text.regex(/^(?:\d{11})?$/, 'Must be 11 digits or empty.').optional(),
    phone: text.regex(/^\+\d+$/, 'Must be a plus sign and digits.'),
    email: text.includes('@', 'Must have an @.'),
    reference: filled,
    type: filled,
    collection_wallet: filled,
  },
  objectMessage,
);

const toKobo = (amount: string): bigint => {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(2, '0'));
};

/** An amount as text in major units, of 18 digits at most; its value is whole kobo. */
export const amountInput = text
  .regex(/^(?:0|[1-9]\d{0,15})(?:\.\d{1,2})?$/, 'Must be a plain amount such as 1250.50.')
  .transform(toKobo)
  .refine((kobo) => kobo > 0n, 'Must be more than zero.');

// Of an update only what is given is checked.
export const settlementBankChanges = settlementBankInput.partial();
export const customerChanges = customerInput.partial();

export const virtualAccountInput = z.object({}, objectMessage);

export const oneTimeAccountInput = z.object({ amount: amountInput.optional() }, objectMessage);

const once = z.string('Must be given once.');
const count = once.regex(/^[1-9]\d{0,14}$/, 'Must be a positive whole number.').transform(Number);

const largestPage = 100;

/** The query of every list; what a list does not know, it ignores. */
export const listQuery = z.object({
  page: count.default(1),
  per_page: count.transform((size) => Math.min(size, largestPage)).default(20),
  search: once.optional(),
  type: once.optional(),
});
