import { statusWords, type Contract } from '../../contract/contract.ts';
import {
  chooseStatus,
  isFailureFlag,
  isFailureWord,
  hasContent,
  isOpenStatus,
  isSuccessFlag,
  scalarText,
  yesOrNo,
  type Envelope,
} from './envelope.ts';
import { isRecord } from './field-decoders.ts';
import { compileEach, compilePointers } from './json-pointer.ts';

/**
 * The envelope's flag of success. `contradictory`: it carries a positive and a negative one. `none`: it carries none, or
 * one that says neither.
 */
export type SuccessFlag = 'positive' | 'negative' | 'contradictory' | 'none';

/** Statuses that no code in the body refines: a refused credential, a timeout, a rate limit. */
const unrefinedStatuses: ReadonlySet<number> = new Set([401, 408, 429]);

/** Reads the flag of success in answers to writes, and the record beside or below it. */
export function createSuccessFlagReader(contract: Contract, envelope: Envelope) {
  const values = new Set(contract['envelope.successValues'].map(String));
  const isByValues = values.size > 0;
  const pointers = isByValues ? [] : contract['envelope.success'];
  const flagReaders = pointers.map(createFlagReader);
  const readAnswers = compileEach(pointers.filter((pointer) => yesOrNo.test(pointer)));
  const envelopeNames = new Set(
    (['envelope.success', 'envelope.code', 'errors.message', 'errors.fields'] as const)
      .flatMap((row) => contract[row])
      .map((pointer) => pointer.split('/')[1] ?? ''),
  );

  const isPositive = (flag: unknown): boolean => (isByValues ? values.has(scalarText(flag)) : isSuccessFlag(flag));
  const isNegative = (flag: unknown): boolean =>
    !isPositive(flag) && (isByValues ? isFailureWord(flag) : isFailureFlag(flag));
  /** The flags at all pointers of the row: two of them may contradict each other. */
  const flagsAt = (body: unknown): readonly unknown[] => flagReaders.map((read) => read(body));
  const isFailureStatus = createFailureStatusCheck(contract);
  const isDoubtful = (flag: unknown): boolean =>
    !isSuccessFlag(flag) && (isFailureStatus(scalarText(flag)) || failureWord.test(scalarText(flag)));
  const flagsOf = (body: unknown): readonly unknown[] => (envelope.isWrapped(body) ? flagsAt(body) : []);

  const readFlag = (body: unknown): SuccessFlag => {
    const flags = isByValues ? envelope.readFlags(body) : flagsOf(body);
    const hasNegative = flags.some(isNegative) || envelope.isFailed(body);
    if (flags.some(isPositive)) return hasNegative ? 'contradictory' : 'positive';
    // Another value than those of success is negative beside errors.
    const isBesideErrors = isByValues && flags.length > 0 && envelope.fieldErrors(body).length > 0;
    return hasNegative || isBesideErrors ? 'negative' : 'none';
  };
  /**
   * The HTTP status from 400 to 599 that a body carries: as its code, or as its flag, as in `{ "status": 422 }`. In a bare
   * record a code may be a value that was sent.
   */
  const readStatus = (body: unknown, sent: readonly string[] = []): number | undefined => {
    const ignored = envelope.isBareRecord(body) ? sent : [];
    const flags = flagsOf(body)
      .map(scalarText)
      .filter((text) => !ignored.includes(text));
    return chooseStatus([envelope.bodyStatus(body, ignored), ...flags].map(Number));
  };

  return {
    flag: readFlag,
    status: readStatus,
    /**
     * The status of an answer without success: inside HTTP 200 that of its body, `otherwise` where it names none; a 4xx is
     * refined by a code that the contract maps.
     */
    refusalStatus: (httpStatus: number, body: unknown, otherwise: number, sent: readonly string[] = []): number => {
      if (httpStatus < 300) return readStatus(body, sent) ?? otherwise;
      const isRefinable = httpStatus >= 400 && httpStatus < 500 && !unrefinedStatuses.has(httpStatus);
      return (isRefinable ? envelope.mappedStatus(body) : undefined) ?? httpStatus;
    },
    /**
     * Whether the body of a 4xx shows a record beside a positive flag, or a code by which it is open whether the write was
     * done: such an answer refuses nothing. A code that the contract maps takes precedence.
     */
    leavesOpen: (body: unknown, sent: readonly string[]): boolean => {
      const status = envelope.mappedStatus(body) ?? readStatus(body, sent);
      const flag = readFlag(body);
      const hasRecord = hasContent(envelope.isWrapped(body) ? envelope.record(body) : undefined);
      const isPositiveRecord = hasRecord && flag !== 'contradictory' && envelope.readFlags(body).some(isPositive);
      return isPositiveRecord || (status !== undefined && isOpenStatus(status));
    },
    /**
     * Whether the body has a flag of failure, or a word such as `declined`, which does not say whether the call failed or
     * the record did. It may be the status of a bare record.
     */
    isDoubted: (body: unknown): boolean =>
      flagsAt(body).some(isFailureFlag) || flagsOf(body).some(isDoubtful) || readAnswers(body).some(isUnclear),
    /**
     * The record in the answer to a write; undefined where there is none. A bare record is read without the members of
     * the envelope beside it: a code of success is not its id.
     */
    record: (body: unknown): unknown => {
      if (envelope.isWrapped(body) || !isByValues || !isRecord(body)) return envelope.record(body);
      const members = Object.entries(body).filter(([name]) => !envelopeNames.has(name));
      return members.length === 0 ? undefined : Object.fromEntries(members);
    },
  };
}

/** Whether a status of these kinds, as the service sends it or as `status.words` maps it, means that a write failed. */
export function createFailureStatusCheck(
  contract: Contract,
  kinds: readonly string[] = ['customer', 'settlementBank', 'account'],
): (status: string) => boolean {
  const failureStatuses = new Set(contract['writes.failureStatuses'].map((word) => word.toLowerCase()));
  const words = kinds.map((kind) => statusWords(contract, kind));
  return (status) =>
    [status, ...words.map((each) => each.get(status) ?? '')].some((text) =>
      failureStatuses.has(text.trim().toLowerCase()),
    );
}

/** Words of failure inside a text such as `processor_error`. */
export const failureWord =
  /(?:^|[^a-z])(?:error|fail|failed|failure|declined|rejected|refused|invalid|denied|unauthori[sz]ed|forbidden|expired|exception)(?:$|[^a-z])/i;

/**
 * Reads the flag at one pointer in the answer to a write. 0 and 1 count only under a name that ends with success or ok:
 * else each of them means success at some services and an error at others.
 */
function createFlagReader(pointer: string): (body: unknown) => unknown {
  const { read } = compilePointers([pointer]);
  const isYesOrNo = yesOrNo.test(pointer);
  return (body) => {
    const flag = read(body);
    return isYesOrNo || !/^[01]$/.test(scalarText(flag).trim()) ? flag : undefined;
  };
}

/** Whether a flag under such a name is neither positive nor negative, nor `y` or `yes`. */
function isUnclear(flag: unknown): boolean {
  return !isSuccessFlag(flag) && !isFailureFlag(flag) && !/^y(?:es)?$/i.test(scalarText(flag));
}
