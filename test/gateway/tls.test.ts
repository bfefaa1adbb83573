import { once } from 'node:events';
import { createServer as createTcpServer, Socket, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { TLSSocket, TlsOptions } from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { buildConnector } from 'undici';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectionFaultOf } from '../../src/upstream/wire/connection-faults.ts';
import { createHttpClient } from '../../src/upstream/wire/http-client.ts';
import { createWarmConnections } from '../../src/upstream/wire/warm-connections.ts';
import { stopClock } from '../support/clock.ts';
import { createAuthority, createTrustedAuthority, type Authority, type Certified } from '../support/certificates.ts';
import { query, startGateway } from '../support/gateway.ts';
import { captureLog } from '../support/log.ts';
import { freePort, freeUrl } from '../support/ports.ts';
import { startUpstream, success } from '../support/upstream.ts';

const document = '{ customer(id: "c1") { firstName } }';
const customer = success({ id: 'c1', first_name: 'Ada' });
const request = {
  method: 'GET',
  path: '/',
  headers: [],
  body: undefined,
  timeoutMs: 5_000,
  lifetime: undefined,
} as const;
let authority: Authority;

beforeAll(async () => {
  authority = await createTrustedAuthority();
});

async function startService(certified?: Certified) {
  const upstream = await startUpstream(() => customer, 0, certified);
  onTestFinished(upstream.close);
  const connections: Socket[] = [];
  upstream.server.on(certified === undefined ? 'connection' : 'secureConnection', (socket) => connections.push(socket));
  return { upstream, connections };
}

describe('a service over TLS', () => {
  it('is read, and its sessions are resumed', async () => {
    const { upstream, connections } = await startService(await authority.sign());
    const gateway = await startGateway({ upstream: upstream.url, environment: { UPSTREAM_WARM_CONNECTIONS: '1' } });
    expect((await query(gateway, document)).data).toEqual({ customer: { firstName: 'Ada' } });
    await query(gateway, 'mutation { updateCustomer(input: { id: "c1", firstName: "Ada" }) { customer { id } } }');
    expect((connections.at(-1) as TLSSocket).isSessionReused()).toBe(true);
  });

  it('is asked to resume its latest session after a garbage collection, too', async () => {
    setFlagsFromString('--expose_gc');
    const collect = runInNewContext('gc') as () => void;
    const { upstream, connections } = await startService(await authority.sign());
    const resumed: boolean[] = [];
    upstream.server.on('secureConnection', (socket: TLSSocket) => resumed.push(socket.isSessionReused()));
    // Each call over a connection of its own.
    const client = createHttpClient({ baseUrl: new URL(upstream.url), connections: 1, maxAgeMs: -1 });
    onTestFinished(client.close);
    for (let call = 0; call < 3; call += 1) {
      await client.request({ ...request, isWrite: false });
      await vi.waitUntil(() => connections.at(-1)?.destroyed);
      collect();
    }
    expect(resumed).toEqual([false, true, true]);
  });

  const requiring = async () => ({ ...(await authority.sign()), requestCert: true, rejectUnauthorized: true });
  it.each<readonly [string, string, () => Promise<(Certified & TlsOptions) | undefined>]>([
    ['has expired', 'certificate_expired', () => authority.sign({ hours: -1 })],
    ['is for another host', 'certificate_host', () => authority.sign({ hosts: ['payments.example'] })],
    ['is signed by nobody known', 'certificate_untrusted', async () => (await createAuthority()).sign()],
    ['is missing: the port speaks no TLS', 'no_tls', async () => undefined],
    ['is fine, but it wants one of ours', 'tls_refused', requiring],
    [
      'is fine, but it wants one of ours, by TLS 1.2',
      'tls_refused',
      async () => ({ ...(await requiring()), maxVersion: 'TLSv1.2' }),
    ],
    [
      'is fine, but not its versions of TLS',
      'tls_refused',
      async () => ({
        ...(await authority.sign()),
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
        ciphers: 'DEFAULT@SECLEVEL=0',
      }),
    ],
    [
      'has a weak key',
      'certificate_untrusted',
      async () => ({ ...(await authority.sign({ isWeak: true })), ciphers: 'DEFAULT@SECLEVEL=0' }),
    ],
  ])('whose certificate %s: told at start, not retried, counted', async (_, fault, certify) => {
    const { upstream } = await startService(await certify());
    const { log, lines } = captureLog();
    const url = upstream.url.replace('http:', 'https:');
    const gateway = await startGateway({
      upstream: url,
      log,
      environment: { ADMIN_PORT: await freePort() },
    });
    await expect.poll(() => lines.join('')).toContain(`"fault":"${fault}"`);
    const { errors } = await query(gateway, document);
    expect(errors[0]?.extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryable: false });
    const metrics = await (await fetch(`http://127.0.0.1:${gateway.adminPort}/metrics`)).text();
    expect(metrics).toContain(`settlement_graph_upstream_calls_total{operation="getCustomer",status="${fault}"} 1`);
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    ['ENOTFOUND', 'host_unknown'],
    ['EAI_AGAIN', undefined],
    ['ECONNREFUSED', undefined],
    ['EPROTO', undefined],
    [
      'EPROTO',
      'no_tls',
      'write EPROTO 40:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:',
    ],
    [
      'EPROTO',
      'tls_refused',
      'write EPROTO 40:error:0A000410:SSL routines:ssl3_read_bytes:ssl/tls alert handshake failure:',
    ],
    ['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', undefined],
    ['ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC', undefined],
    ['UNSPECIFIED', 'certificate_untrusted'],
    ['ERR_SSL_DH_KEY_TOO_SMALL', 'tls_refused'],
    ['ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED', 'tls_refused'],
  ])('that cannot be reached: %s is the fault %s', (code, fault, message = code) => {
    expect(connectionFaultOf(Object.assign(new Error(message), { code }))).toBe(fault);
  });
});

