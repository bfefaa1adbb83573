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
import { walk, walkFirst, type JsonNode } from './json-nodes.ts';
import { proposeInTurn, type Proposal } from './proposal.ts';

const failureNames = /^(?:errors?|faults?|failures?|problems?|exceptions?|violations)$/;
/** Arrays beside the records. */
const sideNames = /^(?:messages?|warnings?|notices?|links?|meta(?:data)?|included)$/;

/** Where the single records of answers stand: the object that has the identifier it was read by, or most fields. */
export function proposeData(samples: readonly Sample[], contract: Contract): readonly Proposal[] {
  const row = 'envelope.data';
  const data = compilePointers(contract[row]);
  const singles = samples.filter((sample) => isSuccess(sample) && !isList(sample.operation) && isRecord(sample.body));
  const unread = singles.filter((sample) => !isRecord(data.read(sample.body)) || isWrapped(sample, contract));
  // Records of each kind may be wrapped under a name of their own.
  const places = [...new Set(unread.flatMap((sample) => placeLikeLists(sample, samples, contract) ?? []))];
  if (places.length === 0 || places.includes('')) return [];
  // What stands below the data of other answers leaves their place as it is.
  const isBelow = places.every((place) => contract[row].some((pointer) => place.startsWith(`${pointer}/`)));
  const isUsed = isBelow || singles.some((sample) => !unread.includes(sample) && data.read(sample.body) !== undefined);
  return [{ row, value: [...places, ...(isUsed ? contract[row] : [])] }];
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

/** Where lists have their records, and what their answers say of the page. */
export function proposeLists(samples: readonly Sample[], contract: Contract): readonly Proposal[] {
  const bodiesOf = (list: ListName) =>
    samples.filter((sample) => sample.operation === list && isSuccess(sample)).map(({ body }) => body);
  return proposeInTurn(contract, [
    ...listNames.map((list) => (current: Contract) => proposeRecords(list, bodiesOf, current)),
    ...listNames.map((list) => (current: Contract) => askEmpty(list, samples, current)),
    ...listNames.flatMap((list) =>
      signRows.map((row) => (current: Contract) => proposeSign(list, row, bodiesOf, current)),
    ),
  ]);
}

type BodiesOf = (list: ListName) => readonly unknown[];
const signRows = ['lists.total', 'lists.nextCursor', 'lists.hasMore'] as const;
const holdsRecords = (list: unknown): boolean => Array.isArray(list) && isRecord(list[0]);

function proposeRecords(list: ListName, bodiesOf: BodiesOf, contract: Contract): readonly Proposal[] {
  const isRead = (body: unknown): boolean => holdsRecords(recordsOf(contract, list, body));
  const filled = bodiesOf(list).filter((body) => walkFirst(body).some(({ value }) => holdsRecords(value)));
  // Holds where no answer has a record, too.
  if (filled.every(isRead)) return [];
  const places = filled.map((body) => recordArrays(body));
  const [first = []] = places;
  const common = first.filter((pointer) => places.every((others) => others.includes(pointer)));
  const row = placeOfRow(list, 'lists.records', (other) => !bodiesOf(other).some(isRead), contract);
  if (common.length !== 1)
    return common.length === 0 ? [] : [{ row, question: `a pointer to the records: ${common.join(', ')}` }];
  const hasTotal = (body: unknown): boolean => formOf('lists.total')(compilePointers(['/1']).read(body));
  const isPair = common[0] === '/0' && filled.every(hasTotal);
  const total = { row: 'lists.total', value: ['/1'] } as const;
  return [{ row, value: common }, ...(isPair ? [total] : [])];
}

/** Answers to a list that have no array anywhere and are read as no page, by the word of `lists.empty` that would read them. */
function askEmpty(list: ListName, samples: readonly Sample[], contract: Contract): readonly Proposal[] {
  const { 'lists.empty': words } = contractOfList(contract, list);
  const found = samples.flatMap(({ operation, status, body, bytes }) => {
    if (operation !== list || walkFirst(body).some(({ value }) => Array.isArray(value))) return [];
    if (status === 404 && isRecord(body)) return 'notFound';
    if (status >= 300 || (body === undefined && bytes?.length !== 0)) return [];
    if (body === undefined) return 'noBody';
    const isObject = walk(body).some(({ value }) => isRecord(value) && Object.keys(value).length === 0);
    return isObject
      ? 'object'
      : saysSuccess({ operation, status, body, headers: {} }, contract)
        ? 'flagged'
        : 'unflagged';
  });
  const open = [...new Set(found)].filter((word) => !words.includes(word));
  return open.length === 0 ? [] : [{ row: 'lists.empty', question: `add ${open.join(', ')}, if it means no record` }];
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
  if (own !== shared) return own;
  const isShared = listNames.every((other) => other === list || isFree(other));
  return isShared ? shared : (shared.replace('lists', list) as RowId);
}

function proposeSign(
  list: ListName,
  shared: (typeof signRows)[number],
  bodiesOf: BodiesOf,
  contract: Contract,
): readonly Proposal[] {
  const bodies = bodiesOf(list);
  const pointers: readonly string[] = contractOfList(contract, list)[shared];
  const hasSign = (body: unknown, places = pointers): boolean => places.some((pointer) => hasKey(body, pointer));
  if (bodies.length === 0 || pointers.length === 0 || bodies.some((body) => hasSign(body))) return [];
  const signs = [...signRows, 'lists.nextLink'] as const;
  const isTold = signs.some((row) => bodies.some((body) => hasSign(body, contractOfList(contract, list)[row])));
  const { pointers: places } = findPlaces(shared, bodies, walkFirst);
  const place = places.find((pointer) => bodies.some((body) => formOf(shared)(compilePointers([pointer]).read(body))));
  if (place === undefined || places.length > 1 || (isTold && shared === 'lists.hasMore')) return [];
  const isFree = (other: ListName): boolean => !bodiesOf(other).some((body) => hasSign(body));
  return [{ row: placeOfRow(list, shared, isFree, contract), value: [place] }];
}
