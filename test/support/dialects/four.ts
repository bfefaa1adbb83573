import type { Reply } from '../upstream/upstream.ts';
import { fieldsOf, inBankNames, rangeIn, readWindow, rename, startTranslator } from './translate.ts';
import type { BankRecord, Call, Dialect, Names, Refusal, Route } from './translate.ts';

const pageSize = 25;
const zoneOffsetMs = 3_600_000;

/**
 * Dialect four, in the manner of a core banking system: a media type of its own, records wrapped one by one, pages of a
 * fixed size counted from 0 with next links, identifiers in queries and bodies, a balance and a search by POST, failures
 * as a key inside HTTP 200, local times without a zone, statuses as numbers, 202 to openings and 204 to updates.
 */
export function startDialectFour(): Promise<Dialect> {
  return startTranslator({ routes, mediaType: 'application/vnd.core+json', accept, refuse });
}

const customerNames: Names = {
  reference: 'external_reference',
  first_name: 'given_name',
  last_name: 'family_name',
  email: 'email_address',
  phone: 'mobile',
  dob: 'date_of_birth',
  type: 'category',
  status: 'state',
  collection_wallet: 'wallet_id',
  created_at: 'date_created',
  updated_at: 'last_modified',
};
const bankNames: Names = {
  account_no: 'nuban',
  account_name: 'account_holder',
  bank_code: 'institution_code',
  bank_slug: 'slug',
  created_at: 'date_created',
  updated_at: 'last_modified',
};
const transactionNames: Names = {
  id: 'uuid',
  reference: 'ref',
  narration: 'remark',
  type: 'kind',
  status: 'state',
  created_at: 'date_created',
};
const accountNames: Names = {
  account_number: 'nuban',
  account_name: 'account_holder',
  bank_name: 'institution',
  bank_code: 'institution_code',
  status: 'state',
  created_at: 'date_created',
  expires_at: 'expires_on',
};

const states = new Map<unknown, number>([
  ['active', 1],
  ['successful', 2],
]);
const kinds = new Map<unknown, string>([
  ['credit', 'cr'],
  ['debit', 'dr'],
]);

const toCustomer = (record: unknown) => ({ customer: rename(record, customerNames, toValue) });
const toBank = (record: unknown) => rename(record, bankNames, toValue);
const toAccount = (record: unknown) => rename(record, accountNames, toValue);
const toEntry = (record: unknown) => {
  const entry = rename(record, transactionNames, toValue);
  return { entry: { ...entry, kind: kinds.get(entry['kind']) } };
};

const byId = ({ query }: Call): string => `/customers/${encodeURIComponent(query.get('id') ?? '')}`;
const below = (call: Call, name: string): string =>
  `/customers/${encodeURIComponent(call.query.get('customer') ?? '')}/${name}`;

const routes: readonly Route[] = [
  [
    'POST',
    '/banks',
    async ({ ask, body }) => toBank(await ask('POST', '/settlement-banks/', inBankNames(body, bankNames))),
  ],
  ['POST', '/banks/search', searchBanks],
  [
    'GET',
    '/banks/{id}',
    async ({ ask, id }) => toBank(await ask('GET', `/settlement-banks/${encodeURIComponent(id)}`)),
  ],
  ['POST', '/banks/update', updateBank],
  ['POST', '/customers', createCustomer],
  ['GET', '/customers', (call) => readPage(call, '/customers/', { search: call.query.get('q') }, toCustomer)],
  ['GET', '/customers/find', async (call) => toCustomer(await call.ask('GET', byId(call)))],
  ['POST', '/customers/update', updateCustomer],
  ['POST', '/balance-enquiries', enquireBalance],
  [
    'GET',
    '/transactions',
    (call) => readPage(call, below(call, 'transactions'), { type: kindOf(call), ...daysOf(call) }, toEntry),
  ],
  ['GET', '/accounts', (call) => readPage(call, below(call, 'virtual-accounts'), {}, toAccount)],
  ['POST', '/accounts', (call) => openAccount(call, 'virtual-accounts')],
  ['POST', '/one-time-accounts', (call) => openAccount(call, 'one-time-accounts')],
];

async function createCustomer({ ask, body }: Call): Promise<unknown> {
  const { customer } = fieldsOf(body);
  return toCustomer(await ask('POST', '/customers/', inBankNames(JSON.stringify(customer), customerNames)));
}

