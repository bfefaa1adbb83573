import { GraphQLError, type GraphQLSchema } from 'graphql';
import { GatewayError } from '../../domain/errors.ts';
import type { OperationListener } from '../operation-listener.ts';
import type { FieldCosts } from '../resolvers/field-costs.ts';
import { limitError, limits } from './document-limits.ts';
import { createCostReader } from './operation-cost.ts';

export interface GateOptions {
  readonly schema: GraphQLSchema;
  readonly costs: FieldCosts;
  /** The most calls to the service that one operation may need at worst. */
  readonly maxUpstreamCalls: number;
  /** Whether a request may ask for entities, by the value of its `x-router-secret` header. */
  readonly mayReadEntities: (secret: string | undefined) => boolean;
}

/** Lets an operation run only when what it will ask for, with the variables it came with, is known to be allowed. */
export function createGate({ schema, costs, maxUpstreamCalls, mayReadEntities }: GateOptions): OperationListener {
  const readCost = createCostReader(schema, costs);
  return {
    onOperation: ({ document, operation, variables, routerSecret }) => {
      const { calls, representations, readsEntities } = readCost(document, operation, variables);
      if (readsEntities && !mayReadEntities(routerSecret)) throw refusal(notRouter(), 403);
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

/** An error of ours in the form that Apollo answers with a status of its own. */
function refusal(error: GatewayError, status = 400): GraphQLError {
  return new GraphQLError(error.message, { originalError: error, extensions: { http: { status } } });
}
