import { contractRows } from '../../contract/service-rows.ts';
import type { RowId } from '../../contract/contract.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { checkEnvelope } from './check-envelope.ts';
import { checkFields } from './check-fields.ts';
import { checkList } from './check-lists.ts';
import { checkWrite, findRead, isSuccess, readRecord, skipOperation } from './check-paths.ts';
import type { CheckRun } from './check-run.ts';
import { findNode } from './json-shape.ts';

const unknownId = 'settlement-graph-check-unknown';

/**
 * Compares a live service with every row that reading can show, by at most 60 calls, GET and OPTIONS only. Each step uses
 * the contract as corrected by the steps before it.
 */
export async function checkAll(run: CheckRun): Promise<void> {
  const customers = await checkList(run, 'listCustomers');
  await checkFailures(run);
  const customerId = findId(run, 'customer.id', customers?.[0]);
  if (customerId === undefined) skipCustomer(run);
  else await checkCustomer(run, customerId, customers ?? []);

  const banks = await checkList(run, 'listSettlementBanks');
  const bankId = findId(run, 'settlementBank.id', banks?.[0]);
  const bank = bankId === undefined ? undefined : await findRead(run, 'getSettlementBank', bankId, '');
  checkFields(run, 'settlementBank', [...(banks ?? []), ...(bank === undefined ? [] : [readRecord(run, bank)])]);
  if (bankId !== undefined) await checkWrite(run, 'updateSettlementBank', bankId);
  if (run.hasCredential('bearer')) await checkWrite(run, 'storeSettlementBank');
  if (run.hasCredential('privateKey')) await checkWrite(run, 'createCustomer');
  skipOthers(run);
}

/** Provokes failures by an unknown record and by wrong credentials. */
async function checkFailures(run: CheckRun): Promise<void> {
  const contract = run.contract();
  const credentials = contract['getCustomer.credentials'].filter(run.hasCredential);
  if (credentials.length === 0) return;
  const success = await run.probe({ method: 'GET', path: contract['listCustomers.path'], credentials });
  if (!isSuccess(run, success)) return;
  const unknown = { method: 'GET', path: contract['getCustomer.path'], identifier: unknownId } as const;
  const missing = await run.probe({ ...unknown, credentials });
  const denied = await run.probe({ ...unknown, credentials: 'wrong' });
  checkEnvelope(run, success, [
    [missing, 404],
    [denied, 401],
  ]);
}

async function checkCustomer(run: CheckRun, id: string, listed: readonly unknown[]): Promise<void> {
  const single = await findRead(run, 'getCustomer', id, '');
  const record = single === undefined ? undefined : readRecord(run, single);
  checkFields(run, 'customer', record === undefined ? listed : [...listed, record]);
  await checkBalance(run, id, record);
  const transactions = await checkList(run, 'listCustomerTransactions', id);
  checkFields(run, 'transaction', transactions ?? []);
  const accounts = await checkAccounts(run, id, record);
  checkFields(run, 'account', accounts);
  suggestExpiry(run);
  checkDirectionWords(run, transactions ?? []);
  proposeMoney(run, transactions ?? []);
  await checkWrite(run, 'updateCustomer', id);
  await checkWrite(run, 'createCustomerVirtualAccount', id);
  await checkWrite(run, 'createCustomerOneTimeAccount', id);
}

async function checkBalance(run: CheckRun, id: string, customer: unknown): Promise<void> {
  const embedded = run.read('customer.balance', customer);
  if (embedded !== undefined) run.confirm('customer.balance');
  const balance = await findRead(run, 'getCustomerBalance', id, '');
  if (balance !== undefined) {
    const record = readRecord(run, balance);
    checkFields(run, 'balance', [record]);
    proposeUnit(run, 'balance.unit', [run.read('balance.value', record)]);
    return compareBalances(run, embedded, record);
  }
  if (embedded !== undefined) return checkFields(run, 'balance', [embedded]);
  const node = findNode(customer, ['balance', 'availablebalance'], (value) => textOrNumber(value) !== undefined);
  if (node === undefined) return;
  const parent = node.pointer.slice(0, node.pointer.lastIndexOf('/'));
  run.contradict('customer.balance', `the customer carries it at ${parent}`, [parent]);
}

/** One balance in two places: a factor of a hundred between them shows the unit of each. */
function compareBalances(run: CheckRun, embedded: unknown, endpoint: unknown): void {
  const [inside, outside] = [embedded, endpoint].map((record) =>
    Number(textOrNumber(run.read('balance.value', record))),
  );
  if (!inside || !outside) return;
  const row = 'customer.balance.unit';
  const unit = inside === outside * 100 ? 'minor' : outside === inside * 100 ? 'major' : undefined;
  if (unit !== undefined) {
    run.compare(row, unit, 'a factor of a hundred between the customer and the balance endpoint');
    run.proposals.set(
      'balance.unit',
      `${unit === 'minor' ? 'major' : 'minor'}: by comparison with the balance inside the customer`,
    );
  } else if (inside !== outside) run.skip(row, 'the two balances are of different amounts');
  else if (run.contract()[row] === null || run.contract()[row] === run.contract()['balance.unit']) run.confirm(row);
  else run.contradict(row, 'the customer and the balance endpoint carry the same amount', null);
}

