import { codedError, GatewayError, type GatewayErrorCode } from '../../domain/errors.ts';
import { invalidAnswer } from '../decoding/interpret-answer.ts';
import type { Scope } from './scope.ts';
import { rejection } from '../credentials/credentials.ts';
import { isConnectionFault, type ConnectionFault } from '../wire/connection-faults.ts';
import type { Failure } from '../wire/http-client.ts';
import type { Operation } from '../operation.ts';

type Reason = Exclude<Failure['reason'], 'malformed' | 'withdrawn' | ConnectionFault>;

const failureCodes: Readonly<Record<Reason, GatewayErrorCode>> = {
  timeout: 'UPSTREAM_TIMEOUT',
  over: 'UPSTREAM_TIMEOUT',
  connection: 'UPSTREAM_UNAVAILABLE',
  down: 'UPSTREAM_UNAVAILABLE',
  full: 'OVERLOADED',
};

/** The error of a read, or of a write that was not sent. */
export function failureError(operation: Operation, { reason, cause, status }: Failure, scope: Scope): GatewayError {
  if (reason === 'withdrawn') return rejection(scope.credentials, operation);
  if (reason === 'malformed') return invalidAnswer(operation, status, { cause, row: null });
  if (isConnectionFault(reason)) {
    return new GatewayError('UPSTREAM_UNAVAILABLE', { operation: operation.name, retryable: false }, { cause });
  }
  const upstreamStatus = status === undefined ? {} : { upstreamStatus: status };
  return new GatewayError(
    failureCodes[reason],
    { operation: operation.name, retryable: true, ...upstreamStatus },
    { cause: cause ?? codedError(reason) },
  );
}

/** Whether this is the error of a 401. */
export function isRejection(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'UNAUTHENTICATED' && error.details.upstreamStatus === 401;
}
