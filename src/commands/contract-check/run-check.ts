import { contractRows } from '../../contract/service-rows.ts';
import type { OperationName, RowId } from '../../contract/contract.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { checkEnvelope } from './check-envelope.ts';
import { checkFields } from './check-fields.ts';
import { checkList } from './check-lists.ts';
import { checkWrite, findRead, isSuccess, leaveOperation, recordIn, type ReadName } from './check-paths.ts';
import type { Session } from './check-session.ts';
import { bare, walk, type Found } from './json-shape.ts';

const nobody = 'settlement-graph-check-unknown';

/**
 * Compares a live service with every row that can be observed by reading: at most 40 calls, GET and OPTIONS only. What
 * contradicts the contract corrects it for the steps that follow.
 */
export async function runCheck(session: Session): Promise<void> {
  const customers = await checkList(session, 'listCustomers');
  await checkFailures(session, 'getCustomer');
  const customerId = idOf(session, 'customer.id', customers?.[0]);
  if (customerId === undefined) leaveCustomer(session);
  else await checkCustomer(session, customerId, customers ?? []);

  const banks = await checkList(session, 'listSettlementBanks');
  const bankId = idOf(session, 'settlementBank.id', banks?.[0]);
  const bank = bankId === undefined ? undefined : await findRead(session, 'getSettlementBank', bankId, '');
  checkFields(session, 'settlementBank', [...(banks ?? []), ...(bank === undefined ? [] : [recordIn(session, bank)])]);
  if (bankId !== undefined) await checkWrite(session, 'updateSettlementBank', bankId);
  if (session.has('bearer')) await checkWrite(session, 'storeSettlementBank', undefined);
  if (session.has('privateKey')) await checkWrite(session, 'createCustomer', undefined);
  leaveTheRest(session);
}

/** An unknown record and a wrong credential show how failures look. */
async function checkFailures(session: Session, name: ReadName): Promise<void> {
  const as = session.contract()[`${name}.credentials`].filter(session.has);
  if (as.length === 0) return;
  const collection = session.contract()['listCustomers.path'];
  const path = session.contract()[`${name}.path`];
  const success = await session.probe({ method: 'GET', path: collection, as });
  if (!isSuccess(session, success)) return;
  const missing = await session.probe({ method: 'GET', path, identifier: nobody, as });
  const denied = await session.probe({ method: 'GET', path, identifier: nobody, as: 'wrong' });
  checkEnvelope(session, success, [
    [missing, 404],
    [denied, 401],
  ]);
}

async function checkCustomer(session: Session, id: string, listed: readonly unknown[]): Promise<void> {
  const single = await findRead(session, 'getCustomer', id, '');
  const record = single === undefined ? undefined : recordIn(session, single);
  checkFields(session, 'customer', record === undefined ? listed : [...listed, record]);
  await checkBalance(session, id, record);
  const transactions = await checkList(session, 'listCustomerTransactions', id);
  checkFields(session, 'transaction', transactions ?? []);
  const accounts = await checkAccounts(session, id, record);
  checkFields(session, 'account', accounts);
  suggestExpiry(session);
  checkDirectionWords(session, transactions ?? []);
  proposeMoney(session, transactions ?? []);
  await checkWrite(session, 'updateCustomer', id);
  await checkWrite(session, 'createCustomerVirtualAccount', id);
  await checkWrite(session, 'createCustomerOneTimeAccount', id);
}

async function checkBalance(session: Session, id: string, customer: unknown): Promise<void> {
  if (session.contract()['customer.balance'].length > 0) return;
  const balance = await findRead(session, 'getCustomerBalance', id, '');
  if (balance !== undefined) return checkFields(session, 'balance', [recordIn(session, balance)]);
  const place = findInside(customer, ['balance', 'availablebalance'], ({ value }) => textOrNumber(value) !== undefined);
  if (place === undefined) return;
  const parent = place.pointer.slice(0, place.pointer.lastIndexOf('/'));
  session.contradict('customer.balance', `the customer carries it at ${parent}`, [parent]);
}

