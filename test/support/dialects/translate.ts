import { startBank } from '../../../src/bank/bank.ts';
import { startUpstream, type Reply, type SeenRequest } from '../upstream/upstream.ts';

/** A running service of another dialect, over the embedded bank's data. */
export interface Dialect {
  readonly url: string;
  /** The embedded bank inside, for its control face. */
  readonly bankUrl: string;
  /** Every request so far, in order of arrival. */
  readonly requests: readonly SeenRequest[];
  readonly close: () => Promise<void>;
}

export type BankRecord = Readonly<Record<string, unknown>>;

/** What the embedded bank said: a record or a page under `data`, or why not. */
interface BankAnswer {
  readonly status: number;
  readonly body: {
    readonly message: string;
    readonly data?: unknown;
    readonly errors?: unknown;
  };
}

/** What a request is refused with: thrown by routes, and by `ask` where the embedded bank refused. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly errors?: unknown;
}

/** A refusal to throw. */
export function createRefusal({ message, ...rest }: Refusal): Error & Refusal {
  return Object.assign(new Error(message), rest);
}

/** One request as a route sees it. */
export interface Call {
  /** The identifier in the path; empty where there is none. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly body: string;
  /** The answered `data` of the embedded bank for the same caller. */
  readonly ask: (method: string, path: string, body?: string) => Promise<unknown>;
}

/** A method and a path template below `/api/v1`, and what answers there. */
export type Route = readonly [method: string, path: string, respond: (call: Call) => Promise<unknown>];

export interface DialectOptions {
  readonly routes: readonly Route[];
  /** The media type of its bodies: others are refused with 415. */
  readonly mediaType?: string;
  readonly accept: (result: unknown) => Reply;
  readonly refuse: (refusal: Refusal) => Reply;
}

const prefix = '/api/v1';

/** Starts the embedded bank, and in front of it a service that knows its own routes only and speaks as it was told. */
export async function startTranslator({
  routes,
  mediaType = 'application/json',
  accept,
  refuse,
}: DialectOptions): Promise<Dialect> {
  const bank = await startBank({ port: 0, database: ':memory:' });
  const answer = async (request: SeenRequest): Promise<Reply> => {
    const { pathname, searchParams } = new URL(request.path, 'http://dialect');
    const known = routes.filter(([, template]) => matchPath(template, pathname) !== undefined);
    const headers = { allow: known.map(([method]) => method).join(', ') };
    if (known.length === 0) return { ...refuse({ status: 404, message: 'There is no such path.' }), status: 404 };
    if (request.method === 'OPTIONS') return { status: 204, headers };
    const [, template = '', respond] = known.find(([method]) => method === request.method) ?? [];
    if (respond === undefined) {
      return { ...refuse({ status: 405, message: 'The method is not allowed.' }), status: 405, headers };
    }
    if (request.body !== '' && request.headers['content-type']?.[0] !== mediaType) {
      return { ...refuse({ status: 415, message: 'The media type is not supported.' }), status: 415 };
    }
    const id = matchPath(template, pathname) ?? '';
    const ask = createAsk(bank.url, request);
    return accept(await respond({ id, query: searchParams, body: request.body, ask }));
  };
  const upstream = await startUpstream(async (request) => {
    try {
      const reply = await answer(request);
      return { ...reply, headers: { 'content-type': mediaType, ...reply.headers } };
    } catch (error) {
      return isRefusal(error) ? refuse(error) : { cut: true };
    }
  });
  const close = async (): Promise<void> => {
    await upstream.close();
    await bank.close();
  };
  return { url: upstream.url, bankUrl: bank.url, requests: upstream.requests, close };
}

/** The identifier in a path that fits a template, empty where the template has none; undefined where it does not fit. */
function matchPath(template: string, pathname: string): string | undefined {
  const [before = '', after] = (prefix + template).split('{id}');
  if (after === undefined) return pathname === before ? '' : undefined;
  const segment = pathname.slice(before.length, pathname.length - after.length);
  const fits = pathname === before + segment + after && segment !== '' && !segment.includes('/');
  return fits ? decodeURIComponent(segment) : undefined;
}

