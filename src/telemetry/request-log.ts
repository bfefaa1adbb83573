import type { OperationListener } from '../graphql/operation-listener.ts';
import type { IsTrusted } from './metrics.ts';
import type { ClosedRequest } from '../http/request-lifecycle.ts';
import { describeError, type Logger } from '../runtime/log.ts';
import type { CallObserver } from '../upstream/calls/call-observer.ts';
import type { Scope } from '../upstream/calls/scope.ts';
import type { StoreEvent } from '../upstream/idempotency/store.ts';

/**
 * Logs one line for each request and each write, and at debug level for each upstream call. Lines contain the trace they
 * belong to, operations, codes, counts and fingerprints, and of a write the record's id; no body, variable or header.
 */
export function createRequestLog(log: Logger, isTrusted: IsTrusted) {
  let failing: { readonly command: StoreEvent['command']; readonly reported: ReadonlySet<string> } | undefined;
  return {
    /** `caller`: the fingerprint of the request's credentials. */
    onClosed: ({ request, status, startedAt, context, refusal }: ClosedRequest, caller: string): void => {
      const { id: requestId } = request;
      const durationMs = Math.round(performance.now() - startedAt);
      const { operation, client, calls, codes = [] } = context?.tally ?? {};
      // Undefined fields are left out. `code` is the first error's; `errors` is the number of errors, if more than one.
      // A request whose client left has no code.
      const code = codes[0] ?? refusal ?? (context !== undefined && status < 400 ? 'OK' : undefined);
      const errors = codes.length > 1 ? codes.length : undefined;
      const trace_id = context?.traceId;
      log.info({ requestId, trace_id, status, durationMs, caller, client, operation, code, errors, calls }, 'request');
    },
    listener: {
      onOperation: ({ source, operation: { operation: type, name }, context: { tally } }) => {
        tally.isTrusted = isTrusted(source);
        tally.type = type;
        tally.operation = name?.value.slice(0, 100);
      },
      onAnswer: ({ errors }, { tally }) => {
        if (errors !== undefined) tally.codes = errors.map(({ extensions }) => String(extensions?.['code']));
      },
    },
    observer: {
      onCall: ({ operation, scope, result, durationMs }) => {
        if (!log.isLevelEnabled('debug')) return;
        const { reason, sent: isSent, cause } = result.kind === 'failure' ? result : {};
        const common = { operation, status: result.status, durationMs: Math.round(durationMs), reason, isSent };
        log.debug({ ...requestFields(scope), ...common, cause: cause && describeError(cause) }, 'call');
      },
      onWrite: ({ scope, operation, outcome, code, upstreamStatus, recordId, key, isRepeated }) => {
        const fields = { operation, outcome, code, upstreamStatus, recordId, key, isRepeated };
        log[outcome === 'unknown' ? 'warn' : 'info']({ ...requestFields(scope), ...fields }, 'write');
      },
      // Each fault and cause is logged once until the store works again, which is logged too. Only a successful claim, or
      // the command that failed first, shows that: with a silent Redis claims are slow and frees fail, in turn.
      onStore: ({ command, fault, cause }) => {
        const kind = `${fault} ${cause}`;
        if (fault !== undefined && failing?.reported.has(kind) !== true) {
          failing = { command, reported: new Set(failing?.reported).add(kind) };
          log.error({ command, cause, fault }, 'the idempotency store fails');
        } else if (fault === undefined && failing !== undefined && ['claim', failing.command].includes(command)) {
          failing = undefined;
          log.info({}, 'the idempotency store works again');
        }
      },
    },
  } satisfies { listener: OperationListener; observer: Omit<CallObserver, 'onRetry'>; onClosed: unknown };
}

/** The fields by which a line is found from its request. */
function requestFields({ requestId, credentials, trace }: Scope) {
  return { requestId, trace_id: trace.traceId, caller: credentials.identity.fingerprint };
}
