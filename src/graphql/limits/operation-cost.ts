import {
  OperationTypeNode,
  valueFromASTUntyped,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { FieldCosts } from '../resolvers/field-costs.ts';
import { conditionsOf, fragmentsOf, leftOutBy, type Fragments } from '../collect-fields.ts';
import { compileSelection, type Compiling, type Count, type Values } from './selection-cost.ts';

/** Compiled costs kept for one operation, one for each combination of its condition variables. */
const maxVariants = 64;

/** The worst case of an operation, known before anything is sent. */
interface OperationCost {
  /** Calls to the service. */
  readonly calls: number;
  readonly representations: number;
  /** Whether it selects `_entities`. */
  readonly readsEntities: boolean;
  /** How many references would cost at most so many calls, if each were as dear as the dearest of them. */
  readonly countPassing: (maximumCalls: number) => number;
  /** The lists of `_entities` by response name, with null for each reference. */
  readonly nullEntities: () => Readonly<Record<string, readonly null[]>>;
}

type Variables = Readonly<Record<string, unknown>>;

type ReadCost = (document: DocumentNode, operation: OperationDefinitionNode, variables: Variables) => OperationCost;

interface Plan {
  readonly calls: Count;
  readonly references: Compiling['references'];
}

/** What is known of an operation before its variables are. It lives as long as its document does. */
interface Prepared {
  readonly defaults: ReadonlyMap<string, unknown>;
  readonly conditions: readonly string[];
  readonly fragments: Fragments;
  readonly plans: Map<string, Plan>;
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
    const { defaults } = prepared;
    // A variable may be called like an inherited property.
    const values: Values = (name) => (Object.hasOwn(variables, name) ? variables[name] : defaults.get(name));
    const { calls, references } = planFor(schema, costs, operation, prepared, values);
    const estimated = calls(values);
    return {
      calls: estimated,
      representations: references.reduce((sum, { read }) => sum + read(values).length, 0),
      readsEntities: references.length > 0,
      countPassing: (maximumCalls) => {
        const each = references.flatMap(({ read, costOf }) => read(values).map((value) => costOf(value, values)));
        const others = estimated - each.reduce((sum, cost) => sum + cost, 0);
        return Math.max(0, Math.floor((maximumCalls - others) / Math.max(...each)));
      },
      nullEntities: () =>
        Object.fromEntries(references.map(({ responseName, read }) => [responseName, read(values).map(() => null)])),
    };
  };
}

function prepare(document: DocumentNode, operation: OperationDefinitionNode): Prepared {
  const defaults = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)] as const],
  );
  const fragments = fragmentsOf(document);
  return { defaults: new Map(defaults), conditions: conditionsOf(operation, fragments), fragments, plans: new Map() };
}

function planFor(
  schema: GraphQLSchema,
  costs: FieldCosts,
  operation: OperationDefinitionNode,
  { conditions, fragments, plans }: Prepared,
  values: Values,
): Plan {
  const variant = conditions.map((name) => (values(name) === true ? '1' : '0')).join('');
  const cached = plans.get(variant);
  if (cached !== undefined) return cached;
  if (plans.size >= maxVariants) plans.clear();
  const isLeftOut = leftOutBy((name) => values(name) === true);
  const references: Compiling['references'] = [];
  const isMutation = operation.operation === OperationTypeNode.MUTATION;
  const root = isMutation ? schema.getMutationType() : schema.getQueryType();
  const compiling: Compiling = { schema, costs, fragments, isLeftOut, references };
  const calls = root ? compileSelection(compiling, root, [operation.selectionSet]) : () => 0;
  const plan = { calls, references };
  plans.set(variant, plan);
  return plan;
}
