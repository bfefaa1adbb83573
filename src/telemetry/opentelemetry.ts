import { setTimeout as delay } from 'node:timers/promises';
import type * as Sdk from '@opentelemetry/sdk-trace';
import type { Config } from '../config/config.ts';
import type { CallObserver } from '../upstream/calls/call-observer.ts';
import type { StartTrace, TraceContext } from '../upstream/wire/trace-context.ts';

const closeTimeoutMs = 2_000;

/** Ends the span of each attempt. */
export const traceObserver: CallObserver = {
  onCall: ({ trace, result }) => trace?.end(result),
  onRetry: () => {},
  onWrite: () => {},
};

/**
 * Exports OpenTelemetry spans, one for each request and each call, as OTLP over HTTP. Attributes are codes, statuses and
 * operation names of the contract, never values of a request or record. Loads the SDK only when tracing is on.
 */
export async function startTracing(options: NonNullable<Config['tracing']>) {
  const [{ trace, ROOT_CONTEXT, SpanKind, SpanStatusCode }, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/resources'),
  ]);
  const service = resources.resourceFromAttributes({ 'service.name': 'settlement-graph' });
  const provider = new sdk.TracerProvider({
    resource: service.merge(resources.detectResources({ detectors: [resources.envDetector] })),
    sampler: createSampler(sdk, options),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const tracer = provider.getTracer('settlement-graph');

  const parentContext = (parent: TraceContext | undefined) => {
    const [, traceId, spanId, flags] = parent?.traceparent.split('-') ?? [];
    if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
    const traceFlags = Number.parseInt(flags ?? '0', 16);
    return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
  };

  const start: StartTrace = (parent) => {
    const span = tracer.startSpan('graphql', { kind: SpanKind.SERVER }, parentContext(parent));
    const requestContext = trace.setSpan(ROOT_CONTEXT, span);
    return {
      startCall: (operation) => {
        const call = tracer.startSpan(operation, { kind: SpanKind.CLIENT }, requestContext);
        const { traceId, spanId, traceFlags } = call.spanContext();
        const state = parent?.tracestate === undefined ? [] : ['tracestate', parent.tracestate];
        return {
          headers: ['traceparent', `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`, ...state],
          end: (result) => {
            if (result.status !== undefined) call.setAttribute('http.response.status_code', result.status);
            const isAnswered = result.kind === 'answer' && result.status < 500;
            if (result.kind === 'failure') call.setAttribute('error.type', result.reason);
            if (!isAnswered) call.setStatus({ code: SpanStatusCode.ERROR });
            call.end();
          },
        };
      },
      end: (type, [code]) => {
        if (type !== undefined) span.setAttribute('graphql.operation.type', type);
        if (code !== undefined) span.setAttribute('error.type', code).setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  };
  // Exports the remaining spans. An unreachable collector must not delay the stop.
  const close = (): Promise<void> => Promise.race([provider.shutdown(), delay(closeTimeoutMs)]);
  return { start, close };
}

function createSampler(sdk: typeof Sdk, { sampler, ratio }: NonNullable<Config['tracing']>) {
  const root = {
    always_on: () => new sdk.AlwaysOnSampler(),
    always_off: () => new sdk.AlwaysOffSampler(),
    traceidratio: () => new sdk.TraceIdRatioBasedSampler(ratio),
  }[sampler.replace(/^parentbased_/, '') as 'always_on' | 'always_off' | 'traceidratio'](); // the configuration allows no other
  return sampler.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root;
}
