import { setTimeout as delay } from 'node:timers/promises';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { query } from '../../support/gateway.ts';
import { seenNotReady, startGatewayProcess } from '../gateway-process.ts';
import { moreAnswers, startSteadyLoad, startSteadyService } from '../../support/load/steady.ts';
import { startCommand } from '../../support/process.ts';
import { isFull, record } from '../evidence.ts';

const rounds = isFull ? 20 : 1;
const timeoutMs = 600_000;
const environment = { DRAIN_DELAY_MS: '1200' };
/** Starts the compiled product instead of the command that follows it. */
const compiled = ['sh', '-c', 'exec node dist/cli.js serve'];

it(
  'fails no request when a process is told to stop under load and told of to its balancer',
  async () => {
    const upstream = await startSteadyService();
    let current = await startGatewayProcess(upstream, environment, [], compiled);
    const load = startSteadyLoad(() => current.url, undefined, { clients: 20 });
    for (let round = 0; round < rounds; round += 1) {
      const next = await startGatewayProcess(upstream, environment, [], compiled);
      await moreAnswers(load);
      const stopping = current;
      stopping.command.signal('SIGTERM');
      // Until its balancer has noticed, everything still goes to the one that stops.
      await seenNotReady(stopping);
      current = next;
      expect(await stopping.command.exited).toBe(0);
    }
    await load.stop();
    record('SIGTERM under load', `${rounds} stops, ${load.answered()} requests, ${load.failures.length} failed`);
    expect(load.failures).toEqual([]);
  },
  timeoutMs,
);

describe('a process that stops', () => {
  it('drains after an error that nobody caught, and then exits 1', async () => {
    const upstream = await startSteadyService();
    const gateway = await startGatewayProcess(upstream, environment, [
      '--import',
      './test/proofs/process/throw-later.ts',
    ]);
    const load = startSteadyLoad(() => gateway.url);
    await moreAnswers(load);
    gateway.command.signal('SIGUSR2');
    await seenNotReady(gateway);
    await load.stop();
    expect(load.failures).toEqual([]);
    expect(await gateway.command.exited).toBe(1);
    expect(gateway.command.output()).toMatch(/"msg":"uncaught error"/);
    expect(gateway.command.output()).not.toMatch(/planted/);
  });

  it('does not wait for its balancer at SIGINT', async () => {
    const gateway = await startGatewayProcess(await startSteadyService(), { DRAIN_DELAY_MS: '600000' });
    gateway.command.signal('SIGINT');
    expect(await gateway.command.exited).toBe(0);
  });

  it('ends without a fault at every moment of its start, and leaves nothing that the next one waits for', async () => {
    const upstream = await startSteadyService();
    const settings = {
      NODE_ENV: 'production',
      UPSTREAM_URL: upstream,
      IDEMPOTENCY_STORE: `sqlite:${join(await temporaryFolder(), 'keys.sqlite')}`,
      FINGERPRINT_SECRET: 'test-fingerprint-secret-of-32-letters',
      DRAIN_DELAY_MS: '100',
    };
    // A service that is silent where TLS begins: a start waits for it a second.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo; // a TCP server's address is one
    const slow = { ...settings, UPSTREAM_URL: `https://127.0.0.1:${port}` };
    const exitCodes: (number | null)[] = [];
    // Until its own code runs, a process of Node has opened nothing, and ends by the signal itself.
    const stops = () => exitCodes.filter((code) => code === 0);
    for (let waitMs = 200; stops().length < 6 && waitMs <= 6_000; waitMs += 200) {
      const command = startCommand('node', ['dist/cli.js', 'serve'], { environment: slow });
      await delay(waitMs);
      command.signal('SIGTERM');
      exitCodes.push(await command.exited);
      expect(command.output()).not.toMatch(/[Ee]rror|\bat /);
    }
    const gateway = await startGatewayProcess(upstream, settings);
    expect((await query(gateway, '{ customer(id: "c1") { firstName } }')).errors).toEqual([]);
    record(
      'SIGTERM in the middle of a start',
      `${stops().length} of ${exitCodes.length} stopped, the others had not begun`,
    );
    expect(exitCodes.every((code) => code === null || code === 0)).toBe(true);
    expect(stops()).toHaveLength(6);
  }, 120_000);
});
