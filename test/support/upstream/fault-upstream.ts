import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { Certified } from '../certificates.ts';

/** A request, as much of it as tells what was asked. */
export interface AskedRequest {
  readonly method: string;
  /** The raw request target, query included. */
  readonly path: string;
  readonly body: string;
}

/** Answers one request on its socket, in whatever way. */
export type SocketAnswer = (socket: Socket) => void;

export interface FaultUpstream {
  readonly url: string;
  /** Every request that arrived whole, in order of arrival. */
  readonly requests: readonly AskedRequest[];
}

/**
 * A service on a bare TCP port, which can do what an HTTP server cannot: reset, cut, lie about lengths, never end; over
 * TLS where it has a certificate. It and all its sockets close with the test.
 */
export async function startFaultUpstream(
  answer: (request: AskedRequest) => SocketAnswer,
  certified?: Certified,
): Promise<FaultUpstream> {
  const requests: AskedRequest[] = [];
  const url = await listen((plain) => {
    const socket = certified === undefined ? plain : secure(plain, certified);
    let unread = '';
    socket.on('data', (chunk: Buffer) => {
      unread += chunk.toString('latin1');
      for (let next = cutRequest(unread); next !== undefined; next = cutRequest(unread)) {
        unread = unread.slice(next.length);
        requests.push(next.request);
        answer(next.request)(socket);
      }
    });
  });
  return { url: certified === undefined ? url : url.replace('http:', 'https:'), requests };
}

/** The socket's TLS side. Only the connection itself can be reset. */
function secure(plain: Socket, certified: Certified): Socket {
  const socket = new TLSSocket(plain, { isServer: true, ...certified });
  socket.on('error', () => undefined); // as above
  return Object.assign(socket, { resetAndDestroy: () => plain.resetAndDestroy() });
}

/** Another host: it accepts connections and counts them. */
export async function startBystander(): Promise<{ readonly url: string; readonly connections: () => number }> {
  let count = 0;
  const url = await listen((socket) => {
    count += 1;
    socket.resume();
  });
  return { url, connections: () => count };
}

async function listen(accept: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined); // the gateway may leave whenever it likes
    accept(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => closeAll(server, sockets));
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

function closeAll(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });
}

/** The first request of what has arrived and how long it is, once it is there whole. */
function cutRequest(text: string): { readonly request: AskedRequest; readonly length: number } | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = text.slice(0, headEnd);
  const bodyLength = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  const length = headEnd + 4 + bodyLength;
  if (text.length < length) return undefined;
  const [method = '', path = ''] = head.split(' ');
  return { request: { method, path, body: text.slice(headEnd + 4, length) }, length };
}

/** One well-formed HTTP/1.1 message with exactly this body. */
export function message(status: string, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const length = String(Buffer.byteLength(body));
  const all = { 'content-type': 'application/json', 'content-length': length, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`;
}
