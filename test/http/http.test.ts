import type { OutgoingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { codes, credentials, query, startGateway, startScripted } from '../support/gateway.ts';
import { sendBytes, sendRaw, type RawAnswer } from '../support/http.ts';
import { freeUrl, listenAt } from '../support/ports.ts';
import { startUpstream, success } from '../support/upstream/upstream.ts';

type Environment = Readonly<Record<string, string>>;
const production = { NODE_ENV: 'production' };
const start = (environment: Environment = {}) =>
  startScripted(() => success({ id: 'c1', type: 'wallet' }), { environment });
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const document = '{ customer(id: "c1") { type } }';
const search = `?query=${encodeURIComponent(document)}`;
const post = (body: string | Buffer, headers: OutgoingHttpHeaders = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...credentials, ...headers },
  body,
});
const ask = (headers: OutgoingHttpHeaders = {}) => post(JSON.stringify({ query: document }), headers);
const badRequest = { errors: [{ extensions: { code: 'BAD_REQUEST', requestId: expect.any(String) as string } }] };

/** The names in a header that lists some. */
const namesIn = ({ headers }: RawAnswer, header: string) =>
  String(headers[header])
    .toLowerCase()
    .split(/\s*,\s*/);

describe('the addresses', () => {
  it('lead a browser from / to Apollo Sandbox at /graphql in development', async () => {
    const { gateway, upstream } = await start();
    const { status, headers } = await sendRaw(gateway.url, { headers: browser });
    expect([status, headers.location]).toEqual([302, '/graphql']);
    const page = await sendRaw(`${gateway.url}/graphql`, { headers: browser });
    expect([page.status, page.headers['content-security-policy']]).toEqual([200, "frame-ancestors 'none'"]);
    expect(page.text).toMatch(/embeddable-sandbox[^]*"runTelemetry":false/);
    expect(page.text).toMatch(/"?includeCookies"?: ?false/);
    expect(upstream.requests).toEqual([]);
  });

  it.each(['/', '/graphql', `/graphql${search}`])('serve no GET of %s in production', async (path) => {
    const { gateway, upstream } = await start(production);
    const headers = { ...browser, ...credentials, 'apollo-require-preflight': '1' };
    const { status, text } = await sendRaw(gateway.url + path, { headers });
    expect([404, 405]).toContain(status);
    expect(JSON.parse(text)).toMatchObject(badRequest);
    expect(upstream.requests).toEqual([]);
  });

  it('answer a GET with a header that no page can send by itself, and refuse one without', async () => {
    const { gateway, upstream } = await start();
    expect((await sendRaw(`${gateway.url}/graphql${search}`, { headers: credentials })).status).toBe(400);
    expect(upstream.requests).toEqual([]);
    const headers = { ...credentials, 'apollo-require-preflight': '1' };
    expect((await sendRaw(`${gateway.url}/graphql${search}`, { headers })).status).toBe(200);
    expect(upstream.requests).toHaveLength(1);
  });

  it.each([
    ['GET, POST, OPTIONS', {}, ['HEAD', 'PUT', 'DELETE', 'TRACE']],
    ['POST, OPTIONS', production, ['GET', 'HEAD', 'PUT']],
  ])('allow %s, and tell so to other methods, without a call', async (allow, environment, methods) => {
    const { gateway, upstream } = await start(environment);
    for (const method of methods) {
      const { status, headers } = await sendRaw(`${gateway.url}/graphql${search}`, { method, headers: credentials });
      expect([method, status, headers.allow]).toEqual([method, 405, allow]);
    }
    const { status, headers } = await sendRaw(`${gateway.url}/graphql`, { method: 'OPTIONS' });
    expect([status, headers.allow]).toEqual([204, allow]);
    expect(upstream.requests).toEqual([]);
  });
});

