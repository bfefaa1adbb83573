import { describe, expect, it, onTestFinished } from 'vitest';
import { createContract } from '../../src/contract/contract.ts';
import { createLifetimes } from '../../src/runtime/request-lifetime.ts';
import { createAttempts } from '../../src/upstream/calls/attempt.ts';
import { createBreaker, type Breaker } from '../../src/upstream/calls/circuit-breaker.ts';
import { createRequestCredentials } from '../../src/upstream/credentials/credentials.ts';
import { createOperations } from '../../src/upstream/operations.ts';
import type { Failure, HttpCall } from '../../src/upstream/wire/http-client.ts';
import { passTraceOn } from '../../src/upstream/wire/trace-context.ts';
import { stopClock } from '../support/clock.ts';
import { codes, credentials, query, startGateway, startScripted } from '../support/gateway.ts';
import { closedUrl } from '../support/ports.ts';
import { failure, success, type Reply } from '../support/upstream.ts';

/** Calls that leave and end, one after the other, of two callers in turn. */
function make(breaker: Breaker, count: number, failed: boolean, callers: readonly string[] = ['a', 'b']): void {
  for (let index = 0; index < count; index += 1) {
    const leave = breaker.admit();
    expect(leave).toBeDefined();
    if (leave !== undefined) breaker.record(callers[index % callers.length] ?? '', leave, failed, performance.now());
  }
}

/** A breaker that has opened just now, and the clock. */
function opened() {
  const pass = stopClock();
  const breaker = createBreaker();
  make(breaker, 20, true);
  expect(breaker.refuses()).toBe(true);
  return { breaker, pass };
}

/** Permit to call that must be there. */
function leaveOf(breaker: Breaker) {
  const leave = breaker.admit();
  if (leave === undefined) throw new Error('no leave');
  return leave;
}

describe('a breaker', () => {
  it('opens at the 20th call and not at the 19th', () => {
    stopClock();
    const breaker = createBreaker();
    make(breaker, 19, true);
    expect([breaker.refuses(), breaker.admit()]).toEqual([false, leaveOf(breaker)]);
    make(breaker, 1, true);
    expect([breaker.refuses(), breaker.admit()]).toEqual([true, undefined]);
  });

  it('opens where half of the calls fail and not where 49 in 100 do', () => {
    stopClock();
    const breaker = createBreaker();
    make(breaker, 51, false);
    make(breaker, 49, true);
    expect(breaker.refuses()).toBe(false);
    make(breaker, 2, true);
    expect(breaker.refuses()).toBe(true);
  });

  it('does not open for one caller whose calls fail among others whose calls do not', () => {
    stopClock();
    const breaker = createBreaker();
    make(breaker, 1, false, ['good']);
    make(breaker, 500, true, ['bad']);
    expect(breaker.refuses()).toBe(false);
    make(breaker, 1, true, ['good']);
    expect(breaker.refuses()).toBe(true);
  });

  it('opens for one caller where there is no other', () => {
    stopClock();
    const breaker = createBreaker();
    make(breaker, 20, true, ['only']);
    expect(breaker.refuses()).toBe(true);
  });

  it('knows for ten seconds that there is more than one caller', () => {
    const pass = stopClock();
    const breaker = createBreaker();
    make(breaker, 1, false, ['good']);
    pass(5_000);
    make(breaker, 30, true, ['bad']);
    expect(breaker.refuses()).toBe(false);
    pass(5_000);
    make(breaker, 1, true, ['bad']);
    expect(breaker.refuses()).toBe(true);
  });

  it('counts the last ten seconds only', () => {
    const pass = stopClock();
    const breaker = createBreaker();
    make(breaker, 19, true);
    pass(10_000);
    make(breaker, 19, true);
    expect(breaker.refuses()).toBe(false);
    pass(8_000);
    make(breaker, 1, true);
    expect(breaker.refuses()).toBe(true);
  });

  it('lets one probe through in each interval while it is open', () => {
    const { breaker, pass } = opened();
    pass(499);
    expect([breaker.refuses(), breaker.admit()]).toEqual([true, undefined]);
    pass(1);
    expect([breaker.refuses(), breaker.isOpen()]).toEqual([false, true]);
    expect([breaker.admit() === undefined, breaker.admit(), breaker.refuses()]).toEqual([false, undefined, true]);
    pass(499);
    expect(breaker.admit()).toBeUndefined();
    pass(1);
    expect([breaker.admit() === undefined, breaker.admit()]).toEqual([false, undefined]);
  });

  it('stays open after a probe that failed', () => {
    const { breaker, pass } = opened();
    pass(500);
    breaker.record('a', leaveOf(breaker), true, performance.now());
    expect([breaker.refuses(), breaker.admit()]).toEqual([true, undefined]);
  });

  it('closes at a probe that went well, and counts from nothing', () => {
    const { breaker, pass } = opened();
    pass(500);
    breaker.record('a', leaveOf(breaker), false, performance.now());
    expect(breaker.refuses()).toBe(false);
    make(breaker, 19, true);
    expect(breaker.refuses()).toBe(false);
    make(breaker, 1, true);
    expect(breaker.refuses()).toBe(true);
  });

  it('lets a second probe close it while the first one hangs', () => {
    const { breaker, pass } = opened();
    pass(500);
    const hanging = leaveOf(breaker);
    pass(500);
    breaker.record('a', leaveOf(breaker), false, performance.now());
    breaker.record('a', hanging, true, performance.now());
    expect(breaker.refuses()).toBe(false);
  });

  it('ignores what had left before it opened while it is open', () => {
    stopClock();
    const breaker = createBreaker();
    const early = leaveOf(breaker);
    make(breaker, 20, true);
    breaker.record('a', early, false, performance.now());
    expect(breaker.refuses()).toBe(true);
  });

  it('ignores what had left before it opened once it has closed again', () => {
    const pass = stopClock();
    const breaker = createBreaker();
    const early = Array.from({ length: 64 }, () => leaveOf(breaker));
    make(breaker, 20, true);
    pass(500);
    breaker.record('a', leaveOf(breaker), false, performance.now());
    for (const [index, leave] of early.entries()) breaker.record(`caller ${index}`, leave, true, performance.now());
    expect([breaker.refuses(), breaker.admit() === undefined]).toEqual([false, false]);
  });
});

