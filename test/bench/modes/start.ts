import { cpuTimeUs, stop } from '../programs.ts';
import { interleave } from '../rounds.ts';
import { startGateway, startHandWritten, type Service } from '../services.ts';
import { startUpstream } from '../upstream.ts';
import { printTable, spread, type Bench } from './mode.ts';

/** The time and the CPU time from the start of a process to its first answer. */
export async function runStart({ folder, options }: Bench): Promise<void> {
  const upstream = await startUpstream(folder);
  const measure = async (start: (options: { folder: string; upstream: string }) => Promise<Service>) => {
    const { pid, startMs } = await start({ folder, upstream: upstream.url });
    const cpuMs = cpuTimeUs(pid) / 1000;
    await stop(pid);
    return { startMs, cpuMs };
  };
  const measured = await interleave(options.rounds, {
    'by hand': () => measure(startHandWritten),
    gateway: () => measure(startGateway),
  });
  printTable(
    [`first answer after a start (${options.rounds} of each)`, 'ms (lowest–highest)', 'CPU ms (lowest–highest)'],
    Object.entries(measured).map(([name, starts]) => {
      const [ms, cpuMs] = [starts.map(({ startMs }) => startMs), starts.map(({ cpuMs }) => cpuMs)];
      return [name, spread(ms, 0), spread(cpuMs, 0)];
    }),
  );
}
