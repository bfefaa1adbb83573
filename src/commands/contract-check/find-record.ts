import { namesIdentity } from '../../contract/extra-rows.ts';
import { pathCharacters } from '../../contract/row.ts';
import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { isPathIdentifier } from '../../upstream/decoding/identifiers.ts';
import { checkFields, checkSingle } from './check-fields.ts';
import { findRead, readRecord } from './check-paths.ts';
import type { CheckRun } from './check-run.ts';
import { walk, type JsonNode } from './json-shape.ts';
import type { Records } from './list-reader.ts';
import type { ProbeAnswer } from './prober.ts';

/** A kind of record that is read alone, too. */
type SingleKind = 'customer' | 'settlementBank';

/**
 * Reads a listed record by its identifier, or by another of its values that may be one, which then is the identifier. The
 * first record may be deleted, so a second one is tried. Returns the record that was answered, and the identifier by which
 * it was read.
 */
export async function findRecord(run: CheckRun, kind: SingleKind, listed: Records) {
  const row = `${kind}.id` as const;
  const name = kind === 'customer' ? 'getCustomer' : 'getSettlementBank';
  const [first] = listed;
  if (!isRecord(first)) return {};
  checkFields(run, kind, listed);
  leaveId(run, row, first);
  const ids = listed.flatMap((each) => textOrNumber(run.read(row, each)) ?? []);
  proposeCharacters(run, ids);
  const id = textOrNumber(run.read(row, first));
  // A read has its identifier in its address, where no account and no identity number belongs.
  const places = likelyIds(run, first).filter(
    ({ name, value }) =>
      /(?:id|code|ref|reference|handle)$/i.test(name) && textOrNumber(value) !== id && !namesIdentity(name),
  );
  const others = places.slice(0, 3).flatMap(({ value }) => textOrNumber(value) ?? []);
  const [candidate, ...rest] = id === undefined ? others : [...ids.slice(0, 2), ...others];
  if (candidate === undefined) return {};
  const answer = await findRead(run, name, candidate, '', rest);
  const foundNode = places.find(({ value }) => textOrNumber(value) === answer?.identifier);
  if (foundNode !== undefined)
    run.contradict(row, `a record is read by the value at ${foundNode.pointer}`, [foundNode.pointer]);
  if (answer?.identifier === undefined) {
    const isNowhere = run.findings.get(`${name}.path`)?.state === 'contradicted';
    if (id !== undefined && places.length > 0 && isNowhere) proposeId(run, row, first);
    return {};
  }
  run.proposals.delete(row);
  checkIdentity(run, kind, answer.identifier, answer, listed);
  return { record: readRecord(run, answer), identifier: answer.identifier };
}

/** Characters of identifiers that divide a path where a proxy decodes it are a person's to allow. A link is none. */
function proposeCharacters(run: CheckRun, ids: readonly string[]): void {
  const row = 'identifiers.allow';
  const allowed = run.contract()[row];
  const texts = ids.filter((id) => !/^(?:https?:)?\//.test(id)).join('');
  const refused = pathCharacters.filter((character) => texts.includes(character) && !allowed.includes(character));
  if (refused.length === 0) return;
  const value = [...allowed, ...refused].map((character) => `'${character}'`).join(', ');
  const choice = `[${value}], after a look at security.md, "Identifiers and proxies"`;
  run.leave(row, `identifiers contain ${refused.join(' ')}`, choice);
}

/** The values of an answer; a list of one is its entry. */
function walkSingles(body: unknown): readonly JsonNode[] {
  return walk(body).flatMap((node) =>
    Array.isArray(node.value) && node.value.length === 1
      ? [{ ...node, pointer: `${node.pointer}/0`, value: node.value[0] as unknown }]
      : [node],
  );
}

/** Finds the record in the answer, its fields at other places than in listed ones, and the pointer to its identifier. */
function checkIdentity(run: CheckRun, kind: SingleKind, id: string, answer: ProbeAnswer, listed: Records): void {
  const idAt = (pointer: string, record: unknown): boolean =>
    textOrNumber(compilePointers([pointer]).read(record)) === id;
  const carriesId = (record: unknown): boolean => textOrNumber(run.read(`${kind}.id`, record)) === id;
  const data = 'envelope.data';
  const { pointer: place = '' } = carriesId(readRecord(run, answer))
    ? {}
    : (walkSingles(answer.body).find(({ value }) => isRecord(value) && carriesId(value)) ?? {});
  // Other records may each be wrapped under a name of its own.
  const others = run.isProven(data) ? run.contract()[data] : [];
  if (place !== '') run.contradict(data, `the record stands at ${place}`, [place, ...others]);
  const row = `${kind}.identifiedBy` as const;
  const record = readRecord(run, answer);
  checkSingle(run, kind, record, listed);
  if (run.read(`${kind}.id`, record) === undefined) {
    run.contradict(`${kind}.id`, 'the single record does not have it');
    proposeId(run, `${kind}.id`, record);
  }
  const identifiedBy = run.contract()[row];
  if (identifiedBy === 'none') return;
  const pointer = run.contract()[`${kind}.id`].find((each) => idAt(each, record));
  if (identifiedBy !== 'undecided' && identifiedBy.some((each) => idAt(each, record))) run.confirm(row);
  else if (pointer !== undefined) run.contradict(row, `the identifier of the read is at ${pointer}`, [pointer]);
  else {
    const choice = 'pointers to the identifier of a read, or none: then another record in its place is not noticed';
    run.leave(row, 'the record does not contain the identifier by which it was read', choice, 'undecided');
  }
}

type IdRow = `${'customer' | 'settlementBank' | 'transaction' | 'account'}.id`;

/** A record without an identifier cannot be served, nor what is below it: a person says which of its values it is. */
export function leaveId(run: CheckRun, row: IdRow, record: unknown): void {
  if (!isRecord(record) || run.read(row, record) !== undefined) return;
  run.contradict(row, 'records have no identifier under a usual name');
  proposeId(run, row, record);
}

function proposeId(run: CheckRun, row: IdRow, record: unknown): void {
  const pointers = likelyIds(run, record).map(({ pointer }) => pointer);
  run.proposals.set(row, `a pointer to the identifier; such values stand at ${pointers.join(', ') || 'no usual name'}`);
}

/** Values that may be the identifier of a record, by their name, and may stand in a path, unlike a link. */
function likelyIds(run: CheckRun, record: unknown): readonly JsonNode[] {
  const allowed = run.contract()['identifiers.allow'];
  return walk(record).filter(
    ({ name, value }) =>
      /(?:(?<!pa)id|code|ref|reference|number|handle)$/i.test(name) &&
      isPathIdentifier(textOrNumber(value) ?? '', allowed),
  );
}
