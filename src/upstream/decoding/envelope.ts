import { toPointer } from '../../contract/addressing.ts';
import type { Contract } from '../../contract/contract.ts';
import { isRecord } from './field-decoders.ts';
import { numberText, textOrNumber } from './exact-json.ts';
import { compileEach, compilePointers } from './json-pointer.ts';

/** Names of flags that can only be a yes or a no, unlike a `status`, which may be the record's own. */
export const yesOrNo = /(?:success|successful|ok)$/i;

const successWords = new Set(['success', 'successful', 'ok', 'true', '1']);
const failureWords = new Set(['error', 'fail', 'failed', 'failure', 'unsuccessful', 'false', '0']);

/** Texts that mean no error where an error may stand. */
const noErrorTexts = new Set('false,0,00,-,none,null,nil,n/a,no,no error,no errors,ok,success'.split(','));

/** A value nested deeper than this counts as not empty. */
const maxEmptyDepth = 4;

const maxFieldErrors = 50;

type FieldError = readonly [wireName: string, message: string];

/** The verdict of a body on itself: success, failure, or nothing certain. */
type Verdict = 'success' | 'failure' | 'unclear';

export type Envelope = ReturnType<typeof createEnvelope>;

/** Compiles the reader of the envelope around the service's records: flag of success, data, and details of a failure. */
export function createEnvelope(contract: Contract) {
  const reader = createBodyReader(contract);
  const { success, data, message, hasData, isWrapped, errorMessage, mappedStatus } = reader;
  const verdict = createVerdict(contract, reader);
  return {
    ...reader,
    /** The verdict of a 2xx body. */
    verdict,
    /** Whether the contract lists the values of success, so that a body without one of them is no success. */
    hasOwnValues: contract['envelope.successValues'].length > 0,
    /** The record of a success, bare or wrapped; undefined where a wrapper holds none. */
    record: (body: unknown): unknown => (isWrapped(body) ? data.read(body) : body),
    /** The JSON pointer of `record`. */
    recordPath: (body: unknown): string => (isWrapped(body) ? data.locate(body) : ''),
    /** Whether a body is an error that the service wrote, and not the page of a proxy. */
    isReadableError: (body: unknown): boolean =>
      isRecord(body) &&
      (errorMessage(body) !== undefined || mappedStatus(body) !== undefined || verdict(body) === 'failure'),
    /** Whether the flag may be the status of a bare record, as in `{"id": "c1", "status": false}`. */
    mayBeOwnStatus: (body: unknown): boolean =>
      isRecord(body) &&
      Object.hasOwn(body, 'id') &&
      !hasData(body) &&
      typeof success.read(body) === 'boolean' &&
      !yesOrNo.test(success.locate(body)) &&
      errorMessage(body) === undefined,
    /** The members beside flag and message, where the body has no wrapper; undefined where there are none. */
    flatRecord: (body: unknown): unknown => {
      if (!isRecord(body) || hasData(body)) return undefined;
      const ofEnvelope = new Set([success.locate(body), message.locate(body)]);
      const members = Object.entries(body).filter(([name]) => !ofEnvelope.has(toPointer(name)));
      return members.length === 0 ? undefined : Object.fromEntries(members);
    },
  };
}

type BodyReader = ReturnType<typeof createBodyReader>;

