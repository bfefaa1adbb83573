import type { OperationName, RowId } from '../../../contract/contract.ts';
import { numberText, textOrNumber } from '../../../upstream/decoding/exact-json.ts';
import { epochUnit } from '../../../contract/date-time.ts';
import { isRecord, type PointerRow } from '../../../upstream/decoding/field-decoders.ts';
import { isList, isWrite, kindsOf } from '../../operation-kinds.ts';
import { sourcesOf } from '../../contract-cases/run-answer.ts';
import { checkEnvelope } from '../../contract-check/check-envelope.ts';
import { checkFields, checkSingle } from '../../contract-check/check-fields.ts';
import { proposeBalance, checkCurrencies } from '../../contract-check/check-money.ts';
import { describeType, findNode } from '../../contract-check/json-shape.ts';
import type { Json } from '../api.ts';
import type { Collector, RecordsByKind, Success } from '../collector.ts';
import { findData } from './envelope-data.ts';
import { commentOnExtras, graphTypeOf } from './extra-fields.ts';
import { collectIdentityRows } from './identity-rows.ts';
import { collectPageRows } from './page-rows.ts';
import type { FoundMatch } from '../match-operations.ts';
import { collectRefusalRows } from './refusal-rows.ts';
import { preferSentNames } from './sent-names.ts';
import { isTimeName, placeholderAmount } from '../schema-sample.ts';
import { collectWordRows, findFlag, isSuccessful } from './word-rows.ts';

/**
 * Rows of answers: the envelope, then where each list and each field stands, by the same reading as `contract check`.
 * Samples take the place of answers, and nothing is sent.
 */
