import { OperationTypeNode, type DocumentNode, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import { variableReader, type Variables } from './coerce-input.ts';
import { planOperation, type OperationPlan } from './plan-operation.ts';
import { runPlan, type Executed } from './run-plan.ts';
import type { Asked } from '../operation-listener.ts';
import { conditionsOf, fragmentsOf } from '../collect-fields.ts';

/** Runs an operation by a plan; undefined for what is left to graphql-js. */
export type Executor = (
  asked: Pick<Asked, 'document' | 'operation' | 'variables' | 'context'>,
) => Executed | Promise<Executed> | undefined;

/** How many different answers to its conditions an operation is kept planned for. */
const maxVariants = 64;
/** After so many runs an object of a plan gets code of its own, which takes about as many to pay. */
const enoughUses = 200;

/** An operation that has been asked for, as long as somebody remembers its document. */
interface Known {
  readonly readVariables: ReturnType<typeof variableReader>;
  readonly conditions: readonly string[];
  /** By the answers to the conditions; undefined for what is left to graphql-js. */
  readonly plans: Map<string, OperationPlan | undefined>;
  /** Plans it for such answers. */
  readonly plan: (variables: Variables) => OperationPlan | undefined;
}

/** Runs queries and nothing else. They are planned when they are first asked for. */
export function createExecutor(schema: GraphQLSchema, usesBeforeCode: number = enoughUses): Executor {
  const known = new WeakMap<OperationDefinitionNode, Known>();
  const recall = (document: DocumentNode, operation: OperationDefinitionNode): Known => {
    const found = known.get(operation);
    if (found !== undefined) return found;
    const made = prepare(schema, document, operation, usesBeforeCode);
    known.set(operation, made);
    return made;
  };
  const begin = ({ document, operation, variables }: Parameters<Executor>[0]) => {
    try {
      const entry = recall(document, operation);
      const coerced = entry.readVariables(variables);
      const plan = planVariant(entry, coerced);
      return plan && { plan, args: plan.readArguments(coerced), variables: coerced };
    } catch {
      return undefined; // what variables and arguments cannot take is graphql-js' business
    }
  };
  return (asked) => {
    if (asked.operation.operation !== OperationTypeNode.QUERY) return undefined;
    const begun = begin(asked);
    return begun && runPlan(begun.plan, begun.args, asked.context, begun.variables);
  };
}

function prepare(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  usesBeforeCode: number,
): Known {
  const fragments = fragmentsOf(document);
  const plan: Known['plan'] = (variables) => {
    try {
      return planOperation(schema, operation, fragments, variables, usesBeforeCode);
    } catch {
      return undefined; // graphql-js runs everything
    }
  };
  const readVariables = variableReader(schema, operation);
  return { readVariables, conditions: conditionsOf(operation, fragments), plans: new Map(), plan };
}

function planVariant({ conditions, plans, plan }: Known, variables: Variables): OperationPlan | undefined {
  const answers = conditions.map((name) => variables[name]);
  // A condition that is no Boolean is an error, which graphql-js puts into words.
  if (answers.some((answer) => typeof answer !== 'boolean')) return undefined;
  const variant = answers.join();
  if (!plans.has(variant)) {
    if (plans.size >= maxVariants) plans.clear();
    plans.set(variant, plan(variables));
  }
  return plans.get(variant);
}
