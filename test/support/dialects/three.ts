import type { Reply } from '../upstream/upstream.ts';
import {
  countIn,
  createRefusal,
  inBankNames,
  rangeIn,
  readWindow,
  rename,
  startTranslator,
  withAmount,
} from './translate.ts';
import type { BankRecord, Call, Dialect, Names, Refusal, Route } from './translate.ts';

const defaultLimit = 10;
const parameters = new Set(['limit', 'starting_after', 'query', 'type', 'created[gte]', 'created[lte]']);
const maxLimit = 100;

/**
 * Dialect three, in the manner of a card processor: bare records that name their kind, lists with `has_more` and the last
 * record's id as cursor, updates by POST, one nested error object with a code and a parameter, refusals as 402, moments
 * in seconds, statuses as booleans, unknown parameters refused, account numbers and bank codes as numbers, amounts as whole minor units, and a
 * balance in two currencies.
 */
export function startDialectThree(): Promise<Dialect> {
  return startTranslator({ routes, accept: (json) => ({ json }), refuse });
}

const times: Names = { created_at: 'created', updated_at: 'updated', expires_at: 'expires' };
const bankNames: Names = {
  ...times,
  account_no: 'account_number',
  account_name: 'holder_name',
  bank_slug: 'slug',
};
const customerNames: Names = {
  ...times,
  dob: 'date_of_birth',
  type: 'category',
  status: 'active',
  collection_wallet: 'wallet',
};
const transactionNames: Names = { ...times, narration: 'description' };
const accountNames: Names = { ...times, account_name: 'holder_name', bank_name: 'institution', status: 'active' };
const kinds = new Map<unknown, string>([
  ['credit', 'payment'],
  ['debit', 'payout'],
]);

const routes: readonly Route[] = [
  [
    'GET',
    '/settlement-banks',
    (call) => readPage(call, '/settlement-banks/', { search: call.query.get('query') }, toBank),
  ],
  ['POST', '/settlement-banks', writeBank('POST')],
  ['GET', '/settlement-banks/{id}', async ({ ask, id }) => toBank(await ask('GET', `/settlement-banks/${escape(id)}`))],
  ['POST', '/settlement-banks/{id}', writeBank('PATCH')],
  ['GET', '/customers', (call) => readPage(call, '/customers/', { search: call.query.get('query') }, toCustomer)],
  ['POST', '/customers', writeCustomer('POST')],
  ['GET', '/customers/{id}', async ({ ask, id }) => toCustomer(await ask('GET', `/customers/${escape(id)}`))],
  ['POST', '/customers/{id}', writeCustomer('PATCH')],
  ['GET', '/customers/{id}/balance', readBalance],
  [
    'GET',
    '/customers/{id}/transactions',
    (call) => readPage(call, below(call, 'transactions'), { type: kindOf(call), ...secondsOf(call) }, toTransaction),
  ],
  ['GET', '/customers/{id}/virtual_accounts', (call) => readPage(call, below(call, 'virtual-accounts'), {}, toAccount)],
  ['POST', '/customers/{id}/virtual_accounts', open('virtual-accounts')],
  ['POST', '/customers/{id}/one_time_accounts', open('one-time-accounts')],
];

const escape = encodeURIComponent;

function below({ id }: Call, name: string): string {
  return `/customers/${escape(id)}/${name}`;
}

function writeBank(method: 'POST' | 'PATCH'): Route[2] {
  return async ({ ask, id, body }) =>
    toBank(await ask(method, `/settlement-banks/${escape(id)}`, inBankNames(body, bankNames)));
}

function writeCustomer(method: 'POST' | 'PATCH'): Route[2] {
  const names = { ...customerNames, first_name: 'given_name', last_name: 'family_name' };
  return async ({ ask, id, body }) =>
    toCustomer(await ask(method, `/customers/${escape(id)}`, inBankNames(body, names)));
}

function open(name: string): Route[2] {
  const fromMinor = (amount: unknown): string => {
    if (typeof amount !== 'number' || !Number.isSafeInteger(amount)) return 'no whole number';
    const digits = String(amount).padStart(3, '0');
    return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  };
  return async (call) => toAccount(await call.ask('POST', below(call, name), withAmount(call.body, fromMinor)));
}