describe('connections', () => {
  it('are open before the first call, which takes one of them, until the gateway closes', async () => {
    const { upstream, connections } = await startService();
    const gateway = await startGateway({ upstream: upstream.url });
    await vi.waitFor(() => expect(connections.length).toBeGreaterThanOrEqual(2));
    const open = [...connections];
    const used = once(upstream.server, 'request');
    await query(gateway, document);
    const [{ socket }] = await used;
    expect(open).toContain(socket);
    await gateway.close();
    await expect.poll(() => connections.every(({ destroyed }) => destroyed)).toBe(true);
  });

  it('that are ready never run out while they are renewed, and are never too many', async () => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(0);
    onTestFinished(() => void vi.useRealTimers().restoreAllMocks());
    const opened: Socket[] = [];
    const open = new Set<Socket>();
    const connect = (_: unknown, onConnect: buildConnector.Callback): void => {
      setTimeout(() => {
        const socket = new Socket();
        open.add(socket.once('close', () => open.delete(socket)));
        opened.push(socket);
        onConnect(null, socket);
      }, 50);
    };
    const url = new URL('http://service.example');
    const warm = createWarmConnections(connect, url, 2, () => {});
    await vi.advanceTimersByTimeAsync(50);
    const counts = new Set<number>();
    for (let step = 0; step < 500; step += 1) {
      await vi.advanceTimersByTimeAsync(100);
      counts.add(open.size);
    }
    expect([...counts]).toEqual([2]);
    expect(opened).toHaveLength(4);
    // A call takes one of them while both are being renewed.
    await vi.advanceTimersByTimeAsync(60_100 - 50_050);
    warm.connect(url, () => {});
    await vi.advanceTimersByTimeAsync(1_000);
    expect(open.size).toBe(1 + 2);
    createWarmConnections(connect, url, 2, () => {}).close();
    warm.close();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(open.size).toBe(1);
  });

  it('are opened again where opening one fails, where one is closed before its use, and where one is used', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const opened: Socket[] = [];
    const errors: Error[] = [new Error('refused')];
    const connect = (_: unknown, onConnect: buildConnector.Callback): void => {
      const error = errors.shift();
      if (error !== undefined) return onConnect(error, null);
      const socket = new Socket();
      opened.push(socket);
      onConnect(null, socket);
    };
    const url = new URL('http://service.example');
    const warm = createWarmConnections(connect, url, 1, () => {});
    await vi.advanceTimersByTimeAsync(5_000);
    expect(opened).toHaveLength(1);
    opened[0]?.destroy();
    await vi.advanceTimersByTimeAsync(4_900);
    expect(opened).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(opened).toHaveLength(2);
    const taken = new Promise((resolve) => warm.connect(url, (_, socket) => resolve(socket)));
    await vi.advanceTimersByTimeAsync(100);
    expect([await taken, opened.length]).toEqual([opened[1], 3]);
    warm.connect(url, warm.close);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(opened).toHaveLength(3);
  });

  it('are opened to an IPv6 address, which stands in brackets in a URL alone', () => {
    const hosts: string[] = [];
    const connect = ({ hostname }: buildConnector.Options): void => void hosts.push(hostname);
    createWarmConnections(connect, new URL('http://[::1]:4001'), 1, () => {}).close();
    expect(hosts).toEqual(['::1']);
  });

  it('that are refused are told in the log where none is kept open, too', async () => {
    const { log, lines } = captureLog();
    const environment = { UPSTREAM_WARM_CONNECTIONS: '0' };
    const gateway = await startGateway({ upstream: await freeUrl(), log, environment });
    const told = () => lines.filter((line) => line.includes('no connection to the payments service'));
    await expect.poll(told).toHaveLength(1);
    // Once a minute for each reason, however many calls meet it.
    for (const id of ['c1', 'c2']) await query(gateway, `{ customer(id: "${id}") { firstName } }`);
    expect(told()).toHaveLength(1);
  });

  it('that a gateway which has closed was still opening are no matter for the log', async () => {
    const sockets: Socket[] = [];
    const silent = createTcpServer((socket) => sockets.push(socket.on('error', () => {})));
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void silent.close());
    const { log, lines } = captureLog();
    const { port } = silent.address() as AddressInfo; // a TCP server's address is one
    const gateway = await startGateway({ upstream: `https://127.0.0.1:${port}`, log });
    await gateway.close();
    expect(sockets.length).toBeGreaterThan(0);
    for (const socket of sockets) socket.resetAndDestroy();
    await delay(50);
    expect(lines.join('')).not.toContain('no connection');
  });

  it('that close after their last answer, as they may, are no matter for the log', async () => {
    const { upstream } = await startService();
    const { log, lines } = captureLog();
    const gateway = await startGateway({ upstream: upstream.url, log });
    const used = once(upstream.server, 'request');
    await query(gateway, document);
    const [{ socket }] = (await used) as [{ readonly socket: Socket }];
    const closed = once(socket, 'close');
    socket.end();
    await closed;
    expect((await query(gateway, document)).errors).toEqual([]);
    expect(lines.join('')).not.toContain('no connection');
  });

  it('that waited for their first call have aged meanwhile', async () => {
    const pass = stopClock();
    const { upstream, connections } = await startService();
    const url = new URL(upstream.url);
    const client = createHttpClient({ baseUrl: url, connections: 1, maxAgeMs: 1_000, warmConnections: 1 });
    onTestFinished(client.close);
    await client.opened;
    pass(1_001);
    const sockets: Socket[] = [];
    upstream.server.on('request', ({ socket }) => sockets.push(socket));
    for (let call = 0; call < 2; call += 1) await client.request({ ...request, isWrite: false });
    expect([connections.indexOf(sockets[0] as Socket), sockets[0] === sockets[1]]).toEqual([0, false]);
  });

  it('that a service has spoken on unasked, or closed, carry no call', async () => {
    const { upstream, connections } = await startService();
    const gateway = await startGateway({ upstream: upstream.url });
    const closed = connections.map((socket) => once(socket.resume(), 'close'));
    connections[0]?.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    connections[1]?.end();
    await Promise.all(closed);
    expect((await query(gateway, document)).data).toEqual({ customer: { firstName: 'Ada' } });
    expect(upstream.requests).toHaveLength(1);
  });
});
