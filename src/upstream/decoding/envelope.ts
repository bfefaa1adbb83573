import type { Contract } from '../../contract/contract.ts';
import { isRecord } from './field-decoders.ts';
import { textOrNumber } from './exact-json.ts';
import { compilePointers } from './json-pointer.ts';

const successWords = new Set(['success', 'successful', 'ok', 'true', '1']);
const failureWords = new Set(['error', 'fail', 'failed', 'failure', 'false', '0']);

/** What a body says of itself: that it worked, that it did not, or nothing that is certain. */
export type Verdict = 'success' | 'failure' | 'unclear';

export type Envelope = ReturnType<typeof createEnvelope>;

/** Reads what the service wraps around its records: success, data, and what it says of a failure. */
export function createEnvelope(contract: Contract) {
  const success = compilePointers(contract['envelope.success']);
  const data = compilePointers(contract['envelope.data']);
  const dataKeys = contract['envelope.data'].map((pointer) => pointer.split('/')[1] ?? '');
  const successValues = new Set(contract['envelope.successValues'].map(String));
  const code = compilePointers(contract['envelope.code']);
  const statuses = contract['errors.statuses'];
  const message = compilePointers(contract['errors.message']);
  const fields = compilePointers(contract['errors.fields']);

  /** A bare record may have a `status` of its own, so only words of success and failure count, beside no `id`. */
  const isWrapped = (body: unknown): boolean => {
    if (!isRecord(body)) return false;
    const flag = success.read(body);
    if (typeof flag === 'boolean' || dataKeys.some((key) => Object.hasOwn(body, key))) return true;
    return (isSuccess(flag) || isFailure(flag)) && !Object.hasOwn(body, 'id');
  };

  const errorMessage = (body: unknown): string | undefined => {
    const text = message.read(body);
    return typeof text === 'string' ? text : undefined;
  };

  /** The status that a failure inside HTTP 200 carries in its body. */
  const bodyStatus = (body: unknown): number | undefined => {
    const found = code.read(body);
    if (found === undefined) return undefined;
    const text = scalarText(found);
    const status = Object.hasOwn(statuses, text) ? statuses[text] : Number(text);
    return status !== undefined && Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined;
  };

  /** The first sentence on each wire name that the service found fault with. */
  const fieldErrors = (body: unknown): readonly (readonly [wireName: string, message: string])[] => {
    const found = fields.read(body);
    if (!isRecord(found)) return [];
    return Object.entries(found)
      .slice(0, 50)
      .map(([name, said]) => [name, firstText(said)] as const);
  };

  /** What a service says by values of its own. A code that nobody has mapped may mean "being processed". */
  const verdictByValues = (body: unknown): Verdict => {
    if (successValues.has(scalarText(success.read(body)))) return 'success';
    return bodyStatus(body) === undefined && fieldErrors(body).length === 0 ? 'unclear' : 'failure';
  };

  const verdict = (body: unknown): Verdict => {
    if (successValues.size > 0) return verdictByValues(body);
    const flag = success.read(body);
    if (!isWrapped(body)) return isFailure(flag) && errorMessage(body) !== undefined ? 'unclear' : 'success';
    if (isFailure(flag)) return 'failure';
    const hasFailed = bodyStatus(body) !== undefined;
    if (isSuccess(flag)) return hasFailed ? 'unclear' : 'success';
    if (flag !== undefined) return 'unclear';
    if (hasFailed) return 'failure';
    return data.read(body) === undefined ? 'unclear' : 'success';
  };

  return {
    /** What a 2xx body says of itself. */
    verdict,
    /** Whether the service tells success by certain values, so that a body without one is no answer. */
    hasOwnValues: successValues.size > 0,
    /** The record of a success, bare or wrapped; undefined where a wrapper holds none. */
    record: (body: unknown): unknown => (isWrapped(body) ? data.read(body) : body),
    /** The JSON pointer at which `record` found it. */
    recordPath: (body: unknown): string => (isWrapped(body) ? data.locate(body) : ''),
    /** Whether a body is an error that the service itself wrote, not some proxy's page. */
    isReadableError: (body: unknown): boolean =>
      isRecord(body) && (errorMessage(body) !== undefined || verdict(body) === 'failure'),
    isWrapped,
    errorMessage,
    bodyStatus,
    fieldErrors,
  };
}

/** A flag that says yes: `true`, a word of success, or an HTTP status of success. */
export function isSuccess(flag: unknown): boolean {
  if (typeof flag === 'boolean') return flag;
  const text = scalarText(flag).toLowerCase();
  return successWords.has(text) || /^2\d\d$/.test(text);
}

/** A flag that says no: `false`, a word of failure, or an HTTP status of failure. */
export function isFailure(flag: unknown): boolean {
  if (typeof flag === 'boolean') return !flag;
  const text = scalarText(flag).toLowerCase();
  return failureWords.has(text) || /^[45]\d\d$/.test(text);
}

/** A code as text, whatever it is written as; empty for what is no code. */
export function scalarText(value: unknown): string {
  return typeof value === 'boolean' ? String(value) : (textOrNumber(value) ?? '');
}

function firstText(said: unknown): string {
  const first: unknown = Array.isArray(said) ? said[0] : said;
  return typeof first === 'string' ? first : '';
}
