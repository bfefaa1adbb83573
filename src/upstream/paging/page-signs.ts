import { isRecord } from '../decoding/field-decoders.ts';
import type { PageHeaders } from '../operation.ts';
import { spellings } from '../../runtime/spellings.ts';

/**
 * Signs of more pages under usual names, whether or not a row maps them. They never end a list: they are compared with
 * what the page style in force concludes from the answer.
 */
export interface PageSigns {
  readonly total: number | null;
  /** The largest total, where an answer has several. */
  readonly largestTotal: number;
  readonly lastPage: number | null;
  readonly number: number | null;
  /** The size of a page. */
  readonly size: number | null;
  /** A next link, or a flag that more follows. */
  readonly hasNext: boolean;
  /** A flag or a link that says that no more follow. */
  readonly deniesNext: boolean;
  /** A token for a next page. Some services also send one with the last page. */
  readonly hasNextToken: boolean;
  /** A previous link, or a flag that this is not the first page. */
  readonly hasPrevious: boolean;
}

type Sign = Exclude<keyof PageSigns, 'largestTotal' | 'deniesNext'> | 'isLast' | 'isFirst';

/** Usual names in snake case; camel and Pascal case are read as well. */
const namesBySign: Readonly<Record<Sign, readonly string[]>> = {
  total: ['total', 'total_count', 'total_records', 'total_items', 'total_elements', 'total_results', 'total_size'],
  lastPage: ['last_page', 'total_pages', 'page_count', 'pages'],
  number: ['current_page', 'page', 'page_number', 'number'],
  size: ['per_page', 'page_size', 'limit'],
  hasNext: [...namesOfPage('next'), 'next_link', 'has_more', 'more', '@odata.nextLink'],
  hasNextToken: ['next_cursor', 'next_token', 'next_page_token'],
  hasPrevious: ['prev', 'previous'].flatMap(namesOfPage),
  isLast: ['last', 'is_last', 'is_last_page'],
  isFirst: ['first', 'is_first', 'is_first_page'],
};

/** Names of a link to the next or the previous page, of its number, or of a flag that there is one. */
function namesOfPage(word: string): readonly string[] {
  return [word, `${word}_url`, `${word}_page`, `${word}_page_url`, `has_${word}`, `has_${word}_page`];
}

const signByName = new Map<string, Sign>();
for (const [sign, names] of Object.entries(namesBySign)) {
  for (const spelling of names.flatMap(spellings)) signByName.set(spelling, sign as Sign); // the keys of the table are its signs
}

/** Whether a field of this name says that there is another page. */
export function isSignOfOtherPage(name: string): boolean {
  return ['hasNext', 'hasNextToken', 'hasPrevious'].includes(signByName.get(name) ?? '');
}

/** Objects, at the top, in `data` and in each other, that hold such names. */
const holderNames = [
  'meta',
  'metadata',
  'pagination',
  'paginator',
  'paging',
  'page',
  'links',
  'page_info',
  'page_meta',
];
const holders: ReadonlySet<string> = new Set([...holderNames.flatMap(spellings), '_links', '_meta']);

/** Whether a member of this name is about the page, such as its links. */
export function isHolder(name: string): boolean {
  return holders.has(name);
}

/** Depth to which holders are read inside each other, as in `meta.pagination.links`. */
const maxDepth = 3;

export const noSigns: PageSigns = {
  total: null,
  largestTotal: 0,
  lastPage: null,
  number: null,
  size: null,
  hasNext: false,
  deniesNext: false,
  hasNextToken: false,
  hasPrevious: false,
};

/** The links of a Link header, such as `<…?page=2>; rel="next"`: each with its target and its parameters. */
const linkPattern = /<([^<>]*)>([^<]*)/g;
const nextRelation = /;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next[\s"]|next(?![^\s;,]))/i;

/** Reads the signs of one answer. Where a name stands at several places, the first number counts, and any flag. */
export function readPageSigns(body: unknown, { link, totalCount }: PageHeaders = {}): PageSigns {
  const hasHeaders = link !== undefined || totalCount !== undefined;
  if (!hasHeaders && !isRecord(body)) return noSigns;
  const signs = { ...noSigns };
  for (const outer of isRecord(body) ? [body, body['data'], body['Data']] : []) {
    if (isRecord(outer)) readFrom(signs, outer, maxDepth);
  }
  readSign(signs, 'total', totalCount);
  for (const [, target, parameters = ''] of link?.matchAll(linkPattern) ?? []) {
    if (nextRelation.test(parameters)) readSign(signs, 'hasNext', target);
  }
  signs.deniesNext ||= link !== undefined && !signs.hasNext;
  return signs;
}

function readFrom(signs: Writable, outer: Readonly<Record<string, unknown>>, depth: number): void {
  for (const name of Object.keys(outer)) {
    const sign = signByName.get(name);
    if (sign !== undefined) readSign(signs, sign, outer[name]);
  }
  if (depth === 0) return;
  for (const name of Object.keys(outer).filter((key) => holders.has(key))) {
    const holder = outer[name];
    if (isRecord(holder)) readFrom(signs, holder, depth - 1);
    else if (Array.isArray(holder)) readLinks(signs, holder);
  }
}

type Writable = { -readonly [Key in keyof PageSigns]: PageSigns[Key] };

/** A list of links such as `{rel: 'next', href}`. */
function readLinks(signs: Writable, links: readonly unknown[]): void {
  for (const { rel, href } of links.filter(isRecord)) {
    for (const name of [rel].flat()) {
      const sign = typeof name === 'string' ? signByName.get(name) : undefined;
      if (sign === 'hasNext' || sign === 'hasPrevious') readSign(signs, sign, href);
    }
  }
}

function readSign(signs: Writable, sign: Sign, value: unknown): void {
  if (sign === 'total') signs.largestTotal = Math.max(signs.largestTotal, toCount(value) ?? 0);
  if (sign === 'hasNext' || sign === 'hasNextToken') signs.deniesNext ||= !isAffirmed(value);
  if (sign === 'total' || sign === 'lastPage' || sign === 'number' || sign === 'size') signs[sign] ??= toCount(value);
  else if (sign === 'isLast') {
    signs.hasNext ||= value === false;
    signs.deniesNext ||= value === true;
  } else if (sign === 'isFirst') signs.hasPrevious ||= value === false;
  else signs[sign] ||= isAffirmed(value);
}

/** A count as a number or as digits; an amount of money with decimals is none. */
function toCount(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : null;
}

/** Texts that mean no further page. */
const denials: ReadonlySet<string> = new Set(['', '#', '0', 'false', 'no', 'none', 'null']);

/** A flag that is true, a link, a token or the number of a page; an object holds its link as `href` or `url`. */
function isAffirmed(value: unknown): boolean {
  if (typeof value === 'string') return !denials.has(value.toLowerCase());
  if (typeof value === 'number') return value >= 1;
  if (isRecord(value)) return isAffirmed(value['href'] ?? value['url'] ?? false);
  return value === true;
}
