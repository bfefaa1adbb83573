import type { Contract, OperationName } from '../../contract/contract.ts';
import { recordKinds } from '../../contract/operation-rows.ts';
import { createEnvelope, scalarText } from './envelope.ts';
import { numberText } from './exact-json.ts';
import { booleans, type Decoder } from './field-decoders.ts';
import { compileEach, compilePointers } from './json-pointer.ts';

/** A value nested deeper than this counts as not empty. */
const maxEmptyDepth = 4;

/** Statuses with an error code of their own: UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, RATE_LIMITED. */
const statusesOfCodes = [401, 403, 404, 429] as const;

const conflict = 409;

/** The signs of an answer, from which the table of outcomes decides. Each comes from rows of the contract alone. */
export interface Signs {
  /**
   * `ok`: 2xx. `refused`: 400 to 451. `open`: every other status, one with the code of a time-out or of a failure of the
   * service in its body, and a 409 that tells of work in progress.
   */
  readonly http: 'ok' | 'refused' | 'open';
  /** Without a flag of success, the code of a refusal in a 2xx is one of failure. */
  readonly flag: 'yes' | 'no' | 'silent';
  /** An error, entries of errors, a flag that is neither yes nor no, or a code of failure. */
  readonly hasError: boolean;
  /** A code or status of a duplicate. */
  readonly isDuplicate: boolean;
  /** The HTTP status, as far as a code of the body does not refine it. */
  readonly status: number;
}

/** Compiles the reader of the signs of an answer; `body` is undefined where it is not strict JSON. */
export function createSignReader(contract: Contract): (httpStatus: number, body: unknown) => Signs {
  const { codeTexts } = createEnvelope(contract);
  const readFlag = createFlagReader(contract);
  const hasErrors = createErrorCheck(contract);
  const statuses = new Map(Object.entries(contract['errors.statuses']));
  const duplicateCodes = new Set(contract['errors.duplicateCodes']);
  const duplicateStatuses = new Set(contract['errors.duplicateStatuses']);
  const accepted = new Set(contract['writes.acceptedStatuses']);
  const tellsProgress = createTextCheck(contract['writes.progressTexts']);
  const stated = [...contract['errors.refusalStatuses'], ...duplicateStatuses, ...statuses.values()];
  const refusals = new Set([...statusesOfCodes, ...stated]);

  return (httpStatus, body) => {
    const codes = codeTexts(body);
    // A bare 403 may be said to mean an unknown record.
    const named = codes.length === 0 && isRefinable(httpStatus) ? [String(httpStatus)] : codes;
    const mapped = named.map((code) => statuses.get(code)).find((status) => status !== undefined);
    const numbers = codes.map(Number).filter((code) => Number.isInteger(code) && code >= 400 && code <= 599);
    const inBody = mapped ?? numbers.find(isOpen) ?? numbers[0];
    const flag = readFlag(body);
    const refined = isOk(httpStatus) ? inBody : isRefinable(httpStatus) ? mapped : undefined;
    const status = refined ?? httpStatus;
    const leavesOpen = inBody !== undefined && isOpen(inBody) && httpStatus !== 401;
    // Beside a flag that no row knows, a number may be anything.
    const isRefusal = inBody !== undefined && refusals.has(inBody) && (mapped !== undefined || flag !== 'other');
    const isDuplicate =
      mapped === conflict || codes.some((code) => duplicateCodes.has(code)) || duplicateStatuses.has(status);
    const isInProgress = status === conflict && !isDuplicate && tellsProgress(body);
    const isUncertain = isOpen(httpStatus) || leavesOpen || isInProgress;
    const isRefused = isOk(httpStatus) && isRefusal && !isUncertain;
    const isAccepted = flag === 'silent' && !isRefused && accepted.has(httpStatus);
    return {
      http: isUncertain ? 'open' : httpStatus >= 400 ? 'refused' : 'ok',
      flag: flag === 'yes' || isAccepted ? 'yes' : flag === 'no' || isRefused ? 'no' : 'silent',
      hasError: flag === 'other' || inBody !== undefined || hasErrors(body),
      isDuplicate,
      status,
    };
  };
}