it.each([
  ['a mutation', () => post('{"query":"mutation { createCustomer(input: {}) { customer { id } } }"}'), ''],
  ['a GET', () => ({ headers: { ...credentials, 'apollo-require-preflight': '1' } }), search],
])('%s is sent only where its Accept header takes one of our media types', async (_, request, path) => {
  const { gateway, upstream } = await start();
  const statusOf = async (accept: string) => {
    const { headers, ...rest } = request();
    return (await sendRaw(`${gateway.url}/graphql${path}`, { ...rest, headers: { ...headers, accept } })).status;
  };
  for (const accept of ['image/png', 'application/json;q=0']) expect(await statusOf(accept)).toBe(406);
  expect(upstream.requests).toEqual([]);
  const accepts = ['*/*', 'application/*', 'application/graphql-response+json', 'application/json, text/html;q=0.5'];
  for (const accept of accepts) expect(await statusOf(accept)).toBe(200);
  expect(upstream.requests).toHaveLength(accepts.length);
});

it('a request id is echoed where it is one, and else replaced by a new one', async () => {
  const { gateway } = await start();
  const answered = async (headers: OutgoingHttpHeaders) =>
    String((await sendRaw(`${gateway.url}/graphql`, ask(headers))).headers['x-request-id']);
  for (const id of ['A', 'a.b_c-9', 'x'.repeat(128)]) expect(await answered({ 'x-request-id': id })).toBe(id);
  const odd = ['', 'x'.repeat(129), 'with space', 'a/b', 'né', ['one', 'two'], ['same', 'same']];
  const replaced = await Promise.all([{}, ...odd.map((id) => ({ 'x-request-id': id }))].map(answered));
  expect(replaced.filter((id) => !/^[\w.-]{1,128}$/.test(id) || odd.flat().includes(id))).toEqual([]);
  expect(new Set(replaced).size).toBe(odd.length + 1);
});

it('every answer forbids caches, frames and guessing of types, and has a request id', async () => {
  const { gateway } = await start({ PRIVATE_KEY_HEADER_IN: 'X-Merchant-Key' });
  const origin = 'http://localhost:3000';
  const requests: readonly (readonly [status: number, path: string, request: object, ...vary: string[]])[] = [
    [200, '/graphql', ask()],
    [200, '/graphql', ask({ origin }), 'origin'],
    [400, '/graphql', post('{"query":"{"}')],
    [400, '/graphql', post('{"query":')],
    [413, '/graphql', post(`"${'x'.repeat(300_000)}"`)],
    [404, '/nothing', {}],
    [200, '/graphql', { headers: browser }],
    [302, '/', {}],
    [200, '/health/live', {}],
    [204, '/graphql', { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } }],
  ];
  for (const [status, path, request, ...vary] of requests) {
    const answer = await sendRaw(gateway.url + path, request);
    expect(answer).toMatchObject({
      status,
      headers: {
        'cache-control': 'private, no-store',
        'x-request-id': expect.any(String) as string,
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'content-security-policy': expect.stringMatching(/frame-ancestors 'none'$/) as string,
      },
    });
    expect(namesIn(answer, 'vary')).toEqual(expect.arrayContaining(['authorization', 'x-merchant-key', ...vary]));
  }
  expect((await sendRaw(`${gateway.url}/graphql`, ask({ connection: 'keep-alive' }))).headers).toMatchObject({
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'keep-alive': 'timeout=72',
  });
});

