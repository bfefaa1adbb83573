import type { Contract } from '../../contract/contract.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { normalizeName, walk, type JsonNode } from './json-shape.ts';

/** Usual names of what describes a failure, normalized. */
export const failureNames = /^(?:errors?|faults?|failures?|problems?|exceptions?)$/;

/** Usual names of arrays beside the records, normalized. */
const sideNames = /^(?:messages?|warnings?|notices?|links?|meta(?:data)?|included)$/;

export interface RecordArray {
  readonly pointer: string;
  readonly records: readonly unknown[];
}

/**
 * The arrays of a body that may be its list of records, the nearest first: of objects, or empty. An array that describes
 * a failure is none, and one such as `messages` only where there is no other.
 */
export function findRecordArrays(contract: Contract, body: unknown): readonly RecordArray[] {
  const arrays = walk(body).filter((node) => isCandidate(node) && !isOfFailure(contract, node.pointer));
  const others = arrays.filter(({ name }) => !sideNames.test(normalizeName(name)));
  return (others.length > 0 ? others : arrays).flatMap(({ pointer, value }) =>
    Array.isArray(value) ? [{ pointer, records: value }] : [],
  );
}

/** Whether an array stands at a pointer at which the contract or a usual name says that failures are described. */
export function isOfFailure(contract: Contract, pointer: string): boolean {
  const places = [...contract['envelope.failureKeys'], ...contract['errors.fields']];
  const isBelow = places.some((place) => place !== '' && `${pointer}/`.startsWith(`${place}/`));
  return isBelow || failureNames.test(normalizeName(pointer.split('/').at(-1) ?? ''));
}

/** Whether the body of a 2xx lists faults, which makes it a refusal where it has no records. */
export function holdsFaults(contract: Contract, body: unknown): boolean {
  return walk(body).some(
    ({ pointer, value }) => Array.isArray(value) && value.length > 0 && isOfFailure(contract, pointer),
  );
}

export function holdsRecords(list: readonly unknown[]): boolean {
  return isRecord(list[0]);
}

function isCandidate({ value }: JsonNode): boolean {
  return Array.isArray(value) && (value.length === 0 || holdsRecords(value));
}
