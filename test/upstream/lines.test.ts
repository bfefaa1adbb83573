import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createHttpClient, type Answer, type Failure } from '../../src/upstream/wire/http-client.ts';

interface Sent {
  readonly path: string;
  readonly isWrite?: boolean;
  readonly timeoutMs?: number;
}

type Answers = (connection: number, request: IncomingMessage, response: ServerResponse) => void;

/** A service that knows its connections by their numbers, from 1, and a dispatcher that asks it. */
async function start(answer: Answers, connections = 8) {
  const numbers = new Map<IncomingMessage['socket'], number>();
  const server = createServer((request, response) => {
    const number = numbers.get(request.socket) ?? numbers.size + 1;
    numbers.set(request.socket, number);
    answer(number, request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const { send, close } = createHttpClient({ baseUrl: new URL(`http://127.0.0.1:${port}`), connections });
  onTestFinished(async () => {
    await close();
    server.close();
  });
  return ({ path, isWrite = false, timeoutMs = 5_000 }: Sent, onResult: (result: Answer | Failure) => void) =>
    send(
      {
        method: 'GET',
        path,
        headers: [],
        body: undefined,
        timeoutMs,
        isWrite,
        lifetime: undefined,
        onResult,
      },
      performance.now(),
    );
}

const tellConnection: Answers = (connection, _, response) => response.end(String(connection));

const textOf = (result: Answer | Failure): string =>
  result.kind === 'answer' ? result.body.toString() : result.reason;

/** What came of a first call, and of others that are sent while its answer is told. */
async function followedBy(send: Awaited<ReturnType<typeof start>>, first: Sent, ...others: readonly Sent[]) {
  const results = await new Promise<readonly Promise<string>[]>((resolve) => {
    send(first, (result) => {
      const next = (sent: Sent) => new Promise<string>((told) => send(sent, (of) => told(textOf(of))));
      resolve([Promise.resolve(textOf(result)), ...others.map(next)]);
    });
  });
  return Promise.all(results);
}

const read = { path: '/' };
const write = { path: '/', isWrite: true };

it.each([
  ['the next read by the line that has just answered', ['1', '1'], [read, read]],
  ['one read alone by it', ['1', '1', '2'], [read, read, read]],
  ['no write by it', ['1', '2'], [read, write]],
  ['no read by the line of a write', ['1', '2'], [write, read]],
] as const)('sends %s', async (_, connections, [first, ...others]) => {
  expect(await followedBy(await start(tellConnection), first, ...others)).toEqual(connections);
});

it('sends nothing by it once the answer is told', async () => {
  const send = await start(tellConnection);
  const ask = () => new Promise<string>((resolve) => send(read, (result) => resolve(textOf(result))));
  expect(await ask()).toBe('1');
  // The line is still busy with the end of its answer.
  expect(await ask()).toBe('2');
});

it('lets nobody overtake those that wait for a line', async () => {
  const asked: string[] = [];
  const send = await start((_, { url = '' }, response) => {
    asked.push(url);
    response.end();
  }, 1);
  const waiting = new Promise((resolve) => {
    send({ path: '/first' }, () => send({ path: '/last' }, resolve));
    send({ path: '/waiting' }, () => {});
  });
  await waiting;
  expect(asked).toEqual(['/first', '/waiting', '/last']);
});

it('takes nothing that a service says unasked before the next read is sent for the answer to it', async () => {
  const send = await start((connection, { socket }, response) => {
    response.end(String(connection));
    // Written when the answer has been read, and before the next request is.
    const stray = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nstray';
    setImmediate(() => setImmediate(() => socket.write(stray)));
  });
  expect(await followedBy(send, read, read)).toEqual(['1', '2']);
});

it('sends the next read by another line where the service hangs up after its answer', async () => {
  const send = await start((connection, { socket }, response) => {
    response.end(String(connection));
    setImmediate(() => setImmediate(() => socket.end()));
  });
  expect(await followedBy(send, read, read)).toEqual(['1', '2']);
});

it('never sends what was given up while it waited for a line', async () => {
  const paths: unknown[] = [];
  const waiting: (() => void)[] = [];
  const send = await start((_, { url }, response) => {
    paths.push(url);
    waiting.push(() => response.end());
  }, 1);
  const resultOf = (sent: Sent) => new Promise<string>((told) => send(sent, (result) => told(textOf(result))));
  const first = resultOf({ path: '/first' });
  await expect.poll(() => paths).toEqual(['/first']);
  expect(await resultOf({ path: '/given-up', timeoutMs: 1 })).toBe('timeout');
  const last = resultOf({ path: '/last' });
  waiting.shift()?.();
  await first;
  await expect.poll(() => paths).toEqual(['/first', '/last']);
  waiting.shift()?.();
  await last;
});