export function collectAnswerRows(collector: Collector): RecordsByKind {
  const { run } = collector;
  const successes = collector.matches.map((match): Success => {
    return { ...match, bodies: match.api.answers.filter(isSuccessful).map(({ body }) => body) };
  });
  for (const { operation, api, bodies } of successes)
    if (isWrite(operation) && isAnsweredEmpty(api))
      collector.comment(`${operation}.emptySuccess: # to decide: true, since the file's only success has no body`);
    else if (bodies.length === 0) collector.note(api.place, `no sample and no schema of ${operation}'s answer`);
  findData(collector, successes);
  const all = successes.flatMap(({ bodies }) => bodies);
  findFailures(collector, findFlag(collector, all), all[0]);
  collectRefusalRows(collector);
  const read = readRecords(collector, successes);
  const records = groupRecords(read, ({ operation }) => kindsOf[operation]);
  const plain = new Map([...records].map(([kind, list]) => [kind, list.map((record) => toPlain(collector, record))]));
  for (const [kind, list] of plain) {
    checkFields(run, kind, list);
    if (kind !== 'customer' && kind !== 'settlementBank' && kind !== 'account') continue;
    // A list may wrap its records, and single records be bare: their ids stand elsewhere, too.
    if (list.every((record) => run.read(`${kind}.id`, record) !== undefined)) continue;
    for (const record of list) checkSingle(run, kind, record, list);
  }
  preferSentNames(collector, records);
  collectIdentityRows(collector, records);
  for (const balance of records.get('balance') ?? []) {
    checkCurrencies(run, balance);
    proposeBalance(run, balance);
  }
  for (const [id, evidence] of run.proposals) collector.comment(`${id}: # to decide: ${evidence}`);
  findEmbedded(collector, plain.get('customer') ?? []);
  collectWordRows(collector, records);
  collectEvidence(collector, records);
  for (const [kind, list] of plain) commentOnMissing(collector, kind, list);
  for (const [type, list] of groupRecords(read, ({ operation }) => graphTypeOf(operation)))
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
function readRecords(collector: Collector, successes: readonly Success[]): readonly OperationRecords[] {
  const lists = successes.filter(({ operation, bodies }) => isList(operation) && bodies.length > 0);
  const first = lists.find(({ operation }) => operation === 'listCustomers') ?? lists[0];
  return successes
    .toSorted((one, other) => Number(other === first) - Number(one === first))
    .map((success) => {
      const { operation, bodies, api } = success;
      const sources = isList(operation)
        ? collectPageRows({ ...collector, list: operation, isFirst: success === first, bodies, place: api.place })
        : bodies.flatMap((body) => sourcesOf(collector.run.contract(), operation, body));
      return { operation, records: sources.filter(isRecord) };
    });
}

function groupRecords(read: readonly OperationRecords[], keyOf: (each: OperationRecords) => string): RecordsByKind {
  const groups = Map.groupBy(read, keyOf);
  return new Map([...groups].map(([key, each]) => [key, each.flatMap(({ records }) => records)]));
}

/** Adds a comment that names the graph's fields without a counterpart in the records of the file. */
function commentOnMissing({ comment, run }: Collector, kind: string, records: readonly Json[]): void {
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

/** Failures by their HTTP status, or inside HTTP 200 by the name of the sample. */
function findFailures(collector: Collector, hasFlag: boolean, success: unknown): void {
  const { comment, run, matches } = collector;
  if (success === undefined) return;
  const failures = matches
    .flatMap(({ api }) => api.answers.filter(({ meaning }) => meaning >= 400 && meaning < 600))
    .map((answer) => [answer, answer.meaning] as const);
  if (failures.length > 0) {
    checkEnvelope(run, success, failures.slice(0, 100));
    const isFound = run.findings.has('errors.message') || run.corrections.has('errors.message');
    if (!isFound) comment('errors.message: # unsure: no failure in the file has a text under a usual name');
  } else if (!hasFlag)
    comment('envelope.success: # unsure: no failure in the file shows how one is told from a success');
}

/** A record whose numeric times are replaced by texts. The row of their unit is set, or left to a person. */
function toPlain({ set, comment, run }: Collector, record: Json): Json {
  const toText = ([name, value]: readonly [string, unknown]): readonly [string, unknown] => {
    const number = numberText(value);
    if (isRecord(value)) return [name, Object.fromEntries(Object.entries(value).map(toText))];
    if (number === undefined || !isTimeName(name)) return [name, value];
    const unit = epochUnit(number);
    if (unit !== undefined) set('times.numbers', unit);
    else if (!run.corrections.has('times.numbers'))
      comment('times.numbers: # to decide: times are JSON numbers: seconds or milliseconds?');
    return [name, '2000-01-01T00:00:00Z'];
  };
  return Object.fromEntries(Object.entries(record).map(toText));
}

/** A balance or accounts inside the customer count only where the file has no operation for them. */
function findEmbedded({ set, matches }: Collector, customers: readonly Json[]): void {
  const has = (name: OperationName): boolean => matches.some(({ operation }) => operation === name);
  const find = (names: readonly string[], accepts: (value: unknown) => boolean): string | undefined =>
    customers.flatMap((customer) => findNode(customer, names, accepts) ?? [])[0]?.pointer;
  const amount = find(['balance', 'availablebalance'], (value) => textOrNumber(value) !== undefined);
  const accounts = find(['virtualaccounts', 'accounts', 'bankaccounts'], Array.isArray);
  if (amount !== undefined && !has('getCustomerBalance')) set('customer.balance', [amount.replace(/\/[^/]*$/, '')]);
  if (accounts !== undefined && !has('listCustomerVirtualAccounts')) set('customer.virtualAccounts', [accounts]);
}

/** Adds comments on the form of amounts and on fields with a currency, never their values. */
function collectEvidence({ comment, run }: Collector, records: RecordsByKind): void {
  const [transactions = [], balances = [], customers = []] = ['transaction', 'balance', 'customer'].map((kind) =>
    records.get(kind),
  );
  const read = (id: PointerRow, list: readonly unknown[]): readonly unknown[] =>
    list.map((record) => run.read(id, record)).filter((value) => value !== undefined);
  const amounts = [
    ...read('transaction.amount', transactions),
    ...read('balance.value', [...balances, ...read('customer.balance', customers)]),
  ];
  const inMinor = [...read('transaction.amountMinor', transactions), ...read('balance.valueMinor', balances)];
  const types = [...new Set(amounts.map(describeType))].join(' and ');
  const hasDecimals = amounts.some((amount) => textOrNumber(amount)?.includes('.') === true);
  const isPlaceholder = amounts.every((amount) => textOrNumber(amount) === placeholderAmount);
  const noAmount = inMinor.length > 0 ? 'amounts are in minor units by their names' : 'no sample shows an amount';
  const ofSamples = hasDecimals ? 'some with decimals, so perhaps major' : 'none with decimals';
  const looks = isPlaceholder ? noAmount : ofSamples;
  const evidence = types === '' ? noAmount : `amounts are of type ${types}, ${looks}`;
  comment(`money.unit: # to decide: major or minor; ${evidence}`);
  const carriers = (['balance', 'transaction', 'account'] as const).filter(
    (kind) => read(`${kind}.currency`, records.get(kind) ?? []).length > 0,
  );
  const carried = carriers.length === 0 ? 'no record carries one' : `carried by: ${carriers.join(', ')}`;
  comment(`money.currency: # to decide: a three-letter ISO 4217 code; ${carried}`);
}
