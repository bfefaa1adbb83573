import type { FastifyCorsOptions } from '@fastify/cors';

const sandboxOrigins: ReadonlySet<string> = new Set([
  'https://studio.apollographql.com',
  'https://sandbox.embed.apollographql.com',
]);
const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export interface BrowserOptions {
  readonly isProduction: boolean;
  readonly allowedOrigins: readonly string[] | undefined;
  readonly bearerHeader: string;
  readonly privateKeyHeader: string;
}

/**
 * Which pages may call from a browser: those on the list, by default localhost and Apollo's Sandbox in development and
 * none in production. In production no page may send the private key, whatever its origin: it must not be in a browser.
 */
export function corsOptions({ isProduction, allowedOrigins, ...headers }: BrowserOptions): FastifyCorsOptions {
  const listed = new Set(allowedOrigins);
  const isNonePossible = isProduction && listed.size === 0;
  const isAllowed = (origin: string): boolean =>
    allowedOrigins === undefined ? isDevelopmentOrigin(origin) : listed.has(origin);
  return {
    origin: isNonePossible ? false : (origin, done) => done(null, origin !== undefined && isAllowed(origin)),
    methods: ['GET', 'POST'],
    allowedHeaders: [
      'content-type',
      'accept',
      'apollo-require-preflight',
      'idempotency-key',
      'traceparent',
      'x-request-id',
      headers.bearerHeader,
      ...(isProduction ? [] : [headers.privateKeyHeader]),
    ],
    exposedHeaders: ['x-request-id', 'retry-after'],
    maxAge: 600,
  };
}

function isDevelopmentOrigin(origin: string): boolean {
  return sandboxOrigins.has(origin) || localHosts.has(URL.parse(origin)?.hostname ?? '');
}
