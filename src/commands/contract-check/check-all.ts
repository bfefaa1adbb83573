import { fieldsInPath } from '../../contract/addressing.ts';
import { namesIdentity } from '../../contract/extra-rows.ts';
import { contractRows } from '../../contract/service-rows.ts';
import { checkRow, type RowId } from '../../contract/contract.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { isPathIdentifier } from '../../upstream/decoding/request-path.ts';
import { checkEnvelope } from './check-envelope.ts';
import { askFields, checkFields, checkOwner, checkSingle } from './check-fields.ts';
import { checkBalance, proposeMoney, requireAmount } from './check-money.ts';
import { recordsSeen, type Records } from './list-reader.ts';
import { checkList, shareStyle, tooFew } from './check-lists.ts';
import { checkWrite, findRead, isSuccess, readContracted, readRecord, skipOperation } from './check-paths.ts';
import type { CheckRun } from './check-run.ts';
import { findNode, walk, type JsonNode } from './json-shape.ts';
import type { ProbeAnswer } from './prober.ts';

/** A kind of record that is read alone, too. */
type SingleKind = 'customer' | 'settlementBank';

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
  const bankId = textOrNumber(run.read('settlementBank.id', banks[0]));
  checkFields(run, 'settlementBank', [...banks, ...(bank === undefined ? [] : [bank])]);
  askFields(run, 'settlementBank', banks);

  const customerId = textOrNumber(run.read('customer.id', customers[0]));
  if (customerId === undefined) skipCustomer(run);
  else await checkCustomer(run, customers, customer);
  checkFields(run, 'customer', customers);
  askFields(run, 'customer', customers);
  shareStyle(run);
  // Last, because many services do not answer OPTIONS.
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
  // Credentials accepted by the list of the same group.
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

