import type { WriteResult } from '../domain.ts';
import { GatewayError } from '../errors.ts';
import { outcomeUnknown, type AnswerReader } from './answer.ts';
import type { Attempt, Scope } from './attempt.ts';
import type { WriteCall } from './call.ts';
import { requireCredentials } from './credentials.ts';
import type { Answer, Failure } from './dispatcher.ts';
import { failureError, rejection } from './failure.ts';
import type { Idempotency, Kept, StoredAnswer } from './idempotency.ts';
import { whileWanted } from './lifetime.ts';
import type { Operation, Write } from './operation.ts';
import { createSeal } from './seal.ts';

/** Added to the longest that an attempt may take: what its timers may be late by. */
const slackMs = 1_000;

export interface WriteOptions {
  readonly attempt: Attempt;
  readonly answers: AnswerReader;
  /** One try of one call. */
  readonly timeoutMs: number;
  /** Undefined where the deployment has no store: then keys are refused. */
  readonly idempotency: Idempotency | undefined;
  /** What fingerprints in the store are made with. */
  readonly fingerprintSecret: Uint8Array;
}

/** What came of a write, as far as it will ever be known. */
type Outcome<Value> = WriteResult<Value> | GatewayError;

export interface Writes {
  readonly write: WriteCall;
  /** Waits for writes whose callers have been answered or have left, until their outcomes are known. */
  readonly close: () => Promise<void>;
}

/** Compiles writes: sent once, waited for as long as somebody wants the outcome, and recorded whoever has left. */
export function createWrites(options: WriteOptions): Writes {
  const { attempt, answers, timeoutMs, idempotency, fingerprintSecret } = options;
  const running = new Set<Promise<unknown>>();

  const outcomeOf = <Input extends object, Value>(
    operation: Write<Input, Value>,
    result: Answer | Failure,
    input: Input,
    scope: Scope,
  ): Outcome<Value> => {
    if (result.kind === 'failure') {
      if (result.sent) return outcomeUnknown(operation, result.status, result.cause);
      return failureError(operation, result, scope);
    }
    try {
      return answers.write(operation, result, secretsOf(input, scope), () => rejection(operation, scope));
    } catch (error) {
      if (error instanceof GatewayError) return error;
      throw error;
    }
  };

  const claimOf = (operation: Operation, input: object, scope: Scope, key: string) => ({
    operation: operation.name,
    key,
    input,
    seal: createSeal(fingerprintSecret, scope.wallet, operation.credentials),
    withinMs: Math.ceil(scope.lifetime.deadline - performance.now()) + timeoutMs + slackMs,
    lifetime: scope.lifetime,
  });

  const write: WriteCall = async (operation, input, scope, key) => {
    const { request, userErrors } = operation.prepare(input);
    if (userErrors.length > 0) return { record: null, userErrors };
    requireCredentials(scope.wallet, operation.credentials, operation.name);
    const send = async () => {
      const result = await attempt(operation, request, scope);
      const outcome = outcomeOf(operation, result, input, scope);
      return { outcome, kept: keptOf(result, outcome) };
    };
    const recorded = (kept: Exclude<Kept, { readonly as: 'nothing' }>) =>
      kept.as === 'unknown' ? outcomeUnknown(operation) : outcomeOf(operation, asAnswer(kept.answer), input, scope);
    const outcome =
      key === undefined
        ? send().then((sent) => sent.outcome)
        : required(idempotency).once(claimOf(operation, input, scope, key), send, recorded);
    track(running, outcome);
    const known = (await whileWanted(outcome, scope.lifetime)) ?? outcomeUnknown(operation);
    if (known instanceof GatewayError) throw known;
    return known;
  };

  return {
    write,
    close: async () => {
      await Promise.all(running);
    },
  };
}

/** A refusal and a write that was not sent leave no trace; of what may have happened, all is kept. */
function keptOf(result: Answer | Failure, outcome: Outcome<unknown>): Kept {
  if (result.kind === 'failure') return { as: result.sent ? 'unknown' : 'nothing' };
  const { status, body } = result;
  if (!(outcome instanceof GatewayError)) {
    return outcome.userErrors.length > 0 ? { as: 'nothing' } : { as: 'answer', answer: { status, body } };
  }
  if (outcome.code === 'OUTCOME_UNKNOWN') return { as: 'unknown' };
  // A redirect may well be the answer to something done.
  return status < 400 ? { as: 'answer', answer: { status, body } } : { as: 'nothing' };
}

function asAnswer(stored: StoredAnswer): Answer {
  return { kind: 'answer', retryAfterSeconds: undefined, allow: undefined, ...stored };
}

function required(idempotency: Idempotency | undefined): Idempotency {
  if (idempotency !== undefined) return idempotency;
  const message = 'Idempotency keys are not supported by this deployment: it has no store for them.';
  throw new GatewayError('BAD_USER_INPUT', { retryable: false }, { message });
}

function track(running: Set<Promise<unknown>>, work: Promise<unknown>): void {
  const tracked = work
    .catch(() => {}) // whoever waits for it hears of it
    .finally(() => running.delete(tracked));
  running.add(tracked);
}

function secretsOf(input: unknown, { wallet }: Scope): readonly string[] {
  const values = Object.values(input as object); // every write takes an object
  const texts = values.filter((value): value is string => typeof value === 'string' && value !== '');
  const credentials = Object.values(wallet.credentials).flatMap(({ value }) => value?.split(' ').at(-1) ?? []);
  return [...texts, ...credentials];
}
