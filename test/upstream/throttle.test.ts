import { describe, expect, it, onTestFinished } from 'vitest';
import { createContract } from '../../src/contract/contract.ts';
import { createLifetimes } from '../../src/runtime/request-lifetime.ts';
import { createAttempts } from '../../src/upstream/calls/attempt.ts';
import { createThrottle, type Throttle } from '../../src/upstream/calls/throttle.ts';
import { createRequestCredentials } from '../../src/upstream/credentials/credentials.ts';
import { createOperations } from '../../src/upstream/operations.ts';
import type { Failure, HttpCall } from '../../src/upstream/wire/http-client.ts';
import { passTraceOn } from '../../src/upstream/wire/trace-context.ts';
import { stopClock } from '../support/clock.ts';
import { codes, credentials, query, startScripted } from '../support/gateway.ts';
import { askAndLeave } from '../support/http.ts';
import { failure, success, type Reply } from '../support/upstream.ts';

/** Calls of the callers in turn, one after the other, that end as said; how many of them were sent. */
function make(throttle: Throttle, count: number, failed: boolean, callers: readonly string[] = ['a']): number {
  let sent = 0;
  for (let index = 0; index < count; index += 1) {
    const [caller = '', now] = [callers[index % callers.length], performance.now()];
    if (!throttle.admits(caller, now)) continue;
    sent += 1;
    throttle.record(caller, now, failed, now);
  }
  return sent;
}

const three = ['a', 'b', 'c'];
const open = () => ({ pass: stopClock(), throttle: createThrottle() });
const admits = (throttle: Throttle, caller: string) => throttle.admits(caller, performance.now());
const refuses = (throttle: Throttle, caller: string) => throttle.refuses(caller, performance.now());

