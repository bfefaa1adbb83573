import { z } from 'zod';

import type { Field } from '../contract/record-fields.ts';
import { records } from '../contract/records.ts';
import { refuseFields, type Answer } from './answer.ts';
import { embeddedContract } from './contract.ts';

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

/** What the bank asks for beyond the published formats. */
const ownFormats: Readonly<Record<string, Field['format']>> = {
  bvn: { pattern: /^(?:\d{11})?$/, message: 'Must be 11 digits or empty.' },
};

/** The input of a collection by the formats of its table. The required fields are those that the bank says to require. */
const collectionInput = (kind: 'settlementBank' | 'customer', required: readonly string[]) => {
  const fields = Object.entries<Field>(records[kind]).flatMap(
    ([name, { form, write, format = ownFormats[name], mayBeEmpty }]) => {
      if (write === undefined) return [];
      const filled = mayBeEmpty ? text : text.min(1, 'Must not be empty.');
      const dated = form === 'date' ? text.pipe(z.iso.date('Must be a date as YYYY-MM-DD.')) : filled;
      const schema = format === undefined ? dated : text.regex(format.pattern, format.message);
      return [[write, required.includes(name) ? schema : schema.optional()] as const];
    },
  );
  return z.object(Object.fromEntries(fields), objectMessage);
};

export const settlementBankInput = collectionInput('settlementBank', embeddedContract['storeSettlementBank.required']);
export const customerInput = collectionInput('customer', embeddedContract['createCustomer.required']);

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

const moment = singleValue
  .pipe(z.iso.datetime({ offset: true, error: 'Must be a time as 2025-03-01T00:00:00Z.' }))
  .transform((text) => new Date(text).toISOString());

/** The query of every list; a list ignores the filters that it does not support. */
export const listQuery = z.object({
  page: positiveInteger.default(1),
  per_page: positiveInteger.transform((size) => Math.min(size, maxPerPage)).default(20),
  search: singleValue.nullable().default(null),
  direction: singleValue.nullable().default(null),
  status: singleValue.nullable().default(null),
  type: singleValue.nullable().default(null),
  reference: singleValue.nullable().default(null),
  from: moment.nullable().default(null),
  before: moment.nullable().default(null),
});

export type Filters = Omit<z.infer<typeof listQuery>, 'page' | 'per_page'>;
