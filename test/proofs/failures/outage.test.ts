import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { query } from '../../support/gateway.ts';
import { startGatewayProcess } from '../gateway-process.ts';
import { startSteadyLoad } from '../../support/load/steady.ts';
import { freePort } from '../../support/ports.ts';
import { startCommand } from '../../support/process.ts';
import { recordMetrics, requireFiring, type Recording } from '../stores/recording.ts';
import { valueOf, type Samples } from '../../support/samples.ts';
import { isMissing, record } from '../evidence.ts';

const headers = { authorization: 'Bearer demo-token', svcprivatekey: 'demo-key' };
const open = 'mutation { createOneTimeAccount(input: { customerId: "cus_0001" }) { oneTimeAccount { id } } }';
const withoutPromtool = isMissing('promtool');
const recorded: Recording[] = [];

async function startBank(port: string) {
  const bank = startCommand('node', ['src/cli.ts', 'bank'], { environment: { BANK_PORT: port } });
  const [url] = await bank.printed(/http:\/\/127\.0\.0\.1:\d+/);
  return { bank, url };
}

/** Has the bank hold back its next answer to a write, for longer than it will live. */
async function holdNextWrite(url: string): Promise<void> {
  const fault = { operation: 'createCustomerOneTimeAccount', latencyMs: 60_000 };
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(fault) };
  expect((await fetch(`${url}/_bank/faults`, request)).status).toBe(201);
}

async function writesSeen(url: string): Promise<number> {
  const { requests } = (await (await fetch(`${url}/_bank/requests`)).json()) as {
    readonly requests: readonly { readonly operation: string }[];
  };
  return requests.filter(({ operation }) => operation === 'createCustomerOneTimeAccount').length;
}

const calls = (samples: Samples, status: string): number =>
  valueOf(samples, `settlement_graph_upstream_calls_total{operation="getCustomer",status="${status}"}`);
const unknown = 'settlement_graph_writes_total{operation="createCustomerOneTimeAccount",outcome="unknown"}';

it('answers quickly while the service is dead, recovers by itself, and tells it all by its metrics', async () => {
  const port = await freePort();
  const { bank, url } = await startBank(port);
  const gateway = await startGatewayProcess(url);
  const recording = recordMetrics(gateway.metrics);
  const load = startSteadyLoad(() => gateway.url, { id: 'cus_0001', headers });
  const last = (): Samples => recording.scrapes.at(-1) ?? new Map<string, number>();
  await expect.poll(() => calls(last(), '200'), { timeout: 20_000 }).toBeGreaterThan(100);
  expect(load.failures).toEqual([]);

  await holdNextWrite(url);
  const write = query(gateway, open, { headers });
  await expect.poll(() => writesSeen(url)).toBe(1);
  bank.signal('SIGKILL');
  expect((await write).errors[0]?.extensions).toMatchObject({ code: 'OUTCOME_UNKNOWN', retryable: false });
  await expect.poll(() => calls(last(), 'down'), { timeout: 20_000 }).toBeGreaterThan(100);
  await expect.poll(() => valueOf(last(), 'settlement_graph_breaker_open'), { timeout: 20_000 }).toBe(1);
  expect(await gateway.isReady()).toBe(true);

  await startBank(port);
  await expect.poll(() => valueOf(last(), 'settlement_graph_breaker_open'), { timeout: 20_000 }).toBe(0);
  const answerMore = async (): Promise<void> => {
    const before = load.answered();
    await expect.poll(load.answered, { timeout: 20_000 }).toBeGreaterThan(before + 100);
  };
  // The first calls that succeed raise the share that is sent; until then some are still refused.
  await answerMore();
  const failedBefore = load.failures.length;
  await answerMore();
  await load.stop();
  await recording.stop();

  expect(load.failures.slice(failedBefore)).toEqual([]);
  expect(load.failures.filter((failure) => !failure.includes('"UPSTREAM_UNAVAILABLE"'))).toEqual([]);
  expect(calls(last(), 'connection')).toBeGreaterThan(0);
  expect(valueOf(last(), 'settlement_graph_upstream_retries_total{operation="getCustomer"}')).toBeGreaterThan(0);
  expect(valueOf(last(), unknown)).toBe(1);
  record(
    'The service killed under load and started again',
    `${load.answered()} requests answered, ${load.failures.length} told UPSTREAM_UNAVAILABLE (half of them within ${load.failedMs()} ms), ${calls(last(), 'connection')} calls met the dead service, ${calls(last(), 'down')} were spared; 1 write OUTCOME_UNKNOWN; recovered by itself`,
  );
  recorded.push(recording);
}, 120_000);

it.skipIf(withoutPromtool)('fires, on what was recorded of that, the two alerts that do not wait', async () => {
  await expect(
    Promise.all(recorded.map((recording) => requireFiring(recording, ['BreakerOpen', 'WriteOutcomeUnknown']))),
  ).resolves.toHaveLength(1);
});

it.skipIf(withoutPromtool)('has alerts of which each fires on its own trouble and none on a healthy day', async () => {
  await expect(promisify(execFile)('promtool', ['test', 'rules', 'deploy/alerts.test.yaml'])).resolves.toBeDefined();
  const read = (file: string) => readFile(`deploy/${file}`, 'utf8');
  const named = (text: string, pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, name]) => name));
  const alerts = named(await read('alerts.yaml'), /- alert: (\w+)/g);
  const fired = named(await read('alerts.test.yaml'), /alertname="(\w+)"/g);
  expect(fired).toEqual(alerts);
  record(
    'Alerts that fire in promtool, each on its own trouble, and none on a healthy day',
    `${fired.size}/${alerts.size}`,
  );
});
