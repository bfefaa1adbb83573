import type { Reply } from '../upstream/upstream.ts';
import { countIn, createRefusal, fieldsOf, inBankNames, readWindow, rename, startTranslator } from './translate.ts';
import type { BankRecord, Call, Dialect, Names, Refusal, Route } from './translate.ts';

const mediaType = 'application/vnd.api+json';
const defaultSize = 15;
const maxSize = 50;

/**
 * Dialect five, in the manner of JSON:API over a payment processor: records of a type with their fields as attributes and
 * their customer as a relationship, bracketed parameters, numbered pages told by `meta.pageCount`, transactions by a
 * cursor inside a next link, errors as a list with pointers, whole amounts in kobo, `active` beside texts as statuses,
 * mixed spellings, and times with a zone without a colon.
 */
export function startDialectFive(): Promise<Dialect> {
  return startTranslator({ routes, mediaType, accept, refuse });
}

const times: Names = { created_at: 'createdAt', updated_at: 'updatedAt', expires_at: 'expiresAt' };
const bankNames: Names = {
  ...times,
  name: 'label',
  account_no: 'accountNumber',
  account_name: 'accountName',
  bank_code: 'bankCode',
  bank_slug: 'bankSlug',
};
const customerNames: Names = {
  ...times,
  first_name: 'firstName',
  last_name: 'lastName',
  phone: 'phoneNumber',
  dob: 'birthDate',
  reference: 'customer_code',
  type: 'segment',
  status: 'active',
  collection_wallet: 'walletId',
};
const transactionNames: Names = {
  ...times,
  created_at: 'paid_at',
  type: 'direction',
  narration: 'remarks',
};
const accountNames: Names = {
  ...times,
  account_number: 'accountNumber',
  account_name: 'accountName',
  bank_name: 'bankName',
  bank_code: 'bankCode',
  status: 'active',
};
const sentNames: Names = { ...bankNames, ...customerNames };

const statuses = new Map<unknown, string>([['successful', 'success']]);
const flows = new Map<unknown, string>([
  ['credit', 'inflow'],
  ['debit', 'outflow'],
]);

const escape = encodeURIComponent;

const toBank = (record: unknown) => toResource('settlement-banks', rename(record, bankNames, toValue));
const toCustomer = (record: unknown) => toResource('customers', rename(record, customerNames, toValue));
const toTransaction = (customer: string) => (record: unknown) => {
  const { direction, ...rest } = rename(record, transactionNames, toValue);
  return toResource('transactions', { ...rest, direction: flows.get(direction), currency: 'NGN' }, customer);
};
const toAccount = (type: string, customer: string) => (record: unknown) =>
  toResource(type, rename(record, accountNames, toValue), customer);

const routes: readonly Route[] = [
  ['GET', '/settlement-banks', (call) => readPage(call, '/settlement-banks/', toBank)],
  ['POST', '/settlement-banks', write('POST', '/settlement-banks/', bankNames, toBank)],
  ['GET', '/settlement-banks/{id}', async ({ ask, id }) => toBank(await ask('GET', `/settlement-banks/${escape(id)}`))],
  ['PATCH', '/settlement-banks/{id}', write('PATCH', '/settlement-banks/', bankNames, toBank)],
  ['GET', '/customers', (call) => readPage(call, '/customers/', toCustomer)],
  ['POST', '/customers', write('POST', '/customers/', customerNames, toCustomer)],
  ['GET', '/customers/{id}', async ({ ask, id }) => toCustomer(await ask('GET', `/customers/${escape(id)}`))],
  ['PATCH', '/customers/{id}', write('PATCH', '/customers/', customerNames, toCustomer)],
  ['GET', '/customers/{id}/balance', readBalance],
  ['GET', '/customers/{id}/transactions', readTransactions],
  ['GET', '/dedicated-accounts', readAccounts],
  ['POST', '/customers/{id}/dedicated-accounts', open('virtual-accounts', 'dedicated-accounts')],
  ['POST', '/customers/{id}/transient-accounts', open('one-time-accounts', 'transient-accounts')],
];

/** A resource object, which belongs to a customer where one is given. */
function toResource(type: string, { id, ...attributes }: BankRecord, customer?: string): BankRecord {
  const related = { relationships: { customer: { data: { type: 'customers', id: customer } } } };
  return {
    type,
    id,
    attributes,
    ...(customer === undefined ? {} : related),
    links: { self: `/${type}/${String(id)}` },
  };
}

/** The attributes of a resource object of this type; any other body is refused. */
function attributesOf(body: string, type: string): string {
  const { data } = fieldsOf(body);
  const { type: given, attributes } = fieldsOf(JSON.stringify(data ?? null));
  if (given !== type) throw createRefusal({ status: 409, message: `The type must be ${type}.` });
  return JSON.stringify(attributes ?? {});
}

function write(method: string, path: string, names: Names, toItem: (record: unknown) => BankRecord): Route[2] {
  const type = path.slice(1, -1);
  return async ({ ask, id, body }) =>
    toItem(await ask(method, path + escape(id), inBankNames(attributesOf(body, type), names)));
}

