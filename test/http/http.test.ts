import type { OutgoingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { credentials, query, startGateway, startScripted } from '../support/gateway.ts';
import { sendBytes, sendRaw, type RawAnswer } from '../support/http.ts';
import { freeUrl, listenAt } from '../support/ports.ts';
import { startUpstream, success } from '../support/upstream.ts';

const production = { environment: { NODE_ENV: 'production' } };
const start = (environment: Readonly<Record<string, string>> = {}) =>
  startScripted(() => success({ id: 'c1', type: 'wallet' }), { environment });
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const document = '{ customer(id: "c1") { type } }';
const post = (body: string | Buffer, headers: OutgoingHttpHeaders = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...credentials, ...headers },
  body,
});
const ask = (headers: OutgoingHttpHeaders = {}) => post(JSON.stringify({ query: document }), headers);

describe('the addresses', () => {
  it('lead from / to /graphql in development', async () => {
    const { gateway } = await start();
    const { status, headers } = await sendRaw(gateway.url, { headers: browser });
    expect([status, headers.location]).toEqual([302, '/graphql']);
  });

  it('show a browser Apollo Sandbox at /graphql in development', async () => {
    const { gateway, upstream } = await start();
    const { status, headers, text } = await sendRaw(`${gateway.url}/graphql`, { headers: browser });
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/html');
    expect(text).toContain('embeddable-sandbox');
    expect(text).toContain('"runTelemetry":false');
    expect(text).toMatch(/"?includeCookies"?: ?false/);
    expect(upstream.requests).toEqual([]);
  });

  it('refuse a GET that a foreign page could send by itself, without a call', async () => {
    const { gateway, upstream } = await start();
    const { status } = await sendRaw(`${gateway.url}/graphql?query=${encodeURIComponent(document)}`);
    expect([status, upstream.requests.length]).toEqual([400, 0]);
  });

  it.each(['/', '/graphql', `/graphql?query=${encodeURIComponent(document)}`])(
    'serve no GET of %s in production',
    async (path) => {
      const { gateway, upstream } = await startScripted(() => success({ id: 'c1' }), production);
      const { status, text } = await sendRaw(gateway.url + path, {
        headers: { ...browser, ...credentials, 'apollo-require-preflight': '1' },
      });
      expect([404, 405]).toContain(status);
      expect(text).not.toContain('html');
      expect(JSON.parse(text)).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
      expect(upstream.requests).toEqual([]);
    },
  );
});

describe('an Accept header that allows no media type of ours', () => {
  const mutation = JSON.stringify({ query: 'mutation { createCustomer(input: {}) { customer { id } } }' });

  it('refuses a mutation before anything is sent', async () => {
    const { gateway, upstream } = await start();
    for (const accept of ['text/html', 'image/png, text/*;q=0.5', 'application/json;q=0']) {
      const { status, text } = await sendRaw(`${gateway.url}/graphql`, post(mutation, { accept }));
      expect(status, `for ${accept}`).toBe(406);
      expect(JSON.parse(text)).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
    }
    expect(upstream.requests).toEqual([]);
  });

  it('refuses a query by GET before anything is sent, unless it asks for the page', async () => {
    const { gateway, upstream } = await start();
    const url = `${gateway.url}/graphql?query=${encodeURIComponent(document)}`;
    const get = (accept: string) =>
      sendRaw(url, { headers: { ...credentials, 'apollo-require-preflight': '1', 'x-request-id': 'r1', accept } });
    const { status, text } = await get('image/png');
    expect([status, JSON.parse(text)]).toMatchObject([406, { errors: [{ extensions: { requestId: 'r1' } }] }]);
    expect((await get('text/html')).status).toBe(200);
    expect(upstream.requests).toEqual([]);
    expect((await get(`image/png, ${browser.accept}`)).headers['content-type']).toMatch(/^text\/html/);
    expect((await get('application/json, text/html;q=0.5')).status).toBe(200);
    expect(upstream.requests).toHaveLength(1);
  });

  it('is none that leaves one: the mutation is sent and answered', async () => {
    const { gateway, upstream } = await start();
    const accepts = ['*/*', 'application/*', browser.accept, 'application/graphql-response+json'];
    for (const headers of [{}, ...accepts.map((accept) => ({ accept }))]) {
      const { status, text } = await sendRaw(`${gateway.url}/graphql`, post(mutation, headers));
      expect([status, JSON.parse(text)]).toEqual([200, { data: { createCustomer: { customer: { id: 'c1' } } } }]);
    }
    expect(upstream.requests).toHaveLength(5);
  });
});

