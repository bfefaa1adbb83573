import type { UserError } from '../../domain/records.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Envelope } from './envelope.ts';
import type { InputPaths } from '../operation.ts';
import { normalize } from '../../runtime/normalize.ts';

const maxMessageLength = 300;
const maxSearchedLength = 2_000;
const defaultMessage = 'The payments service refused this without giving a reason.';
const duplicateMessage = 'A record with one of these values already exists.';
/** Patterns of messages of databases, stacks and drivers, which are never shown to a client. */
const programText =
  /\bSQL|\b(?:ORA|PLS)-\d|\bduplicate (?:entry|key)\b|\bconstraint\b|\b(?:insert into|delete from|update \S+ set)\b|\b\w+(?:exception|error):|\bat [^\s(]+ ?\(\S+:\d/i;

/** Statuses that leave a write open: a sentence about duplicates is advice there, and no refusal. */
const adviceStatuses: ReadonlySet<number> = new Set([408, 502, 503, 504]);
/** Words by which a sentence refuses nothing: the write may still be carried out. */
const pending =
  /\btim(?:e|ed)[ -]?outs?\b|\b(?:being processed|(?:is|are|['’]re|already|still|currently) processing|in[ -]progress|request is outstanding|requery)\b/i;
/** A whole sentence that refuses nothing. Beside other words, what is pending may be the reason of a refusal. */
const pendingAlone =
  /^\W*(?:(?:your |the )?(?:request|transaction) (?:is |has been )?)?(?:pending|queued|processing)(?: (?:your|the) (?:request|transaction))?\W*$/i;
/** Words by which the sentence of a 5xx is no refusal: advice or a search, a write that was done, another failure. */
const doubts = [
  pending,
  /\b(?:retr(?:y|ies|ied|ying)|try again|check\w*|verif\w*|detect\w*|whether|may|might|avoid|before)\b/i,
  /\b(?:created|saved|opened|stored|sent|dropped|original|completed)\b/i,
  /\b(?:pending|queued?)\b/i,
  /\b(?:failed|unreachable|unavailable|prevention|lookup|lock|index|connection|eaddrinuse)\b/i,
];
const databaseTexts = ['duplicate entry', 'duplicate key'];

/** The service's refusal of a write. */
export interface Refusal {
  readonly status: number;
  readonly body: unknown;
  /** Texts that must not come back to the client inside a message: the input's values and the credentials. */
  readonly secrets: readonly string[];
}

/** Compiles how refusals become userErrors, and how duplicates are recognised, also where they are reported as 500. */
export function createUserErrorReader(contract: Contract, envelope: Envelope) {
  const duplicateStatuses = new Set(contract['errors.duplicateStatuses']);
  const duplicateCodes = new Set(contract['errors.duplicateCodes']);
  const duplicateTexts = contract['errors.duplicateTexts'].map((text) => text.toLowerCase());
  /** At a 5xx only phrases and the first word show a duplicate: a single word further on may belong to anything. */
  const words = duplicateTexts.filter((text) => !text.includes(' '));
  const databases = words.includes('duplicate') ? databaseTexts : [];
  const phrases = [...duplicateTexts.filter((text) => text.includes(' ')), ...databases];

  const mentionsDuplicate = (text: string, { status, secrets }: Refusal): boolean => {
    if (adviceStatuses.has(status)) return false;
    const isOpen = status >= 500;
    const sentence = (isOpen ? withoutValues(text.slice(0, maxSearchedLength), secrets) : text).toLowerCase();
    if (isOpen && doubts.some((doubt) => doubt.test(sentence))) return false;
    if (!isOpen) return duplicateTexts.some((duplicate) => sentence.includes(duplicate));
    const start = sentence.replace(/^[^\p{L}\p{N}]+/u, '');
    return words.some((word) => start.startsWith(`${word} `)) || phrases.some((phrase) => sentence.includes(phrase));
  };

  const isDuplicateBySign = (status: number, body: unknown): boolean =>
    duplicateStatuses.has(status) || envelope.codeTexts(body).some((code) => duplicateCodes.has(code));

  const isDuplicate = (refusal: Refusal): boolean =>
    isDuplicateBySign(refusal.status, refusal.body) ||
    mentionsDuplicate(envelope.errorMessage(refusal.body) ?? '', refusal) ||
    envelope.fieldErrors(refusal.body).some(([, message]) => mentionsDuplicate(message, refusal));

  /** Whether the one sentence of a refusal says that the write is not over, and nothing of a duplicate. */
  const isPending = (refusal: Refusal): boolean => {
    const { body, secrets } = refusal;
    const sentence = withoutValues((envelope.errorMessage(body) ?? '').slice(0, maxSearchedLength), secrets);
    const isTaken = mentionsDuplicate(sentence, refusal);
    const isOpen = pending.test(sentence) || pendingAlone.test(sentence);
    return isOpen && !isTaken && envelope.fieldErrors(body).length === 0;
  };

  const read = (refusal: Refusal, inputPaths: InputPaths): readonly UserError[] => {
    const { status, body, secrets } = refusal;
    const duplicate = isDuplicate(refusal);
    const fieldErrors = envelope.fieldErrors(body);
    const toMessage = (text: string, isTaken: boolean): string => {
      // Cut before it is searched, which bounds the time of the search.
      const sentence = text.slice(0, maxSearchedLength);
      if (status < 500 && !programText.test(sentence)) return redact(sentence, secrets);
      return isTaken ? duplicateMessage : defaultMessage;
    };
    const sentence = (envelope.errorMessage(body) ?? '').slice(0, maxSearchedLength);
    if (fieldErrors.length === 0) {
      const message = toMessage(sentence, duplicate);
      return [{ code: duplicate ? 'ALREADY_EXISTS' : 'REJECTED', field: null, message }];
    }
    return fieldErrors.map(([wireName, reason]) => {
      // An entry may name its field only.
      const text = reason === '' ? sentence : reason;
      const isTaken = isDuplicateBySign(status, body) || mentionsDuplicate(text, refusal);
      const message = toMessage(text, isTaken);
      const code = isTaken ? 'ALREADY_EXISTS' : wireName === '' ? 'REJECTED' : 'INVALID';
      return { code, field: inputPaths.get(wireName.toLowerCase()) ?? null, message };
    });
  };
  return { isDuplicate, isPending, read };
}

/**
 * The service's sentence without the input's values, credentials, long numbers, and e-mail, web and host addresses; at
 * most 300 characters.
 */
function redact(text: string, secrets: readonly string[]): string {
  const clean = withoutValues(normalize(text, 'NFKC').slice(0, maxSearchedLength), secrets)
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
