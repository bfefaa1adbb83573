import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { Pool } from 'undici';
import { credentials } from '../gateway.ts';
import { startUpstream, success } from '../upstream/upstream.ts';

export interface SteadyLoad {
  readonly answered: () => number;
  /** What came in place of an answer with data: codes, statuses and connection faults. */
  readonly failures: readonly string[];
  /** How long half of them took at the most. */
  readonly failedMs: () => number;
  readonly stop: () => Promise<void>;
}

export interface Asked {
  /** A customer that the service has. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Clients {
  readonly clients?: number;
  readonly longestPauseMs?: number;
  /** Whether they keep their connections; else each request has one of its own. */
  readonly keepAlive?: boolean;
}

/**
 * Clients that ask all the time, with short pauses, whoever `target` names at the moment; on connections that they keep,
 * by default. Nothing is repeated for them: what fails has failed.
 */
export function startSteadyLoad(
  target: () => string,
  { id, headers }: Asked = { id: 'c1', headers: credentials },
  { clients = 12, longestPauseMs = 20, keepAlive = true }: Clients = {},
): SteadyLoad {
  const body = JSON.stringify({ query: `{ customer(id: "${id}") { id firstName } }` });
  const pools = new Map<string, Pool>();
  const failures: string[] = [];
  const failedMs: number[] = [];
  let answered = 0;
  const stopping = new AbortController();

  const poolFor = (url: string): Pool => {
    const pool = pools.get(url) ?? new Pool(url, { connections: clients, pipelining: keepAlive ? 1 : 0 });
    pools.set(url, pool);
    return pool;
  };
  const ask = async (): Promise<string | undefined> => {
    const answer = await poolFor(target()).request({
      method: 'POST',
      path: '/graphql',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    const text = await answer.body.text();
    return answer.statusCode === 200 && text.includes(`"id":"${id}"`) ? undefined : `${answer.statusCode} ${text}`;
  };
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const failure = await ask().catch((error: Error & { readonly code?: string }) => error.code ?? error.message);
      if (failure === undefined) answered += 1;
      else {
        failures.push(failure);
        failedMs.push(performance.now() - startedAt);
      }
      await delay(Math.random() * longestPauseMs);
    }
  };
  const working = Promise.all(Array.from({ length: clients }, work));
  const stop = async (): Promise<void> => {
    stopping.abort();
    await working;
    await Promise.all([...pools.values()].map((pool) => pool.destroy()));
  };
  onTestFinished(stop);
  const medianMs = (): number => Math.round(failedMs.toSorted((a, b) => a - b)[failedMs.length >> 1] ?? 0);
  return { answered: () => answered, failures, failedMs: medianMs, stop };
}

/** The service that such a load asks: all its customers are one. */
export async function startSteadyService(): Promise<string> {
  const upstream = await startUpstream(() => success({ id: 'c1', first_name: 'Ada' }));
  onTestFinished(upstream.close);
  return upstream.url;
}

/** Waits for as many more answers: the load has by then met whatever happened before. */
export async function moreAnswers({ answered }: SteadyLoad, count = 200): Promise<void> {
  const enough = answered() + count;
  await expect.poll(answered, { timeout: 20_000 }).toBeGreaterThan(enough);
}