async function readBalance(call: Call): Promise<unknown> {
  const { balance } = (await call.ask('GET', below(call, 'balance'))) as BankRecord; // the embedded bank answers a balance here
  return {
    object: 'balance',
    available: [
      { currency: 'USD', amount: 0 },
      { currency: 'NGN', amount: toMinor(balance) },
    ],
  };
}

async function readPage(
  { ask, query }: Call,
  path: string,
  filters: Readonly<Record<string, string | null>>,
  toItem: (record: unknown) => BankRecord,
): Promise<unknown> {
  const unknown = [...query.keys()].find((name) => !parameters.has(name));
  if (unknown !== undefined)
    throw createRefusal({ status: 400, message: 'A parameter is unknown.', errors: { [unknown]: ['Is unknown.'] } });
  const limit = Math.min(countIn(query, 'limit', 1, defaultLimit), maxLimit);
  const all: BankRecord[] = [];
  for (let total = 1; all.length < total;) {
    const window = await readWindow(ask, path, { offset: all.length, limit: maxLimit }, filters);
    total = window.total;
    all.push(...window.records);
  }
  const after = query.get('starting_after');
  const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (after !== null && start === 0)
    throw createRefusal({ status: 422, message: 'No such record.', errors: { starting_after: ['No such record.'] } });
  const records = all.slice(start, start + limit);
  return {
    object: 'list',
    data: records.map(toItem),
    has_more: start + limit < all.length,
    total_count: all.length,
    url: '/v1/list',
  };
}

/** A second that is included is given whole. */
const secondsOf = (call: Call) => rangeIn(call, 'created[gte]', 'created[lte]', (text) => Number(text) * 1000, 1000);

/** The embedded bank's word for the direction asked for. */
function kindOf({ query }: Call): string | null {
  const kind = query.get('type');
  return kind === null
    ? null
    : (([...kinds].find(([, word]) => word === kind)?.[0] as string | undefined) ?? 'unknown');
}

function toBank(record: unknown): BankRecord {
  return { object: 'settlement_bank', ...rename(record, bankNames, toValue) };
}

function toCustomer(record: unknown): BankRecord {
  const { first_name, last_name, email, phone, reference, ...rest } = rename(record, customerNames, toValue);
  return {
    object: 'customer',
    ...rest,
    name: { first: first_name, last: last_name },
    contact: { email, phone },
    metadata: { reference },
  };
}

function toTransaction(record: unknown): BankRecord {
  const { type, ...rest } = rename(record, transactionNames, toValue);
  return { object: 'transaction', ...rest, type: kinds.get(type) };
}

function toAccount(record: unknown): BankRecord {
  return { object: 'account', ...rename(record, accountNames, toValue) };
}

const numbers = new Set(['account_no', 'account_number', 'bank_code']);

function toValue(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (name === 'amount') return toMinor(value);
  if (name.endsWith('_at')) return Math.floor(Date.parse(value) / 1000);
  if (numbers.has(name)) return Number(value);
  return name === 'status' && value === 'active' ? true : value;
}

function toMinor(amount: unknown): number {
  return Number(String(amount).replace('.', ''));
}

/** Refusals are 402, duplicates 400 with their code; one field is named, as in a form. */
function refuse({ status, message, errors }: Refusal): Reply {
  const [field] = Object.entries((errors ?? {}) as Readonly<Record<string, readonly string[]>>); // sentences by field
  const param = field === undefined ? undefined : (sentNames[field[0]] ?? field[0]);
  const isDuplicate = status === 409;
  const error = {
    type: status >= 500 ? 'api_error' : 'invalid_request_error',
    code: isDuplicate ? 'resource_conflict' : 'parameter_invalid',
    message: isDuplicate ? 'Another record has this value.' : (field?.[1][0] ?? message),
    ...(param === undefined ? {} : { param }),
  };
  const statuses = new Map([
    [409, 400],
    [422, 402],
  ]);
  return { status: statuses.get(status) ?? status, json: { error } };
}

const sentNames: Names = { ...bankNames, ...customerNames, first_name: 'given_name', last_name: 'family_name' };
