import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { GraphQLSchema } from 'graphql';
import type { Config } from '../config/config.ts';
import type { Context } from './context.ts';
import { noServiceSdl } from './limits/no-service-sdl.ts';
import { documentLimits, limits, tokenLimitError } from './limits/document-limits.ts';
import { formatError } from './format-error.ts';
import type { Logger } from '../runtime/log.ts';
import type { OperationListener } from './operation-listener.ts';
import { operationPlugin } from './apollo-plugin.ts';

export interface ApolloOptions {
  readonly config: Config;
  readonly schema: GraphQLSchema;
  readonly log: Logger;
  readonly listener: Required<OperationListener>;
  readonly sandbox: ApolloServerPlugin;
}

/** GraphQL itself: what is refused before it runs, what its errors may say, and nothing that phones home. */
export function createApollo({ config, schema, log, listener, sandbox }: ApolloOptions): ApolloServer<Context> {
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
      operationPlugin(listener),
      sandbox,
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
  });
}
