import { createEnvelope } from '../../../upstream/decoding/envelope.ts';
import { isRecord } from '../../../upstream/decoding/field-decoders.ts';
import { isList, kindsOf } from '../../operation-kinds.ts';
import { synonyms } from '../../contract-check/find-field.ts';
import { normalizeName, walk, type JsonNode } from '../../contract-check/json-shape.ts';
import { membersOf } from '../api.ts';
import type { Collector, Success } from '../collector.ts';
import { namesOf } from './extra-fields.ts';

/** The kinds of single records. Where two places exclude each other, that of the earlier kind counts. */
const kinds = ['customer', 'settlementBank', 'account'] as const;
type Kind = (typeof kinds)[number];

/** Usual names of an account's number: a record without one may be the account's bank or customer. */
const numberNames = new Set(['accountnumber', ...(synonyms['accountNumber'] ?? [])]);

/** Finds where answers with a single record hold it: at one place, or wrapped under the name of each kind. */
export function findData({ run, set }: Collector, successes: readonly Success[]): void {
  const singles = kinds.flatMap((kind) => {
    const ofKind = successes.filter(({ operation }) => kindsOf[operation] === kind);
    const entries = ofKind
      .filter(({ operation }) => isList(operation))
      .flatMap(({ bodies }) => bodies.flatMap(walk))
      .flatMap(({ value }) => (Array.isArray(value) ? value.slice(0, 1) : []));
    return ofKind.flatMap(({ operation, bodies: [body] }) => {
      const node = isList(operation) ? undefined : findRecord(kind, body, entries);
      return node === undefined ? [] : [{ body, node }];
    });
  });
  const read: typeof singles = [];
  for (const single of singles) {
    const all = [...read, single];
    const isReadBy = (data: string[]): boolean => {
      const envelope = createEnvelope({ ...run.contract(), 'envelope.data': data });
      return all.every(({ body, node }) => envelope.record(body) === node.value);
    };
    const pointers = new Set(all.map(({ node }) => node.pointer).filter((pointer) => pointer !== ''));
    // A wrapper is named before what it stands in, which would be taken for the record.
    const depthOf = (pointer: string): number => pointer.split('/').length;
    const byDepth = [...pointers].toSorted((one, other) => depthOf(other) - depthOf(one));
    const current = run.contract()['envelope.data'];
    const data = [current, byDepth, [...byDepth, '']].find(isReadBy);
    if (data === undefined) continue;
    read.push(single);
    if (data !== current) set('envelope.data', data);
  }
}

/**
 * The object of a body that has the most fields of a record; undefined where none has two. With a wrapper that the entries
 * of lists have, too, since the rows of the fields then begin with it.
 */
function findRecord(kind: Kind, body: unknown, entries: readonly unknown[]): JsonNode | undefined {
  const names = new Set(namesOf(kind));
  const keysOf = (value: unknown): readonly string[] => Object.keys(membersOf(value)).map(normalizeName);
  const count = ({ value }: JsonNode): number => keysOf(value).filter((name) => names.has(name)).length;
  const [fullest] = walk(body)
    .filter(({ value }) => kind !== 'account' || keysOf(value).some((name) => numberNames.has(name)))
    .toSorted((one, other) => count(other) - count(one));
  if (fullest === undefined || count(fullest) < 2) return undefined;
  // A record holds its id, perhaps above its other fields.
  const hasId = ({ value }: JsonNode): boolean => keysOf(value).some((name) => /^(?:id|uuid|uid)$/.test(name));
  const isAround = ({ pointer }: JsonNode): boolean => `${fullest.pointer}/`.startsWith(`${pointer}/`);
  const record = walk(body).findLast((node) => isAround(node) && hasId(node)) ?? fullest;
  const isWrapped = entries.some((entry) => isRecord(entry) && isRecord(entry[record.name]));
  const parent = record.pointer.slice(0, record.pointer.lastIndexOf('/'));
  return isWrapped ? walk(body).find(({ pointer }) => pointer === parent) : record;
}
