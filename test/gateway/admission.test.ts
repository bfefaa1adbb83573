import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import Fastify from 'fastify';
import { expect, it, onTestFinished, vi } from 'vitest';
import { mountOverloadProtection } from '../../src/http/overload-protection.ts';
import { codes, credentials, query, startGateway } from '../support/gateway.ts';
import { sendRaw } from '../support/http.ts';
import { captureLog } from '../support/log.ts';
import { freePort } from '../support/ports.ts';
import { readSamples, valueOf } from '../support/samples.ts';
import { startUpstream, success } from '../support/upstream.ts';

/** As many as a busy process takes that finishes few. */
const places = 32;
const secret = 'test-router-secret-of-32-letters';
const held = '{ customer(id: "held") { id } }';
const document = '{ customer(id: "c1") { id } }';

/** Gives the event loop no rest, though nothing has to wait for long. */
function keepBusy(): void {
  const stopping = new AbortController();
  const spin = (): void => void (stopping.signal.aborted || setImmediate(spin));
  spin();
  onTestFinished(() => stopping.abort());
}

/** A busy gateway whose places are taken by requests that the service does not answer. */
async function startFull() {
  const upstream = await startUpstream(({ path }) => (path.endsWith('/held') ? { hang: true } : success({ id: 'c1' })));
  const { log, lines } = captureLog();
  const adminPort = await freePort();
  // Room for every call, so that none of the held ones stands in another's way.
  const environment = {
    ROUTER_SECRET: secret,
    ADMIN_PORT: adminPort,
    UPSTREAM_CONNECTIONS: '1000',
    MAX_CALLS_PER_CALLER: '1000',
  };
  const gateway = await startGateway({ upstream: upstream.url, environment, log });
  // Before the gateway stops, which would else wait for its answers.
  onTestFinished(upstream.close);
  const metrics = async (): Promise<string> => (await sendRaw(`http://127.0.0.1:${adminPort}/metrics`)).text;
  for (let place = 0; place < places; place += 1) void query(gateway, held).catch(() => undefined);
  await expect.poll(metrics).toContain(`settlement_graph_requests_in_flight ${places}\n`);
  await expect.poll(async () => (await query(gateway, document)).status).toBe(200);
  keepBusy();
  await expect.poll(async () => (await query(gateway, document)).status).toBe(503);
  return { gateway, upstream, lines, metrics, adminPort };
}

