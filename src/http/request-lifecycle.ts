import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GraphQLFormattedError } from 'graphql';
import { clientClosedRequest, type Context, type ContextOf } from '../graphql/context.ts';
import { refusedStatusOf } from './malformed-requests.ts';

/** A request that was answered, or whose client has left. */
interface ClosedRequest {
  readonly requestId: string;
  readonly status: number;
  /** Milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** Undefined where the request was refused before GraphQL began. */
  readonly context: Context | undefined;
  /** The fingerprint of its credentials. */
  readonly caller: string;
  /** The code of a refusal outside of GraphQL, which the context does not have. */
  readonly refusal: string | undefined;
}

export type ClosedListener = (closed: ClosedRequest) => void;

/**
 * The context is kept on the Fastify request under this symbol. A WeakMap would keep it alive until the next major
 * garbage collection: minor ones do not clear ephemerons.
 */
const contextKey = Symbol('context');
const refusalKey = Symbol('refusal');

interface TrackedRequest extends FastifyRequest {
  [contextKey]?: Context;
  [refusalKey]?: string;
}

interface TrackingOptions {
  readonly createContext: ContextOf<FastifyRequest>;
  readonly callerOf: (request: FastifyRequest) => string;
  /** Called with the code of each refusal outside of GraphQL. */
  readonly onRefusal: (code: string) => void;
  /** Called once for each request, when it is over. */
  readonly listeners: readonly ClosedListener[];
}

/**
 * Reports the requests to the routes of `routes`, and ends their contexts. Returns the function that creates a request's
 * context at its first use.
 */
export function trackRequests(
  routes: FastifyInstance,
  { createContext, callerOf, onRefusal, listeners }: TrackingOptions,
): ContextOf<FastifyRequest> {
  routes.addHook('onRequest', (request: TrackedRequest, { raw }, next) => {
    const startedAt = performance.now();
    raw.on('close', () => {
      const refusedStatus = refusedStatusOf(raw);
      if (refusedStatus !== undefined) onRefusal((request[refusalKey] = 'BAD_REQUEST'));
      const { id: requestId, [contextKey]: context, [refusalKey]: refusal } = request;
      const caller = callerOf(request);
      const status = raw.writableFinished ? raw.statusCode : (refusedStatus ?? clientClosedRequest);
      for (const onClosed of listeners) onClosed({ requestId, status, startedAt, context, caller, refusal });
      context?.end(status);
    });
    next();
  });
  routes.addHook('onSend', (request: TrackedRequest, { raw }, payload, next) => {
    // A closed connection fails the reading of its body, and Fastify answers that.
    const isReported = raw.destroyed || (request[contextKey]?.tally.codes.length ?? 0) > 0;
    const refusal = isReported ? undefined : readErrorCode(payload);
    if (refusal !== undefined) {
      request[refusalKey] = refusal;
      onRefusal(refusal);
    }
    next(null, payload);
  });
  return (request: TrackedRequest) => (request[contextKey] ??= createContext(request));
}

/** The code of the first error in a body that has errors and no data. */
function readErrorCode(payload: unknown): string | undefined {
  if (typeof payload !== 'string' || !payload.startsWith('{"errors"')) return undefined;
  const { errors } = JSON.parse(payload) as { readonly errors: readonly GraphQLFormattedError[] }; // written by Apollo or by us
  return String(errors[0]?.extensions?.['code']);
}
