import { collectDefaultMetrics, Registry } from 'prom-client';
import type { FallbackReason } from '../graphql/execution/planned-executor.ts';
import type { ClosedListener } from '../http/request-lifecycle.ts';
import type { UpstreamState } from '../upstream/calls/attempt.ts';
import type { CallEvent, CallObserver } from '../upstream/calls/call-observer.ts';
import type { Failure } from '../upstream/wire/http-client.ts';
import type { Logger } from '../runtime/log.ts';
import { createGraphqlMetrics, type IsTrusted } from './graphql-metrics.ts';
import { createNotFoundWatch } from './not-found-watch.ts';
import { createMeters, initializeCounters, registerGauges, type MeasuredOperation } from './metric-definitions.ts';

/** Statuses that become labels of their own; of others only the class does, so that labels stay few. */
const labelledStatuses: ReadonlySet<number> = new Set([
  200, 201, 202, 204, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 415, 422, 425,
  429, 500, 501, 502, 503, 504,
]);

interface Measured {
  readonly operations: readonly MeasuredOperation[];
  readonly state: () => UpstreamState;
  readonly requestsInFlight: () => number;
}

/**
 * Creates the metrics of the process. Labels are the schema's fields, our own codes, the contract's rows and HTTP
 * statuses; no text from a client or the service becomes a label.
 */
export function createMetrics(isTrusted: IsTrusted, rootFields: readonly string[], log: Logger) {
  const registry = new Registry();
  const meters = createMeters(registry);
  const { requests, rejections, fallbacks, calls, callDuration, retries, writes } = meters;
  const onClosed: ClosedListener = ({ status }) => requests.inc({ status });
  const watchNotFound = createNotFoundWatch(log, (operation, isSuspicious) =>
    meters.onlyNotFound.set({ operation }, isSuspicious ? 1 : 0),
  );
  const observer: CallObserver = {
    onCall: (event) => {
      const { operation, result, scope, durationMs } = event;
      watchNotFound(event);
      const status = result.kind === 'answer' ? toStatusLabel(result.status) : toReasonLabel(result, scope);
      calls.inc({ operation, status });
      callDuration.observe({ operation }, durationMs / 1000);
    },
    onRetry: (operation) => retries.inc({ operation }),
    // A replayed unknown outcome is counted as unknown: the process that sent the write may have been killed before it counted.
    onWrite: ({ operation, outcome, isRepeated }) =>
      writes.inc({ operation, outcome: isRepeated && outcome !== 'unknown' ? 'repeated' : outcome }),
    onStore: ({ command, durationMs, fault }) => {
      meters.storeDuration.observe({ command }, durationMs / 1000);
      if (fault !== undefined) meters.storeFailures.inc({ command, fault });
    },
  };
  return {
    contentType: registry.contentType,
    /** All metrics in Prometheus' text format. */
    text: () => Registry.merge([processRegistry(), registry]).metrics(),
    onClosed,
    listener: createGraphqlMetrics(meters, isTrusted),
    observer,
    onFallback: (reason: FallbackReason) => fallbacks.inc({ reason }),
    /** Called for requests that are refused outside of GraphQL, with the gateway's or Apollo Server's own code. */
    onRefusal: (code: string) => rejections.inc({ reason: code.toLowerCase() }),
    /** Adds the counters and gauges of the started server. */
    measure: ({ operations, state, requestsInFlight }: Measured) => {
      initializeCounters(meters, operations, rootFields);
      registerGauges(registry, state, requestsInFlight);
    },
  };
}

let defaultRegistry: Registry | undefined;

/** Memory, CPU and the event loop: one registry per process, since prom-client's collectors cannot be stopped. */
function processRegistry(): Registry {
  if (defaultRegistry === undefined) {
    defaultRegistry = new Registry();
    collectDefaultMetrics({ register: defaultRegistry });
  }
  return defaultRegistry;
}

/** A call that was sent and ended by the request's deadline counts as a timeout, since the service did not answer. */
function toReasonLabel({ reason, sent: isSent }: Failure, { lifetime }: CallEvent['scope']): string {
  return reason === 'over' && isSent && performance.now() >= lifetime.deadline - 1 ? 'timeout' : reason;
}

function toStatusLabel(status: number): string {
  return labelledStatuses.has(status) ? String(status) : `${Math.floor(status / 100)}xx`;
}
