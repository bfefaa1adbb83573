import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { version } from '../../src/runtime/version.ts';
import { startScripted, query, type GraphQLAnswer } from '../support/gateway.ts';
import { askAndLeave, sendRaw } from '../support/http.ts';
import { captureLog } from '../support/log.ts';
import { hashOf, manifestOf, writeTemporary } from '../support/manifest.ts';
import { freePort, listenAt } from '../support/ports.ts';
import { readSamples, type Samples } from '../support/samples.ts';
import { failure, success, type Reply, type SeenRequest } from '../support/upstream.ts';

type Script = (request: SeenRequest) => Reply;

/** A gateway whose metrics and log lines can be read. */
async function startMeasured(script: Script, environment: Readonly<Record<string, string>> = {}) {
  const adminPort = await freePort();
  const { log, lines } = captureLog();
  const options = { log, environment: { ADMIN_PORT: adminPort, ...environment } };
  const { gateway, upstream } = await startScripted(script, options);
  const text = async (): Promise<string> => (await sendRaw(`http://127.0.0.1:${adminPort}/metrics`)).text;
  const samples = async (): Promise<Samples> => {
    const found = readSamples(await text());
    return new Map([...found].map(([name, value]) => [name.replace('settlement_graph_', ''), value]));
  };
  const ask = (document: string, variables?: unknown): Promise<GraphQLAnswer> =>
    query(gateway, document, { variables });
  return { gateway, upstream, lines, text, samples, ask };
}

const create = `mutation { createCustomer(input: { firstName: "Ada", idempotencyKey: "k1" })
  { customer { id type } userErrors { code } } }`;

/** The gauges of what is under way. */
const gauges = ['reads_in_flight', 'reads_waiting', 'writes_in_flight', 'writes_waiting', 'requests_in_flight'];

