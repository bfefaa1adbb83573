import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config/config.ts';

const file = (name: string) => new URL(`../../${name}`, import.meta.url);
const documents = parseAllDocuments(await readFile(file('deploy/kubernetes.yaml'), 'utf8'));
const [deployment, service, budget] = documents.map((document) => document.toJS());
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
const variables: readonly { readonly name: string; readonly value?: string }[] = container.env;

async function secretFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'settlement-graph-secret-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'fingerprint'), `${'x'.repeat(48)}\n`);
  return join(folder, 'fingerprint');
}

it('deploys with settings that the gateway starts with, all of them in the README', async () => {
  const secrets = {
    IDEMPOTENCY_STORE: 'rediss://:secret@redis.example:6379',
    FINGERPRINT_SECRET_FILE: await secretFile(),
    ROUTER_SECRET: 'test-router-secret-of-32-letters',
  };
  const given = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
  const config = readConfig({ ...given, ...secrets });
  expect(config).toMatchObject({ isProduction: true, idempotencyStore: { kind: 'redis' }, moneyUnit: 'major' });
  const readme = (await readFile(file('README.md'), 'utf8')).replaceAll(/`(\w+)` or `…_FILE`/g, '`$1` or `$1_FILE`');
  for (const { name } of variables) expect(readme).toContain(`\`${name}\``);
});

it('deploys with a grace that outlasts the drain and the slowest request', () => {
  const production = { NODE_ENV: 'production', UPSTREAM_URL: 'https://service.example' };
  const { drainDelayMs, requestTimeoutMs, upstreamTimeoutMs } = readConfig(production);
  const slowestSeconds = (drainDelayMs + requestTimeoutMs + upstreamTimeoutMs) / 1000;
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(slowestSeconds);
});

it('deploys probes, service and disruption budget that mean the same pods and port', () => {
  const { app } = deployment.spec.template.metadata.labels;
  const [port] = container.ports;
  expect(String(port.containerPort)).toBe(variables.find(({ name }) => name === 'PORT')?.value);
  expect(container.readinessProbe.httpGet).toEqual({ path: '/health/ready', port: port.name });
  expect(container.livenessProbe.httpGet).toEqual({ path: '/health/live', port: port.name });
  expect(service.spec.ports.map(({ targetPort }: { readonly targetPort: string }) => targetPort)).toEqual([port.name]);
  expect([service.spec.selector, budget.spec.selector.matchLabels]).toEqual([{ app }, { app }]);
  expect(budget.spec.minAvailable).toBeLessThan(deployment.spec.replicas);
});
