import { writeNames } from '../../contract/operation-rows.ts';
import { contractRows } from '../../contract/service-rows.ts';
import { checkRow, contractOfList, type RowId } from '../../contract/contract.ts';
import { createEnvelope } from '../../upstream/decoding/envelope.ts';
import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { needsRecord } from '../../upstream/decoding/request-path.ts';
import { addressFields } from '../operation-kinds.ts';
import { checkEnvelope } from './check-envelope.ts';
import { proposeFields, proposeReference, checkFields, checkOwner } from './check-fields.ts';
import { checkBalance, proposeMoney, requireAmount } from './check-money.ts';
import { recordsAt, recordsSeen, type Records } from './list-reader.ts';
import { checkList } from './check-lists.ts';
import { isTooShort, shareStyle } from './pages/check-page-style.ts';
import { checkWrite, isSuccess, readContracted, skipOperation } from './check-paths.ts';
import type { CheckRun } from './check-run.ts';
import { findRecord, leaveId } from './find-record.ts';
import { findNode } from './json-shape.ts';

const unknownId = 'settlement-graph-check-unknown';

/**
 * Compares a live service with every row that reading can show, by at most 60 reads and calls of OPTIONS. Each step
 * uses the contract as corrected by the steps before it.
 */
export async function checkAll(run: CheckRun): Promise<void> {
  const listed = await checkList(run, 'listCustomers');
  await checkFailures(run);
  const customers = listed === undefined ? [] : recordsSeen(run, 'listCustomers', listed);
  const customer = await findRecord(run, 'customer', customers);
  const banks = (await checkList(run, 'listSettlementBanks')) ?? [];
  const bank = await findRecord(run, 'settlementBank', banks);
  const bankId = bank.identifier ?? textOrNumber(run.read('settlementBank.id', banks[0]));
  checkFields(run, 'settlementBank', [...banks, ...(bank.record === undefined ? [] : [bank.record])]);
  proposeFields(run, 'settlementBank', banks);

  const ids = customers.flatMap((each) => textOrNumber(run.read('customer.id', each)) ?? []);
  // The customers listed before the one that was read could not be read alone.
  const readable = ids.slice(Math.max(ids.indexOf(customer.identifier ?? ''), 0));
  const [customerId] = readable;
  if (customerId === undefined) skipCustomer(run);
  else await checkCustomer(run, customers, readable, customer.record);
  checkFields(run, 'customer', customers);
  proposeFields(run, 'customer', customers);
  proposeReference(run, customers);
  shareStyle(run);
  // Last, because many services do not answer OPTIONS.
  for (const name of writeNames) {
    const rows = addressFields(name).map(([, row]) => row);
    const [identifier = ''] = rows.map((row) => (row === 'settlementBank.id' ? bankId : customerId));
    if (rows.length > 1) skipOperation(run, name, 'its path needs more than one identifier');
    else if (rows.length === 0 || identifier !== '') await checkWrite(run, name, identifier);
  }
  skipOthers(run);
}

/** Provokes failures by an unknown record and by wrong credentials. */
async function checkFailures(run: CheckRun): Promise<void> {
  const contract = run.contract();
  // Credentials accepted by the list of the same group.
  const credentials = contract['listCustomers.credentials'].filter(run.hasCredential);
  if (credentials.length === 0) return;
  const success = await run.probe({ operation: 'listCustomers', path: contract['listCustomers.path'], credentials });
  if (!isSuccess(run, success)) return;
  const unknown = { operation: 'getCustomer', path: contract['getCustomer.path'], identifier: unknownId } as const;
  const missing = await run.probe({ ...unknown, credentials });
  const denied = await run.probe({ ...unknown, credentials: 'wrong' });
  checkMediaType(run, success.mediaType);
  checkEnvelope(run, success.body, [
    [missing, 404],
    [denied, 401],
  ]);
}

/** A service that answers with another media type may require it in requests, too: a proposal, not a correction. */
function checkMediaType(run: CheckRun, seen: string | undefined): void {
  const row = 'service.contentType';
  const [contracted] = run.contract()[row].split(';');
  if (seen === contracted) return run.confirm(row);
  if (seen === undefined || checkRow(row, seen).faults.length > 0) return;
  run.skip(row, `answers are ${seen}`);
  run.proposals.set(row, `{ value: ${seen}, acknowledge: true }, if bodies are sent so, too: answers are`);
}

/** `record` is the answer to the read of the first of the customers with these ids. */
async function checkCustomer(
  run: CheckRun,
  customers: Records,
  ids: readonly string[],
  record: unknown,
): Promise<void> {
  const [id = ''] = ids;
  checkFields(run, 'customer', record === undefined ? customers : [record, ...customers]);
  await checkBalance(run, id, record);
  await checkIdentifier(run, 'getCustomerBalance');
  const transactions = await readFilled(run, 'listCustomerTransactions', ids);
  const accounts = await checkAccounts(run, ids, record);
  for (const [kind, records] of [
    ['transaction', transactions],
    ['account', accounts],
  ] as const) {
    checkFields(run, kind, records);
    leaveId(run, `${kind}.id`, records[0]);
    proposeFields(run, kind, records);
  }
  requireAmount(run, 'transaction', transactions);
  suggestOneTime(run);
  checkDirectionWords(run, transactions);
  proposeMoney(run, transactions);
}

