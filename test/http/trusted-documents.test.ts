import { describe, expect, it } from 'vitest';
import { readManifest } from '../../src/http/trusted-documents-file.ts';
import { codes, credentials, query, startScripted } from '../support/gateway.ts';
import { queryRaw, sendRaw, type RawAnswer } from '../support/http.ts';
import { captureLog } from '../support/log.ts';
import { hashOf, manifestOf, writeTemporary } from '../support/manifest.ts';
import { success } from '../support/upstream.ts';

const trusted = 'query Named($id: ID!) { customer(id: $id) { firstName } }';
const write = 'mutation Write { createCustomer(input: {}) { customer { id } } }';
const faulty = 'query Faulty { noSuchField }';
const other = 'query Other { customer(id: "c1") { firstName } }';
const variables = { id: 'c1' };
const persisted = (document: string) => ({ persistedQuery: { version: 1, sha256Hash: hashOf(document) } });
const found = { data: { customer: { firstName: 'Ada' } } };

const start = async (environment: Readonly<Record<string, string>> = {}) => {
  const TRUSTED_DOCUMENTS = await writeTemporary('manifest.json', manifestOf([trusted, write, faulty]));
  return startScripted(() => success({ id: 'c1', first_name: 'Ada' }), {
    environment: { TRUSTED_DOCUMENTS, ...environment },
  });
};
const startExclusive = (environment: Readonly<Record<string, string>> = {}) =>
  start({ TRUSTED_DOCUMENTS_ONLY: 'on', ...environment });

const post = async (url: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  sendRaw(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credentials, ...headers },
    body: JSON.stringify(body),
  });
/** Parameters as JSON, and others as they are. */
const get = async (url: string, parameters: object, texts: Readonly<Record<string, string>> = {}) => {
  const asJson = Object.entries(parameters).map(([name, value]): [string, string] => [name, JSON.stringify(value)]);
  return sendRaw(`${url}/graphql?${String(new URLSearchParams([...asJson, ...Object.entries(texts)]))}`, {
    headers: { ...credentials, 'apollo-require-preflight': '1' },
  });
};
const json = ({ text }: RawAnswer): unknown => JSON.parse(text);
const notFound = {
  errors: [
    {
      message: 'This document is not one of those that this gateway trusts. The operator must add it to the manifest.',
      extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', requestId: expect.any(String) as string },
    },
  ],
};

describe('a trusted document', () => {
  it.each(['off', 'on'])('is run by its hash or its text on POST and on GET, with others refused %s', async (only) => {
    const { gateway } = await start({ TRUSTED_DOCUMENTS_ONLY: only });
    const extensions = persisted(trusted);
    const deep = JSON.stringify({ ...extensions, deep: 0 }).replace(
      ':0}',
      `:${'['.repeat(7_000)}${']'.repeat(7_000)}}`,
    );
    const target = `/graphql?variables=${JSON.stringify(variables)}&extensions=${deep}`;
    const answers = [
      await post(gateway.url, { variables, extensions }),
      await post(gateway.url, { query: '', variables, extensions }),
      await post(gateway.url, { query: trusted, variables }),
      await post(gateway.url, { query: trusted, variables, extensions }),
      await get(gateway.url, { variables, extensions: { ...extensions, more: 1 } }),
      await get(gateway.url, { variables }, { query: trusted }),
      await sendRaw(gateway.url, { target, headers: { ...credentials, 'apollo-require-preflight': '1' } }),
    ];
    expect(answers.map((answer) => [answer.status, json(answer)])).toEqual(answers.map(() => [200, found]));
  });

  it('that writes is run on POST, and not on GET', async () => {
    const { gateway, upstream } = await startExclusive();
    const refused = await get(gateway.url, { extensions: persisted(write) });
    expect([refused.status, upstream.requests.length]).toEqual([405, 0]);
    const answer = await post(gateway.url, { extensions: persisted(write) });
    expect(json(answer)).toEqual({ data: { createCustomer: { customer: { id: 'c1' } } } });
  });

  it('is run in production by POST alone', async () => {
    const { gateway } = await startExclusive({ NODE_ENV: 'production' });
    expect(json(await post(gateway.url, { variables, extensions: persisted(trusted) }))).toEqual(found);
    expect((await get(gateway.url, { variables, extensions: persisted(trusted) })).status).toBe(405);
  });

  it('is still held to the schema, the limits and the cost', async () => {
    const { gateway, upstream } = await startExclusive();
    const answer = await post(gateway.url, { extensions: persisted(faulty) });
    expect(json(answer)).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });
    expect(upstream.requests).toEqual([]);
  });

  it('on GET is refused to a page that could send it by itself', async () => {
    const { gateway, upstream } = await startExclusive();
    const parameters = new URLSearchParams({
      extensions: JSON.stringify(persisted(trusted)),
      variables: JSON.stringify(variables),
    });
    const answer = await sendRaw(`${gateway.url}/graphql?${String(parameters)}`, { headers: credentials });
    expect([answer.status, upstream.requests.length]).toEqual([400, 0]);
    expect(answer.text).toContain('"Send content-type: application/json, or an apollo-require-preflight header that ');
  });
});

