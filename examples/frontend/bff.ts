/**
 * The backend-for-frontend: the only part of this application that knows a credential. It signs a person in, maps the
 * session to a merchant's credentials, and forwards the documents that were built into the frontend, by their hash.
 *
 * What production replaces:
 * - the sign-in, which asks for no password here;
 * - the session store, which is this process's memory: use one that all processes share, and end its sessions there;
 * - roles: whoever is signed in may send every document here; map each document's name to those who may;
 * - `Origin`: compare it with the page's own, beside `Sec-Fetch-Site`, which old browsers do not send;
 * - the session id: give a new one at each sign-in and drop the one before, also where the cookie was there already;
 * - a throttle for sign-ins and for each session, which answers 429;
 * - the credentials, which come from your secret store, never from a file in the tree.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';

export interface BffOptions {
  readonly gatewayUrl: string;
  /** What each merchant that can sign in is known by at the gateway: its headers. */
  readonly credentials: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The text of every document that is accepted, by its SHA-256. */
  readonly documents: Readonly<Record<string, string>>;
  /** True wherever the page is served by https. */
  readonly isSecure: boolean;
}

interface Operation {
  readonly variables?: unknown;
  readonly extensions?: { readonly persistedQuery?: { readonly sha256Hash?: unknown } };
}

const maxSessions = 10_000;
const sessionSeconds = 8 * 60 * 60;
/** Longer than the gateway's REQUEST_TIMEOUT_MS, so that it is the gateway who says what became of a write. */
const gatewayTimeoutMs = 30_000;

/** As GraphQL clients expect it. */
const fault = ({ id }: FastifyRequest, code: string, message: string) => ({
  errors: [{ message, extensions: { code, requestId: id } }],
});

export function createBff({ gatewayUrl, credentials, documents, isSecure }: BffOptions): FastifyInstance {
  const sessions = new Map<string, { readonly merchant: string; readonly expiresAt: number }>();
  const merchants = new Map(Object.entries(credentials));
  const texts = new Map(Object.entries(documents));
  const app = Fastify({ bodyLimit: 64 * 1024, genReqId: ({ headers }) => acceptedId(headers['x-request-id']) });
  app.removeContentTypeParser('text/plain'); // what forms of other sites can send

  app.addHook('onRequest', async (request, reply) => {
    const site = request.headers['sec-fetch-site'] ?? 'same-origin';
    if (site !== 'same-origin')
      await reply.code(403).send(fault(request, 'FORBIDDEN', 'Other sites may not call this one.'));
  });
  app.addHook('onSend', async (request, reply) => {
    reply.type('application/graphql-response+json; charset=utf-8');
    reply.headers({ 'cache-control': 'no-store', 'x-request-id': request.id });
  });
  app.setErrorHandler<{ readonly statusCode?: number }>(async ({ statusCode = 502 }, request, reply) => {
    if (statusCode < 500)
      return reply.code(statusCode).send(fault(request, 'BAD_REQUEST', 'The request is not valid.'));
    return reply.code(502).send(fault(request, 'UPSTREAM_UNAVAILABLE', 'The gateway gave no answer.'));
  });

  app.get('/api/session', (request, reply) => {
    return reply.send({ merchant: merchantOf(request) ?? null, merchants: [...merchants.keys()] });
  });
  app.post<{ Body: { readonly merchant?: unknown } | null }>('/api/session', async (request, reply) => {
    const merchant = request.body?.merchant;
    if (typeof merchant !== 'string' || !merchants.has(merchant))
      return reply.code(403).send(fault(request, 'FORBIDDEN', 'There is no such merchant.'));
    const [oldest = ''] = sessions.keys();
    if (sessions.size >= maxSessions) sessions.delete(oldest);
    const id = randomBytes(32).toString('base64url');
    sessions.set(id, { merchant, expiresAt: Date.now() + sessionSeconds * 1000 });
    reply.header('set-cookie', cookie(id, sessionSeconds));
    return { merchant };
  });
  app.delete('/api/session', async (request, reply) => {
    sessions.delete(sessionIdOf(request));
    reply.header('set-cookie', cookie('', 0));
    return { merchant: null };
  });
  app.post<{ Body: Operation | null }>('/api/graphql', async (request, reply) => {
    const merchant = merchantOf(request) ?? '';
    const credential = merchants.get(merchant);
    // Another tab may have signed in for another merchant: what this page shows would not be what it acts on.
    const isMeant = request.headers['x-merchant'] === encodeURIComponent(merchant);
    if (credential === undefined || !isMeant)
      return reply.code(401).send(fault(request, 'SESSION_EXPIRED', 'Sign in first.'));
    const query = texts.get(String(request.body?.extensions?.persistedQuery?.sha256Hash));
    if (query === undefined)
      return reply
        .code(400)
        .send(fault(request, 'PERSISTED_QUERY_NOT_FOUND', 'This is no document of this application.'));
    const answer = await fetch(`${gatewayUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': request.id, ...credential },
      body: JSON.stringify({ query, variables: request.body?.variables }),
      redirect: 'error',
      signal: AbortSignal.timeout(gatewayTimeoutMs),
    });
    return reply.code(answer.status).send(await answer.json()); // none of its headers
  });
  return app;

  function merchantOf(request: FastifyRequest): string | undefined {
    const session = sessions.get(sessionIdOf(request));
    return session !== undefined && session.expiresAt > Date.now() ? session.merchant : undefined;
  }
  function cookie(id: string, seconds: number): string {
    return `session=${id}; HttpOnly; SameSite=Strict; Path=/api; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`;
  }
}

const sessionIdOf = ({ headers }: FastifyRequest) =>
  /\bsession=([\w-]{43})(?:;|$)/.exec(headers.cookie ?? '')?.[1] ?? '';
const acceptedId = (id: unknown) => (typeof id === 'string' && /^[\w.-]{1,128}$/.test(id) ? id : randomUUID());
