import type { OperationName } from '../../../contract/contract.ts';
import { createEnvelope } from '../../../upstream/decoding/envelope.ts';
import { isRecord } from '../../../upstream/decoding/field-decoders.ts';
import { isList, kindsOf } from '../../contract-cases/operation-kinds.ts';
import type { CheckRun } from '../../contract-check/check-run.ts';
import { synonyms } from '../../contract-check/find-field.ts';
import { normalizeName, walk, type JsonNode } from '../../contract-check/json-shape.ts';
import { namesOf } from './extra-fields.ts';

/** The kinds of single records. Where two places exclude each other, that of the earlier kind counts. */
const kinds = ['customer', 'settlementBank', 'account'] as const;
type Kind = (typeof kinds)[number];

/** Usual names of an account's number: a record without one may be the account's bank or customer. */
const numberNames = new Set(['accountnumber', ...(synonyms['accountNumber'] ?? [])]);

interface SingleRecord {
  readonly body: unknown;
  readonly node: JsonNode;
}

interface Success {
  readonly operation: OperationName;
  readonly bodies: readonly unknown[];
}

/** Finds where answers with a single record hold it: at one place, or wrapped under the name of each kind. */
export function findData(run: CheckRun, successes: readonly Success[]): void {
  const entries = (kind: Kind): readonly unknown[] =>
    successes
      .filter(({ operation }) => isList(operation) && kindsOf[operation] === kind)
      .flatMap(({ bodies }) => bodies.flatMap(walk))
      .flatMap(({ value }) => (Array.isArray(value) ? value.slice(0, 1) : []));
  const singles = kinds.flatMap((kind) =>
    successes
      .filter(({ operation }) => !isList(operation) && kindsOf[operation] === kind)
      .flatMap(({ bodies: [body] }) => {
        const node = findRecord(kind, body, entries(kind));
        return node === undefined ? [] : [{ body, node }];
      }),
  );
  const read: SingleRecord[] = [];
  for (const single of singles) {
    const all = [...read, single];
    const isReadBy = (data: string[]): boolean => {
      const envelope = createEnvelope({ ...run.contract(), 'envelope.data': data });
      return all.every(({ body, node }) => envelope.record(body) === node.value);
    };
    const pointers = new Set(all.map(({ node }) => node.pointer).filter((pointer) => pointer !== ''));
    // A wrapper is named before what it stands in, which would be taken for the record.
    const named = [...pointers].toSorted((one, other) => depthOf(other) - depthOf(one));
    const current = run.contract()['envelope.data'];
    const data = [current, named, [...named, '']].find(isReadBy);
    if (data === undefined) continue;
    read.push(single);
    if (data !== current) run.contradict('envelope.data', `it stands at ${data.join(' or ')}`, data);
  }
}

/**
 * The object of a body that has the most fields of a record; undefined where none has two. With a wrapper that the entries
 * of lists have, too, since the rows of the fields then begin with it.
 */
function findRecord(kind: Kind, body: unknown, entries: readonly unknown[]): JsonNode | undefined {
  const names = new Set(namesOf(kind));
  const count = (value: unknown): number =>
    isRecord(value) ? Object.keys(value).filter((name) => names.has(normalizeName(name))).length : 0;
  const isOfKind = (value: unknown): boolean =>
    kind !== 'account' || (isRecord(value) && Object.keys(value).some((name) => numberNames.has(normalizeName(name))));
  const [fullest] = walk(body)
    .filter(({ value }) => isOfKind(value))
    .toSorted((one, other) => count(other.value) - count(one.value));
  if (fullest === undefined || count(fullest.value) < 2) return undefined;
  // A record holds its id, perhaps above its other fields.
  const hasId = (value: unknown): boolean =>
    isRecord(value) && Object.keys(value).some((name) => /^(?:id|uuid|uid)$/.test(normalizeName(name)));
  const isAround = ({ pointer }: JsonNode): boolean => `${fullest.pointer}/`.startsWith(`${pointer}/`);
  const record = walk(body).findLast((node) => isAround(node) && hasId(node.value)) ?? fullest;
  const isWrapped = entries.some((entry) => isRecord(entry) && isRecord(entry[record.name]));
  const parent = record.pointer.slice(0, record.pointer.lastIndexOf('/'));
  return isWrapped ? walk(body).find(({ pointer }) => pointer === parent) : record;
}

function depthOf(pointer: string): number {
  return pointer.split('/').length;
}
