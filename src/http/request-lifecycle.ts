import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context, ContextOf } from '../graphql/context.ts';

/** The status that logs and metrics show for a client that left before its answer, as proxies do. */
const clientClosedRequest = 499;

/** A request that was answered, or whose client has left. */
interface ClosedRequest {
  readonly requestId: string;
  readonly status: number;
  /** Milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** Undefined where the request was refused before GraphQL began. */
  readonly context: Context | undefined;
}

export type ClosedListener = (closed: ClosedRequest) => void;

/**
 * The context is kept on the Fastify request under this symbol. A WeakMap would keep it alive until the next major
 * garbage collection: minor ones do not clear ephemerons.
 */
const contextKey = Symbol('context');

interface TrackedRequest extends FastifyRequest {
  [contextKey]?: Context;
}

/**
 * Calls the listeners once for each request to a route of `routes`, when it is over, and ends its context. Returns the
 * function that creates a request's context at its first use.
 */
export function trackRequests(
  routes: FastifyInstance,
  createContext: ContextOf<FastifyRequest>,
  listeners: readonly ClosedListener[],
): ContextOf<FastifyRequest> {
  routes.addHook('onRequest', (request: TrackedRequest, { raw }, next) => {
    const startedAt = performance.now();
    raw.on('close', () => {
      const { id: requestId, [contextKey]: context } = request;
      const status = raw.writableFinished ? raw.statusCode : clientClosedRequest;
      for (const onClosed of listeners) onClosed({ requestId, status, startedAt, context });
      context?.end(status);
    });
    next();
  });
  return (request: TrackedRequest) => (request[contextKey] ??= createContext(request));
}
