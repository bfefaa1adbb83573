import { unwrapResolverError } from '@apollo/server/errors';
import { Kind, type GraphQLFormattedError } from 'graphql';
import { gatewayErrorIn, isClientMistake } from '../../domain/errors.ts';
import { describeError, type Logger } from '../../runtime/log.ts';
import { isArgumentFault } from './format-error.ts';
import { tokenLimitError } from '../limits/document-limits.ts';
import type { OperationListener } from '../operation-listener.ts';

/** Logs the causes of errors, and adds the request id to the client's errors, by which the log line is found. */
export function createErrorLog(log: Logger): OperationListener {
  return {
    onErrors: (errors, { requestId, traceId: trace_id, hasClientLeft }) => {
      const failures = new Map<string, { readonly level: 'info' | 'warn'; readonly fields: object; count: number }>();
      for (const error of errors) {
        const gatewayError = tokenLimitError(error) ?? gatewayErrorIn(error);
        // The schema's name, never the alias, which is the client's text.
        const node = error.nodes?.[0];
        const field = node?.kind === Kind.FIELD ? node.name.value : undefined;
        if (gatewayError?.code === 'UPSTREAM_TIMEOUT' && hasClientLeft()) continue;
        if (gatewayError !== undefined) {
          const { code, details } = gatewayError;
          const key = `${code} ${details.operation} ${details.row}`;
          const failure = failures.get(key);
          if (failure !== undefined) failure.count += 1;
          else
            failures.set(key, {
              level: isClientMistake(code) ? 'info' : 'warn',
              fields: { field, ...describeError(gatewayError) },
              count: 1,
            });
        } else if (error.extensions?.['code'] === undefined && !isArgumentFault(error)) {
          log.error({ requestId, trace_id, field, ...describeError(unwrapResolverError(error)) }, 'internal error');
        }
      }
      // A hundred records with the same failure are one line.
      for (const { level, fields, count } of failures.values()) {
        log[level]({ requestId, trace_id, count, ...fields }, 'fields failed');
      }
    },
    onAnswer: (answer, { requestId }) => {
      if (answer.errors !== undefined) answer.errors = answer.errors.map((error) => withRequestId(error, requestId));
    },
  };
}

function withRequestId(error: GraphQLFormattedError, requestId: string): GraphQLFormattedError {
  return { ...error, extensions: { ...error.extensions, requestId } };
}
