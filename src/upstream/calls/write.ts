import type { Contract } from '../../contract/contract.ts';
import { GatewayError } from '../../domain/errors.ts';
import { withinLifetime } from '../../runtime/request-lifetime.ts';
import { prove, requireCredentials } from '../credentials/credentials.ts';
import { idempotencyHeader } from '../credentials/request-headers.ts';
import { outcomeUnknown, type AnswerReader } from '../decoding/interpret-answer.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import { createSeal, type Seal } from '../idempotency/sealed-entry.ts';
import type { Write } from '../operation.ts';
import type { Attempt } from './attempt.ts';
import type { CallObserver } from './call-observer.ts';
import type { Scope } from './scope.ts';
import type { WriteCall } from './service-calls.ts';
import { createWriteOutcomes, toResult, unsent, type Ended } from './write-outcome.ts';
import { toWriteEvent } from './write-event.ts';

/** Milliseconds added to the longest duration of an attempt, since its timers may fire late. */
const slackMs = 1_000;

interface WriteOptions {
  readonly contract: Contract;
  readonly attempt: Attempt;
  readonly answers: AnswerReader;
  readonly observer: Pick<CallObserver, 'onWrite'>;
  /** Time limit of one HTTP attempt. */
  readonly timeoutMs: number;
  /** Undefined where the deployment has no store: keys are then refused. */
  readonly idempotency: Idempotency | undefined;
  /** The secret of the store's ids and encryption. */
  readonly fingerprintSecret: Uint8Array;
}

export interface Writes {
  readonly write: WriteCall;
  /** Waits until the outcomes of all writes are known, those of ended requests included. */
  readonly close: () => Promise<void>;
}

/** Creates the function that writes. A write is sent once; its outcome is recorded even after its request has ended. */
export function createWrites(options: WriteOptions): Writes {
  const { contract, attempt, answers, observer, timeoutMs, idempotency, fingerprintSecret } = options;
  const running = new Set<Promise<unknown>>();

  const endOf = createWriteOutcomes(answers);

  /** Sends the write, or replays what its key has recorded. `onWait`: before a wait for another one with the same key. */
  const settle = async <Input extends object, Value>(
    operation: Write<Input, Value>,
    input: Input,
    scope: Scope,
    { key, seal, onWait }: { readonly key: string | undefined; readonly seal: Seal; readonly onWait: () => void },
  ): Promise<Ended<Value>> => {
    const { request: prepared } = operation.prepare(input);
    const headers = idempotencyHeader(contract, operation.name, prepared, key, (text) => seal.write(text));
    const send = async (): Promise<Ended<Value>> => {
      const result = await attempt(operation, { ...prepared, headers }, scope);
      const ended = endOf(operation, input, scope, result);
      // A success that proves nothing may be the answer to another call: no further call must use its connection.
      if (result.kind === 'answer' && result.status < 300 && ended.keyOutcome.as === 'unknown')
        result.connection?.close();
      if (ended.keyOutcome.as === 'answer') prove(scope.credentials, operation);
      return ended;
    };
    if (key === undefined) return send();
    const { lifetime } = scope;
    const withinMs = Math.ceil(lifetime.deadline - performance.now()) + timeoutMs + slackMs;
    const id = seal.id(operation.name, key);
    const claim = { operation: operation.name, id, input, seal, withinMs, lifetime, onWait };
    return requireStore(idempotency).once(claim, send, (keyOutcome) => ({
      ...endOf(operation, input, scope, toResult(keyOutcome)),
      isRepeated: true,
    }));
  };

  const write: WriteCall = async (operation, input, scope, key) => {
    const { userErrors } = operation.prepare(input);
    if (userErrors.length > 0) return { record: null, userErrors };
    requireCredentials(scope.credentials, operation);
    const seal = createSeal(fingerprintSecret, scope.credentials, operation.credentials);
    let hasWaited = false;
    const ending = settle(operation, input, scope, { key, seal, onWait: () => (hasWaited = true) });
    const outcome = ending.catch(notBegun).then((ended) => {
      const id = key === undefined ? undefined : seal.id(operation.name, key);
      observer.onWrite({ ...toWriteEvent(operation, input, ended, id), scope, hasWaited });
      return ended.outcome;
    });
    track(running, outcome);
    const result = (await withinLifetime(outcome, scope.lifetime)) ?? outcomeUnknown(operation, input);
    if (result instanceof GatewayError) throw result;
    return result;
  };

  return {
    write,
    close: async () => {
      await Promise.all(running);
    },
  };
}

/** A GatewayError before anything was sent is an outcome; any other error is a bug. */
function notBegun(error: unknown): Ended<never> {
  if (error instanceof GatewayError) return unsent(error);
  throw error;
}

function requireStore(idempotency: Idempotency | undefined): Idempotency {
  if (idempotency !== undefined) return idempotency;
  const message =
    'This deployment has no store for idempotency keys. Leave the key out, or ask the operator to set IDEMPOTENCY_STORE.';
  throw new GatewayError('BAD_USER_INPUT', { retryable: false }, { message });
}

function track(running: Set<Promise<unknown>>, work: Promise<unknown>): void {
  const tracked = work
    .catch(() => {}) // the caller of `write` gets the error
    .finally(() => running.delete(tracked));
  running.add(tracked);
}
