import {
  getNamedType,
  isAbstractType,
  isObjectType,
  Kind,
  valueFromASTUntyped,
  type FieldNode,
  type GraphQLObjectType,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import type { FieldCosts } from '../resolvers/field-costs.ts';
import { collectFields, type Collecting } from '../collect-fields.ts';
import type { Slice } from '../../upstream/operation.ts';

/** The value of a variable in a request, or its default; not coerced. */
export type Values = (variable: string) => unknown;

/** A number that depends on the variables. */
export type Count = (values: Values) => number;

export interface Compiling extends Collecting {
  readonly costs: FieldCosts;
  /** The references of each `_entities` field in the operation; filled while compiling. */
  readonly references: References[];
}

/** The representations of one `_entities` field, and what each costs at worst. */
interface References {
  readonly responseName: string;
  readonly read: (values: Values) => readonly unknown[];
  readonly costOf: (representation: unknown, values: Values) => number;
}

const free: Count = () => 0;

/**
 * The worst-case calls of a selection on one type. Fields with the same response name count once; equal reads at
 * different paths are counted each, although they will share one call.
 */
export function compileSelection(
  compiling: Compiling,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): Count {
  const fields = collectFields(compiling, type, sets);
  const terms = [...fields.values()].map((nodes) => compileField(compiling, type, nodes));
  return sum(terms.filter((term) => term !== free));
}

function sum(terms: readonly Count[]): Count {
  const [first, ...others] = terms;
  if (first === undefined) return free;
  return others.length === 0 ? first : (values) => terms.reduce((total, term) => total + term(values), 0);
}

function compileField(compiling: Compiling, type: GraphQLObjectType, nodes: readonly FieldNode[]): Count {
  const [node] = nodes;
  const field = node === undefined ? undefined : type.getFields()[node.name.value];
  if (node === undefined || field === undefined) return free; // introspection
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  if (type === compiling.schema.getQueryType() && field.name === '_entities') {
    return compileEntities(compiling, node, sets);
  }
  const below = compileBelow(compiling, getNamedType(field.type).name, sets);
  const worstCase = compiling.costs.fields.get(`${type.name}.${field.name}`);
  if (worstCase === undefined) return below;
  const sliceOf = compileSlice(node);
  return (values) => {
    const { calls, records } = worstCase(sliceOf(values));
    return below === free ? calls : calls + records * below(values);
  };
}

function compileBelow(compiling: Compiling, typeName: string, sets: readonly SelectionSetNode[]): Count {
  const type = compiling.schema.getType(typeName);
  if (isObjectType(type)) return compileSelection(compiling, type, sets);
  if (!isAbstractType(type)) return free;
  const terms = compiling.schema.getPossibleTypes(type).map((possible) => compileSelection(compiling, possible, sets));
  return (values) => Math.max(0, ...terms.map((term) => term(values)));
}

/** Arguments of a wrong type become values that cost nothing: such a request is refused before any call. */
function compileSlice(node: FieldNode): (values: Values) => Slice {
  const first = compileArgument(node, 'first');
  const after = compileArgument(node, 'after');
  if (first === undefined && after === undefined) return () => ({});
  return (values) => {
    const count = first?.(values) ?? undefined;
    const cursor = after?.(values) ?? undefined;
    return {
      first: count === undefined || typeof count === 'number' ? count : Number.NaN,
      after: cursor === undefined || typeof cursor === 'string' ? cursor : '',
    };
  };
}

function compileArgument({ arguments: args = [] }: FieldNode, name: string) {
  const value = args.find((argument) => argument.name.value === name)?.value;
  return value === undefined ? undefined : compileValue(value);
}

function compileValue(value: ValueNode): (values: Values) => unknown {
  if (value.kind === Kind.VARIABLE) return (values) => values(value.name.value);
  const literal = valueFromASTUntyped(value);
  return () => literal;
}

/** Each reference costs the selection on its type, and one read of its record where the selection needs it. */
function compileEntities(compiling: Compiling, node: FieldNode, sets: readonly SelectionSetNode[]): Count {
  const { costs, schema } = compiling;
  const byType = new Map<unknown, Count>();
  for (const [name, { calls, needsRecord }] of costs.entities) {
    const type = schema.getType(name);
    if (!isObjectType(type)) continue;
    const fields = [...collectFields(compiling, type, sets).values()].flat();
    const ofRecord = fields.some((field) => needsRecord(field.name.value)) ? calls : 0;
    const below = compileSelection(compiling, type, sets);
    byType.set(name, (values) => ofRecord + below(values));
  }
  const read = compileRepresentations(node);
  const costOf = (representation: unknown, values: Values): number => {
    const { __typename: name } = (representation ?? {}) as { readonly __typename?: unknown }; // any value has this property, perhaps undefined
    return byType.get(name)?.(values) ?? 0;
  };
  compiling.references.push({ responseName: (node.alias ?? node.name).value, read, costOf });
  return (values) => read(values).reduce<number>((total, representation) => total + costOf(representation, values), 0);
}

function compileRepresentations(node: FieldNode): (values: Values) => readonly unknown[] {
  const value = node.arguments?.find(({ name }) => name.value === 'representations')?.value;
  // GraphQL coerces a single value to a list of one.
  return (values) => [value === undefined ? [] : resolveValue(value, values)].flat();
}

function resolveValue(value: ValueNode, values: Values): unknown {
  if (value.kind === Kind.VARIABLE) return values(value.name.value);
  if (value.kind === Kind.LIST) return value.values.map((item) => resolveValue(item, values));
  if (value.kind !== Kind.OBJECT) return valueFromASTUntyped(value);
  const fields = value.fields.map((field) => [field.name.value, resolveValue(field.value, values)] as const);
  return Object.fromEntries(fields);
}
