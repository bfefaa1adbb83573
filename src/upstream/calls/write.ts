import type { Contract } from '../../contract/contract.ts';
import { idempotencyHeader } from '../credentials/request-headers.ts';
import type { WriteResult } from '../../domain/records.ts';
import { GatewayError } from '../../domain/errors.ts';
import { evidenceOf, outcomeUnknown, textsOf, type AnswerReader } from '../decoding/interpret-answer.ts';
import type { StartAttempt } from './attempt.ts';
import type { Scope } from './scope.ts';
import type { WriteCall } from './service-calls.ts';
import { prove, requireCredentials, type RequestCredentials } from '../credentials/credentials.ts';
import type { Answer, Failure } from '../wire/http-client.ts';
import { failureError } from './failure-errors.ts';
import type { Idempotency, Kept, Recorded } from '../idempotency/idempotency.ts';
import { withinLifetime } from '../../runtime/request-lifetime.ts';
import type { CallObserver, WriteEvent } from './call-observer.ts';
import { toComparable } from '../decoding/record-evidence.ts';
import type { Operation, RecordEvidence, Write } from '../operation.ts';
import { createSeal, type Seal } from '../idempotency/sealed-entry.ts';

/** Milliseconds added to the longest duration of an attempt, since its timers may fire late. */
const slackMs = 1_000;
const shownKeyLength = 12;
/** A shorter value may stand in any id by chance. */
const minPersonalLength = 5;

