import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GraphQLFormattedError } from 'graphql';
import { clientClosedRequest, type Context, type ContextOf } from '../graphql/context.ts';

/** A request that was answered, or whose client has left. */
export interface ClosedRequest {
  readonly request: FastifyRequest;
  readonly status: number;
  /** Milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** Undefined where the request was refused before GraphQL began. */
  readonly context: Context | undefined;
  /** The code of a refusal outside of GraphQL, which the context does not have. */
  readonly refusal: string | undefined;
}

interface TrackingOptions {
  readonly createContext: ContextOf<FastifyRequest>;
  /** Called with the code of each refusal outside of GraphQL. */
  readonly onRefusal: (code: string) => void;
  /** Called once for each request, when it is over. */
  readonly onClosed: (closed: ClosedRequest) => void;
}

/**
 * The context is kept on the Fastify request under this symbol. A WeakMap would keep it alive until the next major
 * garbage collection: minor ones do not clear ephemerons.
 */
const contextKey = Symbol('context');
const refusalKey = Symbol('refusal');

type TrackedRequest = FastifyRequest & { [contextKey]?: Context; [refusalKey]?: string };

/** Reports the requests to these routes, and ends their contexts, which `contextOf` creates at their first use. */
export function trackRequests(routes: FastifyInstance, { createContext, onRefusal, onClosed }: TrackingOptions) {
  let inFlight = 0;
  routes.addHook('onRequest', (request: TrackedRequest, { raw }, next) => {
    const startedAt = performance.now();
    inFlight += 1;
    raw.on('close', () => {
      inFlight -= 1;
      const { [contextKey]: context, [refusalKey]: refusal } = request;
      const status = raw.writableFinished ? raw.statusCode : clientClosedRequest;
      onClosed({ request, status, startedAt, context, refusal });
      context?.end(status);
    });
    next();
  });
  routes.addHook('onSend', (request: TrackedRequest, { raw }, payload, next) => {
    // An answer without data: a refusal, by the context's operation or before there was one.
    if (typeof payload !== 'string' || !payload.startsWith('{"errors"')) return next(null, payload);
    const { text, code } = withRequestId(payload, request.id);
    // A closed connection fails the reading of its body, and Fastify answers that.
    if (!raw.destroyed && (request[contextKey]?.tally.codes.length ?? 0) === 0) {
      request[refusalKey] = code;
      onRefusal(code);
    }
    next(null, text);
  });
  const contextOf = (request: TrackedRequest): Context => (request[contextKey] ??= createContext(request));
  return { contextOf, requestsInFlight: () => inFlight };
}

/** Adds the request id to the errors of a refusal, which Apollo makes without a context; `code` is the first one's. */
function withRequestId(payload: string, requestId: string) {
  const body = JSON.parse(payload) as { readonly errors: readonly GraphQLFormattedError[] }; // written by Apollo or by us
  const errors = body.errors.map((error) => ({ ...error, extensions: { ...error.extensions, requestId } }));
  return { text: JSON.stringify({ ...body, errors }), code: String(body.errors[0]?.extensions?.['code']) };
}
