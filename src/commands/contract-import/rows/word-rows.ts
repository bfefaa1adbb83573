import { contractOfList, type Contract, type OperationName } from '../../../contract/contract.ts';
import { createEnvelope, isFailure, isSuccess, scalarText } from '../../../upstream/decoding/envelope.ts';
import { isRecord } from '../../../upstream/decoding/field-decoders.ts';
import { compilePointers } from '../../../upstream/decoding/json-pointer.ts';
import { isList, isWrite, kindsOf } from '../../contract-cases/operation-kinds.ts';
import type { CheckRun } from '../../contract-check/check-run.ts';
import { isPlainName, normalizeName, walk } from '../../contract-check/json-shape.ts';
import { recordsAt } from '../../contract-check/list-reader.ts';
import type { ApiAnswer } from '../api.ts';
import type { Collector } from '../collector.ts';
import { addDirectionWords } from './direction-words.ts';
import type { FoundMatch } from '../match-operations.ts';
import { madeText } from '../schema-sample.ts';

const flagNames = /^(?:success|status|result|outcome|state|code)$/i;
/** Names of a flag beside the one that is read by default. */
const booleanFlag = /^(?:is|was|request)(?:success(?:ful)?|succeeded|ok)$|^(?:successful|succeeded)$/;
export const directionNames =
  /direction|flow|(?:dr|debit)[_-]?(?:cr|credit)|(?:cr|credit)[_-]?(?:dr|debit)|(?:entry|movement)_?type/i;
const failureWords = /^(?:failure|unsuccessful|errored)$/i;
const endWords = /cancel|revers|void|abort|invalid|denied|expired/i;

/** Whether an answer is one of success, by its status and name. */
export function isSuccessful({ meaning }: ApiAnswer): boolean {
  return meaning >= 200 && meaning < 300;
}

/**
 * Rows of the words that a schema's `enum` and `const` allow. A word of a schema may be printed; that of a sample may not,
 * so of samples only the usual words are written.
 */
export function collectWordRows(
  collector: Collector,
  matches: readonly FoundMatch[],
  samples: ReadonlyMap<string, readonly unknown[]>,
): void {
  const contract = collector.contract();
  const { isWrapped } = createEnvelope(contract);
  const data = compilePointers(contract['envelope.data']);
  const allowed = matches.flatMap(({ operation, api }) => {
    const answers = api.answers.filter(isSuccessful);
    const isOfRecord = (body: unknown): boolean =>
      isList(operation) || !answers.some((answer) => isWrapped(answer.body)) || data.read(body) !== undefined;
    const records = choicesOf(answers)
      .filter(isOfRecord)
      .flatMap((body) => recordsOf(contract, operation, body));
    return records.map((record) => ({ operation, kind: kindsOf[operation], record }));
  });
  const type = compilePointers(contract['transaction.type']);
  const types = allowed.filter(({ kind }) => kind === 'transaction').map(({ record }) => type.read(record));
  const transactions = [
    ...allowed.filter(({ kind }) => kind === 'transaction').map(({ record }) => record),
    ...(samples.get('transaction') ?? []),
  ];
  const told = transactions
    .flatMap(walk)
    .find(({ name, value }) => typeof value === 'string' && directionNames.test(name));
  if (told !== undefined && !contract['transaction.type'].includes(told.pointer))
    collector.comment(`transaction.type: # unsure: the direction may stand at ${told.pointer}`);
  const seen = (samples.get('transaction') ?? [])
    .map((record) => type.read(record))
    .filter((text) => text !== madeText);
  const place = matches.find(({ operation }) => operation === 'listCustomerTransactions')?.api.place ?? '';
  collectDirections(collector, place, textsOf(types), textsOf(seen));
  const statuses = allowed
    .filter(({ operation }) => isWrite(operation))
    .map(({ kind, record }) => compilePointers(contract[`${kind as 'account'}.status`]).read(record)); // writes have no balance
  collectFailures(collector, textsOf(statuses));
}

