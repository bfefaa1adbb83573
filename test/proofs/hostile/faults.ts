import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { message, type SocketAnswer } from '../../support/upstream/fault-upstream.ts';

/** What a fault is made out of: the answer that would have been right, and how it came to be asked. */
export interface Scene {
  readonly json: string;
  /** One member of that answer's record, such as `"name":"Main"`: the value that faults inside JSON spoil. */
  readonly member: string;
  /** How often this was asked, this time included. */
  readonly count: number;
  /** The address of another host. */
  readonly elsewhere: string;
}

type Fault = (scene: Scene) => SocketAnswer;

const mebibyte = 1024 * 1024;
/** A gzip stream may have several members, so the large one is packed once: that takes longer than a gateway waits. */
const packedSpaces = gzipSync(' '.repeat(6 * mebibyte), { level: 9 });
const depth = 10_000;
const html = '<!doctype html><title>planted</title><p>planted page of a proxy</p>';

/** An answer with nothing wrong. */
export const healthy: Fault = ({ json }) => send(message('200 OK', json));

/** The faults of a service that is there. */
export const faults = {
  'a reset before the answer': () => (socket) => socket.resetAndDestroy(),
  'a reset in the middle of the body':
    ({ json }) =>
    (socket) => {
      const announced = { 'content-length': String(json.length) };
      // The half must have left before the reset, which would take it back.
      socket.write(message('200 OK', half(json), announced), () => setTimeout(() => socket.resetAndDestroy(), 20));
    },
  'half a body that ends with its connection':
    ({ json }) =>
    (socket) =>
      socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n${half(json)}`),
  'a body shorter than announced':
    ({ json }) =>
    (socket) =>
      socket.end(message('200 OK', json, { 'content-length': String(json.length + 10) })),
  'a body longer than announced': ({ json }) =>
    send(message('200 OK', json, { 'content-length': String(json.length - 5) })),
  'a chunk without a length': ({ json }) =>
    send(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nplanted\r\n${json}`),
  'something that is not HTTP': () => send('planted\r\n\r\n'),
  'a page of HTML': () => send(message('200 OK', html, { 'content-type': 'text/html' })),
  'an empty 200': () => send(message('200 OK', '')),
  'half a JSON text': ({ json }) => send(message('200 OK', half(json))),
  'JSON that is nested 10,000 deep': () =>
    // The long number takes the slower way of parsing.
    send(
      message('200 OK', `{"success":true,"data":${'{"data":'.repeat(depth)}1234567890123456789${'}'.repeat(depth)}}`),
    ),
  'keys that name a prototype': ({ json, member }) => {
    const planted = `{${keyOf(member)}:"planted","polluted":"planted"}`;
    return send(
      message(
        '200 OK',
        json.replace(member, `"__proto__":${planted},"constructor":{"prototype":${planted}},${member}`),
      ),
    );
  },
  'a key that comes twice': ({ json, member }) =>
    send(message('200 OK', json.replace(member, `${keyOf(member)}:"planted",${member}`))),
  'a number beyond any float': ({ json, member }) =>
    send(message('200 OK', json.replace(member, `${keyOf(member)}:1e400`))),
  'a gzip bomb':
    ({ json }) =>
    (socket) => {
      // Readable by whoever unpacks it: only a gateway that does not would say otherwise.
      const bomb = Buffer.concat([gzipSync(json), packedSpaces]);
      socket.write(message('200 OK', '', { 'content-encoding': 'gzip', 'content-length': String(bomb.length) }));
      socket.write(bomb);
    },
  'a body without an end': () => (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
    const chunk = `${mebibyte.toString(16)}\r\n${' '.repeat(mebibyte)}\r\n`;
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', more);
    more();
  },
  'one byte a second':
    ({ json }) =>
    (socket) => {
      socket.write(message('200 OK', json.slice(0, 1), { 'content-length': String(json.length) }));
      keepWriting(socket, ' ', 1_000);
    },
  'a redirect to another host': ({ elsewhere }) =>
    send(message('307 Temporary Redirect', '', { location: `${elsewhere}/planted` })),
  'early hints without an end': () => (socket) =>
    keepWriting(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </planted>\r\n\r\n'.repeat(20), 5),
  'calls to go on without an end': () => (socket) => keepWriting(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(20), 5),
  'a 204': () => send('HTTP/1.1 204 No Content\r\n\r\n'),
  'a 408': () => send(failed('408 Request Timeout')),
  'a 429 that asks for two minutes': () => send(failed('429 Too Many Requests', { 'retry-after': '120' })),
  'a 500': () => send(failed('500 Internal Server Error')),
  'a 503 once': (scene) => (scene.count === 1 ? send(failed('503 Service Unavailable')) : healthy(scene)),
  'no answer': () => () => undefined,
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof faults;

function send(text: string): SocketAnswer {
  return (socket) => void socket.write(text);
}

function failed(status: string, headers: Readonly<Record<string, string>> = {}): string {
  return message(status, '{"success":false,"message":"planted"}', headers);
}

function half(json: string): string {
  return json.slice(0, Math.floor(json.length / 2));
}

function keyOf(member: string): string {
  return member.slice(0, member.indexOf(':'));
}

/** Writes a piece again and again, unhurriedly, so that all else in this process goes on. */
function keepWriting(socket: Socket, piece: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.once('close', () => clearInterval(timer));
}