/** Ways to name a document that is on no manifest. */
const unknown: readonly [name: string, extensions: unknown][] = [
  ['of another document', persisted(other)],
  ['in capitals', { persistedQuery: { version: 1, sha256Hash: hashOf(trusted).toUpperCase() } }],
  ['of another version', { persistedQuery: { version: 2, sha256Hash: hashOf(trusted) } }],
  ['that is none', { persistedQuery: { version: 1, sha256Hash: 'constructor' } }],
  ['that is no text', { persistedQuery: { version: 1, sha256Hash: { $ne: '' } } }],
  ['that is missing', { persistedQuery: { version: 1 } }],
  ['that is null', { persistedQuery: null }],
  ['in a list', { persistedQuery: [hashOf(trusted)] }],
];

describe('a hash', () => {
  it('of no document of the manifest is not found, without a call', async () => {
    const { gateway, upstream } = await start();
    for (const [name, extensions] of unknown) {
      const answers = [await post(gateway.url, { extensions }), await get(gateway.url, { extensions })];
      expect(answers.map(({ status }) => status)).toEqual([400, 400]);
      expect(answers.map(json), `for ${name}`).toEqual([notFound, notFound]);
    }
    expect(upstream.requests).toEqual([]);
  });

  it('with a text registers nothing', async () => {
    const { gateway } = await start();
    expect(json(await post(gateway.url, { query: other, extensions: persisted(other) }))).toEqual(found);
    expect(json(await post(gateway.url, { extensions: persisted(other) }))).toEqual(notFound);
  });

  it('is not supported where there is no manifest', async () => {
    const { gateway, upstream } = await startScripted(() => success({ id: 'c1' }));
    const register = await post(gateway.url, { query: other, extensions: persisted(other) });
    expect(json(register)).toMatchObject({ errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }] });
    expect(upstream.requests).toEqual([]);
  });
});

describe('a document that is not on the manifest', () => {
  it('is refused where only trusted ones are run, without a call', async () => {
    const { gateway, upstream } = await startExclusive();
    const introspection = '{ __schema { queryType { name } } }';
    for (const document of [other, `${trusted} `, `${trusted}#`, introspection, '{', 'constructor']) {
      const bodies = [{ query: document }, { query: document, extensions: persisted(trusted) }];
      const answers = [
        ...(await Promise.all(bodies.map((body) => post(gateway.url, body)))),
        await get(gateway.url, {}, { query: document }),
      ];
      expect(answers.map(json), `for ${document}`).toEqual([notFound, notFound, notFound]);
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    }
    expect(upstream.requests).toEqual([]);
  });

  it('cannot be hidden behind a trusted one or a #, nor is a GET without a document passed on', async () => {
    const { gateway, upstream } = await startExclusive();
    const [own, foreign] = [encodeURIComponent(trusted), encodeURIComponent(other)];
    const getTarget = (target: string) =>
      sendRaw(gateway.url, {
        target: `/graphql${target}`,
        headers: { ...credentials, 'apollo-require-preflight': '1' },
      });
    const hidden = `?operationName=Other&query=${own}#${encodeURIComponent(`\n${other}`)}`;
    for (const target of [`#?query=${foreign}`, `?a#&query=${foreign}`, hidden, '?operationName=Other', '']) {
      expect(json(await getTarget(target)), `for ${target}`).toEqual(notFound);
    }
    const batch = await post(gateway.url, [{ query: trusted, variables }, { query: other }]);
    const twice = await getTarget(`?query=${own}&query=${foreign}`);
    expect([batch.status, twice.status, upstream.requests.length]).toEqual([400, 400, 0]);
  });

  it('is not asked of the Sandbox page and the health checks', async () => {
    const { gateway } = await startExclusive();
    for (const path of ['/graphql', '/graphql?a#b', '/health/live']) {
      const answer = await sendRaw(gateway.url, { target: path, headers: { accept: 'text/html,*/*;q=0.8' } });
      expect(answer.status, `for ${path}`).toBe(200);
    }
  });

  it('is a bad request where it is missing from a GET, though others are run', async () => {
    const { gateway } = await start();
    expect(json(await get(gateway.url, {}))).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
  });

  it('is a bad request where it is no text', async () => {
    const { gateway, upstream } = await startExclusive();
    for (const body of [{}, { query: { kind: 'Document' } }, { query: [other] }]) {
      const answer = await post(gateway.url, body);
      expect(json(answer)).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
    }
    expect(upstream.requests).toEqual([]);
  });
});

