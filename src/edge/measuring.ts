import type { ApolloServerPlugin } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import type { GraphQLFormattedError } from 'graphql';
import type { Counter, Histogram } from 'prom-client';
import type { Context } from '../context.ts';
import { GatewayError } from '../errors.ts';
import { rootFieldsOf } from './root-fields.ts';

interface Meters {
  readonly rootFields: Counter<'field' | 'code'>;
  readonly rejections: Counter<'reason'>;
  readonly surprises: Counter<'operation' | 'row'>;
  readonly duration: Histogram<'type'>;
}

/** Counts what GraphQL answered: root fields by code, requests refused as a whole, contradictions of the contract. */
export function measuringPlugin(meters: Meters): ApolloServerPlugin<Context> {
  return {
    requestDidStart: async () => {
      const startedAt = performance.now();
      return {
        didEncounterErrors: async ({ errors }) => {
          for (const error of errors) {
            const original = unwrapResolverError(error);
            if (!(original instanceof GatewayError) || original.code !== 'UPSTREAM_INVALID_RESPONSE') continue;
            const { operation, row } = original.details;
            meters.surprises.inc({ operation: operation ?? 'unknown', row: row ?? 'unknown' });
          }
        },
        willSendResponse: async ({ response: { body }, document, operation }) => {
          if (body.kind !== 'single') return;
          const { errors = [], data } = body.singleResult;
          if (document === undefined || operation === undefined || data === undefined) {
            meters.rejections.inc({ reason: codeOf(errors[0]) });
            return;
          }
          meters.duration.observe({ type: operation.operation }, (performance.now() - startedAt) / 1000);
          const codes = new Map<unknown, string>();
          for (const error of errors) if (!codes.has(error.path?.[0])) codes.set(error.path?.[0], codeOf(error));
          for (const [key, field] of rootFieldsOf(document, operation)) {
            meters.rootFields.inc({ field, code: codes.get(key) ?? 'OK' });
          }
        },
      };
    },
  };
}

/** Codes are our own closed set: the formatter has let no other through. */
function codeOf(error: GraphQLFormattedError | undefined): string {
  return String(error?.extensions?.['code']);
}
