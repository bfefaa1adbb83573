import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { Config } from '../config/config.ts';
import { describeError, type Logger } from '../runtime/log.ts';
import type { Operations } from '../upstream/operations.ts';
import { apolloPlugin, type Format } from './apollo-plugin.ts';
import type { Contract } from '../contract/contract.ts';
import type { Context } from './context.ts';
import { createCallExtension } from './explain/call-extension.ts';
import { createCurl } from './explain/curl.ts';
import { createDocumentStore } from './document-store.ts';
import { createErrorLog } from './errors/error-log.ts';
import { createExecutor, type FallbackReason } from './execution/planned-executor.ts';
import { formatError } from './errors/format-error.ts';
import { documentLimits, limits, maxValidationErrors, tokenLimitError } from './limits/document-limits.ts';
import { knownOperationTypes } from './limits/known-operation-types.ts';
import { createCostReader } from './limits/operation-cost.ts';
import { createGate, createRouterAnswers } from './limits/operation-gate.ts';
import { combineListeners, type OperationListener } from './operation-listener.ts';
import { createFieldCosts } from './resolvers/field-costs.ts';
import { createSchema, resolversUnder } from './schema.ts';

interface ApolloOptions {
  readonly config: Config;
  readonly contract: Contract;
  readonly operations: Operations;
  readonly upstream: URL;
  readonly log: Logger;
  readonly listeners: readonly OperationListener[];
  /** Called for each operation that graphql-js runs because it has no plan. */
  readonly onFallback: (reason: FallbackReason) => void;
  readonly sandbox: ApolloServerPlugin;
}

/** Creates the Apollo Server that answers every GraphQL request; it sends nothing to Apollo. */
export function createApollo(options: ApolloOptions) {
  const { config, contract, operations, upstream, log, listeners, onFallback, sandbox } = options;
  const schema = createSchema(config.typePrefix, contract);
  const readCost = createCostReader(createFieldCosts(operations, resolversUnder(config.typePrefix)));
  const listener = combineListeners([
    createErrorLog(log),
    createGate(readCost, config),
    ...listeners,
    createRouterAnswers(readCost),
    createCallExtension(contract, createCurl(config, contract, upstream)),
  ]);
  const onPlanningError = (error: unknown): void => log.error(describeError(error), 'planning failed');
  const execute = createExecutor(schema, { onFallback, onPlanningError });
  const format: Format = (formatted, error) => formatError(formatted, error, config.typePrefix);
  return new ApolloServer<Context>({
    schema,
    nodeEnv: config.isProduction ? 'production' : 'development',
    introspection: config.introspection,
    parseOptions: { maxTokens: limits.tokens, noLocation: true },
    validationOptions: { maxErrors: maxValidationErrors },
    validationRules: [documentLimits, knownOperationTypes],
    hideSchemaDetailsFromClientErrors: config.isProduction,
    includeStacktraceInErrorResponses: false,
    formatError: (formatted, error) => format(formatted, tokenLimitError(error) ?? error),
    documentStore: createDocumentStore(),
    persistedQueries: false,
    allowBatchedHttpRequests: false,
    csrfPrevention: true,
    stopOnTerminationSignals: false,
    logger: log,
    plugins: [
      apolloPlugin({ listener, execute, format, log }),
      sandbox,
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
  });
}
