import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';

const sandboxOrigins: ReadonlySet<string> = new Set([
  'https://studio.apollographql.com',
  'https://sandbox.embed.apollographql.com',
]);
const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Allows browser requests from the configured origins, by default localhost and Apollo Sandbox in development and none
 * in production. In production no origin may send the private key: it must not be in a browser.
 */
export async function mountCors(app: FastifyInstance, config: Config): Promise<void> {
  const { isProduction, allowedOrigins, bearerHeaderIn, privateKeyHeaderIn } = config;
  const origins = new Set(allowedOrigins);
  if (isProduction && origins.size === 0) return;
  const isAllowed = allowedOrigins === undefined ? isDevelopmentOrigin : (origin: string) => origins.has(origin);
  await app.register(cors, {
    origin: (origin, done) => done(null, origin !== undefined && isAllowed(origin)),
    methods: ['GET', 'POST'],
    allowedHeaders: [
      'content-type',
      'accept',
      'apollo-require-preflight',
      'idempotency-key',
      'traceparent',
      'x-request-id',
      bearerHeaderIn,
      ...(isProduction ? [] : [privateKeyHeaderIn, 'x-explain']),
    ],
    exposedHeaders: ['x-request-id', 'retry-after'],
    maxAge: 600,
    // Otherwise an OPTIONS request from a page that is no preflight would be refused.
    strictPreflight: false,
  });
}

function isDevelopmentOrigin(origin: string): boolean {
  return sandboxOrigins.has(origin) || localHosts.has(URL.parse(origin)?.hostname ?? '');
}
