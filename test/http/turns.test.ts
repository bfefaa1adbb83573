import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTurns } from '../../src/http/turns.ts';
import { credentials, query, startGateway } from '../support/gateway.ts';
import { askAndLeave, sendRaw } from '../support/http.ts';
import { captureLog } from '../support/log.ts';
import { freePort } from '../support/ports.ts';
import { readSamples, valueOf } from '../support/samples.ts';
import { startUpstream, success } from '../support/upstream/upstream.ts';

const held = '{ customer(id: "held") { id } }';
const document = '{ customer(id: "c1") { id } }';
const other = { svcprivatekey: 'other-key' };

/** A gateway in which a caller may have one request in progress, and the service never answers for one customer. */
async function startNarrow() {
  const upstream = await startUpstream(({ path }) => (path.endsWith('/held') ? { hang: true } : success({ id: 'c1' })));
  const { log, lines } = captureLog();
  const adminPort = await freePort();
  const environment = { ADMIN_PORT: adminPort, MAX_CALLS_PER_CALLER: '1' };
  const gateway = await startGateway({ upstream: upstream.url, environment, log });
  // Before the gateway stops, which would else wait for its answers.
  onTestFinished(upstream.close);
  // From now on both callers are proven.
  for (const headers of [credentials, other]) await query(gateway, document, { headers });
  const sample = async (name: string): Promise<number> =>
    valueOf(readSamples((await sendRaw(`http://127.0.0.1:${adminPort}/metrics`)).text), `settlement_graph_${name}`);
  return { gateway, upstream, lines, sample };
}

