import { describe, expect, it, onTestFinished } from 'vitest';
import { createContract } from '../../../src/contract/contract.ts';
import { createLifetime } from '../../../src/runtime/request-lifetime.ts';
import { createAttempts } from '../../../src/upstream/calls/attempt.ts';
import { createThrottle, type Throttle } from '../../../src/upstream/calls/throttle.ts';
import { createRequestCredentials } from '../../../src/upstream/credentials/credentials.ts';
import { createOperations } from '../../../src/upstream/operations.ts';
import type { Failure } from '../../../src/upstream/wire/http-client.ts';
import { passTraceOn } from '../../../src/upstream/wire/trace-context.ts';
import { stopClock } from './clock.ts';
import { codes, credentials, query, startScripted } from '../../support/gateway.ts';
import { failure, type Reply } from '../../support/upstream/upstream.ts';

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

const names = (count: number) => Array.from({ length: count }, (_, index) => `caller-${index}`);
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
    expect(make(throttle, 16, true)).toBe(16);
    const now = performance.now();
    for (let failed = 0; failed < 24; failed += 1) throttle.record('a', now, true, now);
    // 8 of 48 succeed, so half may be sent; the first of the others is a probe.
    expect(admits(throttle, 'a')).toBe(true);
    const sent = Array.from({ length: 20 }, () => admits(throttle, 'a')).filter(Boolean);
    expect([sent.length, refuses(throttle, 'a')]).toEqual([10, false]);
  });

  it('judges a caller by its last 50 results, and forgets them after ten seconds without one', () => {
    const { pass, throttle } = open();
    make(throttle, 500, false);
    expect(make(throttle, 50, true)).toBeGreaterThan(33);
    make(throttle, 200, true);
    expect(refuses(throttle, 'a')).toBe(true);
    pass(10_001);
    expect([refuses(throttle, 'a'), make(throttle, 20, true)]).toEqual([false, 20]);
  });

  it('lets four failing callers refuse the calls of nobody else, for however long', () => {
    const { pass, throttle } = open();
    make(throttle, 1, false, ['good']);
    for (let second = 0; second < 11; second += 1) {
      pass(1_000);
      make(throttle, 200, true, names(4));
    }
    expect([refuses(throttle, 'good'), refuses(throttle, 'new'), throttle.isOpen()]).toEqual([false, false, true]);
  });

  it('is not open while a caller is well', () => {
    const { throttle } = open();
    make(throttle, 1, false, ['good']);
    make(throttle, 100, true, ['bad']);
    expect(throttle.isOpen()).toBe(false);
  });

  it.each([5, 100])(
    'sends one probe of all together where %d callers fail and nobody has succeeded for a second',
    (count) => {
      const { pass, throttle } = open();
      make(throttle, 10 * count, false, [...names(count), 'quiet']);
      pass(1_001);
      expect(make(throttle, 300, true, names(count))).toBe(21);
      expect([refuses(throttle, 'quiet'), throttle.isOpen()]).toEqual([true, true]);
      for (let probes = 0; probes < 3; probes += 1) {
        pass(250);
        expect(make(throttle, 300, true, names(count))).toBeLessThanOrEqual(1);
      }
      pass(500);
      expect(make(throttle, 1, false, ['quiet'])).toBe(1);
      expect([refuses(throttle, 'quiet'), refuses(throttle, 'new'), throttle.isOpen()]).toEqual([false, false, false]);
    },
  );

  it('ignores failures of calls that were sent before a probe succeeded', () => {
    const { pass, throttle } = open();
    const early = performance.now();
    make(throttle, 100, true);
    pass(250);
    make(throttle, 1, false);
    for (let late = 0; late < 64; late += 1) throttle.record('a', early, true, performance.now());
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
    expect(refuses(throttle, 'a')).toBe(false);
  });
});

