import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type * as Resources from '@opentelemetry/resources';
import type * as Sdk from '@opentelemetry/sdk-trace';
import type { Config } from '../config/config.ts';
import { pathTemplate, type Contract, type OperationName } from '../contract/contract.ts';
import { isClientMistake } from '../domain/errors.ts';
import { describeError, type Logger } from '../runtime/log.ts';
import { version } from '../runtime/version.ts';
import type { CallObserver } from '../upstream/calls/call-observer.ts';
import type { StartTrace, TraceContext } from '../upstream/wire/trace-context.ts';

/** Ends the span of each attempt. */
export const traceObserver: Pick<CallObserver, 'onCall'> = { onCall: ({ trace, result }) => trace?.end(result) };

/**
 * Exports OpenTelemetry spans, one per request and one per attempt, as OTLP over HTTP, named by the conventions for HTTP
 * and GraphQL. Attributes are codes, statuses, names and path templates of the contract, and the request id; never values
 * of a request or record. Loads the SDK only when tracing is on.
 */
export async function startTracing(
  options: NonNullable<Config['tracing']>,
  { upstream, contract, log }: { readonly upstream: URL; readonly contract: Contract; readonly log: Logger },
) {
  const [{ trace, ROOT_CONTEXT, SpanKind, SpanStatusCode }, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = reportFailures(new OTLPTraceExporter(), log);
  const provider = new sdk.TracerProvider({
    resource: createResource(resources),
    sampler: createSampler(sdk, options),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, ...options.batches })],
  });
  const tracer = provider.getTracer('settlement-graph', version);
  const describeCall = createCallDescriptions(upstream, contract);

  const parentContext = (parent: TraceContext | undefined) => {
    const [, traceId, spanId, flags] = parent?.traceparent.split('-') ?? [];
    if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
    const traceFlags = Number.parseInt(flags ?? '0', 16);
    return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
  };

  const start: StartTrace = (parent, method) => {
    const span = tracer.startSpan(`${method} /graphql`, { kind: SpanKind.SERVER }, parentContext(parent));
    const requestContext = trace.setSpan(ROOT_CONTEXT, span);
    return {
      traceId: span.spanContext().traceId,
      startCall: (operation) => {
        const { name, attributes } = describeCall(operation);
        const call = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, requestContext);
        const { traceId, spanId, traceFlags } = call.spanContext();
        const state = parent?.tracestate === undefined ? [] : ['tracestate', parent.tracestate];
        return {
          headers: ['traceparent', `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`, ...state],
          end: (result) => {
            if (result.status !== undefined) call.setAttribute('http.response.status_code', result.status);
            const reason = result.kind === 'failure' ? result.reason : String(result.status);
            // A 4xx is most often the answer to what a client asked for, and no fault of the service.
            const isFault = result.kind === 'failure' || result.status >= 500;
            if (isFault) call.setAttribute('error.type', reason).setStatus({ code: SpanStatusCode.ERROR });
            call.end();
          },
        };
      },
      end: ({ requestId, status, type, trustedName, codes }) => {
        if (type !== undefined) span.updateName(trustedName === undefined ? type : `${type} ${trustedName}`);
        span.setAttributes({
          'http.request.method': method,
          'http.route': '/graphql',
          'http.response.status_code': status,
          'settlement_graph.request_id': requestId,
          // Attributes without a value are left out.
          'graphql.operation.type': type,
          'graphql.operation.name': trustedName,
          'settlement_graph.error_code': codes[0],
        });
        const fault = codes.find((code) => !isClientMistake(code));
        if (fault !== undefined) span.setAttribute('error.type', fault).setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  };
  // Exports the remaining spans. A collector that is unreachable or refuses them must not delay the stop or fail it.
  const close = (): Promise<void> => Promise.race([provider.shutdown().catch(() => {}), delay(2_000)]);
  return { start, close };
}

/** Explains the exporter's errors by their messages. An error with a code has no entry: its message may quote the collector. */
const reasonsByMessage = new Map([
  ['Request timed out', 'the collector does not answer'],
  ['Export failed with retryable status', 'the collector answers 429, 502, 503 or 504'],
  ['Concurrent export limit reached', 'too many exports are under way'],
]);

/** Logs the first failed export of an outage, without what the collector says. */
function reportFailures(exporter: Sdk.SpanExporter, log: Logger): Sdk.SpanExporter {
  let isFailing = false;
  return {
    export: (spans, onResult) =>
      exporter.export(spans, (result) => {
        const { error } = result;
        const reason = reasonsByMessage.get(error?.message ?? '');
        if (error && !isFailing) log.warn({ ...describeError(error), reason }, 'spans were not exported');
        isFailing = error !== undefined;
        onResult(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

/** Name and attributes of an operation's calls: `GET /api/v1/customers/{id}`, never with an identifier in it. */
function createCallDescriptions({ protocol, hostname, port, pathname }: URL, contract: Contract) {
  const base = pathname.replace(/\/$/, '');
  const server = { 'server.address': hostname, 'server.port': Number(port) || (protocol === 'https:' ? 443 : 80) };
  return (operation: OperationName) => {
    const method = contract[`${operation}.method`];
    const template = base + pathTemplate(contract, operation);
    const call = { 'http.request.method': method, 'url.template': template, 'settlement_graph.operation': operation };
    return { name: `${method} ${template}`, attributes: { ...server, ...call } };
  };
}

function createSampler(sdk: typeof Sdk, { sampler, ratio }: NonNullable<Config['tracing']>) {
  const fixed = sampler.endsWith('always_off') ? new sdk.AlwaysOffSampler() : new sdk.AlwaysOnSampler();
  const root = sampler.endsWith('traceidratio') ? new sdk.TraceIdRatioBasedSampler(ratio) : fixed;
  return sampler.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root;
}

/** The attributes of this process; OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence. */
function createResource({ resourceFromAttributes, detectResources, envDetector }: typeof Resources) {
  const names = { 'service.name': 'settlement-graph', 'service.version': version, 'service.instance.id': randomUUID() };
  return resourceFromAttributes(names).merge(detectResources({ detectors: [envDetector] }));
}
