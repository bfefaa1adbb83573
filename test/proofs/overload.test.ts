import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { credentials } from '../support/gateway.ts';
import { startGatewayProcess, type GatewayProcess } from '../support/gateway-process.ts';
import { imageSettings, podMebibytes } from '../support/image.ts';
import { putLoad, type LoadResult } from '../support/load/load.ts';
import { startCommand } from '../support/process.ts';
import { readSamples, valueOf } from '../support/samples.ts';
import { median } from '../support/median.ts';
import { createMemoryLimit } from '../support/memory-limit.ts';
import { isFull, record } from './evidence.ts';

/** In a full run thirty seconds in all, each five of them beside the best that the machine gives just then. */
const [rounds, seconds, otherSeconds] = isFull ? [6, 5, 4] : [1, 3, 2];
const sockets = 500;
/** Much work for few bytes, eighteen calls, so that the gateway is what there is too little of. */
const fields = Array.from({ length: 18 }, (_, index) => `a${index}: customers(first: ${100 - index}) { nodes { id } }`);
const document = `{ ${fields.join(' ')} }`;

async function startService(): Promise<string> {
  const service = startCommand('node', ['test/support/load/service.ts']);
  const [url] = await service.printed(/http:\S+/);
  return url;
}

async function measure(gateway: GatewayProcess, name: string): Promise<number> {
  return valueOf(readSamples(await gateway.metrics()), name);
}

it('answers under four times its capacity as much as at its best, and everything once', async () => {
  const { environment, flags } = imageSettings();
  const podMiB = podMebibytes();
  const limit = createMemoryLimit(podMiB * 2 ** 20);
  const gateway = await startGatewayProcess(await startService(), environment, flags, limit?.launcher);
  const load = { url: gateway.url, document, headers: credentials };
  await putLoad({ ...load, seconds: 2, concurrency: 16 });
  const measurePeak = async () => (await putLoad({ ...load, seconds: otherSeconds, concurrency: 16 })).goodPerSecond;
  const peaks = [await measurePeak()];
  const rate = 4 * (peaks[0] ?? 0);
  await putLoad({ ...load, seconds: otherSeconds, rate, concurrency: 500 });
  const memoryBefore = await gateway.residentMiB();
  const loads: LoadResult[] = [];
  for (let round = 0; round < rounds; round += 1) {
    loads.push(await putLoad({ ...load, seconds, rate, concurrency: 500 }));
    peaks.push(await measurePeak());
  }
  const memoryAfter = await gateway.residentMiB();
  const peakMiB = limit === undefined ? undefined : Math.round(limit.peakBytes() / 2 ** 20);
  const parts = loads.map((over, round) => (2 * over.goodPerSecond) / ((peaks[round] ?? 0) + (peaks[round + 1] ?? 0)));
  const sum = (value: (result: LoadResult) => number): number => loads.reduce((all, result) => all + value(result), 0);
  const [sent, answered, refused, partly] = [
    sum((result) => result.sent),
    sum(({ outcomes }) => outcomes['OK'] ?? 0),
    sum(({ outcomes }) => outcomes['OVERLOADED'] ?? 0),
    // Let in before the process knew that it is busy, with more calls than the caller may have waiting.
    sum(({ outcomes }) => outcomes['PARTLY OVERLOADED'] ?? 0),
  ];
  const within = (values: readonly number[]): string => `${Math.max(...values)} ms`;

  const percent = (part: number): string => `${Math.round(part * 100)} %`;
  const spread = rounds === 1 ? '' : `, ${percent(Math.min(...parts))} to ${percent(Math.max(...parts))}`;
  record(
    'Offered four times what can be done',
    `${sent} requests in ${rounds * seconds} s: ${answered} answered (${percent(median(parts))} of the peak${spread}; half of them within ${within(loads.map(({ goodMs }) => goodMs.p50))}), ${refused} refused and ${partly} refused in part (half within ${within(loads.map(({ refusedMs }) => refusedMs.p50))}), resident memory ${memoryBefore} MiB before, ${memoryAfter} MiB after; peak in a cgroup of ${podMiB} MiB: ${peakMiB ?? 'not measured'} MiB`,
  );
  expect(answered + refused + partly).toBe(sent);
  expect(refused).toBeGreaterThan(0);
  expect(await measure(gateway, 'settlement_graph_rejections_total{reason="overloaded"}')).toBeGreaterThanOrEqual(
    refused,
  );
  // Far from what is measured on a quiet machine, and far above what a queue without admission leaves.
  expect(median(parts)).toBeGreaterThan(0.4);
  expect(memoryAfter).toBeLessThan(podMiB);
  expect(limit?.kills() ?? 0).toBe(0);
}, 300_000);

const head = 'POST /graphql HTTP/1.1\r\nhost: gateway\r\ncontent-type: application/json\r\n';
const beginnings = [`${head}x-slow: `, `${head}content-length: 100000\r\n\r\n{"query":"`];

/** Sends a byte now and then for as long as the server listens. */
function trickle(url: string, beginning: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname, () => socket.write(beginning));
  const timer = setInterval(() => socket.write('x'), 500);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {}).resume();
  return new Promise((resolve) => {
    socket.once('close', () => {
      clearInterval(timer);
      resolve();
    });
  });
}

it('cuts five hundred slow clients, and serves the others as before', async () => {
  const gateway = await startGatewayProcess(await startService());
  const load = { url: gateway.url, document: '{ customers(first: 1) { nodes { id } } }', headers: credentials };
  const calm = { ...load, seconds: otherSeconds, rate: 50, concurrency: 64 };
  await putLoad(calm);
  const alone = await putLoad(calm);
  let cut = 0;
  const slow = Array.from({ length: sockets }, (_, index) =>
    trickle(gateway.url, beginnings[index % 2] ?? '').then(() => (cut += 1)),
  );
  const among = await putLoad(calm);
  await Promise.all(slow);
  record(
    'Slow clients beside healthy ones',
    `${cut} of ${sockets} slow clients cut; of ${among.sent} healthy requests ${among.outcomes['OK']} answered, half within ${among.goodMs.p50} ms beside ${alone.goodMs.p50} ms alone`,
  );
  expect(among.outcomes).toEqual({ OK: among.sent });
  expect(among.goodMs.p50).toBeLessThan(10 * (alone.goodMs.p50 + 5));
  expect(await measure(gateway, 'settlement_graph_requests_in_flight')).toBe(0);
}, 120_000);
