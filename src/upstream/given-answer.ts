import { fieldsInPath } from '../contract/addressing.ts';
import type { Contract, ListName, OperationName } from '../contract/contract.ts';
import { listSettings } from '../contract/list-rows.ts';
import { GatewayError, valueOrError } from '../domain/errors.ts';
import type { UserError } from '../domain/records.ts';
import { createRequestCredentials } from './credentials/credentials.ts';
import { createEnvelope } from './decoding/envelope.ts';
import {
  createAnswerReader,
  evidenceOf,
  invalidAnswer,
  outcomeUnknown,
  parseBody,
  textsOf,
} from './decoding/interpret-answer.ts';
import { compilePointers } from './decoding/json-pointer.ts';
import type { Parameters, PathSource } from './decoding/request-path.ts';
import { createSignReader, isOk, type Signs } from './decoding/signs.ts';
import type { Read, RecordEvidence, UpstreamRequest, Write } from './operation.ts';
import { createOperations } from './operations.ts';
import type { Place } from './paging/cursor.ts';
import { defaultFirst, maxFirst, type List } from './paging/list.ts';
import type { Page } from './paging/page.ts';
import { readWindow } from './paging/window.ts';
import { isCompressed, retryAfterIn } from './wire/answer-headers.ts';
import { maxResponseBytes, type Answer } from './wire/http-client.ts';

/** An answer of the service that is given instead of fetched. Headers by lower-case name. */
export interface GivenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** One use of an operation. */
export interface Use {
  readonly operation: OperationName;
  /** The identifier of a read; without one it is not checked that the answer has the requested record. */
  readonly id?: string | undefined;
  /** The input of a write, by the graph's names, its identifiers included. */
  readonly input?: object | undefined;
  /** Whether the input is all that was sent: its faults then kept the write from being sent. */
  readonly isWhole?: boolean;
  /** How many records of a list are requested; by default the page size that the answer shows. */
  readonly first?: number | undefined;
}

/** What the gateway reads from an answer. A value that cannot be read is an error at its place inside `value`. */
export interface Reading {
  /** By the graph's names: a record, null for one that is absent, `{nodes, totalCount, hasNextPage}`, a write's record. */
  readonly value: unknown;
  readonly error: GatewayError | undefined;
  /** The answer's records as parsed JSON. */
  readonly sources: readonly unknown[];
  /** The parsed body; undefined where it is not strict JSON. */
  readonly body: unknown;
  readonly write: WriteReading | undefined;
}

interface WriteReading {
  readonly outcome: 'done' | 'refused' | 'unknown' | 'not sent';
  /** Undefined unless the status is 2xx. */
  readonly evidence: RecordEvidence | undefined;
  readonly flag: Signs['flag'] | undefined;
  readonly userErrors: readonly UserError[];
  /** The body that would be sent; undefined where nothing would be. */
  readonly request: string | undefined;
}

const furtherPage = new Error('a further page');
const anyIdentifier = 'any';

/** Random credentials: they are removed from messages, so they must occur in no answer. */
function randomCredentials() {
  const credential = (header: string) => ({ header, value: `Bearer ${crypto.randomUUID()}`, fault: undefined });
  const values = { bearer: credential('Authorization'), privateKey: credential("the private key's header") };
  return createRequestCredentials(values, { fingerprint: '', callers: { bearer: '', privateKey: '' } });
}

/** What was compiled of a contract, which never changes: a check runs many answers under one. */
const compiled = new WeakMap<Contract, ReturnType<typeof compile>>();
const compile = (contract: Contract) => ({
  operations: createOperations(contract),
  answers: createAnswerReader(contract),
});
function compiledOf(contract: Contract): ReturnType<typeof compile> {
  const known = compiled.get(contract) ?? compile(contract);
  compiled.set(contract, known);
  return known;
}

/** The operation of that name: each has types of its own, which its own input and decoder fit. */
const operationOf = (contract: Contract, name: OperationName) =>
  compiledOf(contract).operations[name] as unknown as
    | List<unknown>
    | Read<string | PathSource, unknown>
    | Write<object, unknown>;