function createAsk(bankUrl: string, { headers }: SeenRequest): Call['ask'] {
  const credentials = ['authorization', 'svcprivatekey'].flatMap((name) =>
    (headers[name] ?? []).map((value): [string, string] => [name, value]),
  );
  return async (method, path, body) => {
    const contentType: [string, string] = ['content-type', 'application/json'];
    const init = { method, headers: [...credentials, contentType], ...(body === undefined ? {} : { body }) };
    const response = await fetch(bankUrl + prefix + path, init);
    const answer = { status: response.status, body: await response.json() } as BankAnswer; // the embedded bank's own envelope
    if (response.ok) return answer.body.data;
    const { message, errors } = answer.body;
    throw createRefusal({ status: answer.status, message, ...(errors === undefined ? {} : { errors }) });
  };
}

function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'status' in error;
}

export interface Window {
  readonly offset: number;
  readonly limit: number;
}

/** The embedded bank's records from `offset` on, cut out of its numbered pages, and how many there are in all. */
export async function readWindow(
  ask: Call['ask'],
  path: string,
  { offset, limit }: Window,
  filters: Readonly<Record<string, string | null>> = {},
): Promise<{ readonly records: readonly BankRecord[]; readonly total: number }> {
  const given = Object.entries(filters).filter((pair): pair is [string, string] => pair[1] !== null);
  const page = Math.floor(offset / limit) + 1;
  const pages = await Promise.all(
    [page, page + 1].map(async (number) => {
      const query = new URLSearchParams([['page', String(number)], ['per_page', String(limit)], ...given]);
      return (await ask('GET', `${path}?${query.toString()}`)) as {
        readonly data: readonly BankRecord[];
        readonly total: number;
      }; // the embedded bank's own page
    }),
  );
  const records = pages.flatMap(({ data }) => data);
  const start = offset % limit;
  return { records: records.slice(start, start + limit), total: pages[0]?.total ?? 0 };
}

/** A range under the embedded bank's names. `tailMs`: how long the dialect goes on at its end. */
export function rangeIn({ query }: Call, from: string, end: string, toMs: (text: string) => number, tailMs = 0) {
  const moment = (name: string, plus: number) => {
    const text = query.get(name);
    return text === null ? null : new Date(toMs(text) + plus).toISOString();
  };
  return { from: moment(from, 0), before: moment(end, tailMs) };
}

/** A whole number of at least `least` in the query, or `otherwise` where it is not given. */
export function countIn(query: URLSearchParams, name: string, least: number, otherwise: number): number {
  const text = query.get(name) ?? String(otherwise);
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw createRefusal({
    status: 422,
    message: 'The given values were not accepted.',
    errors: { [name]: ['Must be a whole number.'] },
  });
}

/** A body with its `amount` as the embedded bank takes it; anything that is no JSON object goes on as it came. */
export function withAmount(body: string, toBankAmount: (amount: unknown) => string): string {
  try {
    const given: unknown = JSON.parse(body);
    if (typeof given !== 'object' || given === null || !('amount' in given)) return body;
    return JSON.stringify({ ...given, amount: toBankAmount(given.amount) });
  } catch {
    return body;
  }
}

/** A dialect's names of fields by the embedded bank's. */
export type Names = Readonly<Record<string, string>>;

/** A record of the embedded bank under other names; `toValue` has the bank's names. */
export function rename(record: unknown, names: Names, toValue: (name: string, value: unknown) => unknown): BankRecord {
  const entries = Object.entries(record as BankRecord); // the embedded bank answers records here
  return Object.fromEntries(entries.map(([name, value]) => [names[name] ?? name, toValue(name, value)]));
}

/** The fields of a body that is a JSON object; any other is refused. */
export function fieldsOf(body: string): BankRecord {
  try {
    const fields: unknown = JSON.parse(body);
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields as BankRecord; // just proved
  } catch {
    // Told below, as any other body that is no object.
  }
  throw createRefusal({ status: 400, message: 'The body is no JSON object.' });
}

/** A body under the embedded bank's names. */
export function inBankNames(body: string, names: Names): string {
  const bankNames = new Map(Object.entries(names).map(([bankName, name]) => [name, bankName]));
  const entries = Object.entries(fieldsOf(body)).map(([name, value]) => [bankNames.get(name) ?? name, value]);
  return JSON.stringify(Object.fromEntries(entries));
}
