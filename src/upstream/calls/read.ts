import { GatewayError } from '../../domain/errors.ts';
import { pause } from '../../runtime/request-lifetime.ts';
import { prove } from '../credentials/credentials.ts';
import { isMismatch } from '../decoding/identification.ts';
import type { AnswerReader } from '../decoding/interpret-answer.ts';
import { prefetchFailed, type Read, type UpstreamRequest } from '../operation.ts';
import type { Answer, Failure } from '../wire/http-client.ts';
import type { Attempt } from './attempt.ts';
import type { CallObserver } from './call-observer.ts';
import { failureError } from './failure-errors.ts';
import { createRetries, maxAttempts } from './retry.ts';
import type { Scope } from './scope.ts';
import type { ReadCall } from './service-calls.ts';

/** Creates the function that reads, with up to two retries. */
export function createRead(attempt: Attempt, answers: AnswerReader, observer: Pick<CallObserver, 'onRetry'>): ReadCall {
  const retries = createRetries();

  const valueOf = <Input, Value>(
    operation: Read<Input, Value>,
    request: UpstreamRequest,
    scope: Scope,
    result: Answer | Failure,
  ): Value => {
    if (result.kind === 'failure') throw failureError(operation, result, scope);
    const value = answers.read(operation, request, result, scope.credentials);
    if (result.status < 300) prove(scope.credentials, operation);
    return value;
  };

  return async (operation, request, scope) => {
    let sent = request;
    for (let attempts = 1; ; attempts += 1) {
      const result = await attempt(operation, sent, scope);
      if (attempts === 1) retries.count();
      const waitMs = retries.nextInMs(result, attempts, scope.lifetime);
      if (waitMs !== undefined) {
        observer.onRetry(operation.name);
        await pause(waitMs, scope.lifetime);
        continue;
      }
      try {
        return valueOf(operation, sent, scope, result);
      } catch (error) {
        if (!(error instanceof GatewayError && isMismatch(error))) throw error;
        // It may be the answer to an earlier request: all later answers on this connection would then be wrong, too.
        if (result.kind === 'answer') result.connection?.close();
        // A prefetch may have been sent by another identifier than the record's id.
        if (request.isPrefetch === true) throw prefetchFailed;
        if (sent.freshConnection === true || attempts >= maxAttempts) throw error;
        sent = { ...request, freshConnection: true };
        observer.onRetry(operation.name);
      }
    }
  };
}
