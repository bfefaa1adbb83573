import type { OperationListener } from '../graphql/operation-listener.ts';
import type { IsTrusted } from './graphql-metrics.ts';
import type { ClosedListener } from '../http/request-lifecycle.ts';
import { describeError, type Logger } from '../runtime/log.ts';
import type { CallObserver } from '../upstream/calls/call-observer.ts';
import type { Scope } from '../upstream/calls/scope.ts';
import type { StoreEvent } from '../upstream/idempotency/store.ts';
import type { Failure } from '../upstream/wire/http-client.ts';

const maxNameLength = 100;

/**
 * Logs one line for each request and each write, and at debug level for each upstream call. Lines contain the trace they
 * belong to, operations, codes, counts and fingerprints, and of a write the record's id; no body, variable or header.
 */
export function createRequestLog(
  log: Logger,
  isTrusted: IsTrusted,
): {
  readonly onClosed: ClosedListener;
  readonly listener: OperationListener;
  readonly observer: Omit<CallObserver, 'onRetry'>;
} {
  let failing:
    | (Pick<StoreEvent, 'command' | 'fault'> & { readonly causes: ReadonlySet<string | undefined> })
    | undefined;
  return {
    onClosed: ({ requestId, status, startedAt, context, caller, refusal }) => {
      const durationMs = Math.round(performance.now() - startedAt);
      const { operation, calls, codes = [] } = context?.tally ?? {};
      // Undefined fields are left out. `code` is the first error's; `errors` is the number of errors, if more than one.
      // A request whose client left has no code.
      const code = codes[0] ?? refusal ?? (context !== undefined && status < 400 ? 'OK' : undefined);
      const errors = codes.length > 1 ? codes.length : undefined;
      const trace_id = context?.traceId;
      log.info({ requestId, trace_id, status, durationMs, caller, operation, code, errors, calls }, 'request');
    },
    listener: {
      onOperation: ({ source, operation: { operation: type, name }, context: { tally } }) => {
        tally.isTrusted = isTrusted(source);
        tally.type = type;
        tally.operation = name?.value.slice(0, maxNameLength);
      },
      onAnswer: ({ errors }, { tally }) => {
        if (errors !== undefined) tally.codes = errors.map(({ extensions }) => String(extensions?.['code']));
      },
    },
    observer: {
      onCall: ({ operation, scope, result, durationMs }) => {
        if (!log.isLevelEnabled('debug')) return;
        const common = { operation, status: result.status, durationMs: Math.round(durationMs) };
        const failure = result.kind === 'failure' && describeFailure(result);
        log.debug({ ...requestFields(scope), ...common, ...failure }, 'call');
      },
      onWrite: ({ scope, operation, outcome, code, upstreamStatus, recordId, key, isRepeated }) => {
        const level = outcome === 'unknown' ? 'warn' : 'info';
        const fields = { operation, outcome, code, upstreamStatus, recordId, key, isRepeated };
        log[level]({ ...requestFields(scope), ...fields }, 'write');
      },
      // One line when the store begins to fail, when the fault changes, for each further cause, and when it works again:
      // that is shown by a claim or by the command that failed.
      onStore: ({ command, fault, cause }) => {
        if (fault === failing?.fault && (cause === undefined || failing?.causes.has(cause) === true)) return;
        if (fault === undefined && command !== 'claim' && command !== failing?.command) return;
        const causes = new Set(fault === failing?.fault ? failing?.causes : []).add(cause);
        failing = fault === undefined ? undefined : { command, fault, causes };
        if (fault === undefined) log.info({}, 'the idempotency store works again');
        else log.error({ command, cause, fault }, 'the idempotency store fails');
      },
    },
  };
}

/** The fields by which a line is found from its request. */
function requestFields({ requestId, credentials, trace }: Scope) {
  return { requestId, trace_id: trace.traceId, caller: credentials.identity.fingerprint };
}

function describeFailure({ reason, sent: isSent, cause }: Failure) {
  return { reason, isSent, cause: cause === undefined ? undefined : describeError(cause) };
}
