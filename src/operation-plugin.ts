import {
  HeaderMap,
  type ApolloServerPlugin,
  type GraphQLRequestContextDidResolveOperation,
  type GraphQLRequestContextWillSendResponse,
  type GraphQLRequestListener,
} from '@apollo/server';
import type { FormattedExecutionResult, GraphQLError, OperationDefinitionNode } from 'graphql';
import type { Context } from './context.ts';
import type { Executor } from './executor.ts';
import { formatError } from './format-error.ts';

/** Who hears of an operation on its way. Nothing in it waits: a hook that does costs every request a turn. */
export interface OperationListener {
  /** Before it runs, and before anything is sent for it. Throws to refuse it. */
  readonly onOperation?: (
    request: GraphQLRequestContextDidResolveOperation<Context>,
    operation: OperationDefinitionNode,
  ) => void;
  /** Of errors as they came, before what clients may see is made of them. */
  readonly onErrors?: (errors: readonly GraphQLError[], context: Context) => void;
  /** Of the answer, which may still be changed. */
  readonly onAnswer?: (request: GraphQLRequestContextWillSendResponse<Context>, answer: Answer) => void;
}

type Answer = { -readonly [Key in keyof FormattedExecutionResult]: FormattedExecutionResult[Key] };

const plainHead = { headers: new HeaderMap() };

/**
 * Apollo's one plugin of ours, and one listener for all requests: what belongs to a single one is in its context. Where
 * the executor takes an operation on, its answer is Apollo's; everything else is left to graphql-js.
 *
 * Apollo's other seam for executors, its `gateway` option, is not used: it makes an object with accessors of its own for
 * every request, by which V8 keeps the request and all that it has read until the next full collection.
 */
export function operationPlugin(
  execute: Executor,
  listeners: readonly OperationListener[],
): ApolloServerPlugin<Context> {
  const onErrors = (errors: readonly GraphQLError[], context: Context): void => {
    for (const listener of listeners) listener.onErrors?.(errors, context);
  };
  const listener: GraphQLRequestListener<Context> = {
    didResolveOperation: async (request) => {
      if (request.operation === undefined) return; // Apollo says that there is none of that name
      for (const { onOperation } of listeners) onOperation?.(request, request.operation);
    },
    responseForOperation: async ({ document, operation, request, contextValue }) => {
      const result = await execute({ document, operation, variables: request.variables ?? {}, context: contextValue });
      if (result === undefined) return null;
      const { data, errors } = result;
      if (errors !== undefined) onErrors(errors, contextValue);
      const answer = errors === undefined ? { data } : { data, errors: errors.map(toAnswer) };
      return { http: plainHead, body: { kind: 'single', singleResult: answer } };
    },
    didEncounterErrors: async ({ errors, contextValue }) => onErrors(errors, contextValue),
    willSendResponse: async (request) => {
      const { body } = request.response;
      if (body.kind !== 'single') return;
      for (const { onAnswer } of listeners) onAnswer?.(request, body.singleResult);
    },
  };
  const started = Promise.resolve(listener);
  return { requestDidStart: () => started };
}

/** An error as Apollo would hand it to the formatter, so that both ways to an answer tell it alike. */
function toAnswer(error: GraphQLError) {
  const { code = 'INTERNAL_SERVER_ERROR' } = error.extensions;
  return formatError({ ...error.toJSON(), extensions: { ...error.extensions, code } }, error);
}
