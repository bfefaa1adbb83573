import type { Contract, ListName, OperationName, RowId } from '../../contract/contract.ts';
import { filterRows } from '../../contract/list-rows.ts';
import { pathCharacters } from '../../contract/row.ts';
import { contractRows } from '../../contract/service-rows.ts';
import { compilePointers, isPathIdentifier, isRecord, textOrNumber } from '../../upstream/index.ts';
import { ask, readList } from './read-list.ts';
import { createCheckRun, finishRun, type CheckRun } from './check-run.ts';
import { createService, type PathSource, type Question, type Service, type ServiceOptions } from './from-service.ts';
import { countRead, judge } from '../judge.ts';
import { saysSuccess } from '../propose/envelope-rows.ts';
import { isSuccess, type Sample } from '../sample.ts';

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
  const run = createCheckRun(overrides);
  const service = createService(options);
  const customers = await readList(run, service, 'listCustomers');
  if (customers.length > 0) await provokeFailures(run, service);
  const customer = await readSingle(run, service, 'getCustomer', customers);
  const banks = await readList(run, service, 'listSettlementBanks');
  await readSingle(run, service, 'getSettlementBank', banks);
  if (customer !== undefined) await readBelow(run, service, customers, customer);
  await finishRun(run);
  skipOthers(run, options);
  return run;
}

/** Provokes failures by an unknown record and by wrong credentials. */
async function provokeFailures(run: CheckRun, service: Service): Promise<void> {
  derivePath(run, 'getCustomer');
  const provoke = (question: Question): Promise<Sample | undefined> =>
    service.ask(run.contract(), question).catch(() => undefined);
  const unknown = await provoke({ operation: 'getCustomer', id: unknownId, meaning: 404 });
  const denied = await provoke({ operation: 'listCustomers', first: 100, meaning: 401, hasWrongCredentials: true });
  for (const sample of [unknown, denied]) {
    if (sample === undefined) continue;
    // A service may have no look at a credential, or answer an unknown identifier with a record: that is no failure.
    const { id: _, ...unidentified } = sample;
    const { value } = (await judge(unidentified, run.contract())).reading;
    const isAnswered = sample.status < 300 && countRead(value) > 0;
    if (!isAnswered && !saysSuccess(sample, run.contract())) run.learn(sample);
  }
}

/** Where the path of the list is another one, those of its records are below it, until an answer shows otherwise. */
function derivePath(run: CheckRun, name: 'getCustomer' | 'getSettlementBank'): void {
  const list = name === 'getCustomer' ? 'listCustomers' : 'listSettlementBanks';
  const [collection = ''] = run.contract()[`${list}.path`].split('?');
  const path = `${collection.replace(/\/+$/, '')}/{id}`;
  if (run.contract()[`${name}.path`] !== path && !run.isStated(`${name}.path`))
    run.correct(`${name}.path`, path, `the list is at ${collection}`);
}

