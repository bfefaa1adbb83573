import type { ApolloServerPlugin, GraphQLRequestContext, GraphQLRequestListener } from '@apollo/server';
import type { Context } from './context.ts';
import type { Asked, OperationListener } from './operation-listener.ts';

/**
 * Apollo's one plugin of ours, and one listener for all requests: what belongs to a single one is in its context.
 *
 * No seam of Apollo's for executors is used. Its `gateway` option makes an object with accessors of its own for every
 * request, by which V8 keeps the request and all that it has read until the next full collection.
 */
export function operationPlugin({
  onOperation,
  onErrors,
  onAnswer,
}: Required<OperationListener>): ApolloServerPlugin<Context> {
  const listener: GraphQLRequestListener<Context> = {
    didResolveOperation: async (request) => {
      const asked = askedIn(request);
      if (asked !== undefined) onOperation(asked); // else Apollo says that there is no operation of that name
    },
    didEncounterErrors: async ({ errors, contextValue }) => onErrors(errors, contextValue),
    willSendResponse: async (request) => {
      const { body } = request.response;
      if (body.kind === 'single') onAnswer(body.singleResult, request.contextValue, askedIn(request));
    },
  };
  const started = Promise.resolve(listener);
  return { requestDidStart: () => started };
}

function askedIn(request: GraphQLRequestContext<Context>): Asked | undefined {
  const { schema, source, document, operation, request: given, contextValue: context } = request;
  if (source === undefined || document === undefined || !operation) return undefined;
  const { variables = {}, http } = given;
  const routerSecret = http?.headers.get('x-router-secret');
  return { schema, source, document, operation, variables, routerSecret, context };
}
