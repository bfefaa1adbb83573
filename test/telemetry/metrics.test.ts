import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { expect, it, onTestFinished, vi } from 'vitest';
import { version } from '../../src/runtime/version.ts';
import { startScripted, query, type GraphQLAnswer, storeInMemory } from '../support/gateway.ts';
import { askAndLeave, sendRaw } from '../support/http.ts';
import { captureLog } from '../support/log.ts';
import { hashOf, manifestOf, writeTemporary } from '../support/manifest.ts';
import { freePort, listenAt } from '../support/ports.ts';
import { readSamples, type Samples } from '../support/samples.ts';
import { failure, success, type Reply, type SeenRequest } from '../support/upstream/upstream.ts';

/** A gateway whose metrics and log lines can be read. */
async function startMeasured(
  script: (request: SeenRequest) => Reply,
  environment: Readonly<Record<string, string>> = {},
) {
  const adminPort = await freePort();
  const { log, lines } = captureLog();
  const options = { log, environment: { ADMIN_PORT: adminPort, ...environment } };
  const { gateway, upstream } = await startScripted(script, options);
  const text = async (): Promise<string> => (await sendRaw(`http://127.0.0.1:${adminPort}/metrics`)).text;
  const samples = async (): Promise<Samples> => {
    const found = readSamples(await text());
    return new Map([...found].map(([name, value]) => [name.replace('settlement_graph_', ''), value]));
  };
  /** Those of one metric that are not 0, without its name. */
  const counted = async (metric: string) => {
    const found = [...(await samples())].filter(([name, value]) => name.startsWith(`${metric}{`) && value !== 0);
    return Object.fromEntries(found.map(([name, value]) => [name.slice(metric.length), value]));
  };
  const ask = (document: string): Promise<GraphQLAnswer> => query(gateway, document);
  return { gateway, upstream, lines, text, samples, counted, ask };
}

const one = '{ customer(id: "c1") { id } }';
const create = `mutation { createCustomer(input: { firstName: "Ada", idempotencyKey: "k1" })
  { customer { id type } userErrors { code } } }`;
/** The gauges of what is under way. */
const gauges = ['reads_in_flight', 'reads_waiting', 'writes_in_flight', 'writes_waiting', 'requests_in_flight'];

it('metrics count root fields by the schema’s names and the first error’s code', async () => {
  const { ask, counted } = await startMeasured(({ path }) => {
    if (path.endsWith('/gone')) return failure(503);
    return path.endsWith('/balance') ? failure(403) : success({ id: 'c1', created_at: 'never' });
  });
  await ask('{ a: customer(id: "c1") { id } b: customer(id: "gone") { id } ...F } fragment F on Query { __typename }');
  await ask('{ customer(id: "c2") { createdAt balance { value { amount } } } }');
  expect(await counted('root_fields_total')).toEqual({
    '{field="customer",code="OK"}': 1,
    '{field="customer",code="UPSTREAM_UNAVAILABLE"}': 1,
    '{field="__typename",code="OK"}': 1,
    '{field="customer",code="UPSTREAM_INVALID_RESPONSE"}': 1,
  });
});

it.each<[what: string, replies: readonly Reply[], counted: Readonly<Record<string, number>>]>([
  [
    'by status or by why there was none, with each try',
    [{ status: 503 }, { cut: true }, success({ id: 'c1' })],
    { '503': 1, connection: 1, '200': 1 },
  ],
  ['of a status that no standard knows by its class', [failure(477)], { '4xx': 1 }],
  ['that answer with another record as tries, too', [success({ id: 'c2' }), success({ id: 'c1' })], { '200': 2 }],
])('metrics count calls %s', async (_, replies, expected) => {
  const left = [...replies];
  const { ask, samples, counted } = await startMeasured(() => left.shift() ?? {});
  await ask(one);
  const named = Object.entries(expected).map(([status, count]) => [
    `{operation="getCustomer",status="${status}"}`,
    count,
  ]);
  expect(await counted('upstream_calls_total')).toEqual(Object.fromEntries(named));
  const all = await samples();
  expect(all.get('upstream_retries_total{operation="getCustomer"}')).toBe(replies.length - 1);
  expect(all.get('upstream_call_duration_seconds_count{operation="getCustomer"}')).toBe(replies.length);
});

it('metrics count a call that the deadline has cut as a time-out, one that was not sent or whose client left as over', async () => {
  const environment = { REQUEST_TIMEOUT_MS: '1000', UPSTREAM_CONNECTIONS: '1' };
  const { ask, gateway, upstream, samples, counted } = await startMeasured(() => ({ hang: true }), environment);
  await ask('{ a: customer(id: "c1") { id } b: customer(id: "c2") { id } }');
  const calls = (timeout: number, over: number) => ({
    '{operation="getCustomer",status="timeout"}': timeout,
    '{operation="getCustomer",status="over"}': over,
  });
  expect(await counted('upstream_calls_total')).toEqual(calls(1, 1));
  const fields = await counted('root_fields_total');
  // In milliseconds it would be far more.
  expect((await samples()).get('request_duration_seconds_sum{type="query"}')).toBeLessThan(500);
  const leaving = new AbortController();
  const asked = askAndLeave(gateway, '{ customer(id: "c3") { email } }', leaving.signal);
  await expect.poll(() => upstream.requests).toHaveLength(2);
  leaving.abort();
  expect(await asked).toBe('AbortError');
  await expect.poll(() => counted('upstream_calls_total')).toEqual(calls(1, 2));
  expect(await counted('root_fields_total')).toEqual(fields);
});

