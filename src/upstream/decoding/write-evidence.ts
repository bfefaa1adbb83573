import type { Contract } from '../../contract/contract.ts';
import { isOpenStatus, type Envelope } from './envelope.ts';
import { isRecord } from './field-decoders.ts';
import type { RecordEvidence, WrittenRecord } from '../operation.ts';
import { createSuccessFlagReader, failureWord } from './success-flag.ts';

/**
 * The statement of a 2xx body about the write, apart from its record. `success`: a positive flag and no sign of failure.
 * `refusal`: a negative flag, or a status of refusal without a flag. `duplicate`: a code of a duplicate by the contract, so
 * a record beside it is the one that existed before. `doubt`: signs of failure that refuse nothing, or signs that
 * contradict each other. `nothing`: none of these.
 */
type Claim = 'success' | 'refusal' | 'duplicate' | 'doubt' | 'nothing';

/** The outcome that a 2xx answer to a write proves: carried out, refused, or unknown. */
type WriteVerdict = 'done' | 'refused' | 'unknown';

/** A write is done by evidence alone, and refused only where the body leaves no doubt. */
const verdicts: Readonly<Record<Claim, Readonly<Record<RecordEvidence, WriteVerdict>>>> = {
  success: { proven: 'done', unproven: 'done', absent: 'done', failed: 'unknown', foreign: 'unknown' },
  nothing: { proven: 'done', unproven: 'unknown', absent: 'unknown', failed: 'unknown', foreign: 'unknown' },
  refusal: { proven: 'unknown', unproven: 'refused', absent: 'refused', failed: 'refused', foreign: 'refused' },
  duplicate: { proven: 'refused', unproven: 'refused', absent: 'refused', failed: 'refused', foreign: 'refused' },
  doubt: { proven: 'unknown', unproven: 'unknown', absent: 'unknown', failed: 'unknown', foreign: 'unknown' },
};

/** Statuses inside a body that refuse a write, also without a negative flag. */
const refusalStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 409, 422, 429]);

interface WriteAnswer {
  readonly body: unknown;
  readonly record: WrittenRecord;
  /** The values sent. In a record, a code that was sent is a value of the record. */
  readonly sent: readonly string[];
  readonly isDuplicate: boolean;
}

/** Compiles how a 2xx answer to a write is judged, by the table above. */
export function createWriteJudge(contract: Contract, envelope: Envelope): (answer: WriteAnswer) => WriteVerdict {
  const success = createSuccessFlagReader(contract, envelope);
  const duplicateCodes = new Set(contract['errors.duplicateCodes']);
  const hasErrors = (source: unknown): boolean => envelope.namesError(source) || envelope.hasErrors(source);

  const hasFailureCode = (source: unknown, sent: readonly string[]): boolean =>
    envelope.bodyStatus(source, sent) !== undefined ||
    envelope.codeTexts(source).some((text) => !sent.includes(text) && failureWord.test(text));

  const claimOf = ({ body, record, sent, isDuplicate }: WriteAnswer): Claim => {
    const flag = success.flag(body);
    if (flag === 'contradictory') return 'doubt';
    // A code is the service's, even where it equals a value that was sent, unless it stands in the record itself.
    const valuesOfRecord = record.path === '' ? sent : [];
    const codes = envelope.codeTexts(body).filter((text) => !valuesOfRecord.includes(text));
    const hasDuplicateCode = codes.some((text) => duplicateCodes.has(text));
    if (hasDuplicateCode && flag !== 'positive') return 'duplicate';
    const isNested = isRecord(record.source) && record.path !== '';
    /** An error flag, error entries or a code of failure, in the body or in its record. */
    const hasFailureSign =
      hasErrors(body) ||
      success.isDoubted(body) ||
      hasFailureCode(body, valuesOfRecord) ||
      (envelope.hasOwnValues && flag !== 'positive') ||
      (isNested &&
        (envelope.deniesItself(record.source) ||
          hasErrors(record.source) ||
          (!record.hasOwnId && hasFailureCode(record.source, sent))));
    if (flag === 'positive') return hasFailureSign || hasDuplicateCode ? 'doubt' : 'success';
    const status = success.status(body, sent);
    const isOpen = status !== undefined && isOpenStatus(status);
    if (flag === 'negative') return (isOpen && !isDuplicate) || envelope.mayBeOwnStatus(body) ? 'doubt' : 'refusal';
    if (status !== undefined && refusalStatuses.has(status)) return 'refusal';
    return hasFailureSign ? 'doubt' : 'nothing';
  };
  return (answer) => verdicts[claimOf(answer)][answer.record.evidence];
}
