import { expect } from 'vitest';
import type { GatewayServer } from '../../../src/server.ts';
import { query, startScripted, type GraphQLAnswer } from '../gateway.ts';
import { success, type Reply, type SeenRequest } from './upstream.ts';

export type Script = (request: SeenRequest) => Reply;
export type Rows = Readonly<Record<string, unknown>>;

interface RecordStub {
  readonly id: string;
}

/** Records that are nothing but an identifier and, where they are transactions, an amount: r1, r2, … */
export function recordsOf(count: number, more: object = {}): readonly RecordStub[] {
  return Array.from({ length: count }, (_, index) => ({ id: `r${index + 1}`, ...more }));
}

export function idsOf(records: readonly RecordStub[]): readonly string[] {
  return records.map(({ id }) => id);
}

/** What a request asked for, cut out of all records at pages of `size` (by default as asked). */
export function cutPage(records: readonly unknown[], path: string, size = askedPage(path).perPage) {
  const { page } = askedPage(path);
  const lastPage = Math.max(1, Math.ceil(records.length / size));
  return { page, size, lastPage, total: records.length, data: records.slice((page - 1) * size, page * size) };
}

export function askedPage(path: string): { readonly page: number; readonly perPage: number } {
  return { page: countIn(path, 'page'), perPage: countIn(path, 'per_page') };
}

export function parametersOf(path: string): URLSearchParams {
  return new URL(path, 'http://upstream').searchParams;
}

export function countIn(path: string, name: string): number {
  return Number(parametersOf(path).get(name));
}

const listNames = ['listSettlementBanks', 'listCustomers', 'listCustomerTransactions', 'listCustomerVirtualAccounts'];

/** The contract of a service that pages all its lists by this style. */
export function styleOf(style: string): Rows {
  return Object.fromEntries(listNames.map((name) => [`${name}.pageStyle`, style]));
}

/** The errors of an answer that contradicts this row of the contract. */
export function contradiction(row: string): readonly object[] {
  return [{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE', row } }];
}

/** The whole text of a 200 answer, for JSON that JSON.stringify cannot write. */
export function rawJson(text: string): Reply {
  return { text, headers: { 'content-type': 'application/json' } };
}

export interface Window {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly search?: string | null | undefined;
}

const customersDocument = `query ($first: Int, $after: String, $search: String) {
  list: customers(first: $first, after: $after, search: $search) {
    edges { cursor node { id } }
    nodes { id }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    totalCount
  }
}`;

/** One window of the customers, under the name `list`. */
export async function readCustomers(
  gateway: Pick<GatewayServer, 'url'>,
  variables: Window = {},
): Promise<GraphQLAnswer> {
  return query(gateway, customersDocument, { variables });
}

/** One window of the customers from a gateway of its own, with the calls that it cost. */
export async function readWindow(script: Script, contract: Rows = {}, window: Window = {}) {
  const { gateway, upstream } = await startScripted(script, { contract });
  const { data, errors } = await readCustomers(gateway, window);
  return { list: data.list, errors, calls: upstream.requests.length };
}

/** The cursor behind each record of a list of at most 100, and before them the one that is none. */
export async function startsOf(script: Script, contract: Rows = {}): Promise<readonly (string | null)[]> {
  const { list, errors } = await readWindow(script, contract, { first: 100 });
  expect(errors).toEqual([]);
  return [null, ...list.edges.map((edge: { readonly cursor: string }) => edge.cursor)];
}

const maxSteps = 150;

/**
 * The ids of each window of a walk along `endCursor` until nothing follows, or until it is plain that it never ends. Every
 * window but the last is full.
 */
export async function walk(
  read: (window: Window) => Promise<GraphQLAnswer>,
  firstAt: (step: number) => number,
): Promise<readonly (readonly string[])[]> {
  const windows: (readonly string[])[] = [];
  let after: string | null = null;
  let goesOn = true;
  while (goesOn && windows.length < maxSteps) {
    const { data, errors }: GraphQLAnswer = await read({ first: firstAt(windows.length), after });
    expect(errors).toEqual([]);
    windows.push(idsOf(data.list.nodes));
    after = data.list.pageInfo.endCursor;
    goesOn = data.list.pageInfo.hasNextPage;
  }
  const lengths = windows.map(({ length }) => length);
  const last = lengths.pop() ?? 0;
  expect(lengths).toEqual(lengths.map((_, step) => firstAt(step)));
  expect(last).toBeLessThanOrEqual(firstAt(lengths.length));
  return windows;
}

/** A walk along the customers whose windows are as large as `steps` says, again and again: all ids, in order. */
export async function walkCustomers(
  gateway: Pick<GatewayServer, 'url'>,
  ...steps: readonly number[]
): Promise<readonly string[]> {
  const firstAt = (step: number) => steps[step % steps.length] ?? 1;
  return (await walk((window) => readCustomers(gateway, window), firstAt)).flat();
}

/** A page in the form of `{data, meta}`, with only the given parts of `meta`. */
export function metaPage(data: readonly unknown[], meta: Rows): Reply {
  return { json: { data, meta } };
}

/** A page as the contract assumes it, with its parts as given. */
export function page(data: readonly unknown[], parts: Rows): Reply {
  return success({ data, ...parts });
}

interface Walk {
  readonly ids: readonly string[];
  readonly errors: GraphQLAnswer['errors'];
}

/** A walk as `walkCustomers` makes it, to the end, to the first error, or to the sixtieth window. */
export async function walkToError(gateway: Pick<GatewayServer, 'url'>, ...steps: readonly number[]): Promise<Walk> {
  const ids: string[] = [];
  let after: string | null = null;
  for (let step = 0; step < 60; step += 1) {
    const first = steps[step % steps.length] ?? 1;
    const { data, errors }: GraphQLAnswer = await readCustomers(gateway, { first, after });
    if (errors.length > 0) return { ids, errors };
    ids.push(...idsOf(data.list.nodes));
    after = data.list.pageInfo.endCursor;
    if (!data.list.pageInfo.hasNextPage) return { ids, errors };
  }
  throw new Error(`a walk without an end: ${ids.join()}`);
}

export const offsetScript =
  (records: readonly unknown[], cap: number): Script =>
  ({ path }) => {
    const offset = countIn(path, 'offset');
    const size = Math.min(countIn(path, 'limit'), cap);
    return success({ data: records.slice(offset, offset + size), total: records.length });
  };

/** Pages that are chained by tokens; `sizeAt` is how many records the page from an offset on has at most. */
export const tokenScript =
  (records: readonly unknown[], sizeAt: (offset: number) => number): Script =>
  ({ path }) => {
    const offset = Number(parametersOf(path).get('cursor')?.slice('from:'.length) ?? 0);
    const data = records.slice(offset, offset + Math.min(countIn(path, 'limit'), sizeAt(offset)));
    const end = offset + data.length;
    return {
      json: { data, meta: { total: records.length, next_cursor: end < records.length ? `from:${end}` : null } },
    };
  };
