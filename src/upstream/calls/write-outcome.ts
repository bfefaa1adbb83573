import { GatewayError, valueOrError } from '../../domain/errors.ts';
import type { WriteResult } from '../../domain/records.ts';
import type { RequestCredentials } from '../credentials/credentials.ts';
import { toBasic } from '../credentials/request-headers.ts';
import { evidenceOf, outcomeUnknown, textsOf, type AnswerReader } from '../decoding/interpret-answer.ts';
import type { KeyOutcome } from '../idempotency/idempotency.ts';
import type { Recorded } from '../idempotency/sealed-entry.ts';
import type { RecordEvidence, Write } from '../operation.ts';
import type { Answer, Failure } from '../wire/http-client.ts';
import { failureError } from './failure-errors.ts';
import type { Scope } from './scope.ts';

/** The final outcome of a write. */
export interface Ended<Value> {
  readonly outcome: WriteResult<Value> | GatewayError;
  readonly keyOutcome: KeyOutcome;
  /** Undefined where nothing was sent, or no answer came. */
  readonly upstreamStatus: number | undefined;
  readonly evidence: () => RecordEvidence | undefined;
  /** Whether the outcome is that of an earlier attempt under the same key: nothing was sent this time. */
  readonly isRepeated?: boolean;
}

/** Creates the function that turns the result of a write's attempt into its outcome. */
export function createWriteOutcomes(answers: AnswerReader) {
  return <Input extends object, Value>(
    operation: Write<Input, Value>,
    input: Input,
    scope: Scope,
    result: Answer | Failure,
  ): Ended<Value> => {
    const upstreamStatus = result.status;
    if (result.kind === 'answer') {
      const { credentials } = scope;
      const question = { operation, input, credentials, secrets: secretsOf(operation, input, credentials) };
      const outcome = valueOrError(() => answers.write(question, result));
      const evidence = () => evidenceOf(operation, input, result);
      return { outcome, keyOutcome: toKeyOutcome(result, outcome), upstreamStatus, evidence };
    }
    if (!result.sent) return unsent(failureError(operation, result, scope));
    const outcome = outcomeUnknown(operation, input, result.status, result.cause);
    return { outcome, keyOutcome: { as: 'unknown', status: result.status }, upstreamStatus, evidence: noEvidence };
  };
}

const noEvidence = (): undefined => undefined;

/**
 * The state that the idempotency store keeps: a refusal frees the key (`nothing`), an unknown outcome blocks it
 * (`unknown`), a definite answer is stored and replayed (`answer`).
 */
function toKeyOutcome({ status, body }: Answer, outcome: Ended<unknown>['outcome']): KeyOutcome {
  if (!(outcome instanceof GatewayError)) {
    return outcome.userErrors.length > 0 ? { as: 'nothing' } : { as: 'answer', answer: { status, body } };
  }
  return outcome.code === 'OUTCOME_UNKNOWN' ? { as: 'unknown', status } : { as: 'nothing' };
}

/** An unknown outcome is replayed as that of a write that was sent and got no answer. */
export function toResult(keyOutcome: Recorded): Answer | Failure {
  return keyOutcome.as === 'answer'
    ? { kind: 'answer', ...keyOutcome.answer }
    : { kind: 'failure', reason: 'timeout', sent: true, status: keyOutcome.status };
}

export function unsent(outcome: GatewayError): Ended<never> {
  return { outcome, keyOutcome: { as: 'nothing' }, upstreamStatus: undefined, evidence: noEvidence };
}

/**
 * The texts that must not come back inside a sentence of the service: the credentials, and the values sent, unless they
 * are a word of a field's name (`collection` in "collection wallet").
 */
function secretsOf<Input>(
  { inputPaths, sentTexts }: Pick<Write<Input, unknown>, 'inputPaths' | 'sentTexts'>,
  input: Input,
  { values }: RequestCredentials,
): readonly string[] {
  const tokens = Object.values(values).flatMap(({ value }) => value?.split(' ').at(-1) ?? []);
  // A service may tell one part of `user:password`, or repeat both as HTTP Basic has them, perhaps without its padding.
  const credentials = tokens.flatMap((token) => [token, ...token.split(':'), toBasic(token).replaceAll('=', '')]);
  const names = new Set([...inputPaths.keys()].flatMap((name) => name.toLowerCase().split(/[^a-z]+/)));
  const sent = [...textsOf(input), ...sentTexts(input)];
  return [...sent.filter((text) => !names.has(text.toLowerCase())), ...credentials];
}
