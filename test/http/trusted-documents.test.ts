import { describe, expect, it } from 'vitest';
import { readManifest } from '../../src/http/trusted-documents-file.ts';
import { codes, credentials, query, startScripted } from '../support/gateway.ts';
import { queryRaw, sendRaw, type RawAnswer } from '../support/http.ts';
import { captureLog } from '../support/log.ts';
import { hashOf, manifestOf, writeTemporary } from '../support/manifest.ts';
import { success } from '../support/upstream/upstream.ts';

const trusted = 'query Named($id: ID!) { customer(id: $id) { firstName } }';
const write = 'mutation Write { createCustomer(input: {}) { customer { id } } }';
const faulty = 'query Faulty { noSuchField }';
const other = 'query Other { customer(id: "c1") { firstName } }';
const variables = { id: 'c1' };
const persisted = (document: string) => ({ persistedQuery: { version: 1, sha256Hash: hashOf(document) } });
const found = { data: { customer: { firstName: 'Ada' } } };

type Settings = Readonly<Record<string, string>>;
const start = async (environment: Settings = {}, log = captureLog().log) => {
  const TRUSTED_DOCUMENTS = await writeTemporary('manifest.json', manifestOf([trusted, write, faulty]));
  const settings = { TRUSTED_DOCUMENTS, ...environment };
  return startScripted(() => success({ id: 'c1', first_name: 'Ada' }), { environment: settings, log });
};
const startExclusive = (environment: Settings = {}) => start({ TRUSTED_DOCUMENTS_ONLY: 'on', ...environment });

const post = (url: string, body: object, headers: Settings = {}) =>
  sendRaw(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credentials, ...headers },
    body: JSON.stringify(body),
  });
const getTarget = (url: string, target: string) =>
  sendRaw(url, { target: `/graphql${target}`, headers: { ...credentials, 'apollo-require-preflight': '1' } });
/** Parameters as JSON, but for texts. */
const get = (url: string, parameters: object) => {
  const texts = Object.entries(parameters).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return getTarget(url, `?${String(new URLSearchParams(texts))}`);
};
const json = ({ text }: RawAnswer): unknown => JSON.parse(text);
const refusedWith = (code: string) => ({ errors: [{ extensions: { code, requestId: expect.any(String) as string } }] });
const notFound = refusedWith('PERSISTED_QUERY_NOT_FOUND');

describe('a trusted document', () => {
  it.each(['off', 'on'])('is run by its hash or its text on POST and on GET, with others refused %s', async (only) => {
    const { gateway } = await start({ TRUSTED_DOCUMENTS_ONLY: only });
    const extensions = persisted(trusted);
    const answers = [
      await post(gateway.url, { variables, extensions }),
      await post(gateway.url, { query: '', variables, extensions }),
      await post(gateway.url, { query: trusted, variables }),
      await get(gateway.url, { variables, extensions: { ...extensions, more: 1 } }),
      await get(gateway.url, { variables, query: trusted }),
    ];
    expect(answers.map((answer) => [answer.status, json(answer)])).toEqual(answers.map(() => [200, found]));
  });

  it('is run in production by POST alone, and one that writes is so everywhere', async () => {
    const { gateway } = await startExclusive({ NODE_ENV: 'production' });
    expect(json(await post(gateway.url, { variables, extensions: persisted(trusted) }))).toEqual(found);
    expect((await get(gateway.url, { variables, extensions: persisted(trusted) })).status).toBe(405);
    const development = await startExclusive();
    expect((await get(development.gateway.url, { extensions: persisted(write) })).status).toBe(405);
    expect(development.upstream.requests).toEqual([]);
    expect((await post(development.gateway.url, { extensions: persisted(write) })).status).toBe(200);
  });

  it('is still held to the schema, and on GET refused to a page that could send it by itself', async () => {
    const { gateway, upstream } = await startExclusive();
    const answer = await post(gateway.url, { extensions: persisted(faulty) });
    expect(json(answer)).toMatchObject(refusedWith('GRAPHQL_VALIDATION_FAILED'));
    const target = `/graphql?extensions=${encodeURIComponent(JSON.stringify(persisted(trusted)))}`;
    expect((await sendRaw(gateway.url, { target, headers: credentials })).status).toBe(400);
    expect(upstream.requests).toEqual([]);
  });
});