/** Reads a list of one customer after the other, at most five, until one has enough records to tell how it is paged. */
async function readFilled(
  run: CheckRun,
  name: 'listCustomerTransactions' | 'listCustomerVirtualAccounts',
  ids: readonly string[],
): Promise<Records> {
  const credentials = run.contract()['getCustomer.credentials'].filter(run.hasCredential);
  let allRecords: Records = [];
  for (const identifier of ids.slice(0, 5)) {
    // The customer's fields in its path are read from the customer's record.
    if (identifier !== ids[0] && needsRecord(run.contract(), name))
      await run.probe({ operation: 'getCustomer', path: run.contract()['getCustomer.path'], identifier, credentials });
    const records = await checkList(run, name, identifier);
    if (records === undefined) break;
    if (records.length === 0) continue;
    checkOwner(run, name === 'listCustomerTransactions' ? 'transaction' : 'account', identifier, records);
    allRecords = recordsSeen(run, name, records);
    if (!isTooShort(run, name)) break;
  }
  if (allRecords.length > 0) await checkIdentifier(run, name);
  return allRecords;
}

/**
 * Reads below a customer that does not exist, where the identifier stands in the query or the body: a service that ignores
 * it there would show every customer the same records.
 */
async function checkIdentifier(
  run: CheckRun,
  name: 'getCustomerBalance' | 'listCustomerTransactions' | 'listCustomerVirtualAccounts',
): Promise<void> {
  const { [`${name}.path` as const]: path, [`${name}.idInBody` as const]: field } = run.contract();
  if ((!path.includes('?') && field === null) || needsRecord(run.contract(), name)) return;
  const credentials = run.contract()[`${name}.credentials`];
  const answer = await run.probe({ operation: name, path, identifier: unknownId, credentials, isSample: false });
  if (!isSuccess(run, answer)) return;
  const record = createEnvelope(run.contract()).record(answer.body);
  const isShown =
    name === 'getCustomerBalance'
      ? Number(textOrNumber(run.read('balance.value', record) ?? run.read('balance.valueMinor', record)))
      : recordsAt(contractOfList(run.contract(), name), answer.body)?.length;
  const seen = 'an identifier that no customer has is answered as well: the service ignores it there';
  if (isShown) run.contradict(field === null ? `${name}.path` : `${name}.idInBody`, seen);
}

/** The accounts of a customer, from their list or from the customer's record. */
async function checkAccounts(run: CheckRun, ids: readonly string[], customer: unknown): Promise<Records> {
  const accounts = run.read('customer.virtualAccounts', customer);
  if (Array.isArray(accounts)) {
    run.confirm('customer.virtualAccounts');
    return accounts;
  }
  const name = 'listCustomerVirtualAccounts';
  const node = findNode(
    customer,
    ['virtualaccounts', 'accounts', 'bankaccounts', 'reservedaccounts', 'dedicatedaccounts'],
    Array.isArray,
  );
  const carried = node && (await readContracted(run, name, ids[0] ?? ''));
  if (node === undefined || carried?.answer !== undefined) return readFilled(run, name, ids);
  if (carried?.isNone !== true || !Array.isArray(node.value)) return [];
  run.contradict('customer.virtualAccounts', `the customer carries them at ${node.pointer}`, [node.pointer]);
  return node.value;
}

/**
 * No read returns a one-time account: its `expiresAt` is assumed to be spelt like `createdAt`, and a comment proposes the
 * place of a transaction's amount for its amount.
 */
function suggestOneTime(run: CheckRun): void {
  const contract = run.contract();
  const pointers = contract['account.expiresAt'];
  const [created = ''] = contract['account.createdAt'];
  const expires = created.replace(/created(?=[^/]*$)/, 'expires');
  if (expires !== created && !pointers.includes(expires) && !run.isOverridden('account.expiresAt'))
    run.correct('account.expiresAt', [...pointers, expires]);
  const movedPointers = contract['transaction.amount'].filter(
    (pointer) => !contract['account.amount'].includes(pointer),
  );
  if (movedPointers.length > 0 && run.corrections.has('transaction.amount'))
    run.proposals.set(
      'account.amount',
      `[${movedPointers.join(', ')}], if one-time accounts have it as transactions do`,
    );
}

/** A type without any of the words is no contradiction: its direction is UNKNOWN. */
function checkDirectionWords(run: CheckRun, transactions: readonly unknown[]): void {
  const types = transactions.map(
    (record) => run.read('transaction.direction', record) ?? run.read('transaction.type', record),
  );
  const words = new Set(types.flatMap((type) => (typeof type === 'string' ? type.toLowerCase().split(/[^a-z]+/) : [])));
  for (const row of ['transaction.creditWords', 'transaction.debitWords'] as const) {
    if (run.contract()[row].some((word) => words.has(word))) {
      run.confirm(row);
      continue;
    }
    run.skip(row, 'no type seen has one of these words');
    if (transactions.length > 0) {
      const way = row === 'transaction.creditWords' ? 'in' : 'out';
      run.proposals.set(row, `words of the types that mean money ${way}: no type seen has one of the contract's`);
    }
  }
}

function skipCustomer(run: CheckRun): void {
  const lists = ['listCustomerTransactions', 'listCustomerVirtualAccounts'] as const;
  for (const name of ['getCustomer', 'getCustomerBalance', ...lists] as const)
    skipOperation(run, name, 'no customer was seen, or none whose identifier is known');
  proposeMoney(run, []);
}

/** Gives every row without a finding the reason for that. */
function skipOthers(run: CheckRun): void {
  if (run.findings.get('listCustomers.path')?.state === 'confirmed') run.confirm('service.prefix');
  for (const [id, { kind }] of Object.entries(contractRows)) {
    const isOfWrites = /\.(?:body|required|constants)$/.test(id);
    const why = isOfWrites ? 'a check never writes' : 'no answer showed it';
    run.skip(id as RowId, kind === 'decision' ? 'you decide' : why); // the keys of the table are the row ids
  }
}
