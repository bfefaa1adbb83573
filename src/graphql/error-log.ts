import { unwrapResolverError } from '@apollo/server/errors';
import { Kind, type GraphQLFormattedError } from 'graphql';
import { gatewayErrorIn } from '../domain/errors.ts';
import { describeError, type Logger } from '../runtime/log.ts';
import type { OperationListener } from './operation-listener.ts';

/** Writes the causes of errors to the log, and the request id that finds them there into what the client sees. */
export function createErrorLog(log: Logger): OperationListener {
  return {
    onErrors: (errors, { requestId }) => {
      const failures = new Map<string, { readonly described: object; count: number }>();
      for (const error of errors) {
        const own = gatewayErrorIn(error);
        // The schema's name, never the document's: an alias is whatever the client wrote.
        const node = error.nodes?.[0];
        const field = node?.kind === Kind.FIELD ? node.name.value : undefined;
        if (own !== undefined) {
          const { code, details } = own;
          const fault = `${code} ${details.operation} ${details.row}`;
          const known = failures.get(fault);
          if (known !== undefined) known.count += 1;
          else failures.set(fault, { described: { field, ...describeError(own) }, count: 1 });
        } else if (error.extensions?.['code'] === undefined) {
          log.error({ requestId, field, ...describeError(unwrapResolverError(error)) }, 'internal error');
        }
      }
      // A hundred records with one fault in common are one line.
      for (const { described, count } of failures.values())
        log.warn({ requestId, count, ...described }, 'fields failed');
    },
    onAnswer: (answer, { requestId }) => {
      if (answer.errors !== undefined) answer.errors = answer.errors.map((error) => withRequestId(error, requestId));
    },
  };
}

/** The same for faults that Apollo answers before a request has a context: a batch, a simple cross-site request. */
export function addRequestId(payload: string, requestId: string): string {
  const body = JSON.parse(payload) as { readonly errors?: readonly GraphQLFormattedError[] }; // Apollo has just written it
  if (body.errors === undefined) return payload;
  return JSON.stringify({ ...body, errors: body.errors.map((error) => withRequestId(error, requestId)) });
}

function withRequestId(error: GraphQLFormattedError, requestId: string): GraphQLFormattedError {
  return { ...error, extensions: { ...error.extensions, requestId } };
}
