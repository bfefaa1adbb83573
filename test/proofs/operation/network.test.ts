import { setTimeout as delay } from 'node:timers/promises';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createAuthority } from '../../support/certificates.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { codes, query, startGateway } from '../../support/gateway.ts';
import { startGatewayProcess } from '../../support/gateway-process.ts';
import { freePort } from '../../support/ports.ts';
import { startTinyproxy } from './tinyproxy.ts';
import { pageOf, startUpstream, success } from '../../support/upstream.ts';
import { isMissing, record } from '../evidence.ts';

const callMs = 50;
const screen = `{ customer(id: "c1") {
  firstName balance { value { amount } } transactions { nodes { id } } virtualAccounts { nodes { id } }
} }`;

/** A service over TLS that takes 50 ms a call, and the file of the authority that signed its certificate. */
async function startSlowService() {
  const authority = await createAuthority();
  const file = join(await temporaryFolder(), 'authority.pem');
  await writeFile(file, authority.cert);
  const upstream = await startUpstream(
    async ({ path }) => {
      await delay(callMs);
      if (path.includes('/balance')) return success({ balance: '1.00', currency: 'NGN' });
      return path.includes('?') ? pageOf([], path) : success({ id: 'c1', first_name: 'Ada' });
    },
    0,
    await authority.sign(),
  );
  onTestFinished(upstream.close);
  return { upstream, environment: { NODE_EXTRA_CA_CERTS: file } };
}

it.skipIf(isMissing('tinyproxy'))(
  'a proxy carries the calls to an https service, and only to those that it should',
  async () => {
    const { upstream, environment } = await startSlowService();
    const proxy = await startTinyproxy(new URL(upstream.url).port);
    const through = await startGatewayProcess(upstream.url, { ...environment, HTTPS_PROXY: proxy.url });
    expect((await query(through, screen)).errors).toEqual([]);
    expect(proxy.tunnels()).toBeGreaterThanOrEqual(4);

    const tunnels = proxy.tunnels();
    const past = await startGatewayProcess(upstream.url, {
      ...environment,
      HTTPS_PROXY: proxy.url,
      NO_PROXY: '127.0.0.1',
    });
    expect((await query(past, screen)).errors).toEqual([]);
    expect(proxy.tunnels()).toBe(tunnels);

    const strict = await startTinyproxy(await freePort());
    const refused = await startGateway({ upstream: upstream.url, environment: { HTTPS_PROXY: strict.url } });
    const answer = await query(refused, '{ customer(id: "c1") { firstName } }');
    expect(codes(answer)).toEqual(['UPSTREAM_UNAVAILABLE']);
    expect(answer.errors[0]?.extensions['retryable']).toBe(false);
    record(
      'Egress proxy',
      `${tunnels} tunnels of tinyproxy for 4 calls; 0 with NO_PROXY; a refused tunnel is not retryable`,
    );
  },
);
