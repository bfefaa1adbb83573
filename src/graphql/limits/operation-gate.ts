import { GraphQLError } from 'graphql';
import type { Config } from '../../config/config.ts';
import { GatewayError } from '../../domain/errors.ts';
import type { OperationListener } from '../operation-listener.ts';
import { limitError } from './document-limits.ts';
import type { ReadCost } from './operation-cost.ts';
import { rootFieldsOf } from './root-fields.ts';

/**
 * Gives a router whose `_entities` were refused null for each entity: Grafbase closes its client's connection when an
 * answer to `_entities` has no data. It comes after the listeners that recognise refusals by the missing data.
 */
export function createRouterAnswers(readCost: ReadCost): OperationListener {
  return {
    onAnswer: (answer, { isRouter }, resolved) => {
      if (!isRouter || answer.data !== undefined || resolved === undefined) return;
      const isEntities = rootFieldsOf(resolved).every(([, field]) => field === '_entities');
      if (isEntities) answer.data = readCost(resolved).nullEntities();
    },
  };
}

/**
 * Refuses an operation before it runs: entities and the schema for others than the router, too
 * many references, too many calls. It is no validation rule, since Apollo validates a document once for all requests.
 */
export function createGate(
  readCost: ReadCost,
  {
    maxUpstreamCalls,
    maxRepresentations,
    routerSecret,
    introspection,
  }: Pick<Config, 'maxUpstreamCalls' | 'maxRepresentations' | 'routerSecret' | 'introspection'>,
): OperationListener {
  const needsRouter = routerSecret !== undefined;
  return {
    onOperation: (resolved) => {
      const { isRouter, recorder } = resolved.context;
      const { representations, readsEntities, estimate } = readCost(resolved);
      if (readsEntities && needsRouter && !isRouter) throw refusal(notRouter(), 403);
      const isOpen = introspection || isRouter;
      if (!isOpen && rootFieldsOf(resolved).some(([, field]) => field === '_service')) {
        throw new GraphQLError('Introspection is switched off.', {
          extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400 } },
        });
      }
      if (representations > maxRepresentations) throw refusal(limitError('representations', maxRepresentations));
      const { calls, countAccepted } = estimate();
      if (recorder !== undefined) recorder.cost = { estimated: calls, maximum: maxUpstreamCalls };
      if (calls > maxUpstreamCalls) {
        const accepted = readsEntities ? countAccepted(maxUpstreamCalls) : 0;
        throw refusal(tooExpensive(calls, maxUpstreamCalls, accepted));
      }
    },
  };
}

/** The fault of a null variable of `@skip` or `@include`. No GatewayError, since the name is the client's text. */
export function mustNotBeNull(condition: string): GraphQLError {
  const message = `Variable "$${condition}" must not be null: @skip or @include needs it.`;
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } } });
}

function notRouter(): GatewayError {
  return new GatewayError(
    'FORBIDDEN',
    {},
    { message: "The field `_entities` needs the router's secret in `x-router-secret`." },
  );
}

/** `accepted`: how many references would be accepted; 0 where fewer of them do not help. */
function tooExpensive(estimated: number, maximum: number, accepted: number): GatewayError {
  const hint =
    accepted === 0
      ? 'Ask for smaller pages or fewer fields.'
      : `At most ${accepted} references with this selection would pass.`;
  const message = `This operation could need ${estimated} calls to the payments service; ${maximum} are allowed. ${hint}`;
  return new GatewayError('COST_ESTIMATED_TOO_EXPENSIVE', { estimated, maximum }, { message });
}

/** A GatewayError as Apollo needs it to answer with this HTTP status. */
function refusal(error: GatewayError, status = 400): GraphQLError {
  return new GraphQLError(error.message, { originalError: error, extensions: { http: { status } } });
}
