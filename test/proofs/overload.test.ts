import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { credentials } from '../support/gateway.ts';
import { startGatewayProcess, type GatewayProcess } from '../support/gateway-process.ts';
import { imageSettings, podMebibytes } from '../support/image.ts';
import { putLoad } from '../support/load/load.ts';
import { startCommand } from '../support/process.ts';
import { readSamples, valueOf } from '../support/samples.ts';
import { median } from '../support/median.ts';
import { createMemoryLimit } from '../support/memory-limit.ts';
import { isFull, record } from './evidence.ts';

const [rounds, seconds] = isFull ? [3, 4] : [1, 2];
const otherSeconds = isFull ? 4 : 2;
const sockets = 500;
const callers = 50;
const concurrencies = [50, 200, 500, 1_000];

async function startService(): Promise<string> {
  const service = startCommand('node', ['test/support/load/service.ts']);
  const [url] = await service.printed(/http:\S+/);
  return url;
}

async function measure(gateway: GatewayProcess, name: string): Promise<number> {
  return valueOf(readSamples(await gateway.metrics()), name);
}

it('answers as much with a thousand requests at once as with fewer, and refuses none', async () => {
  const { environment, flags } = imageSettings();
  const podMiB = podMebibytes();
  const limit = createMemoryLimit(podMiB * 2 ** 20);
  const gateway = await startGatewayProcess(await startService(), environment, flags, limit?.launcher);
  const load = {
    url: gateway.url,
    document: '{ customers(first: 1) { nodes { id } } }',
    headers: credentials,
    callers,
  };
  const perSecond = concurrencies.map((): number[] => []);
  const refused: unknown[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, concurrency] of concurrencies.entries()) {
      const { goodPerSecond, sent, outcomes } = await putLoad({ ...load, seconds, concurrency });
      perSecond[index]?.push(goodPerSecond);
      if (outcomes['OK'] !== sent) refused.push(outcomes);
    }
  }
  const medians = perSecond.map((values) => Math.round(median(values)));
  const share = (medians.at(-1) ?? 0) / Math.max(...medians);
  const residentMiB = await gateway.residentMiB();
  const peakMiB = limit === undefined ? 'not measured' : `${Math.round(limit.peakBytes() / 2 ** 20)} MiB`;
  record(
    `Requests at once of ${callers} callers: ${concurrencies.join(', ')}`,
    `${medians.join(', ')} answers a second, ${refused.length} loads with a refusal; resident ${residentMiB} MiB after, peak in a cgroup of ${podMiB} MiB: ${peakMiB}`,
  );
  expect(refused).toEqual([]);
  // In a short run the process is still warming up.
  expect(share).toBeGreaterThanOrEqual(isFull ? 0.9 : 0.7);
  expect(residentMiB).toBeLessThan(podMiB);
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
