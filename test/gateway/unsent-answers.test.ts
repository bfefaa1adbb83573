import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { stopClock } from '../support/clock.ts';
import { query, startScripted } from '../support/gateway.ts';
import { pageOf } from '../support/upstream.ts';

/** An answer of about 15.6 MB: more than the system's buffers take, and four are within the limit of 64 MiB. */
const document = '{ settlementBanks(first: 100) { nodes { a: name b: name c: name d: name } } }';
const answerBytes = 15_600_000;

it('closes the connections that left their answers unread first, where these exceed 64 MiB', async () => {
  const name = 'x'.repeat(39_000);
  const records = Array.from({ length: 100 }, (_, index) => ({ id: `b${index}`, name }));
  const { gateway } = await startScripted(({ path }) => pageOf(records, path));
  const pass = stopClock();
  const body = JSON.stringify({ query: document });
  const request = `POST /graphql HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer test-token\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const ask = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    socket.write(request);
    await once(socket, 'readable');
    return socket;
  };
  const isWhole = async (socket: Socket): Promise<boolean> => {
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await once(socket, 'close');
    return bytes > answerBytes;
  };

  const [young, ...unread] = [await ask(), await ask(), await ask(), await ask(), await ask()];
  expect(await isWhole(young)).toBe(true);
  pass(1_000);
  // The second finds place where the first was read.
  expect((await query(gateway, document)).errors).toEqual([]);
  expect((await query(gateway, document)).errors).toEqual([]);
  expect(await Promise.all(unread.map(isWhole))).toEqual([false, true, true, true]);
});
