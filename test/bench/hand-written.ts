/**
 * `hand-written PORT UPSTREAM`: the service that a team would write by hand for exactly these five questions. It makes
 * the same calls, all at once where it can, checks statuses and envelopes, forwards the caller's credentials, and
 * normalises money and times as the gateway does; it has no schema, no choice of fields, no log and no metrics. It is
 * asked by GET, as a REST service is: the harder rival, since there is no body to read nor a document to find.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Pool } from 'undici';

const [port = '0', upstream = ''] = process.argv.slice(2);
const pool = new Pool(upstream, { connections: 64, pipelining: 1, headersTimeout: 10_000, bodyTimeout: 10_000 });

type Headers = Readonly<Record<string, string>>;

interface Envelope<Data> {
  readonly success: boolean;
  readonly data: Data;
}

interface Page<Item> {
  readonly current_page: number;
  readonly last_page: number;
  readonly total: number;
  readonly data: readonly Item[];
}

type WireRecord = Readonly<Record<string, string | null>>;

interface WireBalance {
  readonly balance: string | number;
  readonly currency?: string;
}

interface WireTransaction extends WireRecord {
  readonly amount: string;
}

async function get<Data>(path: string, headers: Headers): Promise<Data> {
  const { statusCode, body } = await pool.request({ method: 'GET', path: `/api/v1${path}`, headers });
  if (statusCode !== 200) {
    await body.dump();
    throw new Error(`${path} answered ${statusCode}`);
  }
  const envelope = (await body.json()) as Envelope<Data>;
  if (!envelope.success) throw new Error(`${path} failed`);
  return envelope.data;
}

function toMoney(amount: string | number) {
  const [whole = '', fraction = ''] = String(amount).split('.');
  return { amount: `${whole}.${fraction.padEnd(2, '0')}`, currency: 'NGN' };
}

const canonicalTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

function toTime(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  return canonicalTime.test(text) ? text : new Date(text).toISOString();
}

const directions: Readonly<Record<string, string>> = { credit: 'CREDIT', debit: 'DEBIT' };

function toCustomer({ id, first_name, last_name, email, phone, status, created_at }: WireRecord) {
  return {
    id,
    firstName: first_name,
    lastName: last_name,
    email,
    phone,
    status,
    createdAt: toTime(created_at),
  };
}

function toBank({ id, name, account_no, account_name, bank_code, bank_slug, created_at, updated_at }: WireRecord) {
  return {
    id,
    name,
    accountNumber: account_no,
    accountName: account_name,
    bankCode: bank_code,
    bankSlug: bank_slug,
    createdAt: toTime(created_at),
    updatedAt: toTime(updated_at),
  };
}

function toTransaction({ id, narration, type, amount, created_at }: WireTransaction) {
  return {
    id,
    narration,
    type,
    direction: directions[String(type)] ?? 'UNKNOWN',
    amount: toMoney(amount),
    createdAt: toTime(created_at),
  };
}

function toAccount({ id, account_number, account_name, bank_name, status }: WireRecord) {
  return { id, accountNumber: account_number, accountName: account_name, bankName: bank_name, status };
}

function toConnection<Node>({ total, current_page, last_page }: Page<unknown>, nodes: readonly Node[]) {
  return { nodes, totalCount: total, pageInfo: { hasNextPage: current_page < last_page } };
}

class BadRequest extends Error {}

function pageSize(parameters: URLSearchParams): number {
  const first = Number(parameters.get('first') ?? 20);
  if (!Number.isInteger(first) || first < 1 || first > 100) throw new BadRequest('first is a number from 1 to 100');
  return first;
}

async function readBalance(id: string, headers: Headers) {
  const { balance } = await get<WireBalance>(`/customers/${encodeURIComponent(id)}/balance`, headers);
  return { value: toMoney(balance) };
}

async function one(parameters: URLSearchParams, headers: Headers) {
  const id = parameters.get('id') ?? '';
  const [customer, balance] = await Promise.all([
    get<WireRecord>(`/customers/${encodeURIComponent(id)}`, headers),
    readBalance(id, headers),
  ]);
  return { customer: { ...toCustomer(customer), balance } };
}

async function many(parameters: URLSearchParams, headers: Headers) {
  const page = await get<Page<WireRecord>>(`/customers/?page=1&per_page=${pageSize(parameters)}`, headers);
  const nodes = await Promise.all(
    page.data.map(async (customer) => ({
      ...toCustomer(customer),
      balance: await readBalance(String(customer['id']), headers),
    })),
  );
  return { customers: toConnection(page, nodes) };
}

/** What hangs below a customer: three calls at once. */
async function readBelow(id: string, headers: Headers) {
  const path = `/customers/${encodeURIComponent(id)}`;
  const [balance, transactions, accounts] = await Promise.all([
    readBalance(id, headers),
    get<Page<WireTransaction>>(`${path}/transactions?page=1&per_page=10`, headers),
    get<Page<WireRecord>>(`${path}/virtual-accounts?page=1&per_page=5`, headers),
  ]);
  return {
    balance,
    transactions: { nodes: transactions.data.map(toTransaction), totalCount: transactions.total },
    virtualAccounts: { nodes: accounts.data.map(toAccount) },
  };
}

async function screen(parameters: URLSearchParams, headers: Headers) {
  const asked = parameters.get('id') ?? '';
  const [{ id, first_name, last_name }, below] = await Promise.all([
    get<WireRecord>(`/customers/${encodeURIComponent(asked)}`, headers),
    readBelow(asked, headers),
  ]);
  return { customer: { id, firstName: first_name, lastName: last_name, ...below } };
}

async function everything(parameters: URLSearchParams, headers: Headers) {
  const page = await get<Page<WireRecord>>(`/customers/?page=1&per_page=${pageSize(parameters)}`, headers);
  const nodes = await Promise.all(
    page.data.map(async ({ id, first_name, last_name }) => {
      const below = await readBelow(String(id), headers);
      return { id, firstName: first_name, lastName: last_name, ...below };
    }),
  );
  return { customers: toConnection(page, nodes) };
}

async function banks(parameters: URLSearchParams, headers: Headers) {
  const page = await get<Page<WireRecord>>(`/settlement-banks/?page=1&per_page=${pageSize(parameters)}`, headers);
  return { settlementBanks: toConnection(page, page.data.map(toBank)) };
}

const routes: Readonly<Record<string, (parameters: URLSearchParams, headers: Headers) => Promise<unknown>>> = {
  '/one': one,
  '/screen': screen,
  '/many': many,
  '/everything': everything,
  '/banks': banks,
};

function forwarded({ headers }: IncomingMessage): Headers {
  return {
    accept: 'application/json',
    authorization: headers.authorization ?? '',
    SVCPRIVATEKEY: String(headers['svcprivatekey'] ?? ''),
  };
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://service');
  const route = routes[pathname];
  if (route === undefined) {
    outgoing.writeHead(404).end();
    return;
  }
  try {
    const body = JSON.stringify({ data: await route(searchParams, forwarded(incoming)) });
    outgoing.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    outgoing.end(body);
  } catch (error) {
    console.error(error);
    outgoing.writeHead(error instanceof BadRequest ? 400 : 502).end();
  }
}

process.once('SIGINT', () => process.exit(0));
createServer((incoming, outgoing) => void answer(incoming, outgoing)).listen(Number(port), '127.0.0.1');