describe('what is not on the manifest', () => {
  it.each([
    ['the hash of another document', persisted(other)],
    ['a hash in capitals', { persistedQuery: { version: 1, sha256Hash: hashOf(trusted).toUpperCase() } }],
    ['another version', { persistedQuery: { version: 2, sha256Hash: hashOf(trusted) } }],
    ['the name of what every object has', { persistedQuery: { version: 1, sha256Hash: 'constructor' } }],
    ['no text', { persistedQuery: { version: 1, sha256Hash: { $ne: '' } } }],
    ['no hash', { persistedQuery: null }],
  ])('is not found by %s, without a call', async (_, extensions) => {
    const { gateway, upstream } = await start();
    const answers = [await post(gateway.url, { extensions }), await get(gateway.url, { extensions })];
    expect(answers.map((answer) => [answer.status, json(answer)])).toMatchObject([
      [400, notFound],
      [400, notFound],
    ]);
    expect(upstream.requests).toEqual([]);
  });

  it('is registered by no request, and is a hash of nothing where there is no manifest', async () => {
    const { gateway } = await start();
    expect(json(await post(gateway.url, { query: other, extensions: persisted(other) }))).toEqual(found);
    expect(json(await post(gateway.url, { extensions: persisted(other) }))).toMatchObject(notFound);
    const without = await startScripted(() => success({ id: 'c1' }));
    const register = await post(without.gateway.url, { query: other, extensions: persisted(other) });
    expect(json(register)).toMatchObject(refusedWith('PERSISTED_QUERY_NOT_SUPPORTED'));
    expect(without.upstream.requests).toEqual([]);
  });

  it.each([other, `${trusted} `, `${trusted}#`, '{ __schema { queryType { name } } }', '{', 'constructor'])(
    'is refused unparsed where only trusted documents are run: %s',
    async (document) => {
      const { gateway, upstream } = await startExclusive();
      const bodies = [{ query: document }, { query: document, extensions: persisted(trusted) }];
      const answers = await Promise.all(bodies.map((body) => post(gateway.url, body)));
      answers.push(await get(gateway.url, { query: document }));
      expect(answers.map(json)).toMatchObject([notFound, notFound, notFound]);
      expect(upstream.requests).toEqual([]);
    },
  );

  it('cannot be hidden behind a trusted document, a # or in a batch', async () => {
    const { gateway, upstream } = await startExclusive();
    const [own, foreign] = [encodeURIComponent(trusted), encodeURIComponent(other)];
    const hidden = `?operationName=Other&query=${own}#${encodeURIComponent(`\n${other}`)}`;
    for (const target of [`#?query=${foreign}`, `?a#&query=${foreign}`, hidden, '?operationName=Other', ''])
      expect(json(await getTarget(gateway.url, target)), `for ${target}`).toMatchObject(notFound);
    const batch = await post(gateway.url, [{ query: trusted, variables }, { query: other }]);
    const twice = await getTarget(gateway.url, `?query=${own}&query=${foreign}`);
    expect([batch.status, twice.status, upstream.requests.length]).toEqual([400, 400, 0]);
    const page = await sendRaw(`${gateway.url}/graphql`, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
  });
});

const secret = 'test-router-secret-of-32-letters';
const router = { 'x-router-secret': secret };
const entities = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Customer { firstName } } }';
const references = { of: [{ __typename: 'Customer', id: 'c1' }] };

