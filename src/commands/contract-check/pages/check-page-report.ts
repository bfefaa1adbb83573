import { contractOfList, rowOfList, type ListName, type RowId } from '../../../contract/contract.ts';
import { textOrNumber } from '../../../upstream/decoding/exact-json.ts';
import { compilePointers } from '../../../upstream/decoding/json-pointer.ts';
import { isRecord } from '../../../upstream/decoding/field-decoders.ts';
import { toCount } from '../../../upstream/paging/page-signs.ts';
import { hasKey } from '../check-fields.ts';
import type { CheckRun } from '../check-run.ts';
import { findNode, isResource, walk, type JsonNode } from '../json-shape.ts';
import {
  cursorNames,
  findMoreFlag,
  idOf,
  ownRow,
  readToken,
  recordsAt,
  rowOfSign,
  styleOf,
  toKey,
  type Records,
} from '../list-reader.ts';

/** Normalized names of the fields that describe a page. */
const reportNames = {
  'lists.total': ['total', 'totalcount', 'totalrecords', 'totalitems', 'totalresults', 'totalelements', 'totalsize'],
  'lists.currentPage': ['currentpage', 'page', 'pagenumber'],
  'lists.lastPage': ['lastpage', 'totalpages', 'pagecount', 'pages'],
  'lists.pageSize': ['perpage', 'pagesize', 'limit'],
  'lists.nextCursor': ['nextcursor', 'nexttoken', 'nextpagetoken', 'cursor'],
} as const satisfies Partial<Record<RowId, readonly string[]>>;

/** Names of a token for the next page that may also be a link or a number. */
export const tokenNames = ['next', 'nextpage', 'nextid'];

/** A text that is neither a link nor the number of a page. */
export function isToken(value: unknown): boolean {
  return typeof value === 'string' && /^(?!https?:|\d*$)[^/?]/.test(value);
}

type ReportRow = keyof typeof reportNames;

export const reportRows = Object.keys(reportNames) as readonly ReportRow[]; // the keys of the table above

type SignRow = ReportRow | 'lists.hasMore' | 'lists.nextLink';

/** Reads a value at the pointers that one list has for it. */
function readSign(run: CheckRun, list: ListName, row: SignRow, body: unknown): unknown {
  return compilePointers(contractOfList(run.contract(), list)[row]).read(body);
}

function checkFlag(run: CheckRun, list: ListName, body: unknown): void {
  const flag = findMoreFlag(body)?.pointer;
  const row = rowOfList(run.contract(), list, 'lists.hasMore');
  const others = ['lists.total', 'lists.nextCursor'] as const;
  if (typeof readSign(run, list, 'lists.hasMore', body) === 'boolean') run.confirm(row);
  else if (flag !== undefined && others.every((other) => readSign(run, list, other, body) === undefined))
    run.contradict(rowOfSign(run, list, 'lists.hasMore'), `a flag stands at ${flag}`, [flag]);
}

/**
 * Compares the signs of a list's pages with the rows. Where another list differs from the customers', it gets a row of its
 * own: pages with tokens cannot be read by the id of the last record.
 */
export function compareSigns(run: CheckRun, list: ListName, body: unknown, records: Records): void {
  for (const row of reportRows) checkReport(run, list, row, body, tokenNames);
  if (isLink(readSign(run, list, 'lists.nextLink', body)))
    run.confirm(rowOfList(run.contract(), list, 'lists.nextLink'));
  if (list === 'listCustomers') {
    offerCount(run, body, records.length);
    return checkFlag(run, list, body);
  }
  if (records.length === 0) return;
  const row = 'lists.cursorFrom';
  const contract = contractOfList(run.contract(), list);
  const has = (sign: SignRow): boolean => contract[sign].some((pointer) => hasKey(body, pointer));
  const isByRecord = contract[row] === 'lastRecord' && rowOfList(run.contract(), list, row) === row;
  if (isByRecord && !has('lists.hasMore') && (has('lists.nextCursor') || has('lists.nextLink')))
    run.contradict(ownRow(list, row), 'its pages have a token or a next link, and no flag', 'answer');
  if (styleOf(run, list) === 'cursor') checkFlag(run, list, body);
}

/** Offers a count as the total where it exceeds the records of a first page: under this name it may also count a page. */
function offerCount(run: CheckRun, body: unknown, length: number): void {
  const row = 'lists.total';
  const node = findNode(body, ['count'], (value) => (toCount(value) ?? 0) > length);
  if (node === undefined || run.isOverridden(row) || run.findings.get(row)?.state !== 'not observable') return;
  run.proposals.set(row, `[${node.pointer}], if it counts the list: it exceeds the records of the first page`);
}

/**
 * Whether an answer has the key, whatever its value, by which a list read by cursors tells that more follows. An empty link
 * shows no cursor unless its row was written for it.
 */
export function hasSignOfMore(run: CheckRun, list: ListName, body: unknown): boolean {
  const contract = contractOfList(run.contract(), list);
  const isLinkStated = run.isOverridden(rowOfList(run.contract(), list, 'lists.nextLink'));
  const rows = [
    'lists.nextCursor' as const,
    ...(isLinkStated ? (['lists.nextLink'] as const) : []),
    ...(contract['lists.cursorFrom'] === 'lastRecord' ? (['lists.hasMore'] as const) : []),
  ];
  const hasKeyOf = (row: (typeof rows)[number]) => contract[row].some((pointer) => hasKey(body, pointer));
  return readToken(run, list, body) !== undefined || rows.some(hasKeyOf);
}

