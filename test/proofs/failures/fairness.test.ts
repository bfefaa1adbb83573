import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { codes, credentials, query } from '../../support/gateway.ts';
import { startGatewayProcess } from '../gateway-process.ts';
import { putLoad, startLoad } from '../../support/load/load.ts';
import { startCommand } from '../../support/process.ts';
import { identifierIn, startUpstream, success } from '../../support/upstream/upstream.ts';
import { isFull, record } from '../evidence.ts';

const crowdSize = 500;
const pauseMs = 5;
const maxSeconds = 880;
/** A short run asks too seldom for a hundredth. */
const [requests, tail] = isFull ? [2_000, 0.99] : [100, 0.95];
/** Eighteen calls and a thousand and a half records. */
const fields = Array.from({ length: 18 }, (_, index) => `a${index}: customers(first: ${100 - index}) { nodes { id } }`);
const heavy = `{ ${fields.join(' ')} }`;
const document = '{ customers(first: 1) { nodes { id } } }';
const greedy = { ...credentials, svcprivatekey: 'greedy-key' };

/** Asks so many times, once each: how long each answer took, and what came in place of one. */
async function sample(gateway: { readonly url: string }, count: number, small = document) {
  const took: number[] = [];
  const refused: unknown[] = [];
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    const answer = await query(gateway, small);
    refused.push(...codes(answer), ...(answer.status === 200 ? [] : [answer.status]));
    took.push(performance.now() - startedAt);
    await delay(pauseMs);
  }
  return { took, refused };
}

/** A machine that others use makes answers late: what is promised is asserted in a full run, which nothing may disturb. */
it.each([
  ...(isFull ? [50, 20, 5] : [50]).map(
    (latencyMs) => ['large', latencyMs, heavy, /reads_waiting \d\d/, isFull ? 3 : 4, 'OK', 0] as const,
  ),
  [
    'invalid',
    20,
    '{ nope }',
    /requests_in_flight [2-9]\d\d/,
    isFull ? 3 : 6,
    'GRAPHQL_VALIDATION_FAILED',
    100,
  ] as const,
])(
  'serves a quiet caller beside one with 500 %s queries at a time: %i ms a call',
  async (name, latencyMs, crowdDocument, isThere, greatestRatio, outcome, least) => {
    const service = startCommand('node', ['test/support/load/service.ts', String(latencyMs)]);
    const [upstream] = await service.printed(/http:\S+/);
    const gateway = await startGatewayProcess(upstream);
    await sample(gateway, 50);
    const alone = await sample(gateway, requests);
    const load = { document: crowdDocument, headers: greedy, seconds: maxSeconds, concurrency: crowdSize };
    const crowd = startLoad({ url: gateway.url, ...load });
    await expect.poll(gateway.metrics).toMatch(isThere);
    const beside = await sample(gateway, requests);
    // The crowd was there until the last sample.
    await expect.poll(gateway.metrics).toMatch(isThere);
    crowd.stop();
    const { outcomes } = await crowd.result;
    const [aloneMs = 0, besideMs = 0] = [alone, beside].map(({ took }) => quantile(took, tail));
    const ratio = besideMs / aloneMs;
    record(
      `A quiet caller beside one with 500 ${name} queries at a time, ${latencyMs} ms a call`,
      `${beside.refused.length} of ${requests} requests refused, p${100 * tail} × ${ratio.toFixed(1)} of alone (${Math.round(besideMs)} ms, ${Math.round(aloneMs)} ms); the other: ${JSON.stringify(outcomes)}`,
    );
    expect(outcomes[outcome]).toBeGreaterThan(least);
    expect(alone.refused).toEqual([]);
    expect(beside.refused).toEqual([]);
    expect(ratio).toBeLessThanOrEqual(greatestRatio);
  },
  900_000,
);

it('serves a quiet caller while the calls of another are never answered', async () => {
  const upstream = await startUpstream(({ path }) =>
    path.endsWith('/held') ? { hang: true } : success({ id: identifierIn(path), type: 'wallet' }),
  );
  onTestFinished(upstream.close);
  const gateway = await startGatewayProcess(upstream.url);
  const held = putLoad({
    url: gateway.url,
    document: '{ customer(id: "held") { type } }',
    headers: greedy,
    seconds: 3,
    rate: 400,
    concurrency: 1_200,
  });
  await expect.poll(gateway.metrics).toMatch(/requests_in_flight [2-9]\d\d/);
  await delay(1_500);
  const { refused } = await sample(gateway, 30, '{ customer(id: "c1") { type } }');
  gateway.command.signal('SIGKILL');
  await held;
  record(
    'A quiet caller while 1,200 requests of another wait for a service that does not answer',
    `${refused.length} of 30 requests refused`,
  );
  expect(refused).toEqual([]);
}, 60_000);

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}