it('metrics tell, as the log does once, of an operation that answers nothing but 404, until it answers', async () => {
  let status = 404;
  const { ask, samples, lines } = await startMeasured(() => (status === 200 ? success({ id: 'c' }) : failure(status)));
  const customers = (count: number): string =>
    `{ ${Array.from({ length: count }, (_, index) => `a${index}: customer(id: "c${index}") { id }`).join(' ')} }`;
  const warnings = () =>
    lines.filter((line) => line.includes('nothing but 404')).map((line) => JSON.parse(line) as object);
  const shown = async () => (await samples()).get('only_not_found{operation="getCustomer"}');
  await ask(customers(19));
  for (status of [401, 405, 408, 429, 503]) await ask(customers(1));
  expect([await shown(), warnings()]).toEqual([0, []]);
  status = 404;
  for (const _ of [1, 2]) await ask(customers(1));
  expect([await shown(), warnings()]).toMatchObject([
    1,
    [{ level: 40, operation: 'getCustomer', row: 'getCustomer.path' }],
  ]);
  status = 200;
  await ask('{ customer(id: "c") { id } }');
  expect([await shown(), warnings().length]).toEqual([0, 1]);
});

it('metrics show every series from the start, the build, and the limits that memory is compared with', async () => {
  const { samples } = await startMeasured(() => success({}));
  const all = await samples();
  const countOf = (name: string) => [...all.keys()].filter((key) => key.startsWith(`${name}{`)).length;
  const series = { writes_total: 6 * 5, upstream_retries_total: 7, root_fields_total: 11, requests_total: 3 };
  const more = { executor_fallbacks_total: 5, idempotency_store_failures_total: 15, only_not_found: 13 };
  for (const [name, count] of Object.entries({ ...series, ...more }))
    expect([name, countOf(name)]).toEqual([name, count]);
  expect(all.get('rejections_total{reason="overloaded"}')).toBe(0);
  expect(all.get(`build_info{version="${version}",node="${process.versions.node}"}`)).toBe(1);
  expect(all.get('memory_limit_bytes')).toBeLessThanOrEqual(totalmem());
  expect(all.get('heap_limit_bytes')).toBe(getHeapStatistics().heap_size_limit);
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes', 'memory_limit_bytes'])
    expect(all.get(name)).toBeGreaterThan(0);
});

it.each<[outcome: string, Reply, counted: Readonly<Record<string, number>>]>([
  ['done', success({ id: 'c1' }, 201), { done: 1, repeated: 1 }],
  ['refused', failure(422), { refused: 2 }],
  // It may be news: the process that sent the write may have been killed.
  ['unknown', { cut: true }, { unknown: 2 }],
])('metrics count a write that was %s, and its repetition under the key', async (_outcome, reply, expected) => {
  const { ask, samples, counted } = await startMeasured(() => reply, storeInMemory);
  for (const _ of [1, 2]) await ask(create);
  const named = Object.entries(expected).map(([outcome, count]) => [
    `{operation="createCustomer",outcome="${outcome}"}`,
    count,
  ]);
  expect(await counted('writes_total')).toEqual(Object.fromEntries(named));
  expect(await counted('idempotency_store_failures_total')).toEqual({});
  expect((await samples()).get('idempotency_store_duration_seconds_count{command="claim"}')).toBe(2);
});

it('metrics count what contradicts the contract by its row, in answers to reads and to writes', async () => {
  const { ask, counted } = await startMeasured(({ method }) =>
    method === 'PATCH' ? { json: { data: { id: 'c2' } } } : success({ id: 'c1', created_at: 'never' }),
  );
  await ask('{ customer(id: "c1") { createdAt } }');
  await ask('mutation { updateCustomer(input: { id: "c1", firstName: "A" }) { customer { id } } }');
  expect(await counted('contract_surprises_total')).toEqual({
    '{operation="getCustomer",row="customer.createdAt"}': 1,
    '{operation="updateCustomer",row="customer.identifiedBy"}': 1,
  });
});

it('metrics count requests that were refused as a whole by why, and all by their HTTP status', async () => {
  const { ask, gateway, counted } = await startMeasured(() => success({ id: 'c1' }), { MAX_UPSTREAM_CALLS: '1' });
  for (const document of ['{ nope }', '{', '{ a: customer(id: "c1") { id } b: customer(id: "c2") { id } }'])
    await ask(document);
  const post = (type: string, body: string) =>
    sendRaw(`${gateway.url}/graphql`, { method: 'POST', headers: { 'content-type': type }, body });
  await post('text/csv', 'x');
  await post('application/json', '[{},{}]');
  expect(await counted('rejections_total')).toEqual({
    '{reason="graphql_validation_failed"}': 1,
    '{reason="graphql_parse_failed"}': 1,
    '{reason="cost_estimated_too_expensive"}': 1,
    '{reason="bad_request"}': 2,
  });
  await expect.poll(() => counted('requests_total')).toEqual({ '{status="400"}': 4, '{status="415"}': 1 });
});