/** `record` is the answer to the read of the first customer. */
async function checkCustomer(run: CheckRun, customers: Records, record: unknown): Promise<void> {
  const ids = customers.flatMap((each) => textOrNumber(run.read('customer.id', each)) ?? []);
  const [id = ''] = ids;
  checkFields(run, 'customer', record === undefined ? customers : [record, ...customers]);
  await checkBalance(run, id, record);
  const transactions = await readFilled(run, 'listCustomerTransactions', ids);
  const accounts = await checkAccounts(run, ids, record);
  for (const [kind, records] of [
    ['transaction', transactions],
    ['account', accounts],
  ] as const) {
    checkFields(run, kind, records);
    leaveId(run, `${kind}.id`, records[0]);
    askFields(run, kind, records);
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
  let seen: Records = [];
  for (const identifier of ids.slice(0, 5)) {
    // The customer's fields in its path are read from the customer's record.
    if (identifier !== ids[0] && fieldsInPath(run.contract()[`${name}.path`]).length > 0)
      await run.probe({ operation: 'getCustomer', path: run.contract()['getCustomer.path'], identifier, credentials });
    const records = await checkList(run, name, identifier);
    if (records === undefined) break;
    if (records.length === 0) continue;
    checkOwner(run, name === 'listCustomerTransactions' ? 'transaction' : 'account', identifier, records);
    seen = recordsSeen(run, name, records);
    if (run.findings.get(`${name}.pageStyle`)?.why !== tooFew) break;
  }
  return seen;
}

/**
 * Reads a listed record by its identifier, or by another of its values that may be one, which then is the identifier.
 * Returns the record that was answered.
 */
async function findRecord(run: CheckRun, kind: SingleKind, listed: Records): Promise<unknown> {
  const row = `${kind}.id` as const;
  const [first] = listed;
  if (!isRecord(first)) return undefined;
  checkFields(run, kind, listed);
  leaveId(run, row, first);
  const id = textOrNumber(run.read(row, first));
  // A read has its identifier in its address, where no account and no identity number belongs.
  const places = likelyIds(run, first).filter(
    ({ name, value }) =>
      /(?:id|code|ref|reference|handle)$/i.test(name) && textOrNumber(value) !== id && !namesIdentity(name),
  );
  const others = places.slice(0, 3).flatMap(({ value }) => textOrNumber(value) ?? []);
  const [candidate, ...rest] = id === undefined ? others : [id, ...others];
  if (candidate === undefined) return undefined;
  const answer = await findRead(run, kind === 'customer' ? 'getCustomer' : 'getSettlementBank', candidate, '', rest);
  const found = places.find(({ value }) => textOrNumber(value) === answer?.identifier);
  if (found !== undefined) run.contradict(row, `a record is read by the value at ${found.pointer}`, [found.pointer]);
  if (answer?.identifier === undefined) {
    if (id !== undefined && places.length > 0) proposeId(run, row, first);
    return undefined;
  }
  run.proposals.delete(row);
  checkIdentity(run, kind, answer.identifier, answer, listed);
  return readRecord(run, answer);
}

/** The values of an answer, with the record of a list of one. */
function walkSingles(body: unknown): readonly JsonNode[] {
  const nodes = walk(body);
  const only = nodes.flatMap(({ pointer, name, value }) =>
    Array.isArray(value) && value.length === 1 ? [{ pointer: `${pointer}/0`, name, value: value[0] as unknown }] : [],
  );
  return [...nodes, ...only];
}

/** Where other records were found: each may be wrapped under a name of its own. */
function dataPointers(run: CheckRun): readonly string[] {
  const row = 'envelope.data';
  const isProven = run.corrections.has(row) || run.findings.get(row)?.state === 'confirmed';
  return isProven ? run.contract()[row] : [];
}

/** Finds the record in the answer, what it has elsewhere than listed ones, and the pointer to the identifier of its read. */
function checkIdentity(run: CheckRun, kind: SingleKind, id: string, answer: ProbeAnswer, listed: Records): void {
  const idAt = (pointer: string, record: unknown): boolean =>
    textOrNumber(compilePointers([pointer]).read(record)) === id;
  const carriesId = (record: unknown): boolean => textOrNumber(run.read(`${kind}.id`, record)) === id;
  if (!carriesId(readRecord(run, answer))) {
    const found = walkSingles(answer.body).find(({ value }) => isRecord(value) && carriesId(value));
    if (found !== undefined && found.pointer !== '')
      run.contradict('envelope.data', `the record stands at ${found.pointer}`, [found.pointer, ...dataPointers(run)]);
  }
  const row = `${kind}.identifiedBy` as const;
  const record = readRecord(run, answer);
  checkSingle(run, kind, record, listed);
  if (run.read(`${kind}.id`, record) === undefined) {
    run.contradict(`${kind}.id`, 'the single record does not have it');
    proposeId(run, `${kind}.id`, record);
  }
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
 * No read returns a one-time account: its `expiresAt` is assumed to be spelt like `createdAt`, and a person is asked whether
 * its amount stands where that of a transaction does.
 */
function suggestOneTime(run: CheckRun): void {
  const contract = run.contract();
  const pointers = contract['account.expiresAt'];
  const [created = ''] = contract['account.createdAt'];
  const expires = created.replace(/created(?=[^/]*$)/, 'expires');
  if (expires !== created && !pointers.includes(expires) && !run.isOverridden('account.expiresAt'))
    run.suggest('account.expiresAt', [...pointers, expires]);
  const moved = contract['transaction.amount'].filter((pointer) => !contract['account.amount'].includes(pointer));
  if (moved.length > 0 && run.corrections.has('transaction.amount'))
    run.proposals.set('account.amount', `[${moved.join(', ')}], if one-time accounts have it as transactions do`);
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

type IdRow = `${'customer' | 'settlementBank' | 'transaction' | 'account'}.id`;

/** A record without an identifier cannot be served, nor what is below it: a person says which of its values it is. */
function leaveId(run: CheckRun, row: IdRow, record: unknown): void {
  if (!isRecord(record) || run.read(row, record) !== undefined) return;
  run.contradict(row, 'records have no identifier under a usual name');
  proposeId(run, row, record);
}

function proposeId(run: CheckRun, row: IdRow, record: unknown): void {
  const seen = likelyIds(run, record).map(({ pointer }) => pointer);
  run.proposals.set(row, `a pointer to the identifier; such values stand at ${seen.join(', ') || 'no usual name'}`);
}

/** Values that may be the identifier of a record, by their name, and may stand in a path, unlike a link. */
function likelyIds(run: CheckRun, record: unknown): readonly JsonNode[] {
  const allowed = run.contract()['identifiers.allow'];
  return walk(record).filter(
    ({ name, value }) =>
      /(?:id|code|ref|reference|number|handle)$/i.test(name) && isPathIdentifier(textOrNumber(value) ?? '', allowed),
  );
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