async function updateCustomer({ ask, body }: Call): Promise<unknown> {
  const { customer_id: id, customer } = fieldsOf(body);
  const changes = inBankNames(JSON.stringify(customer), customerNames);
  await ask('PATCH', `/customers/${encodeURIComponent(String(id))}`, changes);
  return nothing;
}

async function updateBank({ ask, body }: Call): Promise<unknown> {
  const { bank_id: id, ...changes } = fieldsOf(body);
  const path = `/settlement-banks/${encodeURIComponent(String(id))}`;
  return toBank(await ask('PATCH', path, inBankNames(JSON.stringify(changes), bankNames)));
}

async function enquireBalance({ ask, body }: Call): Promise<unknown> {
  const path = `/customers/${encodeURIComponent(String(fieldsOf(body)['customer_id']))}/balance`;
  const { balance } = (await ask('GET', path)) as BankRecord; // the embedded bank answers a balance here
  return { current_balance: balance };
}

async function openAccount({ ask, body }: Call, name: string): Promise<Accepted> {
  const { customer_id: id, ...fields } = fieldsOf(body);
  const path = `/customers/${encodeURIComponent(String(id))}/${name}`;
  return { accepted: toAccount(await ask('POST', path, JSON.stringify(fields))) };
}

function searchBanks(call: Call): Promise<Page> {
  const { page, q } = fieldsOf(call.body);
  const query = new URLSearchParams(typeof page === 'number' ? { page: `${page}` } : {});
  return readPage({ ...call, query }, '/settlement-banks/', { search: typeof q === 'string' ? q : null }, toBank);
}

/** The answer to an opening, which is 202. */
interface Accepted {
  readonly accepted: unknown;
}
/** The answer to an update of a customer, which is 204. */
const nothing = Symbol('no body');

/** A page, told apart from a record because its envelope holds more. */
interface Page {
  readonly results: readonly unknown[];
  readonly paging: object;
  readonly links: { readonly next: string | null };
}

async function readPage(
  { ask, query }: Call,
  path: string,
  filters: Readonly<Record<string, string | null>>,
  toItem: (record: BankRecord) => unknown,
): Promise<Page> {
  const page = Number(/^\d{1,6}$/.exec(query.get('page') ?? '0')?.[0] ?? 0);
  const { records, total } = await readWindow(ask, path, { offset: page * pageSize, limit: pageSize }, filters);
  const pages = Math.ceil(total / pageSize);
  return {
    results: records.map(toItem),
    paging: { page, page_size: pageSize, total_pages: pages, total_records: total },
    links: { next: page + 1 < pages ? `https://core.example/internal?page=${page + 1}` : null },
  };
}

/** Days of the service's zone, the last one included. */
const daysOf = (call: Call) =>
  rangeIn(call, 'from', 'to', (text) => Date.parse(`${text}T00:00:00Z`) - zoneOffsetMs, 86_400_000);

/** The embedded bank's word for the direction asked for. */
function kindOf({ query }: Call): string | null {
  const kind = query.get('kind');
  return kind === null
    ? null
    : (([...kinds].find(([, word]) => word === kind)?.[0] as string | undefined) ?? 'unknown');
}

function toValue(name: string, value: unknown): unknown {
  if (name === 'status') return states.get(value) ?? 0;
  if (!name.endsWith('_at') || typeof value !== 'string') return value;
  return new Date(Date.parse(value) + zoneOffsetMs).toISOString().slice(0, 19).replace('T', ' ');
}

function accept(result: unknown): Reply {
  if (result === nothing) return { status: 204 };
  const isObject = typeof result === 'object' && result !== null;
  if (isObject && 'results' in result) return { json: result };
  return isObject && 'accepted' in result ? { status: 202, json: { result: result.accepted } } : { json: { result } };
}

const codes = new Map([
  [400, 'F-BODY'],
  [404, 'F-NONE'],
  [409, 'F-TWICE'],
  [422, 'F-FIELDS'],
]);

/** Failures are HTTP 200 but for credentials; duplicates are told by their code alone. */
function refuse({ status, message, errors }: Refusal): Reply {
  const items = Object.entries((errors ?? {}) as Readonly<Record<string, readonly string[]>>); // sentences by field
  const entries = items.map(([name, [text = '']]) => ({
    name: customerNames[name] ?? bankNames[name] ?? name,
    reason: status === 409 ? 'On file with another record.' : text,
  }));
  const text = status === 409 ? 'On file with another record.' : message;
  const fault = { code: codes.get(status) ?? 'F-OTHER', text, ...(entries.length === 0 ? {} : { items: entries }) };
  return { status: status === 401 || status === 403 ? status : 200, json: { fault } };
}
