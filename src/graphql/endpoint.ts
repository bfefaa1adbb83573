import type { ApolloServerPlugin } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { createApollo } from './apollo-server.ts';
import type { Config } from '../config/config.ts';
import { createErrorLog } from './error-log.ts';
import { createGate } from './limits/operation-gate.ts';
import type { ContextOf } from '../http/request-lifecycle.ts';
import type { HotMemory } from './execution/hot-memory.ts';
import { createHotQueries } from './execution/hot-queries.ts';
import type { Logger } from '../runtime/log.ts';
import { listenAll, type OperationListener } from './operation-listener.ts';
import { createFieldCosts } from './resolvers/field-costs.ts';
import { createSchema, resolversUnder } from './schema.ts';
import type { Operations } from '../upstream/operations.ts';

/** Whether a request's secret is the router's. */
export type IsRouter = (secret: string | undefined) => boolean;

export interface GraphqlOptions {
  readonly config: Config;
  readonly operations: Operations;
  readonly log: Logger;
  readonly listeners: readonly OperationListener[];
  readonly sandbox: ApolloServerPlugin;
  /** Undefined where the router has no secret to show. */
  readonly isRouter: IsRouter | undefined;
  readonly memory: HotMemory;
  readonly contextOf: ContextOf;
}

export interface Graphql {
  readonly handler: RouteHandlerMethod;
  readonly stop: () => Promise<void>;
}

/** GraphQL over HTTP: by Apollo whatever is asked for the first time or is wrong, by plans what is asked for again. */
export async function startGraphql(options: GraphqlOptions): Promise<Graphql> {
  const { config, operations, log, listeners, sandbox, isRouter, memory, contextOf } = options;
  const schema = createSchema(config.typePrefix);
  const gate = createGate({
    schema,
    costs: createFieldCosts(operations, resolversUnder(config.typePrefix)),
    maxUpstreamCalls: config.maxUpstreamCalls,
    mayReadEntities: isRouter ?? (() => true),
  });
  const all = [createErrorLog(log), gate, ...listeners];
  const hot = createHotQueries({ schema, memory, listener: listenAll(all), contextOf, log });
  const apollo = createApollo({ config, schema, log, listener: listenAll([...all, hot.listener]), sandbox });
  await apollo.start();
  const byApollo = fastifyApolloHandler(apollo, { context: async (request) => contextOf(request) });
  async function askApollo(this: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const answer: unknown = await byApollo.call(this, request, reply);
    hot.onApolloAnswer(request, reply);
    return answer;
  }
  return {
    handler(request, reply) {
      return hot.take(request, reply) ? undefined : askApollo.call(this, request, reply);
    },
    stop: () => apollo.stop(),
  };
}
