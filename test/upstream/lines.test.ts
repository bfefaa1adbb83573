import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { createDispatcher, type Answer, type Failure } from '../../src/upstream/dispatcher.ts';

interface Sent {
  readonly path: string;
  readonly caller?: string;
  readonly isWrite?: boolean;
}

/** A service that tells by which connection it is asked, from 1, and a dispatcher that asks it. */
async function start() {
  const connections = new Map<IncomingMessage['socket'], number>();
  const server = createServer(({ socket }, response) => {
    const number = connections.get(socket) ?? connections.size + 1;
    connections.set(socket, number);
    response.end(String(number));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const { send, close } = createDispatcher({ baseUrl: new URL(`http://127.0.0.1:${port}`), connections: 8 });
  onTestFinished(async () => {
    await close();
    server.close();
  });
  return ({ path, caller, isWrite = false }: Sent, onResult: (result: Answer | Failure) => void) =>
    send({
      caller,
      method: 'GET',
      path,
      headers: [],
      body: undefined,
      timeoutMs: 5_000,
      isWrite,
      lifetime: undefined,
      onResult,
    });
}

const connectionOf = (result: Answer | Failure): string =>
  result.kind === 'answer' ? result.body.toString() : result.reason;

/** The connections of a first call, and of others that are sent while its answer is told. */
async function followedBy(first: Sent, ...others: readonly Sent[]): Promise<readonly string[]> {
  const send = await start();
  const results = await new Promise<readonly Promise<string>[]>((resolve) => {
    send(first, (result) => {
      const next = (sent: Sent) => new Promise<string>((told) => send(sent, (of) => told(connectionOf(of))));
      resolve([Promise.resolve(connectionOf(result)), ...others.map(next)]);
    });
  });
  return Promise.all(results);
}

it('gives the line that has just answered to the next read of the same caller', async () => {
  expect(await followedBy({ path: '/1', caller: 'a' }, { path: '/2', caller: 'a' })).toEqual(['1', '1']);
});

it('gives it to one read alone', async () => {
  const next = { path: '/2', caller: 'a' };
  expect(await followedBy({ path: '/1', caller: 'a' }, next, next)).toEqual(['1', '1', '2']);
});

it('gives it to no other caller, to nobody without a name, and to no write', async () => {
  const first = { path: '/1', caller: 'a' };
  expect(await followedBy(first, { path: '/2', caller: 'b' })).toEqual(['1', '2']);
  expect(await followedBy({ path: '/1' }, { path: '/2' })).toEqual(['1', '2']);
  expect(await followedBy(first, { path: '/2', caller: 'a', isWrite: true })).toEqual(['1', '2']);
  expect(await followedBy({ ...first, isWrite: true }, { path: '/2', caller: 'a' })).toEqual(['1', '2']);
});

it('gives it to nobody once the answer is told', async () => {
  const send = await start();
  const ask = () =>
    new Promise<string>((resolve) => send({ path: '/', caller: 'a' }, (result) => resolve(connectionOf(result))));
  expect(await ask()).toBe('1');
  // The line is still busy with the end of its answer.
  expect(await ask()).toBe('2');
});
