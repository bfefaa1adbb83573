import type { WriteResult } from '../domain.ts';
import { GatewayError } from '../errors.ts';
import { createAnswerReader, invalidAnswer, outcomeUnknown } from './answer.ts';
import type { Contract } from './contract.ts';
import { credentialHeaders, rejectCredentials, type CredentialHeaders, type Wallet } from './credentials.ts';
import type { Dispatcher, Failure } from './dispatcher.ts';
import type { Operation, Read, UpstreamRequest, Write } from './operation.ts';

/** What all calls of one GraphQL request share. */
export interface Scope {
  readonly wallet: Wallet;
  /** When the request must be answered, in milliseconds of `performance.now()`. */
  readonly deadline: number;
  /** Aborts when nobody waits for the request any more. */
  readonly signal: AbortSignal;
  /** The caller's W3C trace context, passed on as it came. */
  readonly traceparent: string | undefined;
}

export interface CallerOptions {
  readonly contract: Contract;
  readonly dispatcher: Dispatcher;
  readonly headers: CredentialHeaders;
  readonly timeoutMs: number;
}

/** Sends calls and says what became of them: a value, refusals, or the one error that fits. */
export interface Caller {
  readonly read: <Input, Value>(
    operation: Read<Input, Value>,
    request: UpstreamRequest,
    scope: Scope,
  ) => Promise<Value>;
  readonly write: <Input, Value>(
    operation: Write<Input, Value>,
    input: Input,
    scope: Scope,
  ) => Promise<WriteResult<Value>>;
}

export function createCaller({ contract, dispatcher, headers, timeoutMs }: CallerOptions): Caller {
  const answers = createAnswerReader(contract);

  const dispatch = (operation: Operation, { method, path, body }: UpstreamRequest, scope: Scope) => {
    // Timers may fire a fraction of a millisecond early.
    if (scope.signal.aborted || performance.now() >= scope.deadline - 1) {
      throw new GatewayError('UPSTREAM_TIMEOUT', { operation: operation.name, retryable: true });
    }
    const credentials = credentialHeaders(scope.wallet, operation.credentials, headers, operation.name);
    const mediaType = contract['service.contentType'];
    const content = body === undefined ? [] : ['content-type', mediaType];
    const trace = scope.traceparent === undefined ? [] : ['traceparent', scope.traceparent];
    return dispatcher.dispatch({
      method,
      path,
      headers: ['accept', mediaType, 'user-agent', 'settlement-graph', ...content, ...trace, ...credentials],
      body,
      isWrite: operation.kind === 'write',
      timeoutMs,
      startWithinMs: Math.floor(scope.deadline - performance.now()),
      signal: scope.signal,
      mayLeave: () => operation.credentials.every((name) => !scope.wallet.rejected.has(name)),
    });
  };

  const rejection =
    (operation: Operation, { wallet }: Scope) =>
    (): GatewayError =>
      rejectCredentials(wallet, operation.credentials, operation.name);

  const read: Caller['read'] = async (operation, request, scope) => {
    const answer = await dispatch(operation, request, scope);
    if (answer.kind === 'failure') {
      throw answer.reason === 'withdrawn' ? rejection(operation, scope)() : readFailure(operation, answer);
    }
    return answers.read(operation, answer, rejection(operation, scope));
  };

  const write: Caller['write'] = async (operation, input, scope) => {
    const { request, userErrors } = operation.prepare(input);
    if (userErrors.length > 0) return { record: null, userErrors };
    const answer = await beforeDeadline(dispatch(operation, request, scope), scope.deadline);
    if (answer === undefined) throw outcomeUnknown(operation);
    if (answer.kind === 'answer') {
      return answers.write(operation, answer, secretsOf(input, scope), rejection(operation, scope));
    }
    if (answer.reason === 'withdrawn') throw rejection(operation, scope)();
    if (answer.sent) throw outcomeUnknown(operation, answer.status, answer.cause);
    const code = answer.reason === 'connection' ? 'UPSTREAM_UNAVAILABLE' : 'UPSTREAM_TIMEOUT';
    throw new GatewayError(code, { operation: operation.name, retryable: true }, { cause: answer.cause });
  };

  return { read, write };
}

function readFailure(operation: Operation, { reason, cause, status }: Failure): GatewayError {
  if (reason === 'malformed') return invalidAnswer(operation, status ?? 200, { cause });
  const details = {
    operation: operation.name,
    retryable: true,
    ...(status === undefined ? {} : { upstreamStatus: status }),
  };
  const code = reason === 'connection' ? 'UPSTREAM_UNAVAILABLE' : 'UPSTREAM_TIMEOUT';
  return new GatewayError(code, details, { cause });
}

/** The value, or undefined once the deadline has passed; what was started goes on. */
async function beforeDeadline<Value>(promise: Promise<Value>, deadline: number): Promise<Value | undefined> {
  const { promise: expired, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), Math.ceil(deadline - performance.now()) + 1);
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
  }
}

function secretsOf(input: unknown, { wallet }: Scope): readonly string[] {
  const values = Object.values(input as object); // every write takes an object
  const texts = values.filter((value): value is string => typeof value === 'string' && value !== '');
  const credentials = Object.values(wallet.credentials).flatMap(({ value }) => value?.split(' ').at(-1) ?? []);
  return [...texts, ...credentials];
}