describe('the request id', () => {
  it('is echoed where it is one, and replaced where it is not', async () => {
    const { gateway } = await start();
    const answered = async (id: string | string[]) =>
      (await sendRaw(`${gateway.url}/graphql`, ask({ 'x-request-id': id }))).headers['x-request-id'];
    for (const id of ['request-1', 'A', 'a.b_c-9', 'x'.repeat(128)]) expect(await answered(id)).toBe(id);
    const odd = ['', 'x'.repeat(129), 'with space', 'a/b', 'né', '<script>', ['one', 'two'], ['same', 'same']];
    for (const id of odd) {
      const instead = await answered(id);
      expect(instead).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
      expect([id].flat()).not.toContain(instead);
    }
  });

  it('is made up where there is none, another for each request', async () => {
    const { gateway } = await start();
    const ids = await Promise.all([1, 2].map(async () => (await sendRaw(`${gateway.url}/graphql`, ask())).headers));
    expect(new Set(ids.map((headers) => headers['x-request-id'])).size).toBe(2);
  });
});

/** The names in a header that lists some. */
const namesIn = ({ headers }: RawAnswer, header: string) =>
  String(headers[header])
    .toLowerCase()
    .split(/\s*,\s*/);

describe('what caches may do', () => {
  const origin = 'http://localhost:3000';
  const asksFirst = { origin, 'access-control-request-method': 'POST' };
  const requests: readonly (readonly [string, status: number, path: string, request: object, ...vary: string[]])[] = [
    ['an answer', 200, '/graphql', ask()],
    ['an answer to a listed origin', 200, '/graphql', ask({ origin }), 'origin'],
    ['a failing document', 400, '/graphql', post('{"query":"{"}')],
    ['a malformed body', 400, '/graphql', post('{"query":')],
    ['a body that is too large', 413, '/graphql', post(`"${'x'.repeat(300_000)}"`)],
    ['an unknown address', 404, '/nothing', {}],
    ['the Sandbox page', 200, '/graphql', { headers: browser }],
    ['the redirect', 302, '/', {}],
    ['a health check', 200, '/health/live', {}],
    ['a preflight', 204, '/graphql', { method: 'OPTIONS', headers: asksFirst }],
  ];

  it('is nothing, with whatever is answered', async () => {
    const { gateway } = await start({ PRIVATE_KEY_HEADER_IN: 'X-Merchant-Key' });
    for (const [name, status, path, request, ...vary] of requests) {
      const answer = await sendRaw(gateway.url + path, request);
      expect(answer.status, `for ${name}`).toBe(status);
      expect(answer.headers['cache-control'], `for ${name}`).toBe('private, no-store');
      expect(namesIn(answer, 'vary'), `for ${name}`).toEqual(
        expect.arrayContaining(['authorization', 'x-merchant-key', ...vary]),
      );
      expect(answer.headers['x-request-id'], `for ${name}`).toBeDefined();
      expect(answer.headers, `for ${name}`).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'content-security-policy': expect.stringMatching(/frame-ancestors 'none'$/),
      });
    }
  });

  it('beyond being read is nothing for a browser, but for the Sandbox page', async () => {
    const { gateway } = await start();
    const [answer, page] = [
      await sendRaw(`${gateway.url}/graphql`, ask()),
      await sendRaw(`${gateway.url}/graphql`, { headers: browser }),
    ];
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(answer.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(page.headers['content-security-policy']).toBe("frame-ancestors 'none'");
  });
});

