import { data as currencies } from 'currency-codes';
import type { MoneyUnit } from './row.ts';

const majorText = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/;
/** The form that most services send; it needs no conversion. */
const twoPlaces = /^(?:0|[1-9]\d{0,29})\.\d\d$/;
const minorText = /^(-?)(\d{1,30})$/;

const digitsByCurrency = new Map(currencies.map(({ code, digits }) => [code, digits]));

/** How many decimal places a currency has by ISO 4217, or undefined for a code that is not on its list. */
export function currencyDigits(currency: string): number | undefined {
  return digitsByCurrency.get(currency);
}

interface Currency {
  readonly source: unknown;
  readonly code: string;
  readonly places: number;
}

let last: Currency | undefined;

/** The currency of a code in any case; undefined for any other value. The last one is cached: amounts rarely change it. */
export function toCurrency(source: unknown): Currency | undefined {
  if (last !== undefined && source === last.source) return last;
  const code = typeof source === 'string' ? source.toUpperCase() : '';
  const places = currencyDigits(code);
  if (places === undefined) return undefined;
  last = { source, code, places };
  return last;
}

/**
 * An amount as decimal text in the major unit with exactly `places` decimals; undefined for text that is no amount or
 * has more decimals than the currency. It only moves the decimal point, in the minor unit by `minorDigits`: no arithmetic
 * is done.
 */
export function toAmount(text: string, unit: MoneyUnit, places: number, minorDigits = places): string | undefined {
  if (unit === 'major' && places === 2 && twoPlaces.test(text)) return text;
  const match = (unit === 'major' ? majorText : minorText).exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  if (fraction.length > places) return undefined;
  const digits = whole + fraction;
  const missing = places - (unit === 'major' ? fraction.length : minorDigits);
  if (missing < 0 && /[1-9]/.test(digits.slice(missing))) return undefined;
  const minor = missing < 0 ? digits.slice(0, missing) : digits + '0'.repeat(missing);
  const all = minor.replace(/^0+/, '').padStart(places + 1, '0');
  const amount = places === 0 ? all : `${all.slice(0, -places)}.${all.slice(-places)}`;
  return /[1-9]/.test(all) ? sign + amount : amount;
}

/** An amount of the graph as decimal text in the service's unit. The inverse of `toAmount`. */
export function fromAmount(amount: string, unit: MoneyUnit, minorDigits: number): string {
  if (unit === 'major') return amount;
  const [whole = '', fraction = ''] = amount.split('.');
  return (whole + fraction.padEnd(minorDigits, '0')).replace(/^0+(?=\d)/, '');
}
