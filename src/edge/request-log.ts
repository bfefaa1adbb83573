import type { ApolloServerPlugin } from '@apollo/server';
import type { GraphQLFormattedError } from 'graphql';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context, Tally } from '../context.ts';
import { describeError, type Logger } from '../log.ts';
import type { Observer } from '../upstream/observer.ts';

const maxNameLength = 100;
/** What a client that left before its answer is logged with, as is usual with proxies. */
const clientLeft = 499;

/**
 * One line for every request, one for every write, and at debug one for every call of the service. They name operations,
 * codes, counts and fingerprints; no body, variable, header or record but for the id of what was written.
 */
export interface RequestLog {
  /** Writes the request's line once it was answered or its client has left. */
  readonly onRequest: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Ties what GraphQL finds out to the line of the request. */
  readonly attach: (request: FastifyRequest, context: Context) => void;
  readonly plugin: ApolloServerPlugin<Context>;
  readonly observer: Observer;
}

export function createRequestLog(log: Logger): RequestLog {
  const contexts = new WeakMap<FastifyRequest, Context>();
  return {
    onRequest: (request, reply) => {
      if (request.routeOptions.url !== '/graphql') return;
      const startedAt = performance.now();
      reply.raw.once('close', () => {
        const context = contexts.get(request);
        const status = reply.raw.writableFinished ? reply.statusCode : clientLeft;
        const durationMs = Math.round(performance.now() - startedAt);
        const told = context === undefined ? {} : { caller: context.caller, ...lineOf(context.tally) };
        log.info({ requestId: request.id, status, durationMs, ...told }, 'request');
      });
    },
    attach: (request, context) => void contexts.set(request, context),
    plugin: {
      requestDidStart: async () => ({
        didResolveOperation: async ({ operationName, operation, contextValue: { tally } }) => {
          tally.type = operation?.operation;
          tally.operation = operationName?.slice(0, maxNameLength);
        },
        willSendResponse: async ({ response: { body }, contextValue: { tally } }) => {
          if (body.kind === 'single') tally.codes = (body.singleResult.errors ?? []).map(codeOf);
        },
      }),
    },
    observer: {
      onCall: ({ operation, scope, result, durationMs }) => {
        if (!log.isLevelEnabled('debug')) return;
        const { requestId, caller } = scope;
        const ended = result.kind === 'answer' ? {} : { reason: result.reason, isSent: result.sent };
        const common = { requestId, caller, operation, status: result.status, durationMs: Math.round(durationMs) };
        const cause =
          result.kind === 'answer' || result.cause === undefined ? {} : { cause: describeError(result.cause) };
        log.debug({ ...common, ...ended, ...cause }, 'call');
      },
      onRetry: () => {},
      onWrite: ({ scope: { requestId, caller }, ...event }) => log.info({ requestId, caller, ...event }, 'write'),
    },
  };
}

/** `code` is that of the first error; `errors` counts them. */
function lineOf({ operation, calls, codes }: Tally): Readonly<Record<string, unknown>> {
  const code = codes[0] ?? 'OK';
  return { operation, code, ...(codes.length > 1 ? { errors: codes.length } : {}), calls };
}

function codeOf({ extensions }: GraphQLFormattedError): string {
  return String(extensions?.['code']);
}
