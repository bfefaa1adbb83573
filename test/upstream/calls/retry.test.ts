import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Answer, Failure } from '../../../src/upstream/wire/http-client.ts';
import type { RequestLifetime } from '../../../src/runtime/request-lifetime.ts';
import { createRetries } from '../../../src/upstream/calls/retry.ts';
import { stopClock } from './clock.ts';
import { codes, query, startGateway, startScripted, storeInMemory } from '../../support/gateway.ts';
import { askAndLeave } from '../../support/http.ts';
import { failure, success, type Reply } from '../../support/upstream/upstream.ts';

const answerOf = (status: number, retryAfterSeconds?: number): Answer => ({
  kind: 'answer',
  status,
  retryAfterSeconds,
  body: Buffer.alloc(0),
});
const failureOf = (reason: Failure['reason']): Failure => ({
  kind: 'failure',
  reason,
  sent: true,
  status: undefined,
  cause: undefined,
});
const lasting = (durationMs: number): RequestLifetime => ({
  deadline: performance.now() + durationMs,
  ended: undefined,
  onEnd: new Set(),
});
const long = () => lasting(60_000);

/** Every random wait becomes this part of the longest. */
function draw(part: number): void {
  const spy = vi.spyOn(Math, 'random').mockReturnValue(part);
  onTestFinished(() => spy.mockRestore());
}

describe('a read’s next try', () => {
  const lasts = [
    ...[204, 302, 400, 401, 404, 409, 429, 500, 501].map((status) => answerOf(status)),
    ...(['malformed', 'over', 'withdrawn', 'down', 'full'] as const).map(failureOf),
    answerOf(503, 3),
    answerOf(429, 3),
  ].map((result) => [result, undefined] as const);

  it.each<readonly [result: Answer | Failure, waitMs: number | undefined]>([
    [answerOf(408), 25],
    [answerOf(502), 25],
    [answerOf(503), 25],
    [answerOf(504), 25],
    [failureOf('connection'), 25],
    [failureOf('timeout'), 25],
    [answerOf(503, 0), 25],
    [answerOf(503, 2), 2_000],
    [answerOf(429, 0), 25],
    [answerOf(429, 2), 2_000],
    ...lasts,
  ])(
    'is made after what may pass, as late as it is asked to, and no later than anybody waits: case %#',
    (result, waitMs) => {
      draw(0.5);
      expect(createRetries().nextInMs(result, 1, long())).toBe(waitMs);
    },
  );

  it.each([
    [1, 0, 0],
    [1, 0.75, 37.5],
    [2, 0.75, 75],
    [3, 0.75, undefined],
  ])(
    'waits at random between nothing and twice as long each time, three tries in all: case %#',
    (tries, part, waitMs) => {
      draw(part);
      const next = createRetries().nextInMs(answerOf(503), tries, long());
      expect(next).toEqual(waitMs);
    },
  );

  it('is not made where it would come after the deadline', () => {
    stopClock();
    draw(0.5);
    const retries = createRetries();
    expect(retries.nextInMs(answerOf(503), 1, lasting(25))).toBeUndefined();
    expect(retries.nextInMs(answerOf(503, 1), 1, lasting(1_000))).toBeUndefined();
    expect(retries.nextInMs(answerOf(503), 1, lasting(26))).toBe(25);
    expect(retries.nextInMs(answerOf(503, 1), 1, lasting(1_001))).toBe(1_000);
  });
});

describe('the budget of retries', () => {
  /** How many of so many tries may be followed by another. */
  const allowed = (retries: ReturnType<typeof createRetries>, asked: number): number =>
    Array.from({ length: asked }, () => retries.nextInMs(answerOf(503), 1, long())).filter((wait) => wait !== undefined)
      .length;
  const begin = (retries: ReturnType<typeof createRetries>, count: number): void => {
    for (let index = 0; index < count; index += 1) retries.count();
  };

  it('is ten where there are few calls', () => {
    stopClock();
    const retries = createRetries();
    begin(retries, 20);
    expect(allowed(retries, 20)).toBe(10);
  });

  it('is a fifth of the calls where there are many', () => {
    stopClock();
    const retries = createRetries();
    begin(retries, 500);
    expect(allowed(retries, 500)).toBe(100);
    begin(retries, 5);
    expect(allowed(retries, 500)).toBe(1);
  });

  it('is that of the last ten seconds', () => {
    const pass = stopClock();
    const retries = createRetries();
    begin(retries, 500);
    expect(allowed(retries, 500)).toBe(100);
    pass(9_000);
    expect(allowed(retries, 500)).toBe(0);
    pass(1_000);
    expect(allowed(retries, 500)).toBe(10);
  });

  it('is not used by what is not tried again', () => {
    stopClock();
    const retries = createRetries();
    for (let index = 0; index < 50; index += 1) {
      retries.nextInMs(answerOf(404), 1, long());
      retries.nextInMs(answerOf(503), 3, long());
      retries.nextInMs(answerOf(503, 9), 1, long());
      retries.nextInMs(answerOf(503), 1, lasting(0));
    }
    expect(allowed(retries, 20)).toBe(10);
  });
});

