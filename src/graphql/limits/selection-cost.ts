import {
  getNamedType,
  getNullableType,
  isListType,
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
  readonly lengths: Map<CostTerm | undefined, number>;
}

export interface CompiledCost {
  readonly terms: readonly CostTerm[];
  readonly references: readonly References[];
  /** Characters that aliases add to an answer for each record of a term; for undefined, once. */
  readonly lengths: ReadonlyMap<CostTerm | undefined, number>;
}

/** Characters of a value that an alias repeats: it may be an error each time, which is longest. */
const repeatLength = 500;

/**
 * The fields of an operation that call the service. Fields with the same response name count once; equal reads at
 * different paths are counted each, although they will share one call.
 */
export function compileCost(
  collecting: Collecting,
  costs: FieldCosts,
  operation: OperationDefinitionNode,
): CompiledCost {
  const compiling: Compiling = { ...collecting, costs, terms: [], references: [], lengths: new Map() };
  const root = collecting.schema.getRootType(operation.operation);
  if (root) compileSelection(compiling, root, [operation], start);
  return compiling;
}

const start: Position = { path: [], parent: undefined, repeated: undefined, isRepeat: false };

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

/** The characters that aliases add to an answer, with the worst case of each term. */
export function readLength(lengths: CompiledCost['lengths'], costs: readonly WorstCase[]): number {
  let sum = 0;
  for (const [term, length] of lengths) sum += length * (term === undefined ? 1 : (costs[term.index]?.records ?? 0));
  return sum;
}

/** The position of a selection: its path, and the term that returns its parent records. */
interface Position extends Pick<CostTerm, 'path' | 'parent'> {
  /**
   * The term whose number of records multiplies this selection in the answer: `parent`, or the term above it for a field
   * that a connection has once, such as `pageInfo`.
   */
  readonly repeated: CostTerm | undefined;
  /** Whether it repeats the values of another response name: it is at or below an alias that makes no call. */
  readonly isRepeat: boolean;
}

function compileSelection(
  compiling: Compiling,
  type: GraphQLObjectType,
  parents: readonly Selecting[],
  position: Position,
): void {
  const { lengths } = compiling;
  const { repeated } = position;
  const names = new Set<string>();
  for (const [responseName, nodes] of collectFields(compiling, type, parents)) {
    const name = nodes[0].name.value;
    const isRepeat = position.isRepeat || names.has(name);
    names.add(name);
    const length = isRepeat ? responseName.length + repeatLength : Math.max(responseName.length - name.length, 0);
    lengths.set(repeated, (lengths.get(repeated) ?? 0) + length);
    compileField(compiling, type, nodes, { ...position, isRepeat });
  }
}

function compileField(
  compiling: Compiling,
  type: GraphQLObjectType,
  nodes: FieldNodes,
  { path: above, parent, repeated, isRepeat }: Position,
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
  const isList = isListType(getNullableType(field.type));
  const position = {
    path,
    parent: term ?? parent,
    repeated: isList ? (term ?? parent) : repeated,
    isRepeat: isRepeat && term === undefined,
  };
  if (isObjectType(below)) compileSelection(compiling, below, nodes, position);
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
    compileSelection(compiling, type, nodes, { path, parent: term, repeated: term, isRepeat: false });
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