describe('the metrics', () => {
  it('count no root field of a request whose client left', async () => {
    const { gateway, upstream, samples } = await startMeasured(() => ({ hang: true }));
    const leaving = new AbortController();
    const asked = askAndLeave(gateway, '{ customer(id: "c1") { email } }', leaving.signal);
    await expect.poll(() => upstream.requests).toHaveLength(1);
    leaving.abort();
    expect(await asked).toBe('AbortError');
    await expect.poll(async () => (await samples()).get('request_duration_seconds_count{type="query"}')).toBe(1);
    const all = await samples();
    expect([...all].filter(([name, count]) => name.startsWith('root_fields_total') && count > 0)).toEqual([]);
    const calls = ['timeout', 'over'].map(
      (status) => `upstream_calls_total{operation="getCustomer",status="${status}"}`,
    );
    expect(calls.map((name) => all.get(name))).toEqual([0, 1]);
  });

  it('count root fields by the schema’s names and by code, whatever they are called in the document', async () => {
    const { ask, samples } = await startMeasured(({ path }) =>
      path.endsWith('/gone') ? failure(503) : success({ id: 'c1' }),
    );
    await ask(
      '{ a: customer(id: "c1") { id } b: customer(id: "gone") { id } ...F } fragment F on Query { __typename }',
    );
    const counted = await samples();
    expect(counted.get('root_fields_total{field="customer",code="OK"}')).toBe(1);
    expect(counted.get('root_fields_total{field="customer",code="UPSTREAM_UNAVAILABLE"}')).toBe(1);
    expect(counted.get('root_fields_total{field="__typename",code="OK"}')).toBe(1);
    expect(counted.get('request_duration_seconds_count{type="query"}')).toBe(1);
  });

  it('count a root field by the first of its errors', async () => {
    const { ask, samples } = await startMeasured(({ path }) =>
      path.includes('/balance') ? failure(403) : success({ id: 'c1', created_at: 'never' }),
    );
    await ask('{ customer(id: "c1") { createdAt balance { value { amount } } } }');
    const counted = [...(await samples())].filter(([name, count]) => name.startsWith('root_fields_total') && count > 0);
    expect(counted).toEqual([['root_fields_total{field="customer",code="UPSTREAM_INVALID_RESPONSE"}', 1]]);
  });

  it.each<[what: string, replies: readonly Reply[], counted: Readonly<Record<string, number>>]>([
    [
      'by status or by why there was none, with each try',
      [{ status: 503 }, { cut: true }, success({ id: 'c1' })],
      { '503': 1, connection: 1, '200': 1 },
    ],
    ['of a status that no standard knows by its class', [failure(477)], { '4xx': 1 }],
    ['that answer with another record as tries, too', [success({ id: 'c2' }), success({ id: 'c1' })], { '200': 2 }],
  ])('count calls %s', async (_, replies, expected) => {
    const left = [...replies];
    const { ask, samples } = await startMeasured(() => left.shift() ?? {});
    await ask('{ customer(id: "c1") { id } }');
    const counted = await samples();
    const calls = (status: string) => counted.get(`upstream_calls_total{operation="getCustomer",status="${status}"}`);
    expect(Object.keys(expected).map((status) => [status, calls(status)])).toEqual(Object.entries(expected));
    expect(counted.get('upstream_retries_total{operation="getCustomer"}')).toBe(replies.length - 1);
    expect(counted.get('upstream_call_duration_seconds_count{operation="getCustomer"}')).toBe(replies.length);
  });

  it('count a call that the deadline has cut as a time-out, and as none of the service where it was not sent', async () => {
    const environment = { REQUEST_TIMEOUT_MS: '1000', UPSTREAM_CONNECTIONS: '1' };
    const { ask, samples } = await startMeasured(() => ({ hang: true }), environment);
    await ask('{ a: customer(id: "c1") { id } b: customer(id: "c2") { id } }');
    const counted = await samples();
    const calls = ['timeout', 'over'].map(
      (status) => `upstream_calls_total{operation="getCustomer",status="${status}"}`,
    );
    expect(calls.map((name) => counted.get(name))).toEqual([1, 1]);
    // A second each: in milliseconds they would be far more.
    const sums = [
      'upstream_call_duration_seconds_sum{operation="getCustomer"}',
      'request_duration_seconds_sum{type="query"}',
    ];
    expect(sums.filter((name) => !((counted.get(name) ?? Infinity) < 500))).toEqual([]);
  });

  it('tell, as the log does once, of an operation that answers nothing but 404, until it answers', async () => {
    let status = 404;
    const { ask, samples, lines } = await startMeasured(({ path }) => {
      if (path.includes('/customers')) return status === 200 ? success({ id: 'c' }) : failure(status);
      return path.endsWith('/known') ? success({ id: 'known' }) : failure(404);
    });
    const customers = (count: number): string =>
      `{ ${Array.from({ length: count }, (_, index) => `a${index}: customer(id: "c${index}") { id }`).join(' ')} }`;
    const warnings = () => lines.filter((line) => line.includes('nothing but 404'));
    const ofCustomers = async () => (await samples()).get('only_not_found{operation="getCustomer"}');
    await ask('{ settlementBank(id: "known") { id } }');
    await ask(customers(19).replaceAll('customer(', 'settlementBank('));
    await ask('{ settlementBank(id: "gone") { id } }');
    await ask(customers(19));
    for (status of [401, 403, 405, 407, 408, 421, 429, 503]) await ask(customers(1));
    expect([await ofCustomers(), warnings()]).toEqual([0, []]);
    status = 404;
    await ask(customers(1));
    expect(await ofCustomers()).toBe(1);
    await ask(customers(1));
    expect(warnings().map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ level: 40, operation: 'getCustomer', row: 'getCustomer.path' }),
    ]);
    status = 200;
    await ask('{ customer(id: "c") { id } }');
    expect([await ofCustomers(), warnings().length]).toEqual([0, 1]);
  });

  it('show every outcome of every write from the start, so that the first one is an increase', async () => {
    const { samples } = await startMeasured(() => success({}));
    const counted = await samples();
    expect(counted.get('writes_total{operation="createCustomerOneTimeAccount",outcome="unknown"}')).toBe(0);
    expect([...counted.keys()].filter((name) => name.startsWith('writes_total'))).toHaveLength(6 * 5);
    expect([...counted.keys()].filter((name) => name.startsWith('upstream_retries_total'))).toHaveLength(7);
    expect(counted.get('rejections_total{reason="overloaded"}')).toBe(0);
    expect(counted.get('rejections_total{reason="internal_server_error"}')).toBe(0);
    expect(counted.get('root_fields_total{field="createCustomer",code="INTERNAL_SERVER_ERROR"}')).toBe(0);
    expect([...counted.keys()].filter((name) => name.startsWith('root_fields_total'))).toHaveLength(11);
    const countOf = (name: string) => [...counted.keys()].filter((key) => key.startsWith(`${name}{`)).length;
    const series = ['requests_total', 'executor_fallbacks_total', 'idempotency_store_failures_total', 'only_not_found'];
    expect(series.map(countOf)).toEqual([3, 5, 15, 13]);
  });

  it('tell the build, and the limits that memory is compared with', async () => {
    const { samples } = await startMeasured(() => success({}));
    const counted = await samples();
    expect(counted.get(`build_info{version="${version}",node="${process.versions.node}"}`)).toBe(1);
    const resident = counted.get('process_resident_memory_bytes') ?? 0;
    expect(counted.get('memory_limit_bytes')).toBeGreaterThan(resident);
    expect(counted.get('memory_limit_bytes')).toBeLessThanOrEqual(totalmem());
    expect(counted.get('heap_limit_bytes')).toBe(getHeapStatistics().heap_size_limit);
  });

  it.each<[string, Reply, string]>([
    ['done', success({ id: 'c1' }, 201), 'done'],
    ['refused', failure(422), 'refused'],
    ['of unknown outcome', { cut: true }, 'unknown'],
  ])('count a write that was %s, once, and its repetition under the key apart', async (_, reply, outcome) => {
    const { ask, samples, upstream } = await startMeasured(() => reply);
    await ask(create);
    await ask(create);
    const counted = await samples();
    // A repeated unknown outcome may be news: the process that sent the write may have been killed.
    const repeated = outcome === 'unknown' ? 0 : 2 - upstream.requests.length;
    expect(counted.get(`writes_total{operation="createCustomer",outcome="${outcome}"}`)).toBe(2 - repeated);
    expect(counted.get('writes_total{operation="createCustomer",outcome="repeated"}')).toBe(repeated);
    const failures = [...counted].filter(([name, value]) => name.startsWith('idempotency_store_failures') && value > 0);
    expect(failures).toEqual([]);
    expect(counted.get('idempotency_store_duration_seconds_count{command="claim"}')).toBe(2);
  });

  it('count what contradicts the contract by its row, in answers to reads and to writes', async () => {
    const { ask, samples } = await startMeasured(({ method }) =>
      method === 'GET' ? success({ id: 'c1', created_at: 'never' }) : success([], 201),
    );
    await ask('{ customer(id: "c1") { createdAt } }');
    const written = await ask(create);
    expect(written.errors[0]?.extensions['code']).toBe('OUTCOME_UNKNOWN');
    const counted = [...(await samples()).keys()].filter((name) => name.startsWith('contract_surprises_total'));
    expect(counted).toContain('contract_surprises_total{operation="getCustomer",row="customer.createdAt"}');
    expect(counted.filter((name) => name.includes('operation="createCustomer"'))).toHaveLength(1);
  });

  it.each([
    [{ message: 'Queued.' }, []],
    [{ code: 504, data: { message: 'Timed out.' } }, []],
    [{ data: { id: 'c2' } }, ['contract_surprises_total{operation="updateCustomer",row="customer.identifiedBy"}']],
  ])('count an update of unknown outcome as a contradiction where it shows another record: %j', async (json, rows) => {
    const { ask, samples } = await startMeasured(() => ({ json }));
    const { errors } = await ask(
      'mutation { updateCustomer(input: { id: "c1", firstName: "A" }) { customer { id } } }',
    );
    expect(errors[0]?.extensions['code']).toBe('OUTCOME_UNKNOWN');
    const names = [...(await samples()).keys()];
    expect(names.filter((name) => name.startsWith('contract_surprises_total'))).toEqual(rows);
  });

  it('count requests that were refused as a whole by why, and all by their HTTP status', async () => {
    const { ask, gateway, samples } = await startMeasured(() => success({ id: 'c1' }), { MAX_UPSTREAM_CALLS: '1' });
    await ask('{ nope }');
    await ask('{');
    await ask('{ a: customer(id: "c1") { id } b: customer(id: "c2") { id } }');
    const json = { 'content-type': 'application/json' };
    await sendRaw(`${gateway.url}/graphql`, { method: 'POST', headers: { 'content-type': 'text/csv' }, body: 'x' });
    await sendRaw(`${gateway.url}/graphql`, { method: 'POST', headers: json, body: '{' });
    await sendRaw(`${gateway.url}/graphql`, { method: 'POST', headers: json, body: '[{},{}]' });
    const counted = await samples();
    expect(counted.get('rejections_total{reason="graphql_validation_failed"}')).toBe(1);
    expect(counted.get('rejections_total{reason="graphql_parse_failed"}')).toBe(1);
    expect(counted.get('rejections_total{reason="cost_estimated_too_expensive"}')).toBe(1);
    expect(counted.get('rejections_total{reason="bad_request"}')).toBe(3);
    await expect.poll(async () => (await samples()).get('requests_total{status="400"}')).toBe(5);
    await expect.poll(async () => (await samples()).get('requests_total{status="415"}')).toBe(1);
  });

  it('count an exception outside of GraphQL as an internal error, whose cause the log tells', async () => {
    const document = '{ customer(id: "c1") { id } }';
    const TRUSTED_DOCUMENTS = await writeTemporary('manifest.json', manifestOf([document]));
    const { gateway, samples, lines } = await startMeasured(() => success({ id: 'c1' }), { TRUSTED_DOCUMENTS });
    const fault = vi.spyOn(URLSearchParams.prototype, 'delete').mockImplementation(() => {
      throw new RangeError('planted');
    });
    onTestFinished(() => fault.mockRestore());
    const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash: hashOf(document) } });
    const { status, text } = await sendRaw(`${gateway.url}/graphql?extensions=${encodeURIComponent(extensions)}`, {
      headers: { 'x-request-id': 'request-1' },
    });
    expect([status, JSON.parse(text)]).toMatchObject([
      500,
      { errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: 'request-1' } }] },
    ]);
    const logged = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    expect(logged.filter(({ level }) => level === 50)).toEqual([
      expect.objectContaining({ requestId: 'request-1', name: 'RangeError', msg: 'internal error' }),
    ]);
    expect(JSON.stringify([text, lines])).not.toContain('planted');
    expect((await samples()).get('rejections_total{reason="internal_server_error"}')).toBe(1);
  });

  it('show the queue, an outage, the event loop and memory', async () => {
    const { ask, samples } = await startMeasured(() => failure(503));
    await Promise.all(Array.from({ length: 30 }, () => ask('{ customer(id: "c1") { id } }')));
    const counted = await samples();
    expect(counted.get('breaker_open')).toBe(1);
    expect(gauges.map((name) => counted.get(name))).toEqual([0, 0, 0, 0, 0]);
    expect(counted.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    expect(counted.get('process_resident_memory_bytes')).toBeGreaterThan(0);
  });

  it('show how many calls are sent and how many wait', async () => {
    const { ask, samples, upstream } = await startMeasured(() => ({ hang: true }), { UPSTREAM_CONNECTIONS: '3' });
    // Before the gateway stops, which would else wait for its answers.
    onTestFinished(upstream.close);
    for (const id of ['c1', 'c2', 'c3']) void ask(`{ customer(id: "${id}") { email } }`).catch(() => undefined);
    for (const name of ['Ada', 'Eve', 'Joy']) {
      void ask(`mutation { createCustomer(input: { firstName: "${name}" }) { customer { id } } }`).catch(
        () => undefined,
      );
    }
    const shown = async () => {
      const counted = await samples();
      return gauges.map((name) => counted.get(name));
    };
    await expect.poll(shown).toEqual([2, 1, 2, 1, 6]);
  });

  it('never hold what a client wrote, nor what the service did', async () => {
    const canary = 'canaryzzz';
    const { gateway, text } = await startMeasured(() => ({
      status: 200,
      json: { success: true, data: { id: canary, created_at: canary, [canary]: canary } },
    }));
    const documents = [
      `query ${canary} { ${canary}: customer(id: "${canary}") { ${canary}2: createdAt } }`,
      `{ ${canary} }`,
      `{ customer(id: "c1") { ...${canary} } } fragment ${canary} on Customer { id }`,
      `mutation { createCustomer(input: { ${canary}: "x" }) { customer { id } } }`,
      canary,
    ];
    for (const document of documents) {
      await sendRaw(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          [canary]: canary,
          'x-request-id': canary,
          'apollographql-client-name': canary,
          authorization: `Bearer ${canary}`,
          svcprivatekey: canary,
        },
        body: JSON.stringify({ query: document, operationName: canary, variables: { [canary]: canary } }),
      });
      await sendRaw(`${gateway.url}/${canary}`, { method: 'POST' });
    }
    expect(await text()).toContain('settlement_graph_root_fields_total');
    expect(await text()).not.toContain(canary);
  });

  it('name operations of trusted documents, and of no others', async () => {
    const body = 'query Trusted { customer(id: "c1") { id } }';
    const { ask, samples } = await startMeasured(() => success({ id: 'c1' }), {
      TRUSTED_DOCUMENTS: await writeTemporary('manifest.json', manifestOf([body])),
    });
    await ask(body);
    await ask('query Other { customer(id: "c1") { id } }');
    const names = [...(await samples()).keys()].filter((name) => name.startsWith('trusted_operations_total'));
    expect(names).toEqual(['trusted_operations_total{operation="Trusted",code="OK"}']);
  });
});

describe('the port of the operators', () => {
  it('is not the one of GraphQL', async () => {
    const { gateway } = await startMeasured(() => success({}));
    expect((await sendRaw(`${gateway.url}/metrics`)).status).toBe(404);
    expect((await sendRaw(`http://127.0.0.1:${gateway.adminPort}/graphql`)).status).toBe(404);
  });

  it('stops the start where it was asked for and is taken', async () => {
    const port = await freePort();
    await listenAt(`http://127.0.0.1:${port}`);
    await expect(startScripted(() => success({}), { environment: { ADMIN_PORT: port } })).rejects.toThrow('EADDRINUSE');
  });

  it('is left out with 0', async () => {
    const { gateway } = await startScripted(() => success({}));
    expect(gateway.adminPort).toBeUndefined();
  });
});