it.each([
  [400, 'no HTTP', 'nonsense\r\n\r\n'],
  [431, 'headers over 16 KiB', `GET /graphql HTTP/1.1\r\nhost: a\r\nx-large: ${'x'.repeat(17_000)}\r\n\r\n`],
  [431, 'over 100 headers', `GET /graphql HTTP/1.1\r\nhost: a\r\n${'x-more: 1\r\n'.repeat(101)}\r\n`],
  [
    200,
    'names of what every object has',
    `GET /health/live HTTP/1.1\r\nhost: a\r\n${'__proto__: 1\r\n'.repeat(2)}connection: close\r\n\r\n`,
  ],
])('answers %i to %s, without a call', async (status, _, bytes) => {
  const { gateway, upstream } = await start();
  expect(await sendBytes(gateway.url, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(upstream.requests).toEqual([]);
});

describe('calls from browsers', () => {
  const wanted = 'content-type,authorization,svcprivatekey,idempotency-key,traceparent,x-request-id,x-explain';
  const preflight = (url: string, origin: string) => {
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': wanted };
    return sendRaw(`${url}/graphql`, { method: 'OPTIONS', headers: { origin, ...asked } });
  };
  const app = 'https://app.example.com';
  const local = ['http://localhost:3000', 'https://localhost:8443', 'http://127.0.0.1:4000', 'http://[::1]:5173'];
  const studio = ['https://studio.apollographql.com', 'https://sandbox.embed.apollographql.com'];
  const evil = ['https://localhost.evil.example', 'http://127.0.0.1.evil.example', `${studio[0]}.evil.example`, 'null'];

  it.each<[environment: Environment, allowed: readonly string[], refused: readonly string[]]>([
    [{}, [...local, ...studio], [...evil, 'http://studio.apollographql.com']],
    [production, [], [...local, ...studio, app]],
    [{ ALLOWED_ORIGINS: app }, [app], ['https://evil.example']],
    [
      { ALLOWED_ORIGINS: `${app}, https://*.shop.example:8443` },
      [app, 'https://a.shop.example:8443', 'https://b-1.shop.example:8443'],
      [
        'https://shop.example:8443',
        'https://a.b.shop.example:8443',
        'https://a.shop.example',
        'http://a.shop.example:8443',
        'https://a.shop.example:8443.evil.example',
        'https://other.example.com',
      ],
    ],
  ])('may come from some origins with %j, without cookies', async (environment, allowed, refused) => {
    const { gateway } = await start(environment);
    for (const origin of [...allowed, ...refused]) {
      const expected = allowed.includes(origin) ? origin : undefined;
      for (const { headers } of [
        await preflight(gateway.url, origin),
        await sendRaw(`${gateway.url}/graphql`, ask({ origin })),
      ]) {
        expect([origin, headers['access-control-allow-origin']]).toEqual([origin, expected]);
        expect(headers['access-control-allow-credentials']).toBeUndefined();
      }
    }
  });

  it('may send every header of ours in development, and read the request id', async () => {
    const { gateway } = await start();
    const origin = 'http://localhost:3000';
    const answer = await preflight(gateway.url, origin);
    expect(namesIn(answer, 'access-control-allow-headers')).toEqual(expect.arrayContaining(wanted.split(',')));
    const { headers } = await sendRaw(`${gateway.url}/graphql`, ask({ origin }));
    expect(headers['access-control-expose-headers']).toBe('x-request-id, retry-after');
  });

  it('may send the headers of usual clients, and those that a variable names', async () => {
    const { gateway } = await start({ ALLOWED_HEADERS: 'X-Tenant, x-datadog-parent-id' });
    const answer = await preflight(gateway.url, 'http://localhost:3000');
    const usual = 'apollographql-client-name,x-apollo-operation-name,sentry-trace,baggage,tracestate';
    const more = [...usual.split(','), 'x-tenant', 'x-datadog-parent-id'];
    expect(namesIn(answer, 'access-control-allow-headers')).toEqual(expect.arrayContaining(more));
  });

  it.each([
    [{}, 'authorization', ['svcprivatekey', 'x-explain', '*']],
    [
      { PRIVATE_KEY_HEADER_IN: 'X-Merchant-Key', BEARER_HEADER_IN: 'X-Merchant-Token' },
      'x-merchant-token',
      ['x-merchant-key', 'svcprivatekey'],
    ],
  ])('may not send the private key in production: %j', async (names, bearer, not) => {
    const { gateway } = await start({ ...production, ALLOWED_ORIGINS: `https://a.example, ${app}`, ...names });
    const answer = await preflight(gateway.url, app);
    const allowed = namesIn(answer, 'access-control-allow-headers');
    expect(answer.headers['access-control-allow-origin']).toBe(app);
    expect(allowed).toEqual(expect.arrayContaining(['content-type', bearer]));
    expect(allowed.filter((name) => not.includes(name))).toEqual([]);
  });
});

it('says ready once the service can be connected to, and still when it has gone', async () => {
  const upstream = await startUpstream(() => success({ id: 'c1' }));
  const url = await freeUrl();
  const [gateway, early] = [await startGateway({ upstream: upstream.url }), await startGateway({ upstream: url })];
  const statusOf = async (of: string, name: string) => (await sendRaw(`${of}/health/${name}`)).status;
  await expect.poll(() => statusOf(gateway.url, 'ready')).toBe(200);
  expect(upstream.requests).toEqual([]);
  await upstream.close();
  expect(codes(await query(gateway, document))).toEqual(['UPSTREAM_UNAVAILABLE']);
  expect(await statusOf(gateway.url, 'ready')).toBe(200);
  expect([await statusOf(early.url, 'live'), await statusOf(early.url, 'ready')]).toEqual([200, 503]);
  await listenAt(url);
  await expect.poll(() => statusOf(early.url, 'ready')).toBe(200);
});

describe('a body', () => {
  const ofCharset = (charset: string) => ({ 'content-type': `application/json; charset=${charset}` });
  const json = JSON.stringify({ query: document });
  const long = JSON.stringify({ query: `${document} #`.padEnd(128 * 1024, 'x') });
  const write = (name: Buffer) => {
    const [before = '', after = ''] = JSON.stringify({
      query: 'mutation { createCustomer(input: { firstName: "#" }) { customer { id } } }',
    }).split('#');
    return Buffer.concat([Buffer.from(before), name, Buffer.from(after)]);
  };
  const utf8 = Buffer.from('Zoë');

  it.each<[what: string, status: number, body: string | Buffer, headers?: OutgoingHttpHeaders]>([
    ['over 128 KiB', 413, long],
    ['over 128 KiB in chunks', 413, long, { 'transfer-encoding': 'chunked' }],
    ['of several documents', 400, `[${json},${json}]`],
    ['without a document', 400, '{}'],
    ['whose document is no text', 400, '{"query":{}}'],
    ['that is no JSON', 400, '{"query":'],
    ['that is empty', 400, ''],
    ['in Latin-1', 400, write(Buffer.from('Zoë', 'latin1'))],
    ['in Latin-1, which it names', 415, write(Buffer.from('Zoë', 'latin1')), ofCharset('iso-8859-1')],
    ['in UTF-16', 415, Buffer.from(write(utf8).toString(), 'utf16le'), ofCharset('utf-16')],
    ['cut within a character', 400, write(utf8.subarray(0, -1))],
    ['compressed', 415, gzipSync(write(utf8)), { 'content-encoding': 'gzip' }],
    ['of text', 415, json, { 'content-type': 'text/plain', 'apollo-require-preflight': '1' }],
    ['of a form', 415, `query=${document}`, { 'content-type': 'application/x-www-form-urlencoded' }],
    ['of several parts', 415, `--x\r\n\r\n${json}\r\n--x--`, { 'content-type': 'multipart/form-data; boundary=x' }],
  ])('%s is refused with %i in GraphQL’s form, without a call', async (_, status, body, headers) => {
    const { gateway, upstream } = await start();
    const answer = await sendRaw(`${gateway.url}/graphql`, post(body, headers));
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([status, badRequest]);
    expect(upstream.requests).toEqual([]);
  });

  it.each([{}, ofCharset('utf8'), ofCharset('"UTF-8"'), { 'content-encoding': 'identity' }])(
    'in UTF-8 arrives as it was sent, with %j',
    async (headers) => {
      const { gateway, upstream } = await start();
      expect((await sendRaw(`${gateway.url}/graphql`, post(write(utf8), headers))).status).toBe(200);
      expect(upstream.requests[0]?.body).toBe('{"first_name":"Zoë"}');
    },
  );
});
