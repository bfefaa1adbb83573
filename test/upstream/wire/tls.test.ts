import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { TLSSocket, TlsOptions } from 'node:tls';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connectionFaultOf } from '../../../src/upstream/wire/connection-faults.ts';
import { createAuthority, createTrustedAuthority, type Authority, type Certified } from '../../support/certificates.ts';
import { query, startGateway } from '../../support/gateway.ts';
import { captureLog } from '../../support/log.ts';
import { freePort, freeUrl } from '../../support/ports.ts';
import { startUpstream, success } from '../../support/upstream/upstream.ts';

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
    const gateway = await startGateway({ upstream: upstream.url });
    expect((await query(gateway, document)).data).toEqual({ customer: { firstName: 'Ada' } });
    await query(gateway, 'mutation { updateCustomer(input: { id: "c1", firstName: "Ada" }) { customer { id } } }');
    expect((connections.at(-1) as TLSSocket).isSessionReused()).toBe(true);
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
  ])('whose certificate %s: told in the log, not retried, counted', async (_, fault, certify) => {
    const { upstream } = await startService(await certify());
    const { log, lines } = captureLog();
    const url = upstream.url.replace('http:', 'https:');
    const gateway = await startGateway({
      upstream: url,
      log,
      environment: { ADMIN_PORT: await freePort() },
    });
    const { errors } = await query(gateway, document);
    expect(lines.join('')).toContain(`"fault":"${fault}"`);
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
  it('that are refused are told in the log once a minute, however many calls meet that', async () => {
    const { log, lines } = captureLog();
    const gateway = await startGateway({ upstream: await freeUrl(), log });
    const told = () => lines.filter((line) => line.includes('no connection to the payments service'));
    for (const id of ['c1', 'c2']) await query(gateway, `{ customer(id: "${id}") { firstName } }`);
    expect(told()).toHaveLength(1);
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
});
