import { expect, it } from 'vitest';
import { startGateway as startEmbedded } from '../../src/testing/index.ts';
import { startExplained } from '../graphql/explained.ts';
import { startGateway } from '../support/gateway.ts';
import { manifestOf, writeTemporary } from '../support/manifest.ts';
import { freeUrl } from '../support/ports.ts';

interface Start {
  readonly tabs: readonly { readonly query: string; readonly variables?: string }[];
}

const explain = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{ nope }"}' };
const readTabs = async (url: string) => ((await (await fetch(`${url}/explorer/start`)).json()) as Start).tabs;

it('the explorer comes whole from the gateway, under a policy that lets nothing else in, without a call', async () => {
  const { gateway, journal } = await startExplained();
  const page = await fetch(`${gateway.url}/explorer`);
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; .*connect-src 'self'.*frame-ancestors 'none'/,
  );
  const addresses = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, address = '']) => address);
  expect(addresses).toHaveLength(2);
  const loaded = ['to-explorer', 'editorWorkerService', 'json', 'graphql'].map((name) => `/explorer/assets/${name}.js`);
  for (const file of [...addresses, ...loaded])
    expect([file, (await fetch(gateway.url + file)).status]).toEqual([file, 200]);
  for (const name of ['..%2fexplorer.ts', 'constructor', 'package.json'])
    expect((await fetch(`${gateway.url}/explorer/assets/${name}`)).status).toBe(404);
  expect(await (await fetch(`${gateway.url}/explorer/start`)).json()).toMatchObject({ hasSchema: true });
  const schema: unknown = await (await fetch(`${gateway.url}/explorer/schema`)).json();
  expect(schema).toMatchObject({ data: { __schema: { queryType: { name: 'Query' } } } });
  const sandbox = await fetch(`${gateway.url}/`, { headers: { accept: 'text/html' } });
  expect(await sandbox.text()).toContain('<head><script src="/explorer/assets/to-explorer.js"></script>');
  expect(await journal()).toEqual([]);
});

it('the explorer opens with lessons before the embedded bank, and before another service with no operation', async () => {
  await using embedded = await startEmbedded({ environment: { TYPE_PREFIX: 'Pay' } });
  const tabs = await readTabs(embedded.url);
  expect(tabs.filter(({ query }) => query.includes('mutation '))).toHaveLength(5);
  for (const { query, variables = '{}' } of tabs) {
    const body = JSON.stringify({ query, variables: JSON.parse(variables) as unknown });
    const { status } = await fetch(`${embedded.url}/explorer/explain`, { ...explain, body });
    expect([query, status]).toEqual([query, 200]);
  }
  expect(await embedded.bank?.requests()).toEqual([]);
  const other = await startGateway({ upstream: await freeUrl() });
  expect(await readTabs(other.url)).toEqual([]);
});

it('the explorer has the control addresses of the embedded bank alone, whose own address leads there', async () => {
  await using embedded = await startEmbedded();
  const home = await fetch(embedded.bank?.url ?? '', { redirect: 'manual' });
  expect(home.headers.get('location')).toBe(`${embedded.url}/explorer#bank`);
  const at = (url: string, headers = {}) => fetch(`${url}/explorer/bank/requests`, { headers });
  expect(await (await at(embedded.url)).json()).toEqual({ requests: [] });
  expect((await at(embedded.url, { 'sec-fetch-site': 'same-site' })).status).toBe(403);
  const form = await fetch(`${embedded.url}/explorer/bank/reset`, { method: 'POST', body: new URLSearchParams('a=b') });
  expect(form.status).toBe(415);
  const other = await startGateway({ upstream: await freeUrl() });
  expect((await at(other.url)).status).toBe(404);
});

it('the explorer tells nothing of the schema where introspection is off, or only trusted documents are run', async () => {
  const TRUSTED_DOCUMENTS = await writeTemporary('manifest.json', manifestOf(['{ __typename }']));
  for (const environment of [{ INTROSPECTION: '0' }, { TRUSTED_DOCUMENTS, TRUSTED_DOCUMENTS_ONLY: '1' }]) {
    const { gateway } = await startExplained(environment);
    const at = (path: string, request = {}) => fetch(`${gateway.url}/explorer${path}`, request);
    const answers = [await at(''), await at('/schema'), await at('/explain', explain)];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404]);
    expect(await (await at('/start')).json()).toMatchObject({ hasSchema: false });
  }
});

it('the explorer is not there in production', async () => {
  const { gateway } = await startExplained({ NODE_ENV: 'production' });
  for (const path of ['', '/schema', '/start', '/assets/explorer.js', '/explain'])
    expect((await fetch(`${gateway.url}/explorer${path}`)).status).toBe(404);
  expect((await fetch(`${gateway.url}/explorer/explain`, explain)).status).toBe(404);
});
