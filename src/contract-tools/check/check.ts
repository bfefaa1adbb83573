import type { ListName, OperationName, RowId } from '../../contract/contract.ts';
import { filterRows } from '../../contract/list-rows.ts';
import { pathCharacters } from '../../contract/row.ts';
import { contractRows } from '../../contract/service-rows.ts';
import { compilePointers, isPathIdentifier, isRecord, textOrNumber } from '../../upstream/index.ts';
import { readList } from './pages.ts';
import { createCheckRun, finishRun, type CheckRun } from './check-run.ts';
import type { PathSource, ServiceOptions } from './from-service.ts';
import { countRead, judge } from '../judge.ts';
import { saysSuccess } from '../propose/envelope-rows.ts';
import { isSuccess } from '../sample.ts';

const unknownId = 'settlement-graph-check-unknown';
/** Customers whose lists are read until one is filled. */
const maxCustomers = 3;

/**
 * Compares a live service with every row that reading can show, by at most 30 reads. Each step uses the contract as
 * corrected by the steps before it.
 */
export async function checkService(
  overrides: Readonly<Record<string, unknown>>,
  options: ServiceOptions,
): Promise<CheckRun> {
  const run = createCheckRun(overrides, options);
  const customers = await readList(run, 'listCustomers');
  if (customers.length > 0) await provokeFailures(run);
  const customer = await readSingle(run, 'getCustomer', customers);
  await readSingle(run, 'getSettlementBank', await readList(run, 'listSettlementBanks'));
  if (customer !== undefined) await readBelow(run, customers, customer);
  await finishRun(run);
  for (const [id, { kind }] of Object.entries(contractRows)) {
    const row = id as RowId; // the keys of the table
    run.skip(row, kind === 'decision' || run.questions.has(row) ? 'you decide' : whyNot(run, row, options.credentials));
  }
  return run;
}

/** Provokes failures by an unknown record and by wrong credentials. */
async function provokeFailures(run: CheckRun): Promise<void> {
  derivePath(run, 'getCustomer');
  const unknown = await run.probe({ operation: 'getCustomer', id: unknownId, meaning: 404 });
  const denied = await run.probe({ operation: 'listCustomers', first: 100, meaning: 401, hasWrongCredentials: true });
  for (const sample of [unknown, denied]) {
    if (sample === undefined) continue;
    // A service may have no look at a credential, or answer an unknown identifier with a record: that is no failure.
    const { id: _, ...unidentified } = sample;
    const { value } = (await judge(unidentified, run.contract())).reading;
    const isAnswered = sample.status < 300 && countRead(value) > 0;
    if (!isAnswered && !saysSuccess(sample, run.contract())) run.learn(sample);
  }
}

type Single = 'getCustomer' | 'getSettlementBank';

/** Where the path of the list is another one, those of its records are below it, until an answer shows otherwise. */
function derivePath(run: CheckRun, name: Single): void {
  const list = name === 'getCustomer' ? 'listCustomers' : 'listSettlementBanks';
  const [collection = ''] = run.contract()[`${list}.path`].split('?');
  const path = `${collection.replace(/\/+$/, '')}/{id}`;
  if (run.contract()[`${name}.path`] !== path && !run.isStated(`${name}.path`))
    run.correct(`${name}.path`, path, `the list is at ${collection}`);
}

/** The identifiers of records, at most 20. */
function idsOf(run: CheckRun, kind: 'customer' | 'settlementBank', records: readonly unknown[]): readonly string[] {
  const id = compilePointers(run.contract()[`${kind}.id`]);
  return records.slice(0, 20).flatMap((record) => textOrNumber(id.read(record)) ?? []);
}

/** Reads a listed record alone; the first one may be deleted, so a second one is tried. */
async function readSingle(run: CheckRun, name: Single, listed: readonly unknown[]): Promise<PathSource | undefined> {
  const kind = name === 'getCustomer' ? 'customer' : 'settlementBank';
  const ids = idsOf(run, kind, listed);
  checkCharacters(run, ids);
  if (ids.length > 0) derivePath(run, name);
  for (const id of ids.slice(0, 2)) {
    const sample = await run.read({ operation: name, id });
    if (sample === undefined) continue;
    if (!isSuccess(sample)) {
      run.contradict(`${name}.path`, `a record of the list is not found there (HTTP ${sample.status})`);
      continue;
    }
    run.findings.delete(`${name}.path`);
    const { value, error } = (await judge(sample, run.contract())).reading;
    if (error?.details.row === `${kind}.identifiedBy`)
      run.leave(
        `${kind}.identifiedBy`,
        'pointers to the identifier of a read, or none: then another record in its place is not noticed',
        'the record does not contain the identifier by which it was read',
      );
    return isRecord(value) && error === undefined ? { ...value, id } : { id };
  }
  return undefined;
}

