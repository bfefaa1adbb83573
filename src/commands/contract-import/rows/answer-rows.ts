import type { OperationName, RowId } from '../../../contract/contract.ts';
import { createEnvelope } from '../../../upstream/decoding/envelope.ts';
import { numberText, textOrNumber } from '../../../upstream/decoding/exact-json.ts';
import { epochUnit } from '../../../upstream/decoding/date-time.ts';
import { isRecord, type PointerRow } from '../../../upstream/decoding/field-decoders.ts';
import { compilePointers } from '../../../upstream/decoding/json-pointer.ts';
import { isList, isWrite, kindsOf } from '../../contract-cases/operation-kinds.ts';
import { checkEnvelope } from '../../contract-check/check-envelope.ts';
import { checkFields } from '../../contract-check/check-fields.ts';
import { checkCurrencies } from '../../contract-check/check-money.ts';
import { createOfflineRun, type CheckRun } from '../../contract-check/check-run.ts';
import { describeType, findNode } from '../../contract-check/json-shape.ts';
import type { Collector } from '../collector.ts';
import { findData } from './envelope-data.ts';
import { commentOnExtras, typeOf } from './extra-fields.ts';
import { collectIdentityRows } from './identity-rows.ts';
import { collectPageRows } from './page-rows.ts';
import type { FoundMatch } from '../match-operations.ts';
import { collectRefusalRows } from './refusal-rows.ts';
import { isTimeName } from '../schema-sample.ts';
import { collectWordRows, findFlag, isSuccessful } from './word-rows.ts';

type Json = Readonly<Record<string, unknown>>;

/** The records of the file's answers by kind, such as `customer`. */
export type RecordsByKind = ReadonlyMap<string, readonly Json[]>;

/**
 * Rows of answers: the envelope, then where each list and each field stands, by the same reading as `contract check`.
 * Samples take the place of answers, and nothing is sent.
 */
export function collectAnswerRows(collector: Collector, matches: readonly FoundMatch[]): RecordsByKind {
  const run = createOfflineRun(Object.fromEntries(collector.rows));
  const successes = matches.map(({ operation, api }) => ({
    operation,
    place: api.place,
    bodies: api.answers.filter(isSuccessful).map(({ body }) => body),
  }));
  for (const { operation, api } of matches)
    if (isWrite(operation) && isAnsweredEmpty(api))
      collector.comment(`${operation}.emptySuccess: # to decide: true, since the file's only success has no body`);
    else if (!api.answers.some(isSuccessful))
      collector.note(api.place, `no sample and no schema of ${operation}'s answer`);
  findData(run, successes);
  const isTold = findFlag(
    collector,
    run,
    matches,
    successes.flatMap(({ bodies }) => bodies),
  );
  findFailures(collector, run, matches, isTold, successes.find(({ bodies }) => bodies.length > 0)?.bodies[0]);
  collectRefusalRows(run, matches);
  const read = readRecords(collector, run, successes);
  const records = groupRecords(read, ({ operation }) => kindsOf[operation]);
  const plain = new Map([...records].map(([kind, list]) => [kind, list.map((record) => toPlain(collector, record))]));
  for (const [kind, list] of plain) checkFields(run, kind, list);
  collectIdentityRows(collector, run, matches, records);
  for (const balance of records.get('balance') ?? []) checkCurrencies(run, balance);
  for (const [id, evidence] of run.proposals) collector.comment(`${id}: # to decide: ${evidence}`);
  findEmbedded(run, matches, plain.get('customer') ?? []);
  collectCorrections(collector, run);
  collectWordRows(collector, matches, records);
  collectEvidence(collector, records);
  for (const [kind, list] of plain) commentOnMissing(collector, run, kind, list);
  for (const [type, list] of groupRecords(read, ({ operation }) => typeOf(operation)))
    commentOnExtras(collector, type, list);
  return records;
}