function createBodyReader(contract: Contract) {
  const success = compilePointers(contract['envelope.success']);
  const data = compilePointers(contract['envelope.data']);
  const dataKeys = contract['envelope.data'].map((pointer) => pointer.split('/')[1] ?? '');
  const message = compilePointers(contract['errors.message']);
  const readAnswers = compileEach(contract['envelope.success'].filter((pointer) => yesOrNo.test(pointer)));
  const readCodes = compileEach(contract['envelope.code']);
  const statuses = new Map(Object.entries(contract['errors.statuses']));

  /** The codes of a body, as texts: it may have one at each pointer of the row. */
  const codeTexts = (body: unknown): readonly string[] =>
    readCodes(body)
      .map(scalarText)
      .filter((text) => text !== '');

  const hasData = (body: object): boolean => dataKeys.some((key) => Object.hasOwn(body, key));

  /** A bare record may have a `status` of its own, so only words of success and failure count, beside no `id`. */
  const isWrapped = (body: unknown): boolean => {
    if (!isRecord(body)) return false;
    const flag = success.read(body);
    if (typeof flag === 'boolean' || hasData(body)) return true;
    return (isSuccessFlag(flag) || isFailureFlag(flag)) && !Object.hasOwn(body, 'id');
  };

  return {
    success,
    data,
    message,
    /** The flags at all pointers of the row. */
    readFlags: compileEach(contract['envelope.success']),
    /** Whether the value in place of a record is a failure by a flag of its own: `success: false`. */
    deniesItself: (record: unknown): boolean => readAnswers(record).some(isFailureFlag),
    hasData,
    isWrapped,
    /** Whether a body is a record that names itself, without a wrapper: its members are its own. */
    isBareRecord: (body: unknown): boolean => isRecord(body) && Object.hasOwn(body, 'id') && !isWrapped(body),
    codeTexts,
    /** The HTTP status that `errors.statuses` gives to a code of the body. */
    mappedStatus: (body: unknown): number | undefined =>
      codeTexts(body)
        .map((text) => statuses.get(text))
        .find((status) => status !== undefined),
    /**
     * The HTTP status from 400 to 599 that a failure inside HTTP 200 carries in its body: in one of its first `count` codes
     * that is none of `others`.
     */
    bodyStatus: (body: unknown, others: readonly string[] = [], count = Infinity): number | undefined => {
      const texts = codeTexts(body);
      // Most answers have none.
      if (texts.length === 0) return undefined;
      const codes = texts.slice(0, count).filter((text) => !others.includes(text));
      return chooseStatus(codes.map((text) => statuses.get(text) ?? Number(text)));
    },
    errorMessage: (body: unknown): string | undefined => {
      const text = message.read(body);
      return typeof text === 'string' ? text : undefined;
    },
    fieldErrors: createFieldErrorReader(contract),
    ...createFailureSigns(contract),
  };
}

/** Compiles the verdict of a 2xx body: it is no success with a sign of failure, whatever else it says. */
function createVerdict(contract: Contract, reader: BodyReader): (body: unknown) => Verdict {
  const { success, data, readFlags, isWrapped, isBareRecord, bodyStatus, fieldErrors } = reader;
  const { isFailed, namesError, hasErrors, deniesItself } = reader;
  const successTexts = contract['envelope.successValues'].map(String);
  const successValues = new Set(successTexts);

  /** Whether a flag of success is negative, or a failure named, beside what the first flag says. 0 may mean no error. */
  const contradicts = (body: unknown): boolean =>
    namesError(body) || readFlags(body).some((flag) => scalarText(flag) !== '0' && isFailureFlag(flag));

  /** The verdict by the success values of the contract. A code that the contract does not map may mean "in progress". */
  const verdictByValues = (body: unknown): Verdict => {
    // All members of a bare record are its own, except its first flag and its first code.
    const isBare = isBareRecord(body);
    const flags = isBare ? [] : readFlags(body);
    const others = flags.filter((flag) => !successValues.has(scalarText(flag)));
    if (successValues.has(scalarText(success.read(body)))) {
      const hasCode = bodyStatus(body, successTexts, isBare ? 1 : Infinity) !== undefined;
      return hasCode || others.some(isFailureWord) || namesError(body) ? 'failure' : 'success';
    }
    return bodyStatus(body) !== undefined || fieldErrors(body).length > 0 ? 'failure' : 'unclear';
  };

  return (body) => {
    if (isFailed(body) || hasErrors(body)) return 'failure';
    if (successValues.size > 0) return verdictByValues(body);
    if (isBareRecord(body)) return 'success';
    if (!isWrapped(body)) return bodyStatus(body) !== undefined || namesError(body) ? 'failure' : 'success';
    const flag = success.read(body);
    if (isFailureFlag(flag)) return 'failure';
    const hasFailed = bodyStatus(body) !== undefined;
    const record = data.read(body);
    // A record that lies flat beside its flag may have a code and a status of its own.
    const isFlat = record === body;
    if (!isFlat && (hasFailed || contradicts(body) || deniesItself(record))) return 'failure';
    if (isSuccessFlag(flag)) return 'success';
    if (flag !== undefined) return 'unclear';
    if (hasFailed) return 'failure';
    return record === undefined ? 'unclear' : 'success';
  };
}

