import type { Contract } from '../../contract/contract.ts';
import { isFailure, isSuccess, scalarText, type Envelope } from './envelope.ts';
import { isRecord } from './field-decoders.ts';
import { compilePointers } from './json-pointer.ts';

/** The envelope's flag of success; `none` where there is none, or where it says neither. */
export type SuccessFlag = 'positive' | 'negative' | 'none';

export type SuccessFlagReader = ReturnType<typeof createSuccessFlagReader>;

/** Reads the flag of success in answers to writes, and the record beside or below it. */
export function createSuccessFlagReader(contract: Contract, envelope: Envelope) {
  const success = compilePointers(contract['envelope.success']);
  const values = new Set(contract['envelope.successValues'].map(String));
  const envelopeNames = new Set(
    (['envelope.success', 'envelope.code', 'errors.message', 'errors.fields'] as const)
      .flatMap((row) => contract[row])
      .map((pointer) => pointer.split('/')[1] ?? ''),
  );

  /** By the service's own values. Another value is negative where it is false, a word of failure, or beside errors. */
  const flagByValues = (body: unknown): SuccessFlag => {
    const flag = success.read(body);
    if (flag === undefined) return 'none';
    if (values.has(scalarText(flag))) return 'positive';
    const isWord = flag === false || /[a-z]/i.test(scalarText(flag));
    return (isWord && isFailure(flag)) || envelope.fieldErrors(body).length > 0 ? 'negative' : 'none';
  };

  return {
    flag: (body: unknown): SuccessFlag => {
      if (values.size > 0) return flagByValues(body);
      const flag = success.read(body);
      if (flag === undefined || !envelope.isWrapped(body)) return 'none';
      if (isSuccess(flag)) return 'positive';
      return isFailure(flag) ? 'negative' : 'none';
    },
    /** The HTTP status from 400 to 599 that a body carries: as its code, or as its flag, as in `{ "status": 422 }`. */
    status: (body: unknown): number | undefined => {
      const flag = envelope.isWrapped(body) && values.size === 0 ? scalarText(success.read(body)) : '';
      return envelope.bodyStatus(body) ?? (/^[45]\d\d$/.test(flag) ? Number(flag) : undefined);
    },
    /**
     * The record in the answer to a write; undefined where there is none. A bare record is read without the members of
     * the envelope beside it: a code of success is not its id.
     */
    record: (body: unknown): unknown => {
      if (envelope.isWrapped(body) || values.size === 0 || !isRecord(body)) return envelope.record(body);
      const members = Object.entries(body).filter(([name]) => !envelopeNames.has(name));
      return members.length === 0 ? undefined : Object.fromEntries(members);
    },
  };
}
