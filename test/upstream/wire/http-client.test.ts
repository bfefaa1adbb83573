import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createNetServer, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLifetime } from '../../../src/runtime/request-lifetime.ts';
import {
  createHttpClient,
  type Answer,
  type Failure,
  type HttpRequest,
} from '../../../src/upstream/wire/http-client.ts';
import { stopClock } from '../calls/clock.ts';

type Sent = Pick<HttpRequest, 'path'> & Partial<HttpRequest>;

const defaults: Omit<HttpRequest, 'path'> = {
  method: 'GET',
  headers: [],
  body: undefined,
  timeoutMs: 5_000,
  isWrite: false,
  lifetime: undefined,
};

/** A service that numbers its connections from 1, and the function that calls it. */
async function start(
  answer: (connection: number, request: IncomingMessage, response: ServerResponse) => unknown,
  options: { readonly connections?: number; readonly maxAgeMs?: number } = {},
) {
  const numbers = new Map<IncomingMessage['socket'], number>();
  const server = createServer((request, response) => {
    const number = numbers.get(request.socket) ?? numbers.size + 1;
    numbers.set(request.socket, number);
    void answer(number, request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server's address is one
  const baseUrl = new URL(`http://127.0.0.1:${port}`);
  const { request, close } = createHttpClient({ baseUrl, connections: 8, ...options });
  onTestFinished(async () => {
    await close();
    server.close();
  });
  return (sent: Sent) => request({ ...defaults, ...sent });
}

const textOf = (result: Answer | Failure): string =>
  result.kind === 'answer' ? result.body.toString() : result.reason;

/** Lets the client read what has arrived. */
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

it('sends no read over the connections of writes, and no call over one of its own', async () => {
  const ask = await start((connection, _, response) => response.end(String(connection)));
  const [read, write, fresh] = [{ path: '/' }, { path: '/', isWrite: true }, { path: '/', freshConnection: true }];
  const seen: string[] = [];
  for (const sent of [read, write, fresh, read, write, fresh]) {
    seen.push(textOf(await ask(sent)));
    await turns();
  }
  expect(seen).toEqual(['1', '2', '3', '1', '2', '4']);
});

it('closes a connection that has reached its greatest age after its answer', async () => {
  const ask = await start((connection, _, response) => response.end(String(connection)), { maxAgeMs: 3_000 });
  const pass = stopClock();
  const seen: string[] = [];
  for (const passedMs of [0, 2_900, 200, 0]) {
    pass(passedMs);
    seen.push(textOf(await ask({ path: '/' })));
    await turns();
  }
  expect(seen).toEqual(['1', '1', '1', '2']);
});

it('keeps no timer and no listener of a call that has ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const ask = await start((_, __, response) => response.end());
  const lifetime = createLifetime(60_000);
  for (let count = 0; count < 10; count += 1) await ask({ path: '/', lifetime });
  expect(lifetime.onEnd.size).toBe(0);
  lifetime.end();
  // undici has one for all its connections.
  expect(vi.getTimerCount()).toBeLessThan(10);
});

it('takes nothing that a service says unasked before the next read is sent for the answer to it', async () => {
  const ask = await start(
    (connection, { socket }, response) => {
      response.end(String(connection));
      setImmediate(() => setImmediate(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nstray')));
    },
    { connections: 1 },
  );
  const seen = [textOf(await ask({ path: '/' }))];
  await turns();
  seen.push(textOf(await ask({ path: '/' })));
  expect(seen).toEqual(['1', '2']);
});

it('never sends what was given up while it waited for a connection', async () => {
  const paths: unknown[] = [];
  const waiting: (() => void)[] = [];
  const ask = await start(
    (_, { url }, response) => {
      paths.push(url);
      waiting.push(() => response.end());
    },
    { connections: 1 },
  );
  const first = ask({ path: '/first' });
  await expect.poll(() => paths).toEqual(['/first']);
  expect(textOf(await ask({ path: '/given-up', timeoutMs: 1 }))).toBe('timeout');
  const last = ask({ path: '/last' });
  waiting.shift()?.();
  await first;
  await expect.poll(() => paths).toEqual(['/first', '/last']);
  waiting.shift()?.();
  await last;
});

describe('the end of a request', () => {
  /** A service that answers the path `/` only when it is told to, and a call to that, which it has received. */
  const startHeld = async (sent: Omit<Sent, 'path'>, connections = 8) => {
    const answered = Promise.withResolvers<string>();
    const arrived = Promise.withResolvers<undefined>();
    const ask = await start(
      async (connection, { url }, response) => {
        if (url === '/') arrived.resolve(undefined);
        response.end(url === '/' ? await answered.promise : String(connection));
      },
      { connections },
    );
    const first = ask({ path: '/', ...sent });
    await arrived.promise;
    return { ask, first, answer: () => answered.resolve('answered') };
  };

  it('gives up a write that waits for a connection, before that is free', async () => {
    const { ask, first, answer } = await startHeld({ isWrite: true }, 1);
    const lifetime = createLifetime(60_000);
    const waiting = ask({ path: '/second', isWrite: true, lifetime });
    lifetime.end();
    expect(await waiting).toMatchObject({ kind: 'failure', reason: 'over', sent: false });
    answer();
    expect(textOf(await first)).toBe('answered');
  });

  it.each([
    ['answered', 'a write whose client left', { isWrite: true }, true],
    ['answered', 'a prefetch whose client was answered', { isPrefetch: true }, false],
    ['over', 'a prefetch whose client left', { isPrefetch: true }, true],
    ['over', 'another read whose client was answered', {}, false],
  ])('is %s for %s', async (result, _, sent, hasClientLeft) => {
    const lifetime = createLifetime(60_000);
    const { first, answer } = await startHeld({ ...sent, lifetime });
    lifetime.end(hasClientLeft);
    answer();
    expect(textOf(await first)).toBe(result);
  });

  it('closes the connection of the call that it ends', async () => {
    const lifetime = createLifetime(60_000);
    const { ask, first } = await startHeld({ lifetime }, 1);
    lifetime.end();
    expect([textOf(await first), textOf(await ask({ path: '/next' }))]).toEqual(['over', '2']);
  });
});

it('counts the requests of a connection from that for which its socket was opened', async () => {
  const ask = await start(
    (_, { url }, response) => {
      if (url === '/last') response.setHeader('connection', 'close');
      response.end();
    },
    { connections: 1 },
  );
  const counts: unknown[] = [];
  for (const path of ['/', '/last', '/', '/']) {
    const result = await ask({ path });
    counts.push(result.kind === 'answer' ? result.connection?.requests : result.reason);
  }
  expect(counts).toEqual([1, 2, 1, 2]);
});

it('tells the error of a call, and not one that its connection had before', async () => {
  const server = createNetServer((socket) => void socket.once('data', () => socket.resetAndDestroy()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server's address is one
  const { request, close } = createHttpClient({ baseUrl: new URL(`http://127.0.0.1:${port}`), connections: 1 });
  onTestFinished(close);
  const ask = () => request({ ...defaults, path: '/', isWrite: true });
  expect(await ask()).toMatchObject({ reason: 'connection', cause: { code: 'ECONNRESET' } });
  await new Promise((resolve) => server.close(resolve));
  expect(await ask()).toMatchObject({ reason: 'connection', cause: { code: 'ECONNREFUSED' } });
});
