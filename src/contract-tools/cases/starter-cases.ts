import { writeFileSync } from 'node:fs';
import { isList } from '../../contract/operation-rows.ts';
import { stringify } from 'yaml';
import { type Contract, statusWords, type ListName } from '../../contract/contract.ts';
import {
  isContradiction,
  parseBody,
  type Reading,
  compilePointers,
  isRecord,
  recordsOf,
  textOrNumber,
  type PointerRow,
} from '../../upstream/index.ts';
import { errorsIn, judge, maskOf } from '../judge.ts';
import type { Sample } from '../sample.ts';
import { resultOf } from './test-cases.ts';
import { isDate, readDate, spellTime, toDateTime, writeDate } from '../../contract/date-time.ts';
import { contractOfList } from '../operation-kinds.ts';
import { isPlainName } from '../propose/json-nodes.ts';

const maxSamples = 100;

/** Writes the cases of samples, unless there are none: `contract test` refuses such a file. */
export async function writeCases(file: string, samples: readonly Sample[], contract: Contract): Promise<void> {
  const text = await starterCases(samples, contract);
  if (text.includes('\ncases: []')) console.error(`Not written: ${file}, since the contract reads no answer yet.`);
  else writeFileSync(file, text);
}

/**
 * The text of a cases file for `contract test`: one case for each operation and outcome, its values replaced by obviously
 * fake ones of the same shape, with what the contract makes of it as its expectation. A sample that waits
 * for a decision, that the contract cannot read, or whose fake does not fit, is left out, and named.
 */
export async function starterCases(samples: readonly Sample[], contract: Contract): Promise<string> {
  const fake = createFake(contract);
  const cases = new Map<string, object>();
  const leftOut: string[] = [];
  for (const sample of samples.filter(({ body }) => body !== undefined).slice(0, maxSamples)) {
    const { operation, status } = sample;
    const input = fake(sample.input) as Sample['input']; // a flat map stays one
    const body = fake(sample.body);
    if (isList(operation)) closeList(contract, operation, body);
    const bytes = Buffer.from(JSON.stringify(body));
    const { reading: original } = await judge(sample, contract);
    const { reading } = await judge({ operation, status, headers: {}, input, body: parseBody(bytes), bytes }, contract);
    // A refusal that no row explains is no outcome that a contract is held to.
    if (status >= 300 && reading.error !== undefined && isContradiction(reading.error)) continue;
    const name = `${operation}, HTTP ${status}, ${endOf(reading)}`;
    const expect = simplify(resultOf(reading));
    // A file with an empty expectation is refused.
    const isEmpty = typeof expect === 'object' && expect !== null && Object.keys(expect).length === 0;
    if (isMisread(status, reading) || endOf(original) !== endOf(reading)) leftOut.push(name);
    else if (!isEmpty && !cases.has(name)) cases.set(name, { name, operation, status, input, body, expect });
  }
  const why = 'a decision is open, a row does not fit, or a made-up value does not';
  const head = [
    '# Run by: settlement-graph contract test FILE. Values are made up, in the shape of what was seen.',
    ...[...new Set(leftOut)].map((name) => `# Left out, since ${why}: ${name}`),
  ];
  return `${head.join('\n')}\n${stringify({ cases: [...cases.values()] }, { aliasDuplicateObjects: false })}`;
}

function endOf({ error, write }: Reading): string {
  return error?.code ?? write?.outcome ?? 'read';
}

/** Whether the contract is at fault rather than the sample: a decision is open, or a success is not read as one. */
function isMisread(status: number, reading: Reading): boolean {
  const isContradicted = errorsIn(reading.value).some((error) => isContradiction(error) && !isOpen(error.code));
  return isOpen(endOf(reading)) || (status < 300 && (isContradicted || endOf(reading) === 'not sent'));
}

function isOpen(code: string): boolean {
  return code === 'CONTRACT_UNDECIDED';
}

/** The expectation of a starter case, without nulls and values that a decision changes; code and row of an error. */
function simplify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplify);
  if (typeof value !== 'object' || value === null) return value;
  const isError = Object.hasOwn(value, 'error');
  const fields = Object.entries(value).filter(([name, inner]) => {
    if (inner === null || name === 'message' || isUndecided(inner)) return false;
    return !isError || ['outcome', 'error', 'row'].includes(name);
  });
  return Object.fromEntries(fields.map(([name, inner]) => [name, simplify(inner)]));
}

function isUndecided(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'error' in value && isOpen(String(value.error));
}

const maxDepth = 8;
const maxEntries = 2;

const idRows = ['customer.id', 'settlementBank.id', 'transaction.id', 'account.id'] as const;
const currencyRows = ['balance.currency', 'transaction.currency', 'account.currency'] as const;
/** Words of records without a meaning in the contract. */
const usualWords = ['active', 'inactive', 'pending', 'processing', 'completed', 'successful', 'blocked', 'wallet'];
/** Words of an envelope that tell success from failure where the contract lists none. */
const flagWords = ['success', 'ok', 'true', 'failed', 'failure', 'error', 'fail', '0', '00'];

/**
 * Creates the function that replaces the values of bodies by fake ones of the same shape. Equal texts become equal ones
 * and others stay apart, so that identifiers still tell records apart. Lists keep two entries.
 */
