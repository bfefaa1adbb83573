/**
 * The backend-for-frontend: the only part of this application that knows a private key. It signs a person in, maps the
 * session to a merchant's key, and forwards the documents that were built into the frontend, by their hash. This demo's
 * sign-in asks for no password: put your own there.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';

export interface BffOptions {
  readonly gatewayUrl: string;
  /** The private key of each merchant that can sign in: from your secret store, never from a file in the tree. */
  readonly privateKeys: Readonly<Record<string, string>>;
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
const fault = (code: string, message: string) => ({ errors: [{ message, extensions: { code } }] });

export function createBff({ gatewayUrl, privateKeys, documents, isSecure }: BffOptions): FastifyInstance {
  const sessions = new Map<string, { readonly merchant: string; readonly expiresAt: number }>();
  const keys = new Map(Object.entries(privateKeys));
  const texts = new Map(Object.entries(documents));
  const app = Fastify({ bodyLimit: 64 * 1024, genReqId: ({ headers }) => acceptedId(headers['x-request-id']) });
  app.removeContentTypeParser('text/plain'); // what forms of other sites can send

  app.addHook('onRequest', async (request, reply) => {
    const site = request.headers['sec-fetch-site'] ?? 'same-origin';
    if (site !== 'same-origin') await reply.code(403).send(fault('CROSS_SITE', 'Other sites may not call this one.'));
  });
  app.addHook('onSend', async (request, reply) => {
    reply.type('application/graphql-response+json; charset=utf-8');
    reply.headers({ 'cache-control': 'no-store', 'x-request-id': request.id });
  });
  app.setErrorHandler<{ readonly statusCode?: number }>(async ({ statusCode = 502 }, _, reply) => {
    if (statusCode < 500) return reply.code(statusCode).send(fault('BAD_REQUEST', 'The request is not valid.'));
    return reply.code(502).send(fault('BAD_GATEWAY', 'The gateway gave no answer.'));
  });

  app.get('/api/session', (request, reply) => {
    return reply.send({ merchant: merchantOf(request) ?? null, merchants: [...keys.keys()] });
  });
  app.post<{ Body: { readonly merchant?: unknown } | null }>('/api/session', async ({ body }, reply) => {
    const merchant = body?.merchant;
    if (typeof merchant !== 'string' || !keys.has(merchant))
      return reply.code(403).send(fault('SIGN_IN_REFUSED', 'There is no such merchant.'));
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
    const privateKey = keys.get(merchantOf(request) ?? '');
    if (privateKey === undefined) return reply.code(401).send(fault('SESSION_EXPIRED', 'Sign in first.'));
    const query = texts.get(String(request.body?.extensions?.persistedQuery?.sha256Hash));
    if (query === undefined)
      return reply.code(400).send(fault('PERSISTED_QUERY_NOT_FOUND', 'This is no document of this application.'));
    const answer = await fetch(`${gatewayUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': request.id, SVCPRIVATEKEY: privateKey },
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
