import type { RecordEvidence } from '../operation.ts';
import type { Signs } from './signs.ts';

/** What an answer shows of a write: carried out, refused, or unknown. */
export type Outcome = 'done' | 'refused' | 'unknown';

/** What an answer says beside its HTTP status and its record. `error`: an error, or a duplicate beside a flag of success. */
type BodySays = 'yes' | 'silent' | 'error' | 'no' | 'duplicate';

type ByRecord = Readonly<Record<RecordEvidence, Outcome>>;

const always = (outcome: Outcome): ByRecord => {
  return { proven: outcome, unproven: outcome, absent: outcome, failed: outcome, foreign: outcome };
};
const refused = always('refused');
const unknown = always('unknown');

/**
 * The outcome of a write, row by row as in docs/reliability.md. It is done by evidence alone, and refused only where it
 * cannot have been done: a proven record beside a refusal leaves it open.
 */
const outcomes: Readonly<Record<Exclude<Signs['http'], 'open'>, Readonly<Record<BodySays, ByRecord>>>> = {
  ok: {
    yes: { proven: 'done', unproven: 'done', absent: 'done', failed: 'unknown', foreign: 'unknown' },
    silent: { ...unknown, proven: 'done' },
    error: unknown,
    no: { ...refused, proven: 'unknown' },
    duplicate: refused,
  },
  refused: { yes: unknown, silent: refused, error: refused, no: refused, duplicate: refused },
};

/** Looks an answer up in the table. Of a read, `record` is `proven` where one stands in the answer, else `absent`. */
export function outcomeOf(signs: Signs, record: RecordEvidence): Outcome {
  return signs.http === 'open' ? 'unknown' : outcomes[signs.http][bodySays(signs)][record];
}

function bodySays({ flag, hasError, isDuplicate }: Signs): BodySays {
  if (flag === 'yes') return hasError || isDuplicate ? 'error' : 'yes';
  if (isDuplicate) return 'duplicate';
  if (flag === 'no') return 'no';
  return hasError ? 'error' : 'silent';
}
