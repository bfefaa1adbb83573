import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { query, startScripted } from '../support/gateway.ts';
import { success } from '../support/upstream/upstream.ts';

const limitBytes = 1_048_576;
const document = '{ customer(id: "c1") { id } }';
const head =
  'POST /graphql HTTP/1.1\r\nhost: gateway\r\nsvcprivatekey: made-up-key\r\ncontent-type: application/json\r\n';
const start = () =>
  startScripted(() => success({ id: 'c1' }), { environment: { MAX_UNREAD_BYTES: String(limitBytes) } });

/** A connection, with all that came back over it. */
function open(url: string): { readonly socket: Socket; readonly answer: () => string } {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.on('data', (data: Buffer) => (answer += String(data))).on('error', () => {}); // a refused body may be reset
  return { socket, answer: () => answer };
}

it('refuses each body that crosses the total of bodies that arrive, closes its connection, and has room for known callers', async () => {
  const { gateway, upstream } = await start();
  expect((await query(gateway, document)).errors).toEqual([]);
  // Of a mebibyte, callers that nobody knows have half.
  const connections = Array.from({ length: 9 }, () => open(gateway.url));
  const closed = connections.map(({ socket }) => once(socket, 'close'));
  for (const { socket } of connections) socket.write(`${head}content-length: 125000\r\n\r\n"${'x'.repeat(100_000)}`);
  const answersOf = () => connections.map(({ answer }) => answer()).filter((answer) => answer !== '');
  await expect.poll(() => answersOf().length).toBe(4);
  for (const answer of answersOf()) expect(answer).toMatch(/^HTTP\/1\.1 503 [^]*"code":"OVERLOADED"/);
  expect((await query(gateway, `${document} #${'x'.repeat(30_000)}`)).errors).toEqual([]);
  // What has left is counted no more.
  for (const { socket } of connections) socket.destroy();
  await Promise.all(closed);
  const { socket, answer } = open(gateway.url);
  socket.write(`${head}content-length: 100000\r\n\r\n${'x'.repeat(100_000)}`);
  await expect.poll(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(upstream.requests).toHaveLength(2);
});

it('counts the memory of each chunk of a body that is sent byte by byte', async () => {
  const { gateway } = await start();
  const { socket, answer } = open(gateway.url);
  socket.write(`${head}transfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(limitBytes / 256)}`);
  await expect.poll(answer).toMatch(/^HTTP\/1\.1 503 [^]*"code":"OVERLOADED"/);
});

it('counts nothing twice, and nothing of what was answered', async () => {
  const { gateway } = await start();
  const long = `${document} #${'x'.repeat(30_000)}`;
  for (let round = 0; round < 2; round += 1) {
    for (let index = 0; index < 40; index += 1) expect((await query(gateway, long)).errors).toEqual([]);
  }
});
