import type { GraphQLFormattedError } from 'graphql';
import { describeError, type Logger } from '../runtime/log.ts';
import type { CallObserver } from '../upstream/calls/call-observer.ts';
import type { OperationListener } from '../graphql/operation-listener.ts';
import type { ClosedListener } from '../http/request-lifecycle.ts';

const maxNameLength = 100;

/**
 * One line for every request, one for every write, and at debug one for every call of the service. They name operations,
 * codes, counts and fingerprints; no body, variable, header or record but for the id of what was written.
 */
export interface RequestLog {
  /** Writes the request's line. */
  readonly onClosed: ClosedListener;
  readonly listener: OperationListener;
  readonly observer: CallObserver;
}

export function createRequestLog(log: Logger): RequestLog {
  return {
    onClosed: ({ requestId, status, startedAt, context }) => {
      const durationMs = Math.round(performance.now() - startedAt);
      const { operation, calls, codes = [] } = context?.tally ?? {};
      // What is undefined is not written. `code` is that of the first error; `errors` counts them where there are more.
      const code = context && (codes[0] ?? 'OK');
      const errors = codes.length > 1 ? codes.length : undefined;
      log.info(
        { requestId, status, durationMs, caller: context?.fingerprint, operation, code, errors, calls },
        'request',
      );
    },
    listener: {
      onOperation: ({ operation: { operation: type, name }, context: { tally } }) => {
        tally.type = type;
        tally.operation = name?.value.slice(0, maxNameLength);
      },
      onAnswer: ({ errors }, { tally }) => {
        if (errors !== undefined) tally.codes = errors.map(codeOf);
      },
    },
    observer: {
      onCall: ({ operation, scope, result, durationMs }) => {
        if (!log.isLevelEnabled('debug')) return;
        const { requestId, credentials } = scope;
        const caller = credentials.identity.fingerprint;
        const ended = result.kind === 'answer' ? {} : { reason: result.reason, isSent: result.sent };
        const common = { requestId, caller, operation, status: result.status, durationMs: Math.round(durationMs) };
        const cause =
          result.kind === 'answer' || result.cause === undefined ? {} : { cause: describeError(result.cause) };
        log.debug({ ...common, ...ended, ...cause }, 'call');
      },
      onRetry: () => {},
      onWrite: ({ scope: { requestId, credentials }, ...event }) =>
        log.info({ requestId, caller: credentials.identity.fingerprint, ...event }, 'write'),
    },
  };
}

function codeOf({ extensions }: GraphQLFormattedError): string {
  return String(extensions?.['code']);
}
