import type { GraphQLFormattedError } from 'graphql';
import { gatewayErrorIn, type GatewayError } from '../domain/errors.ts';
import { rootFieldsOf } from '../graphql/limits/root-fields.ts';
import type { OperationListener } from '../graphql/operation-listener.ts';
import type { Meters } from './metric-definitions.ts';

/** Whether a document's text is trusted: the names of other operations do not become labels. */
export type IsTrusted = (text: string) => boolean;

/** Counts root fields by code, requests refused as a whole, and contradictions of the contract. */
export function createGraphqlMetrics(meters: Meters, isTrusted: IsTrusted): OperationListener {
  return {
    onErrors: (errors) => {
      for (const error of errors) {
        const surprise = findSurprise(error);
        if (surprise === undefined) continue;
        const { operation = 'unknown', row = 'unknown' } = surprise.details;
        meters.surprises.inc({ operation, row });
      }
    },
    onAnswer: ({ errors = [], data }, { startedAt, hasClientLeft }, resolved) => {
      if (resolved === undefined || data === undefined) {
        meters.rejections.inc({ reason: codeOf(errors[0]).toLowerCase() });
        return;
      }
      const { source, operation } = resolved;
      meters.duration.observe({ type: operation.operation }, (performance.now() - startedAt) / 1000);
      if (hasClientLeft()) return;
      if (isTrusted(source)) {
        meters.trustedOperations.inc({
          operation: operation.name?.value ?? '',
          code: errors[0] ? codeOf(errors[0]) : 'OK',
        });
      }
      const codes = listFirstCodes(errors);
      for (const [responseName, field] of rootFieldsOf(resolved)) {
        meters.rootFields.inc({ field, code: codes.get(responseName) ?? 'OK' });
      }
    },
  };
}

/** Finds the contradiction of the contract in an error; for a write it is the cause of OUTCOME_UNKNOWN. */
function findSurprise(error: unknown): GatewayError | undefined {
  const gatewayError = gatewayErrorIn(error);
  if (gatewayError === undefined || gatewayError.code === 'UPSTREAM_INVALID_RESPONSE') return gatewayError;
  return findSurprise(gatewayError.cause);
}

/** The code of the first error under each root field. */
function listFirstCodes(errors: readonly GraphQLFormattedError[]): ReadonlyMap<unknown, string> {
  const codes = new Map<unknown, string>();
  for (const error of errors) if (!codes.has(error.path?.[0])) codes.set(error.path?.[0], codeOf(error));
  return codes;
}

/** The formatter allows the gateway's codes only, so they are safe as labels. */
function codeOf(error: GraphQLFormattedError | undefined): string {
  return String(error?.extensions?.['code']);
}
