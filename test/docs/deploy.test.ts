import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config/config.ts';
import { writeTemporary } from '../support/manifest.ts';

const file = (name: string) => new URL(`../../${name}`, import.meta.url);
const documents = parseAllDocuments(await readFile(file('deploy/kubernetes.yaml'), 'utf8'));
const [deployment, service, budget] = documents.map((document) => document.toJS());
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
const variables: readonly { readonly name: string; readonly value?: string }[] = container.env;

it('deploys with settings that the gateway starts with', async () => {
  const secrets = {
    IDEMPOTENCY_STORE_FILE: await writeTemporary('store', 'rediss://:secret@redis.example:6379\n'),
    FINGERPRINT_SECRET_FILE: await writeTemporary('fingerprint', `${'x'.repeat(48)}\n`),
    ROUTER_SECRET_FILE: await writeTemporary('router', 'test-router-secret-of-32-letters\n'),
  };
  const given = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
  const config = readConfig({ ...given, ...secrets });
  expect(config).toMatchObject({
    isProduction: true,
    routerSecret: ['test-router-secret-of-32-letters'],
    idempotencyStore: { kind: 'redis' },
    moneyUnit: 'major',
  });
});

it('deploys with a grace that outlasts the drain and the slowest request', () => {
  const production = { NODE_ENV: 'production', UPSTREAM_URL: 'https://service.example' };
  const { drainDelayMs, requestTimeoutMs, upstreamTimeoutMs } = readConfig(production);
  const slowestSeconds = (drainDelayMs + requestTimeoutMs + upstreamTimeoutMs) / 1000;
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(slowestSeconds);
});

it('deploys containers without rights, whose root nobody can write to', () => {
  expect(container.securityContext).toEqual({
    runAsNonRoot: true,
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    seccompProfile: { type: 'RuntimeDefault' },
  });
  expect(container.volumeMounts.every(({ readOnly }: { readonly readOnly?: boolean }) => readOnly)).toBe(true);
});

it('watches the pods that it deploys, on their port for operators, by the alerts of alerts.yaml', async () => {
  const [monitor, rule] = parseAllDocuments(await readFile(file('deploy/prometheus-operator.yaml'), 'utf8')).map(
    (document) => document.toJS(),
  );
  const { labels } = deployment.spec.template.metadata;
  expect(monitor.spec.selector.matchLabels).toEqual(labels);
  expect(labels[monitor.spec.jobLabel]).toBe('settlement-graph');
  const admin = container.ports.find(
    ({ name }: { readonly name: string }) => name === monitor.spec.podMetricsEndpoints[0].port,
  );
  expect(admin.containerPort).toBe(readConfig({}).adminPort);
  expect({ groups: rule.spec.groups }).toEqual(parse(await readFile(file('deploy/alerts.yaml'), 'utf8')));
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
