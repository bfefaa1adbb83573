import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { code as currencyByCode } from 'currency-codes';
import { z } from 'zod';

const minSecretBytes = 32;

/** The schema of a variable; `parse` returns undefined for a text that is not allowed. */
function rule<Value>(allowed: string, parse: (value: string) => Value | undefined) {
  return z.string().transform((value, context): Value => {
    const parsed = parse(value);
    if (parsed !== undefined) return parsed;
    context.addIssue({ code: 'custom', message: `allowed: ${allowed}` });
    return z.NEVER;
  });
}

export function oneOf<Name extends string>(names: readonly Name[], allowed = names.join(', ')) {
  return rule(allowed, (value) => names.find((name) => name === value));
}

function matching(pattern: RegExp, allowed: string) {
  return rule(allowed, (value) => (pattern.test(value) ? value : undefined));
}

export function integer(minimum: number, maximum: number) {
  return rule(`a whole number from ${minimum} to ${maximum}`, (value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    return number >= minimum && number <= maximum ? number : undefined;
  });
}

/**
 * Headers with a meaning in HTTP, in proxies or in this gateway: a credential in one of them would be lost or leak.
 * `__proto__` would be lost in the object in which Node keeps headers.
 */
const reservedHeader =
  /^(?:__proto__|accept|accept-.*|access-control-.*|apollo-.*|cache-control|connection|content-.*|cookie|date|expect|forwarded|host|http2-settings|idempotency-key|if-.*|keep-alive|max-forwards|origin|pragma|proxy-.*|range|referer|sec-.*|set-cookie|te|trace.*|trailer|transfer-encoding|upgrade|user-agent|vary|via|www-authenticate|x-explain|x-forwarded-.*|x-request-id|x-router-secret)$/;

function isHeaderName(text: string): boolean {
  return /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(text);
}

/** Whether a header may have the same value in every call: it has no meaning of its own, and is not named as a secret. */
export function isConstantHeader(name: string): boolean {
  const isSecret = /auth|cred|key|pass|secret|session|signature|token/i.test(name);
  return isHeaderName(name) && !isSecret && !reservedHeader.test(name.toLowerCase());
}

/** Whether a header may carry the idempotency key of a write. */
export function isKeyHeader(name: string): boolean {
  return isHeaderName(name) && /idempoten/i.test(name);
}

export const port = integer(0, 65_535);
export const milliseconds = integer(1, 600_000);
export const header = rule('a header name that neither HTTP nor the gateway uses', (value) =>
  isHeaderName(value) && !reservedHeader.test(value.toLowerCase()) ? value : undefined,
);
export const currency = rule('an ISO 4217 code such as NGN', (value) =>
  /^[A-Z]{3}$/.test(value) && currencyByCode(value) !== undefined ? value : undefined,
);
export const credential = matching(/^[\x21-\x7e]{1,4096}$/, 'visible ASCII without spaces, at most 4096 characters');
export const ratio = rule('a number from 0 to 1', (value) =>
  /^(?:0|1|0?\.\d{1,9}|1\.0)$/.test(value) ? Number(value) : undefined,
);
export const onOrOff = rule('1, true or on; 0, false or off', (value) => {
  if (/^(?:1|true|on)$/i.test(value)) return true;
  return /^(?:0|false|off)$/i.test(value) ? false : undefined;
});
const listOf = (value: string): readonly string[] => value.split(',').flatMap((entry) => entry.trim() || []);
/** An origin that a page can have, perhaps with `*` for the first of at least three labels. */
const isOrigin = (origin: string): boolean =>
  URL.parse(origin)?.origin === origin && /^https?:\/\/(?:\*\.(?=[^.]+\.))?[^*]+$/.test(origin);
