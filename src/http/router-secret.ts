import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { HeaderLines } from '../graphql/context.ts';

/** Whether a request carries the router's secret in `x-router-secret`. */
export type IsRouter = (request: FastifyRequest) => boolean;

/** Creates a comparison with each secret in constant time. Without a configured secret no request is the router's. */
export function createRouterCheck(secrets: readonly string[] = []): IsRouter {
  // Values of equal length, as the comparison needs.
  const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
  const expected = secrets.map(digest);
  return (request) => {
    const value = headerLines(request)('x-router-secret')?.join(', ');
    return value !== undefined && expected.filter((one) => timingSafeEqual(one, digest(value))).length > 0;
  };
}

/**
 * Answers refusals of whole requests (400, 413) with 200 to a router: routers replace what a subgraph says with another
 * status in `application/json` by an error of their own, and the code would be lost. 503 stays, since it is worth a retry.
 */
export function mountRouterAnswers(routes: FastifyInstance, isRouter: IsRouter): void {
  routes.addHook('onSend', (request, reply, payload, next) => {
    const isRefused = request.method === 'POST' && [400, 413].includes(reply.statusCode);
    if (isRefused && isRouter(request)) void reply.code(200);
    next(null, payload);
  });
}

/** Reads a request's headers line by line. Node 22's `headersDistinct` throws for a header named `__proto__`. */
export function headerLines({ raw: { rawHeaders } }: Pick<FastifyRequest, 'raw'>): HeaderLines {
  // Names and values, alternating.
  return (name) => {
    const lines = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
    return lines.length === 0 ? undefined : lines;
  };
}