/** Lets promises, and places in the queue, be free that are to be. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('attempts', () => {
  const left = { kind: 'failure', sent: true, status: undefined, cause: undefined } as const;

  /** Attempts of one caller, none of which reaches a service: their calls end when the test says so. */
  const watch = ([timeoutMs, requestTimeoutMs]: readonly [number, number] = [1_000, 2_000]) => {
    const pass = stopClock();
    const contract = createContract();
    const calls: { readonly end: (result: Failure) => void }[] = [];
    const { attempt, state } = createAttempts({
      contract,
      client: { request: () => new Promise((end) => calls.push({ end })) },
      headers: { bearer: 'authorization', privateKey: 'svcprivatekey' },
      observer: { onCall: () => {} },
      timeoutMs,
      requestTimeoutMs,
      connections: 1,
      callsPerCaller: 1,
    });
    const { getCustomer } = createOperations(contract);
    const lifetime = createLifetime(60_000);
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
      spent: { estimated: 0, prefetch: 0 },
      trace: passTraceOn(undefined),
    };
    const reasons: unknown[] = [];
    /** Starts an attempt, and lets it come as far as it gets. */
    const start = async (): Promise<void> => {
      void attempt(getCustomer, getCustomer.request('c1'), scope).then((result) =>
        reasons.push(result.kind === 'failure' && result.reason),
      );
      await settled();
    };
    /** So many attempts that fail after this time. */
    const fail = async (count: number, reason: Failure['reason'], afterMs = 0): Promise<void> => {
      for (let made = 0; made < count; made += 1) {
        await start();
        pass(afterMs);
        calls.pop()?.end({ ...left, reason });
        await settled();
      }
    };
    return { pass, state, start, fail, reasons, calls, lifetime };
  };

  it.each<[number, number]>([
    [1_000, 2_000],
    [2_000, 1_000],
  ])(
    'count a time-out only where the service had half of the time of a call, or of a request: %d, %d',
    async (...limits) => {
      const { state, fail } = watch(limits);
      await fail(30, 'timeout', 499);
      expect(state().isBreakerOpen).toBe(false);
      await fail(19, 'timeout', 500);
      expect(state().isBreakerOpen).toBe(false);
      await fail(1, 'timeout', 500);
      expect(state().isBreakerOpen).toBe(true);
    },
  );

  it('count nothing where the client has left, however late', async () => {
    const { state, fail } = watch([100, 200]);
    await fail(19, 'connection');
    await fail(30, 'over', 100);
    expect(state().isBreakerOpen).toBe(false);
    await fail(1, 'connection');
    expect(state().isBreakerOpen).toBe(true);
  });

  it('count the end of their request as a time-out', async () => {
    const { pass, state, fail } = watch();
    pass(59_499);
    await fail(19, 'connection');
    await fail(1, 'over', 500);
    expect(state().isBreakerOpen).toBe(true);
  });

  it('count an answer that breaks the rules of HTTP as a sign that the service is there', async () => {
    const { pass, state, fail } = watch();
    await fail(21, 'connection');
    pass(250);
    await fail(1, 'malformed');
    expect(state().isBreakerOpen).toBe(false);
  });

  it('are not sent in the last millisecond of their request', async () => {
    const { pass, start, reasons, calls } = watch();
    pass(59_999);
    await start();
    expect([reasons, calls]).toEqual([['over'], []]);
  });

  it('are not sent where the end of their request comes with the end of the call before', async () => {
    const { start, reasons, calls, lifetime } = watch();
    await start();
    await start();
    lifetime.end();
    calls[0]?.end({ ...left, reason: 'over' });
    await settled();
    expect([reasons, calls.length]).toEqual([['over', 'over'], 1]);
  });

  it.each(['connection', 'certificate_expired', 'proxy_refused'] as const)(
    'are refused after 20 times %s, and do not wait behind a probe',
    async (reason) => {
      const { pass, state, start, fail, reasons } = watch();
      await fail(21, reason);
      pass(250);
      await start();
      await start();
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

  it('is the same for reads and writes', async () => {
    stopClock();
    const { gateway, upstream } = await startScripted(() => failure(503));
    await updates(gateway, 21);
    const read = await query(gateway, '{ customer(id: "c1") { type } }');
    expect(codes(read)).toEqual(['UPSTREAM_UNAVAILABLE']);
    expect(upstream.requests).toHaveLength(21);
  });
});
