import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import {
  execute,
  getVariableValues,
  OperationTypeNode,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { Context } from './context.ts';
import { planOperation, type OperationPlan, type Variables } from './execution/plan.ts';
import { runPlan } from './execution/run.ts';
import { conditionsOf, fragmentsOf, type Fragments } from './selections.ts';

type GatewayInterface = ApolloServerOptionsWithGateway<Context>['gateway'];
type GatewayExecutor = NonNullable<Awaited<ReturnType<GatewayInterface['load']>>['executor']>;

/** How many different answers to its conditions an operation is kept planned for. */
const maxVariants = 64;

/** An operation that has been asked for, as long as Apollo remembers its document. */
interface Known {
  executions: number;
  readonly fragments: Fragments;
  readonly conditions: readonly string[];
  /** By the answers to the conditions; undefined for what is left to graphql-js. */
  readonly plans: Map<string, OperationPlan | undefined>;
}

/**
 * Runs operations: queries by a plan from their `planFrom`th execution on, everything else by graphql-js. What is asked
 * once is thus not planned, and what is forgotten by Apollo's document cache, which is bounded, is forgotten here.
 */
export function createExecutor(schema: GraphQLSchema, planFrom: number): GatewayExecutor {
  const known = new WeakMap<OperationDefinitionNode, Known>();

  const planFor = (document: DocumentNode, operation: OperationDefinitionNode, variables: Variables) => {
    const entry = known.get(operation) ?? recall(document, operation);
    known.set(operation, entry);
    entry.executions += 1;
    return entry.executions < planFrom ? undefined : planVariant(schema, operation, entry, variables);
  };

  return ({ document, operation, request, context }) => {
    const interpret = async () =>
      execute({
        schema,
        document,
        contextValue: context,
        variableValues: request.variables,
        operationName: request.operationName,
      });
    // Apollo's type promises an operation also where a document has none of that name.
    const query = operation as OperationDefinitionNode | undefined;
    if (query?.operation !== OperationTypeNode.QUERY) return interpret();
    const { coerced } = getVariableValues(schema, query.variableDefinitions ?? [], request.variables ?? {});
    if (coerced === undefined) return interpret();
    const plan = planFor(document, query, coerced);
    const args = plan === undefined ? undefined : readArguments(plan, coerced);
    return plan === undefined || args === undefined
      ? interpret()
      : Promise.resolve(runPlan(plan, args, context, coerced));
  };
}

function recall(document: DocumentNode, operation: OperationDefinitionNode): Known {
  const fragments = fragmentsOf(document);
  return { executions: 0, fragments, conditions: conditionsOf(operation, fragments), plans: new Map() };
}

function planVariant(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  { conditions, fragments, plans }: Known,
  variables: Variables,
): OperationPlan | undefined {
  const answers = conditions.map((name) => variables[name]);
  // A condition that is no Boolean is an error, which graphql-js puts into words.
  if (answers.some((answer) => typeof answer !== 'boolean')) return undefined;
  const variant = answers.join();
  if (!plans.has(variant)) {
    if (plans.size >= maxVariants) plans.clear();
    plans.set(variant, planned(schema, operation, fragments, variables));
  }
  return plans.get(variant);
}

function planned(...given: Parameters<typeof planOperation>): OperationPlan | undefined {
  try {
    return planOperation(...given);
  } catch {
    return undefined; // graphql-js runs everything
  }
}

/** Undefined where an argument cannot take what a variable holds: the field's error is graphql-js' business. */
function readArguments(plan: OperationPlan, variables: Variables) {
  try {
    return plan.readArguments(variables);
  } catch {
    return undefined;
  }
}

/** Apollo's seam for an executor of one's own: a gateway that loads it, and has its schema at once. */
export function executedBy(executor: GatewayExecutor, schema: GraphQLSchema): GatewayInterface {
  return {
    load: async () => ({ executor }),
    onSchemaLoadOrUpdate: (callback) => {
      callback({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => {};
    },
    stop: async () => {},
  };
}