/** Runs the gateway's own operation over an answer, as if the service had given it. */
export async function readAnswer(contract: Contract, use: Use, given: GivenAnswer): Promise<Reading> {
  const operation = operationOf(contract, use.operation);
  const body = parseBody(given.body);
  let write: WriteReading | undefined;
  const run = async (): Promise<unknown> => {
    if ('readPage' in operation) return await readList(contract, operation, use, given);
    if (operation.kind === 'read') return readOnce(contract, operation, readRequest(contract, use), use, given);
    const { value, ...rest } = runWrite(contract, operation, use, given, body);
    write = rest;
    return value;
  };
  const value = await run().catch(toError);
  const error = value instanceof GatewayError ? value : undefined;
  // The body of an answer that the contract contradicts may still hold a record.
  const isExplained = error !== undefined && !isContradiction(error);
  const isFailure = given.status >= 300 || write?.outcome === 'refused' || isExplained;
  return { value, body, write, error, sources: isFailure ? [] : recordsOf(contract, use.operation, body) };
}

/** Whether an error says that the contract does not explain the answer. */
export function isContradiction({ code }: GatewayError): boolean {
  return code === 'UPSTREAM_INVALID_RESPONSE' || code === 'CONTRACT_UNDECIDED' || code === 'OUTCOME_UNKNOWN';
}

/** The records of an answer as parsed JSON: those of a list's page, else the one that its envelope holds. */
export function recordsOf(whole: Contract, name: OperationName, body: unknown): readonly unknown[] {
  if (body === undefined) return [];
  if (name.startsWith('list')) {
    const pointers = listSettings(whole, name as ListName).records;
    return pointers.map((pointer) => compilePointers([pointer]).read(body)).find(Array.isArray) ?? [];
  }
  return [createEnvelope(whole).findRecord(body).source].filter((source) => source !== undefined);
}

/** The request of a read, of a list's first page. `parent`: the customer above it, with the fields that its path names. */
export function readRequest(contract: Contract, use: Use, parent?: PathSource): UpstreamRequest {
  const operation = operationOf(contract, use.operation);
  if ('readPage' in operation) {
    const { key, asked } = operation.style.first(use.first ?? defaultFirst);
    const parameters = operation.style.parameters(key, asked);
    return operation.readPage.request({ parent: parent ?? parentOf(contract, use), parameters });
  }
  if (operation.kind === 'write') throw new Error('a write is not asked');
  return operation.request('canonical' in operation ? (use.id ?? anyIdentifier) : (parent ?? parentOf(contract, use)));
}

/** A customer that has every field that the path names. */
function parentOf(contract: Contract, { id = anyIdentifier, operation }: Use): PathSource {
  const fields = fieldsInPath(operation, contract[`${operation}.path`]).map((field) => [field, anyIdentifier] as const);
  return { id, ...Object.fromEntries(fields) };
}

/** The answer as the HTTP client would deliver it; undefined for one that is partial, compressed or too large. */
export function toAnswer({ status, headers, body }: GivenAnswer): Answer | undefined {
  if (status === 206 || isCompressed(headers) || body.length > maxResponseBytes) return undefined;
  return { kind: 'answer', status, headers, retryAfterSeconds: retryAfterIn(headers), body };
}

/** The identifier of the answer is checked only where the use has one. */
function readOnce<Input, Value>(
  contract: Contract,
  read: Read<Input, Value>,
  { identifier, ...request }: UpstreamRequest,
  { id }: Use,
  given: GivenAnswer,
): Value {
  const answer = toAnswer(given);
  if (answer === undefined) throw invalidAnswer(read, undefined, { row: null });
  const asked = id === undefined || identifier === undefined ? request : { ...request, identifier };
  return compiledOf(contract).answers.read(read, asked, answer, randomCredentials());
}

/** The window that begins where the answer's page does, and has no record of a further page. */
async function readList(contract: Contract, list: List<unknown>, use: Use, given: GivenAnswer) {
  const page = readOnce(contract, list.readPage, readRequest(contract, use), use, given);
  const asked = use.first ?? Math.min(Math.max(sizeOf(page), 1), maxFirst);
  const place = placeOfPage(list, { ...list.style.first(asked), asked }, page);
  const first = Math.min(asked, Math.max(page.records.length, 1));
  const { nodes, totalCount, hasNextPage } = await readWindow(list, place, first, async () => page);
  return { nodes, totalCount, hasNextPage };
}

