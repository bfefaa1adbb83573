import { valueFromASTUntyped, type DocumentNode, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import type { FieldCosts } from '../resolvers/field-costs.ts';
import { conditionsOf, fragmentsOf, leftOutBy, type Fragments } from '../collect-fields.ts';
import { compileCost, readCosts, type CompiledCost, type Values } from './selection-cost.ts';

/** Compiled costs kept for one operation, one for each combination of its condition variables. */
const maxVariants = 64;

/** The worst case of an operation, known before anything is sent. */
interface OperationCost {
  /** Calls to the service. */
  readonly calls: number;
  readonly representations: number;
  /** Whether it selects `_entities`. */
  readonly readsEntities: boolean;
}

type Variables = Readonly<Record<string, unknown>>;

type ReadCost = (document: DocumentNode, operation: OperationDefinitionNode, variables: Variables) => OperationCost;

/** What is known of an operation before its variables are. It lives as long as its document does. */
interface Prepared {
  readonly defaults: ReadonlyMap<string, unknown>;
  readonly conditions: readonly string[];
  readonly fragments: Fragments;
  readonly plans: Map<string, CompiledCost>;
}

/**
 * Creates the function that estimates costs. What depends on the document alone is compiled once; a request then reads
 * only the variables that slice its lists.
 */
export function createCostReader(schema: GraphQLSchema, costs: FieldCosts): ReadCost {
  const preparedOperations = new WeakMap<OperationDefinitionNode, Prepared>();
  return (document, operation, variables) => {
    const prepared = preparedOperations.get(operation) ?? prepare(document, operation);
    preparedOperations.set(operation, prepared);
    const values = valuesOf(prepared.defaults, variables);
    const { terms, representations } = planFor(schema, costs, operation, prepared, values);
    return {
      calls: readCosts(terms, values).reduce((sum, { calls }) => sum + calls, 0),
      representations: representations.reduce((sum, read) => sum + read(values).length, 0),
      readsEntities: representations.length > 0,
    };
  };
}

function prepare(document: DocumentNode, operation: OperationDefinitionNode): Prepared {
  const fragments = fragmentsOf(document);
  return {
    defaults: defaultsOf(operation),
    conditions: conditionsOf(operation, fragments),
    fragments,
    plans: new Map(),
  };
}

/** The defaults of an operation's variables; those without one are absent. */
export function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): ReadonlyMap<string, unknown> {
  return new Map(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)] as const],
    ),
  );
}

/** A variable may be called like an inherited property. */
export function valuesOf(defaults: ReadonlyMap<string, unknown>, variables: Variables): Values {
  return (name) => (Object.hasOwn(variables, name) ? variables[name] : defaults.get(name));
}

function planFor(
  schema: GraphQLSchema,
  costs: FieldCosts,
  operation: OperationDefinitionNode,
  { conditions, fragments, plans }: Prepared,
  values: Values,
): CompiledCost {
  const variant = conditions.map((name) => (values(name) === true ? '1' : '0')).join('');
  const cached = plans.get(variant);
  if (cached !== undefined) return cached;
  if (plans.size >= maxVariants) plans.clear();
  const isLeftOut = leftOutBy((name) => values(name) === true);
  const plan = compileCost({ schema, fragments, isLeftOut }, costs, operation);
  plans.set(variant, plan);
  return plan;
}
