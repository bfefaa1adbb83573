import type { UserError } from '../../domain/records.ts';
import type { Contract } from '../../contract/contract.ts';
import { normalize } from '../../runtime/normalize.ts';
import { createEnvelope } from './envelope.ts';
import { isRecord } from './field-decoders.ts';
import { compilePointers } from './json-pointer.ts';
import type { InputPaths } from '../operation.ts';

const maxFieldErrors = 50;
const maxMessageLength = 300;
/** A sentence is cut before it is searched, which bounds the time of the search. */
const maxSearchedLength = 2_000;
const defaultMessage = 'The payments service refused this without giving a reason.';

/** Without a name where no field is named, without a message where the sentence of the refusal is all there is. */
type FieldError = readonly [wireName?: string, message?: string];

/** The service's refusal of a write. */
export interface Refusal {
  readonly body: unknown;
  readonly isDuplicate: boolean;
  /** Texts that must not come back to the client inside a message: the input's values and the credentials. */
  readonly secrets: readonly string[];
}

/** Compiles how a refusal becomes userErrors: one for each field that it names, else one of its sentence. */
export function createUserErrorReader(contract: Contract) {
  const { errorMessage } = createEnvelope(contract);
  const readFieldErrors = createFieldErrorReader(contract);
  const sentenceFields = new Set(contract['errors.sentenceFields']);
  const fieldIn = (text: string): string => {
    const [start = ''] = /^[\w.[\]-]+/.exec(text) ?? [];
    return sentenceFields.has(lastName(start)) ? lastName(start) : '';
  };
  const duplicateTexts = contract['errors.duplicateTexts'].map((text) => text.toLowerCase());

  return ({ body, isDuplicate, secrets }: Refusal, inputPaths: InputPaths): readonly UserError[] => {
    const isTaken = (text: string): boolean =>
      isDuplicate || duplicateTexts.some((duplicate) => text.toLowerCase().includes(duplicate));
    const sentence = errorMessage(body) ?? '';
    const entries = readFieldErrors(body);
    return (entries.length === 0 ? [[] as const] : entries).map(([name = '', reason = '']: FieldError) => {
      // An entry may name its field only.
      const text = reason === '' ? sentence : reason;
      const wireName = name === '' ? fieldIn(text) : name;
      const code = isTaken(text) ? 'ALREADY_EXISTS' : wireName === '' ? 'REJECTED' : 'INVALID';
      return { code, field: findField(inputPaths, wireName), message: cleanMessage(text, secrets) };
    });
  };
}

/** The input field of a wire name; a service may write the names of its errors in another case than those of its inputs. */
function findField(inputPaths: InputPaths, wireName: string): readonly string[] | null {
  const own = inputPaths.get(wireName.toLowerCase());
  const toBare = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');
  const [alike, ...others] = [...inputPaths].filter(([name]) => toBare(name) === toBare(wireName));
  return own ?? (others.length === 0 ? (alike?.[1] ?? null) : null);
}

/** Compiles the reader of each faulty field's wire name, empty where none is named, with the first sentence about it. */
function createFieldErrorReader(contract: Contract): (body: unknown) => readonly FieldError[] {
  const fields = compilePointers(contract['errors.fields']);
  const entryField = compilePointers(contract['errors.entryField']);
  const entryMessage = compilePointers(contract['errors.entryMessage']);
  const message = compilePointers(contract['errors.message']);
  const noField = new Set(contract['errors.noField']);
  const toName = (path: string): string => (noField.has(lastName(path)) ? '' : lastName(path));

  /** An entry of a list of errors: an object that names its field, perhaps by a pointer, or a sentence alone. */
  const toFieldError = (entry: unknown): FieldError => {
    const place = entryField.read(entry);
    // A path in parts: `[body, 0, email]`.
    const name: unknown = Array.isArray(place) ? place.findLast((part) => typeof part === 'string') : place;
    return [
      typeof name === 'string' ? toName(name) : '',
      typeof entry === 'string' ? entry : firstText(entryMessage.read(entry)),
    ];
  };

  return (body) => {
    const entries = fields.read(body);
    if (Array.isArray(entries)) return entries.slice(0, maxFieldErrors).map(toFieldError);
    if (!isRecord(entries)) return [];
    const single = toFieldError(entries);
    if (!single.includes('')) return [single];
    // The members of the error itself, such as its type and code, are no fields.
    if (typeof message.read(body) === 'string' && message.holders(body).at(-1) === entries) return [];
    return Object.keys(entries)
      .slice(0, maxFieldErrors)
      .map((name) => [toName(name), firstText(entries[name])]);
  };
}

/** The last name of a path to a field: `dob` of `customer[dob]`, `$.customer.dob`, `/customer/dob` and `/…/dob/data`. */
export function lastName(path: string): string {
  const parts = path.split(/[/.[\]]+/).filter((part) => part !== '');
  return parts.findLast((part) => part !== 'data') ?? '';
}

function firstText(sentences: unknown): string {
  const first: unknown = Array.isArray(sentences) ? sentences[0] : sentences;
  return typeof first === 'string' ? first : '';
}

/**
 * The service's sentence without the input's values, credentials, long numbers, and e-mail, web and host addresses; at
 * most 300 characters.
 */
function cleanMessage(sentence: string, secrets: readonly string[]): string {
  const searched = sentence.slice(0, maxSearchedLength);
  const clean = withoutValues(normalize(searched, 'NFKC').slice(0, maxSearchedLength), secrets)
    .replaceAll(/[a-z][a-z0-9+.-]{0,30}:\/\/\S+|\bwww\.\S+/giu, '…')
    .replaceAll(/[^\s@…]{1,64}(?:@|%40)[^\s@]{1,255}/giu, '…')
    .replaceAll(/\d(?:[ -]?\d){5,}|\d(?:[^\p{L}\d…]{1,3}\d|\d){8,}/gu, '…')
    .replaceAll(/\b(?:\d{1,3}\.){3}\d{1,3}\b|\b[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,8}:\d{2,5}\b/giu, '…')
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  return clean === '' ? defaultMessage : clean.slice(0, maxMessageLength).toWellFormed();
}

function withoutValues(text: string, values: readonly string[]): string {
  // NFKC makes one unit of five at most: of an alpha of mathematics, which has two, and three accents. No form of a longer
  // value stands in the text, and to write such forms for each sentence takes long.
  const spellings = values
    .filter(({ length }) => length <= 5 * text.length)
    .flatMap((value) => [value, normalize(value, 'NFKC'), encodeURIComponent(value.toWellFormed())]);
  return spellings.toSorted((a, b) => b.length - a.length).reduce(replaceValue, text);
}

/**
 * Replaces a value without regard to case. One or two letters occur inside many words, so a value that short is replaced
 * only as a whole word.
 */
function replaceValue(text: string, secret: string): string {
  if (secret === '' || secret.length > text.length) return text;
  const literal = secret.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
  const pattern = secret.length > 2 ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`;
  return text.replaceAll(new RegExp(pattern, 'giu'), '…');
}
