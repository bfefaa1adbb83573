import type { ListName, OperationName } from '../../contract/contract.ts';
import { contractRows } from '../../contract/service-rows.ts';
import { createEnvelope } from '../../upstream/decoding/envelope.ts';
import { numberText, textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { epochUnit, toDateTime } from '../../upstream/decoding/date-time.ts';
import { isRecord, type PointerRow } from '../../upstream/decoding/field-decoders.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { isList, kindsOf } from '../contract-cases/operation-kinds.ts';
import { checkEnvelope } from '../contract-check/check-envelope.ts';
import { checkFields } from '../contract-check/check-fields.ts';
import { synonyms } from '../contract-check/find-field.ts';
import { checkCurrencies } from '../contract-check/check-money.ts';
import { checkReport, findMoreFlag, reportRows } from '../contract-check/check-page-report.ts';
import { createOfflineRun, type CheckRun } from '../contract-check/check-run.ts';
import { recordsAt } from '../contract-check/list-reader.ts';
import { findRecordArrays, holdsRecords } from '../contract-check/record-arrays.ts';
import {
  describeType,
  findNode,
  isPlainName,
  normalizeName,
  walk,
  type JsonNode,
} from '../contract-check/json-shape.ts';
import type { Collector } from './collector.ts';
import { doubtOf, toCamelCase, type FoundMatch } from './request-rows.ts';
import { collectRefusalRows } from './refusal-rows.ts';
import { isTimeName } from './schema-sample.ts';
import { collectWordRows, findFlag, isSuccessful } from './word-rows.ts';

type Json = Readonly<Record<string, unknown>>;

const graphTypes: readonly (readonly [kind: string, type: string])[] = [
  ['settlementBank', 'SettlementBank'],
  ['customer', 'Customer'],
  ['balance', 'Balance'],
  ['transaction', 'CustomerTransaction'],
];

/**
 * Rows of answers: the envelope, then where each list and each field stands, by the same reading as `contract check`.
 * Samples take the place of answers, and nothing is sent.
 */
export function collectAnswerRows(collector: Collector, matches: readonly FoundMatch[]): void {
  const run = createOfflineRun(Object.fromEntries(collector.rows));
  const successes = matches.map(({ operation, api }) => ({
    operation,
    place: api.place,
    bodies: api.answers.filter(isSuccessful).map(({ body }) => body),
  }));
  for (const { operation, place, bodies } of successes)
    if (bodies.length === 0) collector.note(place, `no sample and no schema of ${operation}'s answer`);
  findData(run, successes);
  const isTold = findFlag(
    collector,
    run,
    matches,
    successes.flatMap(({ bodies }) => bodies),
  );
  findFailures(collector, run, matches, isTold, successes.find(({ bodies }) => bodies.length > 0)?.bodies[0]);
  collectRefusalRows(run, matches);
  const records = new Map<string, Json[]>();
  for (const { operation, bodies, place } of successes) {
    const found = bodies.flatMap((body) =>
      isList(operation)
        ? findRecords(collector, run, operation, body, place)
        : [createEnvelope(run.contract()).record(body)],
    );
    records.set(kindsOf[operation], [...(records.get(kindsOf[operation]) ?? []), ...found.filter(isRecord)]);
  }
  const plain = new Map([...records].map(([kind, list]) => [kind, list.map((record) => toPlain(collector, record))]));
  for (const [kind, list] of plain) checkFields(run, kind, list);
  for (const kind of ['customer', 'settlementBank'] as const) findIdentity(run, kind, records.get(kind) ?? []);
  for (const balance of records.get('balance') ?? []) checkCurrencies(run, balance);
  for (const [id, evidence] of run.proposals) collector.comment(`${id}: # to decide: ${evidence}`);
  findEmbedded(run, matches, plain.get('customer') ?? []);
  for (const [id, value] of run.corrections) collector.set(id, value, '');
  collectWordRows(collector, matches, records);
  collectEvidence(collector, records);
  commentOnIdentifier(collector, matches, plain.get('customer') ?? []);
  for (const [kind, list] of plain) commentOnMissing(collector, run, kind, list);
  for (const [kind, type] of graphTypes) commentOnExtras(collector, kind, type, plain.get(kind) ?? []);
}

/** Corrects the row `identifiedBy` to the pointer of the records' id, where no record has a value at the row's pointers. */
function findIdentity(run: CheckRun, kind: 'customer' | 'settlementBank', records: readonly Json[]): void {
  const row = `${kind}.identifiedBy` as const;
  const identifiedBy = run.contract()[row];
  if (typeof identifiedBy === 'string' || records.length === 0) return;
  const isThere = (pointer: string): boolean =>
    records.some((record) => compilePointers([pointer]).read(record) !== undefined);
  const pointer = run.contract()[`${kind}.id`].find(isThere);
  if (pointer !== undefined && !identifiedBy.some(isThere))
    run.contradict(row, `a record's id stands at ${pointer}`, [pointer]);
}

/** Adds a comment that names the graph's fields without a counterpart in the records of the file. */
function commentOnMissing({ comment }: Collector, run: CheckRun, kind: string, records: readonly Json[]): void {
  const missing = [...run.findings].flatMap(([id, { state }]) => {
    const isField =
      id.startsWith(`${kind}.`) && state === 'not observable' && !/Minor$|\.currency$|\.(?:ledger|available)$/.test(id);
    return isField ? [id.slice(kind.length + 1)] : [];
  });
  if (records.length > 0 && missing.length > 0)
    comment(`${kind}.${missing[0]}: # unsure: no field of its records looks like ${missing.join(', ')}`);
}

/** Paths that name their identifier like a field of the record other than its id. */
function commentOnIdentifier(
  { comment, contract }: Collector,
  matches: readonly FoundMatch[],
  customers: readonly Json[],
): void {
  const names = matches.flatMap(({ api }) => [...api.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
  const field = names.find((name) => name !== 'id' && customers.some((record) => Object.hasOwn(record, name)));
  if (field !== undefined && !contract()['customer.id'].includes(`/${field}`))
    comment(`customer.id: # unsure: paths name the identifier ${field}, which is another field of the record`);
}

interface Success {
  readonly operation: OperationName;
  readonly bodies: readonly unknown[];
}

/** Finds the object that has the most fields of a record, in the answers with a single record. */
function findData(run: CheckRun, successes: readonly Success[]): void {
  const singles = new Set<string>(['getCustomer', 'createCustomer', 'getSettlementBank', 'storeSettlementBank']);
  const { operation, bodies: [body] = [] } =
    successes.find((each) => singles.has(each.operation) && each.bodies.length > 0) ?? {};
  if (operation === undefined) return;
  const names = new Set(namesOf(kindsOf[operation]));
  const count = (value: unknown): number =>
    isRecord(value) ? Object.keys(value).filter((name) => names.has(normalizeName(name))).length : 0;
  const [fullest] = walk(body).toSorted((one, other) => count(other.value) - count(one.value));
  if (fullest === undefined || count(fullest.value) < 2) return;
  // A record holds its id, perhaps above its other fields.
  const hasId = (value: unknown): boolean =>
    isRecord(value) && Object.keys(value).some((name) => /^(?:id|uuid|uid)$/.test(normalizeName(name)));
  const isAround = ({ pointer }: JsonNode): boolean => `${fullest.pointer}/`.startsWith(`${pointer}/`);
  const best = walk(body).findLast((node) => isAround(node) && hasId(node.value)) ?? fullest;
  if (createEnvelope(run.contract()).record(body) === best.value) return;
  run.contradict('envelope.data', `it stands at ${best.pointer}`, [best.pointer]);
}

/** Every usual name of a kind's fields, normalized. */
function namesOf(kind: string): readonly string[] {
  return Object.entries(contractRows).flatMap(([id, { value }]) => {
    const [owner, field = ''] = id.split('.');
    if (owner !== kind) return [];
    const wires = Array.isArray(value) ? value.map((pointer) => String(pointer).split('/').at(-1) ?? '') : [];
    return [field, ...wires, ...(synonyms[field] ?? [])].map(normalizeName);
  });
}

/** Failures by their HTTP status, or inside HTTP 200 by the name of the sample. */
function findFailures(
  { comment }: Collector,
  run: CheckRun,
  matches: readonly FoundMatch[],
  isTold: boolean,
  success: unknown,
): void {
  const failures = matches.flatMap(({ api }) => api.answers.filter(({ meaning }) => meaning >= 400 && meaning < 600));
  if (success === undefined) return;
  if (failures.length === 0 && isTold) return;
  if (failures.length === 0)
    return comment('envelope.success: # unsure: no failure in the file shows how one is told from a success');
  const toAnswer = (status: number, body: unknown) => ({ status, body, allow: [] });
  checkEnvelope(
    run,
    toAnswer(200, success),
    failures.slice(0, 100).map(({ status, meaning, body }) => [toAnswer(status, body), meaning] as const),
  );
}

/** The records of a list. The first list's pointer stands for all; a list that differs gets a row of its own. */
function findRecords(
  collector: Collector,
  run: CheckRun,
  list: ListName,
  body: unknown,
  place: string,
): readonly unknown[] {
  const shared = recordsAt(run.contract(), body);
  for (const row of reportRows) if (list === 'listCustomers') checkReport(run, list, row, body);
  const flag = findMoreFlag(body);
  const isByRecord = /^(?:starting_?after|after_?id|last_?id)$/i.test(run.contract()['lists.cursor']);
  if (isByRecord && flag !== undefined) run.compare('lists.hasMore', [flag], 'the cursor is the id of a record');
  // Where a page has the number 0, pages are counted from it.
  if (numberText(run.read('lists.currentPage', body)) === '0')
    run.contradict('lists.firstPage', 'a page has the number 0', 0);
  if (shared !== undefined) return shared;
  const arrays = findRecordArrays(run.contract(), body);
  // An empty list is the records only where there is no other.
  const found = arrays.find(({ records }) => holdsRecords(records)) ?? (arrays.length === 1 ? arrays[0] : undefined);
  if (found === undefined) collector.note(place, 'no list of records in its answer');
  else if (run.corrections.has('lists.records')) collector.set(`${list}.records`, [found.pointer], place);
  else run.contradict('lists.records', `they stand at ${found.pointer}`, [found.pointer]);
  return found?.records ?? [];
}

/**
 * A record whose numbers are texts where only a row makes them readable: times, account numbers and bank codes. The row
 * is set, or left to a person where the numbers do not tell.
 */
function toPlain({ set, comment, rows }: Collector, record: Json): Json {
  const wires = { accountNumber: ['accountno', 'accountnumber'], bankCode: ['bankcode'] } as const;
  const toText = ([name, value]: readonly [string, unknown]): readonly [string, unknown] => {
    const number = numberText(value);
    if (isRecord(value)) return [name, Object.fromEntries(Object.entries(value).map(toText))];
    if (number === undefined) return [name, value];
    for (const field of ['accountNumber', 'bankCode'] as const) {
      if (!(wires[field] as readonly string[]).includes(normalizeName(name))) continue;
      comment(
        `${field}.digits: # to decide: they come as JSON numbers; how many digits have they with their zeros in front?`,
      );
      return [name, number];
    }
    if (!isTimeName(name)) return [name, value];
    const unit = epochUnit(number);
    if (unit !== undefined) set('times.numbers', unit, '');
    else if (!rows.has('times.numbers'))
      comment('times.numbers: # to decide: times are JSON numbers: seconds or milliseconds?');
    return [name, '2000-01-01T00:00:00Z'];
  };
  return Object.fromEntries(Object.entries(record).map(toText));
}

/** A balance or accounts inside the customer count only where the file has no operation for them. */
function findEmbedded(run: CheckRun, matches: readonly FoundMatch[], customers: readonly Json[]): void {
  const has = (name: OperationName): boolean => matches.some(({ operation }) => operation === name);
  const look = (
    row: 'customer.balance' | 'customer.virtualAccounts',
    names: readonly string[],
    accepts: (value: unknown) => boolean,
  ): void => {
    const node = customers.map((customer) => findNode(customer, names, accepts)).find((each) => each !== undefined);
    const pointer = row === 'customer.balance' ? node?.pointer.replace(/\/[^/]*$/, '') : node?.pointer;
    if (pointer !== undefined) run.contradict(row, `the customer carries it at ${pointer}`, [pointer]);
  };
  if (!has('getCustomerBalance'))
    look('customer.balance', ['balance', 'availablebalance'], (value) => textOrNumber(value) !== undefined);
  if (!has('listCustomerVirtualAccounts'))
    look('customer.virtualAccounts', ['virtualaccounts', 'accounts', 'bankaccounts'], Array.isArray);
}

/** Adds comments on the form of amounts and on fields with a currency, never their values. */
function collectEvidence({ comment, contract }: Collector, records: ReadonlyMap<string, readonly Json[]>): void {
  const rows = contract();
  const read = (id: PointerRow, list: readonly unknown[] = []): readonly unknown[] => {
    const reader = compilePointers(rows[id]);
    return list.map((record) => reader.read(record)).filter((value) => value !== undefined);
  };
  const embedded = compilePointers(rows['customer.balance']);
  const wallets = records.get('customer')?.map((customer) => embedded.read(customer));
  const amounts = [
    ...read('transaction.amount', records.get('transaction')),
    ...read('balance.value', records.get('balance')),
    ...read('balance.value', wallets),
  ];
  const types = [...new Set(amounts.map(describeType))].join(' and ');
  const hasDecimals = amounts.some((amount) => textOrNumber(amount)?.includes('.') === true);
  const looks = hasDecimals ? 'some with decimals, so perhaps major' : 'none with decimals';
  const evidence = types === '' ? 'no sample shows an amount' : `amounts are of type ${types}, ${looks}`;
  comment(`money.unit: # to decide: major or minor; ${evidence}`);
  const kinds = ['balance', 'transaction', 'account'] as const;
  const carriers = kinds.filter((kind) => read(`${kind}.currency`, records.get(kind)).length > 0);
  const carried = carriers.length === 0 ? 'no record carries one' : `carried by: ${carriers.join(', ')}`;
  comment(`money.currency: # to decide: a three-letter ISO 4217 code; ${carried}`);
}

/** Fields at the top of a record that no row reads, as rows that add them to the graph. */
function commentOnExtras({ comment, rows }: Collector, kind: string, type: string, records: readonly Json[]): void {
  const mapped = [...rows].flatMap(([id, value]) => (id.startsWith(`${kind}.`) && Array.isArray(value) ? value : []));
  const known = new Set([...namesOf(kind), ...mapped.map((pointer) => normalizeName(String(pointer)))]);
  const fields = new Map(records.flatMap((record) => Object.entries(record)));
  for (const [name, value] of fields) {
    if (!isPlainName(name) || known.has(normalizeName(name)) || (typeof value === 'object' && value !== null)) continue;
    if (kind === 'balance' && /^ledger(?:balance)?$/.test(normalizeName(name))) comment(`balance.ledger: [/${name}]`);
    else
      comment(
        `extra.${type}.${toCamelCase(name)}: { type: ${extraTypeOf(name, value)}, at: [/${name}] }${doubtOf(value)}`,
      );
  }
}

function extraTypeOf(name: string, value: unknown): string {
  if (typeof value === 'boolean') return 'Boolean';
  const number = numberText(value);
  if (number !== undefined) return 'Decimal';
  return isTimeName(name) && typeof value === 'string' && toDateTime(value, 'UTC') !== undefined
    ? 'DateTime'
    : 'String';
}