describe('the router’s secret', () => {
  it('lets a request send documents that are not on the manifest, and read entities', async () => {
    const { gateway } = await startExclusive({ ROUTER_SECRET: secret });
    expect(json(await post(gateway.url, { query: other }, router))).toEqual(found);
    const answer = await post(gateway.url, { query: entities, variables: references }, router);
    expect(json(answer)).toEqual({ data: { _entities: [{ firstName: 'Ada' }] } });
  });

  it('may be one of two while it is changed, and nothing else that is set', async () => {
    const next = secret.toUpperCase();
    const { gateway, upstream } = await start({ ROUTER_SECRET: `${next},${secret}` });
    const ask = (value: string) =>
      post(gateway.url, { query: entities, variables: references }, { 'x-router-secret': value });
    const answers = await Promise.all([secret, next, `${next},${secret}`, `${secret},`].map(ask));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 403, 403]);
    expect(upstream.requests).toHaveLength(2);
  });

  it.each<[how: string, headers: Settings]>([
    ['nothing', {}],
    ['another one of its length', { 'x-router-secret': secret.replace('t', 'T') }],
    ['its beginning', { 'x-router-secret': secret.slice(0, -1) }],
    ['more than it', { 'x-router-secret': `${secret}!` }],
    ['it twice', { 'x-router-secret': `${secret}, ${secret}` }],
    ['it as the bearer token', { authorization: `Bearer ${secret}` }],
  ])('opens neither entities nor other documents with %s, and nothing is sent', async (_, headers) => {
    const [open, exclusive] = [await start({ ROUTER_SECRET: secret }), await startExclusive({ ROUTER_SECRET: secret })];
    const sent = { variables: references, headers: { ...credentials, ...headers } };
    const answer = await query(open.gateway, entities, sent);
    expect([answer.status, answer.data, codes(answer)]).toEqual([403, null, ['FORBIDDEN']]);
    expect(json(await post(exclusive.gateway.url, { query: other }, headers))).toMatchObject(notFound);
    expect([...open.upstream.requests, ...exclusive.upstream.requests]).toEqual([]);
  });

  it('is needed for entities under any name, in fragments and on conditions, and for nothing else', async () => {
    const { gateway, upstream } = await start({ ROUTER_SECRET: secret });
    const field = '_entities(representations: $of)';
    for (const document of [
      entities.replace(field, `customer: ${field}`),
      entities.replace(field, `${field} @include(if: true)`),
      `query ($of: [_Any!]!) { ...A } fragment A on Query { ... { ${field} { __typename } } }`,
    ])
      expect(codes(await query(gateway, document, { variables: references }))).toEqual(['FORBIDDEN']);
    expect(codes(await queryRaw(gateway, entities, { 'x-router-secret': [secret, secret] }))).not.toEqual([]);
    expect(upstream.requests).toEqual([]);
    expect((await query(gateway, other)).data).toEqual(found.data);
  });

  it.each<[code: string, body: object, environment?: Settings]>([
    [
      'COST_ESTIMATED_TOO_EXPENSIVE',
      { query: other.replace('}', 'balance { value { amount } } }') },
      { MAX_UPSTREAM_CALLS: '1' },
    ],
    ['LIMIT_EXCEEDED', { query: `{ ${'id '.repeat(2_001)} }` }],
    ['BAD_USER_INPUT', { query: entities, variables: {} }],
    ['GRAPHQL_VALIDATION_FAILED', { query: '{ nope }' }],
    ['GRAPHQL_PARSE_FAILED', { query: '{' }],
    ['PERSISTED_QUERY_NOT_FOUND', { extensions: persisted(other) }],
    ['BAD_REQUEST', {}],
    ['BAD_REQUEST', { query: other, variables: { text: 'x'.repeat(300_000) } }],
  ])('makes the refusal %s of a whole request a 200 with its code: case %#', async (code, body, environment) => {
    const { gateway, upstream } = await start({ ROUTER_SECRET: secret, ...environment });
    const answer = await post(gateway.url, body, router);
    expect([answer.status, json(answer)]).toMatchObject([200, refusedWith(code)]);
    expect((await post(gateway.url, body)).status).toBeGreaterThanOrEqual(400);
    expect(upstream.requests).toEqual([]);
  });

  it('gives a router null for each entity that it was refused, and others no data', async () => {
    const { gateway } = await start({ ROUTER_SECRET: secret, MAX_REPRESENTATIONS: '1' });
    const body = { query: entities, variables: { of: [{}, {}] } };
    const answer = json(await post(gateway.url, body, router));
    expect(answer).toMatchObject({ data: { _entities: [null, null] }, ...refusedWith('LIMIT_EXCEEDED') });
    expect(json(await post(gateway.url, body))).not.toHaveProperty('data');
  });

  it('goes into no answer, no call and no log', async () => {
    const { log, lines } = captureLog();
    const { gateway, upstream } = await start({ TRUSTED_DOCUMENTS_ONLY: 'on', ROUTER_SECRET: secret }, log);
    const sent = [secret, `${secret}!`, secret.slice(1)];
    const ask = (value: string) =>
      post(gateway.url, { query: entities, variables: references }, { 'x-router-secret': value });
    const answers = await Promise.all(sent.map(ask));
    expect(JSON.stringify([answers, upstream.requests, lines])).not.toContain(secret.slice(1));
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('a manifest', () => {
  const manifest = (more: object) =>
    JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations: [], ...more });
  const hashRule = 'allowed: the SHA-256 of `body`, in lower-case hex';
  const long = 'x'.repeat(300_000);

  it.each<[what: string, text: string, faults: readonly string[]]>([
    [
      'faulty operations',
      manifest({
        operations: [
          { id: hashOf(trusted), name: 'Good', type: 'query', body: trusted },
          { id: hashOf('planted'), name: 'Other', type: 'query', body: trusted },
          { name: 'NoId', type: 'query', body: 'planted' },
          { id: hashOf(other), name: 'NoBody', type: 'query' },
          { id: hashOf(long), name: 'Long', type: 'query', body: long },
        ],
      }),
      [
        `operations[1].id: ${hashRule}`,
        `operations[2].id: ${hashRule}`,
        'operations[3].body: allowed: the text of a document',
        'operations[4].body: allowed: at most 131072 bytes',
      ],
    ],
    ['another format', manifest({ format: 'planted' }), ['format: allowed: `apollo-persisted-query-manifest`']],
    ['another version', manifest({ version: 2 }), ['version: allowed: 1']],
    ['no operations', manifest({ operations: undefined }), ['operations: allowed: a list of operations']],
    [
      'too many operations',
      manifest({ operations: Array.from({ length: 10_001 }, () => ({ id: hashOf('{'), body: '{' })) }),
      ['operations: allowed: at most 10000 operations'],
    ],
    ['no JSON', 'planted', ['(file): allowed: JSON of at most 64 MiB']],
  ])('with %s stops the start with every fault and its place, and nothing of it repeated', async (_, text, faults) => {
    const file = await writeTemporary('manifest.json', text);
    const read = async () => readManifest(file);
    const message = await read().then(String, (error: Error) => error.message);
    expect(message.replaceAll(`${file}: `, '').split('\n').slice(1)).toEqual(faults);
    expect(message).not.toContain('planted');
    await expect(startScripted(() => success({}), { environment: { TRUSTED_DOCUMENTS: file } })).rejects.toThrow(
      faults[0],
    );
  });
});
