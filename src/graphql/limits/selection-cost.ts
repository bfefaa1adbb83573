import {
  getNamedType,
  isObjectType,
  valueFromASTUntyped,
  type FieldNode,
  type GraphQLObjectType,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql';
import type { FieldCosts } from '../resolvers/field-costs.ts';
import { collectFields, type Collecting, type FieldNodes, type Selecting } from '../collect-fields.ts';
import type { Slice, WorstCase } from '../../upstream/operation.ts';
import type { Operations } from '../../upstream/operations.ts';

/** A request's variables with their defaults, not coerced, in an object without a prototype. */
export type Values = Readonly<Record<string, unknown>>;

/** One selected field that calls the service. */
export interface CostTerm {
  /** Field names of the schema from the root: `['customers', 'nodes', 'balance']`. */
  readonly path: readonly string[];
  readonly operation: keyof Operations;
  /** The term that returns the records on which this field is selected; undefined at the root. */
  readonly parent: CostTerm | undefined;
  /** Index among all terms: a parent comes before its children. */
  readonly index: number;
  /** Calls and records for each record of the parent. */
  readonly read: (values: Values) => WorstCase;
}

type ReadRepresentations = (values: Values) => readonly unknown[];

/** The representations of one `_entities` field. */
interface References {
  readonly responseName: string;
  readonly read: ReadRepresentations;
}

interface Compiling extends Collecting {
  readonly costs: FieldCosts;
  readonly terms: CostTerm[];
  readonly references: References[];
}

export interface CompiledCost {
  readonly terms: readonly CostTerm[];
  readonly references: readonly References[];
}

/**
 * The fields of an operation that call the service. Fields with the same response name count once; equal reads at
 * different paths are counted each, although they will share one call.
 */
export function compileCost(
  collecting: Collecting,
  costs: FieldCosts,
  operation: OperationDefinitionNode,
): CompiledCost {
  const compiling: Compiling = { ...collecting, costs, terms: [], references: [] };
  const root = collecting.schema.getRootType(operation.operation);
  if (root) compileSelection(compiling, root, [operation], { path: [], parent: undefined });
  return compiling;
}

/** The worst case of each term, in their order, multiplied by the number of its parent's records. */
export function readCosts(terms: readonly CostTerm[], values: Values): readonly WorstCase[] {
  const costs: WorstCase[] = [];
  for (const { parent, read } of terms) {
    const times = parent === undefined ? 1 : (costs[parent.index]?.records ?? 0);
    const { calls, records } = read(values);
    costs.push({ calls: times * calls, records: times * records });
  }
  return costs;
}

/** The position of a selection: its path, and the term that returns its parent records. */
type Position = Pick<CostTerm, 'path' | 'parent'>;

function compileSelection(
  compiling: Compiling,
  type: GraphQLObjectType,
  parents: readonly Selecting[],
  position: Position,
): void {
  for (const nodes of collectFields(compiling, type, parents).values()) compileField(compiling, type, nodes, position);
}

function compileField(
  compiling: Compiling,
  type: GraphQLObjectType,
  nodes: FieldNodes,
  { path: above, parent }: Position,
): void {
  const [node] = nodes;
  const field = type.getFields()[node.name.value];
  if (field === undefined) return; // introspection
  const path = [...above, field.name];
  if (type === compiling.schema.getQueryType() && field.name === '_entities') {
    return compileEntities(compiling, nodes, path);
  }
  const cost = compiling.costs.fields.get(`${type.name}.${field.name}`);
  const sliceOf = compileSlice(node);
  const term = cost && addTerm(compiling, { ...cost, path, parent, read: (values) => cost.worstCase(sliceOf(values)) });
  // The graph's only abstract type is that of `_entities`.
  const below = getNamedType(field.type);
  if (isObjectType(below)) compileSelection(compiling, below, nodes, { path, parent: term ?? parent });
}

function addTerm({ terms }: Compiling, { path, operation, parent, read }: Omit<CostTerm, 'index'>): CostTerm {
  const term = { path, operation, parent, read, index: terms.length };
  terms.push(term);
  return term;
}

/** Arguments of a wrong type become values that cost nothing: such a request is refused before any call. */
function compileSlice(node: FieldNode): (values: Values) => Slice {
  const first = argumentOf(node, 'first');
  const after = argumentOf(node, 'after');
  if (first === undefined && after === undefined) return () => ({});
  return (values) => {
    const count = first && (valueFromASTUntyped(first, values) ?? undefined);
    const cursor = after && (valueFromASTUntyped(after, values) ?? undefined);
    return {
      first: count === undefined || typeof count === 'number' ? count : Number.NaN,
      after: cursor === undefined || typeof cursor === 'string' ? cursor : '',
    };
  };
}

function argumentOf({ arguments: args = [] }: FieldNode, name: string): ValueNode | undefined {
  return args.find((argument) => argument.name.value === name)?.value;
}

/** Each reference costs the selection on its type, and one read of its record where the selection needs it. */
function compileEntities(compiling: Compiling, nodes: FieldNodes, path: readonly string[]): void {
  const [node] = nodes;
  const representationsIn = compileRepresentations(node);
  compiling.references.push({ responseName: (node.alias ?? node.name).value, read: representationsIn });
  for (const [name, { operation, calls, needsRecord }] of compiling.costs.entities) {
    const type = compiling.schema.getType(name);
    if (!isObjectType(type)) continue;
    const fields = [...collectFields(compiling, type, nodes).values()].flat();
    const ofRecord = fields.some((field) => needsRecord(field.name.value)) ? calls : 0;
    const read = (values: Values): WorstCase => {
      const records = representationsIn(values).filter((representation) => isOfType(representation, name)).length;
      return { calls: records * ofRecord, records };
    };
    const term = addTerm(compiling, { path, operation, parent: undefined, read });
    compileSelection(compiling, type, nodes, { path, parent: term });
  }
}

function isOfType(representation: unknown, name: string): boolean {
  const { __typename: typeName } = (representation ?? {}) as { readonly __typename?: unknown }; // any value has this property, perhaps undefined
  return typeName === name;
}

function compileRepresentations(node: FieldNode): ReadRepresentations {
  const value = argumentOf(node, 'representations');
  return (values) => {
    const references = value === undefined ? [] : valueFromASTUntyped(value, values);
    // GraphQL coerces a single value to a list of one. A list is not copied: twenty fields may share a long one.
    return Array.isArray(references) ? references : [references];
  };
}