describe('attempts', () => {
  /** Attempts of one caller, none of which reaches a service: their calls end when the test says so. */
  const watch = () => {
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
      observer: { onCall: () => {}, onRetry: () => {}, onWrite: () => {} },
      timeoutMs: 1_000,
      requestTimeoutMs: 2_000,
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
      spent: { estimated: 0, ahead: 0, again: 0 },
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
        calls.pop()?.onResult({ kind: 'failure', reason, sent: true, status: undefined, cause: undefined });
      }
    };
    return { pass, state, start, fail, reasons };
  };

  it('count a time-out only where the service had half of the time of a call', () => {
    const { state, fail } = watch();
    fail(30, 'timeout', 499);
    expect(state().isBreakerOpen).toBe(false);
    fail(19, 'timeout', 500);
    expect(state().isBreakerOpen).toBe(false);
    fail(1, 'timeout', 500);
    expect(state().isBreakerOpen).toBe(true);
  });

  it('are refused while the breaker is open, and do not wait behind its probe', () => {
    const { pass, state, start, fail, reasons } = watch();
    fail(20, 'connection');
    pass(500);
    start();
    start();
    expect(reasons.slice(20)).toEqual(['down']);
    expect(state()).toMatchObject({ isBreakerOpen: true, read: { inFlight: 1, waiting: 0 } });
  });
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
    ['a time-out', { hang: true }],
  ];

  it.each(down)('is %s: after 20 of them nothing more is sent', async (_, reply) => {
    const environment = { UPSTREAM_TIMEOUT_MS: '150' };
    const { gateway, upstream } = await startScripted(() => reply, { environment });
    const seen = await updates(gateway, 25);
    expect(upstream.requests.length).toBeGreaterThanOrEqual(20);
    // A probe or more where the machine is slow.
    const sent = seen.filter((code) => code === 'OUTCOME_UNKNOWN');
    expect(sent).toHaveLength(upstream.requests.length);
    expect(seen.slice(0, 20)).toEqual(sent.slice(0, 20));
    expect(seen[20]).toBe('UPSTREAM_UNAVAILABLE');
  });

  it('is a refused connection: what comes next is answered without one', async () => {
    const { gateway } = await startScripted(() => success({ id: 'c1' }));
    const refusing = await startGateway({ upstream: await closedUrl() });
    const answers = [];
    for (let index = 0; index < 25; index += 1) answers.push(await query(refusing, update));
    expect(answers.map((answer) => answer.errors[0]?.extensions['retryable'])).toEqual(answers.map(() => true));
    expect(codes(await query(gateway, update))).toEqual([]);
  });

  const up: readonly [name: string, reply: Reply][] = [
    ['500', failure(500)],
    ['501', failure(501)],
    ['401', failure(401)],
    ['403', failure(403)],
    ['404', failure(404)],
    ['408', failure(408)],
    ['422', { status: 422, text: 'planted' }],
    ['429', failure(429)],
    ['a redirect', { status: 302 }],
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
      fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...credentials },
        body: JSON.stringify({ query: '{ customer(id: "c1") { type } }' }),
        signal: leaving.signal,
      }).catch((error: Error) => error.name),
    );
    await expect.poll(() => upstream.requests.length, { timeout: 5_000 }).toBe(25);
    leaving.abort();
    expect(new Set(await Promise.all(left))).toEqual(new Set(['AbortError']));
    await query(gateway, '{ __typename }');
    expect(codes(await query(gateway, update))).toEqual([]);
  });

  it('is not one caller whose calls fail while another’s do not', async () => {
    const { gateway, upstream } = await startScripted(({ headers }) =>
      headers['svcprivatekey']?.[0] === 'bad-key' ? failure(503) : success({ id: 'c1' }),
    );
    const bad = { ...credentials, svcprivatekey: 'bad-key' };
    expect(codes(await query(gateway, update))).toEqual([]);
    expect(new Set(await updates(gateway, 60, bad))).toEqual(new Set(['OUTCOME_UNKNOWN']));
    expect(codes(await query(gateway, update))).toEqual([]);
    expect(upstream.requests).toHaveLength(62);
  });

  it('opens the way for reads and writes alike', async () => {
    const { gateway, upstream } = await startScripted(() => failure(503));
    await updates(gateway, 20);
    const read = await query(gateway, '{ customer(id: "c1") { type } }');
    expect(codes(read)).toEqual(['UPSTREAM_UNAVAILABLE']);
    expect(upstream.requests).toHaveLength(20);
  });
});
