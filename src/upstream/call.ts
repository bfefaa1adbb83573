import type { WriteResult } from '../domain.ts';
import type { AnswerReader } from './answer.ts';
import type { Attempt, Scope } from './attempt.ts';
import type { Answer, Failure } from './dispatcher.ts';
import { failureError, rejection } from './failure.ts';
import { pause } from './lifetime.ts';
import type { Observer } from './observer.ts';
import type { Read, UpstreamRequest, Write } from './operation.ts';
import { createRetries } from './retry.ts';

/** Sends calls and says what became of them: a value, refusals, or the one error that fits. */
export interface Caller {
  readonly read: ReadCall;
  readonly write: WriteCall;
}

export type ReadCall = <Input, Value>(
  operation: Read<Input, Value>,
  request: UpstreamRequest,
  scope: Scope,
) => Promise<Value>;

/** Sends a write at most once; under a key at most once for all requests that carry it. */
export type WriteCall = <Input extends object, Value>(
  operation: Write<Input, Value>,
  input: Input,
  scope: Scope,
  key: string | undefined,
) => Promise<WriteResult<Value>>;

/** Compiles reads: tries, and where another may help, tries again. */
export function createRead(attempt: Attempt, answers: AnswerReader, observer: Observer): ReadCall {
  const retries = createRetries();
  return (operation, request, scope) =>
    new Promise((resolve, reject) => {
      let tries = 0;
      const attemptIt = (): void => {
        tries += 1;
        try {
          attempt(operation, request, scope, onEnd);
        } catch (error) {
          reject(error);
        }
      };
      const onEnd = (result: Answer | Failure): void => {
        const waitMs = retries.nextInMs(result, tries, scope.lifetime);
        if (waitMs !== undefined) {
          observer.onRetry(operation.name);
          void pause(waitMs, scope.lifetime).then(attemptIt);
          return;
        }
        try {
          if (result.kind === 'failure') throw failureError(operation, result, scope);
          resolve(answers.read(operation, result, () => rejection(operation, scope)));
        } catch (error) {
          reject(error);
        }
      };
      retries.begin();
      attemptIt();
    });
}
