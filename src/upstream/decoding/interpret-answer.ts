import { isUtf8 } from 'node:buffer';
import type { WriteResult } from '../../domain/records.ts';
import { GatewayError, type ErrorDetails } from '../../domain/errors.ts';
import type { Contract } from '../../contract/contract.ts';
import { rejection, type RequestCredentials } from '../credentials/credentials.ts';
import type { Answer } from '../wire/http-client.ts';
import { createEnvelope } from './envelope.ts';
import { parseJson } from './exact-json.ts';
import type { Operation, Read, RecordEvidence, UpstreamRequest, Write, WrittenRecord } from '../operation.ts';
import { createSuccessFlagReader } from './success-flag.ts';
import { createUserErrorReader } from './user-errors.ts';
import { createWriteJudge } from './write-evidence.ts';

/** A write as it was sent. */
interface SentWrite<Input, Value> {
  readonly operation: Write<Input, Value>;
  readonly input: Input;
  readonly credentials: RequestCredentials;
  /** Texts that must not come back to the client inside a message: the input's values and the credentials. */
  readonly secrets: readonly string[];
}

export type AnswerReader = ReturnType<typeof createAnswerReader>;

/** Interprets answers: of a read as its value or an error, of a write also as a refusal or an unknown outcome. */
export function createAnswerReader(contract: Contract) {
  const envelope = createEnvelope(contract);
  const userErrors = createUserErrorReader(contract, envelope);
  const judge = createWriteJudge(contract, envelope);
  const success = createSuccessFlagReader(contract, envelope);
  const refusalStatuses = new Set(contract['errors.refusalStatuses']);
  /** Whether a 4xx refuses a write, by its status or by a negative flag. */
  const isRefusal = (status: number, body: unknown): boolean =>
    refusalStatuses.has(status) || (!formStatuses.has(status) && success.flag(body) === 'negative');

  const read = <Input, Value>(
    operation: Read<Input, Value>,
    request: UpstreamRequest,
    answer: Answer,
    credentials: RequestCredentials,
  ): Value => {
    const body = parseBody(answer.body);
    const isReadable = isOk(answer.status) && body !== undefined;
    const verdict = isReadable ? envelope.verdict(body) : 'failure';
    // An unclear success may be decoded as one: the decoder refuses a body that holds no record.
    const isUnclearSuccess = verdict === 'unclear' && !envelope.hasOwnValues && !success.isDoubted(body);
    if (verdict === 'success' || isUnclearSuccess) return operation.decode(body, request.identifier, answer);
    // An answer that contradicts itself does not show that a record is absent, or that a credential is refused.
    const isContradicted = isReadable && success.flag(body) === 'positive';
    const status = isContradicted ? answer.status : success.refusalStatus(answer.status, body, answer.status);
    const details = detailsOf(operation, status);
    const common = commonError(operation, status, answer, credentials, request.isAhead);
    if (common !== undefined) throw common;
    if (status === 404 && operation.absent !== undefined && envelope.isReadableError(body)) return operation.absent;
    if (status === 408) throw new GatewayError('UPSTREAM_TIMEOUT', { ...details, retryable: true });
    if (status >= 500) throw new GatewayError('UPSTREAM_UNAVAILABLE', { ...details, retryable: true });
    throw invalidAnswer(operation, status, { row: isOk(status) && isReadable ? 'envelope.success' : undefined });
  };

  /** Interprets a 2xx: returns the record, or undefined if the body refuses the write. Throws OUTCOME_UNKNOWN. */
  const readSuccess = <Input, Value>(
    { operation, input, secrets }: SentWrite<Input, Value>,
    { status, body: bytes, mayBeCut = false }: Answer,
    body: unknown,
  ): WriteResult<Value> | undefined => {
    if (bytes.length === 0 && operation.emptySuccess && !mayBeCut) return { record: null, userErrors: [] };
    if (body === undefined) throw outcomeUnknown(operation, input, status);
    const record = operation.findRecord(body, input);
    const sent = textsOf(input);
    const isDuplicate = userErrors.isDuplicate({ status: success.status(body, sent) ?? status, body, secrets });
    const verdict = judge({ body, record, sent, isDuplicate });
    if (verdict === 'refused') return undefined;
    if (verdict === 'unknown') throw outcomeUnknown(operation, input, status, contradictionOf(record));
    const value = operation.decode(record);
    // A record that cannot be read, or is another one, does not undo the write: repeating it would do it twice.
    if (value instanceof GatewayError) throw outcomeUnknown(operation, input, status, value);
    return { record: value, userErrors: [] };
  };

  const write = <Input, Value>(sent: SentWrite<Input, Value>, answer: Answer): WriteResult<Value> => {
    const { operation, input, credentials, secrets } = sent;
    const body = parseBody(answer.body);
    // Many services answer 303 after they have done it.
    if (answer.status < 400 && !isOk(answer.status)) throw outcomeUnknown(operation, input, answer.status);
    const result = isOk(answer.status) ? readSuccess(sent, answer, body) : undefined;
    if (result !== undefined) return result;
    const texts = textsOf(input);
    const status = success.refusalStatus(answer.status, body, 400, texts);
    const refusal = { status, body, secrets };
    const isDuplicate = userErrors.isDuplicate(refusal);
    // A 2xx comes here only if it refuses; a code in its record may be a value that was sent.
    const isOpen = !isOk(answer.status) && !isDuplicate && success.leavesOpen(body, texts);
    if (status !== 401 && isOpen) throw outcomeUnknown(operation, input, answer.status);
    const common = commonError(operation, status, answer, credentials);
    if (common !== undefined) throw common;
    if (isEarly(answer.status) && userErrors.isPending(refusal)) throw outcomeUnknown(operation, input, answer.status);
    if (!isDuplicate) {
      if (status === 404) throw new GatewayError('NOT_FOUND', { ...detailsOf(operation, status), retryable: false });
      // 408, and what is no refusal by any standard, such as 499 of a proxy that gave up.
      if (status === 408 || status > 451) throw outcomeUnknown(operation, input, answer.status);
      if (!isOk(answer.status) && !isRefusal(status, body)) throw invalidAnswer(operation, status);
    }
    return { record: null, userErrors: userErrors.read(refusal, operation.inputPaths) };
  };

  return { read, write };
}

