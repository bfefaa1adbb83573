import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectionFaultOf } from '../../src/upstream/wire/connection-faults.ts';
import { createHttpClient } from '../../src/upstream/wire/http-client.ts';
import { createAuthority, createTrustedAuthority, type Authority, type Certified } from '../support/certificates.ts';
import { query, startGateway } from '../support/gateway.ts';
import { captureLog } from '../support/log.ts';
import { freePort } from '../support/ports.ts';
import { startUpstream, success } from '../support/upstream.ts';

const document = '{ customer(id: "c1") { firstName } }';
const customer = success({ id: 'c1', first_name: 'Ada' });
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

  it.each<readonly [string, string, () => Promise<Certified | undefined>]>([
    ['has expired', 'certificate_expired', () => authority.sign({ hours: -1 })],
    ['is for another host', 'certificate_host', () => authority.sign({ hosts: ['payments.example'] })],
    ['is signed by nobody known', 'certificate_untrusted', async () => (await createAuthority()).sign()],
    ['is missing: the port speaks no TLS', 'no_tls', async () => undefined],
  ])('whose certificate %s: told at start, not retried, counted', async (_, fault, certify) => {
    const { upstream } = await startService(await certify());
    const { log, lines } = captureLog();
    const url = upstream.url.replace('http:', 'https:');
    const gateway = await startGateway({
      upstream: url,
      log,
      environment: { ADMIN_PORT: await freePort() },
    });
    expect(lines.join('')).toContain(`"fault":"${fault}"`);
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
  ])('that cannot be reached: %s is the fault %s', (code, fault) => {
    expect(connectionFaultOf(Object.assign(new Error(code), { code }))).toBe(fault);
  });
});

describe('connections', () => {
  it('are open before the first call, which takes one of them', async () => {
    const { upstream, connections } = await startService();
    const gateway = await startGateway({ upstream: upstream.url });
    await vi.waitFor(() => expect(connections.length).toBeGreaterThanOrEqual(2));
    const open = [...connections];
    const used = once(upstream.server, 'request');
    await query(gateway, document);
    const [{ socket }] = await used;
    expect(open).toContain(socket);
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

  it('are closed at their greatest age', async () => {
    const { upstream, connections } = await startService();
    const request = {
      method: 'GET',
      path: '/',
      headers: [],
      body: undefined,
      timeoutMs: 5_000,
      lifetime: undefined,
    } as const;
    for (const [maxAgeMs, expected] of [
      [60_000, 1],
      [-1, 3],
    ] as const) {
      connections.length = 0;
      const client = createHttpClient({ baseUrl: new URL(upstream.url), connections: 1, maxAgeMs });
      for (let call = 0; call < 3; call += 1) await client.request({ ...request, isWrite: false });
      await client.close();
      expect(connections).toHaveLength(expected);
    }
  });
});
