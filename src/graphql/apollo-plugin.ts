import {
  HeaderMap,
  type ApolloServerPlugin,
  type GraphQLRequestContext,
  type GraphQLRequestListener,
  type GraphQLResponse,
} from '@apollo/server';
import type { FormattedExecutionResult, GraphQLError, GraphQLFormattedError } from 'graphql';
import { internalErrorMessage } from '../domain/errors.ts';
import { describeError, type Logger } from '../runtime/log.ts';
import type { Context } from './context.ts';
import { boundAnswer } from './limits/bound-answer.ts';
import { indexPlaces } from './errors/error-places.ts';
import type { Executor } from './execution/planned-executor.ts';
import type { ExecutionResult } from './execution/types.ts';
import type { OperationListener, ResolvedOperation } from './operation-listener.ts';

export type Format = (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError;

interface PluginOptions {
  readonly listener: Required<OperationListener>;
  readonly execute: Executor;
  readonly format: Format;
  readonly log: Logger;
}

/**
 * The gateway's Apollo plugin: it calls the listener's hooks, and runs queries by the planned executor in
 * `responseForOperation`. Apollo then skips `didEncounterErrors`, `formatError` and the default code of errors, so the
 * plugin does these itself. It never throws there: the answer would skip `willSendResponse`. Where it returns null, Apollo
 * executes the operation with graphql-js, or refuses it (400, OPERATION_RESOLUTION_FAILURE).
 */
export function apolloPlugin({ listener, execute, format, log }: PluginOptions): ApolloServerPlugin<Context> {
  const { onOperation, onErrors, onAnswer } = listener;
  /** Formats an error with the default code that Apollo gives errors before its formatter. */
  const toFormatted = (error: GraphQLError): GraphQLFormattedError => {
    const { code = 'INTERNAL_SERVER_ERROR' } = error.extensions;
    return format({ ...error.toJSON(), extensions: { ...error.extensions, code } }, error);
  };
  const onFailed = (request: GraphQLRequestContext<Context>, errors: readonly GraphQLError[]): void => {
    const { document, source } = request;
    if (document !== undefined && source !== undefined) indexPlaces(document, source);
    onErrors(errors, request.contextValue);
  };
  const toAnswer = ({ data, errors }: ExecutionResult, request: GraphQLRequestContext<Context>) => {
    const answer = data === undefined ? {} : { data };
    if (errors === undefined) return answer;
    onFailed(request, errors);
    return { errors: errors.map(toFormatted), ...answer };
  };
  const ofRequest: GraphQLRequestListener<Context> = {
    didResolveOperation: async (request) => {
      const operation = resolvedOperation(request);
      if (operation !== undefined) onOperation(operation);
    },
    responseForOperation: async (request): Promise<GraphQLResponse | null> => {
      const operation = resolvedOperation(request);
      try {
        const result = operation && execute(operation);
        if (result === undefined) return null;
        const answer = toAnswer(await result, request);
        // Nothing was executed for the faults of variables.
        return toResponse(answer, 'data' in answer ? undefined : 400);
      } catch (error) {
        log.error({ requestId: request.contextValue.requestId, ...describeError(error) }, 'internal error');
        return toResponse({ errors: [internalError] });
      }
    },
    didEncounterErrors: async (request) => onFailed(request, request.errors),
    // Only what graphql-js executes comes here: the planned executor keeps to the limits of an answer itself.
    executionDidStart: async (request) => ({
      executionDidEnd: async () => {
        const { body } = request.response;
        if (body?.kind === 'single')
          body.singleResult = boundAnswer(
            body.singleResult,
            resolvedOperation(request)?.operation.operation,
            toFormatted,
          );
      },
    }),
    willSendResponse: async (request) => {
      const { body } = request.response;
      if (body.kind === 'single') onAnswer(body.singleResult, request.contextValue, resolvedOperation(request));
    },
  };
  const started = Promise.resolve(ofRequest);
  return { requestDidStart: () => started };
}

const internalError = { message: internalErrorMessage, extensions: { code: 'INTERNAL_SERVER_ERROR' } };

function toResponse(singleResult: FormattedExecutionResult, status?: number): GraphQLResponse {
  const http = { headers: new HeaderMap(), ...(status !== undefined && { status }) };
  return { http, body: { kind: 'single', singleResult } };
}

/** Undefined while there is no valid document, or no operation of the name asked for. */
function resolvedOperation(request: GraphQLRequestContext<Context>): ResolvedOperation | undefined {
  const { schema, source, document, operation, contextValue: context } = request;
  if (source === undefined || document === undefined || !operation) return undefined;
  const { variables = {} } = request.request;
  return { schema, source, document, operation, variables, context };
}