/** Whether any text of a body has one of these, from the start of a word on; case and punctuation do not count. */
function createTextCheck(texts: readonly string[]): (body: unknown) => boolean {
  const toWords = (text: string): string =>
    ` ${text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()}`;
  const searched = texts.map(toWords);
  return (body) => {
    const words = toWords(JSON.stringify(body) ?? ''); // undefined where there is no JSON
    return searched.some((text) => words.includes(text));
  };
}

/** The flag of success by its two lists of values; `other` is a value of neither. */
export function createFlagReader(contract: Contract): (body: unknown) => Signs['flag'] | 'other' {
  const { read } = compilePointers(contract['envelope.success']);
  const textsOf = (row: 'envelope.successValues' | 'envelope.failureValues') =>
    new Set(contract[row].map((value) => String(value).toLowerCase()));
  const [successes, failures] = [textsOf('envelope.successValues'), textsOf('envelope.failureValues')];
  return (body) => {
    const value = read(body);
    if (value === undefined) return 'silent';
    const text = scalarText(value).toLowerCase();
    return successes.has(text) ? 'yes' : failures.has(text) ? 'no' : 'other';
  };
}

/** Whether there is content where errors stand. The message may be one of success: a text there is no error. */
function createErrorCheck(contract: Contract): (body: unknown) => boolean {
  const sentences = new Set(contract['errors.message']);
  const fields = contract['errors.fields'].filter((pointer) => pointer !== '');
  const readErrors = compileEach([
    ...contract['envelope.failure'],
    ...contract['envelope.failureKeys'],
    ...fields.filter((pointer) => !sentences.has(pointer)),
  ]);
  const readEntries = compileEach(fields.filter((pointer) => sentences.has(pointer)));
  return (body) =>
    readErrors(body).some((value) => hasContent(value)) ||
    readEntries(body).some((value) => typeof value === 'object' && hasContent(value));
}

/** Whether a value is not empty. Empty are null, false, 0 and "", and objects and lists that hold nothing else. */
export function hasContent(value: unknown, depth = maxEmptyDepth): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === '') return false;
  // An ExactNumber is an object whose only key is a symbol.
  if (typeof value !== 'object' || depth === 0 || numberText(value) !== undefined) return true;
  return Object.values(value).some((member) => hasContent(member, depth - 1));
}

/** Where the records of an operation say that they are deleted. */
export function deletionMarks(contract: Contract, operation: OperationName): readonly string[] {
  const marks: readonly string[] | undefined = contract[`${recordKinds[operation]}.deleted` as 'customer.deleted'];
  return marks ?? []; // balances and accounts have no such row
}

/** A decoder that gives null in place of a record that is marked as deleted. */
export function unlessDeleted<Value>(marks: readonly string[], decode: Decoder<Value>): Decoder<Value | null> {
  if (marks.length === 0) return decode;
  const read = compileEach(marks);
  const isDeleted = (source: unknown): boolean =>
    read(source).some((value) => hasContent(value) && booleans.get(value) !== false);
  return (source, location) => (isDeleted(source) ? null : decode(source, location));
}

/** Whether the answer shows in any way that the call failed. */
export function showsFailure({ http, flag, hasError, isDuplicate }: Signs): boolean {
  return http !== 'ok' || flag === 'no' || hasError || isDuplicate;
}

export function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Whether a status leaves open what happened: many services answer 303 after they have done it; 499 is of a proxy. */
function isOpen(status: number): boolean {
  return !isOk(status) && (status < 400 || status === 408 || status > 451);
}

/** Whether a code of the body may say more than the status. A refused credential and a rate limit are what they are. */
function isRefinable(status: number): boolean {
  return status >= 400 && status <= 451 && status !== 401 && status !== 429;
}
