import { Pool } from 'undici';
import { credentials } from '../files.ts';
import { repeat } from '../load.ts';
import { many } from '../questions.ts';
import { median } from '../../support/median.ts';
import { printTable, spread } from '../report.ts';
import { interleave } from '../rounds.ts';
import { startGateway, startHandWritten } from '../services.ts';
import { startUpstream } from '../upstream.ts';
import type { Bench } from './mode.ts';

const callMs = 50;
/** The list, then the balances of all its customers at once. */
const criticalPathMs = 2 * callMs;

/** What both services add to a slow upstream's own time when there is next to no load. */
export async function runLatency({ folder, send, options }: Bench): Promise<void> {
  const upstream = await startUpstream(folder, callMs);
  const gateway = await startGateway({ folder, upstream: upstream.url });
  const handWritten = await startHandWritten({ folder, upstream: upstream.url });
  const pool = new Pool(upstream.url, { connections: 64 });
  const load = { connections: 1, seconds: options.seconds ?? 5 };
  const measured = await interleave(options.rounds, {
    'the calls alone': () => repeat(() => makeCalls(pool), load),
    'by hand': () => send(handWritten.targetOf(many), load),
    gateway: () => send(gateway.targetOf(many), load),
  });
  await pool.close();
  const alone = measured['the calls alone'];
  const titles = ['p50, ms', 'p95, ms', `p95 − ${criticalPathMs} ms`, 'p95 − p95 of the calls alone'];
  printTable(
    [`${many.name}, ${callMs} ms a call (Node)`, ...titles],
    Object.entries(measured).map(([name, rounds]) => {
      const p50s = rounds.map(({ p50Ms }) => p50Ms);
      const p95s = rounds.map(({ p95Ms }) => p95Ms);
      const overPath = p95s.map((p95Ms) => p95Ms - criticalPathMs);
      const overCalls = p95s.map((p95Ms, round) => p95Ms - (alone[round]?.p95Ms ?? 0));
      return [name, median(p50s).toFixed(1), median(p95s).toFixed(1), spread(overPath, 1), spread(overCalls, 1)];
    }),
  );
}

/** The same calls by a client that does nothing with their answers: what the upstream and any client take by themselves. */
async function makeCalls(pool: Pool): Promise<void> {
  const ids = Array.from({ length: many.calls - 1 }, (_, index) => `cus_${String(index + 1).padStart(4, '0')}`);
  await makeCall(pool, `?page=1&per_page=${ids.length}`);
  await Promise.all(ids.map((id) => makeCall(pool, `${id}/balance`)));
}

async function makeCall(pool: Pool, below: string): Promise<void> {
  const path = `/api/v1/customers/${below}`;
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers: credentials });
  await body.dump();
  if (statusCode !== 200) throw new Error(`${path} answers ${statusCode}`);
}
