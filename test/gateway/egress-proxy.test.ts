import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { query, startGateway } from '../support/gateway.ts';
import { startUpstream, success } from '../support/upstream.ts';

const service = 'http://service.example';
const except = 'other.example';
const read = '{ a: customer(id: "c1") { firstName } b: customer(id: "c1") { id } }';

/** A service, and a proxy whose tunnels all lead to it, whatever host they name. */
async function startProxied() {
  const upstream = await startUpstream(() => success({ id: 'c1', first_name: 'Ada', account_number: '0000000001' }));
  onTestFinished(upstream.close);
  const targets: string[] = [];
  const proxy = createServer().on('connect', ({ url = '' }, socket) => {
    targets.push(url);
    const tunnel = connect(Number(new URL(upstream.url).port), '127.0.0.1');
    tunnel.on('error', () => socket.destroy()).on('connect', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    socket.on('error', () => tunnel.destroy()).pipe(tunnel);
    tunnel.pipe(socket);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void proxy.close());
  return { upstream, targets, proxyUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
}

describe('HTTP_PROXY', () => {
  it('carries reads and writes to an http service, as they are', async () => {
    const { upstream, targets, proxyUrl } = await startProxied();
    const gateway = await startGateway({ upstream: service, environment: { HTTP_PROXY: proxyUrl } });
    expect((await query(gateway, read)).data).toEqual({ a: { firstName: 'Ada' }, b: { id: 'c1' } });
    expect((await query(gateway, read)).errors).toEqual([]);
    const write = 'mutation { createVirtualAccount(input: { customerId: "c1" }) { virtualAccount { id } } }';
    expect((await query(gateway, write)).data).toEqual({ createVirtualAccount: { virtualAccount: { id: 'c1' } } });
    expect([...new Set(targets)]).toEqual(['service.example:80']);
    expect(upstream.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v1/customers/c1',
      'GET /api/v1/customers/c1',
      'POST /api/v1/customers/c1/virtual-accounts',
    ]);
  });

  it.each([
    ['an http service', { UPSTREAM_URL: service }, { url: 'http://plain.example/', except }],
    [
      'the lower case before it',
      { UPSTREAM_URL: service, http_proxy: 'lower.example' },
      { url: 'http://lower.example/', except },
    ],
    ['not an https service', { UPSTREAM_URL: 'https://service.example' }, { url: 'http://secure.example/', except }],
    ['not a loopback service', { UPSTREAM_URL: 'http://127.0.0.1:4001' }, undefined],
    ['not the embedded bank', {}, undefined],
  ])('is for %s', (_, environment, expected) => {
    const proxies = { HTTP_PROXY: 'plain.example', HTTPS_PROXY: 'http://secure.example' };
    const { proxy } = readConfig({ ...proxies, NO_PROXY: except, ...environment });
    expect(proxy).toEqual(expected);
  });
});
