import { STATUS_CODES } from 'node:http';
import type { GraphQLFormattedError } from 'graphql';
import { Registry } from 'prom-client';
import { gatewayErrorIn, type GatewayError } from '../domain/errors.ts';
import type { FallbackReason } from '../graphql/execution/planned-executor.ts';
import { rootFieldsOf } from '../graphql/limits/root-fields.ts';
import type { OperationListener } from '../graphql/operation-listener.ts';
import type { ClosedRequest } from '../http/request-lifecycle.ts';
import type { Logger } from '../runtime/log.ts';
import type { CallEvent, CallObserver } from '../upstream/calls/call-observer.ts';
import type { Failure } from '../upstream/wire/http-client.ts';
import { createMeters, initializeCounters, processRegistry, registerGauges } from './meters.ts';
import type { Measured, Meters } from './meters.ts';
import { createNotFoundWatch } from './not-found-watch.ts';

/** Whether a document's text is trusted: the names of other operations do not become labels. */
export type IsTrusted = (text: string) => boolean;

/**
 * Creates the metrics of the process. Labels are the schema's fields, our own codes, the contract's rows and HTTP
 * statuses; no text from a client or the service becomes a label.
 */
export function createMetrics(isTrusted: IsTrusted, rootFields: readonly string[], log: Logger) {
  const registry = new Registry();
  const meters = createMeters(registry);
  return {
    contentType: registry.contentType,
    /** All metrics in Prometheus' text format. */
    text: () => Registry.merge([processRegistry(), registry]).metrics(),
    onClosed: ({ status }: ClosedRequest): void => meters.requests.inc({ status }),
    listener: createListener(meters, isTrusted),
    observer: createObserver(meters, log),
    onFallback: (reason: FallbackReason): void => meters.fallbacks.inc({ reason }),
    /** Called for requests that are refused outside of GraphQL, with the gateway's or Apollo Server's own code. */
    onRefusal: (code: string): void => meters.rejections.inc({ reason: code.toLowerCase() }),
    /** Adds the counters and gauges of the started server. */
    measure: (measured: Measured): void => {
      initializeCounters(meters, measured, rootFields);
      registerGauges(registry, measured);
    },
  };
}

function createObserver(meters: Meters, log: Logger): CallObserver {
  const watchNotFound = createNotFoundWatch(log, (operation, isSuspicious) =>
    meters.onlyNotFound.set({ operation }, isSuspicious ? 1 : 0),
  );
  return {
    onCall: (event) => {
      const { operation, result, scope, durationMs } = event;
      watchNotFound(event);
      const status = result.kind === 'answer' ? toStatusLabel(result.status) : toReasonLabel(result, scope);
      meters.calls.inc({ operation, status });
      meters.callDuration.observe({ operation }, durationMs / 1000);
    },
    onRetry: (operation) => meters.retries.inc({ operation }),
    // A replayed unknown outcome is counted as unknown: the process that sent the write may have been killed before it counted.
    onWrite: ({ operation, outcome, isRepeated }) =>
      meters.writes.inc({ operation, outcome: isRepeated && outcome !== 'unknown' ? 'repeated' : outcome }),
    onStore: ({ command, durationMs, fault }) => {
      meters.storeDuration.observe({ command }, durationMs / 1000);
      if (fault !== undefined) meters.storeFailures.inc({ command, fault });
    },
  };
}

/** Counts root fields by code, requests refused as a whole, and contradictions of the contract. */
function createListener(meters: Meters, isTrusted: IsTrusted): OperationListener {
  return {
    onErrors: (errors) => {
      for (const error of errors) {
        const contradiction = findContradiction(error);
        if (contradiction === undefined) continue;
        const { operation = 'unknown', row = 'unknown' } = contradiction.details;
        meters.surprises.inc({ operation, row });
      }
    },
    onAnswer: ({ errors = [], data }, { startedAt, hasClientLeft }, resolved) => {
      const [first] = errors;
      if (resolved === undefined || data === undefined) {
        meters.rejections.inc({ reason: codeOf(first).toLowerCase() });
        return;
      }
      const { source, operation } = resolved;
      meters.duration.observe({ type: operation.operation }, (performance.now() - startedAt) / 1000);
      if (hasClientLeft()) return;
      const name = operation.name?.value ?? '';
      if (isTrusted(source)) meters.trustedOperations.inc({ operation: name, code: codeOf(first) });
      for (const [responseName, field] of rootFieldsOf(resolved)) {
        const error = errors.find(({ path }) => path?.[0] === responseName);
        meters.rootFields.inc({ field, code: codeOf(error) });
      }
    },
  };
}

/** Finds the contradiction of the contract in an error; for a write it is the cause of OUTCOME_UNKNOWN. */
function findContradiction(error: unknown): GatewayError | undefined {
  const gatewayError = gatewayErrorIn(error);
  if (gatewayError === undefined || gatewayError.code === 'UPSTREAM_INVALID_RESPONSE') return gatewayError;
  return findContradiction(gatewayError.cause);
}

/** The formatter allows the gateway's codes only, so they are safe as labels. */
function codeOf(error: GraphQLFormattedError | undefined): string {
  return error === undefined ? 'OK' : String(error.extensions?.['code']);
}

/** A call that was sent and ended by the request's deadline counts as a timeout, since the service did not answer. */
function toReasonLabel({ reason, sent: isSent }: Failure, { lifetime }: CallEvent['scope']): string {
  return reason === 'over' && isSent && performance.now() >= lifetime.deadline - 1 ? 'timeout' : reason;
}

/** Only the class of a status that is rare, so that labels stay few and alerts find their series from the start. */
function toStatusLabel(status: number): string {
  return status in STATUS_CODES && status <= 504 ? String(status) : `${Math.floor(status / 100)}xx`;
}