describe('a method', () => {
  const development = 'GET, POST, OPTIONS';
  const live = 'POST, OPTIONS';

  it.each([
    [development, {}, ['HEAD', 'PUT', 'PATCH', 'DELETE', 'TRACE']],
    [live, production.environment, ['GET', 'HEAD', 'PUT', 'TRACE']],
  ])('that /graphql does not answer is told %s, without a call', async (allow, environment, methods) => {
    const { gateway, upstream } = await start(environment);
    for (const method of methods) {
      const path = `/graphql?query=${encodeURIComponent(document)}`;
      const { status, headers } = await sendRaw(gateway.url + path, { method, headers: credentials });
      expect([status, headers.allow], `for ${method}`).toEqual([405, allow]);
    }
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    [development, {}, {}],
    [undefined, {}, { origin: 'http://localhost:3000' }],
    [live, production.environment, {}],
  ])('OPTIONS that is no preflight is told %s: case %#', async (allow, environment, headers) => {
    const { gateway } = await start(environment);
    const answer = await sendRaw(`${gateway.url}/graphql`, { method: 'OPTIONS', headers });
    expect([answer.status, answer.headers.allow, answer.text]).toEqual([204, allow, '']);
  });

  it('HEAD answers a health check as GET does, without a body', async () => {
    const { gateway } = await start();
    const { status, headers, text } = await sendRaw(`${gateway.url}/health/live`, { method: 'HEAD' });
    expect([status, headers['cache-control'], text]).toEqual([200, 'private, no-store', '']);
  });
});

it.each([
  [200, 1, 90],
  [431, 0, 101],
])('answers %i, after %i calls, to %i headers more than it needs', async (expected, calls, count) => {
  const { gateway, upstream } = await start();
  const filler = Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-filler-${index}`, '1']));
  const { status } = await sendRaw(`${gateway.url}/graphql`, ask(filler));
  expect([status, upstream.requests.length]).toEqual([expected, calls]);
});

it('keeps a connection that waits for its next request longer than a load balancer does, as it says', async () => {
  const { gateway } = await start();
  const { headers } = await sendRaw(`${gateway.url}/health/live`, { headers: { connection: 'keep-alive' } });
  expect(headers['keep-alive']).toBe('timeout=72');
});

it.each([
  [400, 'no HTTP', 'nonsense\r\n\r\n'],
  [400, 'no Host header', 'GET /graphql HTTP/1.1\r\nconnection: close\r\n\r\n'],
  [431, 'headers over 16 KiB', `GET /graphql HTTP/1.1\r\nhost: a\r\nx-large: ${'x'.repeat(17_000)}\r\n\r\n`],
])('has Node answer %i to what is no HTTP request, or not a whole one: %s', async (status, _, bytes) => {
  const { gateway, upstream } = await start();
  expect(await sendBytes(gateway.url, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(upstream.requests).toEqual([]);
});

it.each([
  ['HTTP/1.0 without a Host header', 'GET /health/live HTTP/1.0\r\n\r\n'],
  ['100-continue', 'GET /health/live HTTP/1.1\r\nhost: a\r\nexpect: 100-Continue\r\nconnection: close\r\n\r\n'],
  [
    '100-continue sent twice',
    `GET /health/live HTTP/1.1\r\nhost: a\r\n${'expect: 100-continue\r\n'.repeat(2)}connection: close\r\n\r\n`,
  ],
  [
    'headers with the names of what every object has',
    `GET /graphql?query={__typename} HTTP/1.1\r\nhost: a\r\nApollo-Require-Preflight: 1\r\n${'__proto__: 1\r\nconstructor: 1\r\n'.repeat(2)}connection: close\r\n\r\n`,
  ],
])('answers %s', async (_, bytes) => {
  const { gateway } = await start();
  expect(await sendBytes(gateway.url, bytes)).toMatch(/^HTTP\/1\.1 200 /m);
});

const preflight = (url: string, origin: string, headers: string) =>
  sendRaw(`${url}/graphql`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': headers,
    },
  });
const allowedHeaders = (answer: RawAnswer) => namesIn(answer, 'access-control-allow-headers');

describe('calls from browsers', () => {
  const wanted =
    'content-type,authorization,svcprivatekey,idempotency-key,traceparent,x-request-id,x-explain,apollo-require-preflight';

  it('may come from the own machine and from Studio in development, credentials included', async () => {
    const { gateway } = await start();
    const machine =
      'http://localhost:3000 http://localhost https://localhost:8443 http://127.0.0.1:4000 http://[::1]:5173';
    const studio = ['https://studio.apollographql.com', 'https://sandbox.embed.apollographql.com'];
    for (const origin of [...machine.split(' '), ...studio]) {
      const answer = await preflight(gateway.url, origin, wanted);
      const asked = await sendRaw(`${gateway.url}/graphql`, ask({ origin }));
      expect(answer.headers['access-control-allow-origin']).toBe(origin);
      expect(allowedHeaders(answer)).toEqual(expect.arrayContaining(wanted.split(',')));
      expect(asked.headers['access-control-allow-origin']).toBe(origin);
      expect(asked.headers['access-control-expose-headers']).toBe('x-request-id, retry-after');
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  const evil =
    'https://evil.example https://localhost.evil.example http://127.0.0.1.evil.example https://studio.apollographql.com.evil.example';

  it.each<[environment: Readonly<Record<string, string>>, origins: readonly string[]]>([
    [{}, [...evil.split(' '), 'null', 'http://studio.apollographql.com']],
    [production.environment, ['http://localhost:3000', 'https://studio.apollographql.com', 'https://app.example.com']],
    [{ ALLOWED_ORIGINS: 'https://app.example.com' }, ['https://evil.example']],
  ])('may not come from elsewhere with %j', async (environment, origins) => {
    const { gateway } = await start(environment);
    for (const origin of origins) {
      const answer = await preflight(gateway.url, origin, wanted);
      const asked = await sendRaw(`${gateway.url}/graphql`, ask({ origin }));
      expect(answer.headers['access-control-allow-origin'], `for ${origin}`).toBeUndefined();
      expect(asked.headers['access-control-allow-origin'], `for ${origin}`).toBeUndefined();
    }
  });

  it.each([
    [{}, 'authorization', ['svcprivatekey', 'x-explain', '*']],
    [
      { PRIVATE_KEY_HEADER_IN: 'X-Merchant-Key', BEARER_HEADER_IN: 'X-Merchant-Authorization' },
      'x-merchant-authorization',
      ['x-merchant-key', 'svcprivatekey'],
    ],
  ])(
    'may come from a listed origin in production, but without the private key: case %#',
    async (names, bearer, not) => {
      const origin = 'https://other.example.com';
      const listed = { NODE_ENV: 'production', ALLOWED_ORIGINS: `https://app.example.com, ${origin}` };
      const { gateway } = await start({ ...listed, ...names });
      const answer = await preflight(gateway.url, origin, wanted);
      expect(answer.headers['access-control-allow-origin']).toBe(origin);
      expect(allowedHeaders(answer)).toEqual(expect.arrayContaining(['content-type', bearer]));
      expect(allowedHeaders(answer).filter((name) => not.includes(name))).toEqual([]);
    },
  );
});

