import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { codes, credentials, query, startScripted, untilAdmitted } from '../support/gateway.ts';
import { failure, identifierIn, success, type SeenRequest } from '../support/upstream.ts';
import { record, scaled } from './evidence.ts';

const atOnce = 20;
const good = ({ path }: SeenRequest) => success({ id: identifierIn(path), type: 'wallet' });
const callerOf = ({ headers }: SeenRequest) => headers['svcprivatekey']?.[0];
const as = (svcprivatekey: string) => ({ ...credentials, svcprivatekey });

/** Asks so many times, many at once, for one field each; the codes of those that failed. */
async function ask(gateway: { readonly url: string }, count: number, keyOf: (turn: number) => string) {
  let turn = 0;
  const failed: unknown[] = [];
  const client = async (): Promise<void> => {
    while (turn < count) {
      turn += 1;
      const [document, headers] = [`{ customer(id: "c${turn}") { type } }`, as(keyOf(turn))];
      const answer = await untilAdmitted(() => query(gateway, document, { headers }));
      failed.push(...codes(answer));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return failed;
}

describe('the load on a service that fails', () => {
  it.each([40, 50, 100])(
    'is at most a fifth more than was asked, at %d in 100',
    async (percent) => {
      const requests = scaled(5_000);
      let count = 0;
      const { gateway, upstream } = await startScripted((request) => {
        count += 1;
        // Spread evenly, so that no accident of chance opens the breaker.
        return Math.floor((count * percent) / 100) > Math.floor(((count - 1) * percent) / 100)
          ? failure(503)
          : good(request);
      });
      const failed = await ask(gateway, requests, (turn) => `key-${turn % 5}`);
      const calls = upstream.requests.length;
      record(
        `Calls of a service that fails ${percent} in 100 of them`,
        `${requests} reads: ${calls} calls (${(calls / requests).toFixed(2)} each), ${requests - failed.length} answered`,
      );
      expect(new Set(failed)).toEqual(new Set(['UPSTREAM_UNAVAILABLE']));
      expect(calls).toBeLessThanOrEqual(1.2 * requests);
    },
    120_000,
  );
});

describe('the breaker', () => {
  it('opens within its threshold, probes one at a time, and closes at the first probe that goes well', async () => {
    let isDown = true;
    const calls: { readonly at: number; readonly isGood: boolean }[] = [];
    const { gateway } = await startScripted((request) => {
      calls.push({ at: performance.now(), isGood: !isDown });
      return isDown ? failure(503) : good(request);
    });
    const over = new AbortController();
    let firstGoodAt = Number.POSITIVE_INFINITY;
    const client = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const { errors } = await query(gateway, '{ customer(id: "c1") { type } }');
        if (errors.length === 0) firstGoodAt = Math.min(firstGoodAt, performance.now());
        // Each client is one that asks again soon, and none that does nothing else.
        await delay(5);
      }
    };
    const clients = Array.from({ length: 4 }, client);
    await expect.poll(() => calls.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(20);
    await delay(100);
    const untilOpen = calls.length;
    const openedAt = calls.at(-1)?.at ?? 0;
    await delay(2_500);
    const recoveredAt = performance.now();
    const probes = calls.length - untilOpen;
    isDown = false;
    await expect.poll(() => firstGoodAt, { timeout: 10_000 }).toBeLessThan(Number.POSITIVE_INFINITY);
    over.abort();
    await Promise.all(clients);
    const openMs = recoveredAt - openedAt;
    record(
      'The breaker in an outage',
      `open after ${untilOpen} calls; ${probes} probes in ${(openMs / 1000).toFixed(1)} s; closed ${Math.round(firstGoodAt - recoveredAt)} ms after the service was well`,
    );
    // Those in flight when it opened come on top of its twenty.
    expect(untilOpen).toBeLessThanOrEqual(20 + 4);
    expect(probes).toBeGreaterThan(0);
    expect(probes).toBeLessThanOrEqual(openMs / 500 + 1);
    const afterRecovery = calls.findIndex(({ isGood }) => isGood);
    expect(calls.slice(0, afterRecovery)).toHaveLength(untilOpen + probes);
    expect(firstGoodAt - recoveredAt).toBeLessThan(5_000);
  }, 60_000);

  it('stays closed for a caller of whom all calls fail, among others of whom none does', async () => {
    const requests = scaled(5_000);
    const { gateway, upstream } = await startScripted((request) =>
      callerOf(request) === 'bad-key' ? failure(503) : good(request),
    );
    // Two of three requests are the bad caller's, so that far more than half of all calls fail.
    const keyOf = (turn: number) => (turn % 3 === 0 ? `good-key-${turn % 5}` : 'bad-key');
    const failed = await ask(gateway, requests, keyOf);
    const sent = upstream.requests.filter((request) => callerOf(request) !== 'bad-key').length;
    const asked = Math.floor(requests / 3);
    record(
      'One caller of whom every call fails, among others',
      `${requests} reads, ${requests - asked} of them failing: ${requests - failed.length} of ${asked} others answered, ${sent} calls for them`,
    );
    expect(failed).toHaveLength(requests - asked);
    expect(sent).toBe(asked);
  }, 120_000);
});
