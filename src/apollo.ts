import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { GraphQLSchema } from 'graphql';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { createErrorLog } from './edge/errors.ts';
import { createGate } from './edge/gate.ts';
import { noServiceSdl } from './edge/introspection.ts';
import { documentLimits, limits, tokenLimitError } from './edge/limits.ts';
import { operationPlugin, type OperationListener } from './operation-plugin.ts';
import { formatError } from './format-error.ts';
import type { Logger } from './log.ts';
import { createExecutor } from './executor.ts';
import { createFieldCosts } from './resolvers/costs.ts';
import { resolversUnder } from './schema.ts';
import type { Operations } from './upstream/operations.ts';

/** Whether a request's secret is the router's. */
export type IsRouter = (secret: string | undefined) => boolean;

export interface ApolloOptions {
  readonly config: Config;
  readonly schema: GraphQLSchema;
  readonly operations: Operations;
  readonly log: Logger;
  readonly listeners: readonly OperationListener[];
  readonly sandbox: ApolloServerPlugin;
  /** Undefined where the router has no secret to show. */
  readonly isRouter: IsRouter | undefined;
  /** The execution of a query from which on it runs by a plan. */
  readonly planFrom: number;
}

/** GraphQL itself: what is refused before it runs, what its errors may say, and nothing that phones home. */
export function createApollo({
  config,
  schema,
  operations,
  log,
  listeners,
  sandbox,
  isRouter,
  planFrom,
}: ApolloOptions): ApolloServer<Context> {
  const gate = createGate({
    schema,
    costs: createFieldCosts(operations, resolversUnder(config.typePrefix)),
    maxUpstreamCalls: config.maxUpstreamCalls,
    mayReadEntities: isRouter ?? (() => true),
  });
  return new ApolloServer<Context>({
    schema,
    nodeEnv: config.isProduction ? 'production' : 'development',
    introspection: config.introspection,
    parseOptions: { maxTokens: limits.tokens },
    validationRules: config.introspection ? [documentLimits] : [documentLimits, noServiceSdl],
    hideSchemaDetailsFromClientErrors: config.isProduction,
    includeStacktraceInErrorResponses: false,
    formatError: (formatted, error) => formatError(formatted, tokenLimitError(error) ?? error),
    persistedQueries: false,
    allowBatchedHttpRequests: false,
    csrfPrevention: true,
    stopOnTerminationSignals: false,
    logger: log,
    plugins: [
      operationPlugin(createExecutor(schema, planFrom), [createErrorLog(log), gate, ...listeners]),
      sandbox,
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
  });
}
