/**
 * JSON without losing digits. A number of more than 15 significant digits would be rounded by a float, so it is kept
 * as its source text in an ExactNumber; everything else is what JSON.parse makes of it.
 */
interface ExactNumber {
  readonly [digits]: string;
}

const digits = Symbol('digits');
const longNumber = /\d[\d.]{15}/;
const significant = /^-?0*(\d+)(?:\.(\d+))?/;

/** Throws SyntaxError, as JSON.parse does, on anything that is not one strict JSON value. */
export function parseJson(text: string): unknown {
  return longNumber.test(text) ? JSON.parse(text, keepLongNumbers) : JSON.parse(text);
}

function keepLongNumbers(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  const parts = significant.exec(context.source);
  const count = ((parts?.[1] ?? '') + (parts?.[2] ?? '')).replace(/^0+/, '').length;
  return count > 15 ? { [digits]: context.source } : value;
}

/** The text of a JSON number with every digit it was sent with, or undefined for anything that is not a number. */
export function numberText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return isExactNumber(value) ? value[digits] : undefined;
}

/** A text, or a number's text with every digit; undefined for anything else. */
export function textOrNumber(value: unknown): string | undefined {
  return typeof value === 'string' ? value : numberText(value);
}

function isExactNumber(value: unknown): value is ExactNumber {
  return typeof value === 'object' && value !== null && digits in value;
}