it('refuses what it has no place for, counted and logged, while others, health and metrics are answered', async () => {
  const { gateway, upstream, lines, metrics, adminPort } = await startFull();
  const calls = upstream.requests.length;
  const before = readSamples(await metrics());
  const answer = await query(gateway, document, {
    // A router too is told by the status, unlike of other refusals.
    headers: {
      ...credentials,
      'x-router-secret': secret,
      'x-request-id': 'one-too-many',
      origin: 'http://localhost:3000',
    },
  });
  expect(answer.status).toBe(503);
  // A page can read it.
  expect(answer.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  expect(codes(answer)).toEqual(['OVERLOADED']);
  expect(answer.errors[0]?.extensions).toEqual({
    code: 'OVERLOADED',
    retryable: true,
    retryAfterSeconds: 1,
    requestId: 'one-too-many',
  });
  expect(upstream.requests).toHaveLength(calls);
  const counted = [
    'settlement_graph_rejections_total{reason="overloaded"}',
    'settlement_graph_requests_total{status="503"}',
  ];
  const increases = async (): Promise<readonly number[]> => {
    const after = readSamples(await metrics());
    return counted.map((name) => valueOf(after, name) - valueOf(before, name));
  };
  await expect.poll(increases).toEqual([1, 1]);
  expect(lines.find((line) => line.includes('"one-too-many"'))).toMatch(/"status":503,.*"msg":"request"/);
  // A caller that holds nothing is let in, above the limit that another one fills.
  expect((await query(gateway, document, { headers: { svcprivatekey: 'other-key' } })).status).toBe(200);
  expect((await query(gateway, document)).status).toBe(503);
  expect((await sendRaw(`${gateway.url}/health/live`)).status).toBe(200);
  expect((await sendRaw(`${gateway.url}/health/ready`)).status).toBe(200);
  expect((await sendRaw(`http://127.0.0.1:${adminPort}/health/ready`)).status).toBe(200);
});

/** Stops timers of this kind, and tells what they were to do. */
function stopTimers(name: 'setTimeout' | 'setInterval') {
  const timers = vi.spyOn(globalThis, name).mockReturnValue(setTimeout(() => {}));
  onTestFinished(() => timers.mockRestore());
  return timers;
}

/** The protection alone, before an address that never answers; a header tells callers apart. */
function startAlone() {
  const app = Fastify();
  onTestFinished(() => app.close());
  const inFlight = mountOverloadProtection(app, ({ headers }) => String(headers['caller']));
  app.get('/', () => new Promise(() => {}));
  return { app, inFlight };
}

it('delays a thousand refusals at most, and sends further ones at once', async () => {
  const timers = stopTimers('setTimeout');
  const { app } = startAlone();
  const statuses: number[] = [];
  const ask = async (): Promise<void> => void statuses.push((await app.inject('/')).statusCode);
  // At most 250 have a place.
  for (let request = 0; request < 1_300; request += 1) void ask();
  await expect.poll(() => statuses.length).toBeGreaterThanOrEqual(50);
  expect(new Set(statuses)).toEqual(new Set([503]));
  const delayed = () => timers.mock.calls.filter(([, ms = 0]) => !Number.isInteger(ms));
  expect(delayed()).toHaveLength(1_000);
  // Each that was sent makes room for another.
  for (const [send] of delayed()) send();
  await expect.poll(() => statuses.length).toBeGreaterThanOrEqual(1_050);
  void ask();
  await expect.poll(() => delayed().length).toBe(1_001);
});

it('has 2,000 requests in flight at most, however many callers there are', async () => {
  // The limit does not move.
  stopTimers('setInterval');
  const { app, inFlight } = startAlone();
  let sent = 0;
  let refused = 0;
  const ask = async (caller: number): Promise<void> => {
    sent += 1;
    await app.inject({ url: '/', headers: { caller: String(caller) } });
    refused += 1;
  };
  for (let caller = 1; caller <= 400; caller += 1) {
    // A caller's equal part of the limit, which it has above the limit, too.
    for (let place = 0; place < Math.min(10, 1_000 / caller); place += 1) void ask(caller);
  }
  await expect.poll(() => inFlight() + refused).toBe(sent);
  expect([inFlight(), sent > 2_000]).toEqual([2_000, true]);
});

/** The protection alone, with a clock and an event loop that stand still; a refusal that is delayed is never sent. */
function startSampled() {
  const samples = stopTimers('setInterval');
  const timers = stopTimers('setTimeout');
  const load = vi.spyOn(performance, 'eventLoopUtilization');
  const clock = vi.spyOn(performance, 'now');
  onTestFinished(() => void vi.restoreAllMocks());
  let now = 10_000;
  clock.mockImplementation(() => now);
  const { app, inFlight } = startAlone();
  app.get('/answered', async () => '');
  let refused = 0;
  let sent = 0;
  const delayed = () => timers.mock.calls.filter(([, ms = 0]) => !Number.isInteger(ms)).length;
  return {
    sample: (utilization: 0 | 1, times: number, intervalMs = 0): void => {
      load.mockReturnValue({ utilization, active: 0, idle: 0 });
      for (let sample = 0; sample < times; sample += 1) {
        now += intervalMs;
        samples.mock.calls[0]?.[0]();
      }
    },
    pass: (durationMs: number) => (now += durationMs),
    complete: async (count: number): Promise<void> => {
      await Promise.all(
        Array.from({ length: count }, () => app.inject({ url: '/answered', headers: { caller: 'one' } })),
      );
      await expect.poll(inFlight).toBe(0);
    },
    /** Resolves with the requests in flight once each one has a place or was refused. */
    ask: async (caller: string, count: number): Promise<number> => {
      for (let request = 0; request < count; request += 1)
        void app.inject({ url: '/', headers: { caller } }).then(() => (refused += 1));
      sent += count;
      await expect.poll(() => inFlight() + refused + delayed()).toBe(sent);
      return inFlight();
    },
  };
}

it.each([
  ['is busy', 1, 100],
  ['runs late', 0, 351],
] as const)(
  'takes few requests of one caller while the process %s, and 250 afterwards',
  async (_, load, intervalMs) => {
    const { sample, ask } = startSampled();
    sample(0, 40);
    sample(load, 12, intervalMs);
    expect(await ask('one', 300)).toBe(places);
    sample(0, 12);
    expect(await ask('one', 300)).toBe(250);
  },
);

it.each([
  [100, 'completed in the last 250 ms', 0],
  [100, 'completed in the 250 ms before', 250],
  [places, 'completed longer ago', 500],
])('takes %i requests while it is busy: 100 were %s', async (expected, _, durationMs) => {
  const { complete, sample, pass, ask } = startSampled();
  await complete(100);
  pass(durationMs);
  sample(1, 12);
  expect(await ask('one', 300)).toBe(expected);
});

it.each([
  [16, 'at least 16 while both are there', 12, 0],
  [75, 'three quarters of them all at first', 0, 999],
  [99, 'what is left of them once the other one has gone', 0, 1_000],
])('gives one caller %i of 100 places beside another: %s', async (expected, _, times, durationMs) => {
  const { complete, sample, pass, ask } = startSampled();
  await complete(100);
  sample(1, 12);
  await ask('other', 1);
  sample(1, times);
  await ask('one', 1);
  pass(durationMs);
  expect(await ask('one', 300)).toBe(expected + 1);
});

it('counts what it answers within one turn of the event loop, too', async () => {
  const gateway = await startGateway({ upstream: 'http://127.0.0.1:9' });
  const { hostname, port } = new URL(gateway.url);
  const body = JSON.stringify({ query: '{ nope }' });
  const head = `POST /graphql HTTP/1.1\r\nhost: gateway\r\ncontent-type: application/json\r\n`;
  const text = `${head}content-length: ${body.length}\r\n\r\n${body}`;
  const answers: string[] = [];
  const sockets = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const socket = connect(Number(port), hostname);
      onTestFinished(() => void socket.destroy());
      socket.on('data', (chunk) => answers.push(String(chunk).slice(9, 12)));
      await once(socket, 'connect');
      return socket;
    }),
  );
  // Each has been accepted once it has had an answer.
  for (const socket of sockets) socket.write('GET /health/live HTTP/1.1\r\nhost: gateway\r\n\r\n');
  await expect.poll(() => answers.length).toBe(300);
  answers.length = 0;
  // They have all arrived when the gateway, in this process, reads the first one.
  for (const socket of sockets) socket.write(text);
  const end = performance.now() + 100;
  while (performance.now() < end);
  await expect.poll(() => answers.length).toBe(300);
  expect(answers.filter((status) => status === '400').length).toBeLessThanOrEqual(250);
  expect(answers.filter((status) => status === '503').length).toBeGreaterThanOrEqual(50);
});