/** So many requests that the service does not answer, one behind the other on one connection. */
async function ask({ gateway, sample }: Awaited<ReturnType<typeof startNarrow>>, count: number): Promise<void> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => {}); // it is cut at the end
  onTestFinished(() => void socket.destroy());
  const body = JSON.stringify({ query: held });
  const lines = [
    'POST /graphql HTTP/1.1',
    'host: gateway',
    'content-type: application/json',
    `content-length: ${body.length}`,
    ...Object.entries(credentials).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`.repeat(count));
  await expect.poll(() => sample('requests_in_flight')).toBe(count);
}

it('refuses the request behind a thousand waiting ones of its caller at once, counted and logged, and no other', async () => {
  const started = await startNarrow();
  const { gateway, upstream, lines, sample } = started;
  await ask(started, 1_001);
  const headers = { ...credentials, 'x-request-id': 'one-too-many', origin: 'http://localhost:3000' };
  const answer = await query(gateway, document, { headers });
  expect([answer.status, answer.errors]).toEqual([
    503,
    [
      {
        message: 'The gateway is overloaded. Nothing was sent: repeat after a moment.',
        extensions: { code: 'OVERLOADED', retryable: true, retryAfterSeconds: 1, requestId: 'one-too-many' },
      },
    ],
  ]);
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  // A page can read it.
  expect(answer.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
  expect(upstream.requests).toHaveLength(3);
  expect(await sample('rejections_total{reason="overloaded"}')).toBe(1);
  await expect.poll(() => lines.find((line) => line.includes('"one-too-many"'))).toMatch(/"status":503,.*"request"/);
  expect((await query(gateway, document, { headers: other })).status).toBe(200);
  expect((await sendRaw(`${gateway.url}/health/live`)).status).toBe(200);
});

it('does not let in what its client has left', async () => {
  const started = await startNarrow();
  const { gateway, upstream, sample } = started;
  await ask(started, 1);
  const leaving = new AbortController();
  const left = askAndLeave(gateway, document, leaving.signal);
  await expect.poll(() => sample('requests_in_flight')).toBe(2);
  leaving.abort();
  await left;
  await expect.poll(() => sample('requests_in_flight')).toBe(1);
  await upstream.close();
  await expect.poll(() => sample('requests_in_flight')).toBe(0);
  expect(upstream.requests).toHaveLength(3);
});

describe('the order of turns', () => {
  /** The turns alone: requests are named by their caller and a number, and enter into `order`. */
  function createOrder(maxInProgress = 100) {
    const callers = new Map<FastifyRequest, string>();
    const turns = createTurns((request) => callers.get(request) ?? '', maxInProgress);
    const order: string[] = [];
    const wait = (caller: string, name = caller): FastifyRequest => {
      const request = { raw: { socket: { destroyed: false } } } as FastifyRequest; // what the turns read of it
      callers.set(request, caller);
      turns.wait(request, (refusal) => void order.push(refusal === undefined ? name : `${name} refused`));
      return request;
    };
    const passTurns = async (count: number): Promise<void> => {
      for (let turn = 0; turn < count; turn += 1) await nextTurn();
    };
    return { turns, order, wait, passTurns };
  }

  it('is one request a turn, one caller after the other', async () => {
    const { turns, order, wait, passTurns } = createOrder();
    for (const caller of ['a', 'b']) turns.prove(wait(caller));
    await passTurns(2);
    order.length = 0;
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) wait(name.slice(0, 1), name);
    await passTurns(1);
    expect(order).toHaveLength(1);
    await passTurns(10);
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('gives all callers that are not proven one turn in a round', async () => {
    const { turns, order, wait, passTurns } = createOrder();
    for (const caller of ['a', 'b']) turns.prove(wait(caller));
    await passTurns(2);
    order.length = 0;
    for (let key = 0; key < 50; key += 1) wait(`made-up-${key}`, '-');
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3', 'b4']) wait(name.slice(0, 1), name);
    await passTurns(12);
    for (const caller of ['a', 'b']) {
      const between = order.filter((name) => name.startsWith(caller) || name === '-').join(' ');
      expect(between).toMatch(new RegExp(`^(?:- )?${[1, 2, 3, 4].map((count) => caller + count).join(' - ')}`));
    }
  });

  it('takes the waiting requests of a caller along when it is proven', async () => {
    const { turns, order, wait, passTurns } = createOrder();
    const first = wait('a', 'a0');
    await passTurns(1);
    for (let key = 0; key < 50; key += 1) wait(`made-up-${key}`, '-');
    wait('a', 'a1');
    wait('a', 'a2');
    turns.prove(first);
    await passTurns(4);
    expect(order).toEqual(['a0', '-', 'a1', '-', 'a2']);
  });

  it('passes a caller by that has as many requests in progress as it may, until one of them is over', async () => {
    const { turns, order, wait, passTurns } = createOrder(1);
    for (const caller of ['a', 'b']) {
      const request = wait(caller);
      turns.prove(request);
      await passTurns(1);
      turns.leave(request);
    }
    order.length = 0;
    const [first] = [wait('a', 'a1'), wait('a', 'a2'), wait('b', 'b1')];
    await passTurns(10);
    expect(order).toEqual(['a1', 'b1']);
    turns.leave(first);
    turns.leave(first);
    await passTurns(10);
    expect(order).toEqual(['a1', 'b1', 'a2']);
  });

  it('lets all callers that are not proven have half as many requests in progress as one that is', async () => {
    const { turns, order, wait, passTurns } = createOrder(4);
    const [first] = ['a', 'b', 'c'].map((caller) => wait(caller));
    await passTurns(10);
    expect(order).toEqual(['a', 'b']);
    if (first !== undefined) turns.leave(first);
    await passTurns(10);
    expect(order).toEqual(['a', 'b', 'c']);
  });

  it('has room for a thousand of one caller, and two thousand of all', () => {
    const { order, wait } = createOrder();
    for (let index = 0; index <= 1_000; index += 1) wait('a');
    for (let index = 0; index <= 1_000; index += 1) wait(`b${index}`, 'b');
    expect(order).toEqual(['a refused', 'b refused']);
  });
});