describe('a throttle', () => {
  it('sends 20 failing calls of a caller and one probe, and then one each 250 ms', () => {
    const { pass, throttle } = open();
    expect(make(throttle, 100, true)).toBe(21);
    pass(249);
    expect([refuses(throttle, 'a'), admits(throttle, 'a')]).toEqual([true, false]);
    pass(1);
    expect([refuses(throttle, 'a'), admits(throttle, 'a'), admits(throttle, 'a')]).toEqual([false, true, false]);
  });

  it('sends three times as many as succeed, exactly, and all where a third do', () => {
    const { throttle } = open();
    make(throttle, 8, false);
    make(throttle, 16, true);
    expect(make(throttle, 1, true)).toBe(1);
    const now = performance.now();
    for (let failed = 0; failed < 23; failed += 1) throttle.record('a', now, true, now);
    // 8 of 48 succeed, so half may be sent; the first of the others is a probe.
    expect(admits(throttle, 'a')).toBe(true);
    const sentOf20 = () => Array.from({ length: 20 }, () => admits(throttle, 'a')).filter(Boolean).length;
    expect([sentOf20(), refuses(throttle, 'a')]).toEqual([10, false]);
    // Then 9 of 54: a success counts, and no failure is forgotten for it.
    for (const failed of [false, true, true, true, true, true]) throttle.record('a', now, failed, now);
    expect(sentOf20()).toBe(10);
  });

  it('lets two failing callers refuse the calls of nobody else', () => {
    const { pass, throttle } = open();
    make(throttle, 1, false, ['good']);
    pass(2_000);
    make(throttle, 200, true, ['a', 'b']);
    expect([refuses(throttle, 'good'), refuses(throttle, 'new'), throttle.isOpen()]).toEqual([false, false, false]);
  });

  it('refuses a caller of which nothing is known where three callers fail and nobody succeeds', () => {
    const { pass, throttle } = open();
    make(throttle, 1, false, ['good']);
    pass(2_000);
    make(throttle, 60, true, three);
    expect(throttle.isOpen()).toBe(true);
    for (let probes = 0; probes < 3; probes += 1) {
      pass(250);
      expect(make(throttle, 3, true, three)).toBe(1);
    }
    // Its own success of ten seconds counts for more, and the next probe is that of whoever had none.
    expect([refuses(throttle, 'good'), refuses(throttle, 'new')]).toEqual([false, true]);
    pass(250);
    expect([refuses(throttle, 'a'), admits(throttle, 'a'), admits(throttle, 'new')]).toEqual([true, false, true]);
    expect(refuses(throttle, 'a')).toBe(true);
    pass(250);
    expect(refuses(throttle, 'c')).toBe(true);
    pass(250);
    expect(admits(throttle, 'c')).toBe(true);
    throttle.record('c', performance.now(), false, performance.now());
    expect([refuses(throttle, 'other'), throttle.isOpen()]).toEqual([false, false]);
  });

  it.each([
    [4, 81, false],
    [5, 21, true],
    [100, 21, true],
  ])(
    'lets %d callers with successes of late send %d of 300 calls of which none succeeds any more',
    (count, sent, refused) => {
      const { pass, throttle } = open();
      const callers = Array.from({ length: count }, (_, index) => `caller-${index}`);
      make(throttle, 19 * count, false, [...callers, 'quiet']);
      pass(2_000);
      expect(make(throttle, 300, true, callers)).toBe(sent);
      expect(refuses(throttle, 'quiet')).toBe(refused);
      pass(250);
      expect(make(throttle, 300, true, callers)).toBeLessThanOrEqual(1);
      pass(250);
      expect(make(throttle, 1, false, ['quiet'])).toBe(1);
      expect([...callers.slice(5), 'quiet'].filter((caller) => refuses(throttle, caller))).toEqual([]);
    },
  );

  it('gives each caller probes of its own as soon as one has succeeded', () => {
    const { pass, throttle } = open();
    make(throttle, 100, true, three);
    pass(250);
    make(throttle, 1, false, ['a']);
    expect(three.map((caller) => admits(throttle, caller))).toEqual([true, true, true]);
  });

  it('ignores failures of calls that were sent before a probe succeeded', () => {
    const { pass, throttle } = open();
    const early = performance.now();
    make(throttle, 100, true);
    pass(250);
    make(throttle, 1, false);
    for (let late = 0; late < 64; late += 1) throttle.record('a', early, true, performance.now());
    pass(2_000);
    expect(make(throttle, 20, false)).toBe(20);
  });

  it('sends no flood to a service that answers nothing any more, until ten seconds have shown no failure', () => {
    const { pass, throttle } = open();
    make(throttle, 100, true);
    const sent = Array.from({ length: 10 }, () => {
      pass(1_000);
      return Array.from({ length: 30 }, () => admits(throttle, 'a')).filter(Boolean).length;
    });
    expect(sent).toEqual(sent.map(() => 1));
    pass(1);
    expect(admits(throttle, 'a')).toBe(true);
    expect(refuses(throttle, 'a')).toBe(false);
  });

  it('counts refusals as a sign that an outage goes on where only a probe a second is sent', () => {
    const { pass, throttle } = open();
    make(throttle, 60, true, three);
    for (let second = 0; second < 12; second += 1) {
      pass(1_000);
      make(throttle, 60, true, three);
    }
    expect([refuses(throttle, 'new'), throttle.isOpen()]).toEqual([true, true]);
  });

  it('gives the next probe to the caller that had none for longest, whoever was refused first', () => {
    const { pass, throttle } = open();
    make(throttle, 60, true, three);
    pass(250);
    expect(admits(throttle, 'a')).toBe(true);
    expect([admits(throttle, 'a'), admits(throttle, 'b')]).toEqual([false, false]);
    pass(250);
    expect([admits(throttle, 'a'), admits(throttle, 'b')]).toEqual([false, true]);
  });

  it('waits once for a refused caller that has gone, and not before each further probe', () => {
    const { pass, throttle } = open();
    make(throttle, 60, true, three);
    for (let probes = 0; probes < 3; probes += 1) {
      pass(250);
      make(throttle, 3, true, three);
    }
    const sent = ['gone', 'a', 'a', 'a', 'a'].map((caller) => {
      const isSent = admits(throttle, caller);
      pass(250);
      return isSent;
    });
    expect(sent).toEqual([false, false, true, true, true]);
  });

  it('is open where the one caller of late fails, whatever succeeded before', () => {
    const { pass, throttle } = open();
    make(throttle, 2, false, ['a', 'b']);
    pass(3_000);
    make(throttle, 60, true);
    expect(throttle.isOpen()).toBe(false);
    // Now b has had no success for ten seconds, and all calls of a have failed for two.
    pass(5_000);
    throttle.record('a', performance.now(), false, performance.now());
    pass(2_000);
    make(throttle, 60, true);
    expect(throttle.isOpen()).toBe(true);
  });

  it('decides by the last two seconds where they have 20 calls, else by the last ten', () => {
    const { pass, throttle } = open();
    make(throttle, 500, false);
    pass(2_000);
    expect(make(throttle, 19, true)).toBe(19);
    expect(refuses(throttle, 'a')).toBe(false);
    make(throttle, 2, true);
    expect(refuses(throttle, 'a')).toBe(true);
    pass(10_000);
    expect(refuses(throttle, 'a')).toBe(false);
  });
});