function createFake(contract: Contract): (body: unknown) => unknown {
  const isKept = createKeepRule(contract);
  const fakes = new Map<string, string>();
  const counts = new Map<string, number>();
  const fakeText = (text: string): string => {
    const earlierFake = fakes.get(text);
    if (earlierFake !== undefined) return earlierFake;
    if (isDate(text) || toDateTime(spellTime(text, 'YYYY-MM-DD'), 'UTC') !== undefined)
      return text.replaceAll(/\d/g, '0').replace('0000-00-00', '2000-01-01');
    if (readDate(text, contract['dates.form']) !== undefined) return writeDate('2000-01-01', contract['dates.form']);
    const plain = plainFake(text);
    const count = (counts.get(plain) ?? 0) + 1;
    counts.set(plain, count);
    const fake = count === 1 || text === '' ? plain : withNumber(plain, String(count));
    fakes.set(text, fake);
    return fake;
  };
  const fake = (value: unknown, pointer: string, depth: number, body: unknown): unknown => {
    if (depth > maxDepth || typeof value === 'symbol') return null;
    const text = textOrNumber(value);
    if (text !== undefined) {
      if (isKept(pointer, text, body)) return value;
      return typeof value === 'string' ? fakeText(text) : Number(fakeText(text));
    }
    if (Array.isArray(value)) return value.slice(0, maxEntries).map((entry) => fake(entry, pointer, depth + 1, body));
    if (!isRecord(value)) return value;
    const members = Object.entries(value).filter(([key]) => isPlainName(key));
    return Object.fromEntries(members.map(([key, inner]) => [key, fake(inner, `${pointer}/${key}`, depth + 1, body)]));
  };
  return (body) => fake(body, '', 0, body);
}

/**
 * Creates the function that says whether a text may stay: a code of the envelope, a word with a meaning, or a currency,
 * but no identifier.
 */
function createKeepRule(contract: Contract): (pointer: string, text: string, body: unknown) => boolean {
  const namesOf = (rows: readonly PointerRow[]) => new Set(rows.flatMap((row) => contract[row].map(nameOf)));
  const identities = [contract['customer.identifiedBy'], contract['settlementBank.identifiedBy']].flat();
  const ids = new Set([...namesOf(idRows), ...identities.map(nameOf)]);
  const currencies = namesOf(currencyRows).add('currency');
  const words = toWords(
    usualWords,
    contract['writes.failureStatuses'],
    contract['transaction.creditWords'],
    contract['transaction.debitWords'],
    ['customer', 'transaction', 'account'].flatMap((kind) => [...statusWords(contract, kind).keys()]),
  );
  const data = compilePointers(contract['envelope.data']);
  const flags = new Set([...contract['envelope.success'], ...contract['envelope.code']]);
  const idPointers = new Set(idRows.flatMap((row) => contract[row]));
  const codes = toWords(
    flagWords,
    contract['envelope.successValues'],
    contract['errors.duplicateCodes'],
    Object.keys(contract['errors.statuses']),
  );
  return (pointer, text, body) => {
    const [name, word] = [nameOf(pointer), text.toLowerCase()];
    if (flags.has(pointer) && codes.has(word)) return true;
    // Without an envelope, what stands there is a field of the record.
    const isOfEnvelope = flags.has(pointer) && (!idPointers.has(pointer) || data.read(body) !== undefined);
    if (isOfEnvelope && /^[1-5]\d\d$/.test(text)) return true;
    if (ids.has(name)) return false;
    // A word alone does not identify a person.
    return words.has(word) || (currencies.has(name) && /^[A-Z]{3}$/.test(text));
  };
}

function toWords(...lists: readonly (readonly unknown[])[]): ReadonlySet<string> {
  return new Set(lists.flat().map((word) => String(word).toLowerCase()));
}

const email = 'ada@example.com';

/** The text's mask. Digits become a 1 and zeros, so that amounts and counts stay such. */
function plainFake(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return email;
  const isNumber = /^[^\p{L}\d]{0,2}\d[\d.]*$/u.test(text) && !/^0?\.\d+$/.test(text);
  return isNumber ? maskOf(text).replace('0', '1') : maskOf(text);
}

function withNumber(fake: string, number: string): string {
  return fake === email ? fake.replace('@', `${number}@`) : fake.slice(0, -number.length) + number;
}

function nameOf(pointer: string): string {
  return pointer.split('/').at(-1) ?? '';
}

/** Makes a shortened list the only page: changes totals, page numbers and signs of a next page by their rows. */
function closeList(whole: Contract, list: ListName, body: unknown): void {
  const contract = contractOfList(whole, list);
  const count = recordsOf(whole, list, body).length;
  const values = {
    'lists.currentPage': contract['lists.firstPage'],
    'lists.lastPage': 1, // a count of pages
    'lists.pageSize': count,
    'lists.total': count,
    'lists.nextCursor': null,
    'lists.nextLink': null,
    'lists.hasMore': false,
  } as const;
  for (const [row, value] of Object.entries(values)) {
    // An answer may say the same at several of a row's places. The rows are the keys of the table above.
    for (const pointer of contract[row as keyof typeof values]) {
      const reader = compilePointers([pointer]);
      const holder = reader.holders(body).at(-1);
      if (reader.read(body) !== undefined && isRecord(holder)) Object.assign(holder, { [nameOf(pointer)]: value });
    }
  }
}