/** The accounts of a customer, from their own list or from inside the customer's record. */
async function checkAccounts(session: Session, id: string, customer: unknown): Promise<readonly unknown[]> {
  const known = compilePointers(session.contract()['customer.virtualAccounts']).read(customer);
  if (Array.isArray(known)) {
    session.confirm('customer.virtualAccounts');
    return known;
  }
  const listed = await checkList(session, 'listCustomerVirtualAccounts', id);
  if (listed !== undefined) return listed;
  const names = ['virtualaccounts', 'accounts', 'bankaccounts'];
  const place = findInside(customer, names, ({ value }) => Array.isArray(value));
  if (place === undefined || !Array.isArray(place.value)) return [];
  session.contradict('customer.virtualAccounts', `the customer carries them at ${place.pointer}`, [place.pointer]);
  return place.value;
}

function findInside(record: unknown, names: readonly string[], accepts: (found: Found) => boolean): Found | undefined {
  return walk(record).find((found) => names.includes(bare(found.name)) && accepts(found));
}

/** No read shows when a one-time account expires; its name is taken to be written as `createdAt` is. */
function suggestExpiry(session: Session): void {
  const usual = session.contract()['account.expiresAt'];
  const isCamelCase = session.contract()['account.createdAt'].includes('/createdAt');
  if (isCamelCase && !usual.includes('/expiresAt')) session.suggest('account.expiresAt', [...usual, '/expiresAt']);
}

/** A word is confirmed by a type that has it; a type without one is no contradiction, its direction stays UNKNOWN. */
function checkDirectionWords(session: Session, transactions: readonly unknown[]): void {
  const reader = compilePointers(session.contract()['transaction.type']);
  const types = transactions.flatMap((record) => reader.read(record) ?? []).filter((type) => typeof type === 'string');
  const spoken = new Set(types.flatMap((type) => type.toLowerCase().split(/[^a-z]+/)));
  for (const row of ['transaction.creditWords', 'transaction.debitWords'] as const) {
    if (session.contract()[row].some((word) => spoken.has(word))) session.confirm(row);
    else session.leave(row, 'no type seen has one of these words');
  }
}

/** What the amounts look like, for the person who decides. */
function proposeMoney(session: Session, transactions: readonly unknown[]): void {
  const reader = compilePointers(session.contract()['transaction.amount']);
  const texts = transactions.flatMap((record) => {
    const value = reader.read(record);
    return textOrNumber(value) ?? [];
  });
  if (texts.length === 0) return;
  const hasFractions = texts.some((text) => text.includes('.'));
  session.proposals.set(
    'money.unit',
    hasFractions ? 'major: amounts with decimals were seen' : 'minor, perhaps: every amount seen is a whole number',
  );
  session.proposals.set('money.currency', 'a three-letter ISO 4217 code');
}

function idOf(session: Session, row: 'customer.id' | 'settlementBank.id', record: unknown): string | undefined {
  if (!isRecord(record)) return undefined;
  checkFields(session, row.split('.')[0] ?? '', [record]);
  const value = compilePointers(session.contract()[row]).read(record);
  return textOrNumber(value);
}

function leaveCustomer(session: Session): void {
  const names: readonly OperationName[] = [
    'getCustomer',
    'getCustomerBalance',
    'listCustomerTransactions',
    'listCustomerVirtualAccounts',
  ];
  for (const name of names) leaveOperation(session, name, 'no customer was seen');
}

/** Every row without a finding gets the reason why. */
function leaveTheRest(session: Session): void {
  if (session.findings.get('listCustomers.path')?.state === 'confirmed')
    for (const row of ['service.prefix', 'service.contentType'] as const) session.confirm(row);
  for (const [id, row] of Object.entries(contractRows)) {
    const why =
      row.kind === 'decision'
        ? 'a person decides'
        : /\.(?:body|required|constants)$/.test(id)
          ? 'a check never writes'
          : 'no answer showed it';
    session.leave(id as RowId, why); // the keys of the table are the row ids
  }
}
