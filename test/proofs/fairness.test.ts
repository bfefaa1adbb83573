import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { readMany } from '../support/create.ts';
import { codes, credentials, query, untilAdmitted } from '../support/gateway.ts';
import { startGatewayProcess } from '../support/keyed.ts';
import { identifierIn, startUpstream, success } from '../support/upstream.ts';
import { record, scaled } from './evidence.ts';

const latencyMs = 20;
/** The one caller's calls: what is left of them beside those in flight is 500 and more that wait. */
const crowdSize = 3;
const perRequest = 190;
const samplesPerTurn = 20;

const heavy = readMany(perRequest, 'h');

it('lets a caller through whatever another one has waiting', async () => {
  const turns = Math.max(3, scaled(30));
  const upstream = await startUpstream(async ({ path }) => {
    await delay(latencyMs);
    return success({ id: identifierIn(path), type: 'wallet' });
  });
  onTestFinished(upstream.close);
  const gateway = await startGatewayProcess({ UPSTREAM_URL: upstream.url, IDEMPOTENCY_STORE: 'sqlite::memory:' });
  const seen: unknown[] = [];

  /** How long one small request takes, so many times. */
  const sample = async (turn: string): Promise<readonly number[]> => {
    const took: number[] = [];
    for (let index = 0; index < samplesPerTurn; index += 1) {
      const startedAt = performance.now();
      const answer = await untilAdmitted(() => query(gateway, `{ customer(id: "${turn}-${index}") { type } }`));
      took.push(performance.now() - startedAt);
      seen.push(...codes(answer));
    }
    return took;
  };
  const loaded = async (turn: string): Promise<readonly number[]> => {
    const over = new AbortController();
    const crowd = Array.from({ length: crowdSize }, async () => {
      while (!over.signal.aborted) {
        const headers = { ...credentials, svcprivatekey: 'heavy-key' };
        seen.push(...codes(await untilAdmitted(() => query(gateway, heavy, { headers }))));
      }
    });
    // Its calls are there before the first sample is.
    await expect.poll(() => upstream.requests.some(({ path }) => path.endsWith('/h0')), { timeout: 5_000 }).toBe(true);
    const took = await sample(turn);
    over.abort();
    await Promise.all(crowd);
    return took;
  };

  await sample('warm');
  const idle: number[] = [];
  const busy: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    idle.push(...(await sample(`idle${turn}`)));
    busy.push(...(await loaded(`busy${turn}`)));
  }
  const [idleMs, busyMs] = [idle, busy].map((took) => quantile(took, 0.99));
  const [idleMedianMs, busyMedianMs] = [idle, busy].map((took) => quantile(took, 0.5));
  record(
    'A caller beside one with 500 calls waiting, against none beside it',
    `${busy.length} requests: p99 × ${((busyMs ?? 0) / (idleMs ?? 1)).toFixed(1)}, median × ${((busyMedianMs ?? 0) / (idleMedianMs ?? 1)).toFixed(1)}, all answered`,
  );
  expect(seen).toEqual([]);
  expect(busy).toHaveLength(turns * samplesPerTurn);
}, 300_000);

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}
