/**
 * A load generator in a process of its own: `node generator.ts '{"url", "seconds", …}'` prints what came of it as JSON.
 * With a `rate` its loop is open: requests leave by the clock, whether or not the ones before were answered. SIGTERM ends
 * it before its time.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { LoadOptions, LoadResult } from './load.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as LoadOptions;
const { url, document, variables, headers, seconds, rate, concurrency, callers = 1 } = options;
const body = JSON.stringify({ query: document, variables });
const pool = new Pool(url, { connections: concurrency, pipelining: 1, bodyTimeout: 60_000, headersTimeout: 60_000 });
const outcomes: Record<string, number> = {};
const begunAt = performance.now();
let endsAt = begunAt + seconds * 1000;
process.once('SIGTERM', () => {
  endsAt = performance.now();
});
const goodMs: number[] = [];
const refusedMs: number[] = [];
let sent = 0;

async function ask(caller = 0): Promise<void> {
  sent += 1;
  const startedAt = performance.now();
  const outcome = await outcomeOf(caller).catch(
    (error: Error & { readonly code?: string }) => error.code ?? error.name,
  );
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  if (outcome === 'OK') goodMs.push(performance.now() - startedAt);
  if (outcome === 'OVERLOADED') refusedMs.push(performance.now() - startedAt);
}

/** `OK`, or the code of the first error, after `PARTLY` where data may stand beside it. */
async function outcomeOf(caller: number): Promise<string> {
  const key = { svcprivatekey: `${headers['svcprivatekey']}${caller === 0 ? '' : `-${caller}`}` };
  const sent = { 'content-type': 'application/json', ...headers, ...key };
  const request = { method: 'POST', path: '/graphql', headers: sent };
  const answer = await pool.request({ ...request, body });
  const text = await answer.body.text();
  if (answer.statusCode === 200 && !text.includes('"errors"')) return 'OK';
  const code = /"code":"(\w+)"/.exec(text)?.[1] ?? `HTTP ${answer.statusCode}`;
  return answer.statusCode === 200 ? `PARTLY ${code}` : code;
}

async function openLoop(perSecond: number): Promise<void> {
  const pending = new Set<Promise<void>>();
  while (performance.now() < endsAt) {
    while (sent < ((performance.now() - begunAt) / 1000) * perSecond) {
      const asking = ask().finally(() => pending.delete(asking));
      pending.add(asking);
    }
    await delay(2);
  }
  await Promise.all(pending);
}

async function closedLoop(): Promise<void> {
  const work = async (worker: number): Promise<void> => {
    while (performance.now() < endsAt) await ask(worker % callers);
  };
  await Promise.all(Array.from({ length: concurrency }, (_, worker) => work(worker)));
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0);
}

await (rate === undefined ? closedLoop() : openLoop(rate));
const result: LoadResult = {
  sent,
  outcomes,
  goodPerSecond: (goodMs.length * 1000) / (performance.now() - begunAt),
  goodMs: { p50: percentile(goodMs, 0.5), p99: percentile(goodMs, 0.99) },
  refusedMs: { p50: percentile(refusedMs, 0.5), p99: percentile(refusedMs, 0.99) },
};
process.stdout.write(JSON.stringify(result));
await pool.destroy();
