import { fieldsInPath } from '../../contract/addressing.ts';
import { contractOfList, type Contract, type OperationName } from '../../contract/contract.ts';
import { GatewayError } from '../../domain/errors.ts';
import type { WriteResult } from '../../domain/records.ts';
import { createOperations } from '../../upstream/operations.ts';
import type { Attempt } from '../../upstream/calls/attempt.ts';
import type { CallObserver, WriteEvent } from '../../upstream/calls/call-observer.ts';
import { createRead } from '../../upstream/calls/read.ts';
import type { Scope } from '../../upstream/calls/scope.ts';
import { createWrites } from '../../upstream/calls/write.ts';
import { createRequestCredentials } from '../../upstream/credentials/credentials.ts';
import { createEnvelope } from '../../upstream/decoding/envelope.ts';
import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { createAnswerReader, parseBody } from '../../upstream/decoding/interpret-answer.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { isPathIdentifier } from '../../upstream/decoding/identifiers.ts';
import type { PathSource } from '../../upstream/decoding/request-path.ts';
import { createSignReader, type Signs } from '../../upstream/decoding/signs.ts';
import type { Read, UpstreamRequest, Write } from '../../upstream/operation.ts';
import type { Place } from '../../upstream/paging/cursor.ts';
import { defaultFirst, maxFirst, type List } from '../../upstream/paging/list.ts';
import type { Page } from '../../upstream/paging/page.ts';
import { readWindow } from '../../upstream/paging/window.ts';
import { passTraceOn } from '../../upstream/wire/trace-context.ts';
import { recordsAt } from '../contract-check/list-reader.ts';
import { toResult, type SavedAnswer } from './saved-answer.ts';
import { addressFields, isList, type Input } from '../operation-kinds.ts';

/** One use of an operation, and the answer to it. */
export interface Question {
  readonly operation: OperationName;
  readonly answer: SavedAnswer;
  /** The identifier of a read; without one it is not checked that the answer has the requested record. */
  readonly id?: string | undefined;
  /** The input of a write, by the graph's names. A missing identifier is taken from the answer. */
  readonly input?: Input | undefined;
  /** How many records of a list are requested; by default the page size that the answer shows. */
  readonly first?: number | undefined;
}

/** The result of reading one answer. A value that cannot be read is an error at its place inside `value`. */
export interface Reading {
  /** By the graph's names: a record, null for one that is absent, `{nodes, …}`, or a write's record. */
  readonly value: unknown;
  readonly error: GatewayError | undefined;
  /** The answer's records as parsed JSON. */
  readonly sources: readonly unknown[];
  /** The parsed body; undefined where it is not strict JSON. */
  readonly body: unknown;
  /** Set for writes. */
  readonly write: WriteReading | undefined;
}

interface WriteReading {
  readonly outcome: WriteEvent['outcome'];
  /** The evidence of the answer's record and of its success flag; undefined unless the status is 2xx. */
  readonly evidence: ReturnType<WriteEvent['evidence']>;
  readonly flag: Signs['flag'] | undefined;
  readonly userErrors: WriteResult<unknown>['userErrors'];
  /** The body that would be sent; undefined where nothing would be. */
  readonly request: string | undefined;
}

type Run = Pick<Reading, 'value'> & Partial<Pick<Reading, 'write'>>;

/** A question under a contract, with the parsed body of its answer. */
interface Exchange {
  readonly contract: Contract;
  readonly question: Question;
  readonly body: unknown;
}

/** The codes of answers that the contract does not explain. */
export const contradictions: ReadonlySet<string> = new Set([
  'UPSTREAM_INVALID_RESPONSE',
  'CONTRACT_UNDECIDED',
  'OUTCOME_UNKNOWN',
]);
const furtherPage = new Error('a further page');
const silent: CallObserver = { onCall: () => {}, onRetry: () => {}, onWrite: () => {}, onStore: () => {} };
/** Its deadline has passed for every retry, since a retry would only read the same answer again. */
const lifetime: Scope['lifetime'] = { deadline: 0, signal: new AbortController().signal };
/** Identifier of a read when the option or case names none. */
const anyIdentifier = 'any';

/** Creates the function that runs the gateway's own operations over saved answers. */
export function createRunner(contract: Contract): (question: Question) => Promise<Reading> {
  return async (question) => {
    const operation = createOperations(contract)[question.operation];
    const body = parseBody(question.answer.body);
    const exchange = { contract, question, body };
    const run = (): Promise<Run> => {
      // Each operation has types of its own, which its own input and decoder fit.
      if ('readPage' in operation) return runList(exchange, operation as List<unknown>);
      if (operation.kind === 'read') return runRead(exchange, operation as Read<string | PathSource, unknown>);
      return runWrite(exchange, operation as unknown as Write<Input, unknown>);
    };
    const { value, write } = await run().catch((error: unknown): Run => ({ value: toError(error) }));
    const error = value instanceof GatewayError ? value : undefined;
    // The body of an answer that the contract contradicts may still hold a record.
    const isExplained = error !== undefined && !contradictions.has(error.code);
    const isFailure = question.answer.status >= 300 || write?.outcome === 'refused' || isExplained;
    return { value, body, write, error, sources: isFailure ? [] : sourcesOf(contract, question.operation, body) };
  };
}