/** Characters of identifiers that divide a path where a proxy decodes it are a person's to allow. A link is none. */
function checkCharacters(run: CheckRun, ids: readonly string[]): void {
  const row = 'identifiers.allow';
  const allowed = run.contract()[row];
  const texts = ids.filter((id) => !/^(?:https?:)?\//.test(id) && !isPathIdentifier(id, allowed)).join('');
  const refused = pathCharacters.filter((character) => texts.includes(character) && !allowed.includes(character));
  if (refused.length === 0) return;
  const value = [...allowed, ...refused].map((character) => `'${character}'`).join(', ');
  const seen = `identifiers contain ${refused.join(' ')}`;
  run.contradict(row, seen);
  run.leave(row, `[${value}], after a look at security.md, "Identifiers and proxies"`, seen);
}

type Below = 'getCustomerBalance' | 'listCustomerTransactions' | 'listCustomerVirtualAccounts';

async function readBelow(run: CheckRun, customers: readonly unknown[], first: PathSource): Promise<void> {
  if (run.contract()['customer.balance'].length === 0)
    await run.read({ operation: 'getCustomerBalance', id: first.id, parent: first });
  await checkIdentifier(run, 'getCustomerBalance');
  const others = idsOf(run, 'customer', customers).filter((id) => id !== first.id);
  for (const list of ['listCustomerTransactions', 'listCustomerVirtualAccounts'] as const) {
    if (list === 'listCustomerVirtualAccounts' && run.contract()['customer.virtualAccounts'].length > 0) continue;
    const further = namesFields(run, list) ? [] : others.slice(0, maxCustomers - 1).map((id) => ({ id }));
    for (const customer of [first, ...further]) {
      const records = await readList(run, list, customer);
      if (records.length > 0 || !isRead(run, list)) break;
    }
    await checkIdentifier(run, list);
    shareStyle(run, list);
  }
  await checkOrder(run);
}

/** The order of the transactions that were read: an order that is not stated is asked about. */
async function checkOrder(run: CheckRun): Promise<void> {
  const row = 'listCustomerTransactions.order';
  const samples = run.samples.filter((sample) => sample.operation === 'listCustomerTransactions' && isSuccess(sample));
  const isBroken = async (order: 'newestFirst' | 'oldestFirst'): Promise<boolean> => {
    // The order is the same in every zone.
    const contract = { ...run.contract(), 'times.zone': 'UTC', [row]: order };
    const verdicts = await Promise.all(samples.map((sample) => judge(sample, contract)));
    return verdicts.some(({ reading }) => reading.error?.details.row === row);
  };
  const [newest, oldest] = [await isBroken('newestFirst'), await isBroken('oldestFirst')];
  if (newest === oldest) return run.skip(row, 'the transactions read show no order');
  const order = newest ? 'oldestFirst' : 'newestFirst';
  if (run.contract()[row] === order) return run.confirm(row);
  const seen = `the transactions read come by ${order}`;
  run.skip(row, seen);
  run.leave(row, `${order}, if they always come so`, seen);
}

/** Whether a path names fields of the customer's record beside its identifier. */
function namesFields(run: CheckRun, name: Below): boolean {
  return /\{(?!id\})\w+\}/.test(run.contract()[`${name}.path`]);
}

function isRead(run: CheckRun, name: Below): boolean {
  return run.samples.some((sample) => sample.operation === name && isSuccess(sample));
}

/** Lists too short to show their pages: that of others is offered, and none is taken for sure. */
function shareStyle(run: CheckRun, list: ListName): void {
  const style = `${list}.pageStyle` as const;
  const others = run.contract()['listCustomers.pageStyle'];
  const isOpen = run.findings.get(style)?.state === 'not observable' && !run.isStated(style);
  if (!isOpen || others === run.contract()[style] || others === 'undecided') return;
  const seen = 'the list is shorter than a page';
  run.leave(style, `${others}, perhaps, as of the customers; ${seen}`, seen);
}

/**
 * Reads below a customer that does not exist, where the identifier stands in the query or the body: a service that ignores
 * it there would show every customer the same records.
 */
async function checkIdentifier(run: CheckRun, name: Below): Promise<void> {
  const { [`${name}.path` as const]: path, [`${name}.idInBody` as const]: field } = run.contract();
  const isHidden = path.includes('?') || field !== null;
  if (!isHidden || namesFields(run, name) || !isRead(run, name)) return;
  const sample = await run.probe({ operation: name, id: unknownId, first: 2 });
  if (sample === undefined || !isSuccess(sample)) return;
  const { id: _, ...unidentified } = sample;
  const { value, error } = (await judge(unidentified, run.contract())).reading;
  const nodes = isRecord(value) && 'nodes' in value ? value['nodes'] : value;
  const isZero = isRecord(nodes) && !/[1-9]/.test(JSON.stringify(nodes['value']) ?? '');
  if (error !== undefined || countRead(nodes) === 0 || isZero) return;
  const seen = 'an identifier that no customer has is answered as well: the service ignores it there';
  run.contradict(`${name}.${field === null ? 'path' : 'idInBody'}`, seen);
}

/** Why no answer has shown anything of a row. */
function whyNot(run: CheckRun, id: RowId, credentials: ServiceOptions['credentials']): string {
  const contract = run.contract();
  const value: unknown = contract[id];
  const [name = '', property = ''] = id.split('.');
  if (/^(?:store|create|update)|^writes\.|\.emptyAllowed$/.test(id)) return 'a check never writes';
  if (id in filterRows) return 'a check looks for no filter';
  if (Array.isArray(value) && value.length === 0) return 'the row maps nothing';
  if (name.startsWith('list') && value === null && name !== 'lists') return 'the row of all lists decides';
  if (!/^(?:path|method|credentials|idInBody)$/.test(property)) return 'no answer showed it';
  const refusal = run.samples.find(({ operation, status }) => operation === name && (status === 401 || status === 403));
  if (refusal !== undefined) return `HTTP ${refusal.status}: are the credentials right, and PRIVATE_KEY_HEADER?`;
  const isGiven = contract[`${name as OperationName}.credentials`].every((each) => credentials[each] !== undefined);
  if (!isGiven) return 'CHECK_BEARER or CHECK_PRIVATE_KEY is not set';
  return 'it was not read: no record above it with an identifier was seen';
}
