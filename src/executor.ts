import {
  getVariableValues,
  OperationTypeNode,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { planOperation, type OperationPlan, type Variables } from './execution/plan.ts';
import { runPlan, type Executed } from './execution/run.ts';
import type { Asked } from './operation-listener.ts';
import { conditionsOf, fragmentsOf, type Fragments } from './selections.ts';

/** Runs an operation by a plan; undefined for what is left to graphql-js. */
export type Executor = (
  asked: Pick<Asked, 'document' | 'operation' | 'variables' | 'context'>,
) => Executed | Promise<Executed> | undefined;

/** How many different answers to its conditions an operation is kept planned for. */
const maxVariants = 64;

/** An operation that has been asked for, as long as somebody remembers its document. */
interface Known {
  readonly fragments: Fragments;
  readonly conditions: readonly string[];
  /** By the answers to the conditions; undefined for what is left to graphql-js. */
  readonly plans: Map<string, OperationPlan | undefined>;
}

/** Runs queries and nothing else. They are planned when they are first asked for. */
export function createExecutor(schema: GraphQLSchema): Executor {
  const known = new WeakMap<OperationDefinitionNode, Known>();
  return ({ document, operation, variables, context }) => {
    if (operation.operation !== OperationTypeNode.QUERY) return undefined;
    const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
    if (coerced === undefined) return undefined;
    const entry = known.get(operation) ?? recall(document, operation);
    known.set(operation, entry);
    const plan = planVariant(schema, operation, entry, coerced);
    const args = plan === undefined ? undefined : readArguments(plan, coerced);
    return plan === undefined || args === undefined ? undefined : runPlan(plan, args, context, coerced);
  };
}

function recall(document: DocumentNode, operation: OperationDefinitionNode): Known {
  const fragments = fragmentsOf(document);
  return { fragments, conditions: conditionsOf(operation, fragments), plans: new Map() };
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
