import { Counter, Gauge, type Registry } from 'prom-client';
import type { UpstreamState } from '../upstream/calls/attempt.ts';
import type { OperationName } from '../contract/contract.ts';
import { createHistogram, type Histogram } from './bucket-histogram.ts';

const prefix = 'settlement_graph_';
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
const callSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What is told apart by its name; without a kind it is a list, which is read. */
export interface Measured {
  readonly name: OperationName;
  readonly kind?: 'read' | 'write';
}

export type Meters = ReturnType<typeof createMeters>;

/** Everything that is counted or timed, under names that deploy/ and docs/operations.md speak of. */
export function createMeters(registry: Registry) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: readonly Label[]) =>
    new Counter({ name: prefix + name, help, labelNames, registers });
  const histogram = (name: string, help: string, label: string, buckets: readonly number[]): Histogram =>
    createHistogram(registry, { name: prefix + name, help, label, buckets });
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
    calls: counter(
      'upstream_calls_total',
      'Tries of calls, by HTTP status or by why there is none.',
      'operation',
      'status',
    ),
    retries: counter('upstream_retries_total', 'Reads that were tried again.', 'operation'),
    writes: counter('writes_total', 'Writes, by what came of them.', 'operation', 'outcome'),
    surprises: counter(
      'contract_surprises_total',
      'Values or answers that contradict the contract, by its row.',
      'operation',
      'row',
    ),
    duration: histogram(
      'request_duration_seconds',
      'GraphQL requests, from parsed body to answer.',
      'type',
      requestSeconds,
    ),
    callDuration: histogram(
      'upstream_call_duration_seconds',
      'Tries of calls, their wait for a turn included.',
      'operation',
      callSeconds,
    ),
  };
}

const writeOutcomes = ['done', 'refused', 'unknown', 'not sent', 'repeated'] as const;

/** Shows at 0 what alerts watch: the first of a kind would otherwise be no increase. */
export function showZeros({ writes, retries, rejections }: Meters, operations: readonly Measured[]): void {
  rejections.inc({ reason: 'overloaded' }, 0);
  for (const { name: operation, kind } of operations) {
    if (kind === 'write') for (const outcome of writeOutcomes) writes.inc({ operation, outcome }, 0);
    else retries.inc({ operation }, 0);
  }
}

/** Gauges that are read when somebody asks. */
export function showState(registry: Registry, state: () => UpstreamState, requestsInFlight: () => number): void {
  const show = (name: string, help: string, value: () => number): void =>
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
  show('requests_in_flight', 'GraphQL requests that are being worked on.', requestsInFlight);
  show('breaker_open', '1 while the circuit breaker is open.', () => (state().isBreakerOpen ? 1 : 0));
  for (const kind of ['read', 'write'] as const) {
    show(`${kind}s_in_flight`, `Calls (${kind}s) on their way to the service.`, () => state()[kind].inFlight);
    show(`${kind}s_waiting`, `Calls (${kind}s) that wait for their turn.`, () => state()[kind].waiting);
  }
}
