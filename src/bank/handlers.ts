import type { ZodObject, ZodType } from 'zod';

import { accept, refuse, type Answer } from './answer.ts';
import type { OperationName } from '../contract/operation-rows.ts';
import type { Page, Records, Row, PageRequest } from './data/records.ts';
import { createId, type Store } from './data/store.ts';
import {
  customerInput,
  listQuery,
  type Filters,
  oneTimeAccountInput,
  settlementBankInput,
  virtualAccountInput,
  withValid,
} from './validate.ts';

/** One authenticated call; `id` is empty where the path has none. */
interface Call {
  readonly merchant: string;
  readonly id: string;
  readonly query: unknown;
  readonly body: unknown;
}

type Handler = (call: Call) => Answer;

const now = (): string => new Date().toISOString();

/** Answers a list; refuses a query with an invalid page or page size. */
const answerList = (query: unknown, read: (filters: Filters, page: PageRequest) => Page): Answer =>
  withValid(listQuery, query, ({ page, per_page: perPage, ...filters }) => {
    const { rows, total } = read(filters, { page, perPage });
    const lastPage = Math.max(1, Math.ceil(total / perPage));
    return accept('List fetched.', { current_page: page, data: rows, last_page: lastPage, per_page: perPage, total });
  });

interface Collection {
  readonly noun: string;
  readonly idPrefix: string;
  readonly records: Records;
  readonly input: ZodObject<Readonly<Record<string, ZodType<string | undefined>>>>;
  /** Where and how a duplicate is reported. */
  readonly unique: { readonly field: string; readonly words: string };
}

/** The four operations that settlement banks and customers share. */
const createCollectionHandlers = ({ noun, idPrefix, records, input, unique }: Collection) => {
  const changes = input.partial();
  const notFound = refuse(404, `There is no such ${noun}.`);
  const message = `The ${unique.words} has already been taken.`;
  const conflict = refuse(409, message, { [unique.field]: [message] });
  const list: Handler = ({ merchant, query }) =>
    answerList(query, ({ search }, page) => records.list(merchant, search, page));
  const get: Handler = ({ merchant, id }) => {
    const record = records.find(merchant, id);
    return record === undefined ? notFound : accept(`The ${noun} was fetched.`, record);
  };
  const create: Handler = ({ merchant, body }) =>
    withValid(input, body, (fields) => {
      const record = records.insert(merchant, createId(idPrefix), fields, now());
      return record === undefined ? conflict : accept(`The ${noun} was created.`, record, 201);
    });
  const update: Handler = ({ merchant, id, body }) => {
    if (records.find(merchant, id) === undefined) return notFound;
    return withValid(changes, body, (fields) => {
      const record = records.update(merchant, id, fields, now());
      return record === undefined ? conflict : accept(`The ${noun} was updated.`, record);
    });
  };
  return { list, get, create, update };
};

const oneTimeAccountLifeMs = 30 * 60_000;

/** The operations below a customer; a customer of another merchant is not found. */
const createCustomerHandlers = ({ customers, ledger }: Store) => {
  const withCustomer =
    (handle: (call: Call, customer: Row) => Answer): Handler =>
    (call) => {
      const customer = customers.find(call.merchant, call.id);
      return customer === undefined ? refuse(404, 'There is no such customer.') : handle(call, customer);
    };
  const toAccount = (idPrefix: string, customer: Row) => ({
    customer: String(customer['id']),
    id: createId(idPrefix),
    accountName: [customer['first_name'], customer['last_name']].join(' '),
    now: now(),
  });
  const balance = withCustomer(({ id }) => {
    const { amount } = ledger.balance(id);
    return accept('The balance was fetched.', { balance: amount, available_balance: amount });
  });
  const transactions = withCustomer(({ id, query }) =>
    answerList(query, (filters, page) => ledger.listTransactions(id, filters, page)),
  );
  const virtualAccounts = withCustomer(({ id, query }) =>
    answerList(query, (_filters, page) => ledger.listVirtualAccounts(id, page)),
  );
  const createVirtualAccount = withCustomer(({ body }, customer) =>
    withValid(virtualAccountInput, body, () =>
      accept('The account was created.', ledger.insertVirtualAccount(toAccount('acc', customer)), 201),
    ),
  );
  const createOneTimeAccount = withCustomer(({ body }, customer) =>
    withValid(oneTimeAccountInput, body, ({ amount: amountKobo = null }) => {
      const account = toAccount('ota', customer);
      const expiresAt = new Date(Date.parse(account.now) + oneTimeAccountLifeMs).toISOString();
      const row = ledger.insertOneTimeAccount({ ...account, amountKobo, expiresAt });
      return accept('The account was created.', row, 201);
    }),
  );
  return { balance, transactions, virtualAccounts, createVirtualAccount, createOneTimeAccount };
};

/** The handlers of all operations, over one store. */
export const createHandlers = (store: Store): Readonly<Record<OperationName, Handler>> => {
  const settlementBank = createCollectionHandlers({
    noun: 'settlement bank',
    idPrefix: 'stb',
    records: store.settlementBanks,
    input: settlementBankInput,
    unique: { field: 'account_no', words: 'account number at this bank' },
  });
  const customer = createCollectionHandlers({
    noun: 'customer',
    idPrefix: 'cus',
    records: store.customers,
    input: customerInput,
    unique: { field: 'reference', words: 'reference' },
  });
  const customerParts = createCustomerHandlers(store);
  return {
    storeSettlementBank: settlementBank.create,
    listSettlementBanks: settlementBank.list,
    getSettlementBank: settlementBank.get,
    updateSettlementBank: settlementBank.update,
    createCustomer: customer.create,
    listCustomers: customer.list,
    getCustomer: customer.get,
    updateCustomer: customer.update,
    getCustomerBalance: customerParts.balance,
    listCustomerTransactions: customerParts.transactions,
    listCustomerVirtualAccounts: customerParts.virtualAccounts,
    createCustomerVirtualAccount: customerParts.createVirtualAccount,
    createCustomerOneTimeAccount: customerParts.createOneTimeAccount,
  };
};
