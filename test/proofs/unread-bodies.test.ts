import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { codes, query } from '../support/gateway.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { imageSettings } from '../support/image.ts';
import { createMemoryLimit } from '../support/memory-limit.ts';
import { readSamples, valueOf } from '../support/samples.ts';
import { startUpstream, success } from '../support/upstream.ts';
import { record } from './evidence.ts';

const connections = 1_400;
const bodyBytes = 250_000;
const mebibyte = 1 << 20;
const deployment = readFileSync(new URL('../../deploy/kubernetes.yaml', import.meta.url), 'utf8');
const podMiB = Number(/limits: \{ memory: (\d+)Mi \}/.exec(deployment)?.[1]);

it('holds no more of unfinished bodies than MAX_UNREAD_BYTES, whoever sends them, and serves the others', async () => {
  const upstream = await startUpstream(() => success({ id: 'c1', type: 'wallet' }));
  onTestFinished(upstream.close);
  const { environment, flags } = imageSettings();
  const limit = createMemoryLimit(podMiB * mebibyte);
  const gateway = await startGatewayProcess(upstream.url, environment, flags, limit?.launcher);
  const residentMiB = async (): Promise<number> =>
    Math.round(valueOf(readSamples(await gateway.metrics()), 'process_resident_memory_bytes') / mebibyte);
  const before = await residentMiB();
  const { hostname, port } = new URL(gateway.url);
  const head = `POST /graphql HTTP/1.1\r\nhost: gateway\r\ncontent-type: application/json\r\ncontent-length: ${bodyBytes + 1}\r\n\r\n`;
  const unfinished = Buffer.from(head + '"'.padEnd(bodyBytes, 'x'));
  let closed = 0;
  const sending = Array.from({ length: connections }, async () => {
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.resume().on('error', () => {}); // a connection that is closed while it sends is reset
    socket.on('close', () => (closed += 1));
    await new Promise<void>((resolve) => {
      socket.write(unfinished, () => resolve());
      socket.once('close', () => resolve());
    });
  });
  await Promise.all(sending);
  const answer = await query(gateway, '{ customer(id: "c1") { type } }');
  const after = await residentMiB();
  const peakMiB = limit === undefined ? 'not measured' : `${Math.round(limit.peakBytes() / mebibyte)} MiB`;
  record(
    'Bodies that stop before their end, without a credential',
    `${connections} connections, ${Math.round((connections * bodyBytes) / mebibyte)} MiB sent: ${closed} closed, resident ${before} MiB before and ${after} MiB after; peak in a cgroup of ${podMiB} MiB: ${peakMiB}`,
  );
  expect(codes(answer)).toEqual([]);
  expect(closed).toBeGreaterThan(0);
  expect(after).toBeLessThan(podMiB);
  expect(limit?.kills() ?? 0).toBe(0);
}, 60_000);
