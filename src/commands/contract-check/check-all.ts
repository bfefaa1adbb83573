import { contractRows } from '../../contract/service-rows.ts';
import { checkRow, type RowId } from '../../contract/contract.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { checkEnvelope } from './check-envelope.ts';
import { checkFields, isRecordId } from './check-fields.ts';
import { checkBalance, proposeMoney } from './check-money.ts';
import { checkList } from './check-lists.ts';
import { checkWrite, findRead, isSuccess, readContracted, readRecord, skipOperation } from './check-paths.ts';
import type { CheckRun } from './check-run.ts';
import { findNode, walk, type JsonNode } from './json-shape.ts';
import type { ProbeAnswer } from './prober.ts';

const unknownId = 'settlement-graph-check-unknown';

/**
 * Compares a live service with every row that reading can show, by at most 60 reads and calls of OPTIONS. Each step
 * uses the contract as corrected by the steps before it.
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
  if (bankId !== undefined && bank !== undefined) checkIdentity(run, 'settlementBank', bankId, bank);
  checkFields(run, 'settlementBank', [...(banks ?? []), ...(bank === undefined ? [] : [readRecord(run, bank)])]);
  // After all reads, which tell more: many services answer no OPTIONS.
  if (bankId !== undefined) await checkWrite(run, 'updateSettlementBank', bankId);
  if (customerId !== undefined) {
    for (const name of ['updateCustomer', 'createCustomerVirtualAccount', 'createCustomerOneTimeAccount'] as const)
      await checkWrite(run, name, customerId);
  }
  if (run.hasCredential('bearer')) await checkWrite(run, 'storeSettlementBank');
  if (run.hasCredential('privateKey')) await checkWrite(run, 'createCustomer');
  skipOthers(run);
}

/** Provokes failures by an unknown record and by wrong credentials. */
async function checkFailures(run: CheckRun): Promise<void> {
  const contract = run.contract();
  // Those that the list of the same group was found to take.
  const credentials = contract['listCustomers.credentials'].filter(run.hasCredential);
  if (credentials.length === 0) return;
  const success = await run.probe({ operation: 'listCustomers', path: contract['listCustomers.path'], credentials });
  if (!isSuccess(run, success)) return;
  const unknown = { operation: 'getCustomer', path: contract['getCustomer.path'], identifier: unknownId } as const;
  const missing = await run.probe({ ...unknown, credentials });
  const denied = await run.probe({ ...unknown, credentials: 'wrong' });
  checkMediaType(run, success.mediaType);
  checkEnvelope(run, success, [
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

async function checkCustomer(run: CheckRun, id: string, listed: readonly unknown[]): Promise<void> {
  const single = await findRead(run, 'getCustomer', id, '');
  if (single !== undefined) checkIdentity(run, 'customer', id, single);
  const record = single === undefined ? undefined : readRecord(run, single);
  checkFields(run, 'customer', record === undefined ? listed : [...listed, record]);
  await checkBalance(run, id, record);
  const transactions = await checkList(run, 'listCustomerTransactions', id);
  checkFields(run, 'transaction', transactions ?? []);
  leaveId(run, 'transaction.id', transactions?.[0]);
  const accounts = await checkAccounts(run, id, record);
  checkFields(run, 'account', accounts);
  leaveId(run, 'account.id', accounts[0]);
  suggestExpiry(run);
  checkDirectionWords(run, transactions ?? []);
  proposeMoney(run, transactions ?? []);
}

/** Finds the record in the answer, and the pointer to the identifier by which it was read. */
function checkIdentity(run: CheckRun, kind: 'customer' | 'settlementBank', id: string, answer: ProbeAnswer): void {
  const idAt = (pointer: string, record: unknown): boolean =>
    textOrNumber(compilePointers([pointer]).read(record)) === id;
  const carriesId = (record: unknown): boolean => textOrNumber(run.read(`${kind}.id`, record)) === id;
  if (!carriesId(readRecord(run, answer))) {
    const found = walk(answer.body).find(({ value }) => isRecord(value) && carriesId(value));
    if (found !== undefined && found.pointer !== '')
      run.contradict('envelope.data', `the record stands at ${found.pointer}`, [found.pointer]);
  }
  const row = `${kind}.identifiedBy` as const;
  const record = readRecord(run, answer);
  const identifiedBy = run.contract()[row];
  if (identifiedBy === 'none') return;
  const pointer = run.contract()[`${kind}.id`].find((each) => idAt(each, record));
  if (identifiedBy !== 'undecided' && identifiedBy.some((each) => idAt(each, record))) run.confirm(row);
  else if (pointer !== undefined) run.contradict(row, `the identifier of the read is at ${pointer}`, [pointer]);
  else {
    run.contradict(row, 'the record does not contain the identifier by which it was read', 'undecided');
    run.proposals.set(
      row,
      'pointers to the identifier of a read, or none: then another record in its place is not noticed',
    );
  }
}

/** The accounts of a customer, from their list or from the customer's record. */
async function checkAccounts(run: CheckRun, id: string, customer: unknown): Promise<readonly unknown[]> {
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
  const carried = node && (await readContracted(run, name, id));
  if (node === undefined || carried?.answer !== undefined) return (await checkList(run, name, id)) ?? [];
  if (carried?.isNone !== true || !Array.isArray(node.value)) return [];
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
    if (run.contract()[row].some((word) => words.has(word))) {
      run.confirm(row);
      continue;
    }
    run.skip(row, 'no type seen has one of these words');
    if (words.size > 0) {
      const way = row === 'transaction.creditWords' ? 'in' : 'out';
      run.proposals.set(row, `words of the types that mean money ${way}: no type seen has one of the contract's`);
    }
  }
}

function findId(run: CheckRun, row: 'customer.id' | 'settlementBank.id', record: unknown): string | undefined {
  if (!isRecord(record)) return undefined;
  checkFields(run, row.split('.')[0] ?? '', [record]);
  leaveId(run, row, record);
  return textOrNumber(run.read(row, record));
}

type IdRow = `${'customer' | 'settlementBank' | 'transaction' | 'account'}.id`;

/** A record without an identifier cannot be served, nor what is below it: a person says which of its values it is. */
function leaveId(run: CheckRun, row: IdRow, record: unknown): void {
  if (!isRecord(record) || run.read(row, record) !== undefined) return;
  const isLikely = ({ name, value }: JsonNode): boolean =>
    /(?:id|code|ref|reference|number)$/i.test(name) && isRecordId(value);
  const seen = walk(record).flatMap((node) => (isLikely(node) ? [node.pointer] : []));
  run.contradict(row, 'records have no identifier under a usual name');
  run.proposals.set(row, `a pointer to the identifier; such values stand at ${seen.join(', ') || 'no usual name'}`);
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
