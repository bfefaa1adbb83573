import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createNetServer, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLifetimes, type RequestLifetime } from '../../src/runtime/request-lifetime.ts';
import { createAnswerTurns } from '../../src/upstream/wire/answer-turns.ts';
import { createHttpClient, type Answer, type Failure } from '../../src/upstream/wire/http-client.ts';
import { stopClock } from '../support/clock.ts';

interface Sent {
  readonly path: string;
  readonly isWrite?: boolean;
  readonly isAhead?: boolean;
  readonly freshConnection?: boolean;
  readonly timeoutMs?: number;
  readonly lifetime?: RequestLifetime;
}

type Answers = (connection: number, request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A service that knows its connections by their numbers, from 1, and a dispatcher that asks it. */
async function start(answer: Answers, connections = 8) {
  const numbers = new Map<IncomingMessage['socket'], number>();
  const server = createServer((request, response) => {
    const number = numbers.get(request.socket) ?? numbers.size + 1;
    numbers.set(request.socket, number);
    void answer(number, request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const { send, close } = createHttpClient({ baseUrl: new URL(`http://127.0.0.1:${port}`), connections });
  onTestFinished(async () => {
    await close();
    server.close();
  });
  return (sent: Sent, onResult: (result: Answer | Failure) => void) => {
    const defaults = { isWrite: false, timeoutMs: 5_000, lifetime: undefined };
    send({ ...defaults, method: 'GET', headers: [], body: undefined, ...sent, onResult }, performance.now());
  };
}

const tellConnection: Answers = (connection, _, response) => void response.end(String(connection));

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

it('reads answers that arrive together by turns of their callers, each once', async () => {
  const pass = stopClock();
  const takeTurn = createAnswerTurns();
  const answers: string[] = [];
  // A turn of the event loop has time for one.
  const arrive = (answer: string) =>
    takeTurn(answer.slice(0, 1), () => {
      answers.push(answer);
      pass(3);
    });
  expect(arrive('a0')).toBe('now');
  pass(3);
  expect(['a1', 'a2', 'a3', 'b1'].map(arrive)).toEqual(['later', 'later', 'later', 'later']);
  await expect.poll(() => answers).toEqual(['a1', 'b1', 'a2', 'a3']);
});

const read = { path: '/' };
const write = { path: '/', isWrite: true };
const fresh = { path: '/', freshConnection: true };

it('reads each answer to its end where the service hangs up while it waits for its turn', async () => {
  const pass = stopClock();
  const held: (() => void)[] = [];
  const send = await start((_, { socket }, response) => {
    held.push(() => {
      response.end('told');
      socket.end();
    });
  });
  const results: string[] = [];
  for (const sent of [read, read, read, read, write, write, write, write]) {
    send(sent, (result) => {
      // A turn of the event loop has time for one.
      pass(3);
      results.push(textOf(result));
    });
  }
  await expect.poll(() => held).toHaveLength(8);
  for (const release of held) release();
  await expect.poll(() => results).toHaveLength(8);
  expect(new Set(results)).toEqual(new Set(['told']));
});

it.each([
  ['the next read by the line that has just answered', ['1', '1'], [read, read]],
  ['one read alone by it', ['1', '1', '2'], [read, read, read]],
  ['no write by it', ['1', '2'], [read, write]],
  ['no read by the line of a write', ['1', '2'], [write, read]],
  ['no read by a line of its own that has just answered', ['1', '2'], [fresh, read]],
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
  // A read by the line that has just answered does not wait for one.
  await followedBy(send, read, read);
  asked.length = 0;
  const waiting = new Promise((resolve) => {
    send({ path: '/first' }, () => send({ path: '/last' }, resolve));
    send({ path: '/waiting' }, () => {});
  });
  await waiting;
  expect(asked).toEqual(['/first', '/waiting', '/last']);
});

it('ends a call once where its request ends, and closes its connection', async () => {
  const lifetime = createLifetimes(60_000)();
  const send = await start((connection, { url }, response) => {
    if (url === '/hung') lifetime.end();
    else response.end(String(connection));
  }, 1);
  const results: string[] = [];
  for (const sent of [{ path: '/hung', lifetime }, read]) {
    await new Promise<void>((resolve) => send(sent, (result) => resolve(void results.push(textOf(result)))));
  }
  expect(results).toEqual(['over', '2']);
});

it('keeps no timer of a call that has ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const send = await start(tellConnection);
  for (let count = 0; count < 10; count += 1) await followedBy(send, read);
  // undici has one for all its connections.
  expect(vi.getTimerCount()).toBeLessThan(10);
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

describe('the end of a request', () => {
  /** A service that answers the path `/` only when it is told to, and a call to that, which it has received. */
  const startHeld = async (sent: Omit<Sent, 'path'>, connections = 8) => {
    const answered = Promise.withResolvers<string>();
    const arrived = Promise.withResolvers<undefined>();
    const send = await start(async (_, { url }, response) => {
      if (url === '/') arrived.resolve(undefined);
      response.end(url === '/' ? await answered.promise : url);
    }, connections);
    const ask = (call: Sent) => new Promise<Answer | Failure>((resolve) => send(call, resolve));
    const first = ask({ path: '/', ...sent });
    await arrived.promise;
    return { ask, first, answer: () => answered.resolve('answered') };
  };
  const begin = createLifetimes(60_000);

  it('gives up a write that waits for a socket, before that is free', async () => {
    const { ask, first, answer } = await startHeld({ isWrite: true }, 1);
    const lifetime = begin();
    const waiting = ask({ path: '/second', isWrite: true, lifetime });
    lifetime.end();
    expect(await waiting).toMatchObject({ kind: 'failure', reason: 'over', sent: false });
    answer();
    expect(textOf(await first)).toBe('answered');
  });

  it.each([
    ['answered', 'a write whose client left', { isWrite: true }, true],
    ['answered', 'a read ahead whose client was answered', { isAhead: true }, false],
    ['over', 'a read ahead whose client left', { isAhead: true }, true],
    ['over', 'another read whose client was answered', {}, false],
  ])('is %s for %s', async (result, _, sent, hasClientLeft) => {
    const lifetime = begin();
    const { first, answer } = await startHeld({ ...sent, lifetime });
    lifetime.end(hasClientLeft);
    answer();
    expect(textOf(await first)).toBe(result);
  });
});

it('counts the requests of a connection from that for which its socket was opened', async () => {
  const send = await start((_, { url }, response) => {
    if (url === '/last') response.setHeader('connection', 'close');
    response.end();
  }, 1);
  const ask = async (path: string) => {
    const result = await new Promise<Answer | Failure>((resolve) => send({ path }, resolve));
    return result.kind === 'answer' ? result.connection?.requests : result.reason;
  };
  expect([await ask('/'), await ask('/last'), await ask('/'), await ask('/')]).toEqual([1, 2, 1, 2]);
});

it('tells the error of a call, and not one that its connection had before', async () => {
  const server = createNetServer((socket) => void socket.once('data', () => socket.resetAndDestroy()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const { request, close } = createHttpClient({ baseUrl: new URL(`http://127.0.0.1:${port}`), connections: 1 });
  onTestFinished(close);
  const ask = () =>
    request({
      method: 'GET',
      path: '/',
      headers: [],
      body: undefined,
      timeoutMs: 5_000,
      isWrite: true,
      lifetime: undefined,
    });
  expect(await ask()).toMatchObject({ reason: 'connection', cause: { code: 'ECONNRESET' } });
  await new Promise((resolve) => server.close(resolve));
  expect(await ask()).toMatchObject({ reason: 'connection', cause: { code: 'ECONNREFUSED' } });
});