describe('a call over HTTP', () => {
  const read = '{ customer(id: "c1") { type } }';
  const good = success({ id: 'c1', type: 'wallet' });
  /** A gateway that meets one reply after the other, and then good ones. */
  const meeting = (replies: readonly Reply[], environment: Readonly<Record<string, string>> = {}) => {
    const left = [...replies];
    return startScripted(() => left.shift() ?? good, { environment });
  };

  it.each([
    ['503', failure(503)],
    ['a cut connection', { cut: true }],
    ['a time-out', { hang: true }],
    ['429 that names no wait worth speaking of', { ...failure(429), headers: { 'retry-after': '0' } }],
  ])('is made again where it is a read: %s', async (_, reply) => {
    const { gateway, upstream } = await meeting([reply, reply], { UPSTREAM_TIMEOUT_MS: '250' });
    const answer = await query(gateway, read);
    expect(answer.errors).toEqual([]);
    expect(answer.data).toEqual({ customer: { type: 'wallet' } });
    expect(upstream.requests.map(({ path }) => path)).toEqual(upstream.requests.map(() => '/api/v1/customers/c1'));
    expect(upstream.requests).toHaveLength(3);
  });

  it.each([
    ['updateCustomer', 'updateCustomer(input: { id: "c1", firstName: "Ada" }) { customer { id } }'],
    ['createCustomer', 'createCustomer(input: { reference: "r" }) { customer { id } }'],
    ['createCustomer with a key', 'createCustomer(input: { reference: "r", idempotencyKey: "k" }) { customer { id } }'],
  ])('is never made again where it is a write: %s', async (_, mutation) => {
    const replies = [failure(503), { cut: true }, { ...failure(429), headers: { 'retry-after': '0' } }];
    const { gateway, upstream } = await meeting(replies, storeInMemory);
    const answer = await query(gateway, `mutation { ${mutation} }`);
    expect(codes(answer)).toEqual(['OUTCOME_UNKNOWN']);
    expect(upstream.requests).toHaveLength(1);
  });

  it('is made once more, over a connection of its own, where the answer is that of another record', async () => {
    const ids = ['c2', 'c1', 'c1'];
    const ports: (number | undefined)[] = [];
    const server = createServer((request, response) => {
      if (request.url?.endsWith('/customers/c1') === true) ports.push(request.socket.remotePort);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ success: true, data: { id: ids.shift() ?? 'c2', type: 'wallet' } }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo; // a TCP server's
    const gateway = await startGateway({ upstream: `http://127.0.0.1:${port}` });
    for (let asked = 0; asked < 2; asked += 1) {
      expect((await query(gateway, read)).data).toEqual({ customer: { type: 'wallet' } });
    }
    // Neither the connection of the wrong answer nor that of the second call is used again.
    expect(new Set(ports).size).toBe(3);
    expect(codes(await query(gateway, read))).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(ports).toHaveLength(5);
  });

  it('is made three times at most, also where the third answer is that of another record', async () => {
    const { gateway, upstream } = await meeting([failure(503), failure(503), success({ id: 'c2' })]);
    expect(codes(await query(gateway, read))).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(upstream.requests).toHaveLength(3);
  });

  it('is not made again for a client that has left', async () => {
    const { gateway, upstream } = await startScripted(() => ({
      ...failure(503),
      headers: { 'retry-after': '1', 'x-n': '1' },
    }));
    const leaving = new AbortController();
    const left = askAndLeave(gateway, read, leaving.signal);
    await expect.poll(() => upstream.requests.length).toBe(1);
    leaving.abort();
    expect(await left).toBe('AbortError');
    await gateway.close();
    expect(upstream.requests).toHaveLength(1);
  });
});
