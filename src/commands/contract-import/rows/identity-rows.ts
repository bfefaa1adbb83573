import { isAddressed } from '../../../contract/operation-rows.ts';
import type { OperationName } from '../../../contract/contract.ts';
import { compilePointers } from '../../../upstream/decoding/json-pointer.ts';
import { kindsOf } from '../../operation-kinds.ts';
import { tellsApart } from '../../contract-check/check-fields.ts';
import { namesWithKind } from '../../contract-check/find-field.ts';
import { isPlainName, normalizeName } from '../../contract-check/json-shape.ts';
import type { Collector, RecordsByKind } from '../collector.ts';
import type { FoundMatch } from '../match-operations.ts';

const kinds = ['settlementBank', 'customer', 'transaction', 'account'] as const;
type Kind = (typeof kinds)[number];

const plainIds = new Set(['id', 'uuid', 'uid', 'guid']);

/**
 * Rows of the id of records that have no plain one: the property that paths name, else `<kind>_id` by the words of the
 * kind and of its path. Then where a customer or settlement bank shows the identifier that it was read by.
 */
export function collectIdentityRows(collector: Collector, records: RecordsByKind): void {
  const { comment, set, run, matches } = collector;
  for (const kind of kinds) {
    const list = records.get(kind) ?? [];
    const keys = [...new Set(list.flatMap((record) => Object.keys(record)))].filter(isPlainName);
    const find = (names: readonly string[]) => keys.find((key) => names.includes(normalizeName(key)));
    const inPath = find(parametersOf(kind, matches));
    const key = inPath ?? find(namesOfId(kind, matches));
    const hasPlain = keys.some((each) => plainIds.has(normalizeName(each)));
    const hasCode = kind !== 'customer' && keys.some((each) => normalizeName(each) === 'code');
    const row = `${kind}.id` as const;
    if (hasPlain && inPath !== undefined)
      comment(`${row}: # unsure: paths name the identifier ${inPath}, which is another field of the record`);
    else if (!hasPlain && key !== inPath && hasCode) comment(`${row}: # unsure: /${key}, or /code`);
    else if (!hasPlain && key !== undefined && run.contract()[row][0] === `/${key}`) run.confirm(row);
    else if (!hasPlain && key !== undefined && tellsApart(list, `/${key}`, run.contract()[row])) set(row, [`/${key}`]);
    if (kind === 'customer' || kind === 'settlementBank') identify(collector, kind, list);
  }
}

/** The names, normalized, by which paths name the record of a kind; a transaction and an account have no path. */
function parametersOf(kind: Kind, matches: readonly FoundMatch[]): readonly string[] {
  const isOfKind = (operation: OperationName): boolean =>
    isAddressed(operation) &&
    (kind === 'settlementBank' ? operation.endsWith('Bank') : kind === 'customer' && !operation.endsWith('Bank'));
  const names = matches
    .filter(({ operation }) => isOfKind(operation))
    .flatMap(({ api }) => [...api.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => normalizeName(name)));
  return [...new Set(names)].filter((name) => !plainIds.has(name));
}

/** `customerid`, and of a list at /movements `movementid`. */
function namesOfId(kind: Kind, matches: readonly FoundMatch[]): readonly string[] {
  const words = matches
    .filter(({ operation }) => kindsOf[operation] === kind)
    .flatMap(({ path }) => path.split('/').findLast((segment) => /^[\w-]+$/.test(segment)) ?? [])
    .map((segment) => segment.replace(/s$/, ''));
  const usual = kind === 'settlementBank' ? ['bank'] : [];
  return [...namesWithKind(kind, 'id'), ...[...usual, ...words].map((word) => normalizeName(`${word}id`))];
}

/** Adds the id's pointer to the row `identifiedBy`, where that has no pointer with a value in the records. */
function identify({ run, set }: Collector, kind: 'customer' | 'settlementBank', records: readonly object[]): void {
  const row = `${kind}.identifiedBy` as const;
  const identifiedBy = run.contract()[row];
  if (typeof identifiedBy === 'string' || records.length === 0) return;
  const isThere = (pointer: string): boolean =>
    records.some((record) => compilePointers([pointer]).read(record) !== undefined);
  const pointer = run.contract()[`${kind}.id`].find(isThere);
  if (pointer === undefined || identifiedBy.includes(pointer)) return;
  set(row, [pointer, ...identifiedBy.filter(isThere)]);
}
