import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { createCustomer } from '../support/create.ts';
import { query, startScripted, storeInMemory } from '../support/gateway.ts';
import { sendRaw } from '../support/http.ts';
import { manifestOf, writeTemporary } from '../support/manifest.ts';
import { freePort } from '../support/ports.ts';
import { failure, success } from '../support/upstream/upstream.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const alerts = (
  parse(read('deploy/alerts.yaml')) as {
    readonly groups: readonly {
      readonly rules: readonly {
        readonly alert: string;
        readonly expr: string;
        readonly annotations: { readonly description: string };
      }[];
    }[];
  }
).groups.flatMap(({ rules }) => rules);
const panels = (
  JSON.parse(read('deploy/dashboard.json')) as {
    readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
  }
).panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const));

/** Of Prometheus itself. */
const foreign: ReadonlySet<string> = new Set(['up']);

/** Metrics and labels of an expression: `settlement_graph_writes_total outcome`. */
function usedIn(expression: string): readonly string[] {
  const used = expression.matchAll(/\b(up|(?:settlement_graph|process|nodejs)_\w+)(?:\{([^}]*)\})?/g);
  return [...used].flatMap(([, metric = '', labels = '']) => [
    metric,
    ...[...labels.matchAll(/(\w+)[=!]/g)].map(([, label]) => `${metric} ${label}`),
  ]);
}

/** Every metric with every label that a gateway shows once it has met all that it counts. */
async function exposed(): Promise<{ readonly names: readonly string[]; readonly all: ReadonlySet<string> }> {
  const adminPort = await freePort();
  const document = '{ customer(id: "c1") { createdAt } }';
  const { gateway } = await startScripted(() => success({ id: 'c1', created_at: 'never' }), {
    environment: {
      ...storeInMemory,
      ADMIN_PORT: adminPort,
      TRUSTED_DOCUMENTS: await writeTemporary('manifest.json', manifestOf([document])),
    },
  });
  await query(gateway, document);
  await createCustomer(gateway, { key: 'key' });
  const request = (): Promise<string> => sendRaw(`http://127.0.0.1:${adminPort}/metrics`).then(({ text }) => text);
  await expect.poll(request).toContain('settlement_graph_requests_total{status="200"}');
  const text = await request();
  const all = text.split('\n').flatMap((line) => (line.startsWith('#') ? [] : usedIn(line)));
  return { names: [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name), all: new Set(all) };
}

/** Each value that an expression gives a counter's label, as the pattern of a series. */
function countedIn(expression: string): readonly string[] {
  const selectors = expression.matchAll(/\b(settlement_graph_\w+_total)\{(\w+=)~?"([^"]*)"\}/g);
  return [...selectors].flatMap(([, metric = '', label = '', values = '']) =>
    values.split('|').map((value) => `^${metric}\\{.*\\b${label}"${value}"`),
  );
}

it('has alerts whose counters are there from the start: the first increment of a new series is no increase', async () => {
  const adminPort = await freePort();
  await startScripted(() => success({}), { environment: { ADMIN_PORT: adminPort } });
  const { text } = await sendRaw(`http://127.0.0.1:${adminPort}/metrics`);
  const counted = alerts.flatMap(({ expr }) => countedIn(expr));
  expect(counted.length).toBeGreaterThan(20);
  expect(counted.filter((pattern) => !new RegExp(`${pattern}.* 0$`, 'm').test(text))).toEqual([]);
});

it('counts every failing answer of the service in a series that is there from the start', async () => {
  const adminPort = await freePort();
  const left = [500, 501, 502, 503, 504, 505];
  const { gateway } = await startScripted(() => failure(left.shift() ?? 500), {
    environment: { ADMIN_PORT: adminPort },
  });
  const seriesOf = async (): Promise<readonly string[]> => {
    const { text } = await sendRaw(`http://127.0.0.1:${adminPort}/metrics`);
    return text.match(/^settlement_graph_upstream_calls_total\{.*\}/gm) ?? [];
  };
  const before = await seriesOf();
  while (left.length > 0) await query(gateway, '{ customer(id: "c1") { id } }');
  expect(await seriesOf()).toEqual(before);
});

it('has alerts and a dashboard that use only what a gateway shows', async () => {
  const { all } = await exposed();
  const used = [...alerts.map(({ alert, expr }) => [alert, expr] as const), ...panels].flatMap(([where, expression]) =>
    usedIn(expression).map((what) => [where, what] as const),
  );
  expect(used.length).toBeGreaterThan(40);
  expect(used.filter(([, what]) => !all.has(what) && !foreign.has(what.replace(/ .*/, '')))).toEqual([]);
});

it('has a panel for every metric of ours', async () => {
  const { names } = await exposed();
  const own = names.filter((name) => name.startsWith('settlement_graph_'));
  const shown = new Set(panels.flatMap(([, expression]) => usedIn(expression)));
  expect(own.length).toBeGreaterThan(12);
  expect(own.filter((name) => !shown.has(name) && !shown.has(`${name}_bucket`))).toEqual([]);
});

it('says of every alert what to do', () => {
  expect(alerts.filter(({ annotations }) => !annotations.description.includes('Do: '))).toEqual([]);
});
