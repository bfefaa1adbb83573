import { OperationTypeNode, visit, type DocumentNode, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import { mustNotBeNull } from '../limits/operation-gate.ts';
import { createVariants, type Variants } from './variants.ts';
import { variableReader } from './coerce-input.ts';
import { planOperation } from './plan-operation.ts';
import { runPlan } from './run-plan.ts';
import type { ExecutionResult, OperationPlan, Values } from './types.ts';

/**
 * Why an operation is left to graphql-js. `exception`: planning has thrown, which is a bug. All others are expected, and
 * `input` covers arguments that graphql-js refuses in its own words.
 */
export const fallbackReasons = ['mutation', 'introspection', 'reserved_name', 'input', 'exception'] as const;
export type FallbackReason = (typeof fallbackReasons)[number];

interface ExecutorListener {
  readonly onFallback: (reason: FallbackReason) => void;
  /** Called once for each operation whose planning throws. */
  readonly onPlanningError: (error: unknown) => void;
}

interface ExecutableOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** As the client sent them. */
  readonly variables: Values;
  readonly context: unknown;
}

/**
 * Runs a valid operation by a plan, or answers the faults of its variables without data; undefined where graphql-js must run
 * it.
 */
export type Executor = (operation: ExecutableOperation) => ExecutionResult | Promise<ExecutionResult> | undefined;

/** The parts that do not depend on an operation's variables. They live as long as the document. */
interface Prepared {
  readonly readVariables: ReturnType<typeof variableReader>;
  readonly plans: Variants<OperationPlan>;
  /** Set where the operation is always left to graphql-js. */
  fallback: FallbackReason | undefined;
}

export function createExecutor(schema: GraphQLSchema, { onFallback, onPlanningError }: ExecutorListener): Executor {
  const preparedOperations = new WeakMap<OperationDefinitionNode, Prepared>();

  const prepare = (document: DocumentNode, operation: OperationDefinitionNode): Prepared => {
    const prepared = preparedOperations.get(operation) ?? {
      readVariables: variableReader(schema, operation),
      plans: createVariants(document, operation),
      fallback: fallbackOf(document, operation),
    };
    preparedOperations.set(operation, prepared);
    return prepared;
  };

  const fallBack = (reason: FallbackReason): undefined => {
    onFallback(reason);
  };

  return ({ document, operation, variables: sentVariables, context }) => {
    const prepared = prepare(document, operation);
    const { readVariables, plans, fallback } = prepared;
    const { values: variables, errors } = readVariables(sentVariables);
    if (errors !== undefined) return { errors };
    // graphql-js would fail the object around the condition, perhaps after a write for it was sent.
    const nullCondition = plans.conditions.find((name) => variables[name] === null);
    if (nullCondition !== undefined) return { errors: [mustNotBeNull(nullCondition)] };
    if (fallback !== undefined) return fallBack(fallback);
    let plan: OperationPlan;
    try {
      plan = plans.get(variables, () => planOperation(schema, operation, plans.fragments, variables));
    } catch (error) {
      prepared.fallback = 'exception';
      onPlanningError(error);
      return fallBack('exception');
    }
    const args = resultOrUndefined(() => plan.readArguments(variables));
    return args === undefined ? fallBack('input') : runPlan(plan, args, context, variables);
  };
}

/** `__proto__` as an alias or a variable would set the prototype of an ordinary object. */
function fallbackOf(document: DocumentNode, { operation }: OperationDefinitionNode): FallbackReason | undefined {
  if (operation !== OperationTypeNode.QUERY) return 'mutation';
  let reason: FallbackReason | undefined;
  visit(document, {
    Name: ({ value }) => {
      if (value === '__proto__') reason ??= 'reserved_name';
    },
    Field: ({ name }) => {
      if (name.value === '__schema' || name.value === '__type') reason ??= 'introspection';
    },
  });
  return reason;
}

/** Coercion throws where graphql-js reports an error; graphql-js then runs the operation and words the error. */
function resultOrUndefined<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