/** The accounts of a customer, from their list or from the customer's record. */
async function checkAccounts(run: CheckRun, id: string, customer: unknown): Promise<readonly unknown[]> {
  const accounts = run.read('customer.virtualAccounts', customer);
  if (Array.isArray(accounts)) {
    run.confirm('customer.virtualAccounts');
    return accounts;
  }
  const listed = await checkList(run, 'listCustomerVirtualAccounts', id);
  if (listed !== undefined) return listed;
  const node = findNode(customer, ['virtualaccounts', 'accounts', 'bankaccounts'], Array.isArray);
  if (node === undefined || !Array.isArray(node.value)) return [];
  run.contradict('customer.virtualAccounts', `the customer carries them at ${node.pointer}`, [node.pointer]);
  return node.value;
}

/** No read returns a one-time account, so its `expiresAt` is assumed to be spelt like `createdAt`. */
function suggestExpiry(run: CheckRun): void {
  const pointers = run.contract()['account.expiresAt'];
  const isCamelCase = run.contract()['account.createdAt'].includes('/createdAt');
  if (isCamelCase && !pointers.includes('/expiresAt')) run.suggest('account.expiresAt', [...pointers, '/expiresAt']);
}

/** A type without any of the words is no contradiction: its direction is UNKNOWN. */
function checkDirectionWords(run: CheckRun, transactions: readonly unknown[]): void {
  const types = transactions.map((record) => run.read('transaction.type', record));
  const words = new Set(types.flatMap((type) => (typeof type === 'string' ? type.toLowerCase().split(/[^a-z]+/) : [])));
  for (const row of ['transaction.creditWords', 'transaction.debitWords'] as const) {
    if (run.contract()[row].some((word) => words.has(word))) run.confirm(row);
    else run.skip(row, 'no type seen has one of these words');
  }
}

/** Collects evidence about the unit and the currency of transactions. */
function proposeMoney(run: CheckRun, transactions: readonly unknown[]): void {
  const amounts = transactions.map((record) => run.read('transaction.amount', record));
  proposeUnit(run, 'transaction.unit', amounts);
  const evidence = run.proposals.get('transaction.unit');
  if (evidence === undefined) return;
  run.proposals.set('money.unit', `for transactions ${evidence}`);
  const hasCurrency = transactions.some((record) => run.read('transaction.currency', record) !== undefined);
  run.proposals.set(
    'money.currency',
    `a three-letter ISO 4217 code: ${hasCurrency ? 'transactions carry one' : 'no transaction carries one'}`,
  );
}

/** Whether amounts of one kind of record have decimals, as evidence for the unit; the amounts are not kept. */
function proposeUnit(run: CheckRun, row: 'balance.unit' | 'transaction.unit', amounts: readonly unknown[]): void {
  const texts = amounts.flatMap((amount) => textOrNumber(amount) ?? []);
  if (texts.length === 0) return;
  const hasDecimals = texts.some((text) => text.includes('.'));
  run.proposals.set(
    row,
    hasDecimals ? 'major: amounts with decimals were seen' : 'minor, perhaps: every amount seen is a whole number',
  );
}

function findId(run: CheckRun, row: 'customer.id' | 'settlementBank.id', record: unknown): string | undefined {
  if (!isRecord(record)) return undefined;
  checkFields(run, row.split('.')[0] ?? '', [record]);
  return textOrNumber(run.read(row, record));
}

function skipCustomer(run: CheckRun): void {
  const lists = ['listCustomerTransactions', 'listCustomerVirtualAccounts'] as const;
  for (const name of ['getCustomer', 'getCustomerBalance', ...lists] as const)
    skipOperation(run, name, 'no customer was seen');
}

/** Gives every row without a finding the reason for that. */
function skipOthers(run: CheckRun): void {
  if (run.findings.get('listCustomers.path')?.state === 'confirmed')
    for (const row of ['service.prefix', 'service.contentType'] as const) run.confirm(row);
  for (const [id, { kind }] of Object.entries(contractRows)) {
    const isOfWrites = /\.(?:body|required|constants)$/.test(id);
    const why = isOfWrites ? 'a check never writes' : 'no answer showed it';
    run.skip(id as RowId, kind === 'decision' ? 'a person decides' : why); // the keys of the table are the row ids
  }
}
