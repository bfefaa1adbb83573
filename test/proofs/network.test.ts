import { setTimeout as delay } from 'node:timers/promises';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createAuthority } from '../support/certificates.ts';
import { temporaryFolder } from '../support/folder.ts';
import { codes, query, startGateway } from '../support/gateway.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { median } from '../support/median.ts';
import { freePort } from '../support/ports.ts';
import { startTinyproxy } from '../support/tinyproxy.ts';
import { pageOf, startUpstream, success } from '../support/upstream.ts';
import { isFull, isMissing, record } from './evidence.ts';

const callMs = 50;
const starts = isFull ? 3 : 1;
const screen = `{ customer(id: "c1") {
  firstName balance { value { amount } } transactions { nodes { id } } virtualAccounts { nodes { id } }
} }`;

/** A service over TLS that takes 50 ms a call, and the file of the authority that signed its certificate. */
async function startSlowService(isSecure = true) {
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
    isSecure ? await authority.sign() : undefined,
  );
  onTestFinished(upstream.close);
  return { upstream, environment: { NODE_EXTRA_CA_CERTS: file } };
}

it.each([
  ['https', true],
  ['http', false],
])(
  'the first screen after the start takes less than two later ones: %s',
  async (name, isSecure) => {
    const { upstream, environment } = await startSlowService(isSecure);
    const firsts: number[] = [];
    const hundredths: number[] = [];
    for (let start = 0; start < starts; start += 1) {
      const gateway = await startGatewayProcess(upstream.url, environment);
      const times: number[] = [];
      for (let request = 0; request < 100; request += 1) {
        const startedAt = performance.now();
        const { errors } = await query(gateway, screen);
        times.push(performance.now() - startedAt);
        expect(errors).toEqual([]);
      }
      firsts.push(times[0] ?? NaN);
      hundredths.push(median(times.slice(-10)));
      gateway.command.signal('SIGINT');
    }
    expect(upstream.requests).toHaveLength(starts * 400);
    const [first, hundredth] = [median(firsts), median(hundredths)];
    record(
      `First request: ${name}`,
      `${first.toFixed(0)} ms, the hundredth ${hundredth.toFixed(0)} ms (${(first / hundredth).toFixed(2)}), at ${callMs} ms a call, 4 calls a request, medians of ${starts} starts`,
    );
    // 1.5 is wanted. On two shared cores 1.27 to 1.46 was measured: what is asserted leaves room for the machine.
    expect(first / hundredth).toBeLessThan(2);
  },
  300_000,
);

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
