import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { credentials } from '../support/gateway.ts';
import { startGatewayProcess, type GatewayProcess } from '../support/gateway-process.ts';
import { putLoad, type LoadResult } from '../support/load/load.ts';
import { startCommand } from '../support/process.ts';
import { readSamples, valueOf } from '../support/samples.ts';
import { isFull, record } from './evidence.ts';

const seconds = isFull ? 30 : 5;
const sockets = 500;
/** Much work for few bytes, so that the gateway is what there is too little of. */
const fields = Array.from({ length: 6 }, (_, index) => `a${index}: customers(first: 100) { nodes { id createdAt } }`);
const document = `{ ${fields.join(' ')} }`;

async function startService(): Promise<string> {
  const service = startCommand('node', ['test/support/load/service.ts']);
  const [url] = await service.printed(/http:\S+/);
  return url;
}

function perSecond({ outcomes, seconds }: LoadResult): number {
  return (outcomes['OK'] ?? 0) / seconds;
}

async function measure(gateway: GatewayProcess, name: string): Promise<number> {
  return valueOf(readSamples(await gateway.metrics()), name);
}

it('answers under four times its capacity as much as at its best, and everything once', async () => {
  const gateway = await startGatewayProcess(await startService());
  const load = { url: gateway.url, document, headers: credentials };
  await putLoad({ ...load, seconds: 2, concurrency: 32 });
  const before = await putLoad({ ...load, seconds: 4, concurrency: 32 });
  const rate = 4 * perSecond(before);
  await putLoad({ ...load, seconds: 3, rate, concurrency: 500 });
  const memoryBefore = await measure(gateway, 'process_resident_memory_bytes');
  const over = await putLoad({ ...load, seconds, rate, concurrency: 500 });
  const memoryAfter = await measure(gateway, 'process_resident_memory_bytes');
  const after = await putLoad({ ...load, seconds: 4, concurrency: 32 });
  const peak = Math.max(perSecond(before), perSecond(after));

  const { OK = 0, OVERLOADED = 0, ...others } = over.outcomes;
  const percent = (part: number): string => `${Math.round(part * 100)} %`;
  record(
    'Offered four times what can be done',
    `${over.sent} requests in ${seconds} s: ${OK} answered (${percent(perSecond(over) / peak)} of the peak, half of them within ${over.goodMs.p50} ms), ${OVERLOADED} refused (half within ${over.refusedMs.p50} ms), memory ${percent(memoryAfter / memoryBefore)} of what it was`,
  );
  expect(others).toEqual({});
  expect(OK + OVERLOADED).toBe(over.sent);
  expect(OVERLOADED).toBeGreaterThan(0);
  expect(await measure(gateway, 'settlement_graph_rejections_total{reason="overloaded"}')).toBeGreaterThanOrEqual(
    OVERLOADED,
  );
  // Far from what is measured on a quiet machine, and far above what a queue without admission leaves.
  expect(perSecond(over) / peak).toBeGreaterThan(0.4);
  expect(memoryAfter / memoryBefore).toBeLessThan(2);
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
  const calm = { ...load, seconds: 4, rate: 50, concurrency: 64 };
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