/** A record without an id of its own contradicts no row, as in `{"message": "Queued."}`. */
function contradictionOf({ hasOwnId, mismatch }: WrittenRecord): GatewayError | undefined {
  return hasOwnId ? mismatch : undefined;
}

/** Whether services also answer with this status while the write is still in progress. */
function isEarly(status: number): boolean {
  return isOk(status) || status === 409;
}

/** Statuses about the form of a request: the contract is wrong, or something between here and the service. */
const formStatuses: ReadonlySet<number> = new Set([405, 406, 407, 411, 415, 421, 426]);

/**
 * Returns what the record in a 2xx answer to a write proves; undefined for every other answer. A record with another
 * identifier than the write was addressed to proves nothing. If it shows what was sent beside a refusal, the outcome is
 * unknown all the same: the service may have found the right record by another identifier.
 */
export function evidenceOf<Input, Value>(
  { findRecord }: Write<Input, Value>,
  input: Input,
  { status, body: bytes }: Answer,
): RecordEvidence | undefined {
  if (!isOk(status)) return undefined;
  const body = parseBody(bytes);
  if (body === undefined) return 'absent';
  const record = findRecord(body, input);
  return contradictionOf(record) === undefined ? record.evidence : 'foreign';
}

/** The texts of a write's input: the identifiers it is addressed to, and the values sent. An empty one names nothing. */
export function textsOf(input: unknown): readonly string[] {
  const values = Object.values(input as object); // every write takes an object
  return values.filter((value): value is string => typeof value === 'string' && value !== '');
}

/** The statuses that mean the same for reads and writes; undefined for every other one. */
function commonError(
  operation: Operation,
  status: number,
  { retryAfterSeconds }: Answer,
  credentials: RequestCredentials,
  isAhead?: boolean,
): GatewayError | undefined {
  if (status === 401) return rejection(credentials, operation, isAhead);
  if (status === 403) return new GatewayError('FORBIDDEN', { ...detailsOf(operation, status), retryable: false });
  if (status !== 429) return undefined;
  return new GatewayError('RATE_LIMITED', {
    ...detailsOf(operation, status),
    retryable: true,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

/**
 * The error of an answer that the contract does not foresee. It names a row: for 405 the method, for another status than
 * 2xx the path. `status` is undefined where the answer breaks HTTP's rules before its body.
 */
export function invalidAnswer(
  operation: Operation,
  status: number | undefined,
  { row, cause }: { readonly row?: string | undefined; readonly cause?: unknown } = {},
): GatewayError {
  const likelyRow =
    status === undefined || isOk(status) ? 'envelope.data' : `${operation.name}.${status === 405 ? 'method' : 'path'}`;
  const details = { ...detailsOf(operation, status), row: row ?? likelyRow, retryable: false };
  return new GatewayError('UPSTREAM_INVALID_RESPONSE', details, { cause });
}

/** `OUTCOME_UNKNOWN`: the write was sent, and no answer proves or refuses it. */
export function outcomeUnknown<Input, Value>(
  operation: Write<Input, Value>,
  input: Input,
  status?: number,
  cause?: unknown,
): GatewayError {
  const lookup = operation.lookup(input);
  const details: ErrorDetails = {
    ...detailsOf(operation, status),
    retryable: false,
    ...(lookup === undefined ? {} : { lookup }),
  };
  return new GatewayError('OUTCOME_UNKNOWN', details, { cause });
}

function detailsOf(operation: Operation, status: number | undefined): ErrorDetails {
  return { operation: operation.name, ...(status === undefined ? {} : { upstreamStatus: status }) };
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Parses strict JSON in strict UTF-8. Undefined for anything else: an empty body, HTML of a proxy, half an answer. */
export function parseBody(body: Buffer): unknown {
  if (body.length === 0 || !isUtf8(body)) return undefined;
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}
