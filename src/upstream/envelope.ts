import type { Contract } from './contract.ts';
import { isRecord } from './decode.ts';
import { numberText } from './json.ts';
import { compilePointers } from './pointer.ts';

const successWords = new Set(['success', 'successful', 'ok', 'true']);
const failureWords = new Set(['error', 'fail', 'failed', 'failure', 'false']);

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
    if (dataKeys.some((key) => Object.hasOwn(body, key))) return true;
    const flag = success.read(body);
    if (typeof flag !== 'string') return typeof flag === 'boolean';
    const word = flag.toLowerCase();
    return (successWords.has(word) || failureWords.has(word)) && !Object.hasOwn(body, 'id');
  };

  const hasSucceeded = (body: unknown): boolean => {
    const flag = success.read(body);
    if (successValues.size > 0) return successValues.has(scalarText(flag));
    if (!isWrapped(body)) return true;
    return flag !== false && !(typeof flag === 'string' && failureWords.has(flag.toLowerCase()));
  };

  const errorMessage = (body: unknown): string | undefined => {
    const text = message.read(body);
    return typeof text === 'string' ? text : undefined;
  };

  /** The status that a failure inside HTTP 200 carries in its body. */
  const bodyStatus = (body: unknown): number | undefined => {
    const text = scalarText(code.read(body));
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

  return {
    hasSucceeded,
    /**
     * Whether a failure is none for certain: the service tells success by codes of its own, and this body has one that
     * nobody has mapped, or none, and names no faulty field. It may mean that the request is being processed.
     */
    isUnclear: (body: unknown): boolean =>
      successValues.size > 0 && bodyStatus(body) === undefined && fieldErrors(body).length === 0,
    /** The record of a success, bare or wrapped; undefined where a wrapper holds none. */
    record: (body: unknown): unknown => (isWrapped(body) ? data.read(body) : body),
    /** The JSON pointer at which `record` found it. */
    recordPath: (body: unknown): string => (isWrapped(body) ? data.locate(body) : ''),
    /** Whether a body is an error that the service itself wrote, not some proxy's page. */
    isReadableError: (body: unknown): boolean =>
      isRecord(body) && (errorMessage(body) !== undefined || !hasSucceeded(body)),
    errorMessage,
    bodyStatus,
    fieldErrors,
  };
}

/** A code as text, whatever it is written as; empty for what is no code. */
function scalarText(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  return numberText(value) ?? '';
}

function firstText(said: unknown): string {
  const first: unknown = Array.isArray(said) ? said[0] : said;
  return typeof first === 'string' ? first : '';
}
