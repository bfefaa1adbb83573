import { epochUnit, readDate, spellTime, toDateTime } from '../../contract/date-time.ts';
import type { RowId } from '../../contract/contract.ts';
import { dateForms, type DateForm } from '../../contract/row.ts';
import { isIdentifier, isRecord, numberText, textOrNumber } from '../../upstream/index.ts';

/** Whether a value has the form of a row's field. */
export type Accepts = (value: unknown) => boolean;

const isText: Accepts = (value) => typeof value === 'string';
const isDigits: Accepts = (value) => isText(value) || /^\d+$/.test(numberText(value) ?? '');
const isStatus: Accepts = (value) => isText(value) || typeof value === 'boolean' || numberText(value) !== undefined;
const isRecordId: Accepts = (value) => isIdentifier(textOrNumber(value) ?? '');
export const isAmount: Accepts = (value) => /^-?\d+(?:\.\d+)?$/.test(textOrNumber(value) ?? '');
const isDateTime: Accepts = (value) =>
  epochUnit(numberText(value)) !== undefined ||
  (typeof value === 'string' && dateForms.some((form) => toDateTime(spellTime(value, form), 'UTC') !== undefined));
/** A moment, where digits may come as a text. */
const isMoment: Accepts = (value) => epochUnit(textOrNumber(value)) !== undefined || isDateTime(value);
const isCount: Accepts = (value) => /^\d{1,9}$/.test(textOrNumber(value) ?? '');
/** A text that is neither a link nor the number of a page. */
const isToken: Accepts = (value) => typeof value === 'string' && /^(?!https?:|\d*$)[^/?]/.test(value);
const isAnyDate: Accepts = (value) => typeof value === 'string' && dateFormsOf([value]).length > 0;
const isCode: Accepts = (value) => /^[\w.:-]{1,60}$/.test(textOrNumber(value) ?? '');

/** The forms of the row `dates.form` in which all these dates can be read: 10/01/1990 has two. */
export function dateFormsOf(values: readonly string[]): readonly DateForm[] {
  return dateForms.filter((form) => values.every((value) => readDate(value, form) !== undefined));
}

/** Every other field is text. */
const forms: readonly (readonly [rows: RegExp, accepts: Accepts])[] = [
  [/\.(?:id|customerId|collectionWalletId)$/, isRecordId],
  [/\.(?:accountNumber|bankCode)$/, isDigits],
  [/\.(?:status|deleted)$/, isStatus],
  [/\.dateOfBirth$/, isAnyDate],
  [/\.(?:created|updated|expires)At$/, isMoment],
  [/\.currency$/, (value) => typeof value === 'string' && /^[A-Za-z]{3}$/.test(value)],
  [/\.(?:value|amount|available|ledger)(?:Minor)?$/, isAmount],
  [/^lists\.(?:currentPage|pageSize|total|lastPage)$/, isCount],
  [/^lists\.nextCursor$/, isToken],
  [/^lists\.hasMore$/, (value) => typeof value === 'boolean'],
  [/^envelope\.code$/, isCode],
];

export function formOf(row: RowId): Accepts {
  return forms.find(([rows]) => rows.test(row))?.[1] ?? isText;
}

const amountName = /^(?:amount|value|balance)$/i;
const currencyName = /^(?:currency|currency_?code|ccy)$/i;

/** The name of the amount in an object that holds one beside its currency. */
export function amountIn(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const names = Object.keys(value);
  const amount = names.find((name) => amountName.test(name) && isAmount(value[name]));
  return names.some((name) => currencyName.test(name) && typeof value[name] === 'string') ? amount : undefined;
}
