import {
  getNullableType,
  GraphQLID,
  GraphQLScalarType,
  GraphQLString,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  TypeNameMetaFieldDef,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import {
  collectFields,
  leftOutBy,
  type Collecting,
  type FieldNodes,
  type Fragments,
  type Selecting,
} from '../collect-fields.ts';
import { coerceArguments } from './coerce-input.ts';
import type { FieldPlan, ObjectPlan, OperationPlan, Reader, ValuePlan, Values } from './types.ts';

interface Planning extends Collecting {
  readonly argumentsOf: (Values | Reader<Values>)[];
}

/**
 * Plans a query: which fields are selected on which type, with their resolvers and arguments, which graphql-js works out
 * again for every value. `variables` are coerced; the plan holds for all variables under which the same selections are
 * skipped and included. The document must be valid, without introspection and without names such as `__proto__`.
 */
export function planOperation(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
  variables: Values,
): OperationPlan {
  const type = schema.getQueryType();
  if (!type) throw new Error('The schema has no Query type.');
  const planning: Planning = { schema, fragments, isLeftOut: leftOutBy(variables), argumentsOf: [] };
  const root = planObject(planning, type, [operation]);
  return { schema, operation, fragments, root, readArguments: readAll(planning.argumentsOf) };
}

/** Arguments without variables are read once. */
function readAll(argumentsOf: Planning['argumentsOf']): OperationPlan['readArguments'] {
  const constants = argumentsOf.map((args) => (typeof args === 'function' ? {} : args));
  const varying = argumentsOf.flatMap((read, index) => (typeof read === 'function' ? [{ index, read }] : []));
  return (variables) => {
    const all = [...constants];
    for (const { index, read } of varying) all[index] = read(variables);
    return all;
  };
}

function planObject(planning: Planning, type: GraphQLObjectType, parents: readonly Selecting[]): ObjectPlan {
  const selected = [...collectFields(planning, type, parents)];
  return selected.map(([responseName, nodes]) => planField(planning, type, responseName, nodes));
}

function planField(
  planning: Planning,
  parentType: GraphQLObjectType,
  responseName: string,
  nodes: FieldNodes,
): FieldPlan {
  const [node] = nodes;
  const name = node.name.value;
  const definition = name === '__typename' ? TypeNameMetaFieldDef : parentType.getFields()[name];
  if (definition === undefined) throw new Error(`${parentType.name} has no field ${name}.`);
  const argumentIndex = planning.argumentsOf.push(coerceArguments(definition, node)) - 1;
  return {
    responseName,
    property: name,
    parentType,
    definition,
    nodes,
    constant: name === '__typename' ? parentType.name : undefined,
    resolve: definition.resolve,
    argumentIndex,
    value: planValue(planning, definition.type, nodes),
  };
}

const emptyPlan = { leaf: undefined, isText: false, item: undefined, object: undefined, abstract: undefined };

function planValue(planning: Planning, declared: GraphQLOutputType, nodes: FieldNodes): ValuePlan {
  const isNonNull = isNonNullType(declared);
  const type = getNullableType(declared);
  if (isListType(type)) return { ...emptyPlan, isNonNull, item: planValue(planning, type.ofType, nodes) };
  if (isLeafType(type)) return { ...emptyPlan, isNonNull, leaf: type, isText: serializesTextAsIs(type) };
  if (isObjectType(type)) return { ...emptyPlan, isNonNull, object: planObject(planning, type, nodes) };
  const possible = planning.schema.getPossibleTypes(type);
  const objects = new Map(possible.map((object) => [object.name, planObject(planning, object, nodes)]));
  return { ...emptyPlan, isNonNull, abstract: { type, objects } };
}

/** The function that graphql-js gives a scalar without a `serialize` of its own: it returns the value as it is. */
const { serialize: identity } = new GraphQLScalarType({ name: 'AsIs' });

function serializesTextAsIs(type: GraphQLLeafType): boolean {
  return isScalarType(type) && (type === GraphQLString || type === GraphQLID || type.serialize === identity);
}