/** Whether no status of success has a body. */
function isAnsweredEmpty({ statuses }: FoundMatch['api']): boolean {
  const successes = statuses.filter((status) => status >= 200 && status < 300);
  return successes.length > 0 && successes.every((status) => status === 204 || status === 205);
}

interface OperationRecords {
  readonly operation: OperationName;
  readonly records: readonly Json[];
}

/** The records of each operation; the customers' list first, since it stands for all. */
function readRecords(collector: Collector, run: CheckRun, successes: readonly Success[]): readonly OperationRecords[] {
  const lists = successes.filter(({ operation, bodies }) => isList(operation) && bodies.length > 0);
  const first = lists.find(({ operation }) => operation === 'listCustomers') ?? lists[0];
  return successes
    .toSorted((one, other) => Number(other === first) - Number(one === first))
    .map((success) => {
      const { operation: list, bodies } = success;
      const found = isList(list)
        ? collectPageRows(collector, run, { ...success, list, isFirst: success === first })
        : bodies.map((body) => createEnvelope(run.contract()).record(body));
      return { operation: list, records: found.filter(isRecord) };
    });
}

function groupRecords(read: readonly OperationRecords[], keyOf: (each: OperationRecords) => string): RecordsByKind {
  const groups = Map.groupBy(read, keyOf);
  return new Map([...groups].map(([key, each]) => [key, each.flatMap(({ records }) => records)]));
}

/** How many digits a number had is no evidence of the file's: a schema shows none, and a sample only its own. */
function collectCorrections(collector: Collector, run: CheckRun): void {
  for (const [id, value] of run.corrections)
    if (id.endsWith('.digits'))
      collector.comment(
        `${id}: # to decide: they come as JSON numbers; how many digits have they with their zeros in front?`,
      );
    else collector.set(id, value, '');
}

/** Adds a comment that names the graph's fields without a counterpart in the records of the file. */
function commentOnMissing({ comment }: Collector, run: CheckRun, kind: string, records: readonly Json[]): void {
  const isFound = (id: string): boolean =>
    run.findings.get(id as RowId)?.state === 'confirmed' || run.corrections.has(id as RowId); // asked for rows only
  const missing = [...run.findings].flatMap(([id, { state }]) => {
    const isField =
      id.startsWith(`${kind}.`) && state === 'not observable' && !/Minor$|\.currency$|\.(?:ledger|available)$/.test(id);
    return isField && !isFound(`${id}Minor`) ? [id.slice(kind.length + 1)] : [];
  });
  if (records.length > 0 && missing.length > 0)
    comment(`${kind}.${missing[0]}: # unsure: no field of its records looks like ${missing.join(', ')}`);
}

interface Success {
  readonly operation: OperationName;
  readonly place: string;
  readonly bodies: readonly unknown[];
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

/** A record whose times are texts where numbers do not tell their unit. The row is set, or left to a person. */
function toPlain({ set, comment, rows }: Collector, record: Json): Json {
  const toText = ([name, value]: readonly [string, unknown]): readonly [string, unknown] => {
    const number = numberText(value);
    if (isRecord(value)) return [name, Object.fromEntries(Object.entries(value).map(toText))];
    if (number === undefined || !isTimeName(name)) return [name, value];
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
  const inMinor = [
    ...read('transaction.amountMinor', records.get('transaction')),
    ...read('balance.valueMinor', records.get('balance')),
  ];
  const noAmount = inMinor.length > 0 ? 'amounts are in minor units by their names' : 'no sample shows an amount';
  const evidence = types === '' ? noAmount : `amounts are of type ${types}, ${looks}`;
  comment(`money.unit: # to decide: major or minor; ${evidence}`);
  const kinds = ['balance', 'transaction', 'account'] as const;
  const carriers = kinds.filter((kind) => read(`${kind}.currency`, records.get(kind)).length > 0);
  const carried = carriers.length === 0 ? 'no record carries one' : `carried by: ${carriers.join(', ')}`;
  comment(`money.currency: # to decide: a three-letter ISO 4217 code; ${carried}`);
}
