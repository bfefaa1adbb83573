import {
  getNullableType,
  GraphQLID,
  GraphQLScalarType,
  GraphQLString,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  TypeNameMetaFieldDef,
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { argumentReader, type ArgumentReader, type Arguments, type Variables } from './coerce-input.ts';
import type { ObjectRunner } from './run-plan.ts';
import { collectFields, leftOutBy, type Collecting, type Fragments } from '../collect-fields.ts';

const maxWords = 8;

/** A selection on one object type: its fields by response name, conditions and fragments resolved. */
export interface ObjectPlan {
  readonly type: GraphQLObjectType;
  readonly fields: readonly FieldPlan[];
  /** How often it has yet to run before it gets code of its own. */
  usesBeforeCode: number;
  code: ObjectRunner | undefined;
}

export interface FieldPlan {
  /** The name in the answer. */
  readonly name: string;
  /** The property of the source that is the field's value where it has no resolver. */
  readonly key: string;
  readonly parentType: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly nodes: readonly FieldNode[];
  /** `__typename`'s value, which is known beforehand. */
  readonly constant: string | undefined;
  readonly resolve: GraphQLFieldResolver<unknown, unknown> | undefined;
  /** Whether its resolver has a fourth parameter. */
  readonly takesInfo: boolean;
  /** Where its arguments stand among those of the run. */
  readonly slot: number;
  readonly shape: Shape;
}

/** How a value of a type becomes part of the answer. */
export interface Shape {
  readonly isNonNull: boolean;
  readonly leaf: GraphQLLeafType | undefined;
  /** A leaf of which every text is itself, so that it need not be asked. */
  readonly isText: boolean;
  /** Of an enum: values that are themselves in the answer, too. */
  readonly words: readonly string[];
  readonly item: Shape | undefined;
  readonly object: ObjectPlan | undefined;
  readonly abstract: AbstractPlan | undefined;
}

export interface AbstractPlan {
  readonly type: GraphQLAbstractType;
  readonly objects: ReadonlyMap<string, ObjectPlan>;
}

/** An operation as it runs under certain values of its conditions. */
export interface OperationPlan {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Fragments;
  readonly root: ObjectPlan;
  /** The arguments of every field by slot. Throws where a variable holds what an argument cannot take. */
  readonly readArguments: (variables: Variables) => readonly Arguments[];
}

interface Planning extends Collecting {
  readonly argumentReaders: ArgumentReader[];
  readonly usesBeforeCode: number;
}

/**
 * Works out once what graphql-js works out for every value: which fields are selected on which type, their resolvers
 * and arguments. `variables` are coerced; the plan is good for all others under which the same selections are left out.
 * Throws for what is left to graphql-js.
 */
export function planOperation(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
  variables: Variables,
  usesBeforeCode: number,
): OperationPlan {
  const type = schema.getQueryType();
  if (type === null || type === undefined) throw new Error('no queries');
  const argumentReaders: Planning['argumentReaders'] = [];
  const planning = { schema, fragments, isLeftOut: leftOutBy(variables), argumentReaders, usesBeforeCode };
  const root = planObject(planning, type, [operation.selectionSet]);
  return { schema, operation, fragments, root, readArguments: allArguments(argumentReaders) };
}

/** Those without variables are the same in every run. */
function allArguments(readers: readonly ArgumentReader[]): OperationPlan['readArguments'] {
  const constants = readers.map(({ constant = {} }) => constant);
  const varying = readers.flatMap(({ constant, read }, slot) => (constant === undefined ? [{ slot, read }] : []));
  return (variables) => {
    const all = [...constants];
    for (const { slot, read } of varying) all[slot] = read(variables);
    return all;
  };
}

function planObject(planning: Planning, type: GraphQLObjectType, sets: readonly SelectionSetNode[]): ObjectPlan {
  if (type.isTypeOf) throw new Error('a type that tells its values itself');
  const fields = [...collectFields(planning, type, sets)].map(([name, nodes]) =>
    planField(planning, type, name, nodes),
  );
  return { type, fields, usesBeforeCode: planning.usesBeforeCode, code: undefined };
}

function planField(planning: Planning, type: GraphQLObjectType, name: string, nodes: readonly FieldNode[]): FieldPlan {
  const [node] = nodes;
  const key = node?.name.value ?? '';
  const definition = key === '__typename' ? TypeNameMetaFieldDef : type.getFields()[key];
  if (node === undefined || definition === undefined) throw new Error('no field of the type: introspection');
  if (name === '__proto__') throw new Error('an alias that would be the prototype of its object');
  const slot = planning.argumentReaders.push(argumentReader(definition, node)) - 1;
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  return {
    name,
    key,
    parentType: type,
    definition,
    nodes,
    constant: key === '__typename' ? type.name : undefined,
    resolve: definition.resolve,
    takesInfo: (definition.resolve?.length ?? 0) > 3,
    slot,
    shape: planShape(planning, definition.type, sets),
  };
}

const none = { item: undefined, object: undefined, abstract: undefined };
const nothing = { ...none, leaf: undefined, isText: false, words: [] };

function planShape(planning: Planning, declared: GraphQLOutputType, sets: readonly SelectionSetNode[]): Shape {
  const isNonNull = isNonNullType(declared);
  const type = getNullableType(declared);
  if (isListType(type)) return { ...nothing, isNonNull, item: planShape(planning, type.ofType, sets) };
  if (isLeafType(type)) return { ...nothing, isNonNull, leaf: type, isText: isText(type), words: wordsOf(type) };
  if (isObjectType(type)) return { ...nothing, isNonNull, object: planObject(planning, type, sets) };
  const possible = planning.schema.getPossibleTypes(type);
  const objects = new Map(possible.map((object) => [object.name, planObject(planning, object, sets)]));
  return { ...nothing, isNonNull, abstract: { type, objects } };
}

/** What graphql-js gives a scalar that does not say how its values leave: they leave as they are. */
const { serialize: leaveAsIs } = new GraphQLScalarType({ name: 'AsIs' });

function isText(type: GraphQLLeafType): boolean {
  return isScalarType(type) && (type === GraphQLString || type === GraphQLID || type.serialize === leaveAsIs);
}

/** Of an enum of many values, the first ones. */
function wordsOf(type: GraphQLLeafType): readonly string[] {
  const values = isEnumType(type) ? type.getValues().slice(0, maxWords) : [];
  return values.filter(({ name, value }) => value === name).map(({ name }) => name);
}
