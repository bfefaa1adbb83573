import type { ZodType } from 'zod';

import { accept, refuse, refuseFields, type Answer } from './answer.ts';
import type { OperationName } from './operations.ts';
import type { Fields, Page, Records, Row, Window } from './data/records.ts';
import { createId, type Store } from './data/store.ts';
import {
  check,
  customerChanges,
  customerInput,
  listQuery,
  oneTimeAccountInput,
  settlementBankChanges,
  settlementBankInput,
  virtualAccountInput,
} from './validate.ts';

/** One call as its merchant made it; `id` is empty where the path has none. */
interface Call {
  readonly merchant: string;
  readonly id: string;
  readonly query: unknown;
  readonly body: unknown;
}

type Handler = (call: Call) => Answer;

const now = (): string => new Date().toISOString();

const acceptPage = ({ rows, total }: Page, { page, perPage }: Window): Answer =>
  accept('List fetched.', {
    current_page: page,
    data: rows,
    last_page: Math.max(1, Math.ceil(total / perPage)),
    per_page: perPage,
    total,
  });

/** Answers a list; a query with a bad window is refused. */
const answerList = (
  query: unknown,
  read: (filters: { readonly search: string | null; readonly type: string | null }, window: Window) => Page,
): Answer => {
  const checked = check(listQuery, query);
  if ('errors' in checked) return refuseFields(checked.errors);
  const { page, per_page: perPage, search = null, type = null } = checked.value;
  return acceptPage(read({ search, type }, { page, perPage }), { page, perPage });
};

interface Collection {
  readonly noun: string;
  readonly idPrefix: string;
  readonly records: Records;
  readonly input: ZodType<Fields>;
  readonly changes: ZodType<Fields>;
  /** The field that a duplicate is reported at, and in words what is taken. */
  readonly unique: { readonly field: string; readonly words: string };
}

/** The four operations that settlement banks and customers have in common. */
const createCollectionHandlers = ({ noun, idPrefix, records, input, changes, unique }: Collection) => {
  const missing = refuse(404, `There is no such ${noun}.`);
  const taken = `The ${unique.words} has already been taken.`;
  const duplicate = refuse(409, taken, { [unique.field]: [taken] });
  const list: Handler = ({ merchant, query }) =>
    answerList(query, ({ search }, window) => records.list(merchant, search, window));
  const get: Handler = ({ merchant, id }) => {
    const record = records.find(merchant, id);
    return record === undefined ? missing : accept(`The ${noun} was fetched.`, record);
  };
  const create: Handler = ({ merchant, body }) => {
    const checked = check(input, body);
    if ('errors' in checked) return refuseFields(checked.errors);
    const record = records.insert(merchant, createId(idPrefix), checked.value, now());
    return record === undefined ? duplicate : accept(`The ${noun} was created.`, record, 201);
  };
  const update: Handler = ({ merchant, id, body }) => {
    if (records.find(merchant, id) === undefined) return missing;
    const checked = check(changes, body);
    if ('errors' in checked) return refuseFields(checked.errors);
    const record = records.update(merchant, id, checked.value, now());
    return record === undefined ? duplicate : accept(`The ${noun} was updated.`, record);
  };
  return { list, get, create, update };
};

const oneTimeAccountLifeMs = 30 * 60_000;

/** What hangs below a customer; each handler is given the customer, and another merchant's is not found. */
const createCustomerHandlers = ({ customers, ledger }: Store) => {
  const ofCustomer =
    (handle: (call: Call, customer: Row) => Answer): Handler =>
    (call) => {
      const customer = customers.find(call.merchant, call.id);
      return customer === undefined ? refuse(404, 'There is no such customer.') : handle(call, customer);
    };
  const openAccount = (idPrefix: string, customer: Row) => ({
    customer: String(customer['id']),
    id: createId(idPrefix),
    accountName: [customer['first_name'], customer['last_name']].join(' '),
    now: now(),
  });
  const balance = ofCustomer(({ id }) => {
    const { amount } = ledger.balance(id);
    return accept('The balance was fetched.', { balance: amount, available_balance: amount });
  });
  const transactions = ofCustomer(({ id, query }) =>
    answerList(query, ({ type }, window) => ledger.listTransactions(id, type, window)),
  );
  const virtualAccounts = ofCustomer(({ id, query }) =>
    answerList(query, (_filters, window) => ledger.listVirtualAccounts(id, window)),
  );
  const createVirtualAccount = ofCustomer(({ body }, customer) => {
    const checked = check(virtualAccountInput, body);
    if ('errors' in checked) return refuseFields(checked.errors);
    return accept('The account was created.', ledger.insertVirtualAccount(openAccount('acc', customer)), 201);
  });
  const createOneTimeAccount = ofCustomer(({ body }, customer) => {
    const checked = check(oneTimeAccountInput, body);
    if ('errors' in checked) return refuseFields(checked.errors);
    const account = openAccount('ota', customer);
    const expiresAt = new Date(Date.parse(account.now) + oneTimeAccountLifeMs).toISOString();
    const amountKobo = checked.value.amount ?? null;
    return accept('The account was created.', ledger.insertOneTimeAccount({ ...account, amountKobo, expiresAt }), 201);
  });
  return { balance, transactions, virtualAccounts, createVirtualAccount, createOneTimeAccount };
};

/** What each operation does, over one store. */
export const createHandlers = (store: Store): Readonly<Record<OperationName, Handler>> => {
  const settlementBank = createCollectionHandlers({
    noun: 'settlement bank',
    idPrefix: 'stb',
    records: store.settlementBanks,
    input: settlementBankInput,
    changes: settlementBankChanges,
    unique: { field: 'account_no', words: 'account number at this bank' },
  });
  const customer = createCollectionHandlers({
    noun: 'customer',
    idPrefix: 'cus',
    records: store.customers,
    input: customerInput,
    changes: customerChanges,
    unique: { field: 'reference', words: 'reference' },
  });
  const below = createCustomerHandlers(store);
  return {
    storeSettlementBank: settlementBank.create,
    listSettlementBanks: settlementBank.list,
    getSettlementBank: settlementBank.get,
    updateSettlementBank: settlementBank.update,
    createCustomer: customer.create,
    listCustomers: customer.list,
    getCustomer: customer.get,
    updateCustomer: customer.update,
    getCustomerBalance: below.balance,
    listCustomerTransactions: below.transactions,
    listCustomerVirtualAccounts: below.virtualAccounts,
    createCustomerVirtualAccount: below.createVirtualAccount,
    createCustomerOneTimeAccount: below.createOneTimeAccount,
  };
};