interface WriteOptions {
  readonly contract: Contract;
  readonly attempt: StartAttempt;
  readonly answers: AnswerReader;
  readonly observer: CallObserver;
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

/** The final outcome of a write. */
interface Ended<Value> {
  readonly outcome: WriteResult<Value> | GatewayError;
  readonly kept: Kept;
  readonly isRepeated: boolean;
  /** Undefined where nothing was sent, or no answer came. */
  readonly upstreamStatus: number | undefined;
  readonly evidence: () => RecordEvidence | undefined;
}

/** Creates the function that writes. A write is sent once; its outcome is recorded even after its request has ended. */
export function createWrites(options: WriteOptions): Writes {
  const { contract, attempt, answers, observer, timeoutMs, idempotency, fingerprintSecret } = options;
  const running = new Set<Promise<unknown>>();

  const endOf = <Input extends object, Value>(
    operation: Write<Input, Value>,
    result: Answer | Failure,
    input: Input,
    scope: Scope,
  ): Ended<Value> => {
    const evidence = () => (result.kind === 'answer' ? evidenceOf(operation, input, result) : undefined);
    const common = { isRepeated: false, upstreamStatus: result.status, evidence };
    if (result.kind === 'answer') {
      const { credentials } = scope;
      const outcome = valueOrError(() =>
        answers.write({ operation, input, credentials, secrets: secretsOf(operation, input, credentials) }, result),
      );
      return { ...common, outcome, kept: keptOf(result, outcome) };
    }
    if (!result.sent) return unsent(failureError(operation, result, scope));
    const outcome = outcomeUnknown(operation, input, result.status, result.cause);
    return { ...common, outcome, kept: { as: 'unknown', status: result.status } };
  };

  const sealOf = (operation: Operation, { credentials }: Scope): Seal =>
    createSeal(fingerprintSecret, credentials, operation.credentials);

  const claimOf = (operation: Operation, input: object, scope: Scope, key: string, onWait: () => void) => {
    const seal = sealOf(operation, scope);
    const withinMs = Math.ceil(scope.lifetime.deadline - performance.now()) + timeoutMs + slackMs;
    const { name } = operation;
    return { operation: name, id: seal.id(name, key), input, seal, withinMs, lifetime: scope.lifetime, onWait };
  };

  const write: WriteCall = async (operation, input, scope, key) => {
    const { request: prepared, userErrors } = operation.prepare(input);
    if (userErrors.length > 0) return { record: null, userErrors };
    requireCredentials(scope.credentials, operation);
    const hmac = (text: string): Buffer => sealOf(operation, scope).write(text);
    const request = { ...prepared, headers: idempotencyHeader(contract, operation.name, prepared, key, hmac) };
    const send = async () => {
      const result = await new Promise<Answer | Failure>((onEnd) => attempt(operation, request, scope, { onEnd }));
      const ended = endOf(operation, result, input, scope);
      // A success that proves nothing may be the answer to another call: no further call must use its connection.
      if (result.kind === 'answer' && result.status < 300 && ended.kept.as === 'unknown') result.connection?.close();
      if (ended.kept.as === 'answer') prove(scope.credentials, operation);
      return ended;
    };
    const recorded = (kept: Recorded): Awaited<ReturnType<typeof send>> => ({
      ...endOf(operation, resultOf(kept), input, scope),
      isRepeated: true,
    });
    let hasWaited = false;
    const onWait = (): void => void (hasWaited = true);
    const claim = key === undefined ? undefined : claimOf(operation, input, scope, key, onWait);
    const ending = claim === undefined ? send() : requireStore(idempotency).once(claim, send, recorded);
    const outcome = ending.catch(notBegun).then((ended) => {
      const keyShown = claim?.id.slice(0, shownKeyLength);
      const event = eventOf(ended, operation, input);
      observer.onWrite({ operation: operation.name, scope, key: keyShown, hasWaited, ...event });
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

/**
 * The state that the idempotency store keeps: a refusal frees the key (`nothing`), an unknown outcome blocks it
 * (`unknown`), a definite answer is stored and replayed (`answer`).
 */
function keptOf({ status, body }: Answer, outcome: Ended<unknown>['outcome']): Kept {
  const answer = { status, body };
  if (!(outcome instanceof GatewayError)) {
    return outcome.userErrors.length > 0 ? { as: 'nothing' } : { as: 'answer', answer };
  }
  return outcome.code === 'OUTCOME_UNKNOWN' ? { as: 'unknown', status } : { as: 'nothing' };
}

/** An unknown outcome is replayed as that of a write that was sent and got no answer. */
function resultOf(kept: Recorded): Answer | Failure {
  return kept.as === 'answer'
    ? { kind: 'answer', ...kept.answer }
    : { kind: 'failure', reason: 'timeout', sent: true, status: kept.status };
}

function unsent(outcome: GatewayError): Ended<never> {
  const evidence = () => undefined;
  return { outcome, kept: { as: 'nothing' }, isRepeated: false, upstreamStatus: undefined, evidence };
}

/** A GatewayError before anything was sent is an outcome; any other error is a bug. */
function notBegun(error: unknown): Ended<never> {
  if (error instanceof GatewayError) return unsent(error);
  throw error;
}

function valueOrError<Value>(read: () => Value): Value | GatewayError {
  try {
    return read();
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

function eventOf<Input>(
  ended: Ended<unknown>,
  { sentTexts }: Pick<Write<Input, unknown>, 'sentTexts'>,
  input: Input,
): Omit<WriteEvent, 'operation' | 'scope' | 'key' | 'hasWaited'> {
  const { outcome, isRepeated, upstreamStatus, evidence } = ended;
  const common = { isRepeated, upstreamStatus, evidence };
  if (outcome instanceof GatewayError) {
    const isUnknown = ended.kept.as !== 'nothing';
    const name = isUnknown ? 'unknown' : upstreamStatus === undefined ? 'not sent' : 'refused';
    return { ...common, outcome: name, code: outcome.code, recordId: undefined };
  }
  const name = outcome.userErrors.length > 0 ? 'refused' : 'done';
  return { ...common, outcome: name, code: undefined, recordId: loggedId(outcome.record, sentTexts(input)) };
}

/**
 * The id of a record for the log. Some services use an account's number, or a value that was sent, such as an identity
 * number, as the id or as a part of it: these are personal data.
 */
function loggedId(record: unknown, sentTexts: readonly string[]): string | undefined {
  if (typeof record !== 'object' || record === null || !('id' in record) || typeof record.id !== 'string')
    return undefined;
  const id = toComparable(record.id);
  const personal = [...sentTexts, 'accountNumber' in record ? String(record.accountNumber) : ''];
  const showsValue = personal.some((text) => {
    const value = toComparable(text);
    return value === id || (value.length >= minPersonalLength && isPersonal(text) && id.includes(value));
  });
  return showsValue ? undefined : record.id;
}

/** Whether a text is a number, a date or an e-mail address. */
function isPersonal(text: string): boolean {
  return /^\+?\d[\d -]*$/.test(text) || text.includes('@');
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

/**
 * The texts that must not come back inside a sentence of the service: the credentials, and the values sent, unless they
 * are a word of a field's name (`collection` in "collection wallet").
 */
function secretsOf<Input>(
  { inputPaths, sentTexts }: Pick<Write<Input, unknown>, 'inputPaths' | 'sentTexts'>,
  input: Input,
  { values }: RequestCredentials,
): readonly string[] {
  const credentials = Object.values(values).flatMap(({ value }) => value?.split(' ').at(-1) ?? []);
  const names = new Set([...inputPaths.keys()].flatMap((name) => name.toLowerCase().split(/[^a-z]+/)));
  const sent = [...textsOf(input), ...sentTexts(input)];
  return [...sent.filter((text) => !names.has(text.toLowerCase())), ...credentials];
}
