import { buildClientSchema, parse, validate, type IntrospectionQuery } from 'graphql';
import { expect, it } from 'vitest';
import { startExplained } from '../graphql/explained.ts';
import { startGateway } from '../support/gateway.ts';
import { manifestOf, writeTemporary } from '../support/manifest.ts';
import { freeUrl } from '../support/ports.ts';

interface Start {
  readonly documents: readonly string[];
  readonly hasSchema: boolean;
}

const explain = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{ nope }"}' };

it('the explorer comes whole from the gateway, under a policy that lets nothing else in, without a call', async () => {
  const { gateway, journal } = await startExplained({ TYPE_PREFIX: 'Pay' });
  const page = await fetch(`${gateway.url}/explorer`);
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; .*connect-src 'self'.*frame-ancestors 'none'/,
  );
  const addresses = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, address = '']) => address);
  expect(addresses).toHaveLength(6);
  for (const file of [...addresses, '/explorer/assets/calls.js', '/explorer/assets/to-explorer.js'])
    expect([file, (await fetch(gateway.url + file)).status]).toEqual([file, 200]);
  for (const name of ['..%2fexplorer.ts', 'constructor', 'package.json'])
    expect((await fetch(`${gateway.url}/explorer/assets/${name}`)).status).toBe(404);
  const read = async (path: string): Promise<unknown> => (await fetch(`${gateway.url}/explorer/${path}`)).json();
  const { data } = (await read('schema')) as { readonly data: IntrospectionQuery };
  const { documents, hasSchema } = (await read('start')) as Start;
  expect(documents.flatMap((document) => validate(buildClientSchema(data), parse(document)))).toEqual([]);
  expect(hasSchema).toBe(true);
  const sandbox = await fetch(`${gateway.url}/`, { headers: { accept: 'text/html' } });
  expect(await sandbox.text()).toContain('<head><script src="/explorer/assets/to-explorer.js"></script>');
  expect(await journal()).toEqual([]);
});

it('the explorer copies no constant header that has the name of a credential header', async () => {
  const contract = { 'service.headers': { 'X-Merchant': 'constant', 'Api-Version': '2026' } };
  const environment = { PRIVATE_KEY_HEADER: 'x-merchant' };
  const gateway = await startGateway({ upstream: await freeUrl(), contract, environment });
  const start: unknown = await (await fetch(`${gateway.url}/explorer/start`)).json();
  expect(start).toMatchObject({ service: { privateKeyHeader: 'x-merchant', headers: [['Api-Version', '2026']] } });
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