describe('the health checks', () => {
  const statusOf = async (url: string) => (await sendRaw(url)).status;

  it('say ready once the service can be connected to, and still when it has gone', async () => {
    const upstream = await startUpstream(() => success({ id: 'c1' }));
    const gateway = await startGateway({ upstream: upstream.url });
    await expect.poll(() => statusOf(`${gateway.url}/health/ready`)).toBe(200);
    expect(upstream.requests).toEqual([]);
    await upstream.close();
    const { errors } = await query(gateway, document);
    expect(errors[0]?.extensions['code']).toBe('UPSTREAM_UNAVAILABLE');
    expect(await statusOf(`${gateway.url}/health/ready`)).toBe(200);
  });

  it('say live but not ready while the service was never there, and ready once it has come', async () => {
    const url = await freeUrl();
    const gateway = await startGateway({ upstream: url });
    const statuses = [];
    for (const name of ['live', 'ready', 'ready']) statuses.push(await statusOf(`${gateway.url}/health/${name}`));
    expect(statuses).toEqual([200, 503, 503]);
    await listenAt(url);
    await expect.poll(() => statusOf(`${gateway.url}/health/ready`)).toBe(200);
  });
});

/** A document of this many bytes as a request body, with a field that costs a call. */
const bodyOf = (bytes: number) => {
  const frame = JSON.stringify({ query: `${document} # ` });
  return JSON.stringify({ query: `${document} # ${'x'.repeat(bytes - frame.length)}` });
};

const ofCharset = (charset: string) => ({ 'content-type': `application/json; charset=${charset}` });

