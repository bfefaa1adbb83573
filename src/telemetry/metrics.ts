import { collectDefaultMetrics, Registry } from 'prom-client';
import type { GatewayErrorCode } from '../domain/errors.ts';
import type { UpstreamState } from '../upstream/calls/attempt.ts';
import type { OperationName } from '../contract/contract.ts';
import type { Failure } from '../upstream/wire/http-client.ts';
import type { Observer } from '../upstream/calls/call-observer.ts';
import { gather } from './buffered-counter.ts';
import { createMeasuring, type IsTrusted } from './graphql-metrics.ts';
import { createMeters, showState, showZeros, type Measured } from './metric-definitions.ts';
import type { OperationListener } from '../graphql/operation-listener.ts';
import type { AnswerListener } from '../http/request-lifecycle.ts';

/** Statuses that are told apart; of any other only its class is counted, since a service may send what it likes. */
const knownStatuses: ReadonlyMap<number, string> = new Map(
  [
    200, 201, 202, 204, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 415, 422, 425,
    429, 500, 501, 502, 503, 504,
  ].map((status) => [status, String(status)]),
);

/** What is there to be measured. */
interface Watched {
  readonly operations: readonly Measured[];
  readonly state: () => UpstreamState;
  readonly requestsInFlight: () => number;
}

export interface Metrics {
  readonly contentType: string;
  /** Everything measured, in Prometheus' text format. */
  readonly text: () => Promise<string>;
  /** Counts the request by the status of its answer. */
  readonly onClosed: AnswerListener;
  readonly listener: OperationListener;
  readonly observer: Observer;
  /** A request that was refused before GraphQL began, by the code it was told. */
  readonly onRejection: (code: GatewayErrorCode) => void;
  /** Shown from now on. */
  readonly watch: (watched: Watched) => void;
}

/**
 * What the process measures. Labels are the schema's fields, our own codes, the contract's rows and HTTP statuses: no
 * text that a client or the service chose ever becomes one.
 */
export function createMetrics(isTrusted: IsTrusted): Metrics {
  ofProcess();
  const registry = new Registry();
  const meters = createMeters(registry);
  const { requests, rejections, calls, callDuration, retries, writes } = meters;
  const measuring = createMeasuring(meters, isTrusted);
  const statuses = gather<number, undefined>((status, _, count) => requests.inc({ status }, count));
  const ends = gather<OperationName, number | Failure['reason']>((operation, end, count) =>
    calls.inc({ operation, status: typeof end === 'number' ? statusOf(end) : end }, count),
  );
  return {
    contentType: registry.contentType,
    text: () => {
      for (const { flush } of [ends, statuses, measuring]) flush();
      return Registry.merge([ofProcess(), registry]).metrics();
    },
    onClosed: ({ status }) => statuses.add(status, undefined),
    listener: measuring.listener,
    observer: {
      onCall: ({ operation, result, durationMs }) => {
        ends.add(operation, result.kind === 'answer' ? result.status : result.reason);
        callDuration.observe(operation, durationMs / 1000);
      },
      onRetry: (operation) => retries.inc({ operation }),
      onWrite: ({ operation, outcome, isRepeated }) =>
        writes.inc({ operation, outcome: isRepeated ? 'repeated' : outcome }),
    },
    onRejection: (code) => rejections.inc({ reason: code.toLowerCase() }),
    watch: ({ operations, state, requestsInFlight }) => {
      showZeros(meters, operations);
      showState(registry, state, requestsInFlight);
    },
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

function statusOf(status: number): string {
  return knownStatuses.get(status) ?? `${Math.floor(status / 100)}xx`;
}
