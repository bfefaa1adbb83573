import { scalarText } from '../../../upstream/decoding/envelope.ts';
import { isRecord } from '../../../upstream/decoding/field-decoders.ts';
import { isList, isWrite, kindsOf } from '../../operation-kinds.ts';
import { sourcesOf } from '../../contract-cases/run-answer.ts';
import { isPlainName, normalizeName, walk } from '../../contract-check/json-shape.ts';
import type { ApiAnswer } from '../api.ts';
import type { Collector, RecordsByKind } from '../collector.ts';
import { placeholderText } from '../schema-sample.ts';

const flagNames = /^(?:success|status|result|outcome|state|code)$/i;
/** Names of a flag beside the one that is read by default. */
const booleanFlag = /^(?:is|was|request)(?:success(?:ful)?|succeeded|ok)$|^(?:successful|succeeded|ok)$/;
const directionNames =
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
export function collectWordRows(collector: Collector, samples: RecordsByKind): void {
  const { comment, matches, run } = collector;
  const contract = run.contract();
  const isWrapped = (body: unknown): boolean => run.read('envelope.data', body) !== undefined;
  const allowed = matches.flatMap(({ operation, api }) => {
    const answers = api.answers.filter(isSuccessful);
    const isOfRecord = (body: unknown): boolean =>
      isList(operation) || !answers.some((answer) => isWrapped(answer.body)) || isWrapped(body);
    const bodies = choicesOf(answers).filter(isOfRecord);
    const records = bodies.flatMap((body) => sourcesOf(contract, operation, body));
    return records.map((record) => ({ operation, kind: kindsOf[operation], record }));
  });
  const ofSchemas = allowed.filter(({ kind }) => kind === 'transaction').map(({ record }) => record);
  const ofSamples = samples.get('transaction') ?? [];
  const directionNode = [...ofSchemas, ...ofSamples]
    .flatMap(walk)
    .find(({ name, value }) => typeof value === 'string' && directionNames.test(name));
  if (directionNode !== undefined && !contract['transaction.type'].includes(directionNode.pointer))
    comment(
      `transaction.direction: # unsure: [${directionNode.pointer}], perhaps, if transaction.creditWords and transaction.debitWords have its words`,
    );
  const typesOf = (records: readonly unknown[]) =>
    textsOf(records.map((record) => run.read('transaction.type', record)));
  collectDirections(
    collector,
    typesOf(ofSchemas),
    typesOf(ofSamples).filter((text) => text !== placeholderText),
  );
  const statuses = allowed
    .filter(({ operation }) => isWrite(operation))
    .map(({ kind, record }) => run.read(`${kind as 'account'}.status`, record)); // writes have no balance
  collectFailures(collector, textsOf(statuses));
}

/** A record with such a status does not prove that a write was done. */
function collectFailures({ set, comment, run }: Collector, statuses: readonly string[]): void {
  const contracted = run.contract()['writes.failureStatuses'];
  const added = statuses.filter((word) => failureWords.test(word));
  set('writes.failureStatuses', [...contracted, ...added]);
  const unsure = statuses.filter((word) => endWords.test(word));
  if (unsure.length > 0)
    comment(`writes.failureStatuses: # unsure: does one of these mean that the write failed? ${listWords(unsure)}`);
}

/**
 * Finds the flag of the envelope that tells success from failure by the words that its schema allows. Returns whether the
 * rows in force read it.
 */