function collectDirections(
  { set, comment, contract }: Collector,
  place: string,
  allowed: readonly string[],
  seen: readonly string[],
): void {
  const { 'transaction.creditWords': credit, 'transaction.debitWords': debit } = contract();
  const isSchema = allowed.length > 0;
  const words = addDirectionWords({ credit, debit }, isSchema ? allowed : seen, { isUsualOnly: !isSchema });
  set('transaction.creditWords', words.credit, place);
  set('transaction.debitWords', words.debit, place);
  if (words.unsure.length === 0) return;
  const named = isSchema ? listWords(words.unsure) : 'a type of a sample';
  comment(`transaction.creditWords: # unsure, as transaction.debitWords: the direction of ${named} (${place})`);
}

/** A record with such a status does not prove that a write was done. */
function collectFailures({ set, comment, contract }: Collector, statuses: readonly string[]): void {
  const known = contract()['writes.failureStatuses'];
  const added = statuses.filter((word) => failureWords.test(word));
  set('writes.failureStatuses', [...known, ...added], '');
  const unsure = statuses.filter((word) => endWords.test(word));
  if (unsure.length > 0)
    comment(`writes.failureStatuses: # unsure: does one of these mean that the write failed? ${listWords(unsure)}`);
}

/**
 * Finds the flag of the envelope that tells success from failure by the words that its schema allows. Returns whether the
 * rows in force read it.
 */
export function findFlag(
  { comment }: Collector,
  run: CheckRun,
  matches: readonly FoundMatch[],
  samples: readonly unknown[],
): boolean {
  const tops = samples.filter(isRecord).flatMap((body) => Object.entries(body));
  const [boolean] =
    tops.find(([name, value]) => typeof value === 'boolean' && booleanFlag.test(normalizeName(name))) ?? [];
  if (boolean !== undefined && isPlainName(boolean)) {
    run.contradict('envelope.success', `a flag stands at /${boolean}`, [`/${boolean}`]);
    return true;
  }
  const data = compilePointers(run.contract()['envelope.data']);
  const answers = matches.flatMap(({ api }) => api.answers).filter(isSuccessful);
  const bodies = choicesOf(answers.filter(({ body }) => isRecord(body) && data.read(body) !== undefined));
  const flags = new Map<string, Set<string>>();
  for (const [name, value] of bodies.filter(isRecord).flatMap((body) => Object.entries(body)))
    if (isPlainName(name) && flagNames.test(name) && scalarText(value) !== '')
      flags.set(name, (flags.get(name) ?? new Set()).add(scalarText(value)));
  for (const [name, values] of flags) {
    const words = [...values];
    const isCertain = words.some(isSuccess) && words.some(isFailure);
    const isRead = run.contract()['envelope.success'].includes(`/${name}`);
    if (isCertain && !isRead) run.contradict('envelope.success', `its words tell it at /${name}`, [`/${name}`]);
    if (isCertain) return true;
    if (words.length > 1)
      comment(`envelope.successValues: # unsure: which of these at /${name} mean success? ${listWords(words)}`);
  }
  return false;
}

/** The bodies of allowed values; answers with one schema share them. */
function choicesOf(answers: readonly ApiAnswer[]): readonly unknown[] {
  return [...new Set(answers.map(({ choices }) => choices))].flatMap((choices) => choices?.() ?? []);
}

function recordsOf(contract: Contract, operation: OperationName, body: unknown): readonly unknown[] {
  if (isList(operation)) return recordsAt(contractOfList(contract, operation), body) ?? [];
  return [createEnvelope(contract).record(body)];
}

function textsOf(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.filter((value) => typeof value === 'string'))];
}

/** Words of a schema for a person: short and plain ones, at most twenty. */
function listWords(words: readonly string[]): string {
  const plain = words.filter((word) => /^[\w .-]{1,40}$/.test(word)).slice(0, 20);
  const rest = words.length - plain.length;
  return `${plain.map((word) => `"${word}"`).join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`;
}
