import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { codes, query } from '../../support/gateway.ts';
import { startGatewayProcess } from '../../support/gateway-process.ts';
import { imageSettings, podMebibytes } from '../../support/image.ts';
import { createMemoryLimit } from '../../support/memory-limit.ts';
import { startUpstream, success } from '../../support/upstream.ts';
import { isFull, record } from '../evidence.ts';

const mebibyte = 1 << 20;
/** Of MAX_UNREAD_BYTES, 64 MiB by default, callers that are not proven have half. */
const limitBytes = 32 * mebibyte;
const podMiB = podMebibytes();

const document = '{ customer(id: "c1") { type } }';
const headOf = (bytes: number): string =>
  `POST /graphql HTTP/1.1\r\nhost: gateway\r\nsvcprivatekey: made-up-key\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`;

async function start() {
  const upstream = await startUpstream(() => success({ id: 'c1', type: 'wallet' }));
  onTestFinished(upstream.close);
  const { environment, flags } = imageSettings();
  const limit = createMemoryLimit(podMiB * mebibyte);
  const gateway = await startGatewayProcess(upstream.url, environment, flags, limit?.launcher);
  // From now on its caller is known.
  expect(codes(await query(gateway, document))).toEqual([]);
  const { hostname, port } = new URL(gateway.url);
  const open = () => {
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    return socket.on('error', () => {}); // a connection that is closed while it sends is reset
  };

  /** Sends so many bodies that stop one byte before their end; the numbers of those whose connection is closed. */
  const sendUnfinished = async (connections: number, bytes: number): Promise<ReadonlySet<number>> => {
    const closed = new Set<number>();
    const unfinished = Buffer.from(headOf(bytes + 1) + '"'.padEnd(bytes, 'x'));
    const sending = Array.from({ length: connections }, async (_, index) => {
      const socket = open().resume();
      socket.on('close', () => closed.add(index));
      await new Promise<void>((resolve) => {
        socket.write(unfinished, () => resolve());
        socket.once('close', () => resolve());
      });
    });
    await Promise.all(sending);
    return closed;
  };
  /** Sends bodies byte by byte, each a chunk of its own, until all are closed or the time is over; the bytes sent. */
  const sendByByte = async (connections: number, seconds: number): Promise<number> => {
    const chunks = '1\r\nx\r\n'.repeat(400);
    const sockets = Array.from({ length: connections }, () => open().resume());
    for (const socket of sockets) socket.write(headOf(0).replace('content-length: 0', 'transfer-encoding: chunked'));
    const end = performance.now() + seconds * 1000;
    for (let bytes = 0; ; await delay(50)) {
      const writable = sockets.filter((socket) => socket.writable);
      if (writable.length === 0 || performance.now() > end) return bytes;
      for (const socket of writable) socket.write(chunks);
      bytes += writable.length * chunks.length;
    }
  };
  return { gateway, limit, sendUnfinished, sendByByte };
}

const peakOf = (limit: ReturnType<typeof createMemoryLimit>) =>
  limit === undefined ? undefined : Math.round(limit.peakBytes() / mebibyte);

it('outlives bodies that are sent byte by byte, without a credential, and serves the others', async () => {
  const { gateway, limit, sendByByte } = await start();
  const bytes = await sendByByte(300, 5);
  const answer = await query(gateway, document);
  const after = await gateway.residentMiB();
  record(
    '300 bodies sent byte by byte, each a chunk of its own, without a credential',
    `${Math.round(bytes / mebibyte)} MiB sent; resident ${after} MiB after; peak in a cgroup of ${podMiB} MiB: ${peakOf(limit) ?? 'not measured'} MiB`,
  );
  expect(codes(answer)).toEqual([]);
  expect(after).toBeLessThan(podMiB);
  expect(limit?.kills() ?? 0).toBe(0);
}, 120_000);

it.each([
  [1_400, 250_000],
  [isFull ? 10_000 : 4_000, 20_000],
])(
  'holds no more of %d unfinished bodies than MAX_UNREAD_BYTES, whoever sends them, and serves the others',
  async (connections, bytes) => {
    const { gateway, limit, sendUnfinished } = await start();
    const before = await gateway.residentMiB();
    const closed = await sendUnfinished(connections, bytes);
    const fitting = Math.floor(limitBytes / bytes);
    await expect.poll(() => closed.size, { timeout: 20_000 }).toBeGreaterThanOrEqual(connections - fitting);
    const answer = await query(gateway, document);
    const after = await gateway.residentMiB();
    const peakMiB = peakOf(limit);
    record(
      `${connections} bodies that stop before their end, without a credential`,
      `${Math.round((connections * bytes) / mebibyte)} MiB sent: ${closed.size} closed, resident ${before} MiB before and ${after} MiB after; peak in a cgroup of ${podMiB} MiB: ${peakMiB ?? 'not measured'} MiB`,
    );
    expect(codes(answer)).toEqual([]);
    expect(after).toBeLessThan(podMiB);
    expect(peakMiB ?? 0).toBeLessThan(podMiB);
    expect(limit?.kills() ?? 0).toBe(0);
  },
  120_000,
);
