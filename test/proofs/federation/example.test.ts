import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { exampleFolder } from './federation.ts';
import { query } from '../../support/gateway.ts';
import { freeUrl } from '../../support/ports.ts';
import { startCommand } from '../../support/process.ts';

const run = promisify(execFile);

/** Starts everything as `npm run example:federation` does, on free ports; resolves with the router's address and the printed query. */
async function startExample(mode: string, secrets: Readonly<Record<string, string>> = {}) {
  const url = await freeUrl();
  const environment = { ...secrets, PORT: new URL(url).port, SETTLEMENT_PORT: '0', ORDERS_PORT: '0' };
  const example = startCommand('node', ['examples/federation/start.js', mode], { environment });
  const [printed] = await example.printed(/^curl .+$/m);
  return { url, printed, example };
}

it('prints a query that crosses both subgraphs and answers when pasted, and ends with all it has started', async () => {
  const { url, printed, example } = await startExample('forward');
  const { stdout } = await run('bash', ['-c', printed]);
  const { data } = JSON.parse(stdout) as { readonly data: { readonly order: object } };
  expect(data.order).toMatchObject({
    item: 'Lamp',
    customer: { firstName: 'Chidi', balance: { value: { currency: 'NGN' } }, orders: [{ id: 'ord_0001' }, {}, {}] },
    settledTo: { name: 'Example settlement 1' },
  });
  example.signal('SIGTERM');
  expect(await example.exited).toBe(0);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

it('needs none, and passes none on, where the router inserts them', async () => {
  const { url } = await startExample('insert');
  const headers = { authorization: 'Bearer of-an-end-user', svcprivatekey: 'planted' };
  const document = '{ customer(id: "cus_0001") { email } settlementBank(id: "stb_0001") { name } }';
  const { data, errors } = await query({ url }, document, { headers });
  expect(errors).toEqual([]);
  expect(data).toEqual({
    customer: { email: 'customer-0001@example.com' },
    settlementBank: { name: 'Example settlement 1' },
  });
});

it('shows the router’s secret, without which nobody reads entities', async () => {
  const { url, example } = await startExample('forward', { ROUTER_SECRET: 'test-router-secret-of-32-letters' });
  const [, settlement = ''] = /settlement-graph\s+(\S+)\/graphql/.exec(example.output()) ?? [];
  const headers = { svcprivatekey: 'demo-key', 'x-router-secret': 'of-the-client' };
  const reference = '{ __typename: "Customer", id: "cus_0001" }';
  const behind = await query({ url }, '{ order(id: "ord_0001") { customer { firstName } } }', { headers });
  const direct = await query({ url: settlement }, `{ _entities(representations: [${reference}]) { __typename } }`, {
    headers,
  });
  expect(behind.errors).toEqual([]);
  expect(behind.data.order.customer).toEqual({ firstName: 'Chidi' });
  expect(direct.errors.map(({ extensions }) => extensions['code'])).toEqual(['FORBIDDEN']);
});

it.each(['apollo-router.forward.yaml', 'apollo-router.insert.yaml'])('%s says the same as Hive’s', async (file) => {
  const config = parse(await readFile(join(exampleFolder, file), 'utf8')) as {
    readonly headers: { readonly subgraphs: { readonly settlement: { readonly request: readonly object[] } } };
  };
  const hive = await readFile(
    join(exampleFolder, file.replace('apollo-router', 'hive-gateway').replace('yaml', 'js')),
    'utf8',
  );
  const rules = config.headers.subgraphs.settlement.request.flatMap((rule) => Object.values(rule)) as readonly {
    readonly named?: string;
    readonly name?: string;
  }[];
  const forwarded = rules.flatMap(({ named }) => named ?? []);
  const [, listed = ''] = /forwarded = \[([^\]]+)\]/.exec(hive) ?? [];
  expect(forwarded).toEqual(listed.split(',').map((name) => name.replaceAll(/[\s']/g, '')));
  for (const inserted of rules.flatMap(({ name }) => name ?? [])) expect(hive).toContain(inserted);
});
