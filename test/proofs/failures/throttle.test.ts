import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { codes, credentials, query, startScripted } from '../../support/gateway.ts';
import { failure, identifierIn, success, type SeenRequest } from '../../support/upstream/upstream.ts';
import { record, scaled } from '../evidence.ts';

const atOnce = 20;
const good = ({ path }: SeenRequest) => success({ id: identifierIn(path), type: 'wallet' });
const as = (svcprivatekey: string) => ({ ...credentials, svcprivatekey });

/** Asks so many times, many at once, for one field each; the codes of those that failed. */
async function ask(gateway: { readonly url: string }, count: number, keyOf: (turn: number) => string) {
  let turn = 0;
  const failed: unknown[] = [];
  const client = async (): Promise<void> => {
    while (turn < count) {
      turn += 1;
      const [document, headers] = [`{ customer(id: "c${turn}") { type } }`, as(keyOf(turn))];
      const answer = await query(gateway, document, { headers });
      failed.push(...codes(answer));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return failed;
}

describe('the load on a service that fails', () => {
  // With a fifth of retries 72 and 60 in 100 could be answered.
  it.each([
    [40, 0.7],
    [50, 0.58],
    [100, 0],
  ])(
    'is at most a fifth more than was asked, and most of what can be is answered, at %d in 100',
    async (percent, answeredShare) => {
      const requests = scaled(5_000);
      let count = 0;
      const { gateway, upstream } = await startScripted((request) => {
        count += 1;
        // Spread evenly, so that chance has no part in it.
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
      expect(requests - failed.length).toBeGreaterThanOrEqual(answeredShare * requests);
    },
    120_000,
  );
});

describe('the throttle', () => {
  it.each([5, 100])(
    'sends at most two calls in a hundred and four probes a second in an outage, and all within a second of its end: %d callers',
    async (callers) => {
      let isDown = false;
      const { gateway, upstream } = await startScripted((request) => (isDown ? failure(503) : good(request)));
      let asked = 0;
      let answered = 0;
      const over = new AbortController();
      // Together well over a hundred calls a second.
      const clients = Array.from({ length: 10 }, async () => {
        while (!over.signal.aborted) {
          asked += 1;
          const headers = as(`key-${asked % callers}`);
          const answer = await query(gateway, '{ customer(id: "c1") { type } }', { headers });
          if (answer.errors.length === 0) answered += 1;
          await delay(5);
        }
      });
      await expect.poll(() => answered).toBeGreaterThan(500);
      isDown = true;
      await delay(2_000);
      const [sentBefore, askedBefore, from] = [upstream.requests.length, asked, performance.now()];
      await delay(3_000);
      const [sent, reads, seconds] = [
        upstream.requests.length - sentBefore,
        asked - askedBefore,
        (performance.now() - from) / 1000,
      ];
      isDown = false;
      const recoveredAt = performance.now();
      // So many in a row that every caller is well again.
      let failedAt = recoveredAt;
      for (let inRow = 0; inRow < 10 * callers && inRow < 200; inRow += 1) {
        const { errors } = await query(gateway, '{ customer(id: "c1") { type } }', {
          headers: as(`key-${inRow % callers}`),
        });
        if (errors.length === 0) continue;
        [failedAt, inRow] = [performance.now(), -1];
        await delay(5);
      }
      over.abort();
      await Promise.all(clients);
      const recoveryMs = Math.round(failedAt - recoveredAt);
      record(
        `An outage of the service, ${callers} callers`,
        `from its third second on ${reads} reads, ${sent} calls in ${seconds.toFixed(1)} s; the last read refused ${recoveryMs} ms after its end`,
      );
      expect(reads).toBeGreaterThanOrEqual(100 * seconds);
      expect(sent).toBeLessThanOrEqual(0.02 * reads + 4 * seconds + 1);
      expect(recoveryMs).toBeLessThan(1_000);
    },
    60_000,
  );

  const bank = '{ settlementBank(id: "b1") { id } }';
  const customer = '{ customer(id: "c1") { type } }';
  /** One merchant sends its credentials in requests of their own, so that they look like two callers. */
  const failing = [
    [bank, { authorization: 'Bearer bad-token' }],
    [customer, { svcprivatekey: 'bad-key' }],
  ] as const;
  const isBad = ({ headers }: SeenRequest) =>
    headers['svcprivatekey']?.[0] === 'bad-key' || headers['authorization']?.[0] === 'Bearer bad-token';

  it.each([
    ['beside a healthy caller', 0, 800],
    ['for six seconds before a healthy caller comes', 6_000, 60],
  ])(
    'refuses nobody else for one merchant whose calls all fail with both of its credentials, %s',
    async (when, alone, reads) => {
      const { gateway, upstream } = await startScripted((request) => (isBad(request) ? failure(503) : good(request)));
      const over = new AbortController();
      let failed = 0;
      const clients = Array.from({ length: 8 }, async (_, index) => {
        const [document, headers] = failing[index % 2] ?? failing[0];
        while (!over.signal.aborted) {
          failed += codes(await query(gateway, document, { headers })).length;
          await delay(5);
        }
      });
      await expect.poll(() => failed, { timeout: 20_000 }).toBeGreaterThan(50);
      await delay(alone);
      const refused: unknown[] = [];
      for (let turn = 0; turn < reads; turn += 1) {
        const answer = await query(gateway, customer, { headers: { svcprivatekey: 'good-key' } });
        refused.push(...codes(answer));
      }
      over.abort();
      await Promise.all(clients);
      const badCalls = upstream.requests.filter(isBad).length;
      record(
        `One merchant whose calls all fail with both of its credentials, ${when}`,
        `healthy caller: ${refused.length} of ${reads} reads refused; the merchant: ${failed} reads, ${badCalls} calls`,
      );
      expect(refused).toEqual([]);
    },
    60_000,
  );
});
