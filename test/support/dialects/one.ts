import type { Reply } from '../upstream/upstream.ts';
import { countIn, createRefusal, rangeIn, readWindow, startTranslator, withAmount } from './translate.ts';
import type { BankRecord, Call, Dialect, Refusal, Route } from './translate.ts';

const defaultLimit = 20;
const maxLimit = 50;

/** A list's page, told apart from a record because its envelope holds more than data. */
interface Page {
  readonly records: readonly unknown[];
  readonly meta: { readonly next_cursor: string | null; readonly total: number };
}

/**
 * Dialect one: `{status: "success", data}`, lists chained by cursors of at most 50 records, updates by PUT, amounts as
 * whole numbers of minor units, camel-case names in answers, and paths of its own.
 */
export function startDialectOne(): Promise<Dialect> {
  return startTranslator({ routes, accept, refuse });
}

const routes: readonly Route[] = [
  ['POST', '/settlement-banks/', create('/settlement-banks/')],
  ['GET', '/settlement-banks', list('/settlement-banks/')],
  ['GET', '/settlement-banks/{id}', read(({ id }) => `/settlement-banks/${id}`)],
  ['PUT', '/settlement-banks/{id}', update('/settlement-banks/')],
  ['POST', '/customers/', create('/customers/')],
  ['GET', '/customers', list('/customers/')],
  ['GET', '/customers/{id}', read(({ id }) => `/customers/${id}`)],
  ['PUT', '/customers/{id}', update('/customers/')],
  ['GET', '/customers/{id}/wallet/balance', read(({ id }) => `/customers/${id}/balance`)],
  ['GET', '/customers/{id}/transactions', listBelow('transactions')],
  ['GET', '/customers/{id}/virtualAccounts', listBelow('virtual-accounts')],
  ['POST', '/customers/{id}/virtualAccounts', createBelow('virtual-accounts')],
  ['POST', '/customers/{id}/oneTimeAccounts', createBelow('one-time-accounts')],
];

function read(path: (call: Call) => string): Route[2] {
  return async (call) => toRecord(await call.ask('GET', path({ ...call, id: encodeURIComponent(call.id) })));
}

function create(path: string): Route[2] {
  return async ({ ask, body }) => toRecord(await ask('POST', path, body));
}

function update(path: string): Route[2] {
  return async ({ ask, id, body }) => toRecord(await ask('PATCH', path + encodeURIComponent(id), body));
}

function createBelow(name: string): Route[2] {
  return async ({ ask, id, body }) =>
    toRecord(await ask('POST', `/customers/${encodeURIComponent(id)}/${name}`, withAmount(body, fromMinor)));
}

function list(path: string): Route[2] {
  return (call) => readPage(call, path, { search: call.query.get('q') });
}

function listBelow(name: string): Route[2] {
  return (call) =>
    readPage(call, `/customers/${encodeURIComponent(call.id)}/${name}`, {
      type: call.query.get('type'),
      ...rangeIn(call, 'since', 'until', Date.parse),
    });
}

async function readPage(
  { ask, query }: Call,
  path: string,
  filters: Readonly<Record<string, string | null>>,
): Promise<Page> {
  const offset = readCursor(query.get('cursor'));
  const limit = Math.min(countIn(query, 'limit', 1, defaultLimit), maxLimit);
  const { records, total } = await readWindow(ask, path, { offset, limit }, filters);
  const end = offset + records.length;
  const nextCursor = records.length > 0 && end < total ? Buffer.from(`next:${end}`).toString('base64url') : null;
  return { records: records.map(toRecord), meta: { next_cursor: nextCursor, total } };
}

function readCursor(cursor: string | null): number {
  if (cursor === null) return 0;
  const offset = /^next:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))?.[1];
  if (offset !== undefined) return Number(offset);
  throw createRefusal({ status: 400, message: 'The cursor is not one of this list.' });
}

const amountNames = new Set(['amount', 'balance', 'available_balance']);

/** A record of the embedded bank under this dialect's names, with its amounts and times. */
function toRecord(record: unknown): unknown {
  const entries = Object.entries(record as BankRecord); // the embedded bank answers records here
  return Object.fromEntries(entries.map(([name, value]) => [toName(name), toValue(name, value)]));
}

function toName(name: string): string {
  return name === 'dob' ? 'dateOfBirth' : name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function toValue(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (amountNames.has(name)) return Number(value.replace('.', ''));
  return name.endsWith('_at') ? value.replace(/\.(\d{3})Z$/, '.$1000Z') : value;
}

/** Whole minor units as the embedded bank's major ones; anything else as text that it refuses. */
function fromMinor(amount: unknown): string {
  const text = String(amount);
  if (!/^\d{1,18}$/.test(text)) return 'no amount';
  const digits = text.replace(/^0+/, '').padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function accept(result: unknown): Reply {
  const isPage = typeof result === 'object' && result !== null && 'records' in result;
  if (!isPage) return { json: { status: 'success', data: result } };
  const { records, meta } = result as Page; // only `readPage` makes records
  return { json: { status: 'success', data: records, meta } };
}

function refuse({ status, message, errors }: Refusal): Reply {
  return { status, json: { status: 'error', message, ...(errors === undefined ? {} : { errors }) } };
}
