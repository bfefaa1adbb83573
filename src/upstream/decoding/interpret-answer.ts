import { isUtf8 } from 'node:buffer';
import type { WriteResult } from '../../domain/records.ts';
import { GatewayError, type ErrorDetails } from '../../domain/errors.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Answer } from '../wire/http-client.ts';
import { createEnvelope } from './envelope.ts';
import { parseJson } from './exact-json.ts';
import type { Operation, Read, Write } from '../operation.ts';
import { createUserErrorReader } from './user-errors.ts';

/** Statuses that refuse a write for a reason the caller can act on. */
const refusals: ReadonlySet<number> = new Set([400, 409, 422]);

/** Makes the error of a 401 and sees to it that its credential is not used again in this request. */
export type Reject = () => GatewayError;

export type AnswerReader = ReturnType<typeof createAnswerReader>;

/** Says what an answer means: for a read its value or an error, for a write also refusals and unknown outcomes. */
export function createAnswerReader(contract: Contract) {
  const envelope = createEnvelope(contract);
  const userErrors = createUserErrorReader(contract, envelope);

  const read = <Input, Value>(operation: Read<Input, Value>, answer: Answer, reject: Reject): Value => {
    const body = parseBody(answer.body);
    const isReadable = isOk(answer.status) && body !== undefined;
    const verdict = isReadable ? envelope.verdict(body) : 'failure';
    // An unclear success may be decoded as one: a body that holds no record is found out there.
    if (verdict === 'success' || (verdict === 'unclear' && !envelope.hasOwnValues)) return operation.decode(body);
    const status = isReadable ? (envelope.bodyStatus(body) ?? answer.status) : answer.status;
    const details = detailsOf(operation, status);
    const common = commonError(operation, status, answer, reject);
    if (common !== undefined) throw common;
    if (status === 404 && operation.absent !== undefined && envelope.isReadableError(body)) return operation.absent;
    if (status === 408) throw new GatewayError('UPSTREAM_TIMEOUT', { ...details, retryable: true });
    if (status >= 500) throw new GatewayError('UPSTREAM_UNAVAILABLE', { ...details, retryable: true });
    throw invalidAnswer(operation, status, { row: isOk(status) && isReadable ? 'envelope.success' : undefined });
  };

  const write = <Input, Value>(
    operation: Write<Input, Value>,
    answer: Answer,
    secrets: readonly string[],
    reject: Reject,
  ): WriteResult<Value> => {
    const body = parseBody(answer.body);
    if (isOk(answer.status)) {
      const verdict = body === undefined ? 'unclear' : envelope.verdict(body);
      if (verdict === 'unclear') throw outcomeUnknown(operation, answer.status);
      if (verdict === 'success') return { record: decodeWritten(operation, body, answer.status), userErrors: [] };
    }
    // A readable failure inside HTTP 200 that names no status of its own is a refusal like any other.
    const status = isOk(answer.status) ? (envelope.bodyStatus(body) ?? 400) : answer.status;
    if (status < 400) throw invalidAnswer(operation, status);
    const common = commonError(operation, status, answer, reject);
    if (common !== undefined) throw common;
    if (!userErrors.isDuplicate(status, body)) {
      if (status === 404) throw new GatewayError('NOT_FOUND', { ...detailsOf(operation, status), retryable: false });
      if (status === 408 || status >= 500) throw outcomeUnknown(operation, status);
      if (!refusals.has(status)) throw invalidAnswer(operation, status);
    }
    return {
      record: null,
      userErrors: userErrors.read({ status, body, inputPaths: operation.inputPaths, secrets }),
    };
  };

  return { read, write };
}

/** A record that cannot be read does not undo the write: repeating it would do it twice. */
function decodeWritten<Input, Value>(operation: Write<Input, Value>, body: unknown, status: number): Value | null {
  const record = operation.decode(body);
  if (record instanceof GatewayError) throw outcomeUnknown(operation, status, record);
  return record;
}

/** The statuses that mean the same for reads and writes; undefined for every other one. */
function commonError(
  operation: Operation,
  status: number,
  { retryAfterSeconds }: Answer,
  reject: Reject,
): GatewayError | undefined {
  if (status === 401) return reject();
  if (status === 403) return new GatewayError('FORBIDDEN', { ...detailsOf(operation, status), retryable: false });
  if (status !== 429) return undefined;
  return new GatewayError('RATE_LIMITED', {
    ...detailsOf(operation, status),
    retryable: true,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

/** An answer that means nothing here. For an unexpected status the path row is the likeliest culprit. */
export function invalidAnswer(
  operation: Operation,
  status: number,
  { row: told, cause }: { readonly row?: string | undefined; readonly cause?: unknown } = {},
): GatewayError {
  const row = told ?? (isOk(status) ? 'envelope.data' : `${operation.name}.path`);
  const details = { ...detailsOf(operation, status), row, retryable: false };
  return new GatewayError('UPSTREAM_INVALID_RESPONSE', details, cause === undefined ? {} : { cause });
}

/** A write that was sent and of which nothing certain came back. */
export function outcomeUnknown<Input, Value>(
  operation: Write<Input, Value>,
  status?: number,
  cause?: unknown,
): GatewayError {
  const details: ErrorDetails = {
    ...(status === undefined ? { operation: operation.name } : detailsOf(operation, status)),
    retryable: false,
    ...(operation.lookup === null ? {} : { lookup: operation.lookup }),
  };
  return new GatewayError('OUTCOME_UNKNOWN', details, cause === undefined ? {} : { cause });
}

function detailsOf(operation: Operation, status: number): ErrorDetails {
  return { operation: operation.name, upstreamStatus: status };
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Strict JSON in strict UTF-8, or undefined: an empty body, a proxy's HTML and half an answer are all unreadable. */
export function parseBody(body: Buffer): unknown {
  if (body.length === 0 || !isUtf8(body)) return undefined;
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}
