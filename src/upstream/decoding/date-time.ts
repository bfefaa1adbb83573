import type { DateForm } from '../../contract/row.ts';

const canonical = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const shape = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:?\d{2})?$/i;

const firstMoment = Date.parse('0001-01-01T00:00:00.000Z');
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * A moment as RFC 3339 in UTC with milliseconds; finer fractions are cut. `zone` (`UTC` or an offset) is for texts that
 * carry none. Undefined for anything that is not a real moment.
 */
export function toDateTime(text: string, zone: string): string | undefined {
  // Most services already send this form; making Dates of 200 fields costs more than decoding their records.
  if (canonical.test(text)) return text;
  const [, date, time, fraction = '', offset] = shape.exec(text) ?? [];
  if (date === undefined || time === undefined || !isDate(date) || time >= '24') return undefined;
  const suffix = offset ?? (zone === 'UTC' ? 'Z' : zone);
  return toText(new Date(`${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}${suffix}`));
}

/** Whether a text is a date and time without a zone. */
export function isZoneless(text: string): boolean {
  const match = shape.exec(text);
  return match !== null && match[4] === undefined;
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

const commonDate = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/;

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
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const moment = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}