/** Reads a listed record alone; the first one may be deleted, so a second one is tried. */
async function readSingle(
  run: CheckRun,
  service: Service,
  name: 'getCustomer' | 'getSettlementBank',
  listed: readonly unknown[],
) {
  const kind = name === 'getCustomer' ? 'customer' : 'settlementBank';
  const ids = listed
    .slice(0, 20)
    .flatMap((record) => textOrNumber(compilePointers(run.contract()[`${kind}.id`]).read(record)) ?? []);
  checkCharacters(run, ids);
  if (ids.length > 0) derivePath(run, name);
  for (const id of ids.slice(0, 2)) {
    const sample = await ask(run, service, { operation: name, id });
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
    return { id, source: isRecord(value) && error === undefined ? ({ ...value, id } as PathSource) : { id } };
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
  run.contradict(row, `identifiers contain ${refused.join(' ')}`);
  run.leave(
    row,
    `[${value}], after a look at security.md, "Identifiers and proxies"`,
    `identifiers contain ${refused.join(' ')}`,
  );
}

type Below = 'getCustomerBalance' | 'listCustomerTransactions' | 'listCustomerVirtualAccounts';

async function readBelow(
  run: CheckRun,
  service: Service,
  customers: readonly unknown[],
  first: { readonly id: string; readonly source: PathSource },
): Promise<void> {
  if (run.contract()['customer.balance'].length === 0)
    await ask(run, service, { operation: 'getCustomerBalance', id: first.id, parent: first.source });
  await checkIdentifier(run, service, 'getCustomerBalance');
  const read = compilePointers(run.contract()['customer.id']).read;
  const others = customers.flatMap((record) => textOrNumber(read(record)) ?? []).filter((id) => id !== first.id);
  for (const list of ['listCustomerTransactions', 'listCustomerVirtualAccounts'] as const) {
    if (list === 'listCustomerVirtualAccounts' && run.contract()['customer.virtualAccounts'].length > 0) continue;
    const needsRecord = /\{(?!id\})\w+\}/.test(run.contract()[`${list}.path`]);
    let count = 0;
    for (const source of [
      first.source,
      ...(needsRecord ? [] : others.slice(0, maxCustomers - 1).map((id) => ({ id }))),
    ]) {
      count = (await readList(run, service, list, source)).length;
      if (count > 0 || !run.samples.some((sample) => sample.operation === list && isSuccess(sample))) break;
    }
    await checkIdentifier(run, service, list);
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
  run.skip(row, `the transactions read come by ${order}`);
  run.ask(row, `${order}, if they always come so`);
}

/** Lists too short to show their pages: that of others is offered, and none is taken for sure. */
function shareStyle(run: CheckRun, list: ListName): void {
  const style = `${list}.pageStyle` as const;
  const others = run.contract()['listCustomers.pageStyle'];
  if (
    run.findings.get(style)?.state !== 'not observable' ||
    run.isStated(style) ||
    others === run.contract()[style] ||
    others === 'undecided'
  )
    return;
  run.leave(
    style,
    `${others}, perhaps, as of the customers; the list is shorter than a page`,
    'the list is shorter than a page',
  );
}

/**
 * Reads below a customer that does not exist, where the identifier stands in the query or the body: a service that ignores
 * it there would show every customer the same records.
 */
async function checkIdentifier(run: CheckRun, service: Service, name: Below): Promise<void> {
  const { [`${name}.path` as const]: path, [`${name}.idInBody` as const]: field } = run.contract();
  const isHidden = path.includes('?') || field !== null;
  if (
    !isHidden ||
    /\{(?!id\})\w+\}/.test(path) ||
    !run.samples.some((sample) => sample.operation === name && isSuccess(sample))
  )
    return;
  const sample = await service.ask(run.contract(), { operation: name, id: unknownId, first: 2 }).catch(() => undefined);
  if (sample === undefined || !isSuccess(sample)) return;
  const { id: _, ...unidentified } = sample;
  const { value, error } = (await judge(unidentified, run.contract())).reading;
  const nodes = isRecord(value) && 'nodes' in value ? value['nodes'] : value;
  const isZero = isRecord(nodes) && !/[1-9]/.test(JSON.stringify(nodes['value']) ?? '');
  if (error !== undefined || countRead(nodes) === 0 || isZero) return;
  run.contradict(
    field === null ? `${name}.path` : `${name}.idInBody`,
    'an identifier that no customer has is answered as well: the service ignores it there',
  );
}

/** Gives every row without a finding the reason for that. */
function skipOthers(run: CheckRun, { credentials }: ServiceOptions): void {
  const contract: Contract = run.contract();
  for (const [id, { kind }] of Object.entries(contractRows))
    run.skip(id as RowId, kind === 'decision' ? 'you decide' : whyNot(run, contract, id as RowId, credentials)); // the keys of the table are the row ids
}

/** Why no answer has shown anything of a row. */
function whyNot(run: CheckRun, contract: Contract, id: RowId, credentials: ServiceOptions['credentials']): string {
  const value: unknown = contract[id];
  const [name = '', property = ''] = id.split('.');
  if (/^(?:store|create|update)|^writes\.|\.emptyAllowed$/.test(id)) return 'a check never writes';
  if (id in filterRows) return 'a check looks for no filter';
  if (Array.isArray(value) && value.length === 0) return 'the row maps nothing';
  if (name.startsWith('list') && value === null && name !== 'lists') return 'the row of all lists decides';
  if (property !== 'path') return 'no answer showed it';
  const refusal = run.samples.find(({ operation, status }) => operation === name && (status === 401 || status === 403));
  if (refusal !== undefined) return `HTTP ${refusal.status}: are the credentials right, and PRIVATE_KEY_HEADER?`;
  const isGiven = contract[`${name as OperationName}.credentials`].every((each) => credentials[each] !== undefined);
  if (!isGiven) return 'CHECK_BEARER or CHECK_PRIVATE_KEY is not set';
  return 'it was not read: no record above it with an identifier was seen';
}
