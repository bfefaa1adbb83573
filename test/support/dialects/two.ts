import type { Reply } from '../upstream/upstream.ts';
import { countIn, readWindow, startTranslator, withAmount } from './translate.ts';
import type { BankRecord, Call, Dialect, Refusal, Route } from './translate.ts';

const defaultLimit = 20;
const maxLimit = 25;
const maxAccounts = 100;

/** The embedded bank's identifiers as numbers, in the order in which they were first seen. */
interface Numbers {
  readonly toNumber: (bankId: unknown) => number;
  /** The escaped identifier that a number stands for; for any other text one that nothing has. */
  readonly toBankId: (text: string) => string;
}

/**
 * Dialect two: every answer is HTTP 200 and its `code` tells success; lists by offset and at most 25 records, nested
 * customers with their virtual accounts inside, numeric identifiers, times without a zone, amounts as JSON numbers in
 * major units, and withdrawals below zero.
 */
export function startDialectTwo(): Promise<Dialect> {
  return startTranslator({ routes: createRoutes(createNumbers()), accept, refuse });
}

function createNumbers(): Numbers {
  const ids: string[] = [];
  const known = new Map<string, number>();
  return {
    toNumber: (bankId) => {
      const id = String(bankId);
      const number = known.get(id) ?? ids.push(id);
      known.set(id, number);
      return number;
    },
    toBankId: (text) => (/^[1-9]\d{0,8}$/.test(text) ? (ids[Number(text) - 1] ?? 'unknown') : 'unknown'),
  };
}

function createRoutes(numbers: Numbers): readonly Route[] {
  const { toPlain, toCustomer, toTransaction } = createMapping(numbers);
  const bankPath = ({ id }: Call): string => `/settlement-banks/${numbers.toBankId(id)}`;
  const customerPath = ({ id }: Call, below = ''): string => `/customers/${numbers.toBankId(id)}${below}`;
  const search = ({ query }: Call) => ({ search: query.get('search') });
  const type = ({ query }: Call) => ({ type: toBankType(query.get('type')) });
  const open =
    (below: string): Route[2] =>
    async (call) =>
      toPlain(await call.ask('POST', customerPath(call, below), withAmount(call.body, String)));
  const plain =
    (method: string, path: (call: Call) => string): Route[2] =>
    async (call) =>
      toPlain(await call.ask(method, path(call), bodyOf(method, call)));
  const customer =
    (method: string, path: (call: Call) => string): Route[2] =>
    async (call) =>
      toCustomer(await call.ask(method, path(call), bodyOf(method, call)), call);
  return [
    ['POST', '/settlement-banks/', plain('POST', () => '/settlement-banks/')],
    ['GET', '/settlement-banks/', (call) => readPage(call, '/settlement-banks/', search(call), toPlain)],
    ['GET', '/settlement-banks/{id}', plain('GET', bankPath)],
    ['PATCH', '/settlement-banks/{id}', plain('PATCH', bankPath)],
    ['POST', '/customers/', customer('POST', () => '/customers/')],
    ['GET', '/customers/', (call) => readPage(call, '/customers/', search(call), (record) => toCustomer(record, call))],
    ['GET', '/customers/{id}', customer('GET', customerPath)],
    ['PATCH', '/customers/{id}', customer('PATCH', customerPath)],
    ['GET', '/customers/{id}/balance', plain('GET', (call) => customerPath(call, '/balance'))],
    [
      'GET',
      '/customers/{id}/transactions',
      (call) => readPage(call, customerPath(call, '/transactions'), type(call), toTransaction),
    ],
    ['POST', '/customers/{id}/virtual-accounts', open('/virtual-accounts')],
    ['POST', '/customers/{id}/one-time-accounts', open('/one-time-accounts')],
  ];
}

function bodyOf(method: string, { body }: Call): string | undefined {
  return method === 'GET' ? undefined : body;
}

async function readPage(
  { ask, query }: Call,
  path: string,
  filters: Readonly<Record<string, string | null>>,
  toItem: (record: BankRecord) => unknown,
): Promise<unknown> {
  const offset = countIn(query, 'offset', 0, 0);
  const limit = Math.min(countIn(query, 'limit', 1, defaultLimit), maxLimit);
  const { records, total } = await readWindow(ask, path, { offset, limit }, filters);
  return { items: await Promise.all(records.map(toItem)), total };
}

const amountNames = new Set(['amount', 'balance', 'available_balance']);

/** How records of the embedded bank look in this dialect. */
function createMapping({ toNumber }: Numbers) {
  const toValue = ([name, value]: [string, unknown]): [string, unknown] => {
    if (name === 'id') return [name, toNumber(value)];
    if (typeof value !== 'string') return [name, value];
    if (amountNames.has(name)) return [name, Number(value)];
    return [name, name.endsWith('_at') ? value.slice(0, 19).replace('T', ' ') : value];
  };
  const toPlain = (record: unknown): BankRecord =>
    Object.fromEntries(Object.entries(record as BankRecord).map(toValue)); // the embedded bank answers records here
  const toTransaction = (record: BankRecord): BankRecord => {
    const { type, amount, ...rest } = toPlain(record);
    return type === 'debit'
      ? { ...rest, type: 'withdrawal', amount: -Number(amount) }
      : { ...rest, type: 'deposit', amount };
  };
  const toCustomer = async (record: unknown, { ask }: Call): Promise<BankRecord> => {
    const { id: bankId } = record as BankRecord; // the embedded bank answers customers here
    const { first_name, last_name, dob, phone, email, collection_wallet, ...rest } = toPlain(record);
    const path = `/customers/${String(bankId)}/virtual-accounts`;
    const accounts = await readWindow(ask, path, { offset: 0, limit: maxAccounts });
    return {
      ...rest,
      profile: { first_name, last_name, dob, phone, email },
      wallet: { collection_wallet },
      virtual_accounts: accounts.records.map(toPlain),
    };
  };
  return { toPlain, toCustomer, toTransaction };
}

const bankTypes = new Map([
  ['deposit', 'credit'],
  ['withdrawal', 'debit'],
]);

function toBankType(type: string | null): string | null {
  return type === null ? null : (bankTypes.get(type) ?? 'unknown');
}

const codes = new Map([
  [400, '40'],
  [401, '41'],
  [403, '43'],
  [404, '44'],
  [409, '49'],
  [422, '42'],
]);

function accept(data: unknown): Reply {
  return { json: { code: '00', message: 'Done.', data } };
}

function refuse({ status, message, errors }: Refusal): Reply {
  return { json: { code: codes.get(status) ?? '99', message, ...(errors === undefined ? {} : { errors }) } };
}
