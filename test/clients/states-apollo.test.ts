import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from '@apollo/client';
import { buildSchema, print, type ExecutionResult } from 'graphql';
import { gatewayErrors, possibleTypes, typePolicies } from 'settlement-graph/client';
import { expect, it } from 'vitest';
import { record } from '../proofs/evidence.ts';
import {
  answer,
  cells,
  expectedCodes,
  idsIn,
  isObject,
  listIn,
  operationsOf,
  type Fault,
  type List,
} from './faulty-service.ts';

const schema = buildSchema(
  readFileSync(fileURLToPath(import.meta.resolve('settlement-graph/client/schema.graphql')), 'utf8'),
);
const operations = operationsOf(schema);
const reads = operations.filter(({ text }) => text.startsWith('query'));
const writes = operations.filter(({ text }) => text.startsWith('mutation'));
const pagedLists = reads.filter(({ list }) => list !== undefined);

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

it('shows the rest of a first load, and says what failed', async () => {
  for (const [operation, fault] of cells(reads)) {
    const { client, last, failWith } = connect();
    failWith(fault);
    const { data, error } = await client.query({ query: gql(operation.text), variables: operation.variables });
    expect.soft({ fault, operation: operation.name, data }).toEqual({ fault, operation: operation.name, data: last() });
    expect.soft([fault, codesOf(error)]).toEqual([fault, expectedCodes(fault)]);
    counted += 1;
  }
});

it('keeps what was loaded over a refetch that fails, and is whole after the next', async () => {
  for (const [operation, fault] of cells(reads)) {
    const { client, last, failWith } = connect();
    const observed = client.watchQuery({ query: gql(operation.text), variables: operation.variables });
    const subscription = observed.subscribe({});
    await observed.refetch();
    const loaded = last();
    failWith(fault);
    const { error } = await observed.refetch();
    const where = [operation.name, fault];
    expect.soft([where, codesOf(error)]).toEqual([where, expectedCodes(fault)]);
    expect.soft([where, observed.getCurrentResult().data]).toEqual([where, withLoaded(last(), loaded)]);
    failWith();
    await observed.refetch();
    expect.soft([where, observed.getCurrentResult().data]).toEqual([where, loaded]);
    subscription.unsubscribe();
    counted += 1;
  }
});

it('keeps nothing over resetStore, which a page calls once the merchant has changed', async () => {
  for (const [operation, fault] of cells(reads)) {
    const { client, last, failWith } = connect();
    const options = { query: gql(operation.text), variables: operation.variables };
    await client.query(options);
    await client.resetStore();
    failWith(fault);
    expect.soft([operation.name, fault, (await client.query(options)).data]).toEqual([operation.name, fault, last()]);
  }
});

it('never shows one record or list in place of another, whatever was loaded before', async () => {
  for (const { name, text } of reads.filter(({ variables }) => 'id' in variables)) {
    const { client, last } = connect();
    const query = gql(text);
    for (const id of ['first', 'second', 'first']) {
      const { data } = await client.query({ query, variables: { id }, fetchPolicy: 'network-only' });
      expect([name, id, data]).toEqual([name, id, last()]);
    }
    const { data } = await client.query({ query, variables: { id: 'second' } });
    expect([name, JSON.stringify(data)]).toEqual([name, expect.stringContaining('"second"')]);
    expect(client.readQuery({ query, variables: { id: 'third' } })).toBeNull();
  }
});

it('keeps the pages that are there when the next one fails, and continues after it', async () => {
  for (const [operation, fault] of cells(pagedLists)) {
    const where = [operation.name, fault];
    const { client, last, failWith } = connect();
    const cached = () => client.readQuery({ query: gql(operation.text), variables: operation.variables });
    const observed = client.watchQuery({ query: gql(operation.text), variables: operation.variables });
    const subscription = observed.subscribe({});
    await observed.refetch();
    const first = listIn(last(), operation);
    failWith(fault);
    const { error } = await observed.fetchMore({ variables: { after: '2' }, errorPolicy: 'all' });
    const second = listIn(last(), operation);
    expect.soft([where, codesOf(error)]).toEqual([where, expectedCodes(fault)]);
    const shown = listIn(cached(), operation);
    expect.soft([where, idsIn(shown)]).toEqual([where, [...idsIn(first), ...idsIn(second)]]);
    expect.soft([where, shown?.edges.length]).toEqual([where, 2 + (second?.edges.length ?? 0)]);
    failWith();
    await observed.fetchMore({ variables: { after: '2' }, errorPolicy: 'all' });
    await observed.fetchMore({ variables: { after: '4' }, errorPolicy: 'all' });
    const whole = listIn(cached(), operation);
    expect.soft([where, idsIn(whole).length, whole?.pageInfo.hasNextPage]).toEqual([where, 5, false]);
    subscription.unsubscribe();
    counted += 1;
  }
});

it('hands over what a write answered, and keeps the lists beside it', async () => {
  const [list] = reads.filter(({ name }) => name === 'customers');
  for (const [write, fault] of cells(writes)) {
    const where = [write.name, fault];
    const { client, last, failWith } = connect();
    const observed = client.watchQuery({ query: gql(list?.text ?? '') });
    const subscription = observed.subscribe({});
    await observed.refetch();
    const loaded = { updateCustomer: { customer: listIn(last(), { list: ['customers'] })?.nodes[0] } };
    failWith(fault);
    const { data, error } = await client.mutate({ mutation: gql(write.text), variables: write.variables });
    expect.soft([where, data]).toEqual([where, withLoaded(last(), loaded, 1)]);
    expect.soft([where, codesOf(error)]).toEqual([where, expectedCodes(fault)]);
    const shown = listIn(observed.getCurrentResult().data, { list: ['customers'] });
    expect.soft([where, idsIn(shown)]).toEqual([where, ['customers.1', 'customers.2']]);
    const below = (shown?.nodes as readonly Readonly<Record<string, unknown>>[]).map(
      ({ transactions }) => idsIn(transactions as unknown as List).length,
    );
    expect.soft([where, below]).toEqual([where, [2, 2]]);
    subscription.unsubscribe();
    counted += 1;
  }
  record('The client kit in every state: Apollo Client', `${counted} states, each nullable place as null and in error`);
});