it('refuses a caller after a longer delay where its few places do not end that the process is busy', async () => {
  const { gateway } = await startFull();
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timers.mockRestore());
  const isLong = (ms = 0): boolean => ms > 2_000 && ms < 4_000 && !Number.isInteger(ms);
  const isRefusedLate = async (): Promise<boolean> => {
    void query(gateway, document).catch(() => undefined);
    await query(gateway, document, { headers: { svcprivatekey: 'other-key' } });
    return timers.mock.calls.some(([, ms]) => isLong(ms));
  };
  await expect.poll(isRefusedLate).toBe(true);
});

it('refuses without having read the body, and keeps the connection', async () => {
  const { gateway } = await startFull();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const body = JSON.stringify({ query: document });
  const options = {
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/json', 'content-length': body.length, ...credentials },
  };
  const unread = request(`${gateway.url}/graphql`, options);
  unread.flushHeaders();
  const refusal = await new Promise<IncomingMessage>((resolve) => unread.once('response', resolve));
  expect(refusal.statusCode).toBe(503);
  expect(refusal.headers.connection).toBe('keep-alive');
  const { localPort } = refusal.socket;
  unread.end(body);
  await refusal.resume().toArray();
  await delay(0);
  const next = request(`${gateway.url}/health/live`, { agent });
  next.end();
  const healthy = await new Promise<IncomingMessage>((resolve) => next.once('response', resolve));
  expect(healthy.statusCode).toBe(200);
  expect(healthy.socket.localPort).toBe(localPort);
});
