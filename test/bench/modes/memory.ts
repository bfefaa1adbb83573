import { setTimeout as delay } from 'node:timers/promises';
import { slope } from '../slope.ts';
import { residentMiB } from '../programs.ts';
import { heaviest } from '../questions.ts';
import { startGateway } from '../services.ts';
import { startUpstream } from '../upstream.ts';
import { printTable, type Bench } from './mode.ts';

const samples = 10;

/** Resident memory and heap of the gateway while it is asked the heaviest query without a pause. */
export async function runMemory({ folder, send, options }: Bench): Promise<void> {
  const upstream = await startUpstream(folder);
  const { pid, metricsUrl, targetOf } = await startGateway({ folder, upstream: upstream.url });
  const seconds = options.seconds ?? 300;
  const begunAt = performance.now();
  const loaded = send(targetOf(heaviest), { connections: 8, seconds });
  const points: { readonly minutes: number; readonly resident: number; readonly heap: number }[] = [];
  const sample = async (): Promise<void> => {
    for (let index = 1; index <= samples; index += 1) {
      await delay(begunAt + (index * seconds * 1000) / samples - performance.now());
      const minutes = (performance.now() - begunAt) / 60_000;
      points.push({ minutes, resident: residentMiB(pid), heap: await heapMiB(metricsUrl) });
    }
  };
  const [{ requests }] = await Promise.all([loaded, sample()]);
  printTable(
    ['seconds', 'resident, MiB', 'heap in use, MiB'],
    points.map(({ minutes, resident, heap }) => [(minutes * 60).toFixed(0), resident.toFixed(1), heap.toFixed(1)]),
  );
  const lastHalf = points.slice(samples / 2);
  const growth = slope(lastHalf.map(({ minutes, resident }) => ({ minutes, value: resident })));
  console.log(`${requests} × ${heaviest.name}; over the last half ${growth.toFixed(2)} MiB a minute`);
}

async function heapMiB(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const [, bytes] = /^nodejs_heap_size_used_bytes (\S+)/m.exec(text) ?? [];
  return Number(bytes) / 2 ** 20;
}