/**
 * A next link, as a text or as an object with one, that carries a cursor: under a usual name, or a value that is no number
 * and that the links of this page and of the first one do not carry.
 */
export function findCursorLink(body: unknown) {
  const links = linksOf(body);
  const link = links.find(({ pointer }) => isLinkTo('next|next_?link|next_?(?:page_?)?url', pointer));
  const ofFirst = links.filter(({ pointer }) => isLinkTo('self|first|current', pointer)).flatMap(parametersOf);
  const isToken = ([name, value]: readonly [string, string]): boolean =>
    !/^\d*$/.test(value) &&
    !/sort|order|filter|include|fields/i.test(name) &&
    !ofFirst.some((other) => other[0] === name && other[1] === value);
  const parameters = link === undefined ? [] : parametersOf(link);
  const [parameter, token] = parameters.find(([name]) => cursorNames.includes(name)) ?? parameters.find(isToken) ?? [];
  if (link === undefined || parameter === undefined || token === undefined) return undefined;
  return { pointer: link.pointer, parameter, token };
}

function isLinkTo(relations: string, pointer: string): boolean {
  return new RegExp(`(?:/|\\[rel=)(?:${relations})\\]?(?:/(?:href|url))?$`, 'i').test(pointer);
}

function parametersOf({ value }: JsonNode): readonly (readonly [string, string])[] {
  return [...(URL.parse(String(value), 'http://service')?.searchParams ?? [])];
}

/** The links of an answer, also those of a list by their relation: `/links/[rel=next]/href`. */
function linksOf(body: unknown): readonly JsonNode[] {
  const nodes = walk(body);
  const listedLinks = nodes.flatMap(({ pointer, value }) =>
    (Array.isArray(value) ? value.filter(isRecord) : []).map(({ rel, href }) => ({
      pointer: `${pointer}/[rel=${String(rel)}]/href`,
      name: 'href',
      value: href,
    })),
  );
  return [...nodes, ...listedLinks].filter(({ value }) => isLink(value));
}

function linkedIn(body: unknown): readonly string[] {
  return linksOf(body)
    .flatMap(parametersOf)
    .map(([name]) => name);
}

/** Whether the parameters of a service have brackets: a link shows it, or records in the manner of JSON:API. */
export function hasBrackets(body: unknown): boolean {
  const isOfResources = ({ value }: JsonNode): boolean => Array.isArray(value) && isResource(value[0]);
  return linkedIn(body).some((name) => name.includes('[')) || walk(body).some(isOfResources);
}

/**
 * Sorts parameters: first those in a link of the answer, then those spelt like the answer's (with or without brackets),
 * then those that are a key of the answer, such as `perPage`.
 */
export function linkedNames(body: unknown, names: readonly string[]): readonly string[] {
  const linked = new Set(linkedIn(body));
  const keys = new Set(walk(body).map(({ name }) => name));
  const isBracketed = hasBrackets(body);
  const rank = (name: string): number => {
    const isOfManner = name.includes('[') === isBracketed;
    const isKey = keys.has(/\[(.*)\]$/.exec(name)?.[1] ?? name);
    return Number(linked.has(name)) * 4 + Number(isOfManner) * 2 + Number(isKey);
  };
  return names.toSorted((one, other) => rank(other) - rank(one));
}

function isLink(value: unknown): boolean {
  return typeof value === 'string' && /^(?:https?:\/\/|\/|\?)/.test(value) && URL.canParse(value, 'http://service');
}

/**
 * Checks where a list's answer describes its page. If a list other than the customers' lacks a value where the shared
 * row points, it gets a row of its own. A text under one of the names in `tokens` is the token of the next page.
 */
export function checkReport(
  run: CheckRun,
  list: ListName,
  row: ReportRow,
  body: unknown,
  tokens: readonly string[] = [],
): void {
  const accepts = (value: unknown): boolean =>
    row === 'lists.nextCursor' ? (textOrNumber(value) ?? '') !== '' : toCount(value) !== undefined;
  const inForce = rowOfList(run.contract(), list, row);
  if (accepts(readSign(run, list, row, body))) return run.confirm(inForce);
  const isStated = run.isOverridden(inForce) || run.corrections.has(inForce);
  if (isStated && contractOfList(run.contract(), list)[row].length === 0)
    return run.skip(inForce, 'the row maps nothing');
  const node =
    findNode(body, reportNames[row], accepts) ??
    (row === 'lists.nextCursor' ? findNode(body, tokens, isToken) : undefined);
  if (node === undefined) return run.skip(inForce, 'no answer carried it');
  run.contradict(rowOfSign(run, list, row), `it stands at ${node.pointer}`, [node.pointer]);
}

/**
 * Contradicts a total once the pages up to an answer have shown more records than it says: it counts the records of a page,
 * or pages. An empty page may have a total of its own.
 */
export function checkTotal(run: CheckRun, list: ListName, identifier = ''): void {
  const ids = new Set<string>();
  const isExceeded = run
    .samples()
    .filter((sample) => sample.operation === list && sample.identifier === identifier)
    .some(({ body }) => {
      const records = recordsAt(contractOfList(run.contract(), list), body) ?? [];
      for (const record of records) ids.add(idOf(run, list, record) ?? toKey(record));
      const total = toCount(readSign(run, list, 'lists.total', body));
      return records.length > 0 && total !== undefined && ids.size > total;
    });
  if (isExceeded) run.contradict(rowOfSign(run, list, 'lists.total'), 'pages have more records than it says', []);
}
