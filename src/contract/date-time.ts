import type { DateForm } from './row.ts';

const canonical = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const shape =
  /^(\d{4}-\d{2}-\d{2})[T ]((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d)(?:\.(\d{1,9}))?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?$/i;

const firstMoment = Date.parse('0001-01-01T00:00:00.000Z');
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * A moment as RFC 3339 in UTC with milliseconds; finer fractions are cut. `zone` (`UTC` or an offset) is for texts that
 * carry none. Undefined for anything that is not a real moment.
 */
export function toDateTime(text: string, zone: string): string | undefined {
  if (canonical.test(text)) return text;
  const [, date, time, seconds, fraction = '', offset = zone] = shape.exec(text) ?? [];
  if (date === undefined || time === undefined || !isDate(date)) return undefined;
  const rest = `${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const shift = offsetMinutes(offset);
  if (shift === 0) return `${date}T${time}${rest}`;
  const minutes = toMinutes(time) - shift;
  // Making Dates of 200 fields costs more than decoding their records: a Date is made only where the day changes.
  if (minutes < 0 || minutes >= 1440) return toText(new Date(Date.parse(`${date}T00:00${rest}`) + minutes * 60_000));
  return `${date}T${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}${rest}`;
}

const otherShape =
  /^(?:[a-z]{3}, )?(\d\d? [a-z]{3} \d{4}|[\d/-]{10})[T ](\d\d:\d\d)(:\d\d)?(\.\d+)? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * A time as RFC 3339 spells it, if it can be read in one way only (`Thu, 01 Jan 2026 10:00:00 GMT`, one without seconds)
 * or has its date in `form`; else the text itself.
 */
export function spellTime(text: string, form: DateForm): string {
  const [, day = '', time = '', seconds = ':00', fraction = '', zone = ''] = otherShape.exec(text) ?? [];
  const [number = '', month = '', year] = day.split(' ');
  const named = `${year}-${twoDigits(months.indexOf(month.toLowerCase()) + 1)}-${number.padStart(2, '0')}`;
  const yearFirst = day.replace(/^(\d{4})\/(\d\d)\//, '$1-$2-');
  const date = readDate(year === undefined ? yearFirst : named, form);
  if (date === undefined) return text;
  const offset = /^[UG]/i.test(zone) ? 'Z' : zone.length === 3 ? `${zone}:00` : zone;
  return `${date}T${time}${seconds}${fraction}${offset}`;
}

/** Minutes of a time of day. */
function toMinutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(-2));
}

/** Minutes of an offset from UTC. */
export function offsetMinutes(offset: string): number {
  if (offset === 'Z') return 0;
  const minutes = /^[+-]/.test(offset) ? toMinutes(offset.slice(1)) : 0;
  return offset.startsWith('-') ? -minutes : minutes;
}

function twoDigits(count: number): string {
  return String(count).padStart(2, '0');
}

/** Whether a text is a date and time without a zone. */
export function isZoneless(text: string): boolean {
  const match = shape.exec(text);
  return match !== null && match.at(-1) === undefined;
}

/**
 * An RFC 3339 time from a number of seconds or milliseconds since 1970; undefined if it is no such number. Finer fractions
 * are cut, as texts: a float would round some into another millisecond.
 */
export function epochTime(text: string, unit: 'seconds' | 'milliseconds'): string | undefined {
  const [, sign, whole, fraction = ''] = /^(-?)(\d{1,15})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const places = unit === 'seconds' ? 3 : 0;
  const ms = Number(whole + fraction.slice(0, places).padEnd(places, '0'));
  const isFiner = /[1-9]/.test(fraction.slice(places));
  return toText(new Date(sign === '-' ? -ms - Number(isFiner) : ms));
}

/** Forms of moments in requests. */
export const momentForms = ['date-time', 'date', 'seconds', 'milliseconds'] as const;

/** A moment, in milliseconds since 1970, in a form; texts in that zone, and within the years of RFC 3339. */
export function writeMoment(
  ms: number,
  form: (typeof momentForms)[number],
  zone: string,
  dateForm: DateForm,
): string | number {
  if (form === 'milliseconds') return ms;
  if (form === 'seconds') return ms / 1000;
  const local = Math.min(Math.max(ms + offsetMinutes(zone) * 60_000, firstMoment), lastMoment);
  const text = new Date(local).toISOString();
  if (form === 'date') return writeDate(text.slice(0, 10), dateForm);
  return text.replace(/(?:\.000)?Z$/, /^[+-]/.test(zone) ? zone : 'Z');
}

/** The unit of a number that is a moment between 1973 and 5138; undefined for any other. */
export function epochUnit(number: string | undefined): 'seconds' | 'milliseconds' | undefined {
  const count = Number(number ?? 0);
  if (count >= 1e11) return count < 1e14 ? 'milliseconds' : undefined;
  return count >= 1e8 ? 'seconds' : undefined;
}

/** An offset can move a time out of the years 1 to 9999, for which RFC 3339 has no text. */
function toText(moment: Date): string | undefined {
  const isInRange = moment.getTime() >= firstMoment && moment.getTime() <= lastMoment;
  return isInRange ? moment.toISOString() : undefined;
}

/** Every date but 29 February. */
const commonDate =
  /^(?!0000)\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)$/;

/** A date as `YYYY-MM-DD` from that form, from the service's, or from its midnight; undefined if there is no such day. */
export function readDate(text: string, form: DateForm): string | undefined {
  const day = text.replace(/[T ]00:00:00(?:\.0+)?(?:Z|\+00:?00)?$/i, '');
  if (isDate(day)) return day;
  const part = (name: string): string => day.slice(form.indexOf(name), form.indexOf(name) + name.length);
  const date = `${part('YYYY')}-${part('MM')}-${part('DD')}`;
  return isDate(date) && writeDate(date, form) === day ? date : undefined;
}

/** A date `YYYY-MM-DD` in the service's form. */
export function writeDate(date: string, form: DateForm): string {
  const [year = '', month = '', day = ''] = date.split('-');
  return form.replace('YYYY', year).replace('MM', month).replace('DD', day);
}

/** Whether a text is `YYYY-MM-DD` and that day exists. */
export function isDate(text: string): boolean {
  if (commonDate.test(text)) return true;
  const [, year] = /^(?!0000)(\d{4})-02-29$/.exec(text) ?? [];
  return year !== undefined && new Date(`${year}-02-29T00:00:00.000Z`).getUTCDate() === 29;
}
