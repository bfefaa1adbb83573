import {
  getVariableValues,
  OperationTypeNode,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { Context } from './context.ts';
import { planOperation, type OperationPlan, type Variables } from './execution/plan.ts';
import { runPlan, type Executed } from './execution/run.ts';
import { conditionsOf, fragmentsOf, type Fragments } from './selections.ts';

/** What is asked for, once its document is known to be valid. */
interface Asked {
  readonly document: DocumentNode;
  /** Undefined where the document has none of the name that was asked for. */
  readonly operation: OperationDefinitionNode | undefined;
  /** As they came. */
  readonly variables: Variables;
  readonly context: Context;
}

/** Runs an operation; undefined for what is left to graphql-js. */
export type Executor = (asked: Asked) => Executed | Promise<Executed> | undefined;

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
 * Runs queries by a plan from their `planFrom`th execution on, and nothing else. What is asked once is thus not planned,
 * and what is forgotten by Apollo's document cache, which is bounded, is forgotten here.
 */
export function createExecutor(schema: GraphQLSchema, planFrom: number): Executor {
  const known = new WeakMap<OperationDefinitionNode, Known>();

  const planFor = (document: DocumentNode, operation: OperationDefinitionNode, variables: Variables) => {
    const entry = known.get(operation) ?? recall(document, operation);
    known.set(operation, entry);
    entry.executions += 1;
    return entry.executions < planFrom ? undefined : planVariant(schema, operation, entry, variables);
  };

  return ({ document, operation, variables, context }) => {
    if (operation?.operation !== OperationTypeNode.QUERY) return undefined;
    const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
    if (coerced === undefined) return undefined;
    const plan = planFor(document, operation, coerced);
    const args = plan === undefined ? undefined : readArguments(plan, coerced);
    return plan === undefined || args === undefined ? undefined : runPlan(plan, args, context, coerced);
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
