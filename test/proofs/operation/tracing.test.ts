import { expect, it, onTestFinished } from 'vitest';
import { version } from '../../../src/runtime/version.ts';
import { startCollector } from './collector.ts';
import { startGatewayProcess } from '../gateway-process.ts';
import { query } from '../../support/gateway.ts';
import { manifestOf, writeTemporary } from '../../support/manifest.ts';
import { failure, startUpstream, success, type ScriptedUpstream } from '../../support/upstream/upstream.ts';
import { record } from '../evidence.ts';

const canary = 'canaryzzz';
const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const headers = {
  authorization: `Bearer ${canary}`,
  svcprivatekey: canary,
  traceparent: `00-${traceId}-${spanId}-01`,
  tracestate: 'vendor=1',
};
const document = `query ${canary} {
  ${canary}1: customer(id: "${canary}") { firstName balance { value { amount } } }
  ${canary}2: settlementBank(id: "${canary}") { name }
}`;
const trusted = 'query Trusted { customers { totalCount } }';
/** Nothing is sent before the stop. */
const patient = { OTEL_BSP_SCHEDULE_DELAY: '600000', DRAIN_DELAY_MS: '0' };

async function startService(): Promise<ScriptedUpstream> {
  const upstream = await startUpstream(({ path }) =>
    path.includes('settlement-banks')
      ? failure(403, canary)
      : success({ id: canary, first_name: canary, balance: '1.00', [canary]: canary }),
  );
  onTestFinished(upstream.close);
  return upstream;
}

it('sends one span a request and one a call, tied to the caller’s trace, and no value with them', async () => {
  const [upstream, collector] = [await startService(), await startCollector()];
  const TRUSTED_DOCUMENTS = await writeTemporary('manifest.json', manifestOf([trusted]));
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, TRUSTED_DOCUMENTS, ...patient, NODE_ENV: '' };
  const gateway = await startGatewayProcess(upstream.url, environment);
  await query(gateway, document, { headers: { ...headers, 'x-request-id': 'r-1' } });
  const get = `${gateway.url}/graphql?query=${encodeURIComponent(trusted)}`;
  const byGet = await fetch(get, { headers: { ...headers, 'apollo-require-preflight': '1' } });
  expect(await byGet.text()).toContain('UPSTREAM_INVALID_RESPONSE');
  expect(collector.bodies).toEqual([]);
  gateway.command.signal('SIGTERM');
  expect(await gateway.command.exited).toBe(0);

  const spans = collector.spans();
  const [request, named] = spans.filter(({ parentSpanId }) => parentSpanId === spanId);
  const calls = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
  expect(request).toMatchObject({
    name: 'query',
    traceId,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/graphql',
      'http.response.status_code': 200,
      'graphql.operation.type': 'query',
      'settlement_graph.request_id': 'r-1',
      'settlement_graph.error_code': 'FORBIDDEN',
    },
    resource: { 'service.name': 'settlement-graph', 'service.version': version },
    status: 0,
  });
  expect(request?.resource['service.instance.id']).toMatch(/^[\da-f-]{36}$/);
  expect(request?.attributes).not.toHaveProperty('graphql.operation.name');
  expect(named).toMatchObject({
    name: 'query Trusted',
    attributes: {
      'http.request.method': 'GET',
      'graphql.operation.name': 'Trusted',
      'error.type': 'UPSTREAM_INVALID_RESPONSE',
    },
    status: 2,
  });
  expect(new Set(calls.map(({ name }) => name))).toEqual(
    new Set(['GET /api/v1/customers/{id}', 'GET /api/v1/customers/{id}/balance', 'GET /api/v1/settlement-banks/{id}']),
  );
  expect(calls).toHaveLength(3);
  expect(calls.find(({ name }) => name.includes('settlement'))).toMatchObject({
    attributes: {
      'http.request.method': 'GET',
      'url.template': '/api/v1/settlement-banks/{id}',
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(upstream.url).port),
      'settlement_graph.operation': 'getSettlementBank',
      'http.response.status_code': 403,
    },
    status: 0,
  });
  const lines = gateway.command
    .output()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'));
  expect(lines.map((line) => (JSON.parse(line) as { readonly trace_id: unknown }).trace_id)).toEqual([
    traceId,
    traceId,
  ]);
  expect(calls.map(({ traceId: trace, parentSpanId }) => [trace, parentSpanId])).toEqual(
    calls.map(() => [traceId, request?.spanId]),
  );
  const passedOn = upstream.requests.map(
    ({ headers: sent }) => `${String(sent['traceparent'])} ${String(sent['tracestate'])}`,
  );
  expect(new Set(passedOn.slice(0, 3))).toEqual(
    new Set(calls.map((call) => `00-${traceId}-${call.spanId}-01 vendor=1`)),
  );
  expect(Buffer.concat(collector.bodies).includes(canary)).toBe(false);
  record('Traces', `a request and its ${calls.length} calls: ${calls.length + 1} spans of one trace, no value in them`);
});

it.each([
  ['always_off', headers],
  ['traceidratio', headers],
  ['parentbased_always_on', { ...headers, traceparent: `00-${traceId}-${spanId}-00` }],
])('samples as OTEL_TRACES_SAMPLER=%s says, and passes the decision on', async (sampler, sent) => {
  const [upstream, collector] = [await startService(), await startCollector()];
  const sampling = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: '0' };
  const environment = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`, ...sampling, ...patient };
  const gateway = await startGatewayProcess(upstream.url, environment);
  await query(gateway, document, { headers: sent });
  gateway.command.signal('SIGTERM');
  expect(await gateway.command.exited).toBe(0);
  expect(collector.bodies).toEqual([]);
  expect(upstream.requests[0]?.headers['traceparent']?.[0]).toMatch(new RegExp(`^00-${traceId}-[\\da-f]{16}-00$`));
});

it.each([
  ['refuses the spans', '/planted', '"code":"404"'],
  ['is busy', '/busy', '"reason":"the collector answers 429, 502, 503 or 504"'],
  ['does not answer', '/silent', '"reason":"the collector does not answer"'],
])('stops with 0 although its collector %s, and logs why', async (_, path, reason) => {
  const [upstream, collector] = [await startService(), await startCollector()];
  const timeout = { OTEL_EXPORTER_OTLP_TIMEOUT: '500' };
  const refusing = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}${path}`, ...timeout };
  const gateway = await startGatewayProcess(upstream.url, { ...refusing, ...patient });
  await query(gateway, document, { headers });
  gateway.command.signal('SIGTERM');
  expect(await gateway.command.exited).toBe(0);
  const line = gateway.command.output().match(/.*"msg":"spans were not exported"/)?.[0];
  expect(line).toContain('"level":40');
  expect(line).toContain(reason);
  expect(line).not.toContain('undefined');
});

it('loads neither SDK nor exporter, and passes the caller’s own context on where no variable asks for it', async () => {
  const [upstream, collector] = [await startService(), await startCollector()];
  const told = ['--import', './test/proofs/operation/tell-loaded.ts'];
  const off = await startGatewayProcess(upstream.url, {}, told);
  await query(off, document, { headers });
  expect(upstream.requests[0]?.headers['traceparent']).toEqual([headers.traceparent]);
  // The api package alone does nothing; prom-client brings it along.
  expect(off.command.output()).not.toMatch(/loaded .*@opentelemetry\/(?!api\/)/);
  const on = await startGatewayProcess(upstream.url, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, told);
  expect(on.command.output()).toMatch(/loaded .*@opentelemetry\/(?!api\/)/);
});
