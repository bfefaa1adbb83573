import type { Contract, OperationName } from '../../contract/contract.ts';
import { isDate, toDateTime } from '../../upstream/decoding/date-time.ts';
import { numberText } from '../../upstream/decoding/exact-json.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { isSignOfOtherPage } from '../../upstream/paging/page-signs.ts';
import { isPlainName, walk } from '../contract-check/json-shape.ts';
import { recordsAt } from '../contract-check/list-reader.ts';
import { isList } from './operation-kinds.ts';
import { isAddress } from './value-shape.ts';

const maxDepth = 8;
const maxEntries = 2;
const maxLength = 40;

/** Rows whose words have a meaning in the contract. They are kept, since a word alone does not identify a person. */
const wordRows = ['envelope.success', 'envelope.code', 'customer.type', 'customer.status', 'transaction.type'] as const;
const word = /^(?:[A-Za-z][A-Za-z_ -]{0,29}|\d{1,3})$/;

export type Fake = (value: unknown) => unknown;

/**
 * Creates the function that replaces the values of bodies by fake ones of the same shape. Equal texts become equal ones
 * and others stay apart, so that identifiers still tell records apart. Lists keep two entries.
 */
export function createFake(contract: Contract): Fake {
  const kept = new Set([...wordRows.flatMap((row) => contract[row].map(nameOf)), 'status', 'currency']);
  const fakes = new Map<string, string>();
  const counts = new Map<string, number>();
  const fakeText = (text: string): string => {
    const known = fakes.get(text);
    if (known !== undefined) return known;
    if (isDate(text) || toDateTime(text, 'UTC') !== undefined) return zeros(text).replace('0000-00-00', '2000-01-01');
    const plain = plainFake(text.slice(0, maxLength));
    const count = (counts.get(plain) ?? 0) + 1;
    counts.set(plain, count);
    const fake = count === 1 || text === '' ? plain : withNumber(plain, String(count));
    fakes.set(text, fake);
    return fake;
  };
  const fake = (value: unknown, name: string, depth: number): unknown => {
    if (depth > maxDepth || typeof value === 'symbol') return null;
    if (typeof value === 'string') return kept.has(name) && word.test(value) ? value : fakeText(value);
    const number = numberText(value);
    if (number !== undefined) return kept.has(name) && word.test(number) ? value : Number(fakeText(number));
    if (Array.isArray(value)) return value.slice(0, maxEntries).map((entry) => fake(entry, name, depth + 1));
    if (!isRecord(value)) return value;
    const members = Object.entries(value).filter(([key]) => isPlainName(key));
    return Object.fromEntries(members.map(([key, inner]) => [key, fake(inner, key, depth + 1)]));
  };
  return (value) => fake(value, '', 0);
}

/** Digits become a 1 and zeros, so that amounts and counts stay ones; letters an x. */
function plainFake(text: string): string {
  if (isAddress(text)) return 'ada@example.com';
  if (/^0?\.\d+$/.test(text)) return zeros(text);
  if (/^\D{0,2}\d[\d.]*$/.test(text)) return zeros(text).replace('0', '1');
  return zeros(text.replaceAll(/\p{L}/gu, 'x'));
}

function withNumber(fake: string, number: string): string {
  return isAddress(fake) ? fake.replace('@', `${number}@`) : fake.slice(0, -number.length) + number;
}

function zeros(text: string): string {
  return text.replaceAll(/\d/g, '0');
}

function nameOf(pointer: string): string {
  return pointer.split('/').at(-1) ?? '';
}

/** Changes totals and page numbers of a shortened list, by its rows and by the usual names, so that it is the only page. */
export function closeList(contract: Contract, operation: OperationName, body: unknown): void {
  if (!isList(operation)) return;
  const count = recordsAt(contract, body)?.length ?? 0;
  const values = {
    'lists.currentPage': contract['lists.firstPage'],
    'lists.lastPage': 1, // a count of pages
    'lists.pageSize': count,
    'lists.total': count,
    'lists.nextCursor': null,
    'lists.nextLink': null,
    'lists.hasMore': false,
  } as const;
  for (const { pointer, name, value } of walk(body)) {
    const holder = compilePointers([pointer]).holder(body);
    if (isSignOfOtherPage(name) && isRecord(holder))
      Object.assign(holder, { [name]: typeof value === 'boolean' ? false : null });
  }
  for (const [row, value] of Object.entries(values)) {
    const reader = compilePointers(contract[row as keyof typeof values]); // the keys of the table above
    const holder = reader.holder(body);
    if (reader.read(body) !== undefined && isRecord(holder))
      Object.assign(holder, { [nameOf(reader.locate(body))]: value });
  }
}
