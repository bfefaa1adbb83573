import { isRecord } from '../../upstream/decoding/field-decoders.ts';

export type Json = Readonly<Record<string, unknown>>;

/** An API as a vendor's file describes it, in one shape for OpenAPI and Postman. */
export interface ApiDescription {
  readonly format: 'OpenAPI' | 'Postman';
  /** The host of the document as a whole, as operations have it; undefined where the file names none. */
  readonly host: string | undefined;
  readonly operations: readonly ApiOperation[];
}

export interface ApiOperation {
  /** The JSON pointer of the operation in the file. */
  readonly place: string;
  /** The operation's names and titles. */
  readonly names: readonly string[];
  /** In upper case. */
  readonly method: string;
  /** From the server's root, each parameter as `{name}`. Without the server's path where the file leaves that open. */
  readonly path: string;
  /** Origin of its server, or the variable that stands for it; empty where the file names none. */
  readonly host: string;
  /** Paths of the servers that it may have, the one in `path` first; none where the file leaves them open. */
  readonly bases: readonly string[];
  /** Headers that carry credentials, as they are spelt. */
  readonly credentialHeaders: readonly string[];
  /** Headers that carry an idempotency key, as they are spelt. */
  readonly keyHeaders: readonly string[];
  readonly query: readonly ApiParameter[];
  readonly body: ApiBody | undefined;
  readonly answers: readonly ApiAnswer[];
  /** The statuses of all its answers, those without a body included. */
  readonly statuses: readonly number[];
}

export interface ApiParameter {
  readonly name: string;
  readonly isRequired?: boolean;
  /** Its least value, its default or its sample is 0. */
  readonly isFromZero?: boolean;
  readonly greatest?: number | undefined;
}

/** A request body: a sample, and by JSON pointers into it what a schema says besides. */
export interface ApiBody {
  readonly sample: unknown;
  readonly required: readonly string[];
  /** Members for which the schema allows one value only, with that value. */
  readonly constants: Readonly<Record<string, unknown>>;
  /** Without its parameters; undefined where the file does not say. */
  readonly mediaType: string | undefined;
}

export interface ApiAnswer {
  readonly status: number;
  /** The status by the answer's name, such as 404 for "Customer not found"; else `status`. */
  readonly meaning: number;
  /** A sample, or one made of a schema by the types of its fields. */
  readonly body: unknown;
  /** Bodies of nothing but the values that its schema allows by `enum` or `const`. One function for each schema. */
  readonly choices?: () => readonly unknown[];
}

/** Records what was not understood, by its place in the file. Equal notes are kept once. */
export type Note = (place: string, why: string) => void;

/** The status at the start, where a word of failure or the end of a phrase shows that it counts nothing: 500 transfers. */
const statedStatus =
  /^(?=.*(?:error|failure|http|gateway|unavailable|too many)|(?:status )?\d+(?: *$|:| +[–-] ))(?:error|failure|http|status)?[ :_-]*([45]\d\d)\b/i;
const duplicateName = /duplicate|conflict|already|taken/i;
const meanings: readonly (readonly [RegExp, number])[] = [
  [/not[ _-]?found|unknown|no such|does(?:n't| not) exist/i, 404],
  [/unauthori[sz]ed|unauthenticated|(?:invalid|wrong|missing|bad) (?:token|key|credential|api)/i, 401],
  [/forbidden|denied|not allowed/i, 403],
  [duplicateName, 409],
  [/invalid|validation|unprocessable|required|missing/i, 422],
  [/bad request/i, 400],
];

/**
 * The HTTP status that a sample means: one of success with the name of a failure means that failure, and one of any
 * refusal with the name of a duplicate means a duplicate.
 */
export function meaningOf(status: number, name: string): number {
  const isRefusal = status === 400 || status === 402 || status === 422;
  if (isRefusal && duplicateName.test(name)) return 409;
  if (status < 200 || status >= 300) return status;
  const [, stated] = statedStatus.exec(name) ?? [];
  if (stated !== undefined) return meaningOf(Number(stated), name);
  return meanings.find(([words]) => words.test(name))?.[1] ?? status;
}

/** Longer texts are not read as names or addresses: matching them takes time by the square of their length. */
export const maxNameLength = 500;

const headerName = /^[!#$%&'*+.^_`|~\w-]{1,100}$/;

/** Whether a header carries the key of a write: `Idempotency-Key`, `X-Idempotent-Key`. */
export function isKeyHeader(name: string): boolean {
  return headerName.test(name) && /idempoten/i.test(name);
}

/** Whether a header other than Authorization looks as if it carried a credential. */
export function isCredentialHeader(name: string): boolean {
  return headerName.test(name) && /auth|key|token|secret/i.test(name) && !/idempoten|csrf/i.test(name);
}

/** Whether a header is neither a credential nor one of those that every request or an idempotency key brings. */
export function isOtherHeader(name: string): boolean {
  const usual =
    /^(?:content-(?:type|length)|accept(?:-\w+)?|user-agent|host|connection|cache-control|postman-token|x-request-id)$/i;
  return !isCredentialHeader(name) && !usual.test(name) && !/^authorization$|idempoten/i.test(name);
}

/** Stands for a variable without quotes around it: a value of any type. */
export const openText = '{{}}';

/**
 * Text of a file as one line: a line break in a name must not end the comment that it is written in, and no invisible
 * character may change how the line reads.
 */
export function toLine(text: string): string {
  return text.slice(0, 500).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ');
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function membersOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}
