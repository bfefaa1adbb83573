/** Headers by their names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

const maxRetryAfterSeconds = 86_400;

/** Codings that change the bytes of a body. Services also name charsets there, or `none`: such a body is as it is read. */
const codings = /gzip|deflate|compress|zstd|\b(?:br|dc[bz]|exi)\b|aes128gcm/i;

/** Whether a body is not what it would be without its coding. */
export function isCompressed(headers: Headers): boolean {
  return codings.test(asText(headers['content-encoding']) ?? '');
}

/** A header's value; one that came several times as HTTP joins it. */
export function asText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

/**
 * Retry-After in seconds, whether it is a number or a date; undefined where it is neither. A date is compared with the
 * answer's own `date`, since the service's clock may differ from ours.
 */
export function retryAfterIn(headers: Headers): number | undefined {
  const [retryAfter, date] = [asText(headers['retry-after']), asText(headers['date'])];
  if (retryAfter === undefined) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Math.min(Number(retryAfter), maxRetryAfterSeconds);
  const moment = readDate(retryAfter);
  if (Number.isNaN(moment)) return undefined;
  const seconds = Math.ceil((moment - (readDate(date) || Date.now())) / 1000);
  return Math.min(Math.max(0, seconds), maxRetryAfterSeconds);
}

/** Every form of an HTTP date begins with a day's name. Date.parse also takes `-5` and `1.5`, for days long past. */
function readDate(text = ''): number {
  return /^[A-Z]/i.test(text) ? Date.parse(text) : NaN;
}
