import type { WriteResult } from '../../domain/records.ts';
import type { AnswerReader } from '../decoding/interpret-answer.ts';
import type { Asker, Attempt, Scope } from './attempt.ts';
import type { Answer, Failure } from '../wire/http-client.ts';
import { failureError, rejection } from './failure-errors.ts';
import { pause } from '../../runtime/request-lifetime.ts';
import type { Observer } from './call-observer.ts';
import type { Read, UpstreamRequest, Write } from '../operation.ts';
import { createRetries, type Retries } from './retry.ts';

/** Sends calls and says what became of them: a value, refusals, or the one error that fits. */
export interface Caller {
  readonly read: ReadCall;
  readonly write: WriteCall;
}

export type ReadCall = <Input, Value>(
  operation: Read<Input, Value>,
  request: UpstreamRequest,
  scope: Scope,
) => Awaitable<Value>;

/** A value that is asked for once somebody awaits it, which may happen once. */
export interface Awaitable<Value> {
  readonly then: (resolve: (value: Value) => void, reject: (error: unknown) => void) => void;
}

/** Sends a write at most once; under a key at most once for all requests that carry it. */
export type WriteCall = <Input extends object, Value>(
  operation: Write<Input, Value>,
  input: Input,
  scope: Scope,
  key: string | undefined,
) => Promise<WriteResult<Value>>;

/** What all reads have in common. */
interface Reader {
  readonly attempt: Attempt;
  readonly answers: AnswerReader;
  readonly observer: Observer;
  readonly retries: Retries;
}

/**
 * A read. It is itself what awaits it turns to and what hears of its tries: a promise, and a closure for each thing that
 * it may be told, would be six times as large.
 */
interface Reading<Input, Value> extends Asker, Awaitable<Value> {
  readonly reader: Reader;
  readonly operation: Read<Input, Value>;
  readonly request: UpstreamRequest;
  readonly scope: Scope;
  tries: number;
  resolve: (value: Value) => void;
  reject: (error: unknown) => void;
}

/** Compiles reads: tries, and where another may help, tries again. A read begins when it is awaited, and that is once. */
export function createRead(attempt: Attempt, answers: AnswerReader, observer: Observer): ReadCall {
  const reader: Reader = { attempt, answers, observer, retries: createRetries() };
  return <Input, Value>(
    operation: Read<Input, Value>,
    request: UpstreamRequest,
    scope: Scope,
  ): Reading<Input, Value> => ({
    // oxlint-disable-next-line unicorn/no-thenable -- to be awaited is what it is for
    then: begin,
    onEnd,
    reader,
    operation,
    request,
    scope,
    tries: 0,
    resolve: nobody,
    reject: nobody,
  });
}

const nobody = (): void => {};

function begin<Input, Value>(
  this: Reading<Input, Value>,
  resolve: (value: Value) => void,
  reject: (error: unknown) => void,
): void {
  this.resolve = resolve;
  this.reject = reject;
  tryOnce(this);
}

function tryOnce<Input, Value>(reading: Reading<Input, Value>): void {
  const { reader, operation, request, scope } = reading;
  reading.tries += 1;
  try {
    reader.attempt(operation, request, scope, reading);
  } catch (error) {
    reading.reject(error);
  }
}

function onEnd<Input, Value>(this: Reading<Input, Value>, result: Answer | Failure, now: number): void {
  const { reader, operation, scope, tries } = this;
  if (tries === 1) reader.retries.count(now);
  const waitMs = reader.retries.nextInMs(result, tries, scope.lifetime);
  if (waitMs !== undefined) {
    reader.observer.onRetry(operation.name);
    void pause(waitMs, scope.lifetime).then(() => tryOnce(this));
    return;
  }
  try {
    if (result.kind === 'failure') throw failureError(operation, result, scope);
    this.resolve(reader.answers.read(operation, result, () => rejection(operation, scope)));
  } catch (error) {
    this.reject(error);
  }
}
