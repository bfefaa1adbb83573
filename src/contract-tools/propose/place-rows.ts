import type { Contract, ListName, RowId } from '../../contract/contract.ts';
import { rowOfList } from '../../contract/list-rows.ts';
import { listNames, isList, recordKinds } from '../../contract/operation-rows.ts';
import { normalizeName, usualNames } from '../usual-names.ts';
import { compilePointers, isRecord, recordsOf, textOrNumber } from '../../upstream/index.ts';
import { contractOfList, pointerRows } from '../operation-kinds.ts';
import { isSuccess, type Sample } from '../sample.ts';
import { saysSuccess } from './envelope-rows.ts';
import { findPlaces, hasKey } from './find-place.ts';
import { formOf } from './forms.ts';
import { holdsRecords, walk, walkFirst, type JsonNode } from './json-nodes.ts';
import type { Draft } from './draft.ts';

const failureNames = /^(?:errors?|faults?|failures?|problems?|exceptions?|violations)$/;
/** Arrays beside the records. */
const sideNames = /^(?:messages?|warnings?|notices?|links?|meta(?:data)?|included)$/;

/** Where the single records of answers stand: the object that has the identifier it was read by, or most fields. */
export function proposeData(samples: readonly Sample[], { contract, take }: Draft): void {
  const row = 'envelope.data';
  const data = compilePointers(contract[row]);
  const singles = samples.filter((sample) => isSuccess(sample) && !isList(sample.operation) && isRecord(sample.body));
  const unread = singles.filter((sample) => !isRecord(data.read(sample.body)) || isWrapped(sample, contract));
  // Records of each kind may be wrapped under a name of their own.
  const places = [...new Set(unread.flatMap((sample) => placeLikeLists(sample, samples, contract) ?? []))];
  if (places.length === 0 || places.includes('')) return;
  // What stands below the data of other answers leaves their place as it is.
  const isBelow = places.every((place) => contract[row].some((pointer) => place.startsWith(`${pointer}/`)));
  const isUsed = isBelow || singles.some((sample) => !unread.includes(sample) && data.read(sample.body) !== undefined);
  take(row, [...places, ...(isUsed ? contract[row] : [])]);
}

/** Whether the record of an answer holds nothing but another object, and no identifier by its row. */
function isWrapped({ operation, body }: Sample, contract: Contract): boolean {
  const kind = recordKinds[operation];
  const [record] = recordsOf(contract, operation, body);
  if (kind === 'balance' || wrapperName(record) === undefined) return false;
  return compilePointers(contract[`${kind}.id`]).read(record) === undefined;
}

/** The place of the record, less a name under which a list of such records has each of them, too: fields are read below it. */
function placeLikeLists(sample: Sample, samples: readonly Sample[], contract: Contract): string | undefined {
  const kind = recordKinds[sample.operation];
  const lists = samples.filter((each) => isList(each.operation) && recordKinds[each.operation] === kind);
  const records = lists.flatMap(({ body }) =>
    recordArrays(body).flatMap((pointer) => compilePointers([`${pointer}/0`]).read(body) ?? []),
  );
  const names = new Set(records.map((record) => wrapperName(record)));
  const [name] = names;
  const place = placeOfRecord(sample, contract);
  const isAlike = names.size === 1 && name !== undefined && place?.endsWith(`/${name}`);
  return isAlike ? place?.slice(0, -name.length - 1) : place;
}

/** The name of an object that is all that a record holds. */
function wrapperName(record: unknown): string | undefined {
  const [entry, ...others] = isRecord(record) ? Object.entries(record) : [];
  return entry !== undefined && others.length === 0 && isRecord(entry[1]) ? entry[0] : undefined;
}

const idNames = /^(?:id|uuid|uid|guid|_id|code|reference|\w+_?id)$/i;
/** Fields that an envelope may have, too. */
const commonFields = /\.(?:type|status|\w+At|\w+Minor|customerId|virtualAccounts)$/;

/** The pointer of the record in an answer; undefined where nothing shows it. */
function placeOfRecord({ body, id, operation }: Sample, contract: Contract): string | undefined {
  // What describes a failure, perhaps with HTTP 200, is no record.
  const isOfFailure = (pointer: string): boolean =>
    pointer.split('/').some((step) => failureNames.test(normalizeName(step)));
  const objects = walk(body).filter(({ value, pointer }) => isRecord(value) && !isOfFailure(pointer));
  const kind = recordKinds[operation];
  const isAsked = (value: unknown): boolean => id !== undefined && kind !== 'balance' && textOrNumber(value) === id;
  // Where a list was read, its rows say where a record has its identifier.
  const { read } = compilePointers(kind === 'balance' ? [] : contract[`${kind}.id`]);
  const byRow = objects.find(({ value }) => isAsked(read(value)));
  if (byRow !== undefined) return byRow.pointer;
  const named = objects.filter(({ value }) =>
    Object.entries(value as object).some(([name, inner]) => idNames.test(name) && isAsked(inner)),
  );
  const rows = pointerRows.filter((row) => row.startsWith(`${kind}.`) && !commonFields.test(row));
  const names = new Set(rows.flatMap((row) => usualNames(row)));
  const score = ({ value }: JsonNode): number =>
    Object.keys(value as object).filter((key) => names.has(normalizeName(key))).length;
  const [best, second] = (named.length > 0 ? named : objects).toSorted((one, other) => score(other) - score(one));
  if (best === undefined || score(best) === 0) return undefined;
  return second === undefined || score(second) < score(best) || named.length === 1 ? best.pointer : undefined;
}

type BodiesOf = (list: ListName) => readonly unknown[];
const signRows = ['lists.total', 'lists.nextCursor', 'lists.hasMore'] as const;

