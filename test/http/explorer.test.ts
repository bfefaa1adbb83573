import { buildClientSchema, parse, validate, type IntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import { startExplained } from '../support/explained.ts';
import { startGateway } from '../support/gateway.ts';
import { manifestOf, writeTemporary } from '../support/manifest.ts';
import { freeUrl } from '../support/ports.ts';

interface Start {
  readonly documents: readonly string[];
  readonly hasSchema: boolean;
  readonly service: { readonly credentials: Readonly<Record<string, readonly string[]>> };
}

const explain = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{ nope }"}' };

describe('the explorer', () => {
  it('comes whole from the gateway, under a policy that lets nothing else in, without a call', async () => {
    const { gateway, journal } = await startExplained({ TYPE_PREFIX: 'Pay' });
    const page = await fetch(`${gateway.url}/explorer`);
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; .*connect-src 'self'/,
    );
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const addresses = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address);
    const files = addresses.filter((address) => address !== 'data:,');
    expect(files).toHaveLength(6);
    for (const file of [...files, '/explorer/assets/calls.js', '/explorer/assets/to-explorer.js']) {
      expect([file, (await fetch(gateway.url + file)).status]).toEqual([file, 200]);
    }
    for (const name of ['..%2fexplorer.ts', 'constructor', 'package.json']) {
      expect((await fetch(`${gateway.url}/explorer/assets/${name}`)).status).toBe(404);
    }
    const read = async (path: string): Promise<unknown> => (await fetch(`${gateway.url}/explorer/${path}`)).json();
    const { data } = (await read('schema')) as { readonly data: IntrospectionQuery };
    const { documents, service, hasSchema } = (await read('start')) as Start;
    expect(documents.flatMap((document) => validate(buildClientSchema(data), parse(document)))).toEqual([]);
    expect(service).toMatchObject({ url: expect.stringMatching(/\d$/) as string, privateKeyHeader: 'SVCPRIVATEKEY' });
    expect(service.credentials).toMatchObject({ storeSettlementBank: ['bearer'], listCustomers: ['privateKey'] });
    expect(hasSchema).toBe(true);
    expect(await journal()).toEqual([]);
  });

  it('is what Sandbox goes on to', async () => {
    const { gateway } = await startExplained();
    const sandbox = await fetch(`${gateway.url}/`, { headers: { accept: 'text/html' } });
    expect(await sandbox.text()).toMatch(/<script src="\/explorer\/assets\/to-explorer\.js"><\/script><\/head>/);
  });

  it('copies no constant header that has the name of a credential header', async () => {
    const contract = { 'service.headers': { 'X-Merchant': 'constant', 'Api-Version': '2026' } };
    const environment = { PRIVATE_KEY_HEADER: 'x-merchant' };
    const gateway = await startGateway({ upstream: await freeUrl(), contract, environment });
    const start: unknown = await (await fetch(`${gateway.url}/explorer/start`)).json();
    expect(start).toMatchObject({ service: { privateKeyHeader: 'x-merchant', headers: [['Api-Version', '2026']] } });
  });

  it('tells nothing of the schema where introspection is off, or only trusted documents are run', async () => {
    const TRUSTED_DOCUMENTS = await writeTemporary('manifest.json', manifestOf(['{ __typename }']));
    for (const environment of [{ INTROSPECTION: '0' }, { TRUSTED_DOCUMENTS, TRUSTED_DOCUMENTS_ONLY: '1' }]) {
      const { gateway } = await startExplained(environment);
      const answers = [
        await fetch(`${gateway.url}/explorer/schema`),
        await fetch(`${gateway.url}/explorer/explain`, explain),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
      expect((await fetch(`${gateway.url}/explorer`)).status).toBe(200);
      expect(await (await fetch(`${gateway.url}/explorer/start`)).json()).toMatchObject({ hasSchema: false });
    }
  });

  it('is not there in production', async () => {
    const { gateway } = await startExplained({ NODE_ENV: 'production' });
    for (const path of ['', '/schema', '/start', '/assets/explorer.js']) {
      expect((await fetch(`${gateway.url}/explorer${path}`)).status).toBe(404);
    }
    expect((await fetch(`${gateway.url}/explorer/explain`, explain)).status).toBe(404);
  });
});