/** Compiles the readers of the signs of failure that stand beside a flag of success, or without one. */
function createFailureSigns(contract: Contract) {
  const failureKeys = compilePointers(contract['envelope.failureKeys']);
  const failure = compilePointers(contract['envelope.failure']);
  const errors = compilePointers(contract['errors.fields']);
  const message = compilePointers(contract['errors.message']);
  return {
    namesError: (body: unknown): boolean => namesFailure(failure.read(body)),
    /** Whether a body says that it is a failure, whatever else it says. */
    isFailed: (body: unknown): boolean => failure.read(body) === true || hasContent(failureKeys.read(body)),
    /** Whether there are entries of errors. The text of the message, which may be one of success, is none. */
    hasErrors: (body: unknown): boolean => {
      const entries = errors.read(body);
      const isMessage = typeof entries === 'string' && errors.locate(body) === message.locate(body);
      // The whole body of a refusal may be its errors; that of a success is none.
      return !isMessage && entries !== body && namesFailure(entries);
    },
  };
}

/** Compiles the reader of each faulty field's wire name, empty where none is named, with the first sentence about it. */
function createFieldErrorReader(contract: Contract): (body: unknown) => readonly FieldError[] {
  const fields = compilePointers(contract['errors.fields']);
  const entryField = compilePointers(contract['errors.entryField']);
  const entryMessage = compilePointers(contract['errors.entryMessage']);
  const message = compilePointers(contract['errors.message']);

  /** An entry of a list of errors: an object that names its field, perhaps by a pointer, or a sentence alone. */
  const toFieldError = (entry: unknown): FieldError => {
    const name = entryField.read(entry);
    return [
      typeof name === 'string' ? lastName(name) : '',
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
    if (typeof message.read(body) === 'string' && message.holder(body) === entries) return [];
    return Object.keys(entries)
      .slice(0, maxFieldErrors)
      .map((name) => [lastName(name), firstText(entries[name])]);
  };
}

/** The last name of a path to a field: `dob` of `customer[dob]`, `$.customer.dob` and `/customer/dob`. */
export function lastName(path: string): string {
  return path.split(/[/.[\]]+/).findLast((part) => part !== '') ?? '';
}

/** Whether a flag means success: `true`, a word of success, or a 2xx status, but not that of several answers (207). */
export function isSuccessFlag(flag: unknown): boolean {
  if (typeof flag === 'boolean') return flag;
  const text = scalarText(flag).trim().toLowerCase();
  return successWords.has(text) || /^20[0-6]$/.test(text);
}

/** Whether a flag means failure: `false`, a word of failure, or a 4xx or 5xx status. */
export function isFailureFlag(flag: unknown): boolean {
  if (typeof flag === 'boolean') return !flag;
  const text = scalarText(flag).trim().toLowerCase();
  return failureWords.has(text) || /^[45]\d\d$/.test(text);
}

/** Whether a flag means failure, by another sign than a number: where the contract lists values, numbers are codes. */
export function isFailureWord(flag: unknown): boolean {
  return isFailureFlag(flag) && (flag === false || /[a-z]/i.test(scalarText(flag)));
}

/** The status from 400 to 599 that decides: the first that leaves the outcome open, else the first of all. */
export function chooseStatus(statuses: readonly number[]): number | undefined {
  const failures = statuses.filter((status) => Number.isInteger(status) && status >= 400 && status <= 599);
  return failures.find(isOpenStatus) ?? failures[0];
}

/** Whether a status leaves open whether a write was done: a time-out (408) or a failure of the service (5xx). */
export function isOpenStatus(status: number): boolean {
  return status === 408 || status >= 500;
}

/** A text, number or boolean as text; empty for any other value. */
export function scalarText(value: unknown): string {
  return typeof value === 'boolean' ? String(value) : (textOrNumber(value) ?? '');
}

/** Whether a value is not empty. Empty are null, false, 0 and "", and objects and lists that hold nothing else. */
export function hasContent(value: unknown, depth = maxEmptyDepth): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === '') return false;
  // An ExactNumber is an object whose only key is a symbol.
  if (typeof value !== 'object' || depth === 0 || numberText(value) !== undefined) return true;
  return Object.values(value).some((member) => hasContent(member, depth - 1));
}

/** Whether a value where an error may stand is one: it is not empty, and is no word such as `none`. */
function namesFailure(value: unknown): boolean {
  return hasContent(value) && !noErrorTexts.has(scalarText(value).trim().toLowerCase());
}

function firstText(sentences: unknown): string {
  const first: unknown = Array.isArray(sentences) ? sentences[0] : sentences;
  return typeof first === 'string' ? first : '';
}