/** The place of a page that reports its number, behind as many full pages. */
function placeOfPage({ pageStyle }: List<unknown>, start: Place, { signs }: Page<unknown>): Place {
  const before = (signs.number ?? 0) - Number(start.key.at);
  if (pageStyle !== 'page' || before <= 0) return start;
  return { ...start, key: { at: String(signs.number), before: before * (signs.size ?? start.asked) } };
}

/** The page size that was requested: the one that the page reports, else at least its number of records. */
function sizeOf({ signs, token, records }: Page<unknown>): number {
  return signs.size ?? (token === null ? Math.max(records.length, defaultFirst) : records.length);
}

function runWrite(
  contract: Contract,
  write: Write<object, unknown>,
  { input = {}, isWhole = true }: Use,
  given: GivenAnswer,
  body: unknown,
) {
  const unsent = { outcome: 'not sent' as const, evidence: undefined, flag: undefined, request: undefined };
  const prepared = valueOrError(() => write.prepare(input));
  if (prepared instanceof GatewayError) return { ...unsent, value: prepared, userErrors: [] };
  const { request, userErrors: faults } = prepared;
  if (isWhole && faults.length > 0) return { ...unsent, value: null, userErrors: faults };
  const answer = toAnswer(given);
  const flag =
    isOk(given.status) && body !== undefined ? createSignReader(contract)(given.status, body).flag : undefined;
  const result = valueOrError(() => {
    if (answer === undefined) throw outcomeUnknown(write, input, given.status);
    const secrets = [...textsOf(input), ...write.sentTexts(input)];
    const sent = { operation: write, input, credentials: randomCredentials(), secrets };
    return compiledOf(contract).answers.write(sent, answer);
  });
  const isUnknown = result instanceof GatewayError && result.code === 'OUTCOME_UNKNOWN';
  const { record: value, userErrors } = result instanceof GatewayError ? { record: result, userErrors: [] } : result;
  const isRefused = result instanceof GatewayError || userErrors.length > 0;
  const outcome = isUnknown ? 'unknown' : isRefused ? 'refused' : 'done';
  const evidence = answer && evidenceOf(write, input, answer);
  return { outcome, evidence, flag, request: request.body, value, userErrors } as const;
}

function toError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  throw error;
}

/** How far a walk of a list came: the records of each page that was read, and the error that ended it. */
export interface Walk {
  readonly pages: readonly number[];
  /** Whether the list ended where the gateway ends it. */
  readonly isWhole: boolean;
  readonly error: GatewayError | undefined;
}

/**
 * Walks a list as the gateway does, in pages of at most `size` records, and stops before page `maxPages` + 1. `send` makes
 * the calls; where it gives no answer, the walk ends.
 */
export async function walkList(
  contract: Contract,
  use: Use & { readonly operation: ListName },
  size: number,
  maxPages: number,
  send: (request: UpstreamRequest) => Promise<GivenAnswer | undefined>,
  parent?: PathSource,
): Promise<Walk> {
  const { operation: name, id } = use;
  const own = `${name}.maxPageSize` as const;
  const list = operationOf({ ...contract, [own]: size }, name) as List<unknown>;
  const pages: number[] = [];
  const readPage = async (parameters: Parameters) => {
    if (pages.length >= maxPages) throw furtherPage;
    const request = list.readPage.request({ parent: parent ?? parentOf(contract, use), parameters });
    const given = await send(request);
    if (given === undefined) throw furtherPage;
    const page = readOnce(contract, list.readPage, request, { operation: name, id }, given);
    pages.push(page.records.length);
    return page;
  };
  try {
    await readWindow(list, list.style.first(size), Infinity, readPage);
    return { pages, isWhole: true, error: undefined };
  } catch (error) {
    if (error !== furtherPage) return { pages, isWhole: false, error: toError(error) };
    return { pages, isWhole: false, error: undefined };
  }
}