export function findFlag({ comment, set, run, matches }: Collector, samples: readonly unknown[]): boolean {
  const [boolean] =
    entriesOf(samples).find(([name, value]) => typeof value === 'boolean' && booleanFlag.test(normalizeName(name))) ??
    [];
  if (boolean !== undefined && isPlainName(boolean)) {
    set('envelope.success', [`/${boolean}`]);
    return true;
  }
  const answers = matches.flatMap(({ api }) => api.answers).filter(isSuccessful);
  const bodies = choicesOf(
    answers.filter(({ body }) => isRecord(body) && run.read('envelope.data', body) !== undefined),
  );
  const flags = entriesOf(bodies).filter(
    ([name, value]) => isPlainName(name) && flagNames.test(name) && scalarText(value) !== '',
  );
  for (const [name, entries] of Map.groupBy(flags, ([name]) => name)) {
    const words = [...new Set(entries.map(([, value]) => scalarText(value)))];
    const isCertain =
      isOneOf(run.contract()['envelope.successValues'], words) &&
      isOneOf(run.contract()['envelope.failureValues'], words);
    const isRead = run.contract()['envelope.success'].includes(`/${name}`);
    if (isCertain && !isRead) set('envelope.success', [`/${name}`]);
    if (isCertain) return true;
    if (words.length > 1)
      comment(`envelope.successValues: # unsure: which of these at /${name} mean success? ${listWords(words)}`);
  }
  return false;
}

function isOneOf(values: readonly unknown[], words: readonly string[]): boolean {
  const texts = new Set(values.map((value) => String(value).toLowerCase()));
  return words.some((word) => texts.has(word.toLowerCase()));
}

function entriesOf(bodies: readonly unknown[]): readonly (readonly [string, unknown])[] {
  return bodies.filter(isRecord).flatMap((body) => Object.entries(body));
}

/** The bodies of allowed values; answers with one schema share them. */
function choicesOf(answers: readonly ApiAnswer[]): readonly unknown[] {
  return [...new Set(answers.map(({ choices }) => choices))].flatMap((choices) => choices?.() ?? []);
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

const sides = {
  credit: /^(?:credit(?:s|ed)?|crdt|cr|deposit(?:s|ed)?|in|in(?:flow|bound|coming|ward)s?|received|topup|cashin)$/,
  debit: /^(?:debit(?:s|ed)?|dbit|dr|withdraw(?:als?|n)?|out|out(?:flow|bound|going|ward)s?|sent|cashout)$/,
};
type Side = keyof typeof sides;
const sideNames = ['credit', 'debit'] as const;

/**
 * Adds the types whose direction is certain to the rows `transaction.creditWords` and `transaction.debitWords`. Types
 * without a certain direction are left to a person.
 */
function collectDirections(
  { set, comment, run, matches }: Collector,
  ofSchemas: readonly string[],
  ofSamples: readonly string[],
): void {
  const rows = run.contract();
  const isSchema = ofSchemas.length > 0;
  const types = isSchema ? ofSchemas : ofSamples;
  const add = (side: Side): readonly string[] => {
    const added = types.filter((type) => sideOf(type) === side).map((type) => type.toLowerCase());
    return [...new Set([...rows[`transaction.${side}Words`], ...added])];
  };
  const place = matches.find(({ operation }) => operation === 'listCustomerTransactions')?.api.place ?? '';
  for (const side of sideNames) set(`transaction.${side}Words`, add(side), place);
  const unsure = types.filter((type) => sideOf(type) === undefined);
  if (unsure.length === 0) return;
  const named = isSchema ? listWords(unsure) : 'a type of a sample';
  comment(`transaction.creditWords: # unsure, as transaction.debitWords: the direction of ${named} (${place})`);
}

/** Words beside one of a direction that leave it as it is. */
const neutralWords =
  /^(?:wallet|account|bank|virtual|transfers?|transaction|trx|customer|internal|external|manual|cash|money|funds?|pay|alert)$/;

/** The words of a type. */
function wordsIn(type: string): readonly string[] {
  return type
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

/** The direction that a type means for certain: one word says it, and every other word is neutral. */
function sideOf(type: string): Side | undefined {
  if (!/^[a-z _-]+$/i.test(type)) return undefined;
  const others = wordsIn(type.replaceAll(/([a-z])([A-Z])/g, '$1 $2')).filter((word) => !neutralWords.test(word));
  const [side, second] = sideNames.filter((each) => others.some((word) => sides[each].test(word)));
  const isCertain = side !== undefined && second === undefined && others.every((word) => sides[side].test(word));
  return isCertain ? side : undefined;
}
