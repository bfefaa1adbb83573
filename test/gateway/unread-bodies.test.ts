import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { array, assert, integer, nat, property, record } from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { joinChunks } from '../../src/http/bodies/chunked-body.ts';
import { limitUnreadBodies } from '../../src/http/bodies/unread-bodies.ts';
import { stopClock } from '../support/clock.ts';
import { query, startGateway, startScripted } from '../support/gateway.ts';
import { startHeldUpstream } from '../support/held-upstream.ts';
import { success } from '../support/upstream.ts';

const limitBytes = 1_048_576;
const start = 'POST /graphql HTTP/1.1\r\nhost: gateway\r\nsvcprivatekey: test-key\r\ncontent-type: ';
const head = `${start}application/json\r\ncontent-length: 250001\r\n\r\n`;

/** A whole request for this document. */
function requestOf(document: string): string {
  const text = JSON.stringify({ query: document });
  return `${start}application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
}

it('counts the memory of each chunk of a body that is sent byte by byte', async () => {
  const environment = { MAX_UNREAD_BYTES: String(limitBytes) };
  const { gateway } = await startScripted(() => success({ id: 'c1' }), { environment });
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').resume();
  onTestFinished(() => void socket.destroy());
  let isClosed = false;
  socket.on('error', () => {}).on('close', () => (isClosed = true));
  const chunked = head.replace(/content-length: \d+/, 'transfer-encoding: chunked');
  socket.write(`${chunked}${'1\r\nx\r\n'.repeat(limitBytes / 256)}`);
  // Long before it is closed because it has not arrived in time.
  await expect.poll(() => isClosed).toBe(true);
});

it('keeps no more of a body in chunks than shows that it is too large', async () => {
  const chunks = Array.from({ length: 5 }, () => Buffer.alloc(1_000));
  const joined = (await joinChunks(Readable.from(chunks), 1_500).toArray()) as readonly Buffer[];
  expect(joined.map(({ length }) => length)).toEqual([2_000]);
});

it.each([
  [200, 3, 1_000],
  [200, 3_000, 60],
  [413, 3, 100_000],
  [413, 3_000, 100],
])('answers %i to a body in %i chunks of %i bytes', async (status, count, bytes) => {
  const { gateway } = await startScripted(() => success({ id: 'c1' }));
  const text = JSON.stringify({ query: '{ customer(id: "c1") { id } }' }).padEnd(count * bytes);
  const chunks = async function* () {
    for (let chunk = 0; chunk < count; chunk += 1) yield Buffer.from(text.slice(chunk * bytes, (chunk + 1) * bytes));
  };
  const headers = { 'content-type': 'application/json', svcprivatekey: 'test-key' };
  const init = { method: 'POST', headers, body: Readable.toWeb(Readable.from(chunks())), duplex: 'half' };
  const answer = await fetch(`${gateway.url}/graphql`, init as RequestInit); // its types lack `duplex`
  expect(answer.status).toBe(status);
  const told = await answer.json();
  expect(told).toMatchObject(status === 200 ? { data: { customer: { id: 'c1' } } } : { errors: [{}] });
});

it.each([
  ['garbage', 'GARBAGE\r\n\r\n'],
  ['a head that is too large', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`],
])('answers a request behind which %s arrives, and ends the connection with that', async (_, second) => {
  const upstream = await startHeldUpstream();
  const gateway = await startGateway({ upstream: upstream.url });
  const first = requestOf('mutation { createCustomer(input: { type: "w" }) { customer { id } } }');
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (data: Buffer) => (answer += String(data)));
  socket.write(first);
  const held = await upstream.next();
  const closed = once(socket, 'close');
  socket.write(second);
  for (let turn = 0; turn < 3; turn += 1) await query(gateway, '{ __typename }');
  expect(answer).toBe('');
  held.release({ success: true, data: { id: 'c1', type: 'w' } });
  await closed;
  expect(answer.match(/^HTTP\/1\.1 (\d+)/gm)).toEqual(['HTTP/1.1 200']);
  expect(answer).toContain('"createCustomer":{"customer":{"id":"c1"}}');
});

interface ModelBody {
  readonly stream: EventEmitter;
  readonly startedAt: number;
  readonly chunks: { readonly bytes: number; readonly at: number }[];
}

