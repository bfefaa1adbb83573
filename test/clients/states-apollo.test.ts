import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from '@apollo/client';
import { buildSchema, print, type ExecutionResult } from 'graphql';
import { gatewayErrors, possibleTypes, typePolicies } from 'settlement-graph/client';
import { expect, it } from 'vitest';
import { record } from '../proofs/evidence.ts';
import { answer, cells, expectedCodes, idsIn, isObject, listIn, operationsOf, type Fault } from './faulty-service.ts';

const schemaFile = fileURLToPath(import.meta.resolve('settlement-graph/client/schema.graphql'));
const schema = buildSchema(readFileSync(schemaFile, 'utf8'));
const operations = operationsOf(schema);
const isRead = ({ text }: { readonly text: string }) => text.startsWith('query');
const reads = operations.filter(isRead);

/** Apollo Client with our policies over a service whose next answers can be made to fail. */
function connect() {
  let fault: Fault | undefined;
  let last: ExecutionResult = {};
  const link = new ApolloLink(({ query, variables }) => {
    last = answer(schema, print(query), variables, fault);
    return new Observable((observer) => {
      observer.next(structuredClone({ ...last, errors: last.errors?.map((error) => error.toJSON()) }) as never); // as JSON would
      observer.complete();
    });
  });
  const all = { errorPolicy: 'all' } as const;
  const client = new ApolloClient({
    link,
    cache: new InMemoryCache({ possibleTypes, typePolicies }),
    defaultOptions: { query: all, watchQuery: all, mutate: all } as never, // each use says its types itself
  });
  return { client, last: () => last.data, failWith: (next?: Fault) => void (fault = next) };
}

const codesOf = (error: unknown) => new Set(gatewayErrors(error).map(({ extensions }) => extensions.code));

/** What must be on the screen: the answer, and in place of a list or of a root record that failed what was loaded before. */
function withLoaded(fresh: unknown, loaded: unknown, depth = 0): unknown {
  if (fresh === null && isObject(loaded) && (depth === 1 || 'pageInfo' in loaded)) return loaded;
  if (Array.isArray(fresh))
    return fresh.map((entry, index) => withLoaded(entry, (loaded as unknown[] | undefined)?.[index], depth + 1));
  if (!isObject(fresh) || !isObject(loaded)) return fresh;
  const entries = Object.entries(fresh);
  return Object.fromEntries(entries.map(([name, value]) => [name, withLoaded(value, loaded[name], depth + 1)]));
}

let counted = 0;

it('keeps what was loaded over a refetch that fails, is whole after the next, and keeps nothing over resetStore', async () => {
  for (const [operation, fault] of cells(reads)) {
    const where = [operation.name, fault];
    const { client, last, failWith } = connect();
    const options = { query: gql(operation.text), variables: operation.variables };
    const observed = client.watchQuery(options);
    const subscription = observed.subscribe({});
    await observed.refetch();
    const loaded = last();
    failWith(fault);
    const { error } = await observed.refetch();
    expect.soft([where, codesOf(error)]).toEqual([where, expectedCodes(fault)]);
    expect.soft([where, observed.getCurrentResult().data]).toEqual([where, withLoaded(last(), loaded)]);
    failWith();
    await observed.refetch();
    expect.soft([where, observed.getCurrentResult().data]).toEqual([where, loaded]);
    subscription.unsubscribe();
    await client.resetStore();
    failWith(fault);
    expect.soft([where, (await client.query(options)).data]).toEqual([where, last()]);
    counted += 1;
  }
});

it('keeps the pages that are there when the next one fails, and continues after it', async () => {
  for (const [operation, fault] of cells(reads.filter(({ list }) => list !== undefined))) {
    const where = [operation.name, fault];
    const { client, last, failWith } = connect();
    const cached = () =>
      listIn(client.readQuery({ query: gql(operation.text), variables: operation.variables }), operation);
    const observed = client.watchQuery({ query: gql(operation.text), variables: operation.variables });
    const subscription = observed.subscribe({});
    await observed.refetch();
    const first = listIn(last(), operation);
    failWith(fault);
    const { error } = await observed.fetchMore({ variables: { after: '2' }, errorPolicy: 'all' });
    const second = listIn(last(), operation);
    expect.soft([where, codesOf(error)]).toEqual([where, expectedCodes(fault)]);
    expect.soft([where, idsIn(cached())]).toEqual([where, [...idsIn(first), ...idsIn(second)]]);
    failWith();
    for (const after of ['2', '4']) await observed.fetchMore({ variables: { after }, errorPolicy: 'all' });
    expect.soft([where, idsIn(cached()).length, cached()?.pageInfo.hasNextPage]).toEqual([where, 5, false]);
    subscription.unsubscribe();
    counted += 1;
  }
});

it('hands over what a write answered, and keeps the lists beside it', async () => {
  const [list] = reads.filter(({ name }) => name === 'customers');
  for (const [write, fault] of cells(operations.filter((operation) => !isRead(operation)))) {
    const where = [write.name, fault];
    const { client, last, failWith } = connect();
    const observed = client.watchQuery({ query: gql(list?.text ?? '') });
    const subscription = observed.subscribe({});
    await observed.refetch();
    failWith(fault);
    const { error } = await client.mutate({ mutation: gql(write.text), variables: write.variables });
    expect.soft([where, codesOf(error)]).toEqual([where, expectedCodes(fault)]);
    expect.soft([where, last() === undefined]).toEqual([where, false]);
    const shown = listIn(observed.getCurrentResult().data, { list: ['customers'] });
    expect.soft([where, idsIn(shown)]).toEqual([where, ['customers.1', 'customers.2']]);
    subscription.unsubscribe();
    counted += 1;
  }
  record('The client kit in every state: Apollo Client', `${counted} states, each nullable place as null and in error`);
});
