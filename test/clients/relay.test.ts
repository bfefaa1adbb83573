import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  commitMutation,
  Environment,
  fetchQuery,
  Network,
  RecordSource,
  Store,
  type ConcreteRequest,
  type FetchFunction,
  type OperationType,
} from 'relay-runtime';
import { buildSchema, GraphQLError, type ExecutionResult } from 'graphql';
import { findGatewayError, gatewayErrors } from 'settlement-graph/client';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { startScripted } from '../support/gateway.ts';
import { record } from '../proofs/evidence.ts';
import { demoHeaders, startBankGateway } from './bank-gateway.ts';
import { answer, cells, expectedCodes, operationsOf, type Fault } from './faulty-service.ts';

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

function mutate(environment: Environment, mutation: ConcreteRequest, variables: Variables): Promise<unknown> {
  return new Promise((onCompleted, onError) =>
    commitMutation(environment, { mutation, variables, onCompleted, onError }),
  );
}

/** The customers as Relay's store holds them under the key of their connection. */
function listed(environment: Environment) {
  const source = environment.getStore().getSource();
  const connection = source.get('client:root:__list_customers_connection');
  const edges = linksOf(connection?.['edges']).map((edge) => linksOf(source.get(edge)?.['node']));
  const [pageInfo = ''] = linksOf(connection?.['pageInfo']);
  return { ids: edges.flat(), endCursor: source.get(pageInfo)?.['endCursor'] };
}

/** The identifiers in a link of Relay's store, `{__ref}` or `{__refs}`. */
function linksOf(link: unknown): readonly string[] {
  return Object.values(link ?? {}).flat() as readonly string[]; // Relay has written it
}

it('compiles a connection query for Relay and reads its pages', async () => {
  const artifact = await compile(`
    import { graphql } from 'relay-runtime';
    graphql\`
      query listQuery($after: String) {
        ...list_customers @arguments(after: $after)
      }
    \`;
    graphql\`
      fragment list_customers on Query
        @argumentDefinitions(first: { type: "Int", defaultValue: 20 }, after: { type: "String" })
        @refetchable(queryName: "listNextQuery") {
        customers(first: $first, after: $after) @connection(key: "list_customers") {
          edges { node { id firstName balance { value { amount currency } } } }
        }
      }
    \`;
  `);
  const request = await artifact('listQuery');
  expect(request.params.text).toContain('pageInfo');
  const next = await artifact('listNextQuery');
  const { endpoint } = await startBankGateway();
  const environment = createEnvironment(endpoint, getDataID);
  await ask(environment, request, {});
  await ask(environment, next, { after: listed(environment).endCursor });
  expect(listed(environment).ids).toEqual(
    Array.from({ length: 40 }, (_, index) => `Customer:cus_${String(index + 1).padStart(4, '0')}`),
  );
});

it('pages a list below a record by the fragment that stands in docs/frontends.md', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/frontends.md'), 'utf8');
  const fragment = /^```graphql\n(fragment .*?)^```/ms.exec(page)?.[1] ?? '';
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

type Payload = Awaited<ReturnType<Extract<FetchFunction, () => unknown>>>;
type Variables = Readonly<Record<string, unknown>>;

/** The network function of docs/frontends.md: a failed request, root or next page throws, other errors are handed over. */
function network(ask: (text: string, variables: Variables) => ExecutionResult, onErrors: (body: unknown) => void) {
  return Network.create(({ text }, variables) => {
    const body = ask(text ?? '', variables);
    const errors = body.errors ?? [];
    if (errors.length > 0) onErrors(body);
    if (errors.some(({ path }) => (path?.length ?? 1) === 1 || variables['after'] != null))
      throw Object.assign(new Error('The request failed.'), { errors });
    return body as Payload; // as JSON would be
  });
}

it('keeps the code of a request that was refused as a whole in Relay', async () => {
  const artifact = await compile(`
    import { graphql } from 'relay-runtime';
    graphql\`query listQuery { customers { totalCount } }\`;
  `);
  const refused = { errors: [new GraphQLError('m', { extensions: { code: 'OVERLOADED' } })] };
  const environment = new Environment({
    network: network(
      () => refused,
      () => undefined,
    ),
    store: new Store(new RecordSource()),
  });
  const error = await ask(environment, await artifact('listQuery'), {}).catch((thrown: unknown) => thrown);
  expect(findGatewayError(error, 'OVERLOADED')).toBeDefined();
});

it('keeps codes, loaded pages and the rest of an answer in Relay, whatever is null', async () => {
  const schema = buildSchema(await readFile(schemaFile, 'utf8'));
  const operations = operationsOf(schema);
  const nameOf = (name: string, text: string) => `list_${name}${text.startsWith('query') ? 'Query' : 'Mutation'}`;
  const documents = operations.map(({ name, text }) => text.replace(`${name}Operation`, nameOf(name, text)));
  const source = documents.map((text) => `graphql\`${text}\`;`).join('\n');
  const paged = `graphql\`query listPagesQuery($after: String) { customers(first: 2, after: $after) @connection(key: "list_customers") { edges { node { id } } } }\`;`;
  const artifact = await compile(`import { graphql } from 'relay-runtime';\n${source}\n${paged}`);
  const pages = await artifact('listPagesQuery');
  let counted = 0;
  for (const [operation, fault] of cells(operations)) {
    let active: Fault | undefined;
    let seen: unknown;
    const environment = new Environment({
      network: network(
        (text, variables) => answer(schema, text, variables, active),
        (body) => void (seen = body),
      ),
      store: new Store(new RecordSource()),
      getDataID,
    });
    await ask(environment, pages, {});
    active = fault;
    const request = await artifact(nameOf(operation.name, operation.text));
    const raw = answer(schema, operation.text, operation.variables, fault);
    const send = operation.text.startsWith('query') ? ask : mutate;
    const data = await send(environment, request, operation.variables).catch((error: unknown) => error);
    const isThrown = raw.errors?.some(({ path }) => path?.length === 1) === true;
    const where = [operation.name, fault];
    const codes = new Set(gatewayErrors(seen).map(({ extensions }) => extensions.code));
    expect.soft([where, codes]).toEqual([where, expectedCodes(fault)]);
    expect.soft([where, isThrown ? {} : data]).toEqual([where, isThrown ? {} : raw.data]);
    await ask(environment, pages, { after: '2' }).catch(() => undefined);
    expect
      .soft([where, listed(environment).ids.slice(0, 2)])
      .toEqual([where, ['Customer:customers.1', 'Customer:customers.2']]);
    counted += 1;
  }
  record('The client kit in every state: Relay', `${counted} states`);
});