describe('a body', () => {
  it('over 128 KiB is 413 in GraphQL’s form, without a call', async () => {
    const { gateway, upstream } = await start();
    const send = (bytes: number, more: OutgoingHttpHeaders = {}) =>
      sendRaw(`${gateway.url}/graphql`, post(bodyOf(bytes), more));
    const { status, headers, text } = await send(128 * 1024 + 1);
    expect(status).toBe(413);
    expect(headers['content-type']).toContain('application/json');
    expect(JSON.parse(text)).toMatchObject({ errors: [{ extensions: { requestId: headers['x-request-id'] } }] });
    // In chunks, of no announced length.
    expect((await send(128 * 1024 + 1, { 'transfer-encoding': 'chunked' })).status).toBe(413);
    expect(upstream.requests).toEqual([]);
    expect((await send(128 * 1024)).status).not.toBe(413);
  });

  it('that holds no document is refused in GraphQL’s form, without a call', async () => {
    const { gateway, upstream } = await start();
    const one = { query: document };
    const texts = [[one, one], [one], document, {}, { query: {} }].map((body) => JSON.stringify(body));
    for (const body of [...texts, '{"query":', 'query', '']) {
      const answer = await sendRaw(`${gateway.url}/graphql`, post(body));
      expect(answer.status, `for ${body}`).toBe(400);
      expect(JSON.parse(answer.text)).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
    }
    expect((await sendRaw(`${gateway.url}/graphql`, post(''))).text).toContain('missing');
    expect(upstream.requests).toEqual([]);
  });

  const json = JSON.stringify({ query: document });

  const write = (name: Buffer) =>
    Buffer.concat([
      Buffer.from('{"query":"mutation { createCustomer(input: { firstName: \\"'),
      name,
      Buffer.from('\\" }) { customer { id } } }"}'),
    ]);
  const utf8 = Buffer.from('Zoë');

  it.each<[what: string, status: number, body: Buffer, headers: OutgoingHttpHeaders]>([
    ['in Latin-1', 400, write(Buffer.from('Zoë', 'latin1')), {}],
    ['in Latin-1, which it names', 415, write(Buffer.from('Zoë', 'latin1')), ofCharset('iso-8859-1')],
    ['in UTF-16', 415, Buffer.from(write(utf8).toString(), 'utf16le'), ofCharset('utf-16')],
    ['in UTF-8, which it calls Latin-1 too', 415, write(utf8), ofCharset('utf-8; charset=latin1')],
    ['cut within a character', 400, write(utf8.subarray(0, -1)), {}],
    ['compressed', 415, gzipSync(write(utf8)), { 'content-encoding': 'gzip' }],
    ['that is said to be compressed', 415, write(utf8), { 'content-encoding': 'br' }],
  ])('%s is refused with %i, without a call', async (_, status, body, headers) => {
    const { gateway, upstream } = await start();
    const answer = await sendRaw(`${gateway.url}/graphql`, post(body, headers));
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
    expect(upstream.requests).toEqual([]);
  });

  it.each([{}, ofCharset('utf8'), ofCharset('"UTF-8"'), { 'content-encoding': 'identity' }])(
    'in UTF-8 arrives as it was sent, with %j',
    async (headers) => {
      const { gateway, upstream } = await start();
      const answer = await sendRaw(`${gateway.url}/graphql`, post(write(utf8), headers));
      expect(answer.status).toBe(200);
      expect(upstream.requests[0]?.body).toBe('{"first_name":"Zoë"}');
    },
  );

  it.each([
    ['text/plain', json, { 'apollo-require-preflight': '1' }],
    ['application/x-www-form-urlencoded', `query=${encodeURIComponent(document)}`, {}],
    ['multipart/form-data; boundary=x', `--x\r\n\r\n${json}\r\n--x--`, { 'apollo-require-preflight': '1' }],
  ])('of type %s is refused, without a call', async (type, body, headers) => {
    const { gateway, upstream } = await start();
    const answer = await sendRaw(`${gateway.url}/graphql`, post(body, { 'content-type': type, ...headers }));
    expect(answer.status).toBe(415);
    expect(JSON.parse(answer.text)).toHaveProperty('errors');
    expect(upstream.requests).toEqual([]);
  });
});
