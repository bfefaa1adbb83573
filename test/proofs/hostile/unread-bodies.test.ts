import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startGatewayProcess } from '../gateway-process.ts';
import { codes, query } from '../../support/gateway.ts';
import { imageSettings, podMebibytes } from '../../bench/image.ts';
import { createMemoryLimit } from './memory-limit.ts';
import { startUpstream, success } from '../../support/upstream/upstream.ts';
import { isFull, record } from '../evidence.ts';

const mebibyte = 1 << 20;
/** Of MAX_UNREAD_BYTES, 64 MiB by default, callers that are not proven have half. */
const limitBytes = 32 * mebibyte;
const podMiB = podMebibytes();

const outlived = { errors: [], kills: 0, isTooLarge: false };
const document = '{ customer(id: "c1") { type } }';
const headOf = (length: string): string =>
  `POST /graphql HTTP/1.1\r\nhost: gateway\r\nsvcprivatekey: made-up-key\r\ncontent-type: application/json\r\n${length}\r\n\r\n`;

/** Has `attack` send what it likes; what is wrong with the gateway afterwards, in the shipped pod's memory. */
async function outlive(name: string, attack: (open: () => Socket) => Promise<string>) {
  const upstream = await startUpstream(() => success({ id: 'c1', type: 'wallet' }));
  onTestFinished(upstream.close);
  const { environment, flags } = imageSettings();
  const limit = createMemoryLimit(podMiB * mebibyte);
  const gateway = await startGatewayProcess(upstream.url, environment, flags, limit?.launcher);
  // From now on its caller is known.
  expect(codes(await query(gateway, document))).toEqual([]);
  const { hostname, port } = new URL(gateway.url);
  const told = await attack(() => {
    const socket = connect(Number(port), hostname).resume();
    onTestFinished(() => void socket.destroy());
    return socket.on('error', () => {}); // a connection that is closed while it sends is reset
  });
  const answer = await query(gateway, document);
  const after = await gateway.residentMiB();
  const peakMiB = limit === undefined ? 0 : Math.round(limit.peakBytes() / mebibyte);
  const peak = `peak in a cgroup of ${podMiB} MiB: ${limit === undefined ? 'not measured' : peakMiB}`;
  record(name, `${told}; resident ${after} MiB after; ${peak}`);
  return { errors: codes(answer), kills: limit?.kills() ?? 0, isTooLarge: Math.max(after, peakMiB) >= podMiB };
}

it(
  'outlives bodies that are sent byte by byte, without a credential, and serves the others',
  { timeout: 120_000 },
  async () => {
    const outcome = await outlive(
      '300 bodies sent byte by byte, each a chunk of its own, without a credential',
      async (open) => {
        const chunks = '1\r\nx\r\n'.repeat(400);
        const sockets = Array.from({ length: 300 }, open);
        for (const socket of sockets) socket.write(headOf('transfer-encoding: chunked'));
        const end = performance.now() + 5_000;
        let bytes = 0;
        while (sockets.some(({ writable }) => writable) && performance.now() < end) {
          for (const socket of sockets.filter(({ writable }) => writable))
            socket.write(chunks, () => (bytes += chunks.length));
          await delay(50);
        }
        return `${Math.round(bytes / mebibyte)} MiB sent`;
      },
    );
    expect(outcome).toEqual(outlived);
  },
);

it.each([
  [2_800, 125_000],
  [isFull ? 10_000 : 4_000, 20_000],
])(
  'holds no more of %d unfinished bodies than MAX_UNREAD_BYTES, whoever sends them, and serves the others',
  { timeout: 120_000 },
  async (connections, bytes) => {
    const outcome = await outlive(
      `${connections} bodies that stop before their end, without a credential`,
      async (open) => {
        const closed = new Set<number>();
        const unfinished = Buffer.from(headOf(`content-length: ${bytes + 1}`) + '"'.padEnd(bytes, 'x'));
        const sending = Array.from({ length: connections }, async (_, index) => {
          const socket = open().on('close', () => closed.add(index));
          await new Promise<void>((resolve) => {
            socket.write(unfinished, () => resolve());
            socket.once('close', () => resolve());
          });
        });
        await Promise.all(sending);
        const fitting = Math.floor(limitBytes / bytes);
        await expect.poll(() => closed.size, { timeout: 20_000 }).toBeGreaterThanOrEqual(connections - fitting);
        return `${Math.round((connections * bytes) / mebibyte)} MiB sent: ${closed.size} closed`;
      },
    );
    expect(outcome).toEqual(outlived);
  },
);
