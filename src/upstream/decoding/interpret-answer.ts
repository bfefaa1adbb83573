import { isUtf8 } from 'node:buffer';
import type { WriteResult } from '../../domain/records.ts';
import { GatewayError, type ErrorDetails } from '../../domain/errors.ts';
import type { Contract } from '../../contract/contract.ts';
import { rejection, type RequestCredentials } from '../credentials/credentials.ts';
import { asText } from '../wire/answer-headers.ts';
import type { Answer } from '../wire/http-client.ts';
import { createEnvelope } from './envelope.ts';
import { parseJson } from './exact-json.ts';
import { outcomeOf } from './outcome.ts';
import { createSignReader, hasContent, isOk, showsFailure, type Signs } from './signs.ts';
import type { Operation, Read, RecordEvidence, UpstreamRequest, Write, WrittenRecord } from '../operation.ts';
import { createUserErrorReader } from './user-errors.ts';

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
  const { findRecord, errorMessage } = createEnvelope(contract);
  const readSigns = createSignReader(contract);
  const readUserErrors = createUserErrorReader(contract);
  const refusalStatuses = new Set(contract['errors.refusalStatuses']);

  const read = <Input, Value>(
    operation: Read<Input, Value>,
    request: UpstreamRequest,
    answer: Answer,
    credentials: RequestCredentials,
  ): Value => {
    if (operation.noBody !== undefined && isEmpty(answer)) return operation.noBody;
    const body = parseBody(answer.body);
    const signs = readSigns(answer.status, body);
    const { http, flag, hasError, status } = signs;
    const isReadable = isOk(answer.status) && body !== undefined;
    if (isReadable && !showsFailure(signs))
      return operation.decode(body, request.identifier, (name) => asText(answer.headers?.[name]));
    // An answer that contradicts itself does not show that a record is absent, or that a credential is refused.
    const { source, isBesideFlag } = findRecord(body);
    const outcome = outcomeOf(signs, hasContent(source) && !isBesideFlag ? 'proven' : 'absent');
    const isContradictory = outcome === 'unknown' && (http !== 'open' || flag === 'yes');
    if (isReadable && isContradictory) throw invalidAnswer(operation, answer.status, { row: 'envelope.success' });
    const common = commonError(operation, status, answer, credentials, request.isPrefetch);
    if (common !== undefined) throw common;
    const isWritten = errorMessage(body) !== undefined || flag === 'no' || hasError;
    if (status === 404 && operation.absent !== undefined && isWritten && flag !== 'yes') return operation.absent;
    const { retryAfterSeconds } = answer;
    const details = { ...detailsOf(operation, status), retryable: true };
    if (status === 408) throw new GatewayError('UPSTREAM_TIMEOUT', details);
    if (status >= 500) throw new GatewayError('UPSTREAM_UNAVAILABLE', { ...details, retryAfterSeconds });
    throw invalidAnswer(operation, status, { row: isOk(status) && isReadable ? 'envelope.success' : undefined });
  };

  const write = <Input, Value>(sent: SentWrite<Input, Value>, answer: Answer): WriteResult<Value> => {
    const { operation, input } = sent;
    const { status, body: bytes } = answer;
    if (operation.emptySuccess && isEmpty(answer)) return { record: null, userErrors: [] };
    const body = parseBody(bytes);
    const signs = readSigns(status, body);
    const record = isOk(status) && body !== undefined ? operation.findRecord(body, input) : undefined;
    const outcome = outcomeOf(signs, record?.evidence ?? 'absent');
    if (outcome === 'refused') return refusalOf(sent, answer, body, signs);
    if (outcome === 'unknown' || record === undefined)
      throw outcomeUnknown(operation, input, status, contradictionOf(record));
    const value = operation.decode(record);
    // A record that cannot be read, or is another one, does not undo the write: repeating it would do it twice.
    if (value instanceof GatewayError) throw outcomeUnknown(operation, input, status, value);
    return { record: value, userErrors: [] };
  };

  /** The userErrors of a refusal. Throws where its status has a code of its own. */
  const refusalOf = <Input, Value>(
    { operation, credentials, secrets }: SentWrite<Input, Value>,
    answer: Answer,
    body: unknown,
    { flag, isDuplicate, status }: Signs,
  ): WriteResult<Value> => {
    const common = commonError(operation, status, answer, credentials);
    if (common !== undefined) throw common;
    if (!isDuplicate && status === 404)
      throw new GatewayError('NOT_FOUND', { ...detailsOf(operation, status), retryable: false });
    const isRefusal = isDuplicate || isOk(status) || status === 409 || refusalStatuses.has(status) || flag === 'no';
    if (!isRefusal) throw invalidAnswer(operation, status);
    return { record: null, userErrors: readUserErrors({ body, isDuplicate, secrets }, operation.inputPaths) };
  };

  return { read, write };
}

/** Whether an answer is a 2xx whose body is empty and whole. */
function isEmpty({ status, body, mayBeCut = false }: Answer): boolean {
  return isOk(status) && body.length === 0 && !mayBeCut;
}

/** A record without an id of its own contradicts no row, as in `{"message": "Queued."}`. */
function contradictionOf(record: WrittenRecord | undefined): GatewayError | undefined {
  return record?.hasOwnId ? record.mismatch : undefined;
}

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
  answer: Answer,
  credentials: RequestCredentials,
  isPrefetch?: boolean,
): GatewayError | undefined {
  if (status === 401) return rejection(credentials, operation, isPrefetch);
  if (status === 403) return new GatewayError('FORBIDDEN', { ...detailsOf(operation, status), retryable: false });
  if (status !== 429) return undefined;
  const { retryAfterSeconds } = answer;
  return new GatewayError('RATE_LIMITED', { ...detailsOf(operation, status), retryable: true, retryAfterSeconds });
}

/**
 * The error of an answer that the contract does not foresee. It names a row: for 405 the method, for another status than
 * 2xx the path. `row` is null, and none is named, where the answer broke the rules of HTTP.
 */
export function invalidAnswer(
  operation: Operation,
  status: number | undefined,
  { row, cause }: { readonly row?: string | null | undefined; readonly cause?: unknown } = {},
): GatewayError {
  const likelyRow =
    status === undefined || isOk(status) ? 'envelope.data' : `${operation.name}.${status === 405 ? 'method' : 'path'}`;
  const named = row === null ? {} : { row: row ?? likelyRow };
  const details = { ...detailsOf(operation, status), ...named, retryable: false };
  return new GatewayError('UPSTREAM_INVALID_RESPONSE', details, { cause });
}

/** `OUTCOME_UNKNOWN`: the write was sent, and no answer proves or refuses it. */
export function outcomeUnknown<Input, Value>(
  operation: Write<Input, Value>,
  input: Input,
  status?: number,
  cause?: unknown,
): GatewayError {
  const details = { ...detailsOf(operation, status), retryable: false, lookup: operation.lookup(input) };
  return new GatewayError('OUTCOME_UNKNOWN', details, { cause });
}

function detailsOf(operation: Operation, status: number | undefined): ErrorDetails {
  return { operation: operation.name, upstreamStatus: status };
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
