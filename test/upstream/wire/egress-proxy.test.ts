import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { contractCommand } from '../../../src/commands/contract.ts';
import { readCommandLine } from '../../../src/commands/usage.ts';
import { readConfig } from '../../../src/config/config.ts';
import { createAuthority } from '../../support/certificates.ts';
import { credentials, query, startGateway } from '../../support/gateway.ts';
import { captureLog } from '../../support/log.ts';
import { capture } from '../../support/stdout.ts';
import { startUpstream, success } from '../../support/upstream/upstream.ts';

const service = 'http://service.example';
const except = 'other.example';
const read = '{ a: customer(id: "c1") { firstName } b: customer(id: "c1") { id } }';

/**
 * A service, and a proxy whose tunnels all lead to it, whatever host they name, or that answers each with this status, or
 * not at all while it `hangs`.
 */
async function startProxied(status = 200, hangs = { now: false }) {
  const upstream = await startUpstream(() => success({ id: 'c1', first_name: 'Ada', account_number: '0000000001' }));
  onTestFinished(upstream.close);
  const targets: string[] = [];
  const held: Duplex[] = [];
  const proxy = createServer().on('connect', ({ url = '' }, socket) => {
    targets.push(url);
    if (hangs.now) {
      held.push(socket.on('error', () => {}));
      return;
    }
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const tunnel = connect(Number(new URL(upstream.url).port), '127.0.0.1');
    tunnel.on('error', () => socket.destroy()).on('connect', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    socket.on('error', () => tunnel.destroy()).pipe(tunnel);
    tunnel.pipe(socket);
  });
  return { upstream, targets, held, proxyUrl: await urlOf(proxy) };
}

async function urlOf(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `http${'cert' in server ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const write = 'mutation { createVirtualAccount(input: { customerId: "c1" }) { virtualAccount { id } } }';
const impatient = { UPSTREAM_CONNECTIONS: '1', UPSTREAM_TIMEOUT_MS: '200', REQUEST_TIMEOUT_MS: '1000' };
const connectionLine = (lines: readonly string[]) =>
  lines.map((line) => JSON.parse(line)).find(({ msg }) => msg.startsWith('no connection'));
const statusOf = async (url: string) => (await fetch(`${url}/health/ready`)).status;

describe('HTTP_PROXY', () => {
  it('carries reads and writes to an http service, as they are', async () => {
    const { upstream, targets, proxyUrl } = await startProxied();
    const gateway = await startGateway({ upstream: service, environment: { HTTP_PROXY: proxyUrl } });
    expect((await query(gateway, read)).data).toEqual({ a: { firstName: 'Ada' }, b: { id: 'c1' } });
    expect((await query(gateway, read)).errors).toEqual([]);
    expect((await query(gateway, write)).data).toEqual({ createVirtualAccount: { virtualAccount: { id: 'c1' } } });
    expect([...new Set(targets)]).toEqual(['service.example:80']);
    expect(upstream.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v1/customers/c1',
      'GET /api/v1/customers/c1',
      'POST /api/v1/customers/c1/virtual-accounts',
    ]);
  });

  it('carries the calls to this machine, unless NO_PROXY names it', async () => {
    const { upstream, targets, proxyUrl } = await startProxied();
    const { host } = new URL(upstream.url);
    const direct = await startGateway({
      upstream: upstream.url,
      environment: { HTTP_PROXY: proxyUrl, NO_PROXY: '127.0.0.1' },
    });
    expect((await query(direct, read)).errors).toEqual([]);
    expect(targets).toEqual([]);
    const proxied = await startGateway({ upstream: upstream.url, environment: { HTTP_PROXY: proxyUrl } });
    expect((await query(proxied, read)).errors).toEqual([]);
    expect([...new Set(targets)]).toEqual([host]);
  });

  it('carries the calls of a contract check, too', async () => {
    const { upstream, targets, proxyUrl } = await startProxied();
    const config = readConfig({ UPSTREAM_URL: service, HTTP_PROXY: proxyUrl, CHECK_BEARER: 'demo-token' });
    const progress = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => progress.mockRestore());
    await capture(() => contractCommand(readCommandLine(['contract', 'check']), () => config));
    expect(upstream.requests.length).toBeGreaterThan(2);
    expect([...new Set(targets)]).toEqual(['service.example:80']);
  });

  it.each([
    [407, false, 1],
    [502, true, 3],
  ])('refuses a tunnel with %d: retryable is %s, after %d attempts', async (status, retryable, attempts) => {
    const { proxyUrl } = await startProxied(status);
    const { log, lines } = captureLog();
    const gateway = await startGateway({ upstream: service, log, environment: { HTTP_PROXY: proxyUrl } });
    const { errors, extensions } = await query(gateway, read, { headers: { ...credentials, 'x-explain': 'calls' } });
    expect(errors[0]?.extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryable });
    expect(extensions.calls[0].tries).toBe(attempts);
    expect(await statusOf(gateway.url)).toBe(503);
    expect(connectionLine(lines)).toMatchObject({ proxy: status });
  });

  it.each([
    ['the proxy', { HTTP_PROXY: 'http://127.0.0.1:1' }, 'failed'],
    ['the service', {}, undefined],
  ])('tells in the log that %s refuses connections', async (_, environment, proxy) => {
    const { log, lines } = captureLog();
    const gateway = await startGateway({ upstream: 'http://127.0.0.1:1', log, environment });
    await query(gateway, read);
    expect(connectionLine(lines)).toMatchObject({ cause: 'ECONNREFUSED' });
    expect(connectionLine(lines)?.proxy).toBe(proxy);
  });

  it('that leaves a tunnel unanswered is asked for another soon: when it has recovered, so has the gateway', async () => {
    const hangs = { now: true };
    const { proxyUrl } = await startProxied(200, hangs);
    const gateway = await startGateway({ upstream: service, environment: { ...impatient, HTTP_PROXY: proxyUrl } });
    expect((await query(gateway, read)).data).toEqual({ a: null, b: null });
    hangs.now = false;
    await expect.poll(async () => (await query(gateway, read)).errors, { timeout: 8_000, interval: 250 }).toEqual([]);
  });

  it('that leaves the tunnel of a write unanswered does not keep the gateway from its end', async () => {
    const { proxyUrl, held } = await startProxied(200, { now: true });
    const gateway = await startGateway({ upstream: service, environment: { ...impatient, HTTP_PROXY: proxyUrl } });
    expect((await query(gateway, write)).errors).toHaveLength(1);
    const end = await Promise.race([gateway.close().then(() => 'closed'), delay(3_500, 'still open')]);
    for (const socket of held) socket.destroy();
    expect(end).toBe('closed');
  });

  it.each([
    ['no HTTP', 'planted\r\n\r\n'],
    ['headers without an end', `HTTP/1.1 200 OK\r\nplanted: ${'x'.repeat(100_000)}\r\n\r\n`],
  ])('that answers with %s has connected nothing: reads and writes are not sent, and retryable', async (_, answer) => {
    const proxy = createServer().on('connect', (__, socket) => {
      socket.on('error', () => {}).end(answer);
    });
    const { log, lines } = captureLog();
    const environment = { HTTP_PROXY: await urlOf(proxy) };
    const gateway = await startGateway({ upstream: service, log, environment });
    for (const document of [read, write]) {
      const { errors } = await query(gateway, document);
      expect(errors[0]?.extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryable: true });
      expect(errors[0]?.extensions).not.toHaveProperty('upstreamStatus');
    }
    expect(connectionLine(lines)?.proxy).toBe('failed');
  });

  it.each([
    ['does not resolve', async () => 'http://proxy.invalid:3128'],
    [
      'has a certificate that nobody knows',
      async () => urlOf(createSecureServer(await (await createAuthority()).sign())),
    ],
    ['speaks no TLS', async () => (await urlOf(createServer())).replace('http:', 'https:')],
  ])('that %s is told as a fault of its own', async (_, start) => {
    const { log, lines } = captureLog();
    const gateway = await startGateway({ upstream: service, log, environment: { HTTP_PROXY: await start() } });
    const { errors } = await query(gateway, read);
    expect(errors[0]?.extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryable: false });
    expect(new Set(lines.join('').match(/"fault":"\w+"/g))).toEqual(new Set(['"fault":"proxy_unusable"']));
  });

  it.each([
    ['an http service', { UPSTREAM_URL: service }, { url: 'http://plain.example/', except }],
    ['not an https service', { UPSTREAM_URL: 'https://service.example' }, { url: 'http://secure.example/', except }],
    ['a loopback service', { UPSTREAM_URL: 'http://127.0.0.1:4001' }, { url: 'http://plain.example/', except }],
    ['not the embedded bank', {}, undefined],
  ])('is for %s', (_, environment, expected) => {
    const proxies = { HTTP_PROXY: 'plain.example', HTTPS_PROXY: 'http://secure.example' };
    const { proxy } = readConfig({ ...proxies, NO_PROXY: except, ...environment });
    expect(proxy).toEqual(expected);
  });
});
