/**
 * JSON without losing digits. A number of more than 15 significant digits would be rounded by a float, so it is kept
 * as its source text in an ExactNumber. Everything else is what JSON.parse returns, except a text with a lone surrogate,
 * which JSON can write and UTF-8 cannot: it becomes a value that no decoder accepts.
 */
interface ExactNumber {
  readonly [digits]: string;
}

const digits = Symbol('digits');
const brokenText = Symbol('broken text');
/** A number of fewer characters has no more than 15 digits. */
const longLength = 16;
const significant = /^-?0*(\d+)(?:\.(\d+))?/;
/** The escapes of both halves of a character, of one alone (captured), or of a backslash, behind which none begins. */
const escapes = /\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]|(u[dD][89a-fA-F])|\\)/g;

/** Throws SyntaxError, as JSON.parse does, on anything that is not one strict JSON value; a byte order mark is skipped. */
export function parseJson(body: Buffer): unknown {
  const text = body.toString().replace(/^\uFEFF/, '');
  return mayHoldLongNumber(body) || mayHoldLoneSurrogate(text) ? JSON.parse(text, keepExact) : JSON.parse(text);
}

/** Searches the body once, so that its texts need not be searched one by one. */
function mayHoldLoneSurrogate(text: string): boolean {
  return text.includes('\\u') && text.matchAll(escapes).some(([, lone]) => lone !== undefined);
}

/**
 * Whether digits and points follow each other for 16 bytes, and may be a number. Such a run crosses every sixteenth byte
 * and reaches eight bytes before or behind it, so only these bytes are read: a regular expression over the whole text
 * costs as much as parsing it. The search goes on behind a run: a text of many digits is read once.
 */
function mayHoldLongNumber(body: Buffer): boolean {
  for (let crossed = longLength - 1; crossed < body.length; crossed += longLength) {
    if (!isDigitOrPoint(body[crossed])) continue;
    if (!isDigitOrPoint(body[crossed - longLength / 2]) && !isDigitOrPoint(body[crossed + longLength / 2])) continue;
    let from = crossed;
    let to = crossed + 1;
    while (isDigitOrPoint(body[from - 1])) from -= 1;
    while (isDigitOrPoint(body[to])) to += 1;
    if (to - from >= longLength && beforeNumber.has(body[from - 1])) return true;
    crossed = to;
  }
  return false;
}

/**
 * Bytes that may stand before a number, those of a byte order mark among them. References of many digits are texts, and
 * begin behind a quote or a letter.
 */
const beforeNumber: ReadonlySet<number | undefined> = new Set([undefined, ...Buffer.from('\uFEFF:[,- \t\r\n')]);

function isDigitOrPoint(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || byte === 0x2e);
}

function keepExact(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value === 'string') return value.isWellFormed() ? value : brokenText;
  if (typeof value !== 'number' || context?.source === undefined) return value;
  const parts = significant.exec(context.source);
  const count = ((parts?.[1] ?? '') + (parts?.[2] ?? '')).replace(/^0+/, '').length;
  return count > 15 ? exactNumber(context.source) : value;
}

/** A number that writeJson writes with exactly these digits. */
export function exactNumber(text: string): ExactNumber {
  return { [digits]: text };
}

/** What JSON.stringify returns, with every digit of exact numbers. */
export function writeJson(value: object): string {
  const { rawJSON } = JSON as typeof JSON & { readonly rawJSON: (json: string) => unknown }; // TypeScript's library lacks it
  return JSON.stringify(value, (_key, member: unknown) => (isExactNumber(member) ? rawJSON(member[digits]) : member));
}

/** The text of a JSON number with every digit it was sent with, or undefined for anything that is not a number. */
export function numberText(value: unknown): string | undefined {
  if (typeof value !== 'number') return isExactNumber(value) ? withoutFractionExponent(value[digits]) : undefined;
  if (!Number.isFinite(value)) return undefined;
  const text = String(value);
  return text.includes('e-') ? withoutFractionExponent(text) : text;
}

/** JavaScript writes 0.0000001 as 1e-7, which no decoder of decimals accepts. */
function withoutFractionExponent(text: string): string {
  const [, sign, whole, fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?e-0*([1-9]\d{0,2})$/i.exec(text) ?? [];
  if (whole === undefined) return text;
  const places = Number(exponent);
  const padded = whole.padStart(places + 1, '0');
  return `${sign}${padded.slice(0, padded.length - places)}.${padded.slice(padded.length - places)}${fraction}`;
}

/** A text, or a number's text with every digit; undefined for anything else. */
export function textOrNumber(value: unknown): string | undefined {
  return typeof value === 'string' ? value : numberText(value);
}

function isExactNumber(value: unknown): value is ExactNumber {
  return typeof value === 'object' && value !== null && digits in value;
}
