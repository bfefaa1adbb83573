import { expect } from 'vitest';
import type { GatewayServer } from '../../src/server.ts';
import { query, type GraphQLAnswer } from './gateway.ts';
import { success, type Reply } from './upstream.ts';

interface RecordStub {
  readonly id: string;
}

/** Records that are nothing but an identifier: r1, r2, … */
export function recordsOf(count: number): readonly RecordStub[] {
  return Array.from({ length: count }, (_, index) => ({ id: `r${index + 1}` }));
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
  const parameters = new URL(path, 'http://upstream').searchParams;
  return { page: Number(parameters.get('page')), perPage: Number(parameters.get('per_page')) };
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

const maxSteps = 150;

/** The ids of each window of a walk along `endCursor` until nothing follows, or until it is plain that it never ends. */
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
  return windows;
}

/** A walk along the customers: all ids, in order. */
export async function walkCustomers(
  gateway: Pick<GatewayServer, 'url'>,
  firstAt: (step: number) => number,
): Promise<readonly string[]> {
  return (await walk((window) => readCustomers(gateway, window), firstAt)).flat();
}

/** A page in the form of `{data, meta}`, with only the given parts of `meta`. */
export function metaPage(data: readonly unknown[], meta: Readonly<Record<string, unknown>>): Reply {
  return { json: { data, meta } };
}

/** A page as the contract assumes it, with its parts as given. */
export function page(data: readonly unknown[], parts: Readonly<Record<string, unknown>>): Reply {
  return success({ data, ...parts });
}
