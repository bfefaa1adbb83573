import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { collectDefaultMetrics, Counter, Gauge, Histogram, register, type Registry } from 'prom-client';
import type { OperationName } from '../contract/contract.ts';
import { fallbackReasons } from '../graphql/execution/planned-executor.ts';
import { version } from '../runtime/version.ts';
import type { UpstreamState } from '../upstream/calls/attempt.ts';
import type { WriteOutcome } from '../upstream/calls/scope.ts';
import { storeFaults } from '../upstream/idempotency/store.ts';
import { connectionFaults } from '../upstream/wire/connection-faults.ts';

const prefix = 'settlement_graph_';

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What the gauges are read from at each scrape. */
export interface Measured {
  readonly operations: readonly { readonly name: OperationName; readonly kind?: 'read' | 'write' }[];
  readonly state: () => UpstreamState;
  readonly requestsInFlight: () => number;
}

export type Meters = ReturnType<typeof createMeters>;

/** Counters and histograms by name, help and labels: deploy/ uses the names. */
export function createMeters(registry: Registry) {
  const registers = [registry];
  const counter = (name: string, help: string, ...labelNames: readonly string[]) =>
    new Counter({ name: prefix + name, help, labelNames, registers });
  const histogram = (name: string, help: string, label: string, buckets: number[]) =>
    new Histogram({ name: prefix + name, help, labelNames: [label], buckets, registers });
  const help = '1 for an operation that has answered nothing but 404 since the start, at least 20 times.';
  return {
    requests: counter('requests_total', 'Requests to /graphql, by HTTP status; 499: its client left.', 'status'),
    rootFields: counter('root_fields_total', 'Root fields answered, by first error code or OK.', 'field', 'code'),
    trustedOperations: counter('trusted_operations_total', 'Trusted operations, likewise.', 'operation', 'code'),
    rejections: counter('rejections_total', 'Requests refused as a whole, by reason.', 'reason'),
    fallbacks: counter('executor_fallbacks_total', 'Operations run by graphql-js, by reason.', 'reason'),
    calls: counter('upstream_calls_total', 'Attempts, by HTTP status or reason.', 'operation', 'status'),
    retries: counter('upstream_retries_total', 'Retries of reads.', 'operation'),
    writes: counter('writes_total', 'Writes; repeated: from the store.', 'operation', 'outcome'),
    surprises: counter('contract_surprises_total', 'Answers that contradict this row.', 'operation', 'row'),
    storeFailures: counter('idempotency_store_failures_total', 'Failed commands, by fault.', 'command', 'fault'),
    storeDuration: histogram('idempotency_store_duration_seconds', 'Commands of the store.', 'command', seconds),
    duration: histogram('request_duration_seconds', 'From parsed body to answer.', 'type', [...seconds, 20]),
    callDuration: histogram('upstream_call_duration_seconds', 'Attempts with their wait.', 'operation', seconds),
    onlyNotFound: new Gauge({ name: `${prefix}only_not_found`, help, labelNames: ['operation'], registers }),
  };
}

const writeOutcomes: readonly (WriteOutcome | 'repeated')[] = ['done', 'refused', 'unknown', 'not sent', 'repeated'];
/** Statuses of calls that alerts count, and reasons why there is none. */
const watchedStatuses = ['200', '401', '403', '429', '500', '501', '502', '503', '504', '5xx'];
const watchedReasons = ['connection', 'timeout', 'malformed', 'down', 'full', ...Object.keys(connectionFaults)];

/** Initializes the counters of alerts: `increase()` misses the first increment of an absent series. */
export function initializeCounters(meters: Meters, { operations }: Measured, rootFields: readonly string[]): void {
  for (const fault of storeFaults)
    for (const command of ['claim', 'settle', 'free']) meters.storeFailures.inc({ command, fault }, 0);
  for (const status of [200, 499, 503]) meters.requests.inc({ status }, 0);
  for (const reason of ['overloaded', 'internal_server_error']) meters.rejections.inc({ reason }, 0);
  for (const field of rootFields) meters.rootFields.inc({ field, code: 'INTERNAL_SERVER_ERROR' }, 0);
  for (const reason of fallbackReasons) meters.fallbacks.inc({ reason }, 0);
  for (const { name: operation, kind } of operations) {
    meters.onlyNotFound.set({ operation }, 0);
    for (const status of [...watchedStatuses, ...watchedReasons]) meters.calls.inc({ operation, status }, 0);
    if (kind === 'write') for (const outcome of writeOutcomes) meters.writes.inc({ operation, outcome }, 0);
    else meters.retries.inc({ operation }, 0);
  }
}

/** Gauges that are read at each scrape. */
export function registerGauges(registry: Registry, { state, requestsInFlight }: Measured): void {
  const gauge = (name: string, help: string, value: () => number): void => {
    const collect = function (this: Gauge): void {
      this.set(value());
    };
    registry.registerMetric(new Gauge({ name: prefix + name, help, registers: [], collect }));
  };
  // Without a limit of the container Node reports 0, or a number beyond any memory.
  const memoryLimit = (): number => Math.min(process.constrainedMemory() || totalmem(), totalmem());
  const build = { version, node: process.versions.node };
  const help = 'Always 1; the version of this program and of Node.';
  new Gauge({ name: `${prefix}build_info`, help, labelNames: Object.keys(build), registers: [registry] }).set(build, 1);
  gauge('memory_limit_bytes', 'Memory that this process may use: of its container, else of the machine.', memoryLimit);
  gauge('heap_limit_bytes', 'Size at which V8 gives up.', () => getHeapStatistics().heap_size_limit);
  gauge('requests_in_flight', 'GraphQL requests waiting or in progress.', requestsInFlight);
  gauge('breaker_open', '1 while all calls fail and only probes are sent.', () => Number(state().isBreakerOpen));
  for (const kind of ['read', 'write'] as const) {
    gauge(`${kind}s_in_flight`, `Calls (${kind}s) sent to the service and not answered.`, () => state()[kind].inFlight);
    gauge(`${kind}s_waiting`, `Calls (${kind}s) that wait in the queue.`, () => state()[kind].waiting);
  }
}

/** Memory, CPU and the event loop: prom-client's own registry, since its collectors cannot be stopped. */
export function processRegistry(): Registry {
  if (register.getSingleMetric('process_cpu_seconds_total') === undefined) collectDefaultMetrics();
  return register;
}