describe('attempts', () => {
  const left = { kind: 'failure', sent: true, status: undefined, cause: undefined } as const;

  /** Attempts of one caller, none of which reaches a service: their calls end when the test says so. */
  const watch = ([timeoutMs, requestTimeoutMs]: readonly [number, number] = [1_000, 2_000]) => {
    const pass = stopClock();
    const contract = createContract();
    const calls: HttpCall[] = [];
    const { attempt, state } = createAttempts({
      contract,
      client: {
        send: (call) => calls.push(call),
        request: () => Promise.reject(new Error()),
        close: async () => {},
        opened: Promise.resolve(),
      },
      headers: { bearer: 'authorization', privateKey: 'svcprivatekey' },
      observer: { onCall: () => {}, onRetry: () => {}, onWrite: () => {}, onStore: () => {} },
      timeoutMs,
      requestTimeoutMs,
      connections: 1,
      callsPerCaller: 1,
    });
    const { getCustomer } = createOperations(contract);
    const lifetime = createLifetimes(60_000)();
    onTestFinished(() => lifetime.end());
    const credential = { header: 'x', value: 'test-key', fault: undefined };
    const scope = {
      requestId: 'r',
      credentials: createRequestCredentials(
        { bearer: credential, privateKey: credential },
        { fingerprint: 'f', callers: { bearer: 'c', privateKey: 'c' } },
      ),
      lifetime,
      tally: { calls: 0 },
      spent: { estimated: 0, ahead: 0 },
      trace: passTraceOn(undefined),
    };
    const reasons: unknown[] = [];
    const start = (): void =>
      attempt(getCustomer, getCustomer.request('c1'), scope, {
        onEnd: (result) => reasons.push(result.kind === 'failure' && result.reason),
      });
    /** So many attempts that fail after this time. */
    const fail = (count: number, reason: Failure['reason'], afterMs = 0): void => {
      for (let made = 0; made < count; made += 1) {
        start();
        pass(afterMs);
        calls.pop()?.onResult({ ...left, reason });
      }
    };
    return { pass, state, start, fail, reasons, calls, lifetime };
  };

  it.each<[number, number]>([
    [1_000, 2_000],
    [2_000, 1_000],
  ])('count a time-out only where the service had half of the time of a call, or of a request: %d, %d', (...limits) => {
    const { state, fail } = watch(limits);
    fail(30, 'timeout', 499);
    expect(state().isBreakerOpen).toBe(false);
    fail(19, 'timeout', 500);
    expect(state().isBreakerOpen).toBe(false);
    fail(1, 'timeout', 500);
    expect(state().isBreakerOpen).toBe(true);
  });

  it('count nothing where the client has left, however late', () => {
    const { state, fail } = watch([100, 200]);
    fail(19, 'connection');
    fail(30, 'over', 100);
    expect(state().isBreakerOpen).toBe(false);
    fail(1, 'connection');
    expect(state().isBreakerOpen).toBe(true);
  });

  it('count the end of their request as a time-out', () => {
    const { pass, state, fail } = watch();
    pass(59_499);
    fail(19, 'connection');
    fail(1, 'over', 500);
    expect(state().isBreakerOpen).toBe(true);
  });

  it('count an answer that breaks the rules of HTTP as a sign that the service is there', () => {
    const { pass, state, fail } = watch();
    fail(21, 'connection');
    pass(250);
    fail(1, 'malformed');
    expect(state().isBreakerOpen).toBe(false);
  });

  it('are not sent in the last millisecond of their request', () => {
    const { pass, start, reasons, calls } = watch();
    pass(59_999);
    start();
    expect([reasons, calls]).toEqual([['over'], []]);
  });

  it('are not sent where the end of their request is what frees their place', () => {
    const { start, reasons, calls, lifetime } = watch();
    start();
    const [first] = calls;
    const onLifetimeEnd = () => first?.onResult({ ...left, reason: 'over' });
    start();
    // The last listener is called first.
    lifetime.listen({ onLifetimeEnd, listenerIndex: 0 });
    lifetime.end();
    expect([reasons, calls]).toEqual([['over', 'over'], [first]]);
  });

  it.each(['connection', 'certificate_expired', 'proxy_refused'] as const)(
    'are refused after 20 times %s, and do not wait behind a probe',
    (reason) => {
      const { pass, state, start, fail, reasons } = watch();
      fail(21, reason);
      pass(250);
      start();
      start();
      expect(reasons.slice(21)).toEqual(['down']);
      expect(state()).toMatchObject({ isBreakerOpen: true, read: { inFlight: 1, waiting: 0 } });
    },
  );
});

