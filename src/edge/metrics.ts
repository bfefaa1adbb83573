import type { ApolloServerPlugin } from '@apollo/server';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Context } from '../context.ts';
import type { UpstreamState } from '../upstream/attempt.ts';
import type { Observer } from '../upstream/observer.ts';
import { measuringPlugin } from './measuring.ts';

const prefix = 'settlement_graph_';
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
const callSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface Metrics {
  readonly contentType: string;
  /** Everything measured, in Prometheus' text format. */
  readonly text: () => Promise<string>;
  readonly plugin: ApolloServerPlugin<Context>;
  readonly observer: Observer;
  /** A request that was refused before GraphQL began. */
  readonly onRejection: (reason: 'overloaded') => void;
  /** Shown from now on. */
  readonly watch: (state: () => UpstreamState, requestsInFlight: () => number) => void;
}

/**
 * What the process measures. Labels are the schema's fields, our own codes, the contract's rows and HTTP statuses: no
 * text that a client or the service chose ever becomes one.
 */
export function createMetrics(): Metrics {
  ofProcess();
  const registry = new Registry();
  const { calls, callDuration, retries, writes, rejections, ...answered } = createMeters(registry);
  const observer: Observer = {
    onCall: ({ operation, result, durationMs }) => {
      calls.inc({ operation, status: result.kind === 'answer' ? String(result.status) : result.reason });
      callDuration.observe({ operation }, durationMs / 1000);
    },
    onRetry: (operation) => retries.inc({ operation }),
    onWrite: ({ operation, outcome }) => writes.inc({ operation, outcome }),
  };

  return {
    contentType: registry.contentType,
    text: () => Registry.merge([ofProcess(), registry]).metrics(),
    plugin: measuringPlugin({ rejections, ...answered }),
    observer,
    onRejection: (reason) => rejections.inc({ reason }),
    watch: (state, requestsInFlight) => watchState(registry, state, requestsInFlight),
  };
}

let processRegistry: Registry | undefined;

/** Memory, CPU and the event loop: one set for a process, since what watches them cannot be taken down again. */
function ofProcess(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

function createMeters(registry: Registry) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name: prefix + name, help, labelNames, registers });
  const rootFields = counter('root_fields_total', 'Root fields answered, by their first error code or OK.', [
    'field',
    'code',
  ]);
  const rejections = counter('rejections_total', 'Requests refused as a whole, by code.', ['reason']);
  const calls = counter('upstream_calls_total', 'Tries of calls, by HTTP status or by why there is none.', [
    'operation',
    'status',
  ]);
  const retries = counter('upstream_retries_total', 'Reads that were tried again.', ['operation']);
  const writes = counter('writes_total', 'Writes by outcome.', ['operation', 'outcome']);
  const surprises = counter('contract_surprises_total', 'Answers that contradict a row of the contract.', [
    'operation',
    'row',
  ]);
  const duration = new Histogram({
    name: `${prefix}request_duration_seconds`,
    help: 'GraphQL requests from their first byte to their answer.',
    labelNames: ['type'],
    buckets: requestSeconds,
    registers,
  });
  const callDuration = new Histogram({
    name: `${prefix}upstream_call_duration_seconds`,
    help: 'Tries of calls, their wait in the queue included.',
    labelNames: ['operation'],
    buckets: callSeconds,
    registers,
  });
  return { rootFields, rejections, calls, retries, writes, surprises, duration, callDuration };
}

/** Gauges that are read when somebody asks. */
function watchState(registry: Registry, state: () => UpstreamState, requestsInFlight: () => number): void {
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
