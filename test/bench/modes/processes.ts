import { cpuTimeUs, freePort } from '../programs.ts';
import { many } from '../questions.ts';
import { median } from '../../support/median.ts';
import { printTable, spread } from '../report.ts';
import { interleave, runRound, type Round } from '../rounds.ts';
import { startGateway } from '../services.ts';
import { startUpstream } from '../upstream.ts';
import type { Bench } from './mode.ts';

/** Enough for the kernel, which deals them out by chance, to give each process much the same. */
const connections = 32;

interface SharedRound extends Round {
  /** Cores that each process was running on, on average. */
  readonly cores: readonly number[];
  readonly upstreamCores: number;
}

/** One process on a port beside two that share one; the machine's cores also carry the upstream and the load. */
export async function runProcesses({ folder, send, options }: Bench): Promise<void> {
  const upstream = await startUpstream(folder);
  const measuring = { send, upstream, connections, seconds: options.seconds ?? 4 };
  const prepare = async (count: number): Promise<() => Promise<SharedRound>> => {
    const sharedPort = await freePort();
    const start = () => startGateway({ folder, upstream: upstream.url, sharedPort });
    const first = await start();
    const others = await Promise.all(Array.from({ length: count - 1 }, start));
    const pids = [first, ...others].map(({ pid }) => pid);
    const watched = [...pids, upstream.pid];
    return async () => {
      const before = watched.map((pid) => cpuTimeUs(pid));
      const round = await runRound(measuring, { target: first.targetOf(many), calls: many.calls, pids });
      const cores = watched.map((pid, index) => (cpuTimeUs(pid) - (before[index] ?? 0)) / 1e6 / round.seconds);
      return { ...round, cores: cores.slice(0, count), upstreamCores: cores[count] ?? 0 };
    };
  };
  const { one, two } = await interleave(options.rounds, { one: await prepare(1), two: await prepare(2) });
  printTable(
    [`processes, ${many.name}`, 'requests/s', 'CPU µs', 'cores: gateway', 'least busy process', 'cores: upstream'],
    [describe('one', one), describe('two', two)],
  );
  const speedup = two.map((round, index) => perSecond(round) / perSecond(one[index] ?? round));
  const dearer = two.map(({ cpuUs }, index) => cpuUs / (one[index]?.cpuUs ?? 0));
  console.log(`two ÷ one: requests/s ${spread(speedup, 2)}, CPU per request ${spread(dearer, 2)}`);
}

function describe(name: string, rounds: readonly SharedRound[]): readonly string[] {
  const of = (value: (round: SharedRound) => number): number => median(rounds.map(value));
  const sum = (cores: readonly number[]): number => cores.reduce((total, part) => total + part, 0);
  return [
    name,
    of(perSecond).toFixed(0),
    of(({ cpuUs }) => cpuUs).toFixed(0),
    of(({ cores }) => sum(cores)).toFixed(2),
    of(({ cores }) => Math.min(...cores)).toFixed(2),
    of(({ upstreamCores }) => upstreamCores).toFixed(2),
  ];
}

function perSecond({ requests, seconds }: Round): number {
  return requests / seconds;
}
