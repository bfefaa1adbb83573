import { Pool } from 'undici';
import { median } from '../median.ts';
import { credentials } from '../files.ts';
import { repeat } from '../load.ts';
import { many, screen, type Question } from '../questions.ts';
import { interleave } from '../rounds.ts';
import { startGateway, startHandWritten } from '../services.ts';
import { startUpstream } from '../upstream.ts';
import { printTable, spread, type Bench } from './mode.ts';

const callMs = 50;

/** A question, and the calls that any client must wait for. */
const scenes: readonly (readonly [question: Question, alone: string, callAlone: (pool: Pool) => Promise<void>])[] = [
  [many, 'the calls alone', callMany],
  [screen, 'one call alone', (pool) => makeCall(pool, 'cus_0001/balance')],
];

/** What both services add to a slow upstream's own time when there is next to no load. */
export async function runLatency({ folder, send, options }: Bench): Promise<void> {
  const { url } = await startUpstream(folder, callMs);
  const load = { connections: 1, seconds: options.seconds ?? 5 };
  const gateway = await startGateway({ folder, upstream: url });
  const handWritten = await startHandWritten({ folder, upstream: url });
  for (const [question, alone, callAlone] of scenes) {
    const pool = new Pool(url, { connections: 64 });
    const measured = await interleave(options.rounds, {
      [alone]: () => repeat(() => callAlone(pool), load),
      'by hand': () => send(handWritten.targetOf(question), load),
      gateway: () => send(gateway.targetOf(question), load),
    });
    await pool.close();
    const before = measured[alone] ?? [];
    const [byP50, byP95] = [`p50 ÷ p50 of ${alone}`, `p95 − p95 of ${alone}, ms`];
    printTable(
      [`${question.name}, ${callMs} ms a call (Node)`, 'p50, ms', 'p95, ms', byP50, byP95],
      Object.entries(measured).map(([name, rounds]) => {
        const parts = rounds.map(({ p50Ms }, round) => p50Ms / (before[round]?.p50Ms ?? 1));
        const added = rounds.map(({ p95Ms }, round) => p95Ms - (before[round]?.p95Ms ?? 0));
        const p50 = median(rounds.map(({ p50Ms }) => p50Ms));
        const p95 = median(rounds.map(({ p95Ms }) => p95Ms));
        return [name, p50.toFixed(1), p95.toFixed(1), spread(parts, 2), spread(added, 1)];
      }),
    );
  }
}

/** The calls of the question by a client that does nothing with their answers. */
async function callMany(pool: Pool): Promise<void> {
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
