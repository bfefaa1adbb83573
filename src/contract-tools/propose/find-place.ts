import type { RowId } from '../../contract/contract.ts';
import { normalizeName, usualNames } from '../usual-names.ts';
import { nameOfStep } from '../../contract/addressing.ts';
import { compilePointers, isRecord, textOrNumber } from '../../upstream/index.ts';
import { amountIn, formOf, isAmount } from './forms.ts';
import { isResource, walk, type JsonNode } from './json-nodes.ts';

const maxRecords = 20;

/** Objects that only contain: what stands below them belongs to the record. */
const containers = /^(?:data|attributes|relationships|embedded|meta(?:data)?|timestamps|dates|audit|details?|info)$/;
/** Parts of a record that are no records of their own, unlike a guardian inside a customer. */
const parts =
  /^(?:profile|person(?:al)?(?:info(?:rmation)?|data|details?|identity|profile|contacts?|names?)?|bio\w*|identity|contacts?|(?:full)?names?|wallet)$/;
/** Objects that describe a page, an error or an envelope. */
const bodyParts =
  /^(?:data|meta|metadata|pagination|paging|pager|page|pageinfo|cursors?|links|result|response|errors?|faults?|problem|\d)$/;
/** Fields that a part may have for itself: the status of a wallet is not its customer's. */
const ownFields = /^(?:id|reference|type|status|createdAt|updatedAt)$/;

/** What a search for a row's value has found: one place, several of which a person chooses, or none. */
export interface Places {
  readonly pointers: readonly string[];
  /** The usual name under which they stand. */
  readonly name: string;
}

/**
 * The places of a row's value in records, under the likeliest of its usual names that is there, in its form. A name with
 * null in its place ends the search: the field is absent, and no other name stands for it.
 */
export function findPlaces(row: RowId, records: readonly unknown[], nodesOf = walk): Places {
  const accepts = formOf(row);
  const nodes = records.slice(0, maxRecords).flatMap((record) => {
    const skipped = isWrapped(record) ? 1 : 0;
    // The kind of a resource of JSON:API, which each record has alike.
    const isKind = ({ pointer }: JsonNode): boolean => pointer === '/type' && isResource(record);
    return nodesOf(record).flatMap((node) => (isKind(node) ? [] : [toNamed(node, skipped)]));
  });
  for (const name of usualNames(row)) {
    const named = nodes.filter((node) => isNamed(row, name, node));
    const fitting = named.flatMap(({ node }) => {
      const amount = accepts === isAmount ? amountIn(node.value) : undefined;
      if (amount !== undefined) return [`${node.pointer}/${amount}`];
      return accepts(node.value) && !isNoId(row, node) ? [node.pointer] : [];
    });
    const nulls = named.flatMap(({ node: { value, pointer } }) => (value === null ? [pointer] : []));
    const found = fitting.length > 0 ? fitting : nulls;
    if (found.length > 0) return { pointers: nearest(found), name };
  }
  return { pointers: [], name: '' };
}

/** A value with its name and its parents' names, normalized, without the wrapper of the record. */
function toNamed(node: JsonNode, skipped: number) {
  const parents = node.pointer.split('/').slice(1 + skipped, -1);
  return { node, parents: parents.map(normalizeName), last: normalizeName(node.name) };
}

/** A code of up to three characters, or of zeros, is one of the answer, such as 00, and names no record. */
function isNoId(row: RowId, { name, value }: JsonNode): boolean {
  return row.endsWith('.id') && normalizeName(name) === 'code' && /^(?:.{0,3}|0+)$/.test(textOrNumber(value) ?? '');
}

function nearest(pointers: readonly string[]): readonly string[] {
  const depth = (pointer: string): number => pointer.split('/').length;
  const least = Math.min(...pointers.map(depth));
  return [...new Set(pointers.filter((pointer) => depth(pointer) === least))];
}

/** Whether a value has this name: its key, or its path in the record, as `/bank/name` is that of `bankName`. */
function isNamed(row: RowId, name: string, { parents, last }: ReturnType<typeof toNamed>): boolean {
  if (!name.endsWith(last)) return false;
  const [kind = '', field = ''] = row.split('.');
  const isOfBody = /^(?:lists|envelope|errors)$/.test(kind);
  const isContainer = (step: string): boolean =>
    isOfBody ? bodyParts.test(step) : containers.test(step) || (parts.test(step) && !ownFields.test(field));
  const others = parents.filter((step) => !isContainer(step));
  if (others.length === 0 && last === name) return true;
  const path = parents.filter((step) => !containers.test(step)).join('') + last;
  const isPath = parents.length > 0 && !isOfBody && field !== 'id' && name !== normalizeName(row);
  return isPath && (path === name || others.join('') + last === name);
}

/** Whether a record has a single member beside links, the cursor of an edge and the like: its wrapper. */
function isWrapped(record: unknown): boolean {
  const names = isRecord(record) ? Object.keys(record).filter((key) => !/^(?:_?(?:links|meta)|cursor)$/.test(key)) : [];
  return names.length === 1;
}

/** Whether a record has the key that a pointer names, whatever its value: a field that is null has no other name. */
export function hasKey(record: unknown, pointer: string): boolean {
  const end = pointer.lastIndexOf('/');
  const parent = end > 0 ? compilePointers([pointer.slice(0, end)]).read(record) : record;
  return end >= 0 && isRecord(parent) && Object.hasOwn(parent, nameOfStep(pointer.slice(end + 1)));
}