const secret = 'test-router-secret-of-32-letters';
const entities = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Customer { firstName } } }';
const references = { of: [{ __typename: 'Customer', id: 'c1' }] };

describe('the router’s secret', () => {
  it('lets a request send documents that are not on the manifest, and read entities', async () => {
    const { gateway } = await startExclusive({ ROUTER_SECRET: secret });
    const headers = { 'x-router-secret': secret };
    expect(json(await post(gateway.url, { query: other }, headers))).toEqual(found);
    const { data } = await query(gateway, entities, { variables: references, headers: { ...credentials, ...headers } });
    expect(data).toEqual({ _entities: [{ firstName: 'Ada' }] });
  });

  const wrong: readonly [name: string, headers: Readonly<Record<string, string>>][] = [
    ['without it', {}],
    ['with another one', { 'x-router-secret': 'another-secret' }],
    ['with another one of its length', { 'x-router-secret': secret.replace('t', 'T') }],
    ['with its beginning', { 'x-router-secret': secret.slice(0, -1) }],
    ['with more than it', { 'x-router-secret': `${secret}!` }],
    ['with it twice', { 'x-router-secret': `${secret}, ${secret}` }],
    ['with it as the bearer token', { authorization: `Bearer ${secret}` }],
  ];
  const documents: readonly [name: string, document: string][] = [
    ['entities', entities],
    ['entities under another name', entities.replace('_entities', 'customer: _entities')],
    [
      'entities in a fragment',
      'query ($of: [_Any!]!) { ...A } fragment A on Query { ... { _entities(representations: $of) { __typename } } }',
    ],
    [
      'entities on a condition that holds',
      entities.replace('_entities(representations: $of)', '_entities(representations: $of) @include(if: true)'),
    ],
  ];

  it('is needed for entities alone: forbidden without it, without a call', async () => {
    const { gateway, upstream } = await start({ ROUTER_SECRET: secret });
    for (const [name, document, headers] of [
      ...documents.map(([what, document]) => [what, document, {}] as const),
      ...wrong.map(([how, headers]) => [how, entities, headers] as const),
    ]) {
      const answer = await query(gateway, document, { variables: references, headers: { ...credentials, ...headers } });
      expect([answer.status, answer.data], `for ${name}`).toEqual([403, null]);
      expect(answer.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    }
    expect(upstream.requests).toEqual([]);
    expect((await query(gateway, other)).data).toEqual(found.data);
  });

  it('opens nothing where it is another, or where there is none to compare with', async () => {
    const { gateway, upstream } = await startExclusive({ ROUTER_SECRET: secret });
    for (const [name, headers] of wrong) {
      expect(json(await post(gateway.url, { query: other }, headers)), `for ${name}`).toEqual(notFound);
    }
    const lines = await queryRaw(gateway, other, { ...credentials, 'x-router-secret': [secret, secret] });
    expect(codes(lines)).toEqual(['PERSISTED_QUERY_NOT_FOUND']);
    const withoutSecret = await startExclusive();
    const answer = await post(withoutSecret.gateway.url, { query: other }, { 'x-router-secret': 'undefined' });
    expect(json(answer)).toEqual(notFound);
    expect([...upstream.requests, ...withoutSecret.upstream.requests]).toEqual([]);
  });

  it.each<[code: string, body: object, status: number, environment?: Readonly<Record<string, string>>]>([
    [
      'COST_ESTIMATED_TOO_EXPENSIVE',
      { query: other.replace('}', 'balance { value { amount } } }') },
      400,
      { MAX_UPSTREAM_CALLS: '1' },
    ],
    [
      'LIMIT_EXCEEDED',
      { query: entities, variables: { of: [...references.of, ...references.of] } },
      400,
      { MAX_REPRESENTATIONS: '1' },
    ],
    ['LIMIT_EXCEEDED', { query: `{ ${'id '.repeat(2_001)} }` }, 400],
    ['BAD_USER_INPUT', { query: entities, variables: {} }, 400],
    ['GRAPHQL_VALIDATION_FAILED', { query: '{ nope }' }, 400],
    ['GRAPHQL_PARSE_FAILED', { query: '{' }, 400],
    ['PERSISTED_QUERY_NOT_FOUND', { extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } }, 400],
    ['BAD_REQUEST', {}, 400],
    ['BAD_REQUEST', { query: other, variables: { text: 'x'.repeat(300_000) } }, 413],
  ])(
    'makes the refusal %s of a whole request a 200 with its code: case %#',
    async (code, body, status, environment) => {
      const { gateway, upstream } = await start({ ROUTER_SECRET: secret, ...environment });
      const [toRouter, toOther] = [
        await post(gateway.url, body, { 'x-router-secret': secret }),
        await post(gateway.url, body, { 'x-router-secret': 'of-somebody-else' }),
      ];
      expect(toRouter.status).toBe(200);
      expect(json(toRouter)).toMatchObject({
        errors: [{ extensions: { code, requestId: expect.any(String) as string } }],
      });
      expect([403, status]).toContain(toOther.status);
      expect(upstream.requests).toEqual([]);
    },
  );

  it('gives a router null for each entity that it was refused, and others no data', async () => {
    const { gateway } = await start({ ROUTER_SECRET: secret, MAX_REPRESENTATIONS: '1' });
    const body = { query: entities.replace('_entities', 'of: _entities'), variables: { of: [{}, {}] } };
    expect(json(await post(gateway.url, body, { 'x-router-secret': secret }))).toMatchObject({
      data: { of: [null, null] },
      errors: [{ extensions: { limit: 'representations' } }],
    });
    const beside = { ...body, query: body.query.replace('of: _', 'customer(id: "c1") { id } of: _') };
    for (const other of [beside, { query: '{ nope }' }])
      expect(json(await post(gateway.url, other, { 'x-router-secret': secret }))).not.toHaveProperty('data');
    expect(json(await post(gateway.url, body, {}))).not.toHaveProperty('data');
  });

  it('goes into no answer, no call and no log', async () => {
    const TRUSTED_DOCUMENTS = await writeTemporary('manifest.json', manifestOf([trusted]));
    const { log, lines } = captureLog();
    const { gateway, upstream } = await startScripted(() => success({ id: 'c1', first_name: 'Ada' }), {
      environment: { TRUSTED_DOCUMENTS, TRUSTED_DOCUMENTS_ONLY: 'on', ROUTER_SECRET: secret },
      log,
    });
    const sent = [secret, `${secret}!`, secret.slice(1)];
    const answers = await Promise.all(
      sent.map((value) => post(gateway.url, { query: entities, variables: references }, { 'x-router-secret': value })),
    );
    expect(JSON.stringify([answers, upstream.requests, lines])).not.toContain(secret.slice(1));
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('a manifest', () => {
  const faultsOf = async (text: string): Promise<readonly string[]> => {
    const file = await writeTemporary('manifest.json', text);
    const read = async () => readManifest(file);
    const message = await read().then(
      () => '',
      (error: Error) => error.message,
    );
    return message
      .split('\n')
      .slice(1)
      .map((line) => line.replace(`${file}: `, ''));
  };
  const withOperations = (operations: unknown) =>
    JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations });
  const hashRule = 'allowed: the SHA-256 of `body`, in lower-case hex';

  it('with any fault is refused with every fault and its place, and nothing of it repeated', async () => {
    const faults = await faultsOf(
      withOperations([
        { id: hashOf(trusted), name: 'Good', type: 'query', body: trusted },
        { id: hashOf('planted'), name: 'Other', type: 'query', body: trusted },
        { name: 'NoId', type: 'query', body: 'planted' },
        { id: hashOf(other), name: 'NoBody', type: 'query' },
        'planted',
        { id: hashOf('x'.repeat(300_000)), name: 'Long', type: 'query', body: 'x'.repeat(300_000) },
      ]),
    );
    expect(faults).toEqual([
      `operations[1].id: ${hashRule}`,
      `operations[2].id: ${hashRule}`,
      'operations[3].body: allowed: the text of a document',
      expect.stringMatching(/^operations\[4\]: allowed: /) as string,
      'operations[5].body: allowed: at most 131072 bytes',
    ]);
    expect(faults.join('\n')).not.toContain('planted');
  });

  it.each([
    [
      'another format',
      '{"format":"planted","version":1,"operations":[]}',
      'format: allowed: `apollo-persisted-query-manifest`',
    ],
    [
      'another version',
      '{"format":"apollo-persisted-query-manifest","version":2,"operations":[]}',
      'version: allowed: 1',
    ],
    [
      'no operations',
      '{"format":"apollo-persisted-query-manifest","version":1}',
      'operations: allowed: a list of operations',
    ],
    [
      'too many operations',
      withOperations(Array.from({ length: 10_001 }, () => ({ id: hashOf('{'), body: '{' }))),
      'operations: allowed: at most 10000 operations',
    ],
    ['no JSON', 'planted', '(file): allowed: JSON of at most 64 MiB'],
  ])('of %s is refused', async (_, text, fault) => {
    expect(await faultsOf(text)).toEqual([fault]);
  });

  it('with a fault lets no gateway start', async () => {
    const TRUSTED_DOCUMENTS = await writeTemporary('manifest.json', withOperations([{ id: 'x', body: '{' }]));
    await expect(startScripted(() => success({}), { environment: { TRUSTED_DOCUMENTS } })).rejects.toThrow(
      /operations\[0\]\.id/,
    );
  });
});