const bytesOf = ({ chunks }: ModelBody): number => chunks.reduce((sum, { bytes }) => sum + bytes, 0);
/** By everything that has arrived, of which each byte counts half after each half a second. */
const speedOf = ({ chunks, startedAt }: ModelBody, now: number): number =>
  chunks.reduce((sum, { bytes, at }) => sum + bytes * 2 ** ((at - now) / 500), 0) /
  (1 - 2 ** ((startedAt - now - 1) / 500));

const totalOf = (bodies: Iterable<ModelBody>): number => [...bodies].reduce((sum, body) => sum + bytesOf(body), 0);
const slowestOf = (open: ReadonlyMap<number, ModelBody>, now: number): readonly [name: number, body: ModelBody] =>
  [...open]
    .filter(([, body]) => bytesOf(body) * open.size >= totalOf(open.values()))
    .reduce((one, other) => (speedOf(other[1], now) < speedOf(one[1], now) ? other : one));

it('closes the slowest body of at least average size until the others fit, whatever arrives when', () => {
  const pass = stopClock();
  const arrival = record({ name: nat(7), bytes: integer({ min: 1, max: 60_000 }), afterMs: nat(900), endsIt: nat(9) });
  let closings = 0;
  const sameAsModel = property(array(arrival, { minLength: 20, maxLength: 60 }), (arrivals) => {
    const closed: unknown[] = [];
    let onBody: (request: object, reply: object, stream: EventEmitter, next: () => void) => void = () => {};
    const app = {
      addHook: (_: string, hook: typeof onBody) => (onBody = hook),
      server: { emit: (_: string, __: Error, socket: { readonly name: number }) => closed.push(socket.name) },
    };
    limitUnreadBodies(app as unknown as FastifyInstance, 100_000); // what it uses of it
    const open = new Map<number, ModelBody>();
    const expected: number[] = [];
    for (const { name, bytes, afterMs, endsIt } of arrivals) {
      pass(afterMs);
      const now = performance.now();
      const body = open.get(name) ?? { stream: new EventEmitter(), startedAt: now, chunks: [] };
      const raw = Object.assign(body.stream, { socket: { name, destroy: () => {} } });
      if (!open.has(name)) onBody({ raw, headers: {} }, {}, raw, () => {});
      open.set(name, body);
      body.chunks.push({ bytes: bytes + 256, at: now });
      raw.emit('data', 'x'.repeat(bytes));
      while (totalOf(open.values()) > 100_000) {
        const [slowest, { stream }] = slowestOf(open, now);
        open.delete(slowest);
        expected.push(slowest);
        stream.emit('data', 'x'.repeat(50_000));
        stream.emit('close');
      }
      if (endsIt === 0 && open.delete(name)) raw.emit('close');
    }
    expect(closed).toEqual(expected);
    closings += closed.length;
  });
  assert(sameAsModel, { seed: 20_260_101, numRuns: 200 });
  expect(closings).toBeGreaterThan(200);
});

it.each([
  ['a media type that is refused', 'text/plain', 'hello'],
  ['too many bytes', 'application/json', 'x'.repeat(2_097_152)],
])('survives a client that leaves in the middle of a chunked body with %s', async (_, type, body) => {
  const upstream = await startHeldUpstream();
  const gateway = await startGateway({ upstream: upstream.url });
  const uncaught: unknown[] = [];
  const onUncaught = (error: unknown): void => void uncaught.push(error);
  process.prependListener('uncaughtException', onUncaught);
  onTestFinished(() => void process.off('uncaughtException', onUncaught));
  const { hostname, port } = new URL(gateway.url);
  const first = requestOf('{ customer(id: "c1") { id } }');
  const chunk = `${body.length.toString(16)}\r\n${body}\r\n`;
  const second = `${start}${type}\r\ntransfer-encoding: chunked\r\n\r\n${chunk}`;
  const socket = connect(Number(port), hostname).resume();
  socket.write(first + second);
  // The second answer waits for the first.
  await upstream.next();
  await query(gateway, '{ __typename }');
  socket.resetAndDestroy();
  for (let turn = 0; turn < 3; turn += 1) await query(gateway, '{ __typename }');
  expect(uncaught).toEqual([]);
});
