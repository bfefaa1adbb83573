import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  Environment,
  fetchQuery,
  Network,
  RecordSource,
  Store,
  type ConcreteRequest,
  type FetchFunction,
  type OperationType,
} from 'relay-runtime';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { startScripted } from '../support/gateway.ts';
import { demoHeaders, startBankGateway } from './bank-gateway.ts';

const run = promisify(execFile);
const compiler = join(import.meta.dirname, 'node_modules/.bin/relay-compiler');
const schemaFile = fileURLToPath(import.meta.resolve('settlement-graph/client/schema.graphql'));

/** What relay-compiler makes of one source file: its artifacts by name. */
async function compile(source: string): Promise<(name: string) => Promise<ConcreteRequest>> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'src'));
  await copyFile(schemaFile, join(folder, 'schema.graphql'));
  await writeFile(join(folder, 'src/list.js'), source);
  const config = {
    src: './src',
    schema: './schema.graphql',
    language: 'javascript',
    eagerEsModules: true,
    customScalarTypes: { Decimal: 'string', Date: 'string', DateTime: 'string', CurrencyCode: 'string' },
  };
  await writeFile(join(folder, 'relay.config.json'), JSON.stringify(config));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await run(compiler, ['--repersist'], { cwd: folder });
  return async (name) => {
    const file = join(folder, `src/__generated__/${name}.graphql.js`);
    const module = (await import(file)) as { readonly default: ConcreteRequest }; // the compiler has written it
    return module.default;
  };
}

type GetDataID = (fieldValue: Readonly<Record<string, unknown>>, typeName: string) => string | undefined;

/** Identifiers are the service's: a customer and a settlement bank may have the same one. */
const getDataID: GetDataID = ({ id }, typeName) => (typeof id === 'string' ? `${typeName}:${id}` : undefined);
/** What Relay does unless told otherwise. */
const byIdAlone: GetDataID = ({ id }) => (typeof id === 'string' ? id : undefined);

function createEnvironment(endpoint: string, dataId: GetDataID): Environment {
  const ask: FetchFunction = async ({ text }, variables) => {
    const headers = { 'content-type': 'application/json', ...demoHeaders };
    const response = await fetch(endpoint, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query: text, variables }),
    });
    return (await response.json()) as Awaited<ReturnType<Extract<FetchFunction, () => unknown>>>;
  };
  return new Environment({ network: Network.create(ask), store: new Store(new RecordSource()), getDataID: dataId });
}

async function ask<Data>(environment: Environment, request: ConcreteRequest, variables: object): Promise<Data> {
  const data = await fetchQuery<OperationType>(environment, request, variables).toPromise();
  return data as Data;
}

/** The identifiers in a link of Relay's store, `{__ref}` or `{__refs}`. */
function linksOf(link: unknown): readonly string[] {
  return Object.values(link ?? {}).flat() as readonly string[]; // Relay has written it
}

it('pages a list below a record by the fragment of the examples', async () => {
  const file = join(import.meta.dirname, '../../examples/first-screen/relay/list-transactions.graphql');
  const fragment = await readFile(file, 'utf8');
  const artifact = await compile(`import { graphql } from 'relay-runtime';
    graphql\`query listQuery { ...list_transactions @arguments(id: "cus_0001") }\`;
    graphql\`${fragment}\`;`);
  const { endpoint } = await startBankGateway();
  const environment = createEnvironment(endpoint, getDataID);
  await ask(environment, await artifact('listQuery'), {});
  const source = () => environment.getStore().getSource();
  const connection = () => source().get('client:Customer:cus_0001:__list_transactions_connection');
  const [pageInfo = ''] = linksOf(connection()?.['pageInfo']);
  const variables = { id: 'cus_0001', after: source().get(pageInfo)?.['endCursor'] };
  await ask(environment, await artifact('listTransactionsNextQuery'), variables);
  expect(linksOf(connection()?.['edges'])).toHaveLength(40);
});

it('keeps records of equal identifiers apart in Relay by getDataID, and only by it', async () => {
  const artifact = await compile(`
    import { graphql } from 'relay-runtime';
    graphql\`query listQuery { customer(id: "1") { id createdAt } settlementBank(id: "1") { id createdAt } }\`;
  `);
  const request = await artifact('listQuery');
  const { gateway } = await startScripted(({ path }) => {
    const year = path.includes('customers') ? 2001 : 2002;
    return { json: { success: true, data: { id: 1, created_at: `${year}-01-01T00:00:00Z` } } };
  });
  const yearsIn = async (dataId: GetDataID) => {
    const environment = createEnvironment(`${gateway.url}/graphql`, dataId);
    const { customer, settlementBank } = await ask<
      Readonly<Record<'customer' | 'settlementBank', { readonly createdAt: string }>>
    >(environment, request, {});
    return [customer.createdAt.slice(0, 4), settlementBank.createdAt.slice(0, 4)];
  };
  expect(await yearsIn(getDataID)).toEqual(['2001', '2002']);
  const warned = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => warned.mockRestore());
  expect(await yearsIn(byIdAlone)).toEqual(['2002', '2002']);
  expect(warned.mock.calls.join()).toContain('conflicting types');
});