export const origins = rule(
  'origins such as https://app.example.com or https://*.example.com (one label), separated by commas',
  (value) => (listOf(value).every(isOrigin) ? listOf(value) : undefined),
);
export const headers = rule('names of headers that carry no credential and have no meaning in HTTP', (value) =>
  listOf(value).every((name) => isConstantHeader(name) && name !== '*') ? listOf(value) : undefined,
);
export const upstream = rule('`embedded`, or an http(s) URL without credentials, query or fragment', (value) => {
  if (value === 'embedded') return value;
  const url = URL.parse(value);
  const isPlain = url !== null && !url.username && !url.password && !url.search && !url.hash;
  return isPlain && /^https?:$/.test(url.protocol) ? url : undefined;
});
export const typePrefix = matching(/^[A-Z][A-Za-z0-9]{0,30}$/, 'a capital letter, then at most 30 letters and digits');
export const collector = rule('an http(s) URL', (value) =>
  /^https?:$/.test(URL.parse(value)?.protocol ?? '') ? value : undefined,
);
export const proxy = rule('an http(s) URL of a proxy, a % in its password written as %25', (value) => {
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  const isProxy = url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' && isEncoded(url);
  return isProxy ? url.href : undefined;
});
export const traceProtocol = oneOf(['http/protobuf']);
export const store = rule(
  'sqlite:PATH (no file: URI), or redis://… or rediss://… (at its end perhaps ?durability=accept)',
  toStoreAddress,
);
export const fingerprintSecret = rule('32 bytes or more', (value) =>
  Buffer.byteLength(value) >= minSecretBytes ? value : undefined,
);
/** The length is that of the file: each byte that is not UTF-8 becomes three in a text. */
export const fingerprintSecretFile = rule('a readable file of 32 bytes or more', (path) => {
  const bytes = readBytes(path);
  return bytes.length >= minSecretBytes ? String(bytes) : undefined;
});
/** One secret, or two while it is changed. */
export const routerSecret = rule(
  'visible ASCII without spaces, 32 bytes or more, at most 4096; or two, with a comma',
  (value) =>
    /^[\x21-\x2b\x2d-\x7e]{32,4096}(?:,[\x21-\x2b\x2d-\x7e]{32,4096})?$/.test(value) ? value.split(',') : undefined,
);

/** The path of a file that this process may read. Its content is checked where it is parsed. */
export const readableFile = z.string().superRefine((path, context) => {
  const fault = findReadFault(path);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: `allowed: a readable file (${fault})` });
});

/** The schema of a variable that names a file with the value of another one, perhaps with a line end. */
export function fileOf<Value>(content: z.ZodType<Value, string>) {
  return z.string().transform((path, context): Value => {
    const parsed = content.safeParse(String(readBytes(path)));
    if (parsed.success) return parsed.data;
    const allowed = parsed.error.issues[0]?.message.replace('allowed: ', '');
    context.addIssue({ code: 'custom', message: `allowed: a readable file of ${allowed}` });
    return z.NEVER;
  });
}

/** `acceptsLoss`: the deployer accepts that Redis may lose keys. */
export type StoreAddress =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'redis'; readonly url: string; readonly acceptsLoss: boolean };
function toStoreAddress(value: string): StoreAddress | undefined {
  if (value.startsWith('sqlite:')) {
    const path = value.slice('sqlite:'.length);
    // SQLite reads `file:` as a URI, which may stand for a database in memory.
    return path === '' || path.startsWith('file:') ? undefined : { kind: 'sqlite', path };
  }
  const url = URL.parse(value);
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '' || url.hash !== '') return undefined;
  if (!isEncoded(url) || !/^\/?\d*$/.test(url.pathname)) return undefined;
  if (url.search !== '' && url.search !== '?durability=accept') return undefined;
  const acceptsLoss = url.search !== '';
  url.search = '';
  return { kind: 'redis', url: url.href, acceptsLoss };
}

/** The code of the error with which a file cannot be read. It is not opened, since it may be a pipe. */
function findReadFault(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isDirectory() ? 'EISDIR' : undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code; // node:fs throws no other errors
  }
}

/** Reads a file without the line end that editors add to it; an unreadable one is empty. */
function readBytes(path: string): Buffer {
  try {
    const bytes = readFileSync(path);
    const [end = ''] = /\r?\n$/.exec(bytes.toString('latin1')) ?? [];
    return bytes.subarray(0, bytes.length - end.length);
  } catch {
    return Buffer.alloc(0);
  }
}

/** Whether the name and the password of a URL can be decoded. */
function isEncoded({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
