import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createHotMemory, type HotMemory } from '../../src/graphql/execution/hot-memory.ts';
import { credentials, startScripted, type GatewayOptions } from '../support/gateway.ts';
import { sendRaw } from '../support/http.ts';
import { failure, pageOf, success } from '../support/upstream.ts';

const record = { id: 'c1', first_name: 'Ada', created_at: 'never' };

/** A gateway whose memory tells how often a document was found in it. */
async function startWatched(options: Omit<GatewayOptions, 'upstream' | 'hotMemory'> = {}) {
  const memory = createHotMemory();
  let found = 0;
  const hotMemory: HotMemory = {
    ...memory,
    documentOf: (source) => {
      const document = memory.documentOf(source);
      found += document === undefined ? 0 : 1;
      return document;
    },
  };
  const script = ({ path }: { readonly path: string }) => {
    if (path.includes('/balance')) return failure(500);
    if (path.includes('long')) return success({ ...record, first_name: 'é'.repeat(9_000) });
    return path.includes('?') ? pageOf([record, { id: 'c2' }], path) : success(record);
  };
  const { gateway, upstream } = await startScripted(script, { ...options, hotMemory });
  const ask = async (body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const before = upstream.requests.length;
    const {
      status,
      headers: answered,
      text,
    } = await sendRaw(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': 'same', ...credentials, ...headers },
      body: JSON.stringify(body),
    });
    const { date: _, ...told } = answered;
    return { status, headers: told, text, calls: upstream.requests.slice(before).map(({ path }) => path) };
  };
  return { ask, found: () => found };
}

const fragment = 'fragment Names on Customer { firstName lastName }';
const customer = 'query Q($id: ID!, $no: Boolean = false) { customer(id: $id) { id firstName @skip(if: $no) } }';

describe('a query that is asked for again', () => {
  it.each([
    ['a record', { query: customer, variables: { id: 'c1' } }, {}],
    ['a condition', { query: customer, variables: { id: 'c1', no: true }, operationName: 'Q' }, {}],
    ['a long text', { query: customer, variables: { id: 'long' } }, {}],
    ['errors', { query: '{ customer(id: "c1") { createdAt balance { value { amount } } } }' }, {}],
    ['an error for the whole', { query: '{ customer(id: "..") { id } }' }, {}],
    ['a list', { query: '{ customers(first: 2) { nodes { id } totalCount pageInfo { endCursor } } }' }, {}],
    ['a fragment', { query: `{ customer(id: "c1") { ...Names } } ${fragment}`, variables: null }, {}],
    ['one of two operations', { query: 'query A { __typename } query B { n: __typename }', operationName: 'B' }, {}],
    ['extensions', { query: '{ __typename }', extensions: { clientLibrary: { name: 'any' } } }, {}],
    ['another content type', { query: '{ __typename }' }, { accept: 'application/graphql-response+json' }],
    ['no credential', { query: '{ customer(id: "c1") { id } }' }, { svcprivatekey: '' }],
  ])('is answered as it was the first time: %s', async (_, body, headers) => {
    const { ask, found } = await startWatched();
    const first = await ask(body, headers);
    expect(found()).toBe(0);
    expect(await ask(body, headers)).toEqual(first);
    expect(await ask(body, headers)).toEqual(first);
    expect(found()).toBe(2);
    expect(first.text).toMatch(/^\{.*"data":/);
  });

  it.each([
    ['a variable of the wrong type', { query: customer, variables: { id: {} } }],
    ['no operation of that name', { query: customer, variables: { id: 'c1' }, operationName: 'X' }],
    ['variables that are no object', { query: customer, variables: 'id' }],
    ['a hash beside the text', { query: customer, extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } }],
    ['introspection', { query: '{ __schema { queryType { name } } }' }],
    ['a batch', [{ query: '{ __typename }' }]],
  ])('is left to Apollo: %s', async (_, body) => {
    const { ask } = await startWatched();
    // Known by now.
    await ask({ query: customer, variables: { id: 'c1' } });
    await ask({ query: '{ __typename }' });
    const first = await ask(body);
    expect(await ask(body)).toEqual(first);
    expect(await ask(body)).toEqual(first);
  });

  it('meets the gate each time, by the variables of each time', async () => {
    const { ask, found } = await startWatched({ environment: { MAX_UPSTREAM_CALLS: '30' } });
    const query = 'query Q($first: Int) { customers(first: $first) { nodes { balance { value { amount } } } } }';
    expect((await ask({ query, variables: { first: 5 } })).status).toBe(200);
    const refused = await ask({ query, variables: { first: 50 } });
    expect(found()).toBe(1);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('COST_ESTIMATED_TOO_EXPENSIVE');
    expect(refused.calls).toEqual([]);
  });
});

describe('what is remembered of documents', () => {
  it('is the latest, 256 Ki characters of them', () => {
    const memory = createHotMemory();
    const texts = Array.from({ length: 5 }, (_, index) => `{ a${index} } #`.padEnd(64 * 1024, 'x'));
    for (const text of texts) memory.addDocument(text, parse(text));
    expect(texts.map((text) => memory.documentOf(text) !== undefined)).toEqual([false, true, true, true, true]);
    const longer = '{ a } #'.padEnd(256 * 1024 + 1, 'x');
    memory.addDocument(longer, parse(longer));
    expect(memory.documentOf(longer)).toBeUndefined();
    expect(memory.documentOf(texts[4] ?? '')).toBeDefined();
  });

  it('is the type for the latest accept headers, 4 Ki characters of them', () => {
    const memory = createHotMemory();
    const accepts = Array.from({ length: 5 }, (_, index) => `${index}`.padEnd(1024, 'x'));
    for (const accept of accepts) memory.addType(accept, 'application/json');
    expect(accepts.map((accept) => memory.typeFor(accept))).toEqual([
      undefined,
      ...Array.from({ length: 4 }, () => 'application/json'),
    ]);
  });
});