const update = 'mutation { updateCustomer(input: { id: "c1", firstName: "Ada" }) { customer { id } } }';

/** The codes of so many updates, one after the other. */
async function updates(gateway: { readonly url: string }, count: number, headers = credentials) {
  const seen: unknown[] = [];
  while (seen.length < count) seen.push(...codes(await query(gateway, update, { headers })));
  return seen;
}

describe('what shows the service down', () => {
  const down: readonly [name: string, reply: Reply][] = [
    ['502', failure(502)],
    ['503', { status: 503, text: 'planted' }],
    ['504', failure(504)],
    ['a cut connection', { cut: true }],
  ];

  it.each(down)('is %s: after 20 of them, and a probe, nothing more is sent', async (_, reply) => {
    const { gateway, upstream } = await startScripted(() => reply);
    const seen = await updates(gateway, 25);
    expect(upstream.requests.length).toBeGreaterThanOrEqual(20);
    // A probe or more where the machine is slow.
    const sent = seen.filter((code) => code === 'OUTCOME_UNKNOWN');
    expect(sent).toHaveLength(upstream.requests.length);
    expect(seen.slice(0, 20)).toEqual(sent.slice(0, 20));
    expect(seen).toContain('UPSTREAM_UNAVAILABLE');
  });

  const up: readonly [name: string, reply: Reply][] = [
    ['500', failure(500)],
    ['408', failure(408)],
    ['429', failure(429)],
    ['a page', { text: '<html></html>' }],
    ['an answer that was not to be compressed', { text: '', headers: { 'content-encoding': 'gzip' } }],
  ];

  it.each(up)('is not %s', async (_, reply) => {
    const { gateway, upstream } = await startScripted(() => reply);
    for (let index = 0; index < 25; index += 1) await query(gateway, update);
    expect(upstream.requests).toHaveLength(25);
  });

  it('is not a client that leaves', async () => {
    const { gateway, upstream } = await startScripted(({ method }) =>
      method === 'GET' ? { hang: true } : success({ id: 'c1' }),
    );
    const leaving = new AbortController();
    onTestFinished(() => leaving.abort());
    const left = Array.from({ length: 25 }, () =>
      askAndLeave(gateway, '{ customer(id: "c1") { type } }', leaving.signal),
    );
    await expect.poll(() => upstream.requests.length).toBe(25);
    leaving.abort();
    expect(new Set(await Promise.all(left))).toEqual(new Set(['AbortError']));
    await query(gateway, '{ __typename }');
    expect(codes(await query(gateway, update))).toEqual([]);
  });

  it('is not one caller whose calls fail while another’s do not', async () => {
    const { gateway } = await startScripted(({ headers }) =>
      headers['svcprivatekey']?.[0] === 'bad-key' ? failure(503) : success({ id: 'c1' }),
    );
    const bad = { ...credentials, svcprivatekey: 'bad-key' };
    expect(codes(await query(gateway, update))).toEqual([]);
    expect(await updates(gateway, 60, bad)).toContain('UPSTREAM_UNAVAILABLE');
    expect(codes(await query(gateway, update))).toEqual([]);
  });

  it('is the same for reads and writes', async () => {
    stopClock();
    const { gateway, upstream } = await startScripted(() => failure(503));
    await updates(gateway, 21);
    const read = await query(gateway, '{ customer(id: "c1") { type } }');
    expect(codes(read)).toEqual(['UPSTREAM_UNAVAILABLE']);
    expect(upstream.requests).toHaveLength(21);
  });
});