/** A scope with random credentials: credentials are removed from messages, so they must occur in no answer. */
function createScope(): Scope {
  const credential = (header: string) => ({ header, value: `Bearer ${crypto.randomUUID()}`, fault: undefined });
  const values = { bearer: credential('Authorization'), privateKey: credential("the private key's header") };
  return {
    requestId: '',
    credentials: createRequestCredentials(values, { fingerprint: '', callers: { bearer: '', privateKey: '' } }),
    lifetime,
    tally: { calls: 0 },
    spent: { estimated: 0, ahead: 0 },
    trace: passTraceOn(undefined),
  };
}

/** Returns the saved answer in place of an HTTP call. */
const attemptOf =
  ({ answer }: Question): Attempt =>
  async () =>
    toResult(answer);

/** Reads once. The identifier of the answer is checked only where the question has one. */
async function callRead<Asked, Value>(
  { contract, question }: Exchange,
  read: Read<Asked, Value>,
  request: UpstreamRequest,
): Promise<Value> {
  const { identifier: _, ...unidentified } = request;
  const call = createRead(attemptOf(question), createAnswerReader(contract), silent);
  return await call(read, question.id === undefined ? unidentified : request, createScope());
}

/** Entities are asked for by an identifier, what is below a customer by its record. */
async function runRead(exchange: Exchange, read: Read<string | PathSource, unknown>): Promise<Run> {
  const input = 'canonical' in read ? (exchange.question.id ?? anyIdentifier) : parentOf(exchange);
  return { value: await callRead(exchange, read, read.request(input)) };
}

/** A customer that has every field that the path names. */
function parentOf({ contract, question: { id = anyIdentifier, operation } }: Exchange): PathSource {
  const fields = fieldsInPath(operation, contract[`${operation}.path`]).map((field) => [field, anyIdentifier] as const);
  return { id, ...Object.fromEntries(fields) };
}

/** The window that begins where the answer's page does. Where it would need a further page, the result is the page alone. */
async function runList(exchange: Exchange, list: List<unknown>): Promise<Run> {
  const request = list.readPage.request({ parent: parentOf(exchange), query: '' });
  const page = await callRead(exchange, list.readPage, request);
  const { records } = page;
  const first = exchange.question.first ?? Math.min(Math.max(sizeOf(page), 1), maxFirst);
  const start: Place = { ...list.style.first(first), asked: first };
  let isRead = false;
  const readPage = async () => {
    if (isRead) throw furtherPage;
    isRead = true;
    return page;
  };
  try {
    const { nodes, totalCount, hasNextPage } = await readWindow(list, atPage(list, start, page), first, readPage);
    return { value: { nodes, totalCount, hasNextPage } };
  } catch (error) {
    if (error !== furtherPage) throw error;
    return { value: { nodes: records, totalCount: page.totalCount, hasNextPage: true } };
  }
}

/** The place of a page that reports its number, behind as many full pages. */
function atPage({ pageStyle }: List<unknown>, start: Place, { signs }: Page<unknown>): Place {
  const before = (signs.number ?? 0) - Number(start.key.at);
  if (pageStyle !== 'page' || before <= 0) return start;
  return { ...start, key: { at: String(signs.number), before: before * (signs.size ?? start.asked) } };
}

/** The page size that was requested: the one that the page reports, else at least its number of records. */
function sizeOf({ signs, token, records }: Page<unknown>): number {
  return signs.size ?? (token === null ? Math.max(records.length, defaultFirst) : records.length);
}

async function runWrite(exchange: Exchange, write: Write<Input, unknown>): Promise<Run> {
  const { contract, question, body } = exchange;
  const input = withAddress(exchange, write);
  let event: WriteEvent | undefined;
  let request: string | undefined;
  const answer = attemptOf(question);
  const { write: call } = createWrites({
    contract,
    attempt: (operation, sent, scope) => {
      request = sent.body;
      return answer(operation, sent, scope);
    },
    answers: createAnswerReader(contract),
    observer: { ...silent, onWrite: (ended) => void (event = ended) },
    timeoutMs: 0,
    idempotency: undefined,
    fingerprintSecret: new Uint8Array(32),
  });
  const result = await call(write, input, createScope(), undefined).catch(toError);
  const isAnswered = question.answer.status < 300 && body !== undefined;
  const flag = isAnswered ? createSignReader(contract)(question.answer.status, body).flag : undefined;
  const { outcome = 'not sent' as const, evidence = () => undefined } = event ?? {};
  const { record: value, userErrors } = result instanceof GatewayError ? { record: result, userErrors: [] } : result;
  return { value, write: { outcome, evidence: evidence(), flag, request, userErrors } };
}

/** The input with the identifiers that it is addressed by: its own, else the answer's. */
function withAddress({ contract, question, body }: Exchange, write: Write<Input, unknown>): Input {
  const [source] = sourcesOf(contract, write.name, body);
  const identifiers = addressFields(write.name).map(([field, row]) => {
    const text = textOrNumber(compilePointers(contract[row]).read(source)) ?? '';
    return [field, isPathIdentifier(text, contract['identifiers.allow']) ? text : anyIdentifier] as const;
  });
  return { ...Object.fromEntries(identifiers), ...question.input };
}

function toError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  throw error;
}

/** A value as JSON: an error is `{error: code, …its details}`. */
export function toPlain(value: unknown): unknown {
  if (value instanceof GatewayError) return { error: value.code, ...value.details };
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(toPlain);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toPlain(inner)]));
}

/** The records of an answer as parsed JSON: those of a list's page, else the one that its envelope holds. */
export function sourcesOf(whole: Contract, name: OperationName, body: unknown): readonly unknown[] {
  if (body === undefined) return [];
  if (isList(name)) return recordsAt(contractOfList(whole, name), body) ?? [];
  return [createEnvelope(whole).record(body)].filter((source) => source !== undefined);
}