function open(bankName: string, type: string): Route[2] {
  return async ({ ask, id, body }) => {
    const { amount, ...rest } = fieldsOf(attributesOf(body, type));
    const sent = amount === undefined ? rest : { ...rest, amount: fromKobo(amount) };
    return toAccount(type, id)(await ask('POST', `/customers/${escape(id)}/${bankName}`, JSON.stringify(sent)));
  };
}

async function readBalance({ ask, id }: Call): Promise<BankRecord> {
  const { balance } = (await ask('GET', `/customers/${escape(id)}/balance`)) as BankRecord; // the embedded bank answers a balance here
  const amounts = { availableBalance: toKobo(balance), ledgerBalance: toKobo(balance), currency: 'NGN' };
  return toResource('balances', { id: `balance-of-${id}`, ...amounts }, id);
}

/** A page with what stands beside its records, told apart from a record by its list. */
interface Page {
  readonly data: readonly unknown[];
  readonly meta?: object;
  readonly links: object;
}

async function readPage({ ask, query }: Call, path: string, toItem: (record: unknown) => BankRecord): Promise<Page> {
  const page = countIn(query, 'page[number]', 1, 1);
  const perPage = Math.min(countIn(query, 'page[size]', 1, defaultSize), maxSize);
  const skipped = (page - 1) * perPage;
  const filters = { search: query.get('filter[query]') };
  const { records, total } = await readWindow(ask, path, { offset: skipped, limit: perPage }, filters);
  const pageCount = Math.ceil(total / perPage);
  const linkTo = (number: number): string =>
    `https://api.example/v3?page%5Bnumber%5D=${number}&page%5Bsize%5D=${perPage}`;
  return {
    data: records.map(toItem),
    meta: { total, skipped, perPage, page, pageCount },
    links: { first: linkTo(1), next: page < pageCount ? linkTo(page + 1) : null },
  };
}

function readAccounts(call: Call): Promise<Page> {
  const customer = call.query.get('filter[customer]') ?? '';
  return readPage(call, `/customers/${escape(customer)}/virtual-accounts`, toAccount('dedicated-accounts', customer));
}

/** Transactions follow the cursor in their next link, and say how many there are. */
async function readTransactions({ ask, id, query }: Call): Promise<Page> {
  const offset = Number(/^tx-(\d{1,6})$/.exec(query.get('page[after]') ?? 'tx-0')?.[1] ?? 0);
  const limit = Math.min(countIn(query, 'page[size]', 1, defaultSize), maxSize);
  const wanted = query.get('filter[direction]');
  const type = wanted === null ? null : ([...flows].find(([, direction]) => direction === wanted)?.[0] ?? 'unknown');
  const path = `/customers/${escape(id)}/transactions`;
  const { records, total } = await readWindow(ask, path, { offset, limit }, { type: type as string | null });
  const end = offset + limit;
  const next = end < total ? { next: `https://api.example/v3?page%5Bsize%5D=${limit}&page%5Bafter%5D=tx-${end}` } : {};
  return { data: records.map(toTransaction(id)), meta: { total }, links: { self: 'https://api.example/v3', ...next } };
}

function toValue(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (name === 'amount') return toKobo(value);
  if (name === 'status') return value === 'active' ? true : (statuses.get(value) ?? value);
  return name.endsWith('_at') ? value.replace(/Z$/, '+0000') : value;
}

function toKobo(amount: unknown): number {
  return Number(String(amount).replace('.', ''));
}

function fromKobo(amount: unknown): string {
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount)) return 'no whole number';
  const digits = String(amount).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function accept(result: unknown): Reply {
  const isPage = typeof result === 'object' && result !== null && 'data' in result;
  return { json: isPage ? { jsonapi: { version: '1.1' }, ...result } : { jsonapi: { version: '1.1' }, data: result } };
}

const titles = new Map([
  [401, 'Unauthorized'],
  [404, 'Not found'],
  [409, 'Conflict'],
  [422, 'Unprocessable'],
]);

/** One error for each field, with a pointer into the document that was sent; duplicates are 422 as well, with a code. */
function refuse({ status, message, errors }: Refusal): Reply {
  const isDuplicate = status === 409;
  const shown = isDuplicate ? 422 : status;
  const common = {
    status: String(shown),
    code: isDuplicate ? 'value_taken' : `e${status}`,
    title: titles.get(shown) ?? 'Error',
  };
  const fields = Object.entries((errors ?? {}) as Readonly<Record<string, readonly string[]>>); // sentences by field
  const entries = fields.map(([name, [text = '']]) => ({
    ...common,
    detail: isDuplicate ? 'Belongs to another resource.' : text,
    source: { pointer: `/data/attributes/${sentNames[name] ?? name}` },
  }));
  return { status: shown, json: { errors: entries.length === 0 ? [{ ...common, detail: message }] : entries } };
}
