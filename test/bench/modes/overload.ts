import { setTimeout as delay } from 'node:timers/promises';
import { resolve } from 'node:path';
import { putLoad, startLoad, type LoadResult } from '../../support/load/load.ts';
import { credentials } from '../files.ts';
import { stop } from '../programs.ts';
import { many, type Query } from '../questions.ts';
import { startGateway } from '../services.ts';
import { startUpstream } from '../upstream.ts';
import { printTable, type Bench } from './mode.ts';

const callMs = 30;
const callers = 50;
const concurrencies = [50, 200, 500, 1_000];
/** Requests a second of the caller whose waiting times are measured beside a crowd of another. */
const quietRate = 20;
const quietSeconds = 10;
const crowdSize = 500;
const settleMs = 1_000;

const small: Query = { calls: 1, document: '{ customer(id: "cus_0001") { id } }', variables: {} };
const crowds: readonly (readonly [name: string, query: Query | undefined])[] = [
  ['nobody', undefined],
  [`${crowdSize} × ${many.name}`, many],
  [`${crowdSize} invalid documents`, { calls: 0, document: '{ nope }', variables: {} }],
];

/**
 * Answers a second and refusals of one-customer queries at a service that takes 30 ms a call, from 50 callers and fresh
 * processes; then the waiting times of a quiet caller beside a crowd of another. Builds take turns.
 */
export async function runOverload({ folder, options }: Bench): Promise<void> {
  const { url } = await startUpstream(folder, callMs);
  const roots = { 'this build': undefined, ...(options.against && { 'the other': resolve(options.against) }) };
  const builds = Object.entries(roots);
  const rows: string[][] = [];
  const quietRows: string[][] = [];
  /** Runs something with a fresh process of each build. */
  const ofEach = async (run: (url: string, name: string) => Promise<void>): Promise<void> => {
    for (const [name, root] of builds) {
      const { pid, targetOf } = await startGateway({ folder, upstream: url, ...(root !== undefined && { root }) });
      await run(new URL(targetOf(small).url).origin, name);
      await stop(pid);
    }
  };
  const loadOf = (query: Query, key: string) => {
    const { document, variables } = query;
    return { document, variables, headers: { ...credentials, svcprivatekey: key } };
  };

  for (let round = 0; round < options.rounds; round += 1) {
    for (const concurrency of concurrencies) {
      await ofEach(async (gateway, name) => {
        const load = { url: gateway, seconds: options.seconds ?? 4, concurrency, callers };
        const result = await putLoad({ ...load, ...loadOf(small, credentials.svcprivatekey) });
        rows.push([
          `${concurrency} concurrent, ${callers} callers`,
          name,
          ...describe(result),
          String(result.goodMs.p50),
        ]);
      });
    }
    for (const [crowdName, query] of crowds) {
      await ofEach(async (gateway, name) => {
        const seconds = options.seconds ?? quietSeconds;
        const quiet = { url: gateway, ...loadOf(small, credentials.svcprivatekey), rate: quietRate, concurrency: 64 };
        await putLoad({ ...quiet, seconds: 1 });
        const loud = { seconds: seconds + 60, concurrency: crowdSize };
        const crowd = query && startLoad({ url: gateway, ...loadOf(query, 'demo-key-loud'), ...loud });
        await delay(settleMs);
        const result = await putLoad({ ...quiet, seconds });
        crowd?.stop();
        await crowd?.result;
        const { p50, p99 } = result.goodMs;
        quietRows.push([crowdName, name, String(refusedOf(result)), String(p50), String(p99)]);
      });
    }
  }
  printTable([`${callMs} ms a call`, 'build', 'answers a second', 'refused', 'p50, ms'], rows);
  printTable(['a quiet caller beside', 'build', 'refused', 'p50, ms', 'p99, ms'], quietRows);
}

function describe(result: LoadResult): readonly string[] {
  return [result.goodPerSecond.toFixed(0), String(refusedOf(result))];
}

function refusedOf({ sent, outcomes }: LoadResult): number {
  return sent - (outcomes['OK'] ?? 0);
}
