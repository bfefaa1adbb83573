import { isDate, toDateTime } from '../../upstream/decoding/date-time.ts';
import { numberText } from '../../upstream/decoding/exact-json.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';

/** The kind of a value, without the value: `text of 10 digits`, `integer of 13 digits`, `ISO time`. */
export function shapeOf(value: unknown): string {
  if (typeof value === 'string') return textShape(value);
  const number = numberText(value);
  if (number !== undefined) return numberShape(number);
  if (Array.isArray(value)) return `list of ${value.length}`;
  if (isRecord(value)) return 'object';
  return typeof value === 'symbol' ? 'text that is not Unicode' : value === null ? 'null' : typeof value;
}

function numberShape(text: string): string {
  if (/^-?\d+$/.test(text)) return `integer of ${count(text.replace('-', ''), 'digit')}`;
  return /^-?\d+\.\d+$/.test(text) ? `number with ${count(text.split('.')[1], 'decimal')}` : 'number';
}

function textShape(text: string): string {
  if (text === '') return 'empty text';
  if (/^\d+$/.test(text)) return `text of ${count(text, 'digit')}`;
  if (/^-?\d+\.\d+$/.test(text)) return `text with ${count(text.split('.')[1], 'decimal')}`;
  if (isDate(text)) return 'ISO date';
  if (toDateTime(text, 'UTC') !== undefined) return 'ISO time';
  return isAddress(text) ? 'e-mail address' : `text of ${count(text, 'character')}`;
}

export function isAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}

function count(text = '', noun: string): string {
  return `${text.length} ${noun}${text.length === 1 ? '' : 's'}`;
}
