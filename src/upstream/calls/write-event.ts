import { GatewayError } from '../../domain/errors.ts';
import { toComparable } from '../decoding/record-evidence.ts';
import type { Write } from '../operation.ts';
import type { WriteEvent } from './call-observer.ts';
import type { Ended } from './write-outcome.ts';

const shownKeyLength = 12;
/** A shorter value may stand in any id by chance. */
const minSentLength = 5;

/** The event of a write, for log and metrics. `id`: its entry's in the idempotency store. */
export function toWriteEvent<Input>(
  operation: Pick<Write<Input, unknown>, 'name' | 'sentTexts'>,
  input: Input,
  { outcome, keyOutcome, isRepeated = false, upstreamStatus, evidence }: Ended<unknown>,
  id: string | undefined,
): Omit<WriteEvent, 'scope' | 'hasWaited'> {
  const common = {
    operation: operation.name,
    key: id?.slice(0, shownKeyLength),
    isRepeated,
    upstreamStatus,
    evidence,
    code: undefined,
    recordId: undefined,
  };
  if (outcome instanceof GatewayError) {
    const refused = upstreamStatus === undefined ? 'not sent' : 'refused';
    return { ...common, outcome: keyOutcome.as === 'nothing' ? refused : 'unknown', code: outcome.code };
  }
  if (outcome.userErrors.length > 0) return { ...common, outcome: 'refused' };
  return { ...common, outcome: 'done', recordId: loggedId(outcome.record, operation.sentTexts(input)) };
}

/**
 * The id of a record for the log. Some services use an account's number, or a value that was sent, such as an identity
 * number, as the id or as a part of it: these are personal data.
 */
function loggedId(record: unknown, sentTexts: readonly string[]): string | undefined {
  if (typeof record !== 'object' || record === null || !('id' in record) || typeof record.id !== 'string')
    return undefined;
  const id = toComparable(record.id);
  const sent = [...sentTexts, 'accountNumber' in record ? String(record.accountNumber) : ''].map(toComparable);
  const showsValue = sent.some((text) => text === id || (text.length >= minSentLength && id.includes(text)));
  return showsValue ? undefined : record.id;
}