/** Where lists have their records, and what their answers say of the page. */
export function proposeLists(samples: readonly Sample[], draft: Draft): void {
  const bodiesOf: BodiesOf = (list) =>
    samples.filter((sample) => sample.operation === list && isSuccess(sample)).map(({ body }) => body);
  for (const list of listNames) proposeRecords(list, bodiesOf, draft);
  for (const list of listNames) askEmpty(list, samples, draft);
  proposeHeaders(samples, draft);
  for (const list of listNames) for (const row of signRows) proposeSign(list, row, bodiesOf, draft);
}

const headerSigns = [
  ['lists.total', /^(?:x-)?(?:pagination-)?total(?:-(?:count|items|records))?$/, /^\d+$/],
  ['lists.nextLink', /^link$/, /\brel="?(?:first|prev|next|last)\b/],
] as const;

/** Headers that say what no body does. */
function proposeHeaders(samples: readonly Sample[], { contract, take }: Draft): void {
  const lists = samples.filter((sample) => isList(sample.operation) && isSuccess(sample));
  for (const [row, names, values] of headerSigns) {
    if (lists.some(({ body }) => contract[row].some((place) => hasKey(body, place)))) continue;
    const headers = lists.flatMap(({ headers: all }) => Object.entries(all));
    const [name] = headers.find(([each, value]) => names.test(each) && values.test(value)) ?? [];
    if (name !== undefined && !contract[row].includes(`header:${name}`)) take(row, [`header:${name}`]);
  }
}

function proposeRecords(list: ListName, bodiesOf: BodiesOf, { contract, take, ask }: Draft): void {
  const isRead = (body: unknown): boolean => holdsRecords(recordsOf(contract, list, body));
  const filled = bodiesOf(list).filter((body) => walkFirst(body).some(({ value }) => holdsRecords(value)));
  // Holds where no answer has a record, too.
  if (filled.every(isRead)) return;
  const [first = [], ...others] = filled.map((body) => recordArrays(body));
  const common = first.filter((pointer) => others.every((each) => each.includes(pointer)));
  const row = placeOfRow(list, 'lists.records', (other) => !bodiesOf(other).some(isRead), contract);
  if (common.length > 1) ask(row, `a pointer to the records: ${common.join(', ')}`);
  if (common.length !== 1) return;
  take(row, common);
  const hasTotal = (body: unknown): boolean => formOf('lists.total')(compilePointers(['/1']).read(body));
  if (common[0] === '/0' && filled.every(hasTotal)) take('lists.total', ['/1']);
}

/** Answers to a list that have no array anywhere and are read as no page, by the word of `lists.empty` that would read them. */
function askEmpty(list: ListName, samples: readonly Sample[], { contract, ask }: Draft): void {
  const { 'lists.empty': words } = contractOfList(contract, list);
  const found = samples.flatMap((sample) => {
    const { operation, status, body, bytes } = sample;
    if (operation !== list || walkFirst(body).some(({ value }) => Array.isArray(value))) return [];
    if (status === 404 && isRecord(body)) return 'notFound';
    if (status >= 300 || (body === undefined && bytes?.length !== 0)) return [];
    if (body === undefined) return 'noBody';
    if (walk(body).some(({ value }) => isRecord(value) && Object.keys(value).length === 0)) return 'object';
    return saysSuccess(sample, contract) ? 'flagged' : 'unflagged';
  });
  const open = [...new Set(found)].filter((word) => !words.includes(word));
  if (open.length > 0) ask('lists.empty', `add ${open.join(', ')}, if it means no record`);
}

/** The arrays that may be the records: of objects, and none of a failure; a side array only where there is no other. */
function recordArrays(body: unknown): readonly string[] {
  const arrays = walkFirst(body).filter(
    ({ name, value }) => holdsRecords(value) && !failureNames.test(normalizeName(name)),
  );
  const isInside = (pointer: string): boolean =>
    arrays.some((other) => other.pointer !== pointer && pointer.startsWith(`${other.pointer}/0`));
  const outer = arrays.filter(({ pointer }) => !isInside(pointer));
  const others = outer.filter(({ name }) => !sideNames.test(normalizeName(name)));
  return (others.length > 0 ? others : outer).map(({ pointer }) => pointer);
}

/** The row of all lists where no other list needs it otherwise, else the list's own. */
function placeOfRow(
  list: ListName,
  shared: 'lists.records' | (typeof signRows)[number],
  isFree: (other: ListName) => boolean,
  contract: Contract,
): RowId {
  const own = rowOfList(contract, list, shared);
  const isShared = listNames.every((other) => other === list || isFree(other));
  return own !== shared || isShared ? own : (shared.replace('lists', list) as RowId);
}

function proposeSign(
  list: ListName,
  shared: (typeof signRows)[number],
  bodiesOf: BodiesOf,
  { contract, take }: Draft,
): void {
  const bodies = bodiesOf(list);
  const pointers: readonly string[] = contractOfList(contract, list)[shared];
  const hasSign = (body: unknown, places = pointers): boolean => places.some((pointer) => hasKey(body, pointer));
  if (bodies.length === 0 || pointers.length === 0 || bodies.some((body) => hasSign(body))) return;
  const signs = [...signRows, 'lists.nextLink'] as const;
  const isTold = signs.some((row) => bodies.some((body) => hasSign(body, contractOfList(contract, list)[row])));
  const { pointers: places } = findPlaces(shared, bodies, walkFirst);
  const place = places.find((pointer) => bodies.some((body) => formOf(shared)(compilePointers([pointer]).read(body))));
  if (place === undefined || places.length > 1 || (isTold && shared === 'lists.hasMore')) return;
  const isFree = (other: ListName): boolean => !bodiesOf(other).some((body) => hasSign(body));
  take(placeOfRow(list, shared, isFree, contract), [place]);
}
