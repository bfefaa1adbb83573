import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Certified } from './certificates.ts';

/** A server of HTTP, over TLS where it has a certificate. */
export function createService(listener: RequestListener, certified?: Certified): Server {
  return certified === undefined ? createHttpServer(listener) : createHttpsServer(certified, listener);
}

/** Lets a server listen on a loopback port, by default a free one. To close it cuts whoever is still connected. */
export async function listenOnLoopback(server: Server, wantedPort = 0) {
  await new Promise<void>((resolve) => server.listen(wantedPort, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const scheme = server instanceof HttpsServer ? 'https' : 'http';
  return { url: `${scheme}://127.0.0.1:${port}`, close };
}

const portsOfProcess = 100;
const firstPort = 20_000 + (process.pid % 100) * portsOfProcess;
let given = 0;

/**
 * A loopback port on which nothing listens. It is below those that a system gives to outgoing connections and to servers
 * that ask for any port, and each test process takes its own, or somebody else might have it by the time it is used.
 */
export async function freePort(): Promise<string> {
  for (let tried = 0; tried < portsOfProcess; tried += 1) {
    const port = firstPort + (given % portsOfProcess);
    given += 1;
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return String(port);
  }
  throw new Error(`None of the ports ${firstPort} to ${firstPort + portsOfProcess - 1} is free`);
}

/** The URL of such a port. */
export async function freeUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}

/** Accepts connections at a URL until the test ends, and says nothing on them. */
export async function listenAt(url: string): Promise<void> {
  const server = createServer((socket) => socket.on('error', () => {}).resume());
  await new Promise<void>((resolve) => server.listen(Number(new URL(url).port), '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
}
