import {
  Kind,
  OperationTypeNode,
  valueFromASTUntyped,
  type DirectiveNode,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql';
import type { FieldCosts } from '../resolvers/field-costs.ts';
import { conditionsOf, fragmentsOf, type Fragments } from '../collect-fields.ts';
import { compileSelection, type Compiling, type Count, type Values } from './selection-cost.ts';

/** How many different answers to its conditions an operation is kept compiled for. */
const maxVariants = 64;

/** What an operation will ask for at worst, known before anything is sent. */
interface OperationCost {
  /** Calls to the service. */
  readonly calls: number;
  readonly representations: number;
  /** Whether it reads what only routers ask for. */
  readonly readsEntities: boolean;
}

type Variables = Readonly<Record<string, unknown>>;

type ReadCost = (document: DocumentNode, operation: OperationDefinitionNode, variables: Variables) => OperationCost;

interface Plan {
  readonly calls: Count;
  readonly representations: Compiling['representations'];
}

/** An operation, compiled at first sight: once for each way that its conditions turn out. */
interface Prepared {
  readonly defaults: ReadonlyMap<string, unknown>;
  readonly conditions: readonly string[];
  readonly fragments: Fragments;
  readonly plans: Map<string, Plan>;
}

/**
 * Reads what operations cost. All that hangs on the document is worked out once and goes when the document goes; a
 * request then costs a look at the variables that slice its lists.
 */
export function createCostReader(schema: GraphQLSchema, costs: FieldCosts): ReadCost {
  const known = new WeakMap<OperationDefinitionNode, Prepared>();
  return (document, operation, variables) => {
    let prepared = known.get(operation);
    if (prepared === undefined) {
      prepared = prepare(document, operation);
      known.set(operation, prepared);
    }
    const { defaults } = prepared;
    // What the client calls a variable may be the name of something that every object has.
    const values: Values = (name) => (Object.hasOwn(variables, name) ? variables[name] : defaults.get(name));
    const { calls, representations } = planFor(schema, costs, operation, prepared, values);
    return {
      calls: calls(values),
      representations: representations.reduce((sum, read) => sum + read(values).length, 0),
      readsEntities: representations.length > 0,
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
  const known = plans.get(variant);
  if (known !== undefined) return known;
  if (plans.size >= maxVariants) plans.clear();
  const isLeftOut = ({ directives = [] }: SelectionNode): boolean =>
    directives.some((directive) => isFalsified(directive, values));
  const representations: Compiling['representations'] = [];
  const isMutation = operation.operation === OperationTypeNode.MUTATION;
  const root = isMutation ? schema.getMutationType() : schema.getQueryType();
  const compiling: Compiling = { schema, costs, fragments, isLeftOut, representations };
  const calls = root ? compileSelection(compiling, root, [operation.selectionSet]) : () => 0;
  const plan = { calls, representations };
  plans.set(variant, plan);
  return plan;
}

function conditionOf({ name, arguments: args = [] }: DirectiveNode) {
  return name.value === 'skip' || name.value === 'include' ? args[0]?.value : undefined;
}

function isFalsified(directive: DirectiveNode, values: Values): boolean {
  const condition = conditionOf(directive);
  if (condition === undefined) return false;
  const value =
    condition.kind === Kind.VARIABLE ? values(condition.name.value) === true : valueFromASTUntyped(condition);
  return directive.name.value === 'skip' ? value === true : value === false;
}
