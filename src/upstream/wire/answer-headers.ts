/** Headers by their names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

const maxRetryAfterSeconds = 86_400;

/** The headers of an answer that the gateway reads. */
export function readHeaders(headers: Headers) {
  return {
    retryAfterSeconds: toSeconds(asText(headers['retry-after'])),
    allow: asText(headers['allow']),
    contentType: asText(headers['content-type']),
    link: asText(headers['link']),
    totalCount: asText(headers['x-total-count']),
  };
}

/** A header's value; one that came several times as HTTP joins it. */
export function asText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

/** Retry-After as seconds from now, whether it is a number or a date; undefined where it is neither. */
export function toSeconds(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Math.min(Number(retryAfter), maxRetryAfterSeconds);
  // Every form of an HTTP date begins with a day's name. Date.parse also takes `-5` and `1.5`, for days long past.
  const moment = /^[A-Z]/i.test(retryAfter) ? Date.parse(retryAfter) : NaN;
  if (Number.isNaN(moment)) return undefined;
  return Math.min(Math.max(0, Math.ceil((moment - Date.now()) / 1000)), maxRetryAfterSeconds);
}
