import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { OperationName } from '../contract/contract.ts';
import { fallbackReasons } from '../graphql/execution/planned-executor.ts';
import { storeFaults } from '../upstream/idempotency/store.ts';
import { connectionFaults } from '../upstream/wire/connection-faults.ts';
import { version } from '../runtime/version.ts';
import type { UpstreamState } from '../upstream/calls/attempt.ts';
import type { WriteOutcome } from '../upstream/calls/scope.ts';

const prefix = 'settlement_graph_';
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
const callSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** An operation of the service as metrics label it; lists have no kind and are reads. */
export interface MeasuredOperation {
  readonly name: OperationName;
  readonly kind?: 'read' | 'write';
}

export type Meters = ReturnType<typeof createMeters>;

/** All counters and histograms, under the names that deploy/ and docs/operations.md use. */
export function createMeters(registry: Registry) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: readonly Label[]) =>
    new Counter({ name: prefix + name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, label: Label, buckets: readonly number[]) =>
    new Histogram({ name: prefix + name, help, labelNames: [label], buckets: [...buckets], registers });
  return {
    requests: counter('requests_total', 'Requests to /graphql, by HTTP status; 499: its client left.', 'status'),
    rootFields: counter('root_fields_total', 'Root fields answered, by first error code or OK.', 'field', 'code'),
    trustedOperations: counter(
      'trusted_operations_total',
      'Operations of trusted documents, by name and by first error code or OK.',
      'operation',
      'code',
    ),
    rejections: counter('rejections_total', 'Requests refused as a whole, by reason.', 'reason'),
    fallbacks: counter(
      'executor_fallbacks_total',
      'Operations run by graphql-js instead of a plan, by reason.',
      'reason',
    ),
    calls: counter(
      'upstream_calls_total',
      'Attempts of calls, by HTTP status or by the reason why there is none.',
      'operation',
      'status',
    ),
    retries: counter('upstream_retries_total', 'Retries of reads.', 'operation'),
    writes: counter('writes_total', 'Writes, by outcome.', 'operation', 'outcome'),
    surprises: counter(
      'contract_surprises_total',
      'Values or answers that contradict the contract, by its row.',
      'operation',
      'row',
    ),
    onlyNotFound: new Gauge({
      name: `${prefix}only_not_found`,
      help: '1 for an operation that has answered nothing but 404 since the start, at least 20 times.',
      labelNames: ['operation'],
      registers,
    }),
    storeFailures: counter(
      'idempotency_store_failures_total',
      'Commands of the idempotency store that failed, by fault.',
      'command',
      'fault',
    ),
    storeDuration: histogram(
      'idempotency_store_duration_seconds',
      'Commands of the idempotency store.',
      'command',
      callSeconds,
    ),
    duration: histogram(
      'request_duration_seconds',
      'GraphQL requests, from parsed body to answer.',
      'type',
      requestSeconds,
    ),
    callDuration: histogram(
      'upstream_call_duration_seconds',
      'Attempts of calls, including their time in the queue.',
      'operation',
      callSeconds,
    ),
  };
}

const writeOutcomes = ['done', 'refused', 'unknown', 'not sent', 'repeated'] as const satisfies readonly (
  | WriteOutcome
  | 'repeated'
)[];
/** Statuses, and reasons why there is none, of calls that alerts count. */
const watchedStatuses = ['200', '401', '403', '429', '500', '501', '502', '503', '504', '5xx'] as const;
const watchedReasons = ['connection', 'timeout', 'malformed', 'down', 'full', ...Object.keys(connectionFaults)];

/** Initializes the counters of alerts: `increase()` misses the first increment of an absent series. */
export function initializeCounters(
  { requests, rootFields, writes, retries, rejections, fallbacks, calls, storeFailures, onlyNotFound }: Meters,
  operations: readonly MeasuredOperation[],
  rootFieldNames: readonly string[],
): void {
  for (const fault of storeFaults) {
    for (const command of ['claim', 'settle', 'free']) storeFailures.inc({ command, fault }, 0);
  }
  for (const status of [200, 499, 503]) requests.inc({ status }, 0);
  for (const reason of ['overloaded', 'internal_server_error']) rejections.inc({ reason }, 0);
  for (const field of rootFieldNames) rootFields.inc({ field, code: 'INTERNAL_SERVER_ERROR' }, 0);
  for (const reason of fallbackReasons) fallbacks.inc({ reason }, 0);
  for (const { name: operation, kind } of operations) {
    onlyNotFound.set({ operation }, 0);
    for (const status of [...watchedStatuses, ...watchedReasons]) calls.inc({ operation, status }, 0);
    if (kind === 'write') for (const outcome of writeOutcomes) writes.inc({ operation, outcome }, 0);
    else retries.inc({ operation }, 0);
  }
}

/** Gauges that are read at each scrape. */
export function registerGauges(registry: Registry, state: () => UpstreamState, requestsInFlight: () => number): void {
  const gauge = (name: string, help: string, value: () => number): void =>
    registry.registerMetric(
      new Gauge({
        name: prefix + name,
        help,
        registers: [],
        collect() {
          this.set(value());
        },
      }),
    );
  const build = new Gauge({
    name: `${prefix}build_info`,
    help: 'Always 1; the version of this program and of Node.',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  build.set({ version, node: process.versions.node }, 1);
  gauge('memory_limit_bytes', 'Memory that this process may use: of its container, else of the machine.', memoryLimit);
  gauge('heap_limit_bytes', 'Size at which V8 gives up.', () => getHeapStatistics().heap_size_limit);
  gauge('requests_in_flight', 'GraphQL requests in progress.', requestsInFlight);
  gauge('breaker_open', '1 while all calls fail and only probes are sent.', () => (state().isBreakerOpen ? 1 : 0));
  for (const kind of ['read', 'write'] as const) {
    gauge(
      `${kind}s_in_flight`,
      `Calls (${kind}s) sent to the service and not answered yet.`,
      () => state()[kind].inFlight,
    );
    gauge(`${kind}s_waiting`, `Calls (${kind}s) that wait in the queue.`, () => state()[kind].waiting);
  }
}

/** Without a limit Node reports 0, or a number beyond any memory. */
function memoryLimit(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
