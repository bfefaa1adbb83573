import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../graphql/context.ts';
import { isAt } from './route-match.ts';

/** What a client that left before its answer is told of with, as is usual with proxies. */
const clientLeft = 499;

/** A request that was answered, or whose client has left. */
interface Closed {
  readonly requestId: string;
  /** Of HTTP. */
  readonly status: number;
  /** In milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** Undefined where the request was refused before GraphQL began. */
  readonly context: Context | undefined;
}

export type AnswerListener = (closed: Closed) => void;

/**
 * Where a request keeps its context. A WeakMap beside the requests would hold all that they have read until the next
 * full collection: what becomes garbage young is then copied, again and again.
 */
const contextKey = Symbol('context');

interface Watched extends FastifyRequest {
  [contextKey]?: Context;
}

export type ContextOf = (request: FastifyRequest) => Context;

/**
 * Calls back once for every request at the path when it is over, with its context, if it had come that far, and ends
 * that. Returns how a request comes to its context: made when it is first asked for.
 */
export function watchAnswers(
  app: FastifyInstance,
  path: string,
  makeContext: ContextOf,
  listeners: readonly AnswerListener[],
): ContextOf {
  app.addHook('onRequest', (request: Watched, { raw }, next) => {
    if (isAt(request, path)) {
      const startedAt = performance.now();
      raw.on('close', () => {
        const { id: requestId, [contextKey]: context } = request;
        const status = raw.writableFinished ? raw.statusCode : clientLeft;
        for (const onClosed of listeners) onClosed({ requestId, status, startedAt, context });
        context?.end();
      });
    }
    next();
  });
  return (request: Watched) => (request[contextKey] ??= makeContext(request));
}
