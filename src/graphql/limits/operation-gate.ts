import { GraphQLError, type GraphQLSchema } from 'graphql';
import { GatewayError } from '../../domain/errors.ts';
import type { OperationListener } from '../operation-listener.ts';
import type { FieldCosts } from '../resolvers/field-costs.ts';
import { limitError, limits } from './document-limits.ts';
import { createCostReader } from './operation-cost.ts';

export interface GateOptions {
  readonly schema: GraphQLSchema;
  readonly costs: FieldCosts;
  /** Maximum estimated calls of one operation. */
  readonly maxUpstreamCalls: number;
  /** Whether `_entities` needs the router's secret. */
  readonly needsRouter: boolean;
}

/** Refuses an operation before it runs: entities for others than the router, too many references, too many calls. */
export function createGate({ schema, costs, maxUpstreamCalls, needsRouter }: GateOptions): OperationListener {
  const readCost = createCostReader(schema, costs);
  return {
    onOperation: ({ document, operation, variables, context }) => {
      const { calls, representations, readsEntities } = readCost(document, operation, variables);
      if (context.recorder !== undefined) context.recorder.cost = { estimated: calls, maximum: maxUpstreamCalls };
      if (readsEntities && needsRouter && !context.isRouter) throw refusal(notRouter(), 403);
      if (representations > limits.representations) throw refusal(limitError('representations'));
      if (calls > maxUpstreamCalls) throw refusal(tooExpensive(calls, maxUpstreamCalls));
    },
  };
}

function notRouter(): GatewayError {
  return new GatewayError('FORBIDDEN', {}, { message: 'The field `_entities` is for the router alone.' });
}

function tooExpensive(estimated: number, maximum: number): GatewayError {
  const message = `This operation could need ${estimated} calls to the payments service; ${maximum} are allowed.`;
  return new GatewayError('COST_ESTIMATED_TOO_EXPENSIVE', { estimated, maximum }, { message });
}

/** A GatewayError as Apollo needs it to answer with this HTTP status. */
function refusal(error: GatewayError, status = 400): GraphQLError {
  return new GraphQLError(error.message, { originalError: error, extensions: { http: { status } } });
}
