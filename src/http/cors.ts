import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';

const sandboxOrigins: ReadonlySet<string> = new Set([
  'https://studio.apollographql.com',
  'https://sandbox.embed.apollographql.com',
]);
const clients = ['apollographql-client', 'apollographql-library', 'graphql-client'];
/** Headers of requests, and those that usual clients and tracers of pages add. */
const usualHeaders = [
  'content-type',
  'accept',
  'apollo-require-preflight',
  'idempotency-key',
  'x-request-id',
  'traceparent',
  'tracestate',
  'baggage',
  'sentry-trace',
  ...clients.flatMap((client) => [`${client}-name`, `${client}-version`]),
  ...['id', 'name', 'type'].map((what) => `x-apollo-operation-${what}`),
];
const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Allows browser requests from the configured origins, by default localhost and Apollo Sandbox in development and none
 * in production. In production no origin may send the private key: it must not be in a browser.
 */
export async function mountCors(app: FastifyInstance, config: Config): Promise<void> {
  const { isProduction, allowedOrigins, allowedHeaders, bearerHeaderIn, privateKeyHeaderIn } = config;
  const origins = new Set(allowedOrigins);
  if (isProduction && origins.size === 0) return;
  /** A wildcard stands for the first label. */
  const isListed = (origin: string): boolean =>
    origins.has(origin) || origins.has(origin.replace(/^(https?:\/\/)[\w-]+(?=\.)/, '$1*'));
  const isAllowed = allowedOrigins === undefined ? isDevelopmentOrigin : isListed;
  await app.register(cors, {
    origin: (origin, done) => done(null, origin !== undefined && isAllowed(origin)),
    methods: ['GET', 'POST'],
    allowedHeaders: [
      ...usualHeaders,
      ...allowedHeaders,
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
