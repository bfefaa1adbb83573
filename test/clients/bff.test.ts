import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBff } from '../../examples/frontend/bff.ts';

const documents = { known: 'query Known { __typename }' };
const jsonType = { 'content-type': 'application/json' };

interface Seen {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

interface Scene {
  readonly url: string;
  /** What reached the gateway. */
  readonly seen: readonly Seen[];
  readonly ask: (body: unknown, headers?: Readonly<Record<string, string>>) => Promise<Response>;
  /** Signs in, and gives the cookie. */
  readonly signIn: (merchant?: string) => Promise<string>;
}

/** The backend-for-frontend over a gateway that remembers what it was asked. */
async function startScene(isSecure = false): Promise<Scene> {
  const seen: Seen[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    seen.push({ url: request.url, headers: request.headers, body: await json(request) });
    response.writeHead(200, { ...jsonType, 'set-cookie': 'planted=1', 'x-planted': 'planted', server: 'planted' });
    response.end('{"data":{"__typename":"Query"}}');
  };
  const gateway = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const { port } = gateway.address() as AddressInfo; // a TCP server's address is one
  const credentials = { First: { SVCPRIVATEKEY: 'key-of-first' }, Second: { SVCPRIVATEKEY: 'key-of-second' } };
  const bff = createBff({ gatewayUrl: `http://127.0.0.1:${port}`, credentials, documents, isSecure });
  const url = await bff.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await bff.close();
    gateway.close();
  });
  const post = (path: string, body: unknown, headers: Readonly<Record<string, string>>) =>
    fetch(`${url}${path}`, { method: 'POST', headers: { ...jsonType, ...headers }, body: JSON.stringify(body) });
  return {
    url,
    seen,
    ask: (body, headers = {}) => post('/api/graphql', body, { 'x-merchant': 'First', ...headers }),
    signIn: async (merchant = 'First') => {
      const response = await post('/api/session', { merchant }, {});
      return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    },
  };
}

const operation = (sha256Hash: unknown) => ({ variables: { a: 1 }, extensions: { persistedQuery: { sha256Hash } } });

async function codeOf(response: Response): Promise<unknown> {
  const body = (await response.json()) as {
    readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
  };
  return body.errors?.[0]?.extensions.code;
}

describe('the backend-for-frontend of the example', () => {
  it('forwards a document of the application under the key of whoever is signed in', async () => {
    const { ask, signIn, seen } = await startScene();
    const [first, second] = [await signIn('First'), await signIn('Second')];
    await ask(operation('known'), { cookie: first });
    await ask(operation('known'), { cookie: `other=1; ${second}`, 'x-merchant': 'Second' });
    expect(seen.map(({ headers }) => headers['svcprivatekey'])).toEqual(['key-of-first', 'key-of-second']);
    expect(seen[0]).toMatchObject({ url: '/graphql', body: { query: documents.known, variables: { a: 1 } } });
    expect(seen[0]?.headers).not.toHaveProperty('cookie');
  });

  it('sends nothing on for a page of one merchant in a session of another', async () => {
    const { ask, signIn, seen } = await startScene();
    const response = await ask(operation('known'), { cookie: await signIn('Second') });
    expect([response.status, await codeOf(response)]).toEqual([401, 'SESSION_EXPIRED']);
    expect(seen).toEqual([]);
  });

  const known = operation('known');
  it.each<[what: string, body: unknown, headers: Readonly<Record<string, string>>, status: number, code: string]>([
    ['a document that is not the application’s', operation('unknown'), {}, 400, 'PERSISTED_QUERY_NOT_FOUND'],
    ['a document in full', { query: '{ customers { totalCount } }' }, {}, 400, 'PERSISTED_QUERY_NOT_FOUND'],
    ['the name of a property of every object', operation('constructor'), {}, 400, 'PERSISTED_QUERY_NOT_FOUND'],
    ['a list', [known], {}, 400, 'PERSISTED_QUERY_NOT_FOUND'],
    ['null', null, {}, 400, 'PERSISTED_QUERY_NOT_FOUND'],
    ['too much', { ...known, variables: 'x'.repeat(70_000) }, {}, 413, 'BAD_REQUEST'],
    ['nobody', known, { cookie: '' }, 401, 'SESSION_EXPIRED'],
    ['a made-up session', known, { cookie: `session=${'A'.repeat(43)}` }, 401, 'SESSION_EXPIRED'],
    ['another site', known, { 'sec-fetch-site': 'cross-site' }, 403, 'FORBIDDEN'],
    ['a form', known, { 'content-type': 'text/plain' }, 415, 'BAD_REQUEST'],
  ])('sends nothing on for %s', async (_, body, headers, status, code) => {
    const { ask, signIn, seen } = await startScene();
    const response = await ask(body, { cookie: await signIn(), ...headers });
    expect([response.status, await codeOf(response)]).toEqual([status, code]);
    expect(seen).toEqual([]);
  });

  it('says in GraphQL’s form that the gateway gave no answer', async () => {
    const bff = createBff({
      gatewayUrl: 'http://127.0.0.1:9',
      credentials: { First: { SVCPRIVATEKEY: 'k' } },
      documents,
      isSecure: false,
    });
    onTestFinished(() => bff.close());
    const signedIn = await bff.inject({ method: 'POST', url: '/api/session', payload: { merchant: 'First' } });
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
    const answer = await bff.inject({
      method: 'POST',
      url: '/api/graphql',
      headers: { cookie, 'x-merchant': 'First' },
      payload: operation('known'),
    });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      502,
      'application/graphql-response+json; charset=utf-8',
    ]);
    expect(answer.json()).toEqual({
      errors: [
        {
          message: 'The gateway gave no answer.',
          extensions: { code: 'UPSTREAM_UNAVAILABLE', requestId: answer.headers['x-request-id'] },
        },
      ],
    });
  });
});