it('metrics count an exception outside of GraphQL as an internal error, whose cause the log tells', async () => {
  const TRUSTED_DOCUMENTS = await writeTemporary('manifest.json', manifestOf([one]));
  const { gateway, counted, lines } = await startMeasured(() => success({ id: 'c1' }), { TRUSTED_DOCUMENTS });
  const fault = vi.spyOn(URLSearchParams.prototype, 'delete').mockImplementation(() => {
    throw new RangeError('planted');
  });
  onTestFinished(() => fault.mockRestore());
  const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash: hashOf(one) } });
  const { status, text } = await sendRaw(`${gateway.url}/graphql?extensions=${encodeURIComponent(extensions)}`, {
    headers: { 'x-request-id': 'request-1' },
  });
  const error = { extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: 'request-1' } };
  expect([status, JSON.parse(text)]).toMatchObject([500, { errors: [error] }]);
  const told = lines.map((line) => JSON.parse(line) as object).find((line) => 'level' in line && line.level === 50);
  expect(told).toMatchObject({ requestId: 'request-1', name: 'RangeError', msg: 'internal error' });
  expect(JSON.stringify([text, lines])).not.toContain('planted');
  expect(await counted('rejections_total')).toEqual({ '{reason="internal_server_error"}': 1 });
});

it('metrics show how many calls are sent and how many wait, and an outage', async () => {
  const { ask, samples, upstream } = await startMeasured(() => ({ hang: true }), { UPSTREAM_CONNECTIONS: '3' });
  // Before the gateway stops, which would else wait for its answers.
  onTestFinished(upstream.close);
  for (const id of ['c1', 'c2', 'c3']) {
    void ask(`{ customer(id: "${id}") { email } }`).catch(() => undefined);
    void ask(`mutation { createCustomer(input: { firstName: "${id}" }) { customer { id } } }`).catch(() => undefined);
  }
  const shown = async () => {
    const all = await samples();
    return gauges.map((name) => all.get(name));
  };
  await expect.poll(shown).toEqual([2, 1, 2, 1, 6]);
  const failing = await startMeasured(() => failure(503));
  await Promise.all(Array.from({ length: 30 }, () => failing.ask(one)));
  expect((await failing.samples()).get('breaker_open')).toBe(1);
});

it('metrics never hold what a client wrote, nor what the service did', async () => {
  const canary = 'canaryzzz';
  const { gateway, text } = await startMeasured(() => success({ id: canary, created_at: canary, [canary]: canary }));
  const headers = {
    'content-type': 'application/json',
    [canary]: canary,
    'x-request-id': canary,
    'apollographql-client-name': canary,
    svcprivatekey: canary,
  };
  for (const document of [
    `query ${canary} { ${canary}: customer(id: "${canary}") { ${canary}2: createdAt } }`,
    `{ ${canary} }`,
    `mutation { createCustomer(input: { ${canary}: "x" }) { customer { id } } }`,
    canary,
  ]) {
    const body = JSON.stringify({ query: document, operationName: canary, variables: { [canary]: canary } });
    await sendRaw(`${gateway.url}/graphql`, { method: 'POST', headers, body });
    await sendRaw(`${gateway.url}/${canary}`, { method: 'POST' });
  }
  expect(await text()).toContain('settlement_graph_root_fields_total');
  expect(await text()).not.toContain(canary);
});

it('metrics name operations of trusted documents, and of no others', async () => {
  const body = 'query Trusted { customer(id: "c1") { id } }';
  const TRUSTED_DOCUMENTS = await writeTemporary('manifest.json', manifestOf([body]));
  const { ask, counted } = await startMeasured(() => success({ id: 'c1' }), { TRUSTED_DOCUMENTS });
  await ask(body);
  await ask(body.replace('Trusted', 'Other'));
  expect(await counted('trusted_operations_total')).toEqual({ '{operation="Trusted",code="OK"}': 1 });
});

it('the operators’ port is not that of GraphQL, stops the start where it is taken, and is left out with 0', async () => {
  const { gateway } = await startMeasured(() => success({}));
  expect((await sendRaw(`${gateway.url}/metrics`)).status).toBe(404);
  expect((await sendRaw(`http://127.0.0.1:${gateway.adminPort}/graphql`)).status).toBe(404);
  const port = await freePort();
  await listenAt(`http://127.0.0.1:${port}`);
  await expect(startScripted(() => success({}), { environment: { ADMIN_PORT: port } })).rejects.toThrow('EADDRINUSE');
  expect((await startScripted(() => success({}))).gateway.adminPort).toBeUndefined();
});
