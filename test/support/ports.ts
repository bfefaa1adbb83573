import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server as NetServer } from 'node:net';
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

const lowestPort = 12_000;
const blocks = 200;
const portsOfBlock = 100;

/** A server that listens there; undefined where the port is taken. */
async function tryToListen(port: number): Promise<NetServer | undefined> {
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  return isFree ? server : undefined;
}

/**
 * The first port of a block that no other test process uses: this process listens on that port as long as it lives. The
 * blocks are below the ports that a system gives to outgoing connections and to servers that ask for any port.
 */
async function claimBlock(): Promise<number> {
  for (let tried = 0; tried < blocks; tried += 1) {
    const first = lowestPort + ((process.pid + tried) % blocks) * portsOfBlock;
    const claim = await tryToListen(first);
    if (claim === undefined) continue;
    claim.unref();
    return first;
  }
  throw new Error(`Each block of ports from ${lowestPort} on is taken by another test process`);
}

let block: Promise<number> | undefined;
let given = 0;

/** A loopback port on which nothing listens, and which nobody else is given by the time it is used. */
export async function freePort(): Promise<string> {
  block ??= claimBlock();
  const first = await block;
  for (let tried = 1; tried < portsOfBlock; tried += 1) {
    const port = first + 1 + (given % (portsOfBlock - 1));
    given += 1;
    const server = await tryToListen(port);
    if (server === undefined) continue;
    await new Promise((resolve) => server.close(resolve));
    return String(port);
  }
  throw new Error(`None of the ports ${first + 1} to ${first + portsOfBlock - 1} is free`);
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
